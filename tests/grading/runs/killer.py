"""Grades toy courses for the tests that kill: a process that has imported all, and forks.

Run as `python killer.py`. It reads a line of JSON {"root": ..., "options": ...}, forks a grader for
it, and writes the grader's process id; then "ended" and its exit status. Whatever outlives a grader
becomes its child, so that nothing is lost from sight.
"""

import ctypes
import json
import os
import sys
from pathlib import Path

from rich.console import Console

from autograder.grading import grade

_PR_SET_CHILD_SUBREAPER = 36


def _grade(root: str, options: dict) -> None:
    with Path(root, "log.txt").open("a") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
        try:
            grade("01_toy", root=Path(root), console=Console(file=log), **options)
            os._exit(0)
        except BaseException as error:
            print(repr(error), file=log, flush=True)
            os._exit(1)


def _say(*words) -> None:
    print(*words, flush=True)


def main() -> None:
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)
    for line in sys.stdin:
        child = os.fork()
        if not child:
            _grade(**json.loads(line))
        _say(child)
        _, status = os.waitpid(child, 0)
        _say("ended", os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
