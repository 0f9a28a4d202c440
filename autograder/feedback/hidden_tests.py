"""Removes hidden tests from a graded notebook, wherever they show."""

import contextlib
import html
import re
from collections.abc import Iterator
from typing import Any

from nbconvert.filters import strip_ansi
from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.preprocessors import ClearHiddenTests
from nbgrader.utils import is_grade, is_locked, is_solution

NOTE = "[left out here: this output shows lines of a hidden test]"

# Shorter lines, like `n = 5`, reveal nothing of a test, and any output may hold them.
_LEAST = 8
# A line that is only a message is meant to be read.
_MESSAGE = re.compile(r"""[bfru]*(["']).*\1[\s,)]*""", re.I)
_PICTURES = ("image/png", "image/jpeg", "image/gif", "application/pdf")


class HideHiddenTests(ClearHiddenTests):
    """Removes hidden tests from a graded notebook: their source, and every output that shows it.

    Such an output is a traceback that quotes a hidden test, or a test's text that a student's cell
    printed. The test's sentence about the answer stays. A student who encodes the text before
    printing gets past this, but gains nothing from tests that draw their numbers at run time.
    """

    def preprocess(self, nb, resources):
        self._removed: set[str] = set()
        nb.metadata.pop("widgets", None)  # may keep outputs, and no page uses it
        nb, resources = super().preprocess(nb, resources)
        secrets = self._removed - _visible(nb)
        secrets |= {_condensed(self.begin_test_delimeter), _condensed(self.end_test_delimeter)}
        for cell in nb.cells:
            if "outputs" in cell:
                cell.outputs = [_without(output, secrets) for output in cell.outputs]
        return nb, resources

    def preprocess_cell(self, cell, resources, cell_index):
        # A student's own cell may contain anything, these marks too.
        if not is_grade(cell) or is_solution(cell):
            return cell, resources
        before = set(_lines(cell.source))
        if self._remove_hidden_test_region(cell):
            self._removed |= before - set(_lines(cell.source))
            cell.source = cell.source.strip() or "# hidden tests"
            for output in cell.get("outputs", []):
                if output.output_type == "error":
                    output.traceback = [_said(output)]
        return cell, resources


def _visible(nb: NotebookNode) -> set[str]:
    """Return the lines of the instructor's cells that everybody may see."""
    return {line for cell in nb.cells if is_locked(cell) for line in _lines(cell.source)}


def _lines(source: str) -> Iterator[str]:
    """Yield the lines that would give a test away, condensed."""
    for line in source.splitlines():
        condensed = _condensed(line)
        if len(condensed) >= _LEAST and not _MESSAGE.fullmatch(line.strip()):
            yield condensed


def _condensed(text: str) -> str:
    """Return `text` without the colours, escapes, quotes and spaces that printing may add."""
    text = strip_ansi(text)
    with contextlib.suppress(ValueError):  # a character's number is too long for Python
        text = html.unescape(text)
    return re.sub(r"""[\s\\"']+""", "", text)


def _without(output: NotebookNode, secrets: set[str]) -> NotebookNode:
    """Return the output, or a harmless one in its place."""
    if not _shows(output, secrets):
        return output
    if output.output_type == "error":
        if not _shows([output.ename, output.evalue], secrets):
            return NotebookNode(output | {"traceback": [_said(output)]})
        return new_output("error", ename="Error", evalue=NOTE, traceback=[NOTE])
    return new_output("stream", name="stdout", text=NOTE)


def _said(error: NotebookNode) -> str:
    """Return an error without its traceback; a check's own sentence needs no name before it."""
    check = error.evalue.startswith(("✗ ", "○ "))
    return error.evalue if check else f"{error.ename}: {error.evalue}"


def _shows(output: Any, secrets: set[str]) -> bool:
    text = _condensed("".join(_texts(output)))
    return any(secret in text for secret in secrets)


def _texts(value: Any) -> Iterator[str]:
    """Yield every text in an output, but not its pictures."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            if key not in _PICTURES or not isinstance(part, str):
                yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)
