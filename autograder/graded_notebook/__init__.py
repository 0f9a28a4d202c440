"""The graded notebook: grading's marks and test sentences, written and read."""
