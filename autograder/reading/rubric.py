"""The items of a rubric, each with its points, found in the instructor's own answer."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

# "*Points.* 1: the promise is a bound. 1: the factor." What stands before it is a model answer.
_HEADING = re.compile(
    r"^[ \t]*(?:#+ *)?[*_]{0,2}(?:points|rubric|marking)\b[.:]?[*_]{0,2}[.:]?[ \t]*",
    re.IGNORECASE | re.MULTILINE,
)
_NUMBER = r"(\d+(?:\.\d+)?)"
_UNIT = r"(?:p|pt|pts|points?|marks?)"
# An item begins a line or follows a sentence: "1: …", "(1) …", "1 point: …", also in a list.
_BEFORE = re.compile(
    rf"(?:^|(?<=[.;!?)])[ \t]+)[ \t]*(?:[-*+][ \t]+)?"
    rf"(?:{_NUMBER}(?:[ \t]*{_UNIT})?[ \t]*:|\({_NUMBER}(?:[ \t]*{_UNIT})?\))[ \t]+",
    re.MULTILINE,
)
# Or its points end the line of a list: "- the factor (1 point)", "- the factor [1]".
_AFTER = re.compile(
    r"^[ \t]*(?:[-*+]|\d+\.)[ \t]+(.+?)[ \t]*"
    rf"(?:\({_NUMBER}[ \t]*{_UNIT}\)|\[{_NUMBER}\])\.?[ \t]*$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class RubricItem:
    """What some of a question's points are for, in Markdown."""

    points: float
    text: str


@dataclass(frozen=True)
class Rubric:
    """An instructor's answer in its parts.

    Attributes:
      model: the answer itself, and whatever else does not belong to an item.
      items: none where no list of points was found; the reader then has the whole text.
    """

    model: str
    items: tuple[RubricItem, ...] = ()


def rubric(text: str, most: float) -> Rubric:
    """Return the parts of an instructor's answer.

    Args:
      text: Markdown.
      most: the points of the question. Numbers that do not add up to them, or to more of which the
        reader chooses, are no items: a wrong guess would be worse than none.
    """
    headings = list(_HEADING.finditer(text))
    model, listed = (
        (text[: headings[-1].start()], text[headings[-1].end() :]) if headings else ("", text)
    )
    for found in (list(_leading(listed)), list(_trailing(listed))):
        if len(found) > 1 and sum(each.points for each in found) >= most > 0:
            return Rubric(model.strip(), tuple(found))
    return Rubric(text.strip())


def _leading(text: str) -> Iterator[RubricItem]:
    """Yield the items whose points stand before them."""
    marks = list(_BEFORE.finditer(text))
    ends = [each.start() for each in marks[1:]]
    for mark, end in zip_longest(marks, ends, fillvalue=len(text)):
        yield RubricItem(float(mark[1] or mark[2]), " ".join(text[mark.end() : end].split()))


def _trailing(text: str) -> Iterator[RubricItem]:
    """Yield the items whose points stand behind them."""
    for found in _AFTER.finditer(text):
        yield RubricItem(float(found[2] or found[3]), found[1].strip())
