"""Questions, rubrics and answers as harmless HTML, laid out as on the student's own page."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from autograder.feedback.cells_as_html import output_html
from autograder.feedback.markdown import markdown
from autograder.feedback.page_time import PageTime
from autograder.feedback.pictures import Pictures
from autograder.feedback.student_page import in_order
from autograder.gradebook_io.written_answers import opened
from autograder.marked_cells import grade_id

_SECONDS = 10.0  # of processor time for one text; an ordinary one takes some milliseconds
_LEVEL = 3  # of a text's first heading: the page's own are above it
_ATTACHED = "attachment:"


def text_html(text: str, *, cells: Iterable[NotebookNode] = (), folder: Path | None = None) -> str:
    """Return Markdown as HTML, with the pictures that its cells carry or that lie in the folder.

    Args:
      cells: of the notebook that the text is from, as they are in its file.
      folder: of that notebook; None leaves pictures in files out.
    """
    words, attachments = _with_attachments(text, cells)
    pictures = Pictures(folder)

    def made() -> str:
        return markdown(words, pictures=pictures, attachments=attachments)

    return pictures.shown(in_order(PageTime(_SECONDS).laid_out(made, text), _LEVEL))


def answer_html(text: str, cell: str, path: Path) -> str:
    """Return a student's answer as HTML; code is shown as code, with what it printed and drew.

    Args:
      text: the answer.
      cell: the name of the cell that it is in.
      path: of the graded notebook.
    """
    cells = opened(path).cells
    codes = [each for each in cells if grade_id(each) == cell]
    codes = [each for each in codes if each.cell_type == "code"]
    if not codes:
        return text_html(text, cells=cells, folder=path.parent)
    allowance, made = PageTime(_SECONDS), text_html(_fenced(text))
    for output in (each for code in codes for each in code.get("outputs", [])):
        made += allowance.laid_out(lambda output=output: output_html(output), "")
    return made


def _fenced(code: str) -> str:
    """Return code as a block of Markdown that nothing in it can end."""
    longest = max(map(len, re.findall("`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}python\n{code}\n{fence}"


def _with_attachments(text: str, cells: Iterable[NotebookNode]) -> tuple[str, dict[str, Any]]:
    """Return a text of several cells, and the pictures of each under names of their own.

    JupyterLab calls the first picture of every cell image.png.
    """
    found: dict[str, Any] = {}
    for place, cell in enumerate(cells):
        carried, source = cell.get("attachments"), cell["source"]
        if not isinstance(carried, Mapping) or not source.strip():
            continue
        if source in text:
            text = text.replace(source, source.replace(_ATTACHED, f"{_ATTACHED}{place}-"), 1)
            found |= {f"{place}-{name}": picture for name, picture in carried.items()}
        elif text[:200] in source:  # a long text that was cut
            found |= carried
    return text, found
