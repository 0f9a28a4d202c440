"""The instructor's report on a class: a page and a table."""
