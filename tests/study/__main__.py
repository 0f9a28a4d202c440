"""Run the study; when it is whole, write docs/how-sure-are-the-checks.md and the long tables.

Each finished task is a line in build/study/tasks.jsonl, with the version that it is of: that of the
checks, or of `ville` alone where only its evidence is at work. A task that has its line is not run
again, unless what it asks about has changed. The long tables go to build/study/, where `make site`
finds them.
"""

import argparse
import json
import math
import os
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

from places import ROOT
from rich.progress import Progress
from wrong_answers import ZOO

from autograder.version import version
from study.report import missing, page, shortcomings, tables
from study.tasks import Task, all_tasks, done

KEPT = ROOT / "build" / "study" / "tasks.jsonl"
TABLES = KEPT.with_name("by_exercise.md")
PAGE = ROOT / "docs" / "how-sure-are-the-checks.md"


def main() -> int:
    parser = argparse.ArgumentParser(prog="study", description=__doc__)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--kind", action="append", help="only tasks of this kind")
    parser.add_argument("--leave-out", action="append", default=[], help="a chapter, as 03_laplace")
    parser.add_argument("--minutes", type=float, help="begin no new task after so many")
    parser.add_argument(
        "--write", action="store_true", help="the page, with the parts that are done"
    )
    options = parser.parse_args()
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    kept = _kept()
    wanted = [
        task
        for task in all_tasks()
        if (not options.kind or task.kind in options.kind)
        and ZOO.chapter.get(task.name) not in options.leave_out
    ]
    left = [task for task in wanted if task.key not in kept]
    print(f"{len(wanted)} tasks, {len(wanted) - len(left)} of them done before.")
    # Quick and slow ones in turn: the time that is left can then be told.
    random.shuffle(left)
    with KEPT.open("a", encoding="utf-8") as file:
        _run(left, options.processes, file, options.minutes)
    return _conclude(_kept(), write=options.write)


def _conclude(kept: dict[str, dict], *, write: bool = False) -> int:
    """Write the pages if every task is done, or if `write`; return the exit status."""
    tasks = all_tasks()
    found = [kept[task.key] for task in tasks if task.key in kept]
    text = page(found, version(), missing(tasks, kept))
    print(text)
    if (left := len(tasks) - len(found)) and not write:
        print(f"{left} tasks are left: nothing was written. Run the command again.")
        return 0
    PAGE.write_text(text, "utf-8")
    TABLES.write_text(tables(found, version()), "utf-8")
    return bool(shortcomings(found))


def _run(tasks: list[Task], processes: int, file, minutes: float | None = None) -> None:
    """Do the tasks, and keep each as soon as it is done; after some minutes begin no new one."""
    until = math.inf if minutes is None else time.monotonic() + 60 * minutes
    with ProcessPoolExecutor(processes) as pool, Progress() as progress:
        bar = progress.add_task("the study", total=len(tasks))
        for future in as_completed([pool.submit(_in_time, task, until) for task in tasks]):
            if record := future.result():
                file.write(json.dumps({**record, "version": _version(record["kind"])}) + "\n")
                file.flush()
            progress.advance(bar)


def _version(kind: str) -> str:
    return version("ville") if kind == "null" else version()


def _in_time(task: Task, until: float) -> dict | None:
    return done(task) if time.monotonic() < until else None


def _kept() -> dict[str, dict]:
    """Return what these checks were found to do, by task. A line that was cut off is left out."""
    if not KEPT.exists():
        return {}
    found = {}
    for line in KEPT.read_text("utf-8").splitlines():
        try:
            record = json.loads(line)
        except json.JSONDecodeError:
            continue
        if record.get("version") == _version(record["kind"]):
            found[record["key"]] = record
    return found


if __name__ == "__main__":
    sys.exit(main())
