"""From the text of the course to the notebooks of instructors and students, and back."""
