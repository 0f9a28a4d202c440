"""What a test before a release is often taken to be: how often it then passes."""

import math

from autograder.check.claims.local_sensitivity._rows import outermost_sensitivity, tables_away
from autograder.check.claims.local_sensitivity._tested_release import (
    passing,
    releases,
    true_distance,
    true_threshold,
)
from autograder.check.mistakes import Mistake


def _with_threshold(threshold):
    return releases(passing(threshold=threshold))


def _with_distance(distance):
    return releases(passing(distance))


def _not_halved(p: dict) -> float:
    """Return the distance as if a middle row moved the median by its own move."""
    share = 1 if len(p["values"]) % 2 else 2
    return tables_away(p["values"], p["bound"] / share, p["lower"], p["upper"])


def _by_the_outermost(p: dict) -> float:
    return tables_away(p["values"], p["bound"], p["lower"], p["upper"], outermost_sensitivity)


def _at_the_bound(p: dict) -> float:
    """Return the distance as if a sensitivity equal to the bound were above it."""
    return tables_away(p["values"], math.nextafter(p["bound"], 0), p["lower"], p["upper"])


def _of_unclipped_rows(p: dict) -> float:
    """Return the distance as if the domain held all rows."""
    low, high = min(p["lower"], *p["values"]), max(p["upper"], *p["values"])
    return tables_away(p["values"], p["bound"], low, high)


def _with_one_row_left(p: dict) -> float:
    """Return the distance as if one row always stayed."""
    distance = true_distance(p)
    return distance if distance < len(p["values"]) else math.inf


_NONE = "None comes back too often or too rarely"
_SELDOM = "None comes back too seldom"
_TAIL = "which number does Laplace noise of scale 1 / epsilon exceed with probability delta?"
_WASTE = (
    "your promise holds, and None comes more often than it must: does the noise alone exceed your "
    "threshold with probability delta, or with less?"
)
_AGAIN = "at distance 0 one test passes with probability delta: and one of two tests, or of three?"
_GAPS = "which rows may stand on the two sides of the gap beside the median?"
CLIPPED = "what happens to a row outside the domain, before anything else?"


def _tried(times: int):
    """Return the law when a failed test is tried again, so many times in all."""
    return releases(lambda p: 1 - (1 - passing()(p)) ** times)


PASSING_MISTAKES = (
    *(
        Mistake(f"a failed test is tried {words} more", _tried(1 + more), _AGAIN, _SELDOM)
        for words, more in {"once": 1, "twice": 2, "four times": 4, "nine times": 9}.items()
    ),
    Mistake(
        "the threshold is ln(2/delta) / (2*epsilon)",
        _with_threshold(lambda p: math.log(2 / p["delta"]) / (2 * p["epsilon"])),
        "at distance 0 the test must pass with probability delta: how often does yours?",
        _NONE,
    ),
    Mistake(
        "the threshold ln(1/delta) / epsilon is private, and wasteful",
        _with_threshold(lambda p: math.log(1 / p["delta"]) / p["epsilon"]),
        _WASTE,
        _NONE,
    ),
    Mistake(
        "the threshold ln(2/delta) / epsilon is private, and wasteful",
        _with_threshold(lambda p: math.log(2 / p["delta"]) / p["epsilon"]),
        _WASTE,
        _NONE,
    ),
    Mistake(
        "the threshold is ln(1/(2*delta)) without epsilon",
        _with_threshold(lambda p: math.log(1 / (2 * p["delta"]))),
        _TAIL,
        _NONE,
    ),
    Mistake(
        "the test has no noise",
        releases(lambda p: float(true_distance(p) > true_threshold(p))),
        "the distance is a number about the data: may the test look at it without noise?",
        "at these rows either None or a number comes every time",
    ),
    Mistake(
        "the noisy test decides only where the distance is not above the threshold",
        releases(lambda p: 1.0 if true_distance(p) > true_threshold(p) else passing()(p)),
        "the distance is a number about the data: may the test look at it without noise?",
        "at a distance above the threshold, None never comes back",
    ),
    Mistake(
        "the test never fails",
        releases(lambda p: 1.0),
        "what happens to the guarantee if the bound is too small? What does a second test cost?",
        "None never comes back",
    ),
    Mistake(
        "it never releases",
        releases(lambda p: 0.0),
        "on which side of the threshold is a distance that is large enough?",
        "None comes back every time",
    ),
    Mistake(
        "at distance 0 nothing is released",
        releases(lambda p: passing()(p) if true_distance(p) else 0.0),
        "a table at distance 0 never passes, one at distance 1 does now and then: what is learned?",
        "None comes back every time",
    ),
    Mistake(
        "the test is upside down",
        releases(lambda p: 1 - passing()(p)),
        "is a table far from high sensitivity a good one to release, or a bad one?",
        _NONE,
    ),
    Mistake(
        "the noise of the test has scale 1",
        releases(passing(scale=lambda p: 1.0)),
        "the distance has sensitivity 1: which scale does epsilon ask for?",
        _NONE,
    ),
    Mistake(
        "the noise of the test is doubled",
        releases(passing(scale=lambda p: 2 / p["epsilon"])),
        "one row moves the distance by how much? And how much epsilon has the test?",
        _NONE,
    ),
    Mistake(
        "the noise of the test has scale bound / epsilon",
        releases(passing(scale=lambda p: p["bound"] / p["epsilon"])),
        "what is the sensitivity of the distance?",
        _NONE,
    ),
    Mistake(
        "the distance is one too large",
        _with_distance(lambda p: true_distance(p) + 1),
        _GAPS,
        _NONE,
    ),
    Mistake(
        "the distance is one too small",
        _with_distance(lambda p: true_distance(p) - 1),
        _GAPS,
        _NONE,
    ),
    Mistake(
        "a local sensitivity equal to the bound counts as above it",
        _with_distance(_at_the_bound),
        "is noise for the bound too little where the local sensitivity equals the bound?",
        "None comes back too often where tables reach the bound exactly",
    ),
    Mistake(
        "the tables in which all rows are replaced are left out",
        _with_distance(_with_one_row_left),
        "how many rows may be replaced at most: all of them, or all but one?",
        "None never comes back where only such a table is above the bound",
    ),
    Mistake("only the outermost two gaps are looked at", _with_distance(_by_the_outermost), _GAPS),
    Mistake(
        "the half for an even number of rows is missing",
        _with_distance(_not_halved),
        "the median of an even number of rows is a mean of two: how many of the two move?",
        _NONE,
    ),
    Mistake(
        "the distance is that of the rows unclipped",
        _with_distance(_of_unclipped_rows),
        CLIPPED,
        _NONE,
    ),
    Mistake(
        "the test passes too often",
        _with_threshold(lambda p: true_threshold(p) - 0.39 / p["epsilon"]),
        _TAIL,
        _SELDOM,
    ),
    Mistake(
        "the test passes too seldom",
        _with_threshold(lambda p: true_threshold(p) + 0.39 / p["epsilon"]),
        _TAIL,
        "None comes back too often",
    ),
)
