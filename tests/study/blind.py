"""Grade answers that strangers wrote: each in its notebook, by the visible and the hidden check.

Run: python -m study.blind FILE.jsonl [--runs 5], with PYTHONPATH=tests. A line of the file has
`exercise` and `code`, the text of a cell. What was found is printed, and kept in build/study/.
"""

import argparse
import contextlib
import io
import json
import os
import select
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

import nbformat
from places import ROOT
from rich.progress import Progress

from autograder.progress.chapters import CHECKED

KEPT = ROOT / "build" / "study"
SECONDS = 240  # a check that takes longer has gone wrong
AT_ONCE = 25  # answers that one process grades


def main() -> None:
    parser = argparse.ArgumentParser(prog="study.blind", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--exercise", action="append", help="only answers to this exercise")
    options = parser.parse_args()
    # Before `autograder.check` is imported: it looks long only where points are given.
    os.environ |= {"NBGRADER_EXECUTION": "autograde", "OPENBLAS_NUM_THREADS": "1"}
    answers = [json.loads(line) for line in options.file.read_text("utf-8").splitlines()]
    if options.exercise:
        answers = [each for each in answers if each["exercise"] in options.exercise]
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / options.file.name).open("w", encoding="utf-8") as kept:
        for each in _judged(answers, options.runs, options.processes):
            print(f"{each['exercise']:28} {each['passed']} of {each['of']} passed  {each['label']}")
            print(json.dumps(each), file=kept, flush=True)


def _judged(answers: list[dict], runs: int, processes: int) -> Iterator[dict]:
    """Yield each answer with how often it passed, and what was said first when it did not."""
    chapters: dict[Path, list[dict]] = {}
    places = _places()
    for answer in answers:
        if answer["exercise"] in places:  # an exercise may be gone since
            chapters.setdefault(places[answer["exercise"]], []).append(answer)
    with ProcessPoolExecutor(processes, get_context("spawn"), max_tasks_per_child=1) as pool:
        shares = [
            pool.submit(_graded, path, share[part : part + AT_ONCE], runs)
            for path, share in chapters.items()
            for part in range(0, len(share), AT_ONCE)
        ]
        with Progress(disable=not sys.stdout.isatty()) as progress:
            for done in progress.track(as_completed(shares), total=len(shares)):
                yield from done.result()


def _places() -> dict[str, Path]:
    """Return each exercise's notebook."""
    return {
        name: path
        for path in sorted((ROOT / "source").glob("*/*.ipynb"))
        for name in CHECKED.findall(path.read_text("utf-8"))
    }


def _graded(path: Path, answers: list[dict], runs: int) -> list[dict]:
    """Return a chapter's answers, each after its runs."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    no_history = Config(HistoryManager={"enabled": False})
    notebook = nbformat.read(path, as_version=4)
    shell = InteractiveShell.instance(colors="NoColor", config=no_history)
    for cell in notebook.cells:
        # An answer may use what other cells have made; what they draw is not looked at.
        if cell.cell_type == "code" and "check." not in cell.source:
            _run(shell, cell.source)
    found = []
    for answer in answers:
        texts = [answer["code"], *_checks(notebook, answer["exercise"])]
        said = [_in_a_fork(shell, texts) for _ in range(runs)]
        wrong = [each for each in said if each]
        found.append(
            {**answer, "passed": runs - len(wrong), "of": runs, "said": wrong[0] if wrong else ""}
        )
    return found


def _checks(notebook: nbformat.NotebookNode, exercise: str) -> list[str]:
    return [
        cell.source
        for cell in notebook.cells
        if cell.metadata.get("nbgrader", {}).get("grade") and f"check.{exercise}(" in cell.source
    ]


def _run(shell, text: str) -> str:
    """Run a cell; return its error in words, or "" if there was none."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        result = shell.run_cell(text, store_history=True)
    error = result.error_before_exec or result.error_in_exec
    return f"{type(error).__name__}: {error}" if error else ""


def _in_a_fork(shell, texts: list[str]) -> str:
    """Run cells in a process of their own; return the first error, or ""."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        said = "the process ended"
        try:
            from autograder.check.chance.replay import reseed

            reseed()
            said = next(filter(None, (_run(shell, text) for text in texts)), "")
        finally:
            os.write(writing, said.encode()[:60_000])
            os._exit(0)
    os.close(writing)
    try:
        return _all_of(reading, child)
    finally:
        os.close(reading)
        os.waitpid(child, 0)


def _all_of(reading: int, child: int) -> str:
    ready, _, _ = select.select([reading], [], [], SECONDS)
    if not ready:
        os.kill(child, signal.SIGKILL)
        return f"more than {SECONDS} seconds"
    return os.read(reading, 65_536).decode(errors="replace")


if __name__ == "__main__":
    main()
