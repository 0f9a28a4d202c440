"""Imports class lists into the gradebook, and exports grades from it."""

SYSTEMS = ("canvas", "moodle")  # of which zips come in, and to which grades go out
