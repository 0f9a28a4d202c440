"""Families of wrong laws: a wrong spread or place, or a choice that is too sharp or too flat."""

import contextlib

import numpy as np

# Neighboring factors differ by this ratio in their distance from 1, neighboring shifts by this one.
_FINER, _NEARER = 1.42, 2.0
_LARGEST_FACTOR, _LARGEST_SHIFT = 2.8, 3.0
_LEAST_FACTOR, _LEAST_SHIFT = 0.02, 0.05

_POWERS = np.exp([sign * step for step in (0.1, 0.2, 0.4, 0.7, 1.2, 2.0) for sign in (1, -1)])
_UNIFORM_SHARES = (0.05, 0.2, 0.5, 0.9)


def factors(draws: int = 0) -> np.ndarray:
    """Return spreads around the right one, as near as `draws` draws can tell from it."""
    return np.exp(_signed(min(_LEAST_FACTOR, _nearest(draws)), _LARGEST_FACTOR, _FINER))


def shifts(draws: int = 0) -> np.ndarray:
    """Return places around the right one, in units of the scale, likewise."""
    return _signed(min(_LEAST_SHIFT, _nearest(draws)), _LARGEST_SHIFT, _NEARER)


def _nearest(draws: int) -> float:
    # A departure of s costs about s**2 / 2 nats a draw at most; rejecting takes some 26 of them.
    return 5 / np.sqrt(max(draws, 1))


def _signed(least: float, largest: float, ratio: float) -> np.ndarray:
    sizes = np.geomspace(least, largest, 1 + round(np.log(largest / least) / np.log(ratio)))
    return np.array([sign * size for size in sizes for sign in (1, -1)])


def number_families(laws, draws: int = 0) -> dict[str, list[np.ndarray]]:
    """Return every other spread and place of laws of numbers, by row: name -> cell probabilities.

    Args:
      laws: pairs of a law and its cells, one for each row.
      draws: how many there will be at most.
    """
    # Entries that share one law have its family worked out once.
    places = {(id(law), id(cells)): (law, cells) for law, cells in laws}
    made = {key: _family(*pair, draws) for key, pair in places.items()}
    of_rows = [made[id(law), id(cells)] for law, cells in laws]
    names = [name for name in of_rows[0] if all(name in each for each in of_rows)]
    return {name: [each[name] for each in of_rows] for name in names}


def _family(law, cells, draws: int) -> dict[str, np.ndarray]:
    """Return the cell probabilities of one law's other spreads and places, by name."""
    size, found = law.middle_and_size()[1], {}
    for factor in factors(draws):
        # A truncated law may have nothing left of it: a bet that cannot be made is left out.
        with contextlib.suppress(ValueError):
            name = f"the spread is {factor:.3g} × what it must be"
            found[name] = cells.probabilities(law.at_scale(factor))
    for shift in shifts(draws):
        way = "high" if shift > 0 else "low"
        name = f"the draws lie too {way}, by about {abs(shift):.2g} of the scale"
        found[name] = cells.probabilities(law.moved(_whole_step(law, shift * size)))
    return found


def _whole_step(law, shift: float) -> float:
    """Return a shift that leads from one of a law's places to another."""
    if law.lattice is None:
        return shift
    return float(np.sign(shift) * max(1, round(abs(shift) / law.lattice.step)) * law.lattice.step)


def choice_families(null: list[np.ndarray], noun: str = "draws") -> dict[str, list[np.ndarray]]:
    """Return laws that are sharper, flatter, or mixed with even chances: name -> rows.

    `noun` is what a draw is called.
    """
    families = {
        f"choices are {'sharper' if power > 1 else 'flatter'} than they must be, "
        f"as if epsilon were {power:.2g} × as large": [_powered(law, power) for law in null]
        for power in _POWERS
    }
    for share in _UNIFORM_SHARES:
        families[f"about {share:.0%} of the {noun} come by even chances"] = [
            (1 - share) * law + share * (law > 0) / max(np.sum(law > 0), 1) for law in null
        ]
    return families


def _powered(law: np.ndarray, power: float) -> np.ndarray:
    raised = np.where(law > 0, law, 0.0) ** power
    return raised / raised.sum()
