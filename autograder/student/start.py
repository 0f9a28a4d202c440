"""Open the workbook in JupyterLab: `python start.py`. Other options go to JupyterLab."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
NEEDED = ("jupyterlab", "nbgrader", "numpy", "pandas", "scipy", "matplotlib", "ipywidgets")


def main(arguments: list[str]) -> int:
    """Start JupyterLab on the chapters until it is closed; return its exit status."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        print(f"Not installed here: {', '.join(missing)}. README.md says how to begin.")
        return 1
    chapters = HERE / "chapters"
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={chapters}"]
    if (chapters / "00_start").is_dir():
        command.append("--LabApp.default_url=/lab/tree/00_start/00_start.ipynb")
    print("Opening JupyterLab in your browser. Close it with Ctrl+C, here.", flush=True)
    try:
        return subprocess.call([*command, *arguments], env=environment())
    except KeyboardInterrupt:
        return 0


def environment() -> dict[str, str]:
    """Return the variables with which JupyterLab finds this folder's library and settings."""
    first = {
        "PYTHONPATH": HERE,  # the library beside these chapters, whatever is installed
        "JUPYTER_CONFIG_PATH": HERE / "jupyter",  # without the panels that only teachers need
        "PATH": Path(sys.executable).parent,  # nbgrader starts programs by name
    }
    return os.environ | {
        name: os.pathsep.join(filter(None, [str(folder), os.environ.get(name, "")]))
        for name, folder in first.items()
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
