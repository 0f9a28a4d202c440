"""Kernels that are warm before they are needed: forked from one process that has imported all.

`zygote.py` runs in that process and in its children, `manager.py` in the grader; `pipe.py` is what
they say to each other. To nbclient it is a kernel manager like any other.
"""

from autograder.classroom.warm.manager import WarmKernelManager, Zygote
from autograder.classroom.warm.modules import imported

__all__ = ["WarmKernelManager", "Zygote", "imported"]
