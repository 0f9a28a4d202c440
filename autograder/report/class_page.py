"""The page of a report: `page.html.jinja`, filled with the sums of a class.

All student text goes through the filter `text`: it is shortened and plain. Jinja escapes it.
"""

from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment

from autograder.course_folders.submissions import NOTHING
from autograder.graded_notebook.outputs import LINES, TEXT
from autograder.nbgrader.stale import mend
from autograder.nbgrader.terms import CHANGED
from autograder.page_templates import environment
from autograder.printable import cut
from autograder.report.histogram import scores_figure
from autograder.report.items import FEWEST
from autograder.report.regrade_requests import RegradeRequest
from autograder.report.sums import Sums
from autograder.similarity.found import Similar

_TEMPLATE = "page.html.jinja"
_CHARACTERS, _NAME = 400, 80  # the most of one text, and of one name
_ROWS, _PLACES, _NAMES = 100, 20, 30  # the most to list; the rest is counted


def page(
    sums: Sums,
    alike: Similar | None = None,
    requests: Sequence[RegradeRequest] | None = None,
) -> str:
    """Return the whole page.

    Args:
      alike: whose answers are alike; None if nobody has compared them.
      requests: for a second look; None where nobody may ask.
    """
    nothing = [row.student for row in sums.not_graded if row.reason == NOTHING]
    changed = [row.student for row in sums.graded if CHANGED in row.notes]
    return (
        _environment()
        .get_template(_TEMPLATE)
        .render(
            sums=sums,
            alike=alike,
            requests=requests,
            nothing=nothing,
            failed=[row for row in sums.not_graded if row.reason != NOTHING],
            changed=changed and mend(sums.chapter, changed),
            beside=[row.student for row in sums.graded if row.findings is None],
            flagged=len({doubt.student for doubt in sums.doubts}),
            figure=scores_figure(sums.scores, sums.most) if sums.scores else None,
            most_points={each.name: each.points for each in sums.exercises},
        )
    )


def _environment() -> Environment:
    made = environment(
        Path(__file__).parent,
        text=_text,
        points=lambda points: f"{points:.4g}",
        whole=lambda points: f"{points:g}",
        percent=lambda share: f"{100 * share:.0f}",
        percent_of_bar=lambda share: f"{100 * min(max(share, 0), 1):.0f}",
        correlation=_correlation,
    )
    made.globals |= {"NAME": _NAME, "ROWS": _ROWS, "PLACES": _PLACES, "FEWEST": FEWEST}
    made.globals |= {"MOST_NAMES": _NAMES, "EXAMPLE": TEXT, "LINES": LINES}
    return made


def _text(words: object, characters: int = _CHARACTERS, lines: int = 1) -> str:
    """Return outside text without control codes, shortened."""
    return cut(str(words), characters, lines)


def _correlation(correlation: float | None) -> str:
    return "—" if correlation is None else f"{correlation:.2f}".replace("-", "−")
