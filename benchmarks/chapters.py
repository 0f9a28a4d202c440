"""CPU seconds of each chapter: a student's Run All, and the hidden looks when it is graded.

Run as `python benchmarks/chapters.py [NN ...]`. A student runs every cell but the hidden checks:
the kernel's own CPU time is measured, start-up included. Just before and just after it a notebook
is measured that only imports, for the speed of a machine can change within minutes.
"""

import os
import resource
import subprocess
import sys

import nbclient
import nbformat
from _figures import ROOT, figure
from nbformat import NotebookNode

IMPORTS = "import numpy, pandas, matplotlib.figure, ipywidgets, scipy.stats"
# In times the imports: 6 seconds and 3 seconds where they take 2.
TARGET = 3.0
HIDDEN_LOOK = 1.5  # what one hidden check may take on average
# The clock stands around the check, in the cell itself: the chapter's other cells are not counted.
TIMED = "import time; began = time.process_time()\n{}\nprint('hidden', time.process_time() - began)"


def is_hidden(cell: NotebookNode) -> bool:
    """Say whether students do not get what is in this cell."""
    return cell.cell_type == "code" and "### BEGIN HIDDEN TESTS" in cell.source


def run(notebook: NotebookNode, **environment: str) -> NotebookNode:
    """Run the notebook in a kernel of its own."""
    client = nbclient.NotebookClient(notebook, timeout=300)
    return client.execute(stderr=subprocess.DEVNULL, env=os.environ | environment)


def cpu_seconds(cells: list[NotebookNode]) -> float:
    """Return the CPU time of a kernel that runs these cells as a student's does."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(nbformat.v4.new_notebook(cells=cells))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def hidden_seconds(notebook: NotebookNode) -> list[float]:
    """Return the CPU time of each hidden look when the whole notebook is graded."""
    hidden = [cell for cell in notebook.cells if is_hidden(cell)]
    for cell in hidden:
        cell.source = TIMED.format(cell.source)
    run(notebook, NBGRADER_EXECUTION="autograde")
    printed = ["".join(out.get("text", "") for out in cell.outputs) for cell in hidden]
    return [float(text.split()[-1]) for text in printed]


def main(chapters: list[str]) -> None:
    """Print both figures of each chapter."""
    os.environ.pop("NBGRADER_EXECUTION", None)
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    importing = [nbformat.v4.new_code_cell(IMPORTS)]
    cpu_seconds(importing)  # so that all files have been read once
    before = cpu_seconds(importing)
    for path in sorted((ROOT / "source").glob("*/*.ipynb")):
        if chapters and path.stem[:2] not in chapters:
            continue
        notebook = nbformat.read(path, as_version=4)
        ours = cpu_seconds([cell for cell in notebook.cells if not is_hidden(cell)])
        after = cpu_seconds(importing)
        alone, before = (before + after) / 2, after
        print(f"{path.stem:24}  {ours:5.2f} s; the imports alone {alone:.2f} s")
        figure(f"chapter_{path.stem}_in_imports", ours / alone, TARGET)
        if looks := hidden_seconds(notebook):
            mean, longest = sum(looks) / len(looks), max(looks)
            print(f"{'':24}  {mean:5.2f} s a hidden look of {len(looks)}, {longest:.2f} s at most")
            figure(f"chapter_{path.stem}_hidden_in_imports", mean / alone, HIDDEN_LOOK)


if __name__ == "__main__":
    main(sys.argv[1:])
