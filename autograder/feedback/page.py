"""The page that a student gets back: each exercise in a few lines, then the graded notebook.

It is complete in itself: it asks no server for anything, and runs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

from nbconvert.exporters import Exporter
from nbformat import NotebookNode
from traitlets import Float, Integer

from autograder.feedback.cells import cell_html, points, words
from autograder.feedback.limits import Allowance
from autograder.feedback.markdown import markdown
from autograder.feedback.pictures import Pictures
from autograder.feedback.style import STYLE
from autograder.feedback.summary import Exercise, Remark, exercises

__all__ = ["FeedbackExporter", "page"]

_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
_ROUNDING = 1e-9
_SECONDS = 10.0  # a page of the course takes a tenth of one
_LEVEL = 3  # of the notebook's first heading: the page's own are above it


class FeedbackExporter(Exporter):
    """nbconvert's door to `page`: nbgrader's own commands make the same page through it.

    A notebook that it is given is changed: nbconvert's two deep copies would cost as much as the
    page.
    """

    file_extension = ".html"
    output_mimetype = "text/html"

    seconds = Float(
        _SECONDS, min=0, help="CPU time for a page's cells; what takes longer is shortened."
    ).tag(config=True)
    memory_megabytes = Integer(
        1024, min=64, help="Memory that the page of one student may take in `autograder grade`."
    ).tag(config=True)

    def from_notebook_node(self, nb, resources=None, **kw):
        resources = self._init_resources(resources or {})
        for step in self._preprocessors:
            nb, resources = step(nb, resources)
        return page(nb, resources, seconds=self.seconds), resources


def page(notebook: NotebookNode, resources: dict, *, seconds: float = _SECONDS) -> str:
    """Return the whole page.

    Args:
      notebook: graded, its scores and comments put in and its hidden tests taken out.
      seconds: of CPU time for laying out the cells; what takes longer is shortened.
      resources: nbconvert's, with nbgrader's part: the names, the score, the late penalty.
    """
    where = resources["nbgrader"]
    made = f"""<!DOCTYPE html>
<html lang="en">
{_head(_title(notebook, where))}
<body>
<main id="top">
<h1><span class="kind">Feedback for {escape(str(where["student"]))}</span>
{_title(notebook, where)}</h1>
{_exercises(where, exercises(notebook))}
{_notebook(notebook, resources, Allowance(seconds))}
</main>
</body>
</html>
"""
    return made.encode("utf-8", "replace").decode()  # half a character is none


def _head(title: str) -> str:
    return f"""<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<title>{title}: feedback</title>
<style>{STYLE}</style>
</head>"""


def _exercises(where: dict, found: Sequence[Exercise]) -> str:
    lines = "".join(map(_exercise, found))
    return f"""{_score(where, found)}
<section>
<h2>Your exercises</h2>
<ol class="exercises">
{lines}</ol>
</section>"""


def _notebook(notebook: NotebookNode, resources: dict, allowance: Allowance) -> str:
    folder = Path(resources["metadata"]["path"]) if "path" in resources["metadata"] else None
    pictures = Pictures(folder)
    cells = [
        cell_html(cell, f"cell-{position}", pictures, allowance)
        for position, cell in enumerate(notebook.cells)
    ]
    return f"""<section class="notebook">
<h2>Your notebook</h2>
{pictures.shown(in_order("".join(cells)))}
</section>"""


def in_order(html: str, first: int = _LEVEL) -> str:
    """Return HTML whose headings begin at level `first` and never skip one on the way down."""
    before = first - 1

    def placed(found: re.Match) -> str:
        nonlocal before
        if not found[1]:
            before = min(int(found[2]) + first - 1, before + 1, 6)
        return f"<{found[1]}h{before}>"

    return re.sub(r"<(/?)h([1-6])>", placed, html)


def _title(notebook: NotebookNode, where: dict) -> str:
    """Return the notebook's first heading, else its name in words."""
    texts = [cell.source for cell in notebook.cells[:3] if cell.cell_type == "markdown"]
    found = re.search(r"^# +([^\n]{1,100})$", "\n".join(texts), re.M)
    return escape(found[1].strip()) if found else words(where["notebook"])


def _score(where: dict, found: Sequence[Exercise]) -> str:
    """Return the sum, what was taken off it, and what may still come."""
    penalty, score = where["late_penalty"], where["score"]
    lines = [f'<p class="score"><strong>{score:.4g}</strong> of {where["max_score"]:g} points</p>']
    if penalty:
        lines.append(
            f'<p class="late">Handed in late: {penalty:.4g} of your {score + penalty:.4g} points '
            "are taken off.</p>"
        )
    if any(exercise.waits for exercise in found):
        lines.append("<p>More points may come: a person reads what a machine cannot grade.</p>")
    return "\n".join(lines)


def _exercise(exercise: Exercise) -> str:
    kind, sign = _kind(exercise)
    line = points(exercise.score, exercise.points)
    if exercise.waits:
        line = f"{line} so far" if exercise.score else f"not read yet ({exercise.points:g} points)"
    body = "".join(map(_remark, exercise.remarks))
    body += "".join(
        f'<div class="comment"><p><strong>Comment</strong></p>{in_order(markdown(text), 4)}</div>'
        for text in exercise.comments
    )
    return (
        f'<li class="{kind}"><h3><span class="sign" aria-hidden="true">{sign}</span> '
        f"{escape(exercise.title)}</h3>\n"
        f'<p class="line"><span class="points">{line}</span> '
        f'<a href="#cell-{exercise.cell}">your answer<span class="unseen"> to '
        f"{escape(exercise.title)}</span></a></p>\n{body}</li>\n"
    )


def _kind(exercise: Exercise) -> tuple[str, str]:
    """Return the style of an exercise's line and its sign."""
    if exercise.waits:
        return "waiting", "…"
    if exercise.score >= exercise.points - _ROUNDING:
        return "right", "✓"
    return ("partly", "½") if exercise.score > _ROUNDING else ("wrong", "✗")


def _remark(remark: Remark) -> str:
    details = "".join(f"<p>{_sentence(each)}</p>" for each in remark.details)
    ask = f'<p class="ask"><strong>Try:</strong> {_sentence(remark.ask)}</p>' if remark.ask else ""
    # The caption is the picture's alt text: nobody is to hear it twice.
    caption = f'<figcaption aria-hidden="true">{escape(remark.caption)}</figcaption>'
    drawn = f"<figure>{remark.picture}\n{caption}</figure>" if remark.picture else ""
    problem = _sentence(remark.problem)
    return f'<div class="remark"><p class="problem">{problem}</p>{details}{ask}{drawn}</div>\n'


def _sentence(words: str) -> str:
    """Return a check's words as HTML, what stands between backticks as code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(words))
