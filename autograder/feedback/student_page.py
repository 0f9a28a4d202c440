"""The feedback page: each exercise in a few lines, then the graded notebook.

It is self-contained: it fetches nothing and runs nothing.
"""

import functools
import re
from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import quote

from jinja2 import Template
from markupsafe import Markup
from nbconvert.exporters import Exporter
from nbformat import NotebookNode
from pygments.formatters import HtmlFormatter
from traitlets import Float, Integer, Unicode

from autograder.feedback.cells_as_html import cell_html, points, words
from autograder.feedback.markdown import markdown
from autograder.feedback.page_time import PageTime
from autograder.feedback.pictures import Pictures
from autograder.feedback.summary import ExerciseResult, exercises
from autograder.graded_notebook.marks import read, set_right
from autograder.graded_notebook.outcome import less_penalty
from autograder.page_templates import environment

_ROUNDING = 1e-9
_SECONDS = 10.0  # a page of the course takes a tenth of one
_LEVEL = 3  # of the notebook's first heading: the page's own are above it


@dataclass(frozen=True)
class Regrade:
    """Where a student may ask for a second look, and for how many days.

    Attributes:
      address: of mail or of a page; "": nothing is said.
      days: 0 for no limit.
    """

    address: str = ""
    days: int = 0

    def link(self, chapter: str, student: str) -> str:
        """Return what a click opens: a mail that says who asks about what, or the page."""
        if self.address.startswith(("https://", "http://")):
            return self.address
        subject = quote(f"{chapter}, {student}: a second look")
        return f"mailto:{quote(self.address, safe='@.+-_')}?subject={subject}"


_NO_REGRADE = Regrade()


class FeedbackExporter(Exporter):
    """The exporter by which nbconvert calls `page`: nbgrader's own commands make the same page.

    It changes the notebook that it is given: nbconvert's two deep copies would cost as much as the
    page.
    """

    file_extension = ".html"
    output_mimetype = "text/html"

    seconds = Float(
        _SECONDS, min=0, help="CPU time for a page's cells; what takes longer is shortened."
    ).tag(config=True)
    regrade_address = Unicode(
        "",
        help="An address (of mail, or https://…) for students who think that a grade is wrong: the "
        "page then says how to ask.",
    ).tag(config=True)
    regrade_days = Integer(
        0, min=0, help="How many days after getting the page a student may ask; 0: no limit."
    ).tag(config=True)
    memory_megabytes = Integer(
        1024, min=64, help="Memory that the page of one student may take in `autograder grade`."
    ).tag(config=True)

    def from_notebook_node(self, nb, resources=None, **kw):
        resources = self._init_resources(resources or {})
        for step in self._preprocessors:
            nb, resources = step(nb, resources)
        regrade = Regrade(self.regrade_address, self.regrade_days)
        return page(nb, resources, seconds=self.seconds, regrade=regrade), resources


def page(
    notebook: NotebookNode,
    resources: dict,
    *,
    seconds: float = _SECONDS,
    regrade: Regrade = _NO_REGRADE,
) -> str:
    """Return the whole page.

    Args:
      notebook: graded, its scores and comments put in and its hidden tests taken out.
      seconds: of CPU time for laying out the cells; pieces that take longer are shortened.
      regrade: where to ask for a second look.
      resources: nbconvert's, with nbgrader's part: the names, the score, the late penalty.
    """
    where = resources["nbgrader"]
    penalty = where["late_penalty"]
    earned = where["score"] + penalty
    made = _template().render(
        title=_title(notebook, where),
        student=str(where["student"]),
        called=where.get("called", ""),
        lateness=where.get("lateness", ""),
        late_rule=where.get("late_rule", ""),
        score=less_penalty(earned, penalty),
        earned=earned,
        max_score=where["max_score"],
        penalty=penalty,
        record=where.get("record", ""),
        regrade=regrade,
        regrade_link=regrade.link(str(where["notebook"]), str(where["student"])),
        strange=read(notebook).get("strange", ""),
        set_right=set_right({where["notebook"]: notebook}),
        notebook=str(where["notebook"]),
        exercises=exercises(notebook),
        cells=Markup(_cells(notebook, resources, PageTime(seconds))),
    )
    return made.encode("utf-8", "replace").decode()  # without lone surrogates


@functools.cache
def _template() -> Template:
    made = environment(
        Path(__file__).parent,
        markdown=lambda text: Markup(markdown(text)),
        in_order=lambda html, first: Markup(in_order(html, first)),
        sentence=_sentence,
        kind=_kind,
        earned=_earned,
    )
    made.globals["code_colours"] = _code_colours
    return made.get_template("page.html.jinja")


def _code_colours(style: str) -> str:
    """Return the style sheet of code in one of pygments's styles."""
    return "\n".join(HtmlFormatter(style=style).get_token_style_defs(".highlight"))


def _cells(notebook: NotebookNode, resources: dict, allowance: PageTime) -> str:
    folder = Path(resources["metadata"]["path"]) if "path" in resources["metadata"] else None
    pictures = Pictures(folder)
    cells = [
        cell_html(cell, f"cell-{position}", pictures, allowance)
        for position, cell in enumerate(notebook.cells)
    ]
    return pictures.shown(in_order("".join(cells)))


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
    """Return the chapter's first heading; else the notebook's, or its name in words."""
    mark = read(notebook)
    if mark.get("title"):
        return str(mark["title"])
    if mark.get("strange"):  # its heading is another chapter's
        return words(where["notebook"])
    texts = [cell.source for cell in notebook.cells[:3] if cell.cell_type == "markdown"]
    found = re.search(r"^# +([^\n]{1,100})$", "\n".join(texts), re.M)
    return found[1].strip() if found else words(where["notebook"])


def _earned(exercise: ExerciseResult) -> str:
    """Return an exercise's points in words."""
    line = points(exercise.score, exercise.points)
    if exercise.waits:
        return f"{line} so far" if exercise.score else f"not read yet ({exercise.points:g} points)"
    return line


def _kind(exercise: ExerciseResult) -> tuple[str, str]:
    """Return the style of an exercise's line and its sign."""
    if exercise.waits:
        return "waiting", "…"
    if exercise.score >= exercise.points - _ROUNDING:
        return "right", "✓"
    return ("partly", "½") if exercise.score > _ROUNDING else ("wrong", "✗")


def _sentence(words: str) -> Markup:
    """Return a check's words as HTML, with text between backticks as code."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", escape(words)))
