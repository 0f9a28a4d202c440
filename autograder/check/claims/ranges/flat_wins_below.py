"""Break it: "asking about blocks of cells always beats flat noise". Below some size it does not."""

from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, as_number
from autograder.check.claims.ranges._ranges import strategy_average
from autograder.check.counterexample import CounterexampleClaim
from autograder.check.words import number

_MOST_LEVELS = 60


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return both binary strategies, and trees that split into six more numbers of parts."""
    cases = [{"strategy": "privelet", "branching": 2}, {"strategy": "boost", "branching": 2}]
    some = generator.choice([3, 4, 5, 6, 7, 8, 9, 10, 11], size=3, replace=False)
    # Who asks for a little more than a smaller error, or for a little less, is wrong at these two:
    # the tree is 2 % worse than flat noise at the size before, and 5 % better at the right one.
    parts = [*sorted(some), 12, 13, generator.integers(70, 95)]
    return cases + [{"strategy": "boost", "branching": int(each)} for each in parts]


def _costs(parameters: dict, levels: int) -> tuple[float, float]:
    """Return C of the strategy and of flat noise, at branching**levels cells."""
    branching = parameters["branching"]
    own = strategy_average(parameters["strategy"], branching, levels, "add_remove")
    return own, strategy_average("flat", branching, levels, "add_remove")


def first_win(parameters: dict) -> int:
    """Return from which number of levels on the strategy beats flat noise."""
    return next(k for k in range(1, _MOST_LEVELS) if _beats(parameters, k))


def _beats(parameters: dict, levels: int) -> bool:
    own, flat = _costs(parameters, levels)
    return own < flat


def _verify(parameters: dict, size: float) -> None:
    """Raise BadAnswer unless flat noise wins below `size`, and the strategy from there on."""
    branching = parameters["branching"]
    levels = next(k for k in range(_MOST_LEVELS + 1) if branching**k >= size)
    if size == 1:
        raise BadAnswer(
            "one cell is no tree",
            seen="it returned 1",
            ask="which is the smallest size at which a node has parts?",
        )
    if branching**levels != size:
        ask = "for which numbers of cells does every node split into equal parts?"
        if size == first_win(parameters):
            ask = f"how many cells has a tree of {size:.0f} levels?"
        raise BadAnswer(
            f"the size is not a power of {branching}", seen=f"it returned {size:.0f}", ask=ask
        )
    if not _beats(parameters, levels):
        raise _flat_wins(parameters, levels)
    if levels > first_win(parameters):
        raise BadAnswer(
            "the strategy wins at a smaller size already",
            seen=_compared(parameters, levels - 1),
            ask="are these your numbers, too? By how much does one person change all answers, if "
            "neighbors differ by a person who is added or removed?",
        )


def _flat_wins(parameters: dict, levels: int) -> BadAnswer:
    if levels == 1 < first_win(parameters) - 1:
        # Without the noise every strategy wins from the smallest tree on.
        problem = "flat noise wins at this size: is the noise left out?"
        ask = "by how much does one person change all answers? And does your formula hold here?"
    else:
        problem = "flat noise still wins at this size"
        ask = "compare sensitivity**2 times the mean error of both, for ever larger sizes."
        if levels == first_win(parameters) - 1:
            ask = "the last size at which flat noise still wins, and one power more: which of the "
            ask += "two is wanted, and which do you return?"
    return BadAnswer(problem, seen=_compared(parameters, levels), ask=ask)


def _compared(parameters: dict, levels: int) -> str:
    own, flat = (number(float(each)) for each in _costs(parameters, levels))
    size = parameters["branching"] ** levels
    return f"with {size:,} cells C is {own} for the strategy and {flat} for flat noise"


def _read(answer: Any, parameters: dict) -> float:
    size = as_number(answer)
    if size != round(size):
        raise BadAnswer(
            "the size is not a whole number of cells",
            seen=f"it returned {size:g}",
            ask="the sizes are branching, branching**2, branching**3, ...: which one is it?",
        )
    if not 0 < size <= parameters["branching"] ** _MOST_LEVELS:
        raise BadAnswer(
            "the size is out of reach",
            seen=f"it returned {size:g}",
            ask="try sizes one after the other, starting from the smallest tree.",
        )
    return size


CLAIM = CounterexampleClaim(
    about=(
        "Check `flat_wins_below(*, strategy, branching)`: from which size on a strategy wins.\n\n"
        'The strategy is "privelet" or "boost"; the sizes are powers of its branching. The\n'
        "function returns the smallest size at which its mean squared error over all ranges is\n"
        "below that of flat noise, at equal epsilon (add_remove)."
    ),
    established="flat noise wins below this size, the strategy from there on",
    cases=_cases,
    arguments=lambda p: ((), dict(p)),
    read=_read,
    verify=_verify,
    situation=lambda p: f"{p['strategy']} with branching {p['branching']}",
)
