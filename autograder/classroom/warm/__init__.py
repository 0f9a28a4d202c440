"""Kernels that are warm before they are needed: forked from one process that has imported all.

`zygote.py` and `kernel.py` run in that process and in its children, `process.py` and `manager.py`
in the grader; `pipe.py` is what they say to each other. To nbclient it is a kernel manager like any
other.
"""

from autograder.classroom.warm.limits import Limits
from autograder.classroom.warm.manager import WarmKernelManager
from autograder.classroom.warm.modules import imported
from autograder.classroom.warm.process import Zygote

__all__ = ["Limits", "WarmKernelManager", "Zygote", "imported"]
