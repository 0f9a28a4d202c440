"""The automatic clipping bound: above threshold asks how many values exceed each candidate."""

from collections.abc import Iterator

import numpy as np

from autograder.check.answers import BadAnswer, as_number
from autograder.check.claims.selection._noise import Noise, stop_law
from autograder.check.claims.sparse_vector._sparse_vector import found_by_halves
from autograder.check.claims.sparse_vector._threshold_mistakes import (
    left_out_now_and_then,
    scale_mistakes,
    stop_mistakes,
)
from autograder.check.designed import at_edges
from autograder.check.mistakes import Mistake, mistakes_by
from autograder.check.outcomes import OutcomeClaim
from autograder.check.signature import taking

# How many values exceed each candidate, in units of 1 / epsilon; then epsilon. Found by a search.
_SETTINGS = (
    ((10.0, 7.0, 5.0, 4.0, 0.0), (0.3, 0.45)),
    ((6.5, 6.0, 5.5, 5.0, 4.5, 4.0, 3.5, 0.0), (0.7, 0.9)),
    ((4.0, 0.0, 0.0, 0.0, 0.0, 0.0), (0.5, 0.7)),
    # Nearly every candidate is as good as the one that nobody exceeds.
    ((0.5,) * 60 + (0.0,), (0.3, 0.45)),
)


def _parameters(generator: np.random.Generator) -> Iterator[dict]:
    """Return four tables: a tail, one so long that most bounds are exceeded, none, and a single
    person or two above all candidates but the last.

    A quarter of all values equal a candidate, and twice as many exceed one by less than a half.
    """
    for exceeding, epsilons in _SETTINGS:
        epsilon = round(generator.uniform(*epsilons), 2)
        yield _setting(generator, np.array(exceeding), epsilon)


def _setting(generator, exceeding: np.ndarray, epsilon: float) -> dict:
    """Return a table in which so many values exceed each candidate, in units of 1 / epsilon."""
    bounds = np.cumsum(generator.integers(12, 40, len(exceeding))).astype(float)
    values = _with_exceeding(generator, bounds, np.round(exceeding / epsilon).astype(int))
    # A size is no value: nobody of these is above a bound.
    values += [-bounds[-1] - 10.0] * 6
    return {
        "values": generator.permutation(values).tolist(),
        "candidates": bounds.tolist(),
        "epsilon": epsilon,
    }


def _designed(generator: np.random.Generator) -> list[tuple[str, dict]]:
    """Return a table with many candidates, one with a single value, one with values below 0, one
    with values above all candidates, and the edges of epsilon.
    """
    many = _setting(generator, np.linspace(18, 0, int(generator.integers(105, 125))), 0.4)
    low = _setting(generator, np.array([6.0, 3.0, 0.0, 0.0]), 0.7)
    low["values"] += [-10 * low["candidates"][-1]] * 40
    # A hundredth of all is far more than the noise, and than what exceeds the first bound.
    crowd = _setting(generator, np.array([25.0, 12.0, 4.0, 0.0]), 0.7)
    crowd["values"] += [crowd["candidates"][0] - 5.0] * 6_000
    one = {"values": [31.0], "candidates": [20.0, 31.0, 44.0], "epsilon": 0.9}
    return [
        ("more than 100 candidates", many),
        ("one value", one),
        ("values far below 0", low),
        ("6,000 values", crowd),
        ("values above every candidate", _setting(generator, np.array([12.0, 11.0, 10.0]), 0.7)),
        *(
            (f"epsilon {each}", _setting(generator, np.array([6.0, 4.0, 2.0, 0.0]), each))
            for each in at_edges("epsilon", generator)
        ),
    ]


def _with_exceeding(generator, bounds: np.ndarray, numbers: np.ndarray) -> list[float]:
    """Return values so many of which exceed each bound: between two bounds, or at the upper one."""
    values = [bounds[0] - 5.0] * 5 + [bounds[0]] * 3
    for place, inside in enumerate(-np.diff(numbers)):
        low, high = bounds[place], bounds[place + 1]
        # Where one gap holds all that exceed a bound, the largest value is no candidate.
        equal = int(np.ceil(inside / 3)) if inside < numbers[0] or len(numbers) < 3 else 0
        near = 3 * (inside - equal) // 4
        values += [high] * equal + generator.uniform(low + 0.1, low + 0.3, near).tolist()
        values += generator.uniform(low + 1, high - 1, inside - equal - near).tolist()
    values += (bounds[-1] + generator.uniform(1, 40, numbers[-1])).tolist()
    return [round(float(value), 1) for value in values]


