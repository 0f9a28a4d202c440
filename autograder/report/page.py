"""The report's page: `page.html.jinja`, filled with the sums of a class.

Every word of a student's goes through the filter `text`: cut, plain, and escaped by Jinja.
"""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from autograder.graded_notebook.outputs import LINES, TEXT
from autograder.nbgrader.submissions import NOTHING
from autograder.printable import cut
from autograder.report.figure import scores_figure
from autograder.report.items import FEWEST
from autograder.report.sums import Sums

__all__ = ["page"]

_TEMPLATE = "page.html.jinja"
_CHARACTERS, _NAME = 400, 80  # the most of one text, and of one name
_ROWS, _PLACES, _NAMES = 100, 20, 30  # the most to list; the rest is counted


def page(sums: Sums) -> str:
    """Return the whole page."""
    nothing = [row.student for row in sums.not_graded if row.reason == NOTHING]
    return (
        _environment()
        .get_template(_TEMPLATE)
        .render(
            sums=sums,
            nothing=nothing,
            failed=[row for row in sums.not_graded if row.reason != NOTHING],
            flagged=len({doubt.student for doubt in sums.doubts}),
            figure=scores_figure(sums.scores, sums.most) if sums.scores else None,
            most_points={each.name: each.points for each in sums.exercises},
        )
    )


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=lambda name: name is None or not name.endswith(".css"),
        undefined=StrictUndefined,
    )
    environment.globals |= {"NAME": _NAME, "ROWS": _ROWS, "PLACES": _PLACES, "FEWEST": FEWEST}
    environment.globals |= {"MOST_NAMES": _NAMES, "EXAMPLE": TEXT, "LINES": LINES}
    environment.filters |= {
        "text": _text,
        "points": lambda points: f"{points:.4g}",
        "whole": lambda points: f"{points:g}",
        "percent": lambda share: f"{100 * share:.0f}",
        "percent_of_bar": lambda share: f"{100 * min(max(share, 0), 1):.0f}",
        "correlation": _correlation,
    }
    return environment


def _text(words: object, characters: int = _CHARACTERS, lines: int = 1) -> str:
    """Return words from outside without codes and without end."""
    return cut(str(words), characters, lines)


def _correlation(correlation: float | None) -> str:
    return "—" if correlation is None else f"{correlation:.2f}".replace("-", "−")
