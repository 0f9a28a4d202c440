"""Laws of draws that are moved, scaled, cut off, rounded, or mixed."""

import math
from collections.abc import Sequence

import numpy as np

from ville.law import Law
from ville.numbers.shape import Lattice
from ville.outcomes import Choice
from ville.require import finite, positive


def shifted(law: Law, by: float) -> Law:
    """Return the law of draw + by."""
    _of_numbers(law)
    finite("by", by)
    lattice = law.lattice and Lattice(law.lattice.step, law.lattice.offset + by)
    if lattice and lattice.offset % lattice.step == 0:
        lattice = Lattice(lattice.step)
    return Law(
        f"{law.name} + {by:g}",
        lambda x: law.smooth(x - by),
        {place + by: mass for place, mass in law.atoms.items()},
        lattice,
        (law.support[0] + by, law.support[1] + by),
        law.spread and (lambda factor: shifted(law.spread(factor), by)),
        law.error,
    )


def scaled(law: Law, by: float) -> Law:
    """Return the law of draw * by, for a positive number."""
    _of_numbers(law)
    positive("by", by)
    return Law(
        f"{law.name} × {by:g}",
        lambda x: law.smooth(x / by),
        {place * by: mass for place, mass in law.atoms.items()},
        law.lattice and Lattice(law.lattice.step * by, law.lattice.offset * by),
        (law.support[0] * by, law.support[1] * by),
        law.spread and (lambda factor: scaled(law.spread(factor), by)),
        law.error,
    )


def clamped(law: Law, low: float = -math.inf, high: float = math.inf) -> Law:
    """Return the law of draws that are replaced by `low` or `high` where they lie beyond."""
    _of_numbers(law)
    _ordered(low, high)
    name = f"{law.name}, clamped to [{low:g}, {high:g}]"
    support = (max(low, law.support[0]), min(high, law.support[1]))
    spread = law.spread and (lambda factor: clamped(law.spread(factor), low, high))
    if law.lattice:
        _on_lattice(law, low, high)

        def steps(x):
            return np.where(x < low, 0.0, np.where(x >= high, 1.0, law.smooth(x)))

        return Law(name, steps, {}, law.lattice, support, spread, law.error)
    first, last = _level(law, low), _level(law, high)
    atoms = {place: mass for place, mass in law.atoms.items() if low < place < high}
    if low > -math.inf:
        atoms[low] = first + sum(mass for place, mass in law.atoms.items() if place <= low)
    if high < math.inf:
        beyond = sum(mass for place, mass in law.atoms.items() if place >= high)
        atoms[high] = _level(law, math.inf) - last + beyond

    def inside(x):
        return law.smooth(np.clip(x, low, high)) - first

    return Law(name, inside, atoms, None, support, spread, law.error)


def _level(law: Law, place: float) -> float:
    """Return the probability of draws up to a place, without atoms; also at the ends."""
    if math.isinf(place):
        return 0.0 if place < 0 else 1 - sum(law.atoms.values())
    return float(law.smooth(np.array([place]))[0])


def folded(law: Law, at: float = 0.0) -> Law:
    """Return the law of draws that are mirrored where they lie below `at`: at + |draw - at|."""
    _of_numbers(law)
    finite("at", at)
    if law.lattice and not law.lattice.holds(np.array([2 * at - law.lattice.offset]))[0]:
        raise ValueError(f"at must lie on or halfway between places of {law}, got {at!r}")
    atoms: dict[float, float] = {}
    for place, mass in law.atoms.items():
        mirrored = at + abs(place - at)
        atoms[mirrored] = atoms.get(mirrored, 0.0) + mass

    # Between the places of a lattice, and without atoms, Pr(at - d <= draw) = Pr(at - d < draw).
    def above(x):
        return np.where(x < at, 0.0, law.smooth(x) - law.smooth(2 * at - x))

    return Law(
        f"{law.name}, folded at {at:g}",
        above,
        atoms,
        law.lattice,
        (at, max(law.support[1], 2 * at - law.support[0])),
        law.spread and (lambda factor: folded(law.spread(factor), at)),
        2 * law.error,
    )


