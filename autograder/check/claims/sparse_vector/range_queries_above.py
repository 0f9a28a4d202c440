"""Ranges worth answering: half of epsilon finds them by `sparse`, half pays for their numbers."""

import itertools
from collections import Counter
from typing import Any

import numpy as np

from autograder.check.additive import AdditiveClaim
from autograder.check.answers import BadAnswer, as_number
from autograder.check.claims.composition._noisy_counts import raise_if_order_tells
from autograder.check.claims.laplace._laplace_noise import noise_mistakes
from autograder.check.claims.selection._noise import Noise
from autograder.check.claims.sparse_vector import _sparse_vector as sparse_vector
from autograder.check.claims.sparse_vector._range_edges import number_edges, search_edges
from autograder.check.claims.sparse_vector._range_tables import draw_clear_tables, draw_tables
from autograder.check.claims.sparse_vector._sparse_vector import reports_law
from autograder.check.claims.sparse_vector._threshold_mistakes import scale_mistakes
from autograder.check.judge import ALPHA
from autograder.check.mistakes import Mistake
from autograder.check.outcomes import OutcomeClaim
from autograder.check.several import SeveralClaims
from ville.distributions import laplace


def _arguments(p: dict) -> tuple[tuple, dict]:
    keywords = {name: p[name] for name in ("threshold", "count", "epsilon")}
    return (np.array(p["values"]),), {"ranges": list(p["ranges"]), **keywords}


def _numbers(p: dict, *, lower: bool = True, upper: bool = False) -> np.ndarray:
    """Return how many values lie in each range, with its bounds or without them."""
    if lower and not upper:
        return np.array(p["numbers"])  # asked for at each answer
    values, bounds = np.array(p["values"]), np.array(p["ranges"])
    above = (np.greater_equal if lower else np.greater)(values, bounds[:, :1])
    below = (np.less_equal if upper else np.less)(values, bounds[:, 1:])
    return (above & below).sum(axis=1)


def _offsets(p: dict, numbers=None) -> tuple[float, ...]:
    numbers = _numbers(p) if numbers is None else numbers
    return tuple(((numbers - p["threshold"]) * p["epsilon"] / (2 * p["count"])).tolist())


def _with(p: dict, threshold: Noise, answer: Noise) -> dict:
    return reports_law(_offsets(p), p["count"], threshold, answer)


def _law(p: dict) -> dict:
    # Dwork & Roth (2014), algorithm 2 with delta = 0, at half of epsilon.
    law = _with(p, Noise(2.0), Noise(4.0))
    return _with_sides(law) if p.get("with_sides") else law


def _with_sides(law: dict) -> dict:
    """Return the law of what is found and on which side its number lies: even chances for each."""
    return {
        tuple(f"{place} too {side}" for place, side in zip(found, sides, strict=True)): (
            chance / 2 ** len(found)
        )
        for found, chance in law.items()
        for sides in itertools.product(("low", "high"), repeat=len(found))
    }


def _times(factor):
    return lambda p: _with(p, Noise(2.0 * factor(p)), Noise(4.0 * factor(p)))


def _found(answer: Any, p: dict) -> dict[int, Any]:
    """Return the numbers that came back by the index of their range; or raise BadAnswer."""
    if answer is None:
        raise BadAnswer("it returns nothing", ask="what should come back if no range holds enough?")
    if not isinstance(answer, dict):
        raise BadAnswer(
            "a dictionary is wanted: range -> noisy number",
            seen=f"it returned {type(answer).__name__}",
            ask="how does a reader learn which number belongs to which range?",
        )
    strange = [key for key in answer if key not in p["ranges"]]
    if strange:
        indices = all(key in range(len(p["ranges"])) for key in answer)
        raise BadAnswer(
            "the keys are indices, not ranges" if indices else "a key is not one of the ranges",
            seen=f"the keys are {list(answer)}",
            ask="which pair (lower, upper) stands at that place of `ranges`?",
        )
    return {p["ranges"].index(key): number for key, number in answer.items()}


