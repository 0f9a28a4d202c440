"""Reads the sentences of test cells from a graded notebook's file. Nothing is executed.

A student may have made the file say anything: every part of it is taken as text, cut, or left out.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import nbformat

from autograder.graded_notebook import marks, stopped
from autograder.graded_notebook.own_cells import is_as_given, is_read
from autograder.graded_notebook.sentences import (
    NO_ANSWER,
    UNANSWERED,
    UNJUDGED,
    errors_of,
    failure_of,
    text_of,
)
from autograder.marked_cells import grade_id, mark_on
from autograder.printable import cut

# Without how many draws there were, which is new in each run.
_OPEN = re.compile(rf"[(;] ?({UNJUDGED}: .*?)(?:; [\d,]+ draws? in .*)?$")
_MEASURED = re.compile(r"\b\d+(\.\d+)? ×")  # "the spread is 1.32 × what it must be": new each time
# Words that come with a number, or with an edge, of one run.
_DRAWN = (
    (re.compile(r"^(no answer is (?:below|above)) \S+$"), r"\1 …"),
    (re.compile(r"^[\d,]+ of [\d,]+ entries do not"), "some entries do not"),
    (re.compile(r" at an edge \(.*\)$"), " at an edge"),
)
HEADLINE, TEXT, LINES = 160, 1_500, 15  # characters, characters, lines


@dataclass(frozen=True)
class Said:
    """One sentence of a test cell about one student's answer.

    Attributes:
      kind: "failure" for a check's own sentence, "error" for any other error, "unjudged" for an
        answer that was not judged to the end, whether it has its points or not.
      headline: what is wrong in a few words, without numbers that change from run to run.
      text: all of it.
    """

    cell: str
    kind: Literal["failure", "error", "unjudged"]
    exercise: str
    headline: str
    text: str


class Graded:
    """A notebook below autograded/.

    Attributes:
      said: its test cells' sentences, in order.
      notes: what was noted when it was executed.
      fingerprint: the submission's, if this grader graded it.
      checks: the version of the checks that judged it, if this grader graded it.
      order: the names of its graded cells, from top to bottom.
      notebook: all of it.
    """

    def __init__(self, notebook: nbformat.NotebookNode, prefix: str, exercises: Mapping[str, str]):
        tests = [cell for cell in notebook.cells if mark_on(cell).get("grade")]
        self.order = [prefix + str(mark_on(cell).get("grade_id")) for cell in tests]
        self.notebook, mark = notebook, marks.read(notebook)
        self.notes = marks.noted(notebook)
        self.fingerprint = mark.get("submitted_sha256")
        self.checks = str(mark["checks"]) if mark.get("checks") else None
        why = stopped.answers(notebook)
        self.said = [
            said
            for name, cell in zip(self.order, tests, strict=True)
            if cell.cell_type == "code" and not mark_on(cell).get("solution")
            for said in _said(name, exercises.get(name, name), cell, why)
        ]
        beside = marks.beside(notebook)
        self.said += [
            _make(name, "failure", exercises.get(name, name), UNANSWERED, NO_ANSWER)
            for name, cell in zip(self.order, tests, strict=True)
            if _is_unanswered(cell) and mark_on(cell).get("grade_id") not in beside
        ]


def _is_unanswered(cell: nbformat.NotebookNode) -> bool:
    """Tell whether an answer that a person reads was left as it was."""
    whole = nbformat.from_dict({**cell, "source": text_of(cell.source)})  # a file holds lines
    return is_read(whole) and is_as_given(whole)


def read(path: Path, *, prefix: str, exercises: Mapping[str, str]) -> Graded:
    """Read one notebook.

    Args:
      prefix: put before the names of its cells.
      exercises: the exercise of each test cell.

    Raises:
      ValueError: it is not a notebook.
    """
    try:
        return Graded(nbformat.from_dict(json.loads(path.read_bytes())), prefix, exercises)
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ValueError(f"{path} cannot be read") from error


def unjudged(notebook: nbformat.NotebookNode) -> list[str]:
    """Return the test cells, by name, whose answer was not judged to the end."""
    said = Graded(notebook, "", {}).said
    return list(dict.fromkeys(each.cell for each in said if each.kind == "unjudged"))


def _said(
    name: str, exercise: str, cell: nbformat.NotebookNode, why: Mapping[str, str]
) -> Iterator[Said]:
    """Yield the error of a test cell, if it has one, and the passes that are not to the end.

    Args:
      why: by grade_id of a test, why its answer's cell stopped.
    """
    failure, errors = failure_of(cell), errors_of(cell)
    if failure and failure.problem == UNJUDGED:
        yield _make(name, "unjudged", failure.exercise, UNJUDGED, failure.text)
    elif failure:
        headline = _headline(failure.problem[:TEXT])
        yield _make(name, "failure", failure.exercise, headline, failure.text)
    elif errors:
        words = why.get(grade_id(cell)) or stopped.in_words(errors, TEXT, LINES)
        yield _make(name, "failure" if words == UNANSWERED else "error", exercise, words, words)
    for line in _passes(cell):
        found = _OPEN.search(line)
        if found:
            yield _make(name, "unjudged", exercise, found[1].rstrip(")"), line)


def _headline(problem: str) -> str:
    """Return a problem without what differs from run to run: a class meets it as one."""
    said = _MEASURED.sub("… ×", problem)
    for pattern, words in _DRAWN:
        said = pattern.sub(words, said)
    # Where two mistakes are named, neither is certain.
    return said if ", or " in said else said.removeprefix("it looks as if ")


def _make(name: str, kind: str, exercise: str, headline: str, text: str) -> Said:
    return Said(
        name, kind, cut(exercise, HEADLINE), cut(headline, HEADLINE), cut(text, TEXT, LINES)
    )


def _passes(cell: nbformat.NotebookNode) -> Iterator[str]:
    """Yield the sentences of a cell's checks that passed: each in one line, from its sign on."""
    for text in _shown(cell):
        for line in text.splitlines():
            _, sign, words = line.partition("✓ ")
            if sign:
                yield sign + words


def _shown(cell: nbformat.NotebookNode) -> list[str]:
    """Return the texts that a cell shows, each cut: a pass has few words."""
    outputs = cell.get("outputs", [])
    texts = [output.get("text") for output in outputs if output.output_type == "stream"]
    texts += [output.get("data", {}).get("text/plain") for output in outputs]
    return [text_of(text)[:100_000] for text in texts]
