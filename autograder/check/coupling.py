"""Seed coupling: reads off the noise how it depends on a parameter, without statistics.

With its chance repeated an answer gives the same noise again. Change one parameter, repeat the
chance once more: if the noise is a scale times a draw, its quotient is the quotient of the scales,
to the last digits. So the exponent of the parameter in the scale is known exactly. A constant
factor cancels. So coupling proposes words for a failure and never decides one.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from ville.distributions import Distribution

# Subtracting one draw from two others removes the exact answer, to which the noise is added.
_SEEDS = (11, 12, 13)
# Two factors: a scale that is no power of the parameter gives two exponents. Both keep a whole
# number whole.
_FACTORS = (2, 3)
_QUARTILES = (0.25, 0.75)
# Answers may be 32-bit floats, of about 300 with noise of about 1.
_CLOSE = 1e-3

# The exponent of each parameter that could be read.
Exponents = dict[str, float]


class _Replays(Protocol):
    def replay(
        self, place: int, changes: Sequence[Mapping[str, Any]], seeds: Sequence[int]
    ) -> list[list[np.ndarray | None]]: ...


def exponents(
    door: _Replays,
    place: int,
    parameters: Mapping,
    names: Sequence[str],
    *,
    steady: Sequence[str] = (),
) -> Exponents:
    """Return the exponent of each parameter in the scale of the noise, where it can be read.

    Args:
      door: calls the answer with its chance repeated.
      place: the setting.
      parameters: the setting's parameters; those in `names` are numbers.
      names: the parameters to look at.
      steady: those of them that must not enter the scale. Where one does so as no power, its
        exponent is NaN.

    Returns:
      name -> exponent, without the names whose exponent cannot be read: chance that does not come
      again, noise that is no scale times a draw, or a scale that is no power of the parameter.
    """
    changes = [{name: factor * parameters[name]} for name in names for factor in _FACTORS]
    answers = door.replay(place, [{}, *changes, {}], _SEEDS)
    first, *changed = [_differences(each) for each in answers[:-1]]
    if first is None or not np.all(first) or not _same(answers[0], answers[-1]):
        return {}
    found = {}
    for k, name in enumerate(names):
        slopes = [_slope(first, changed[2 * k + j], factor) for j, factor in enumerate(_FACTORS)]
        if None in slopes:
            continue
        if abs(slopes[0] - slopes[1]) < _CLOSE:
            found[name] = round(slopes[0], 2) + 0.0
        elif name in steady:
            found[name] = math.nan
    return found


def _same(some: list[np.ndarray | None], others: list[np.ndarray | None]) -> bool:
    pairs = zip(some, others, strict=True)
    return all(other is not None and np.array_equal(one, other) for one, other in pairs)


def _differences(answers: list[np.ndarray | None]) -> np.ndarray | None:
    """Return the later answers less the first one, or None if one of them failed."""
    if any(answer is None for answer in answers):
        return None
    first, *others = [np.ravel(answer) for answer in answers]
    if any(other.shape != first.shape for other in others):
        return None
    differences = np.concatenate([other - first for other in others])
    return differences if np.isfinite(differences).all() else None


def _slope(first: np.ndarray, changed: np.ndarray | None, factor: float) -> float | None:
    """Return the one exponent that explains all quotients, or None."""
    if changed is None or changed.shape != first.shape:
        return None
    quotients = changed / first
    if not np.all(quotients > 0):
        return None
    slopes = np.log(quotients) / math.log(factor)
    return float(np.median(slopes)) if np.ptp(slopes) < _CLOSE else None


def contradicts(
    found: Exponents, law_at: Callable[[dict], Distribution], parameters: Mapping
) -> bool:
    """Say whether a law's spread depends on a parameter differently from the noise.

    Args:
      found: the exponents that were read off the noise.
      law_at: the law at given parameters, that of a catalogued mistake for example.
      parameters: the setting's.
    """
    for name, exponent in found.items():
        changed = {**parameters, name: _FACTORS[0] * parameters[name]}
        spreads = [_spread(law_at(dict(given))) for given in (parameters, changed)]
        if min(spreads) > 0:
            slope = math.log(spreads[1] / spreads[0]) / math.log(_FACTORS[0])
            off = abs(slope - exponent)
            if off > 10 * _CLOSE or (math.isnan(off) and abs(slope) < _CLOSE):
                return True
    return False


def _spread(law: Distribution) -> float:
    """Return the distance of the quartiles, by bisection; of the first law, if there are more."""
    distribution = law[0] if isinstance(law, Sequence) else law
    low, high = np.full(2, -1e9), np.full(2, 1e9)
    for _ in range(70):
        middle = (low + high) / 2
        below = distribution(middle) < _QUARTILES
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return float(np.diff(high)[0])


def sentence(found: Exponents, wanted: Mapping[str, float]) -> str:
    """Return what is wrong with the first exponent that is wrong, or "" if none is known to be.

    What the noise must not depend on goes first: it may stand in the place of what is missing.
    """
    wrong = [name for name in wanted if not _agrees(found.get(name, wanted[name]), wanted[name])]
    for name in sorted(wrong, key=lambda name: wanted[name] != 0):
        if math.isnan(found[name]):
            return f"the noise changes with {name}: it must not depend on it"
        missing = next((other for other in wrong if found[other] == 0), None)
        if wanted[name] == 0 and missing:
            way = f"{_grows(name, found[name])}, and {_grows(missing, 0)}"
            return f"the noise {way}: it must be the other way round"
        return f"the noise {_grows(name, found[name])}: it must {_grow(name, wanted[name])}"
    return ""


def _agrees(found: float, wanted: float) -> bool:
    return abs(found - wanted) <= 10 * _CLOSE


def _grows(name: str, exponent: float) -> str:
    if exponent == 0:
        return f"does not depend on {name}"
    return f"{'grows' if exponent > 0 else 'shrinks'} as {_power(name, exponent)}"


def _grow(name: str, exponent: float) -> str:
    if exponent == 0:
        return f"not depend on {name}"
    return f"{'grow' if exponent > 0 else 'shrink'} as {_power(name, exponent)}"


def _power(name: str, exponent: float) -> str:
    size = abs(exponent)
    power = {1.0: name, 0.5: f"sqrt({name})"}.get(size, f"{name}**{size:g}")
    return power if exponent > 0 else f"1/{power}"
