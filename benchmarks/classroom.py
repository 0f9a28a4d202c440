"""How fast a class is graded, beside `nbgrader autograde` on the same submissions.

Run: python benchmarks/classroom.py [SUBMISSIONS] [--hostile] (60 if not said)

Both grade in turn on two cores, with the settings of this project's nbgrader_config.py. The time
and the CPU of all their processes count, of those too that outlive their parents.

- A light notebook: its cells cost about 0.1 seconds of CPU. Students' code is contained, its tests
  run apart, and there is no feedback page, for nbgrader makes none. Our time has a step more than
  nbgrader's: it brings the gradebook in step with source/, which nbgrader had done before.
- What one more submission costs, from two sizes of class, beside what its cells alone cost: in
  IPython, in a fork of a process that has imported everything, two at a time.
- Chapter 03 as it is, with all that we do by default: tests apart and feedback pages.

With --hostile, only this: chapter 03, all on, graded by us alone, where three in ten hand in an
attack by quantity of tests/hostile (loops, busy processes, memory, output, dead kernels, in turn);
beside it the same class without those three. No honest record may differ.
"""

from __future__ import annotations

import ctypes
import itertools
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import nbformat
from _figures import CORES, ROOT, figure, on_two_cores
from nbformat.v4 import new_code_cell, new_notebook

sys.path += [str(ROOT / "tests" / room) for room in ("", "grading", "hostile")]
import attacks_load
import toy
from marks import solved

WALL_TARGET, CPU_TARGET, MARGINAL_TARGET, CHAPTER_TARGET = 10.0, 4.0, 1.3, 3.0
HOSTILE_TARGET, HOSTILE = 3.0, {2, 5, 8}  # of ten students, by their last digit
FULL, FIRST_ANSWER = "03_laplace", "laplace_mechanism"
_PR_SET_CHILD_SUBREAPER = 36
_HOSTILE = "--hostile"

SETUP = """import numpy as np
import pandas as pd
import matplotlib.pyplot as plt
"""
FIGURE = """figure, axes = plt.subplots()
axes.hist(np.random.default_rng(0).laplace(size=10_000), bins=50)
axes.set_xlabel("noise")
plt.show()"""
TASKS = ("mean", "median", "var", "max")


@dataclass(frozen=True)
class Spent:
    """Seconds."""

    wall: float
    cpu: float

    def __sub__(self, other: Spent) -> Spent:
        return Spent(self.wall - other.wall, self.cpu - other.cpu)

    def __truediv__(self, count: int) -> Spent:
        return Spent(self.wall / count, self.cpu / count)


def now() -> Spent:
    """Return the time, and the CPU of all processes started from here that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Spent(time.perf_counter(), used.ru_utime + used.ru_stime)


def light(wrong: int) -> nbformat.NotebookNode:
    """Return the light notebook, with the answer to one task wrong (or none: 4)."""
    cells = [new_code_cell(SETUP, metadata=toy.mark("setup")), new_code_cell(FIGURE)]
    for number, name in enumerate(TASKS):
        body = f"np.{name}(values)" + (" + 1" if number == wrong else "")
        cells.append(
            new_code_cell(
                solved(f"def task_{name}(values):", f"return {body}"),
                metadata=toy.mark(f"task_{name}", solution=True),
            )
        )
        test = (
            "values = np.random.default_rng().normal(size=50_000)\n"
            f"assert np.isclose(task_{name}(values), pd.Series(values).{name}(), rtol=1e-3)"
        )
        cells.append(new_code_cell(test, metadata=toy.mark(f"task_{name}_test", points=2)))
    made = new_notebook(cells=cells, metadata={"kernelspec": toy.KERNEL})
    for position, cell in enumerate(made.cells):
        cell.id = f"light-{position}"
    return made


def full() -> nbformat.NotebookNode:
    """Return chapter 03 with every answer right."""
    return nbformat.read(ROOT / "source" / FULL / f"{FULL}.ipynb", as_version=4)


def hostile(code: str) -> nbformat.NotebookNode:
    """Return chapter 03 with every answer right, and this code behind the first."""
    notebook = full()
    for cell in notebook.cells:
        if toy.name(cell) == FIRST_ANSWER:
            cell.source += "\n" + code
    return notebook


def course(folder: Path, chapter: str, source, submissions: list) -> Path:
    """Write a course of one chapter, with what its students handed in; None for nothing."""
    (folder / "source" / chapter).mkdir(parents=True)
    nbformat.write(source, folder / "source" / chapter / f"{chapter}.ipynb")
    shutil.copyfile(ROOT / "nbgrader_config.py", folder / "nbgrader_config.py")
    for number, notebook in enumerate(submissions):
        if notebook is None:
            continue
        path = folder / "submitted" / f"student{number:03}" / chapter / f"{chapter}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(notebook, path)
    return folder


def light_course(folder: Path, submissions: int) -> Path:
    """Write a course with the light notebook."""
    return course(folder, toy.CHAPTER, light(len(TASKS)), light_class(submissions))


def light_class(submissions: int) -> list[nbformat.NotebookNode]:
    """Return what a class hands in: a fifth is all right, the others have one task wrong."""
    return [light(number % (len(TASKS) + 1)) for number in range(submissions)]


def run(arguments: list[str], folder: Path) -> Spent:
    """Run a command; return what all its processes spent."""
    start, environment = now(), toy.activated()
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, check=False
    )
    wall = now() - start
    while True:  # its orphaned children: this process has adopted them
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            break
    if done.returncode:
        raise RuntimeError(done.stderr.decode())
    return Spent(wall.wall, (now() - start).cpu)


def plainly(folder: Path, chapter: str) -> Spent:
    """Grade with plain nbgrader."""
    run(["-m", "nbgrader", "generate_assignment", chapter], folder)
    return run(["-m", "nbgrader", "autograde", chapter], folder)


def ours(folder: Path, chapter: str, **options: bool) -> Spent:
    """Grade with this project's command."""
    program = "from pathlib import Path; from autograder.grading import grade; "
    program += f"grade({chapter!r}, root=Path.cwd(), **{options})"
    return run(["-c", program], folder)