def _indices(answer: Any, p: dict) -> tuple:
    found = _found(answer, p)
    places = sparse_vector.indices_of(sorted(found), len(p["ranges"]), p["count"])
    if not p.get("with_sides"):
        return places
    exact = _numbers(p)
    sides = ["low" if as_number(found[place]) < exact[place] else "high" for place in places]
    return tuple(f"{place} too {side}" for place, side in zip(places, sides, strict=True))


def _certain(p: dict) -> list[int]:
    """Return the indices of the ranges that are found whatever the chance."""
    return np.flatnonzero(_numbers(p) > p["threshold"])[: p["count"]].tolist()


def _noisy_numbers(answer: Any, p: dict) -> np.ndarray:
    """Return the noisy numbers of the ranges that any right answer finds, in their order."""
    found, wanted = _found(answer, p), _certain(p)
    sparse_vector.indices_of(sorted(found), len(p["ranges"]), p["count"])  # no more than `count`
    if sorted(found) != wanted:
        if sorted(found) == [place for place in wanted if _numbers(p)[place]]:
            raise BadAnswer(_NO_EMPTY, ask=_VANISHED)
        if len(found) == len(wanted) and set(found) <= set(
            np.flatnonzero(_numbers(p) > p["threshold"])
        ):
            raise BadAnswer(
                "the ranges found are not the first ones above the threshold",
                seen=f"it found {_said(tuple(sorted(found)))}",
                ask="in which order are the ranges given, and in which one do you ask?",
            )
        raise BadAnswer(
            "the ranges found are not those that hold many",
            seen=f"it found {_said(tuple(sorted(found)))}",
            ask="does your function count in the values that it is given?" + _one_value(p),
        )
    numbers = {place: as_number(number) for place, number in found.items()}
    raise_if_order_tells([p["numbers"][place] for place in numbers], list(numbers.values()))
    return np.array([numbers[place] for place in wanted])


def _one_value(p: dict) -> str:
    """Ask about one value that is in a range, and about one that several people have."""
    for value in p["values"]:
        for lower, upper in p["ranges"]:
            if lower <= value < upper:
                words = f" For example, is {value} in the range ({lower}, {upper})?"
                same, often = Counter(p["values"]).most_common(1)[0]
                return words + f" And {often} values are {same}: does each of them count?"
    return ""


def _said(outcome: tuple) -> str:
    if not outcome:
        return "no range"
    alone = len(outcome) == 1 and not isinstance(outcome[0], str)
    places = f"range {outcome[0]} alone" if alone else f"ranges {_listed(outcome)}"
    return f"{places} (counted from 0)"


def _listed(numbers) -> str:
    return ", ".join(map(str, numbers))


def _situation(p: dict) -> str:
    return (
        f"ranges with {_listed(_numbers(p))} values, threshold {p['threshold']}, "
        f"count {p['count']}, epsilon {p['epsilon']:g}"
    )


def _without_empty(p: dict) -> dict:
    """What is found is reported, but for ranges that hold nobody."""
    held, law = _numbers(p) > 0, {}
    for found, chance in _law(p).items():
        shown = tuple(place for place in found if held[place])
        law[shown] = law.get(shown, 0.0) + chance
    return law


_NO_EMPTY = "an empty range is never reported"
_VANISHED = "if its only person leaves, may a range vanish from what can be reported?"
_HALVES = "finding the ranges costs something, and so do their numbers: what is left for each?"
_BOUNDS = "who is in a range (lower, upper): somebody exactly at lower, somebody exactly at upper?"
_COUNT = "how many numbers may be released in all, and what do they cost together?"

# The same laws, or nearly, have names below that say more here.
_SAID_OTHERWISE = ("the threshold's noise is halved", "all noise is halved", "all noise is doubled")