def _exceeding(p: dict) -> np.ndarray:
    return (np.array(p["values"]) > np.array(p["candidates"])[:, None]).sum(axis=1)


def _offsets(p: dict, answers=None) -> tuple[float, ...]:
    answers = -_exceeding(p) if answers is None else answers
    return tuple((np.asarray(answers, dtype=float) * p["epsilon"]).tolist())


def _by_bound(p: dict, law: np.ndarray) -> dict:
    """Return a law of indices as one of candidates: None gives the largest."""
    law = np.append(law[:-2], law[-2:].sum())
    return dict(zip(p["candidates"], law.tolist(), strict=True))


def _with(p: dict, threshold: Noise, answer: Noise) -> dict:
    return _by_bound(p, stop_law(_offsets(p), threshold, answer))


def _law(p: dict) -> dict:
    # Dwork & Roth (2014), algorithm 1, with minus the number of values above as the answer.
    return _with(p, Noise(2.0), Noise(4.0))


def _asked(answers):
    """Return the law when above threshold is given other answers."""
    return lambda p: _by_bound(p, stop_law(_offsets(p, answers(p)), Noise(2.0), Noise(4.0)))


def _clipped_sums(p: dict) -> np.ndarray:
    """Return by how much the clipped sum would still grow from each bound to the next."""
    sums = np.minimum(np.array(p["values"]), np.array(p["candidates"])[:, None]).sum(axis=1)
    return sums - np.append(sums[1:], sum(p["values"]))


def _growth(p: dict) -> np.ndarray:
    """Return by how much the sum grows when each bound is raised by 1."""
    over = np.array(p["values"]) - np.array(p["candidates"])[:, None]
    return np.clip(over, 0, 1).sum(axis=1)


def _moved(step: int):
    """Return the law when the candidate `step` places away is returned."""

    def law(p: dict) -> dict:
        *found, none = stop_law(_offsets(p), Noise(2.0), Noise(4.0)).tolist()
        moved, last = dict.fromkeys(p["candidates"], 0.0), len(found) - 1
        for place, probability in enumerate(found):
            moved[p["candidates"][min(max(place + step, 0), last)]] += probability
        moved[p["candidates"][-1]] += none
        return moved

    return law


def _largest_instead_of_first(p: dict) -> dict:
    """The index 0 is taken for nothing found."""
    law = stop_law(_offsets(p), Noise(2.0), Noise(4.0))
    changed = dict(zip(p["candidates"], law[:-1].tolist(), strict=True))
    changed[p["candidates"][-1]] += float(law[-1]) + changed[p["candidates"][0]]
    changed[p["candidates"][0]] = 0.0
    return changed


def _first_instead_of_none(p: dict) -> dict:
    law = stop_law(_offsets(p), Noise(2.0), Noise(4.0))
    changed = dict(zip(p["candidates"], law[:-1].tolist(), strict=True))
    changed[p["candidates"][0]] += float(law[-1])
    return changed


_ANSWER = "what do you ask above_threshold for one candidate, and by how much can one person "

