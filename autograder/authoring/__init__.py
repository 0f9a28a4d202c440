"""Authoring: from the text of the course to instructors' and students' notebooks, and back."""
