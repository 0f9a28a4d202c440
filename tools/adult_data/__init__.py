"""The factory of the course's data set: `make data` runs it, docs/data.md says how it works."""
