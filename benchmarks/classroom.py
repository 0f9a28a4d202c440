"""How fast a class is graded, beside `nbgrader autograde` on the same submissions.

Run: python benchmarks/classroom.py [SUBMISSIONS] (60 if not said)

The notebook is light: its cells cost about 0.2 seconds of CPU. Both grade it in turn, on two cores,
with the settings of this project's nbgrader_config.py. Time and CPU of all child processes count.
"""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tests" / "classroom"))
import toy  # noqa: E402

CORES = 2
WALL_TARGET, CPU_TARGET = 10.0, 4.0

SETUP = """import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
"""
FIGURE = """figure, axes = plt.subplots()
axes.hist(np.random.default_rng(0).laplace(size=10_000), bins=50)
axes.set_xlabel("noise")
plt.show()"""
TASKS = ("mean", "median", "var", "max")


def notebook(wrong: int) -> nbformat.NotebookNode:
    """Return the class's notebook, with the answer to one task wrong (or none: 4)."""
    cells = [new_code_cell(SETUP, metadata=toy.mark("setup")), new_code_cell(FIGURE)]
    for number, name in enumerate(TASKS):
        body = f"np.{name}(values)" + (" + 1" if number == wrong else "")
        cells.append(
            new_code_cell(
                f"def task_{name}(values):\n    ### BEGIN SOLUTION\n    return {body}\n"
                "    ### END SOLUTION",
                metadata=toy.mark(f"task_{name}", solution=True),
            )
        )
        test = (
            "values = np.random.default_rng().normal(size=50_000)\n"
            f"assert np.isclose(task_{name}(values), pd.Series(values).{name}(), rtol=1e-3)"
        )
        cells.append(new_code_cell(test, metadata=toy.mark(f"task_{name}_test", points=2)))
    kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    made = new_notebook(cells=cells, metadata={"kernelspec": kernel})
    for position, cell in enumerate(made.cells):
        cell.id = f"light-{position}"
    return made


def course(folder: Path, submissions: int) -> Path:
    """Write a course with this many submissions, a fifth of them all right."""
    source = folder / "source" / toy.CHAPTER
    source.mkdir(parents=True)
    nbformat.write(notebook(len(TASKS)), source / f"{toy.CHAPTER}.ipynb")
    shutil.copyfile(ROOT / "nbgrader_config.py", folder / "nbgrader_config.py")
    for number in range(submissions):
        toy.submit(folder, f"student{number:03}", notebook(number % (len(TASKS) + 1)))
    return folder


def spent(arguments: list[str], folder: Path) -> tuple[float, float]:
    """Run a command; return its seconds of wall time and of CPU, of all its processes."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(arguments, cwd=folder, env=toy.activated(), check=True, capture_output=True)
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - start
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def records(folder: Path) -> list:
    """Return every grade in the gradebook, by student and cell."""
    return sqlite3.connect(folder / "gradebook.db").execute(toy.RECORDS).fetchall()


def main() -> None:
    os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[:CORES]))
    submissions = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    program = [sys.executable, "-m"]
    with tempfile.TemporaryDirectory() as name:
        plain = course(Path(name) / "plain", submissions)
        ours = toy.copy(plain, Path(name) / "ours")
        generate = [*program, "nbgrader", "generate_assignment", toy.CHAPTER]
        subprocess.run(generate, cwd=plain, env=toy.activated(), check=True, capture_output=True)
        theirs = spent([*program, "nbgrader", "autograde", toy.CHAPTER], plain)
        our = spent([*program, "autograder", "grade", toy.CHAPTER], ours)
        differ = len(set(records(plain)) ^ set(records(ours)))
    print(f"{submissions} submissions, {CORES} cores: seconds of wall time and of CPU")
    print(f"nbgrader autograde   {theirs[0]:7.1f} {theirs[1]:7.1f}")
    print(f"autograder grade     {our[0]:7.1f} {our[1]:7.1f}  (feedback pages included)")
    wall, cpu = theirs[0] / our[0], theirs[1] / our[1]
    for label, ratio, target in (("wall", wall, WALL_TARGET), ("cpu", cpu, CPU_TARGET)):
        verdict = "ok" if ratio >= target else "short"
        print(f"classroom_{label}_ratio measured={ratio:.1f} target={target:.1f} {verdict}")
    print(f"wall_ratio={wall:.1f} cpu_ratio={cpu:.1f} records_differ={differ}")


if __name__ == "__main__":
    main()
