"""Why a cell stopped, in words: a test's own error, or that of the answer that a test misses."""

import re
from collections.abc import Sequence

from nbformat import NotebookNode

from autograder.execution.execute import DIED, NOT_RUN, TIMED_OUT
from autograder.graded_notebook.sentences import UNANSWERED, errors_of, exercise_of, text_of
from autograder.marked_cells import by_name, mark_on
from autograder.printable import cut

_LATE = "{} ran out of time: does a loop never end?"
_WHY = {
    TIMED_OUT: _LATE,
    "KeyboardInterrupt": _LATE,
    "MemoryError": "{} needed more memory than it may have: is a list larger than you meant?",
    DIED: "Python ended while {} ran",
    "NotImplementedError": UNANSWERED,
}
_ANSWER = "your answer's cell"
_UNDEFINED = re.compile(r"name '(\w{1,200})' is not defined")
# After its message, an error of syntax names a file that is none, and the line in its cell.
_SYNTAX = re.compile(r"(.*) \([^()]*, (line \d{1,9})\)", re.S)


def in_words(errors: Sequence[NotebookNode], characters: int = 300, lines: int = 3) -> str:
    """Return why a cell with errors stopped; an error's own words are cut to so much."""
    return _known(errors, "it") or _said(errors[-1], characters, lines)


def _known(errors: Sequence[NotebookNode], cell: str) -> str:
    """Return a cause in this course's words, with the cell called so; "" for any other."""
    names = [text_of(error.get("ename")) for error in errors]
    return next((_WHY[name] for name in names if name in _WHY), "").format(cell)


def _said(error: NotebookNode, characters: int, lines: int) -> str:
    name, value = text_of(error.get("ename")), text_of(error.get("evalue"))
    value = cut(value, characters, lines) if value.strip() else ""
    if name in (NOT_RUN, "AssertionError") and value:
        return value
    syntax = _SYNTAX.fullmatch(value)
    if syntax:
        name, value = f"{name} in {syntax[2]}", syntax[1]
    return f"{name}: {value}" if value else name


def answers(notebook: NotebookNode) -> dict[str, str]:
    """Return by name of a test why its answer's cell stopped: the test misses what that makes."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    made = by_name(cell for cell in code if mark_on(cell).get("solution"))
    tests = by_name(cell for cell in code if mark_on(cell).get("grade"))
    found = {}
    for test, cell in tests.items():
        missed = _missed(cell)
        own = exercise_of(test, made)
        near = {own: made[own]} if own in made else made  # in other courses names say nothing
        for answer, each in near.items() if missed else ():
            errors = errors_of(each)
            if errors and _is_made(missed, answer, each):
                found[test] = _of_answer(errors)
    return found


def _missed(test: NotebookNode) -> str:
    """Return the name that a test looked for in vain, or nothing."""
    errors = errors_of(test)
    last = errors[-1] if errors else {}
    found = _UNDEFINED.match(text_of(last.get("evalue")))
    return found[1] if found and last.get("ename") == "NameError" else ""


def _is_made(name: str, answer: str, cell: NotebookNode) -> bool:
    """Tell whether an answer's cell would have made this name, had it come to its end."""
    makes = rf"\b(?:def|class)\s+{name}\b|^{name}\s*="
    source = text_of(cell.get("source"))
    return _plain(name) == _plain(answer) or bool(re.search(makes, source, re.M))


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _of_answer(errors: Sequence[NotebookNode]) -> str:
    return _known(errors, _ANSWER) or f"{_ANSWER} stopped: {_said(errors[-1], 300, 3)}"
