"""How often whole noise, or noise on any grid, tells which of two inputs an output came from."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return noise on whole numbers and on finer grids, two-sided and one-sided, with gaps."""
    cases = []
    for step, distance, low, high, gaps in (
        (1.0, 1, -4, 4, 0),
        (1.0, 1, -3, 5, 2),
        (1.0, 2, 0, 6, 0),
        (1.0, 3, -5, 3, 3),
        (0.5, 1, -6, 6, 2),
        (0.25, 1, -4, 9, 3),
        (0.5, 0.25, -3, 3, 0),
        (1.0, 5, -2, 2, 0),
    ) * 3:
        places = np.arange(low, high + int(generator.integers(1, 4)))
        kept = np.sort(generator.permutation(places)[gaps:])
        weights = generator.integers(1, 30, size=len(kept)).astype(float)
        cases.append(
            {
                "values": [float(step * place) for place in kept],
                "probabilities": [float(share) for share in weights / weights.sum()],
                "first": float(generator.integers(-20, 20)),
                "distance": float(distance) * int(generator.choice([-1, 1])),
            }
        )
    return cases


def _inputs(p: dict) -> tuple[float, float]:
    return p["first"], p["first"] + p["distance"]


def _arguments(p: dict) -> tuple[tuple, dict]:
    first, second = _inputs(p)
    return (dict(zip(p["values"], p["probabilities"], strict=True)),), {
        "first": first,
        "second": second,
    }


def _outputs(p: dict) -> list[dict[float, float]]:
    """Return the law of the output for each of the two inputs."""
    pairs = list(zip(p["values"], p["probabilities"], strict=True))
    return [{given + noise: share for noise, share in pairs} for given in _inputs(p)]


def _shares(p: dict) -> list[float]:
    """Return how likely an output is that the other input cannot give, for each input."""
    one, other = _outputs(p)
    return [
        sum(share for output, share in mine.items() if output not in theirs)
        for mine, theirs in ((one, other), (other, one))
    ]


def _counted(p: dict) -> float:
    one, other = _outputs(p)
    return len(one.keys() - other.keys()) / len(one)


def _of_all_outputs(p: dict) -> float:
    one, other = _outputs(p)
    return len(one.keys() ^ other.keys()) / len(one.keys() | other.keys())


def _variation(p: dict) -> float:
    one, other = _outputs(p)
    return sum(abs(one.get(k, 0) - other.get(k, 0)) for k in one.keys() | other.keys()) / 2


def _likelier(p: dict) -> float:
    """How often the likelier input is the right one."""
    one, other = _outputs(p)
    return sum(max(one.get(k, 0), other.get(k, 0)) for k in one.keys() | other.keys()) / 2


def _at_the_ends(p: dict) -> float:
    """Only outputs beyond the other input's smallest and largest."""
    one, other = _outputs(p)
    sides = ((one, other), (other, one))
    beyond = [
        sum(share for k, share in mine.items() if not min(theirs) <= k <= max(theirs))
        for mine, theirs in sides
    ]
    return sum(beyond) / 2


def _mistake(name: str, value: Callable[[dict], float], ask: str) -> ValueMistake:
    return ValueMistake(name, value, ask)


_BOTH = "an output may come from either input, equally often: what is the average?"
_CERTAIN = "an output identifies its input only when the other input cannot give it at all: which?"

_MISTAKES = (
    _mistake("only outputs of the first input are looked at", lambda p: _shares(p)[0], _BOTH),
    _mistake("only outputs of the second input are looked at", lambda p: _shares(p)[1], _BOTH),
    _mistake("the two shares are added, not averaged", lambda p: sum(_shares(p)), _BOTH),
    _mistake("the larger of the two shares is returned", lambda p: max(_shares(p)), _BOTH),
    _mistake(
        "the share that does not identify is returned", lambda p: 1 - sum(_shares(p)) / 2, _CERTAIN
    ),
    _mistake(
        "outputs are counted, not weighed with their probabilities",
        _counted,
        "is every value of the noise equally likely?",
    ),
    _mistake(
        "the share of all possible outputs is returned",
        _of_all_outputs,
        "is every value of the noise equally likely?",
    ),
    _mistake("the distance between the two laws is returned", _variation, _CERTAIN),
    _mistake("the share of good guesses is returned", _likelier, _CERTAIN),
    _mistake(
        "gaps inside the range of the outputs are overlooked",
        _at_the_ends,
        "can the other input give every number between its smallest and its largest output?",
    ),
    _mistake(
        "noise is compared with noise, not output with output",
        lambda p: 0.0,
        "to what is the noise added, for each of the two inputs?",
    ),
)

CLAIM = ValuesClaim(
    name="identified_share",
    about="Check `identified_share(noise, *, first, second)`: how often an output tells which of "
    "two inputs it came from.",
    established="the probability of outputs that the other input cannot give, averaged",
    cases=_cases,
    arguments=_arguments,
    expected=lambda p: sum(_shares(p)) / 2,
    mistakes=_MISTAKES,
    absolute=1e-9,
    situation=lambda p: (
        f"{len(p['values'])} values of noise from {min(p['values']):g} to {max(p['values']):g}, "
        f"inputs {_inputs(p)[0]:g} and {_inputs(p)[1]:g}"
    ),
)