_MISTAKES = (
    *scale_mistakes(_with, without=_SAID_OTHERWISE),
    Mistake("epsilon is not halved for the search", _times(lambda p: 0.5), _HALVES),
    Mistake("the search gets a quarter of epsilon", _times(lambda p: 2.0), _HALVES),
    Mistake(
        "the search does not divide epsilon by the count", _times(lambda p: 1 / p["count"]), _COUNT
    ),
    Mistake(
        "epsilon is neither halved nor divided by the count",
        _times(lambda p: 0.5 / p["count"]),
        _COUNT,
    ),
    Mistake(
        "the noisy threshold is kept for all runs",
        lambda p: sparse_vector.reports_law_with_one_threshold(
            _offsets(p), p["count"], Noise(2.0), Noise(4.0)
        ),
        "what does a new run of `sparse` begin with?",
    ),
    Mistake(
        _NO_EMPTY,
        _without_empty,
        _VANISHED,
    ),
    Mistake(
        "only one range is ever found",
        lambda p: reports_law(_offsets(p), 1, Noise(2.0), Noise(4.0)),
        "how many ranges may be reported?",
    ),
)


def _scale(p: dict) -> float:
    # Laplace mechanism: `count` numbers, each moved by at most 1, for epsilon / 2.
    return 2 * p["count"] / p["epsilon"]


def _noise(factor):
    return lambda p: laplace(_scale(p) * factor(p))


def _counted(**bounds):
    """Return the noise of each number when the bounds of a range are in it, or not."""

    def laws(p: dict) -> list:
        moved = (_numbers(p, **bounds) - _numbers(p))[_certain(p)]
        return [laplace(_scale(p), float(each)) for each in moved]

    return laws


_NOISE_MISTAKES = (
    Mistake("values at the lower bound are left out", _counted(lower=False), _BOUNDS),
    Mistake("values at the upper bound are counted", _counted(upper=True), _BOUNDS),
    Mistake("the lower bound is out, the upper one in", _counted(lower=False, upper=True), _BOUNDS),
    Mistake("epsilon is not halved for the numbers", _noise(lambda p: 0.5), _HALVES),
    Mistake("the numbers' noise does not know the count", _noise(lambda p: 1 / p["count"]), _COUNT),
    Mistake(
        "epsilon is neither halved nor divided for the numbers",
        _noise(lambda p: 0.5 / p["count"]),
        _COUNT,
    ),
    Mistake("the numbers' noise is doubled", _noise(lambda p: 2.0), _HALVES),
    Mistake(
        "the noisy numbers of the search are released",
        _noise(lambda p: 4.0),
        "what does it cost to publish the number that was compared? Is new noise drawn?",
    ),
    Mistake(
        "the numbers' noise is made for as many as are found",
        _noise(lambda p: len(_certain(p)) / p["count"]),
        "how many numbers were paid for, and is it known before how many will be found?",
    ),
    Mistake("epsilon is ignored for the numbers", _noise(lambda p: p["epsilon"]), _HALVES),
    *noise_mistakes(_scale, "2 * count / epsilon"),
)

_SHARED = {
    "name": "range_queries_above",
    "arguments": _arguments,
    "situation": _situation,
    "level": ALPHA / 2,
}

_SEARCH = OutcomeClaim(
    **_SHARED,
    ask_first="does your code count as many values in each range as are shown here?",
    established="the ranges found follow the law of sparse at epsilon / 2",
    parameters=draw_tables,
    designed=search_edges,
    edge_work=0.02,
    law=_law,
    outcome=_indices,
    say=_said,
    mistakes=_MISTAKES,
    least_rate=0.01,
)

_NUMBERS = AdditiveClaim(
    **_SHARED,
    established="Laplace noise of scale 2 * count / epsilon",
    law_name="Laplace",
    parameters=draw_clear_tables,
    designed=number_edges,
    edge_work=0.02,
    exact=lambda p: _numbers(p)[_certain(p)].astype(float),
    scale=_scale,
    law=laplace,
    mistakes=_NOISE_MISTAKES,
    read=_noisy_numbers,
)

CLAIM = SeveralClaims(
    name="range_queries_above",
    about=(
        "Check `range_queries_above(values, *, ranges, threshold, count, epsilon)`: the noisy "
        "numbers of the first ranges that hold many."
    ),
    established="sparse at epsilon / 2 finds the ranges, Laplace noise for the other half",
    parts=(_NUMBERS, _SEARCH),
)
