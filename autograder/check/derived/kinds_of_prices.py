"""Questions about the cost of several noisy counts together.

All noise is Laplace noise, drawn apart. Then the least epsilon is the most that two neighbors'
counts differ by, each in scales of its noise, added up: a density falls by so much, and no more.
"""

import math
from collections.abc import Callable, Sequence
from itertools import product

from autograder.check.derived.question import DrawnQuestion, Misstep
from autograder.check.leaks.fixed_chance import FixedChance

_SCALES = (4, 5, 8, 10, 16, 20, 25, 40, 50)
_PLACES = ("library", "museum", "clinic", "school", "gym", "ferry")
_RELATIONS = ("add_remove", "replace_one")
_TOGETHER = "What ε does all of it cost together?"
_NEIGHBORS = {
    "add_remove": "Neighbors are `add_remove`, and one row is one person.",
    "replace_one": "Neighbors are `replace_one`, and one row is one person.",
}
_MOVED = "a replaced row may go from any kind of person to any other: which counts does that move?"
_IN_ALL = "which one person is in as many of these counts as can be?"

Row = tuple[int, int]  # an area and an age
_ROWS: tuple[Row, ...] = tuple(product(range(5), range(100)))
# A noisy count: what it counts, and the scale of its noise.
Release = tuple[Callable[[Row], bool], float]


def price(releases: Sequence[Release], relation: str) -> float:
    """Return the least epsilon of noisy counts together."""
    kinds = {tuple(int(counted(row)) for counted, _ in releases) for row in _ROWS}
    others = kinds if relation == "replace_one" else {(0,) * len(releases)}
    scales = [scale for _, scale in releases]
    return max(
        math.fsum(abs(a - b) / c for a, b, c in zip(one, other, scales, strict=True))
        for one in kinds
        for other in others
    )


def _in_area(area: int) -> Callable[[Row], bool]:
    return lambda row: row[0] == area


def _older(age: int) -> Callable[[Row], bool]:
    return lambda row: row[1] > age


def _everybody(row: Row) -> bool:
    return True


def limits(chance: FixedChance) -> DrawnQuestion:
    """Counts above growing limits: an old person is in all of them."""
    (one, other), relation = chance.permuted(_SCALES)[:2], chance.pick(_RELATIONS)
    ages = [10 * each for each in range(2, 2 + chance.pick((4, 5, 6)))]
    many = len(ages)
    text = (
        f"A {chance.pick(_PLACES)} publishes how many visitors are older than "
        f"{', '.join(map(str, ages[:-1]))} and {ages[-1]}: {many} counts, each with noise of scale "
        f"{one}. It also publishes how many visitors there are at all, with noise of scale {other}."
    )
    answer = price([*((_older(age), one) for age in ages), (_everybody, other)], relation)
    mistakes = (
        Misstep(1 / one + 1 / other, "the limits are taken for a histogram", _IN_ALL),
        Misstep(2 / one + 1 / other, "the limits are taken for a histogram", _IN_ALL),
        Misstep(1 / one, "the limits are taken for a histogram", _IN_ALL),
        Misstep(2 * many / one, "each limit is moved twice", _MOVED),
        Misstep(2 * many / one + 1 / other, "each limit is moved twice", _MOVED),
        Misstep(many / one + 2 / other, "the number of all is moved twice", _MOVED),
        Misstep(
            many / one + 1 / other,
            "the number of all is charged, although a replaced row does not move it",
            _MOVED,
        ),
        Misstep(many / one, "the number of all is left out", "does it move for these neighbors?"),
    )
    return DrawnQuestion(f"{text} {_NEIGHBORS[relation]} {_TOGETHER}", answer, mistakes)


def histogram_and_count(chance: FixedChance) -> DrawnQuestion:
    """A histogram, and a count that anybody may be in."""
    (one, other), relation = chance.permuted(_SCALES)[:2], chance.pick(_RELATIONS)
    age, areas = chance.pick((18, 40, 65)), chance.pick((4, 5))
    text = (
        f"A {chance.pick(_PLACES)} publishes how many visitors live in each of {areas} areas, each "
        f"count with noise of scale {one}, and how many visitors are older than {age}, with noise "
        f"of scale {other}. A visitor lives in one of these areas."
    )
    cells = [(_in_area(each), one) for each in range(5)]
    answer = price([*cells, (_older(age), other)], relation)
    twice = "for these neighbors, how many counts of the histogram can one person move?"
    mistakes = (
        Misstep(areas / one + 1 / other, "every count of the histogram is charged", twice),
        Misstep(max(1 / one, 1 / other), "only the dearest release counts", _IN_ALL),
        Misstep(1 / one + 1 / other, "a replaced row moves two counts of the histogram", twice),
        Misstep(2 / one + 1 / other, "a row that comes moves one count of the histogram", twice),
        Misstep(2 / one + 2 / other, "the last count is moved twice", _MOVED),
        Misstep(2 / one, "the last count is left out", _IN_ALL),
        Misstep(1 / one, "the last count is left out", _IN_ALL),
    )
    return DrawnQuestion(f"{text} {_NEIGHBORS[relation]} {_TOGETHER}", answer, mistakes)


