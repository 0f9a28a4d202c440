"""Finds arguments that an answer has written into, and tells what became of them."""

import copy
from collections.abc import Mapping
from typing import Any

from autograder.check.answers import BadAnswer, same_arguments
from autograder.check.wording.in_words import in_words


class Written(BadAnswer):
    """The answer has changed an argument; what comes of that is not told as a fault of its own."""


def changed_arguments(
    before: tuple[tuple, Mapping], after: tuple[tuple, Mapping]
) -> list[tuple[Any, Any]]:
    """Return the arguments of a call that are no longer what they were: each before and after.

    Of an object that is not equal to its own copy nobody can say so.
    """
    pairs = [*zip(before[0], after[0], strict=True)]
    pairs += [(value, after[1][name]) for name, value in before[1].items()]
    differing = [pair for pair in pairs if not same_arguments(*pair)]
    return [(one, other) for one, other in differing if same_arguments(copy.deepcopy(one), one)]


def written(
    changed: list[tuple[Any, Any]], parameters: dict, then: BadAnswer | None = None
) -> Written:
    """Return the words for arguments that have changed, and for what came then."""
    told = [next(filter(None, (_told(*pair) for pair in changed)), "")]
    if then is not None:
        told.append(f"then {then.problem}" + (f" ({then.seen})" if then.seen else ""))
    return Written(
        "it changes what it is given",
        seen="; ".join(filter(None, told)),
        ask="which line changes its argument? Work on a copy.",
        parameters=parameters,
    )


def _told(one: Any, other: Any) -> str:
    """Return what became of an argument; "" if words do not show it."""
    before, after = in_words(one), in_words(other)
    what = "a table " if hasattr(one, "columns") else ""
    return f"after the call, {what}{before} is {after}" if before != after else ""
