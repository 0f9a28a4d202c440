"""Kernels that are warm before they are needed: forked from one process that has imported all.

To nbclient it is a kernel manager like any other. In the grader: `manager.py`, `process.py`, and
`messages.py`, which takes nothing from a kernel that no kernel sends. In the process and its
children: `zygote.py`, `kernel.py` and `session.py`. Both sides speak by `pipe.py`, and count with
`output.py`. What keeps a child from all else: `sandbox.py`, with `root.py`, `files.py`,
`seccomp.py`, `system.py` and `variables.py`; `trial.py` says whether that works here.
"""

from autograder.classroom.warm.limits import Limits
from autograder.classroom.warm.manager import WarmKernelManager
from autograder.classroom.warm.modules import imported
from autograder.classroom.warm.process import Zygote

__all__ = ["Limits", "WarmKernelManager", "Zygote", "imported"]