def districts(chance: FixedChance) -> DrawnQuestion:
    """Two districts with noise of different scales, and all people."""
    (north, south, whole), relation = chance.permuted(_SCALES)[:3], chance.pick(_RELATIONS)
    text = (
        f"A county has two districts. It publishes how many people live in the north, with noise "
        f"of scale {north}, how many in the south, with noise of scale {south}, and how many in "
        f"the whole county, with noise of scale {whole}. Everybody in its table "
        "lives in one of the two."
    )
    low = (lambda row: row[0] > 0, south)
    answer = price([(_in_area(0), north), low, (_everybody, whole)], relation)
    one, other, both = 1 / north, 1 / south, 1 / whole
    dearer, cheaper = max(one, other), min(one, other)
    mistakes = (
        Misstep(one + other + both, "all three are added up", _IN_ALL),
        Misstep(max(one, other, both), "only the dearest release counts", _IN_ALL),
        Misstep(dearer + both, "a replaced row is taken for one that comes", _MOVED),
        Misstep(cheaper + both, "the cheaper district is taken", "the promise is for everybody."),
        Misstep(one + other, "a row that comes is taken for one that is replaced", _IN_ALL),
        Misstep(2 * dearer, "both districts are charged as the dearer one", _MOVED),
        Misstep(2 * dearer + both, "both districts are charged as the dearer one", _MOVED),
        Misstep(dearer, "the whole county is left out", _IN_ALL),
        Misstep(one + other + 2 * both, "all three are added up", _MOVED),
    )
    return DrawnQuestion(f"{text} {_NEIGHBORS[relation]} {_TOGETHER}", answer, mistakes)


def weeks(chance: FixedChance) -> DrawnQuestion:
    """A person with several rows, in some weeks of many."""
    scale, weeks, most = chance.pick(_SCALES), chance.pick((26, 40, 52)), chance.pick((3, 4, 6, 9))
    text = (
        f"For {weeks} weeks a {chance.pick(_PLACES)} publishes how many people came in that week, "
        f"each time with new noise of scale {scale}, and at the end the average of these "
        f"{weeks} published numbers. A card lets a person come in at most {most} of the weeks. "
        f"Neighbors are all rows of one person more or less. {_TOGETHER}"
    )
    rows = "how many of the weekly counts can one card holder be in?"
    mistakes = (
        Misstep(weeks / scale, "every week is charged", rows),
        Misstep(1 / scale, "only one week is charged", rows),
        Misstep((most + 1) / scale, "the average is charged", "what is the average made of?"),
        Misstep((weeks + 1) / scale, "the average is charged", "what is the average made of?"),
        Misstep(2 * most / scale, "the person is counted twice", rows),
    )
    return DrawnQuestion(text, most / scale, mistakes)


def margins(chance: FixedChance) -> DrawnQuestion:
    """A crosstab, its margins from noisy cells, and one fresh count."""
    (cell, fresh), relation = chance.permuted(_SCALES)[:2], chance.pick(_RELATIONS)
    areas = chance.pick((3, 4, 5))
    text = (
        f"A {chance.pick(_PLACES)} publishes a table of its visitors: {areas} areas in rows, and "
        f"two columns, up to 40 years and older. Each of the {2 * areas} counts has noise of scale "
        f"{cell}. Beside the table stand the sums of each row and column, added up from the noisy "
        f"counts. Then the count of the first area's people is published once more, with new "
        f"noise of scale {fresh}."
    )
    cells = [
        (lambda row, a=area, old=old: row[0] == a and (row[1] > 40) == old, cell)
        for area, old in product(range(5), (False, True))
    ]
    answer = price([*cells, (_in_area(0), fresh)], relation)
    free = "what are the sums computed from?"
    twice = "for these neighbors, how many cells can one person move?"
    mistakes = (
        *(
            Misstep(n / cell + extra, "the sums of rows and columns are charged", free)
            for n in (3, 6)
            for extra in (0, 1 / fresh)
        ),
        Misstep(1 / cell + 1 / fresh, "a replaced row moves two cells", twice),
        Misstep(2 / cell + 1 / fresh, "a row that comes moves one cell", twice),
        Misstep(1 / cell, "the fresh count is left out", "is it computed from noisy counts?"),
        Misstep(2 / cell, "the fresh count is left out", "is it computed from noisy counts?"),
        Misstep(2 / cell + 2 / fresh, "the fresh count is moved twice", _MOVED),
        Misstep(2 * areas / cell + 1 / fresh, "every cell is charged", twice),
    )
    return DrawnQuestion(f"{text} {_NEIGHBORS[relation]} {_TOGETHER}", answer, mistakes)


def one_draw(chance: FixedChance) -> DrawnQuestion:
    """One draw of noise for two counts, or one noisy count in two forms."""
    scale, shared, age = chance.pick(_SCALES), chance.pick((True, False)), chance.pick((18, 40, 65))
    begin = (
        f"A {chance.pick(_PLACES)} draws one number z from the Laplace law of scale {scale}. It "
        f"publishes the number of visitors older than {age}, plus z,"
    )
    draw = "take the difference of the two published numbers: what is in it?"
    if shared:
        text = f"{begin} and the number of visitors older than 10, plus the same z."
        answer = math.inf
    else:
        text = f"{begin} and half of this noisy number, rounded."
        answer = 1 / scale
    mistakes = (
        Misstep(1 / scale, "the shared noise is taken to hide both counts", draw),
        Misstep(2 / scale, "two answers are charged as if each had its own noise", draw),
        Misstep(1.5 / scale, "two answers are charged as if each had its own noise", draw),
        Misstep(math.inf, "what is computed from a release is charged", draw),
    )
    none = "(If no ε is enough, the answer is `math.inf`.)"
    return DrawnQuestion(f"{text} {_NEIGHBORS['add_remove']} {_TOGETHER} {none}", answer, mistakes)


PRICES = (limits, histogram_and_count, districts, weeks, margins, one_draw)
