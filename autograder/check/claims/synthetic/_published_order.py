"""Whether published rows stand in the table's order: seen where there is little noise."""

import itertools
from collections.abc import Callable

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.claims.synthetic._published import ROWS, arguments, read_numbers
from autograder.check.counterexample import CounterexampleClaim

# Each of three attributes has a third; all of it is as much as the library's functions take.
_EPSILON = 30.0
_SCALE = 3 / _EPSILON
# All noise of a right answer in so many calls, of sixty numbers, has a gamma distribution: it is
# more than 150 of its scales with probability below 1e-15. In another order it must be a usual one.
_CALLS, _TOO_FAR, _USUAL = 6, 150.0, 100.0
# So many places, of rows in both columns, any sorted order is away: about 200 scales in all.
_MOVED = 14
_WORDS = ("topaz", "amber", "pearl")
_ORDERS = [list(each) for each in itertools.permutations(range(ROWS))]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return one setting whose two numeric columns are moved by any sorting."""
    while True:
        places = np.array([generator.permutation(ROWS) for _ in range(2)])
        orders = [order[::step] for order in np.argsort(places) for step in (1, -1)]
        if min(np.abs(places[:, order] - places).sum() for order in orders) >= _MOVED:
            break
    lower, width = int(generator.integers(100, 130)), 4 * int(generator.integers(12, 20))
    bounds = {"height": (lower, lower + width), "weight": (3, 15)}
    ends = zip(bounds, bounds.values(), places, strict=True)
    numbers = {name: (low + each / 4 * (up - low)).tolist() for name, (low, up), each in ends}
    return [
        {
            "bounds": bounds,
            "numbers": numbers,
            "categories": {"stone": list(_WORDS)},
            "codes": {"stone": generator.integers(0, len(_WORDS), ROWS).tolist()},
            "places": places.tolist(),
            "epsilon": _EPSILON,
        }
    ]


def _use(function: Callable, table, **keywords) -> list:
    """Return the rows of several calls."""
    return [function(table.copy(), **keywords) for _ in range(_CALLS)]


def _verify(parameters: dict, answers: list) -> None:
    """Raise BadAnswer if the rows are those of the table, and clearly in another order."""
    lower = np.array([low / (up - low) for low, up in parameters["bounds"].values()])
    came = [read_numbers(each, parameters).reshape(2, ROWS) - lower[:, None] for each in answers]
    exact = np.array(parameters["places"]) / (ROWS - 1)
    far = [np.abs(np.array(came) - exact[:, order]).sum() / _SCALE for order in _ORDERS]
    best = _ORDERS[int(np.argmin(far))]
    if far[0] > _TOO_FAR and min(far) < _USUAL:
        raise BadAnswer(
            "the rows come in another order than the table's",
            seen=f"your rows are, with little noise, the table's rows number "
            f"{', '.join(str(place + 1) for place in best)}",
            ask="which step sorts or regroups them? What does one changed row then do to others?",
        )


ORDER = CounterexampleClaim(
    name="publish_records",
    established="rows in the table's order",
    cases=_cases,
    arguments=arguments,
    use=_use,
    verify=_verify,
    situation=lambda p: f"2 numeric and 1 other column, epsilon {p['epsilon']:g}",
)
