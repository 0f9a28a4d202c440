"""How a choice by weights is called: the words for one that stops at its weights."""

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer

# exp() of so much is no float, exp() of as much below 0 is 0.
_MOST = 700.0
_UNSAFE = "the weights are too large, or too small, for a float"
_SHIFT = "which number can you subtract from all scores without changing the probabilities?"


def choose(function: Callable, *positional, **keywords) -> Any:
    """Call an answer; one that stops at its weights gets words of its own.

    No right answer is caught: none divides by 0, nor hands NaN to a choice.
    """
    try:
        return function(*positional, **keywords)
    except OverflowError as error:
        raise BadAnswer(_UNSAFE, seen=_seen(error), ask=_SHIFT) from None
    except ZeroDivisionError as error:
        raise _no_number(error, positional, keywords) from None
    except ValueError as error:
        said = str(error).lower()
        if "sum to 1" in said:
            ask = "by which number must all weights be divided?"
            raise BadAnswer("the probabilities do not sum to 1", ask=ask) from None
        if any(word in said for word in ("nan", "total of weights", "finite")):
            raise _no_number(error, positional, keywords) from None
        raise


def returned_nothing(p: dict) -> BadAnswer:
    """Return the words for an answer that returns nothing."""
    ask = "does every path end in `return`?"
    if max(p["scores"]) < 0:
        ask += " All scores lie below 0 here: does one of them beat what your search begins with?"
    return BadAnswer("it returns nothing", ask=ask)


def _no_number(error: Exception, positional: tuple, keywords: dict) -> BadAnswer:
    """Return the words for weights whose shares are no numbers; usual ones need no shift."""
    if _extreme(positional, keywords):
        return BadAnswer(_UNSAFE, seen=_seen(error), ask=_SHIFT)
    by_0 = isinstance(error, ZeroDivisionError)
    return BadAnswer(
        "something is divided by 0" if by_0 else "the probabilities are no numbers",
        seen=_seen(error),
        ask="what is the sum of your weights at this input: is it 0, because a line strikes "
        "candidates out, or infinite?",
    )


def _extreme(positional: tuple, keywords: dict) -> bool:
    """Say whether a weight may overflow, or be 0, if nothing is subtracted from the scores."""
    if "candidates" in keywords:  # a median: no score is above the number of values
        return len(positional[0]) * keywords["epsilon"] > _MOST
    scores, sensitivity = np.asarray(positional[-1], dtype=float), keywords["sensitivity"]
    furthest = max(np.abs(scores).max(), np.ptp(scores))
    return bool(furthest * keywords["epsilon"] / sensitivity > _MOST)


def _seen(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:120]
