"""The exact law of a short program's outputs: its own text is run, once for each path.

`noise(scale)` draws a whole number k with a chance proportional to exp(-|k| / scale). In a run it
gives all its values at once (`Noisy`), but for a tail of known mass. A comparison whose result
depends on a draw forks the run. Nothing is sampled, and nothing but the text knows what the
program does.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from autograder.check.leaks.fixed_chance import FixedChance
from autograder.check.leaks.noisy import Noisy

TAIL = 1e-7  # the mass of a draw that is left out
_AXES = 4  # draws of one run at most
_DIGITS = 9

Rows = list[dict[str, Any]]

_BUILTINS = {
    each.__name__: each
    for each in (abs, all, any, dict, enumerate, len, list, max, min, range, round, set, sorted)
} | {each.__name__: each for each in (str, sum, tuple, zip, ValueError)}


class OutputLaw(dict[Any, float]):
    """The chance of each output, as `key`; `lost` bounds what the tails hold besides."""

    lost = 0.0


def law(text: str, rows: Rows, epsilon: float, *, tail: float = TAIL) -> OutputLaw:
    """Return the exact law of `report(rows, epsilon)`, but for tails of known mass.

    A `ValueError` of the program is an output, too: the attacker reads its words.
    """
    found: defaultdict[Any, float] = defaultdict(float)
    open_paths: list[list[bool]] = [[]]
    report = compiled(text)
    while open_paths:
        run = _PathRun(open_paths.pop(), tail)
        _add(found, _output(report, run.noise, rows, epsilon), run.weight)
        open_paths += run.forks
    result = OutputLaw(found)
    # Sums of at most a million floats: they are off by less than 1e-10.
    result.lost = max(0.0, 1 - math.fsum(found.values())) + 1e-10
    return result


def values_of(scale: float, tail: float = TAIL) -> int:
    """Return how many values of a draw a run looks at."""
    return 2 * math.ceil(scale * math.log(1 / tail)) + 1


def sampled(text: str, rows: Rows, epsilon: float) -> Any:
    """Return one output of `report(rows, epsilon)`, with fresh noise."""
    chance = np.random.default_rng()

    def noise(scale: float, seed: int | None = None) -> int:
        if seed is not None:
            return seeded(scale, seed)
        stop = 1 - math.exp(-1 / scale)
        return int(chance.geometric(stop) - chance.geometric(stop))

    return _output(compiled(text), noise, rows, epsilon)


def compiled(text: str) -> Callable[[Callable], Callable]:
    """Return what makes the program's `report`, of the function that draws its noise."""
    code = compile(text, "program", "exec")

    def made(noise: Callable) -> Callable:
        names = {"__builtins__": _BUILTINS, "noise": noise, **_TOOLS}
        exec(code, names)  # a text of ours
        return names["report"]

    return made


def seeded(scale: float, seed: int) -> int:
    """Return the noise that a seed gives: whoever knows the seed knows it."""
    chance = FixedChance(seed)
    sign, share = chance.pick((-1, 1)), chance.between_0_and_1()
    return round(-sign * scale * math.log(1 - share))


def _output(made: Callable[[Callable], Callable], noise: Callable, rows: Rows, epsilon: float):
    try:
        return made(noise)([dict(row) for row in rows], epsilon)
    except ValueError as error:
        return f"ValueError: {error}"


def _clip(value: Any, low: float, high: float) -> Any:
    if isinstance(value, Noisy):
        return value.mapped(lambda array: np.clip(array, low, high))
    return min(max(value, low), high)


def _shuffled(items: Iterable, seed: int) -> list:
    return FixedChance(seed).permuted(items)


_TOOLS = {"clip": _clip, "shuffled": _shuffled, "log": math.log}


