"""Notebook kernels, forked from one process that has imported the libraries.

nbclient sees an ordinary kernel manager. In the grader run `manager.py`, `process.py`, and
`messages.py`, which refuses forged messages. In the zygote (the process that forks) and its
children run `zygote.py`, `kernel.py` and `session.py`. Both sides use `pipe.py` to send messages
and `output.py` to count them. `autograder.sandbox` contains the children.
"""

from autograder.kernels.manager import WarmKernelManager
from autograder.kernels.modules import given_cells, imported
from autograder.kernels.process import Zygote
from autograder.sandbox.limits import Limits

__all__ = ["Limits", "WarmKernelManager", "Zygote", "given_cells", "imported"]
