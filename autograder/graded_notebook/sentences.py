"""The sentences of test cells: their parts, and the answer that they are about.

A student may have made an output say anything: the parts are text, and may be long.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from nbformat import NotebookNode

# How a check begins; each further part begins with two spaces, its own lines with four.
_FAILURE = re.compile(r"[✗○] ([^:\n]+): ([^\n]+)")
# A check's words for an answer that it could not look at for long enough.
UNJUDGED = "not judged to the end"
# A check's headline for `raise NotImplementedError`. It is not counted as a mistake.
UNANSWERED = "not answered yet"
NO_ANSWER = "no answer was given"  # in words, to what a person reads
_ASK = "Try: "
_LONGEST = 20_000  # characters; no check says so much


@dataclass(frozen=True)
class Failure:
    """A failed check.

    Attributes:
      exercise: the function that was checked.
      problem: what is wrong in a few words, without numbers that change from run to run.
      details: the sentences after it: the result, and how sure the check is.
      ask: the question that leads on, or "".
      text: all of it.
    """

    exercise: str
    problem: str
    details: tuple[str, ...]
    ask: str
    text: str


def failure_of(cell: NotebookNode) -> Failure | None:
    """Return the failed check of a test cell, if there is one."""
    for error in errors_of(cell):
        text = text_of(error.get("evalue"))
        found = _FAILURE.match(text)
        if found:
            parts = re.split(r"\n  (?! )", text[found.end() : _LONGEST])
            parts = [" ".join(part.split()) for part in parts if part.strip()]
            asked = [part.removeprefix(_ASK) for part in parts if part.startswith(_ASK)]
            details = tuple(part for part in parts if not part.startswith(_ASK))
            return Failure(found[1], found[2], details, " ".join(asked), text)
    return None


def errors_of(cell: NotebookNode) -> list[NotebookNode]:
    """Return the errors among a cell's outputs."""
    return [output for output in cell.get("outputs", []) if output.output_type == "error"]


def text_of(value: Any) -> str:
    """Return text that a notebook file may keep as one string or as a list of lines."""
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


def exercise_of(grade_id: str, answers: Iterable[str]) -> str:
    """Return the answer whose name begins the cell's name: half_hidden tests half."""
    fitting = [name for name in answers if f"{grade_id}_".startswith(f"{name}_")]
    return max(fitting, key=len, default=grade_id)