def records(folder: Path) -> set:
    """Return every grade in the gradebook, by student and cell."""
    return set(toy.records(folder))


def cells_alone(submissions: int) -> Spent:
    """Return what the light notebook's cells cost, each time that they run."""
    program = ROOT / "benchmarks" / "parts" / "cells_alone.py"
    cells = [[cell.source for cell in each.cells] for each in light_class(submissions)]
    done = subprocess.run(
        [sys.executable, program, str(CORES)],
        input=json.dumps(cells),
        capture_output=True,
        check=True,
        text=True,
    )
    wall, cpu = map(float, done.stdout.split()[-2:])
    return Spent(wall, cpu) / submissions


def compare(folder: Path, submissions: int) -> None:
    """Grade, and print every figure; the last line has the ratios."""
    plain = light_course(folder / "plain", submissions)
    our = toy.copy(plain, folder / "ours")
    theirs = plainly(plain, toy.CHAPTER)
    bare = {"feedback": False}
    spent = ours(our, toy.CHAPTER, **bare)
    differ = len(records(plain) ^ records(our))
    print(f"{submissions} submissions, {CORES} cores: seconds of wall time and of CPU")
    show("nbgrader autograde", theirs)
    show("autograder grade", spent)
    paged = light_course(folder / "paged", submissions)
    show("  with feedback pages", ours(paged, toy.CHAPTER))
    wall, cpu = theirs.wall / spent.wall, theirs.cpu / spent.cpu
    figure("classroom_wall_ratio", wall, WALL_TARGET, least=True)
    figure("classroom_cpu_ratio", cpu, CPU_TARGET, least=True)
    few = max(4, submissions // 3)
    compare_margin(
        spent, submissions, ours(light_course(folder / "few", few), toy.CHAPTER, **bare), few
    )
    differ += compare_chapter(folder, submissions)
    print(f"wall_ratio={wall:.1f} cpu_ratio={cpu:.1f} records_differ={differ}")


def compare_hostile(folder: Path, submissions: int) -> None:
    """Print what a class takes with the hostile among it, and without them."""
    codes = itertools.cycle(attack.code for attack in attacks_load.ATTACKS if attack.code)
    honest = [None if number % 10 in HOSTILE else full() for number in range(submissions)]
    attacked = [each or hostile(next(codes)) for each in honest]
    calm = course(folder / "calm", FULL, full(), honest)
    wild = course(folder / "wild", FULL, full(), attacked)
    without, among = ours(calm, FULL), ours(wild, FULL)
    print(f"{FULL}, all on: seconds of wall time and of CPU")
    show(f"{sum(map(bool, honest))} honest students", without)
    show(f"{submissions}, three in ten hostile", among)
    figure("classroom_hostile_wall_ratio", among.wall / without.wall, HOSTILE_TARGET)
    names = {f"student{number:03}" for number, each in enumerate(honest) if each}
    kept = {record for record in records(wild) if record[0] in names}
    print(f"honest_records_differ={len(kept ^ records(calm))}")


def compare_margin(many: Spent, submissions: int, few: Spent, less: int) -> None:
    """Print what one more submission costs, beside its cells alone."""
    margin, alone = (many - few) / (submissions - less), cells_alone(submissions)
    print("one more submission: seconds of wall time and of CPU")
    show("autograder grade", margin)
    show("its cells alone", alone)
    figure("classroom_marginal_wall_ratio", margin.wall / alone.wall, MARGINAL_TARGET)
    figure("classroom_marginal_cpu_ratio", margin.cpu / alone.cpu, MARGINAL_TARGET)


def compare_chapter(folder: Path, submissions: int) -> int:
    """Print the figures of chapter 03, all on; return how many records differ."""
    plain = course(folder / "plain_full", FULL, full(), [full()] * submissions)
    our = toy.copy(plain, folder / "ours_full")
    theirs, spent = plainly(plain, FULL), ours(our, FULL)
    print(f"{FULL}, {submissions} submissions, all on: seconds of wall time and of CPU")
    show("nbgrader autograde", theirs)
    show("autograder grade", spent)
    figure("classroom_chapter_wall_ratio", theirs.wall / spent.wall, CHAPTER_TARGET, least=True)
    print(f"chapter_cpu_ratio {theirs.cpu / spent.cpu:.1f}")
    return len(records(plain) ^ records(our))


def show(label: str, spent: Spent) -> None:
    print(f"{label:24}{spent.wall:9.3f}{spent.cpu:9.3f}")


def begin() -> None:
    """Run on two cores, and count the CPU of processes too that outlive their parents."""
    on_two_cores()
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def main() -> None:
    begin()
    numbers = [int(argument) for argument in sys.argv[1:] if argument.isdigit()]
    measure = compare_hostile if _HOSTILE in sys.argv else compare
    with tempfile.TemporaryDirectory() as name:
        measure(Path(name), *(numbers or [60]))


if __name__ == "__main__":
    main()
