"""The execution of one submission: a function of its files, on any machine."""
