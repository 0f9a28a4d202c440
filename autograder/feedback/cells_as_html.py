"""The cells of a graded notebook and their outputs as HTML."""

import base64
import functools
import re
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup
from nbconvert.filters import Highlight2HTML, ansi2html, strip_ansi
from nbformat import NotebookNode
from nbgrader.utils import is_solution, is_task

from autograder.feedback.machine import without_paths, without_pip
from autograder.feedback.markdown import clean, formula, markdown
from autograder.feedback.page_time import PageTime
from autograder.feedback.pictures import Pictures
from autograder.feedback.pieces import piece
from autograder.graded_notebook.sentences import text_of
from autograder.marked_cells import gives_points, mark_on
from autograder.printable import cut

_CHARACTERS, _LINES = 20_000, 400  # of one output
_SHOWN, _FEW = 20, 10  # lines of an output that are shown at once; a few more are shown too
_PICTURES = ("image/svg+xml", "image/png", "image/jpeg", "image/gif")


def words(name: Any) -> str:
    """Return a name from code as words."""
    return cut(str(name), 200).replace("_", " ")


def points(score: float | None, most: float | None) -> str:
    """Return "2 of 4 points"."""
    unit = "point" if most == 1 else "points"
    return f"{score or 0:.4g} of {most or 0:g} {unit}"


def comment_of(mark: Mapping) -> str | None:
    """Return what a person wrote beside a cell; of work that was handed in anew since, with that.

    Points that wait although a person gave some were given to the work before.
    """
    text = mark.get("comment")
    before = text and mark.get("waits") and mark.get("by_hand")
    return f"*About the work before:* {text}" if before else text


def cell_html(cell: NotebookNode, place: str, pictures: Pictures, allowance: PageTime) -> str:
    """Return one cell with its outputs; `place` is its address in the page."""
    mark = mark_on(cell)
    graded = is_solution(cell) or gives_points(cell)
    body = allowance.laid_out(lambda: _source(cell, pictures), cell.source)
    for output in cell.get("outputs", []):
        body += allowance.laid_out(functools.partial(output_html, output), _plain_text(output))
    what, score = _head(cell, mark) if graded else ("", "")
    said = comment_of(mark)
    comment = Markup(markdown(said)) if said else ""
    name = words(mark.get("grade_id"))
    return piece("cell", place, graded, name, what, score, Markup(body), comment)


def _source(cell: NotebookNode, pictures: Pictures) -> str:
    if cell.cell_type == "markdown":
        attachments = cell.get("attachments") or {}
        made = markdown(cell.source, pictures=pictures, attachments=attachments)
        return piece("text", Markup(made))
    if cell.cell_type == "code":
        return _code(cell.source) if cell.source.strip() else ""
    return _text(cell.source)


def _head(cell: NotebookNode, mark: dict) -> tuple[str, str]:
    """Return the heading of an answered or graded cell: its kind and its points."""
    what = "Task" if is_task(cell) else "Test"
    what = "Your answer" if is_solution(cell) else what
    if not gives_points(cell):
        return what, ""
    waits = mark.get("waits") and not mark.get("score")
    score = points(mark.get("score"), mark.get("points"))
    return what, "waits for a person" if waits else score


@functools.lru_cache(1024)
def _code(source: str) -> str:
    made = Highlight2HTML(pygments_lexer="ipython3")(cut(source, 10 * _CHARACTERS, 5_000))
    return piece("source", Markup(made.replace("<pre>", '<pre tabindex="0">')))


def output_html(output: NotebookNode) -> str:
    """Return one output as HTML, in the richest form that a page can show."""
    if output.output_type == "stream":
        return _folded(output.text, "problem" if output.name == "stderr" else "")
    if output.output_type == "error":
        return _text("\n".join(output.traceback), "problem")
    shown = picture(output) or _data(output.get("data", {}))
    return piece("output", Markup(shown)) if shown else ""


def _data(data: dict[str, Any]) -> str:
    """Return the richest kind of text in an output's data."""
    if isinstance(data.get("text/html"), str):
        return piece("wide", Markup(clean(data["text/html"])))
    if isinstance(data.get("text/markdown"), str):
        return piece("text", Markup(markdown(data["text/markdown"])))
    if isinstance(data.get("text/latex"), str):
        return _latex(data["text/latex"])
    return _folded(data["text/plain"]) if isinstance(data.get("text/plain"), str) else ""


def _latex(source: str) -> str:
    source = source.strip()
    for mark in ("$$", "$"):
        if source.startswith(mark) and source.endswith(mark):
            return formula(source.removeprefix(mark).removesuffix(mark), block=True)
    return formula(source, block=True)


def _text(text: str, kind: str = "") -> str:
    if not text.strip():
        return ""
    return piece("printed", Markup(ansi2html(_short(without_paths(text)))), kind)


def _folded(text: str, kind: str = "") -> str:
    """Return what a cell printed; all but the beginning of a long text is folded."""
    rows = _short(without_paths(without_pip(text))).split("\n")
    if len(rows) <= _SHOWN + _FEW:
        return _text("\n".join(rows), kind)
    first, rest = ("\n".join(part) for part in (rows[:_SHOWN], rows[_SHOWN:]))
    more = piece("folded", Markup(ansi2html(rest)), kind, len(rows) - _SHOWN)
    return piece("printed", Markup(ansi2html(first)), kind) + more


def _plain_text(output: NotebookNode) -> str:
    """Return an output's plain text, shown if nothing richer can be made."""
    text = output.get("text") or output.get("data", {}).get("text/plain") or output.get("evalue")
    return strip_ansi(text_of(text)[:_CHARACTERS])


def _short(text: str) -> str:
    """Return text with its colours, shortened to fit a page."""
    lines = text[: _CHARACTERS + 1].replace("\r\n", "\n").split("\n")
    # A line is printed anew after each carriage return.
    rows = "\n".join(line.rpartition("\r")[2] for line in lines).splitlines()
    left_out = "\n…" if len(text) > _CHARACTERS or len(rows) > _LINES else ""
    return "\n".join(rows[:_LINES])[:_CHARACTERS] + left_out


def picture(output: NotebookNode) -> str:
    """Return an output's picture with its description, or "" if it has none."""
    data = output.get("data", {})
    kind = next((kind for kind in _PICTURES if isinstance(data.get(kind), str)), None)
    if kind is None:
        return ""
    content = data[kind]
    if kind == "image/svg+xml":
        content = base64.b64encode(content.encode()).decode()
    content = re.sub(r"[^A-Za-z0-9+/=]", "", content)
    size = output.get("metadata", {}).get(kind, {})
    sides = {side: size[side] for side in ("width", "height") if isinstance(size.get(side), int)}
    return piece("picture", f"data:{kind};base64,{content}", described(output), sides)


def described(output: NotebookNode) -> str:
    """Return the description of an output's picture."""
    text = output.get("data", {}).get("text/plain")
    own = [
        part.get("alt") for part in output.get("metadata", {}).values() if isinstance(part, dict)
    ]
    own += [text if isinstance(text, str) and not text.startswith("<") else None]
    return cut(next((words for words in own if isinstance(words, str)), _NO_WORDS), 1_000)


_NO_WORDS = "A picture without a description"