class _PathRun:
    """One path through a program: what its comparisons decide is given as far as it goes."""

    def __init__(self, path: list[bool], tail: float):
        self._path, self._tail, self._taken, self._draws = path, tail, [], 0
        self.forks: list[list[bool]] = []
        self.weight = np.ones((1,) * _AXES)

    def noise(self, scale: float, seed: int | None = None) -> Any:
        if seed is not None:
            return seeded(scale, seed)
        if self._draws == _AXES:
            raise RuntimeError(f"a program draws at most {_AXES} times")
        furthest = values_of(scale, self._tail) // 2
        values = np.arange(-furthest, furthest + 1, dtype=float)
        shape = [1] * _AXES
        shape[self._draws] = len(values)
        chances = math.tanh(1 / (2 * scale)) * np.exp(-np.abs(values) / scale)
        self.weight = self.weight * chances.reshape(shape)
        self._draws += 1
        return Noisy(self._decide, values.reshape(shape))

    def _decide(self, condition: np.ndarray) -> bool:
        possible = self.weight > 0
        if not (possible & ~condition).any():
            return True
        if not (possible & condition).any():
            return False
        place = len(self._taken)
        if place >= len(self._path):
            self.forks.append([*self._taken, False])
        choice = self._path[place] if place < len(self._path) else True
        self._taken.append(choice)
        self.weight = np.where(condition if choice else ~condition, self.weight, 0.0)
        return choice


def _add(found: dict[Any, float], output: Any, weight: np.ndarray) -> None:
    """Add the outputs of one path, with their chances."""
    leaves: list[np.ndarray] = []
    filled = _filler(output, leaves)
    if not leaves:
        found[filled(())] += float(weight.sum())
        return
    shape = np.broadcast_shapes(*(leaf.shape for leaf in leaves))
    idle = tuple(k for k in range(_AXES) if shape[k] == 1)
    weight = np.broadcast_to(weight.sum(axis=idle, keepdims=True), shape).ravel()
    there = weight > 0
    columns = [np.broadcast_to(leaf, shape).ravel()[there] for leaf in leaves]
    for values, chance in _grouped(columns, weight[there]):
        found[filled(values)] += chance


def _grouped(columns: list[np.ndarray], weight: np.ndarray) -> Iterable[tuple[tuple, float]]:
    """Return each combination of values in the columns, once, with its weight."""
    codes, known = np.zeros(len(weight), dtype=np.int64), []
    for column in columns:
        values, places = np.unique(column, return_inverse=True)
        known.append([_plain(each) for each in values.tolist()])
        codes = codes * len(values) + places
    codes, places = np.unique(codes, return_inverse=True)
    totals, parts = np.bincount(places, weights=weight).tolist(), []
    for values in reversed(known):
        codes, rest = np.divmod(codes, len(values))
        parts.append([values[k] for k in rest.tolist()])
    return zip(zip(*reversed(parts), strict=True), totals, strict=True)


def _plain(value: float) -> float:
    """Return a whole number where it is one, and else the number without its rounding error."""
    return int(value) if value == int(value) else round(value, _DIGITS)


def _filler(output: Any, leaves: list[np.ndarray]) -> Callable[[tuple], Any]:
    """Return what makes a key of the values of an output's noisy numbers, which go to `leaves`.

    A key is hashable: a dictionary is ("{}", its items), a list ("[]", its elements).
    """
    if isinstance(output, Noisy):
        place = len(leaves)
        leaves.append(output.array)
        return lambda values: values[place]
    if isinstance(output, dict):
        names, inner = list(output), [_filler(each, leaves) for each in output.values()]
        return lambda values: (
            "{}",
            tuple((name, each(values)) for name, each in zip(names, inner, strict=True)),
        )
    if isinstance(output, list | tuple):
        inner = [_filler(each, leaves) for each in output]
        return lambda values: ("[]", tuple(each(values) for each in inner))
    output = _plain(output) if isinstance(output, float) else output
    return lambda values: output


def as_output(key: Any) -> Any:
    """Return the output of a key, as the program returned it."""
    if isinstance(key, tuple):
        kind, inside = key
        if kind == "{}":
            return {name: as_output(each) for name, each in inside}
        return [as_output(each) for each in inside]
    return key
