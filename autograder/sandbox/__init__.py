"""The closed room that a student's code runs in. Linux only."""
