"""Numbers and set phrases for sentences."""

from collections.abc import Sequence
from itertools import groupby

SURE = "A correct answer fails here less than once in a billion runs."
# The state of an answer that a check could not look at for long enough.
NOT_TO_THE_END = "not judged to the end"
# Stands before what is likely and not sure.
LOOKS = "it looks as if"
# Questions about one setting begin so.
FOLLOW = "follow your code with these numbers: "
NO_NOISE = "some answers have no noise"
NO_NOISE_AT_ALL = "no noise is added"
SAME = "the same answer comes at every call", "the same whole number comes at every call"
_HARDLY_EVER = 1e-4
GUARANTEE = f"{SURE} ({{answers}})"


def number(value: float) -> str:
    """Return a number to three digits, without an exponent where a person would write none."""
    if value == 0 or 1e-3 <= abs(value) < 1000:
        return f"{value:.3g}"
    return f"{value:,.0f}" if 1000 <= abs(value) < 1e9 else f"{value:.2e}"


def numbers_apart(one: float, other: float, most: int = 8) -> tuple[str, str]:
    """Return two numbers, to as many digits as show that they differ (`most` at most)."""
    words, digits = (number(one), number(other)), 4
    while words[0] == words[1] and one != other and digits <= most:
        words, digits = (f"{one:,.{digits}g}", f"{other:,.{digits}g}"), digits + 1
    return words


def in_runs(places: Sequence[int]) -> str:
    """Return ascending whole numbers in words: "0, 2 to 5 and 9"."""
    # Neighbors have the same distance from their place in the list.
    runs = [[n for _, n in run] for _, run in groupby(enumerate(places), lambda p: p[1] - p[0])]
    told = []
    for run in runs:
        told += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else [str(each) for each in run]
    return " and ".join(filter(None, (", ".join(told[:-1]), told[-1])))


def counted(count: int, noun: str) -> str:
    """Return "1 answer", "3,156 answers"."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def should_come(chance: float) -> str:
    """Return how often an outcome should come, in words."""
    if chance < _HARDLY_EVER:
        return "should hardly ever come"
    return f"should come in {percent(chance)} of the answers"


def came_in(share: float, of_all: str) -> str:
    """Return how often an outcome came, in words; `of_all` is for example "19 answers"."""
    if share in (0, 1):
        return f"{'never' if share == 0 else 'always'} came in {of_all}"
    return f"came in {percent(share)} of {of_all}"


def percent(share: float) -> str:
    """Return a share as "5.69 %"."""
    return f"{100 * share:.3g} %"
