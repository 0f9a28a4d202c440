"""Open JupyterLab on the release chapters."""

import os
import sys
from pathlib import Path

from autograder.authoring.student.start import open_lab


def run(root: Path, arguments: list[str]) -> int:
    """Start JupyterLab on root/release until it is closed; return its exit status.

    Args:
      root: the course's folder.
      arguments: more options for JupyterLab, for example ["--no-browser"].
    """
    release = root / "release"
    if not release.is_dir():
        print(f"{release} is missing: run `autograder build` first", file=sys.stderr)
        return 1
    # JupyterLab refuses to start for root unless it is told twice; containers have only root.
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        arguments = ["--allow-root", *arguments]
    # nbgrader's panels start programs by name, so the environment's programs must be on the path.
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    print(f"Opening JupyterLab on {release}. Close it with Ctrl+C.", flush=True)
    return open_lab(release.resolve(), arguments, {**os.environ, "PATH": programs})
