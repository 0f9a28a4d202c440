"""Where the answers lie, and how widely they are spread, in words."""

import numpy as np

from autograder.check.words import number, numbers_apart

_MANY = 0.1  # of all answers


def place_or_spread(claim, parameters: dict, noise: np.ndarray) -> str:
    """Return the right and the seen place, else the spread, else both, in words."""
    scale, middle, looks = claim.scale(parameters), np.median(noise), claim.looks_like(noise)
    room, exact = _room(claim, noise), claim.exact(parameters)
    if abs(middle) > room and np.size(exact) > 1:
        return f"the noise should lie around 0, yours lies around {number(middle)}"
    if abs(middle) > room:
        exact = float(exact)
        return "the answers should lie around {}, yours lie around {}".format(
            *numbers_apart(exact, exact + middle)
        )
    if at_ends := _at_ends(claim, parameters, noise):
        return at_ends
    if not spread_right(claim, parameters, noise):
        return "the scale should be {}, yours looks like {}".format(*numbers_apart(scale, looks))
    return f"the scale should be {number(scale)} and looks about right, the shape does not"


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
    """Say whether the noise lies far from 0, or is right but for its place."""
    middle = np.median(noise)
    if abs(middle) > 2 * claim.looks_like(noise - middle):
        return True
    return abs(middle) > _room(claim, noise) and spread_right(claim, parameters, noise - middle)


def spread_right(claim, parameters: dict, noise: np.ndarray) -> bool:
    """Say whether the noise is about as wide as it must be, for all that its scale shows."""
    off = np.log(max(claim.looks_like(noise), 1e-300) / claim.scale(parameters))
    return bool(abs(off) <= 3 / np.sqrt(len(noise)))


def _room(claim, noise: np.ndarray) -> float:
    """Return how far from 0 the median of right noise may lie.

    The median of n Laplace draws has standard error scale / sqrt(n); a whole one moves by 1. The
    scale is an estimate, too: with (9 / n)**2 the room is left once in 10,000 for any n from 4.
    """
    errors, around = 5 * (1 + (9 / len(noise)) ** 2), noise - np.median(noise)
    return errors * claim.looks_like(around) / np.sqrt(len(noise)) + claim.whole
