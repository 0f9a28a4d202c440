"""Reading answers in words: a page on this machine, whose points go into nbgrader's gradebook."""
