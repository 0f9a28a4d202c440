"""Distribution functions that are none: NaN, falling, not from 0 to 1, or with jumps."""

import math

import numpy as np

from ville.numbers.shape import NumberLaw

_ROOM = 1e-9  # for rounding errors
_FAR = 1e306
_GRID = 33
_JUMP, _FINE = 1e-3, 1e-9


@np.errstate(all="ignore")
def refuse_broken(law: NumberLaw) -> None:
    """Raise ValueError unless a law's cdf grows from 0 to 1, seen at quantiles and between them.

    A law of whole numbers, or of another lattice, is looked at where its draws may lie.
    """
    _levels(law, np.clip(np.array([0.0, 1.0]), *law.support))
    places = _probes(law)
    levels = _levels(law, places)
    wrong = ~(np.isfinite(levels) & (levels >= -_ROOM) & (levels <= 1 + _ROOM))
    if wrong.any():
        at = int(np.argmax(wrong))
        raise ValueError(
            f"{law}: its cdf must lie between 0 and 1, got {levels[at]:g} at {places[at]:g}"
        )
    falls = np.diff(levels) < -_ROOM
    if falls.any():
        at = int(np.argmax(falls))
        raise ValueError(
            f"{law}: its cdf must not fall, got {levels[at]:g} at {places[at]:g} "
            f"and {levels[at + 1]:g} at {places[at + 1]:g}"
        )
    _refuse_ends(law)
    _refuse_jumps(law)


def _probes(law: NumberLaw) -> np.ndarray:
    low, high = law.support
    marks = law.marks
    if np.isfinite(marks[-1] - marks[0]):
        marks = np.union1d(marks, np.linspace(marks[0], marks[-1], _GRID))
    places = np.clip(marks, low, high)
    if law.lattice:
        places = law.lattice.before(places) + law.lattice.step / 2
    return np.unique(places)


def _levels(law: NumberLaw, places: np.ndarray) -> np.ndarray:
    try:
        levels = law.cdf(places)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"{law}: its cdf must take an array (np.vectorize(cdf) does); it says: {error}"
        ) from error
    return levels


def _refuse_ends(law: NumberLaw) -> None:
    """Raise ValueError unless a cdf is 0 before the support and 1 at its end."""
    low, high = law.support
    before = low - law.lattice.step / 2 if law.lattice else np.nextafter(low, -np.inf)
    for end, place, wanted in ((low, before, 0.0), (high, high, 1.0)):
        if math.isfinite(end):
            level = float(law.cdf(np.array([place]))[0])
            if not abs(level - wanted) <= _ROOM:
                raise ValueError(f"{law}: its cdf must be {wanted:g} at {place:g}, got {level:g}")
    if max(abs(law.marks[0]), abs(law.marks[-1])) > _FAR:
        raise ValueError(f"{law}: its cdf must grow from 0 to 1, it never reaches 0.001 or 0.999")


def _refuse_jumps(law: NumberLaw) -> None:
    """Raise ValueError for a continuous law that jumps at whole numbers, as counts do."""
    if law.lattice:
        return
    places = law.marks[2:5]
    jumps = law.smooth(np.nextafter(places, np.inf)) - law.smooth(np.nextafter(places, -np.inf))
    # Where floats are coarse, a law that is far finer jumps from one to the next.
    whole = (places == np.rint(places)) & (np.spacing(np.abs(places)) < _FINE)
    if np.all(whole & (jumps > _JUMP)):
        raise ValueError(
            f"{law}: its cdf jumps by {jumps.max():.2g} at {places[np.argmax(jumps)]:g}; "
            "for whole numbers give whole=True, for single places use mixture and point"
        )
