"""What is run inside the museum's environments: old Pythons too, so no syntax newer than 3.8.

A sampler is a function (number, side) -> at least so many numbers. Side 0 is a data set, side 1 a
neighbor of it.
"""
