"""How far one row can move the median of the rows at hand."""

import numpy as np

from autograder.check.claims.local_sensitivity._rows import clipped, median_moves
from autograder.check.designed import columns
from autograder.check.function_claim import FunctionClaim


def local_sensitivity_median(values, *, lower, upper, neighbors):
    """How far one row moves the median of these rows, each clipped into [lower, upper]."""
    return max(moves(values, lower, upper, neighbors))


def moves(values, lower, upper, neighbors):
    """Return how far one row moves the median down, and up."""
    return median_moves(clipped(values, lower, upper), lower, upper, neighbors)


CLAIM = FunctionClaim(
    local_sensitivity_median,
    established="the largest move of the median, over all neighbors of these rows",
    absolute=1e-9,
)


@CLAIM.inputs
def twelve(rng):
    """Odd and even sizes, both neighbors, rows outside the domain; the larger move up or down."""
    for neighbors in ("replace_one", "add_remove"):
        for place, size in enumerate((5, 6, 9, 8, 3, 2)):
            lower, width = int(rng.integers(-40, 40)), int(rng.integers(60, 200))
            # Some rows lie outside the domain; in the table of three, the middle one.
            places = rng.uniform(-0.3, 1.3, size)
            if size == 3:
                places = np.array([1.35, 0.4, 1.2]) + rng.uniform(-0.1, 0.1, 3)
            if size == 2 and neighbors == "replace_one":  # both inside: the ends are new places
                places = rng.uniform(0.1, 0.9, 2)
            values = np.round(lower + width * places, 1)
            down, up = moves(values, lower, lower + width, neighbors)
            if (up >= down) != bool(place % 2):
                values = np.round(2 * lower + width - values, 1)  # mirrored
            yield {"values": values, "lower": lower, "upper": lower + width, "neighbors": neighbors}


@CLAIM.designed
def odd(rng):
    # Whole numbers, too, are clipped to it; its third decimal is none that rounding keeps.
    lower = round(rng.integers(-4000, -500) / 100 + rng.integers(1, 10) / 1000, 3)
    upper = lower + int(rng.integers(60, 200))
    found = {**columns(rng, lower=lower, upper=upper, least=2), "120 rows": long(rng, lower, upper)}
    # One row moved to the far end of the domain moves the median there, or half of the way.
    found["two whole numbers"] = rng.integers(int(lower) + 2, int(lower) + 20, 2)
    found["two whole numbers near the upper end"] = rng.integers(int(upper) - 20, int(upper) - 2, 2)
    del found["many rows"]  # every neighbor is tried: too slow for so many
    for name, values in found.items():
        values = values[:150]
        for neighbors in ("replace_one", "add_remove"):
            given = {"lower": lower, "upper": upper, "neighbors": neighbors}
            yield name, {"values": values, **given}


def long(rng, lower, upper):
    """Return rows of which the middle ones lie far apart, and far from the first."""
    return rng.permutation(np.linspace(lower, upper, 120).round(1))


def of_moves(formula):
    """Return a wrong function of the moves down and up."""
    return lambda values, lower, upper, neighbors: formula(*moves(values, lower, upper, neighbors))


def larger_gap(values, lower, upper, neighbors):
    """Return the larger gap beside the upper middle row, beyond the last row none."""
    rows, middle = clipped(values, lower, upper), len(values) // 2
    above = rows[middle + 1] - rows[middle] if middle + 1 < len(rows) else 0.0
    return max(rows[middle] - rows[middle - 1] if middle else 0.0, above)


def unsorted(values, lower, upper, neighbors):
    middle = len(values) // 2
    return max(np.abs(np.diff(np.clip(values, lower, upper)))[middle - 1 : middle + 1])


def of_rows(change, **options):
    """Return a wrong function of the clipped rows, and of the ends: change(rows, *ends)."""

    def function(values, lower, upper, neighbors):
        rows, *ends = change(clipped(values, lower, upper), lower, upper)
        return max(median_moves(rows, *ends, neighbors, **options))

    return function


GLOBAL = "that is what any rows may do: how far can one row move the median of these?"
BOTH = "in which directions can one row move the median?"

CLAIM.mistake(
    "it is the width of the domain",
    GLOBAL,
    lambda values, lower, upper, neighbors: upper - lower,
)
CLAIM.mistake(
    "it is half of the width of the domain",
    GLOBAL,
    lambda values, lower, upper, neighbors: (upper - lower) / 2,
)
CLAIM.mistake(
    "it is the range of the rows",
    "may a new row lie outside the rows that are there? How far does the median move then?",
    lambda values, lower, upper, neighbors: np.ptp(values),
)
CLAIM.mistake(
    "it is the range of the clipped rows",
    "how far does the *median* move when one row does?",
    lambda values, lower, upper, neighbors: np.ptp(np.clip(values, lower, upper)),
)
CLAIM.mistake("only moves upward are looked at", BOTH, of_moves(lambda down, up: up))
CLAIM.mistake("only moves downward are looked at", BOTH, of_moves(lambda down, up: down))
CLAIM.mistake("the smaller of the two moves is returned", BOTH, of_moves(min))
CLAIM.mistake(
    "the moves in both directions are added up",
    "one row moves once: in one direction or the other?",
    of_moves(lambda down, up: down + up),
)
for always, other in (("replace_one", "add_remove"), ("add_remove", "replace_one")):
    CLAIM.mistake(
        f"the neighbors are always {always}",
        f'what may one person do to the table under neighbors="{other}"?',
        given={"neighbors": always},
    )
CLAIM.mistake(
    "the rows are not clipped",
    "what happens to a row outside the domain?",
    lambda values, lower, upper, neighbors: max(
        median_moves(values.tolist(), lower, upper, neighbors)
    ),
)
CLAIM.mistake(
    "the larger gap beside one middle row is returned",
    "what is the median of an even number of rows? And which rows may come or go?",
    larger_gap,
)
for which, place in {
    "upper": lambda size: size // 2,
    "lower": lambda size: (size - 1) // 2,
}.items():
    CLAIM.mistake(
        f"of two middle rows the {which} one is taken for the median",
        "what is the median of 1, 2, 3 and 9?",
        of_rows(
            lambda *given: given,
            median=lambda rows, middle, place=place: sorted(rows)[place(len(rows))],
        ),
    )
CLAIM.mistake(
    "rows of one value are counted once",
    "two rows are clipped to the same end: how many of them must leave before the median does?",
    of_rows(lambda rows, *ends: (sorted(set(rows)), *ends)),
)
CLAIM.mistake(
    "the ends of the domain are left out",
    "where does a row go to do most harm: only to where another one is?",
    of_rows(lambda rows, *ends: (rows, rows[0], rows[-1])),
)
CLAIM.mistake("the rows are not sorted", "which row is in the middle?", unsorted)
