"""Where the answers lie, and how widely they are spread, in words."""

import numpy as np

from autograder.check.words import number, numbers_apart
from ville.cells import quantiles

_MANY = 0.1  # of all answers
_QUARTILES = (0.25, 0.5, 0.75)
# A law so near to its scale is told by its scale.
_ALIKE = 0.1
# Answers that are withheld count as lying so far away, in units of the scale, or further.
_NOWHERE = 1e9


def place_or_spread(claim, parameters: dict, noise: np.ndarray) -> str:
    """Return the right and the seen place, else the spread, else both, in words."""
    scale, exact = claim.scale(parameters), claim.exact(parameters)
    wanted, came = _usual(claim, parameters), np.quantile(noise, _QUARTILES)
    if _far(claim, noise, wanted[1]) and np.size(exact) > 1:
        return f"the noise should lie around 0, yours lies around {number(came[1])}"
    if _far(claim, noise, wanted[1]):
        return "the answers should lie around {}, yours lie around {}".format(
            *numbers_apart(float(exact + wanted[1]), float(exact + came[1]), most=17)
        )
    if at_ends := _at_ends(claim, parameters, noise):
        return at_ends
    if wanted.any():
        return (
            "half of the answers should lie between {} and {}, half of yours do between {} and {}"
        ).format(*map(number, (exact + wanted)[::2]), *map(number, (exact + came)[::2]))
    if not spread_right(claim, parameters, noise):
        looks = claim.looks_like(noise)
        return "the scale should be {}, yours looks like {}".format(*numbers_apart(scale, looks))
    return f"the scale should be {number(scale)} and looks about right, the shape does not"


def _usual(claim, parameters: dict) -> np.ndarray:
    """Return the quartiles of right noise; zeros where its scale says how it lies around 0.

    A noisy sum over a noisy count lies around another place than its exact value, and no scale
    says how widely.
    """
    law, scale = claim.right_law(parameters), claim.scale(parameters)
    if claim.law or not callable(law) or np.size(claim.exact(parameters)) > 1:
        return np.zeros(3)
    levels = (np.arange(200) + 0.5) / 200
    typical = quantiles(law, levels, reach=scale)
    if np.abs(typical).max() > _NOWHERE * scale:
        return np.zeros(3)
    off = abs(np.log(claim.looks_like(typical) / scale))
    like = off < _ALIKE and abs(np.median(typical)) < _ALIKE * scale
    return np.zeros(3) if like else np.quantile(typical, _QUARTILES)


def _at_ends(claim, parameters: dict, noise: np.ndarray) -> str:
    """Return how many answers lie at an end to which they are moved; "" where few right ones do.

    There the scale of the noise before it is moved says nothing about the answers.
    """
    law, ends = claim.right_law(parameters), np.asarray(claim.ends(parameters), dtype=float)
    if not callable(law) or not ends.size:
        return ""
    places = ends - float(claim.exact(parameters))
    room = 1e-9 * (1 + np.abs(places) + np.ptp(ends))
    wanted = float(np.sum(law(places + room) - law(places - room)))
    if wanted < _MANY:
        return ""
    came = float(np.mean(np.any(np.abs(noise[:, None] - places) <= room, axis=1)))
    if abs(came - wanted) > 2 / np.sqrt(len(noise)):
        return (
            f"{wanted:.0%} of the answers should lie at an end of the range, yours do in {came:.0%}"
        )
    return "as many answers as should lie at an end of the range; the others lie elsewhere"


def lie_elsewhere(claim, parameters: dict, noise: np.ndarray) -> bool:
    """Say whether the noise lies far from its place, or is right but for its place."""
    wanted, middle = _usual(claim, parameters)[1], np.median(noise)
    if abs(middle - wanted) > 2 * claim.looks_like(noise - middle):
        return True
    right = spread_right(claim, parameters, noise - middle + wanted)
    return right and _far(claim, noise, wanted)


def spread_right(claim, parameters: dict, noise: np.ndarray) -> bool:
    """Say whether the noise is about as wide as it must be, for all that its scale shows."""
    off = np.log(max(claim.looks_like(noise), 1e-300) / claim.scale(parameters))
    return bool(abs(off) <= 3 / np.sqrt(len(noise)))


def looks_right(claim, parameters: dict, noise: np.ndarray) -> bool:
    """Say whether the noise is about as wide as it must be, and lies where it must."""
    wanted = _usual(claim, parameters)[1]
    # In 19 of 20 samples a right place looks so; many a wrong one does not.
    return spread_right(claim, parameters, noise) and not _far(claim, noise, wanted, errors=2.0)


def _far(claim, noise: np.ndarray, wanted: float, *, errors: float = 5.0) -> bool:
    """Say whether the median lies further from its place than that of right noise ever would.

    With fewer standard `errors` than 5 it does so now and then.

    The median of n Laplace draws has standard error scale / sqrt(n); a whole one moves by 1. The
    scale is an estimate, too: with (9 / n)**2 the room is left once in 10,000 for any n from 4.
    """
    middle, errors = np.median(noise), errors * (1 + (9 / len(noise)) ** 2)
    room = errors * claim.looks_like(noise - middle) / np.sqrt(len(noise)) + claim.whole
    return bool(abs(middle - wanted) > room)