def truncated(law: Law, low: float = -math.inf, high: float = math.inf) -> Law:
    """Return the law of draws that are made again until they lie in [low, high]."""
    _of_numbers(law)
    _ordered(low, high)
    if law.atoms:
        raise ValueError(f"law must have no single places with a probability, got {law}")
    half = 0.0
    if law.lattice:
        _on_lattice(law, low, high)
        half = law.lattice.step / 2
    ends = low - half, high + half
    first, last = (_level(law, end) for end in ends)
    if last - first < 1e-9:
        raise ValueError(f"[low, high] must have a probability of 1e-9, got [{low!r}, {high!r}]")
    return Law(
        f"{law.name}, truncated to [{low:g}, {high:g}]",
        lambda x: (law.smooth(np.clip(x, *ends)) - first) / (last - first),
        {},
        law.lattice,
        (max(low, law.support[0]), min(high, law.support[1])),
        law.spread and (lambda factor: truncated(law.spread(factor), low, high)),
        law.error / (last - first),
    )


def rounded(law: Law, step: float = 1.0) -> Law:
    """Return the law of draws of a continuous law, rounded to the nearest multiple of `step`."""
    _of_numbers(law)
    positive("step", step)
    if law.lattice or law.atoms:
        raise ValueError(f"law must be continuous, got {law}")
    return Law(
        f"{law.name}, rounded to multiples of {step:g}",
        lambda x: law.smooth((np.floor(x / step) + 0.5) * step),
        {},
        Lattice(step),
        tuple(round(end / step) * step if math.isfinite(end) else end for end in law.support),
        law.spread and (lambda factor: rounded(law.spread(factor), step)),
        law.error,
    )


def mixture(laws: Sequence[Law], weights: Sequence[float]) -> Law:
    """Return the law of a draw from one of the laws, chosen with these weights.

    Raises:
      ValueError: the weights do not sum to 1, or laws of whole numbers are mixed with others.
    """
    if not len(laws):
        raise ValueError("laws must hold at least one law, got []")
    weights = [float(weight) for weight in weights]
    if len(weights) != len(laws) or min(weights) < 0 or abs(sum(weights) - 1) > 1e-9:
        raise ValueError(f"weights must sum to 1, one for each of {len(laws)} laws; got {weights}")
    lattice = _common_lattice(laws)
    atoms: dict[float, float] = {}
    for law, weight in zip(laws, weights, strict=True):
        for place, mass in law.atoms.items():
            atoms[place] = atoms.get(place, 0.0) + weight * mass
    pairs = list(zip(laws, weights, strict=True))
    smooth = (lambda law: law.cdf) if lattice else (lambda law: law.smooth)
    return Law(
        "mixture of " + " and ".join(law.name for law in laws),
        lambda x: sum(weight * smooth(law)(x) for law, weight in pairs),
        {} if lattice else atoms,
        lattice,
        (min(law.support[0] for law in laws), max(law.support[1] for law in laws)),
        error=max(law.error for law in laws),
    )


def _common_lattice(laws: Sequence[Law]) -> Lattice | None:
    if any(isinstance(law, Choice) for law in laws):
        raise ValueError("laws must be of numbers; put the probabilities of a choice together")
    for law in laws:
        _of_numbers(law)
    lattices = {law.lattice for law in laws if law.lattice}
    if not lattices:
        return None
    (lattice, *more) = lattices
    others = [law for law in laws if not law.lattice]
    if more or not all(_only_on(lattice, law) for law in others):
        raise ValueError(f"laws must all be continuous, or all on one lattice; got {list(laws)}")
    return lattice


def _only_on(lattice: Lattice, law: Law) -> bool:
    """Say whether a law without a lattice has only single places, all on the lattice."""
    places = np.array(list(law.atoms))
    return sum(law.atoms.values()) > 1 - 1e-12 and bool(lattice.holds(places).all())


def _on_lattice(law: Law, *ends: float) -> None:
    for end in ends:
        if math.isfinite(end) and not law.lattice.holds(np.array([end]))[0]:
            raise ValueError(f"low and high must be places that {law} has, got {end!r}")


def _of_numbers(law: Law) -> None:
    if not isinstance(law, Law):
        raise ValueError(f"law must be a law of numbers, one of ville.laws; got {law!r}")


def _ordered(low: float, high: float) -> None:
    if not low < high:
        raise ValueError(f"low must lie below high, got {low!r} and {high!r}")
