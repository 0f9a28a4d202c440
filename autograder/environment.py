"""Make the programs of this Python's environment findable by name, activated or not."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def use_own_programs() -> None:
    """Put this environment's programs first on the PATH of this process and its children.

    nbgrader starts `alembic` by name, and Jupyter its kernels: from an environment that is not
    activated they would not be found, or be another environment's.
    """
    programs = str(Path(sys.executable).parent)
    path = os.environ.get("PATH", "")
    if path.split(os.pathsep)[0] != programs:
        os.environ["PATH"] = os.pathsep.join([programs, path])
