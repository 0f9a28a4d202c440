"""Reads what a sampler gives; refuses in words what cannot be judged."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Any

import numpy as np

# A sampler, n -> n draws, or the draws themselves. To a type checker an array is no sequence.
Draws = Callable[..., Any] | Sequence[Any] | np.ndarray

_SHOWN = 60  # letters of a wrong value


def sampler_of(draws: Any, *, several: bool) -> tuple[Callable[..., Any], int | None]:
    """Return the function for the next n draws, and how many there are; None if without end.

    Args:
      draws: a sampler, or the draws themselves.
      several: whether there are several settings, which need a sampler.

    Raises:
      ValueError: the draws are neither.
    """
    if callable(draws):
        return draws, None
    _refuse_kind(draws)
    if several:
        raise ValueError(
            f"draws must be a sampler for several settings, got {_shown(draws)}: "
            "draws that are there already belong to one"
        )
    if not len(draws):
        raise ValueError(f"draws must hold at least one draw, got {_shown(draws)}")
    left = [draws]

    def next_of(number: int) -> Any:
        batch, left[0] = left[0][:number], left[0][number:]
        return batch

    return next_of, len(draws)


def numbers_of(
    draws: Any, shape: tuple[int, ...] | None = None, *, name: str = "draws"
) -> np.ndarray:
    """Return draws of numbers as an array, of this shape if one is given.

    Raises:
      ValueError: they have another shape, or are no real numbers.
    """
    _refuse_kind(draws, name)
    try:
        made = np.asarray(draws)
    except ValueError:
        raise ValueError(f"{name} must all have one shape, got {_shown(draws)}") from None
    if made.dtype.kind == "O":
        made = _from_objects(made)
    if made.dtype.kind not in "biuf":
        raise ValueError(f"{name} must be real numbers, got {_shown(draws)}")
    if shape and made.shape != shape:
        raise ValueError(
            f"{name} must come as an array of shape {shape}, got {made.shape}" + _hint(made, shape)
        )
    return made.astype(float, copy=False)


def outcomes_of(draws: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Return draws of a choice as an array of this shape, each outcome as it came.

    An array of numbers, bits or words stays as it is. Of anything else each outcome is an object:
    an array of all of them would make words of numbers beside words, and rows of tuples.
    """
    _refuse_kind(draws)
    if isinstance(draws, np.ndarray) and draws.shape == shape:
        return draws
    if len(draws) != shape[0]:
        raise ValueError(f"draws must be {shape[0]} outcomes, got {len(draws)}: {_shown(draws)}")
    made = np.empty(shape, dtype=object)
    for place, draw in enumerate(draws):
        if len(shape) == 1:
            made[place] = tuple(draw.tolist()) if isinstance(draw, np.ndarray) else draw
        elif not isinstance(draw, Sequence | np.ndarray) or len(draw) != shape[1]:
            raise ValueError(f"each draw must hold {shape[1]} outcomes, got {_shown(draw)}")
        else:
            made[place] = _row(draw)
    return made


def _row(draw: Any) -> np.ndarray:
    row = np.empty(len(draw), dtype=object)
    for place, each in enumerate(draw):
        row[place] = each
    return row


def _refuse_kind(draws: Any, name: str = "draws") -> None:
    """Raise ValueError for what holds no draws in an order."""
    if isinstance(draws, np.ma.MaskedArray):
        raise ValueError(f"{name} must not be masked: every draw counts, and none may be left out")
    if isinstance(draws, Iterator):
        raise ValueError(f"{name} must be a list or an array, got {_shown(draws)}: use list(...)")
    wrong = isinstance(draws, str | bytes | Mapping | Set)
    if wrong or not hasattr(draws, "__getitem__"):
        raise ValueError(
            f"{name} must be a sampler (n -> n draws), a list or an array, got {_shown(draws)}"
        )
    if isinstance(draws, np.ndarray) and draws.ndim == 0:
        raise ValueError(f"{name} must be an array with one entry a draw, got {_shown(draws)}")


def _from_objects(made: np.ndarray) -> np.ndarray:
    """Return an array of Python's numbers as floats; large whole numbers have no other type."""
    if made.size and all(isinstance(each, int | float | np.number) for each in made.flat):
        return made.astype(float)
    return made


def _hint(made: np.ndarray, shape: tuple[int, ...]) -> str:
    if len(shape) == 1 and made.ndim == 2:
        return f"; for several numbers in a draw give a list of {made.shape[1]} laws"
    if len(shape) == 2 and made.ndim == 1:
        return "; for one number in a draw give one law"
    return ""


def _shown(value: Any) -> str:
    words = " ".join(repr(value).split())
    words = words if len(words) <= _SHOWN else words[: _SHOWN - 3] + "..."
    return f"{words}, of type {type(value).__name__}"