_MISTAKES = (
    # Half of the threshold's noise and no noise there are nearly the same here.
    *scale_mistakes(_with, without=["the threshold's noise is halved"]),
    left_out_now_and_then(
        _with, "of many bounds that are nearly as good, the one that nobody exceeds comes too often"
    ),
    Mistake(
        "epsilon is divided among the candidates",
        lambda p: _with(p, *(Noise(scale * len(p["candidates"])) for scale in (2.0, 4.0))),
        "how many of the answers must be paid for, if only the first above is published?",
    ),
    # The law of the first answer below is that of the answers with the other sign, further down.
    *stop_mistakes(_by_bound, _offsets)[:-1],
    Mistake(
        "the candidates are searched by halves, not one after the other",
        lambda p: _by_bound(p, found_by_halves(_offsets(p), Noise(2.0), Noise(4.0))),
        "which candidates does your search ask about, and in which order does above_threshold?",
    ),
    Mistake(
        "values equal to the bound count as above it",
        _asked(
            lambda p: -(np.array(p["values"]) >= np.array(p["candidates"])[:, None]).sum(axis=1)
        ),
        "is a value changed by clipping if it equals the bound?",
    ),
    Mistake(
        "the values are cut to whole numbers",
        _asked(lambda p: -(np.floor(p["values"]) > np.array(p["candidates"])[:, None]).sum(axis=1)),
        "is 30.4 above 30?",
    ),
    Mistake(
        "a value below 0 counts by its size",
        _asked(lambda p: -(np.abs(p["values"]) > np.array(p["candidates"])[:, None]).sum(axis=1)),
        "is -500 above 30?",
    ),
    Mistake(
        "people with the same value count once",
        _asked(lambda p: -_exceeding(p | {"values": np.unique(p["values"])})),
        "ten people have the value 40: how many of them exceed 30?",
    ),
    Mistake(
        "the growth of the clipped sum by 1 is asked, not a number of values",
        _asked(lambda p: -_growth(p)),
        "a value is the bound plus 0.5: what does it add to the growth, and to the number?",
    ),
    Mistake(
        "the share of values above is asked, not their number",
        _asked(lambda p: -_exceeding(p) / len(p["values"])),
        _ANSWER + "move it? Is the noise made for that?",
    ),
    Mistake(
        "the clipped sums of two bounds are compared",
        _asked(_clipped_sums),
        _ANSWER + "move it, if the bounds are 20 apart?",
    ),
    Mistake(
        "the number of values above is asked without its sign",
        _asked(_exceeding),
        "should the run stop at a bound that many exceed, or few?",
    ),
    Mistake(
        "the number of values at or below is asked",
        _asked(lambda p: len(p["values"]) - _exceeding(p)),
        "a bound is good if few values are above it: what does this number say of them?",
    ),
    *mistakes_by(
        _moved,
        {"the bound before the one found is returned": -1, "the bound after it is returned": 1},
        "which candidate is at the index that above threshold gives?",
    ),
    Mistake(
        "the smallest bound comes back when none is found good",
        _first_instead_of_none,
        "what is lost with the smallest bound, and what with the largest?",
    ),
    Mistake(
        "the largest bound comes back where index 0 was found",
        _largest_instead_of_first,
        "is 0 true or false in Python? What does `if index` do, if the index is 0?",
    ),
    Mistake(
        "the largest bound always comes back",
        lambda p: {p["candidates"][-1]: 1.0},
        "does the run ever stop before the end?",
    ),
)


def _bound_of(answer, p: dict) -> float:
    """Return the candidate that came back, or raise BadAnswer."""
    if answer is None:
        raise BadAnswer(
            "it returns nothing",
            ask="which bound should come back when above threshold gives None?",
        )
    bound = as_number(answer)
    if bound in p["candidates"]:
        return bound
    if bound in range(len(p["candidates"])):
        problem, ask = "the index comes back, not the bound", "which candidate is at that index?"
    elif bound in p["values"]:
        problem = "a value of the table comes back, not a candidate"
        ask = "whose value is it, and who learns it?"
    else:
        problem, ask = "what comes back is not one of the candidates", "which bounds are allowed?"
    raise BadAnswer(problem, seen=f"it returned {bound:g}", ask=ask)


_TOLD = 8  # candidates


def _situation(p: dict) -> str:
    bounds = _told([f"{each:g}" for each in p["candidates"]])
    numbers = _told([str(each) for each in _exceeding(p)])
    return f"candidates {bounds}, exceeded by {numbers} values; epsilon {p['epsilon']:g}"


def _told(words: list[str]) -> str:
    left_out = len(words) - _TOLD
    return ", ".join(words if left_out <= 0 else [*words[: _TOLD - 1], "...", words[-1]])


CLAIM = OutcomeClaim(
    about="Check `auto_clipping_bound(values, *, candidates, epsilon)`: a bound that few exceed.",
    established="the right bounds, whole values or not",
    parameters=_parameters,
    designed=_designed,
    arguments=taking("values, *, candidates, epsilon", values=np.array, candidates=list),
    law=_law,
    outcome=_bound_of,
    say=lambda outcome: f"the bound {outcome:g}",
    mistakes=_MISTAKES,
    least_rate=0.0075,
    situation=_situation,
    ask_first="does your code find as many values above each candidate as are shown here?",
)
