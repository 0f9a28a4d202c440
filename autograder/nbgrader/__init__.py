"""nbgrader's gradebook, its steps and its exchange: dates, points, marks and the class list."""
