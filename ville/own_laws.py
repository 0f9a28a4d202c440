"""Laws of one's own: by a cdf, a pmf, quantiles, or one of scipy's."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ville.distributions import Distribution
from ville.law import Law
from ville.numbers.shape import ROUNDING, Lattice
from ville.outcomes import Choice
from ville.require import positive

# The sum of a pmf over so many places is a cdf; what is then left is too much.
_MOST_PLACES, _MOST_LEFT = 1_000_000, 1e-10


def from_cdf(
    cdf: Distribution,
    *,
    whole: bool = False,
    support: tuple[float, float] = (-math.inf, math.inf),
    error: float = ROUNDING,
    name: str = "law of your own",
) -> Law:
    """Return the law with this distribution function.

    Args:
      cdf: x -> the probability of draws up to x, on arrays. It is continuous, unless `whole`.
      whole: whether all draws are whole numbers.
      support: no draw lies outside; one that does is a certain failure.
      error: how far off the cdf may be, as that of an integral is: draws that follow it still fail
        with probability alpha at most.
      name: its name in messages.
    """
    positive("error", error)
    owner = getattr(cdf, "__self__", None)
    if owner is not None and _sums_its_pmf(owner):
        cdf = _summed(owner, name)
    low, high = support
    if not low < high:
        raise ValueError(f"support must be two numbers, the lower one first; got {support!r}")

    def inside(places: np.ndarray) -> np.ndarray:
        # Outside of its support, or between whole numbers, a cdf may be anything, NaN too.
        known = np.clip(np.floor(places) if whole else places, low, high)
        levels = cdf(known)
        if np.shape(levels) != known.shape:
            raise ValueError(f"shape {np.shape(levels)} for places of shape {known.shape}")
        return np.where(places < low, 0.0, levels)

    return Law(name, inside, lattice=Lattice() if whole else None, support=(low, high), error=error)


def from_pmf(pmf: Mapping[float, float], *, name: str = "law of your own") -> Law | Choice:
    """Return the law with these probabilities: of whole numbers, or else of any outcomes."""
    if not isinstance(pmf, Mapping):
        raise ValueError(f"pmf must be {{outcome: probability}}, got {pmf!r}")
    outcomes = list(pmf)
    whole = all(isinstance(each, int | np.integer) for each in outcomes)
    if not whole or any(isinstance(each, bool) for each in outcomes):
        return Choice(pmf, name)
    Choice(pmf)  # looks at the probabilities
    places = np.sort(np.array(outcomes, dtype=float))
    levels = np.concatenate([[0.0], np.cumsum([pmf[int(place)] for place in places])])
    levels /= levels[-1]
    return Law(
        name,
        lambda x: levels[np.searchsorted(places, x, side="right")],
        lattice=Lattice(),
        support=(float(places[0]), float(places[-1])),
    )


def from_quantiles(
    quantile: Callable[[np.ndarray], np.ndarray], *, name: str = "law of your own"
) -> Law:
    """Return the continuous law with this quantile function, increasing on (0, 1)."""

    def cdf(places: np.ndarray) -> np.ndarray:
        places = np.asarray(places, dtype=float)
        low, high = np.zeros(places.shape), np.ones(places.shape)
        for _ in range(60):
            level = (low + high) / 2
            below = quantile(np.clip(level, 1e-300, 1 - 1e-16)) < places
            low, high = np.where(below, level, low), np.where(below, high, level)
        return (low + high) / 2

    return Law(name, cdf)


def from_scipy(frozen: Any, *, name: str = "") -> Law | list[Law]:
    """Return the law of one of scipy's frozen distributions, whole if that is; a list of several.

    Args:
      frozen: such as scipy.stats.gamma(2), or one with arrays of parameters, or a list of them: one
        for each entry of a draw.
      name: its name in messages.

    Raises:
      ValueError: it is none of them, or one whose cdf takes far too long.
    """
    if isinstance(frozen, Sequence):
        return [from_scipy(each, name=name) for each in frozen]
    if not all(hasattr(frozen, each) for each in ("cdf", "support")):
        raise ValueError(f"frozen must be a distribution of scipy.stats, got {frozen!r}")
    low, high = frozen.support()
    if np.ndim(low):
        return _of_each(frozen, name)
    whole = _is_discrete(frozen)
    name = name or _name_of(frozen)
    cdf = _summed(frozen, name) if _sums_its_pmf(frozen) else frozen.cdf
    return from_cdf(cdf, whole=whole, support=(float(low), float(high)), name=name)


def _of_each(frozen: Any, name: str) -> list[Law]:
    """Return the law of each entry of a distribution with arrays of parameters."""
    if not hasattr(frozen, "dist"):
        raise ValueError(f"frozen must have one law, or be a list of such; got {frozen!r}")
    names, given = list(frozen.kwds), [*frozen.args, *frozen.kwds.values()]
    rows = np.stack([each.ravel() for each in np.broadcast_arrays(*given)], axis=1).tolist()
    count = len(frozen.args)
    made = [frozen.dist(*row[:count], **dict(zip(names, row[count:], strict=True))) for row in rows]
    return [from_scipy(each, name=name) for each in made]


def _is_discrete(frozen: Any) -> bool:
    kinds = [each.__name__ for each in type(getattr(frozen, "dist", frozen)).__mro__]
    return "rv_discrete" in kinds or "DiscreteDistribution" in kinds


def _name_of(frozen: Any) -> str:
    if not hasattr(frozen, "dist"):
        return type(frozen).__name__
    given = [f"{each:g}" for each in frozen.args]
    given += [f"{key}={value:g}" for key, value in frozen.kwds.items()]
    return f"{frozen.dist.name}({', '.join(given)})"


def _sums_its_pmf(frozen: Any) -> bool:
    """Say whether a distribution of scipy has no cdf but the sum of its pmf, place by place."""
    kind = type(getattr(frozen, "dist", None))
    if not _is_discrete(frozen):
        return False
    base = next((each for each in kind.__mro__ if each.__name__ == "rv_discrete"), None)
    return base is not None and getattr(kind, "_cdf", None) is getattr(base, "_cdf", None)


def _summed(frozen: Any, name: str) -> Distribution:
    """Return the cdf of a pmf, summed once."""
    low, high = frozen.support()
    low, most = int(low), int(min(high, low + _MOST_PLACES))
    levels = np.cumsum(np.append(0.0, frozen.pmf(np.arange(low, most + 1))))
    if not math.isclose(levels[-1], 1.0, abs_tol=_MOST_LEFT):
        raise ValueError(
            f"{name}: its cdf is a sum over its places, and {1 - levels[-1]:.2g} lies beyond "
            f"{_MOST_PLACES:,} of them; give a cdf in closed form to from_cdf"
        )
    levels /= levels[-1]
    return lambda places: levels[np.clip(places - low + 1, 0, len(levels) - 1).astype(int)]
