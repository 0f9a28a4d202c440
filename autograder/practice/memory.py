"""What a reader missed, kept beside the notebook, so that it comes back sooner."""

import contextlib
import json
import os
from pathlib import Path

from autograder.practice.task_plan import Plan

FILE = ".practice.json"  # begins with a dot: git and nbgrader leave it out
_MOST = 4  # a part that was missed more often counts as missed so often
_RISE = 3  # after so many passed tasks of a level the next one comes
_LAST_LEVEL = 6


class Memory:
    """The parts that were missed, and the levels that were passed.

    Where no file can be written, it lasts as long as the notebook's session.
    """

    def __init__(self, folder: Path | None = None):
        """Read the file in a folder, by default the present one."""
        self._path = (folder or Path.cwd()) / FILE
        self.missed: dict[str, int] = {}
        self.passed: dict[str, int] = {}
        with contextlib.suppress(OSError, ValueError, AttributeError, TypeError):
            found = json.loads(self._path.read_text("utf-8"))
            self.missed, self.passed = _counts(found.get("missed")), _counts(found.get("passed"))

    def level(self) -> int:
        """Return the level of the next task: one more after three passed tasks of a level."""
        done = [level for level in range(1, _LAST_LEVEL) if self.passed.get(str(level), 0) >= _RISE]
        return max(done, default=0) + 1

    def weight(self, plan: Plan) -> int:
        """Return how much of a plan was missed before."""
        return sum(self.missed.get(part, 0) for part in parts_of(plan))

    def miss(self, part: str) -> None:
        """Note that a part was misunderstood."""
        self.missed[part] = min(self.missed.get(part, 0) + 1, _MOST)
        self._save()

    def passes(self, plan: Plan) -> None:
        """Note that a task was answered: each of its parts is missed once less."""
        self.passed[str(plan.level)] = self.passed.get(str(plan.level), 0) + 1
        for part in parts_of(plan):
            if self.missed.get(part, 0) > 0:
                self.missed[part] -= 1
        self._save()

    def _save(self) -> None:
        if "NBGRADER_EXECUTION" in os.environ:  # a grader's run is nobody's practice
            return
        with contextlib.suppress(OSError):
            text = json.dumps({"missed": self.missed, "passed": self.passed})
            self._path.write_text(text + "\n", "utf-8")


def _counts(found: object) -> dict[str, int]:
    pairs = found.items() if isinstance(found, dict) else ()
    return {str(name): int(count) for name, count in pairs}


def parts_of(plan: Plan) -> list[str]:
    """Return the parts of a plan that can be misunderstood, as mistakes name them."""
    there = {
        "condition": plan.condition is not None,
        "bounds": bool(plan.bounds),
        "relation": plan.question != "answer",
        "rows": plan.rows_each > 1,
        "split": plan.split != ("whole",),
        "noise": True,
        "after": plan.after != "none",
    }
    return [part for part, is_there in there.items() if is_there]
