"""Kernels that are warm before they are needed: forked from one process that has imported all.

To nbclient it is a kernel manager like any other. In the grader: `manager.py`, `process.py`, and
`messages.py`, which takes nothing from a kernel that no kernel sends. In the process and its
children: `zygote.py`, `kernel.py` and `session.py`. Both sides speak by `pipe.py`, and count with
`output.py`. What keeps a child from all else is `autograder.sandbox`.
"""

from autograder.kernels.manager import WarmKernelManager
from autograder.kernels.modules import imported
from autograder.kernels.process import Zygote
from autograder.sandbox.limits import Limits

__all__ = ["Limits", "WarmKernelManager", "Zygote", "imported"]
