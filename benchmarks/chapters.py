"""CPU seconds to run each chapter's notebook under grading, against a notebook that only imports.

Run as `python benchmarks/chapters.py`. The kernel's own CPU time is measured, start-up included.
"""

from __future__ import annotations

import os
import resource
import subprocess
from pathlib import Path

import nbclient
import nbformat

ROOT = Path(__file__).resolve().parent.parent
IMPORTS = "import numpy, pandas, matplotlib.figure, ipywidgets, scipy.stats"
TARGET = 6.0


def cpu_seconds(notebook: nbformat.NotebookNode) -> float:
    """Return the CPU time of a kernel that runs the whole notebook."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    nbclient.NotebookClient(notebook, timeout=300).execute(stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print the time of each chapter, and its ratio to the imports alone."""
    # As when a class is graded.
    os.environ |= {"NBGRADER_EXECUTION": "autograde", "OPENBLAS_NUM_THREADS": "1"}
    cells = [nbformat.v4.new_code_cell(IMPORTS)]
    alone = cpu_seconds(nbformat.v4.new_notebook(cells=cells))
    print(f"imports alone           {alone:5.2f} s")
    for path in sorted((ROOT / "source").glob("*/*.ipynb")):
        ours = cpu_seconds(nbformat.read(path, as_version=4))
        verdict = "ok" if ours <= TARGET else "short"
        print(f"{path.stem:22}  {ours:5.2f} s, {ours / alone:.1f} times the imports")
        print(f"chapter_{path.stem}_cpu_seconds measured={ours:.2f} target={TARGET:.2f} {verdict}")


if __name__ == "__main__":
    main()
