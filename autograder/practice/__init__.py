"""Practice without end: tasks that are composed from parts, each with its text, law and mistakes.

    from autograder import practice
    task = practice.new(level=2)    # shows the task; practice.new(level=2, seed=41) is one again
    task.check(release)             # the judge of the chapters' checks
    task.solution()                 # after a pass, or when asked for twice

It needs numpy, scipy and pandas, and no other process: it runs in the browser, too.
"""

from autograder.practice.draw import LEVELS
from autograder.practice.fits import fits, not_judged_here
from autograder.practice.task import Task, judge, new

__all__ = ["LEVELS", "Task", "fits", "judge", "new", "not_judged_here"]
