"""Two references for programs that claim an epsilon: a hunt for counterexamples, and a proof.

The hunt compares exact laws over many small tables. The proof knows no law: it runs the program
with given noise, and moves the noise until the neighbor gives the same outputs.
"""

import itertools
import math
from collections.abc import Iterator

import numpy as np

from autograder.check.leaks.drawn_program import Program
from autograder.check.leaks.exact_law import as_output, compiled, law, seeded
from autograder.check.leaks.judged import RAREST
from autograder.check.leaks.vocabulary import MOST_ROWS

_TAIL = 2e-3  # for a first look at a pair
_TRIED = 60  # draws of noise, at each of which the outputs must agree


def pairs(program: Program, rng: np.random.Generator, size: int) -> Iterator[tuple[list, list]]:
    """Yield neighbors, in both orders; tables of equal rows are where thresholds bite."""
    w = program.words
    numbers = (0, 1, 2, 3, 4, 5, w.top)
    palette = [{w.group: each, w.number: number} for each in w.groups for number in numbers]

    def any_row():
        return dict(palette[rng.integers(len(palette))])

    for _ in range(size):
        rows = [any_row() for _ in range(rng.integers(0, MOST_ROWS))]
        if rng.random() < 0.5:
            rows = [any_row()] * len(rows)
        yield from _changed(program, rows, int(rng.integers(len(rows) + 1)), any_row())


def _designed(program: Program) -> Iterator[tuple[list, list]]:
    """Yield neighbors of which one is a few equal rows, and another row is as far off as can be."""
    w = program.words
    ends = [{w.group: w.groups[k], w.number: k * w.top} for k in (0, 1)]
    for rows, row in ((0, 1), (1, 0)):
        for length, place in ((1, 0), (3, 2), (5, 0), (4, 1)):
            yield from _changed(program, [ends[rows]] * length, place, ends[row])


def _changed(program: Program, rows: list, place: int, row: dict) -> Iterator[tuple[list, list]]:
    added = program.words.added
    other = [*rows[:place], row, *rows[place + (not added) :]]
    if other != rows and added == (len(other) > len(rows)):
        yield rows, other
        yield other, rows


def hunted(program: Program, *, seed: int = 0, size: int = 200):
    """Return (table, neighbor, event) that refutes the program's epsilon, or None.

    The best event for two tables is that of the outputs more likely by exp(epsilon) (Neyman &
    Pearson).
    """
    rng, laws, ranked = np.random.default_rng(seed), {}, []
    for pair in itertools.chain(_designed(program), pairs(program, rng, size)):
        for rows in pair:
            if repr(rows) not in laws:
                laws[repr(rows)] = law(program.text, rows, program.epsilon, tail=_TAIL)
        gain, _ = _excess(program, *(laws[repr(rows)] for rows in pair))
        ranked.append((gain, len(ranked), pair))
        if gain > 0.03:
            break
    for _, _, (rows, other) in sorted(ranked, reverse=True, key=lambda each: each[:2])[:3]:
        one, two = (law(program.text, each, program.epsilon) for each in (rows, other))
        gain, event = _excess(program, one, two)
        if gain > 0 and sum(one[key] for key in event) >= RAREST:
            texts = {repr(as_output(key)) for key in event}
            return rows, other, lambda output, texts=texts: repr(output) in texts
    return None


def _excess(program: Program, one, other) -> tuple[float, set]:
    bound = math.exp(program.epsilon) * (1 + 1e-6)
    event = {key for key, chance in one.items() if chance > bound * other.get(key, 0.0)}
    p, q = sum(one[key] for key in event), sum(other.get(key, 0.0) for key in event)
    return p - bound * (q + other.lost) - program.delta, event


def shift_cost(program: Program, table: list, neighbor: list, *, seed: int = 0) -> float:
    """Return the cost of a shift of the noise after which the neighbor gives the same outputs.

    If report(table; z) = report(neighbor; z + shift) for every z, each event is at most exp(cost)
    times as likely on the table, with cost = sum of |shift| / scale: for a draw z has a chance
    proportional to exp(-|z| / scale). Infinite, if no shift of cost epsilon or less does it.
    """
    scales = given_noise(program, table, [0] * 9)[1]
    if scales != given_noise(program, neighbor, [0] * 9)[1]:
        return math.inf
    rng = np.random.default_rng(seed)
    tried = [rng.integers(-9, 10, len(scales)).tolist() for _ in range(_TRIED)]
    reach = [
        range(-math.ceil(s * program.epsilon), math.ceil(s * program.epsilon) + 1) for s in scales
    ]
    costs = sorted(
        (sum(abs(k) / scale for k, scale in zip(shift, scales, strict=True)), shift)
        for shift in itertools.product(*reach)
    )
    for cost, shift in costs:
        if cost <= program.epsilon * (1 + 1e-12) and all(
            given_noise(program, table, z)
            == given_noise(program, neighbor, [a + b for a, b in zip(z, shift, strict=True)])
            for z in tried
        ):
            return cost
    return math.inf


def enumerated(program: Program, rows: list, tail: float) -> Iterator[tuple]:
    """Yield the output at each noise but for tails, with its chance."""
    waiting = [[]]
    while waiting:
        noise = waiting.pop()
        output, scales = given_noise(program, rows, [*noise, *[0] * 9])
        if len(scales) > len(noise):  # it draws once more: with each value
            far = math.ceil(scales[len(noise)] * math.log(1 / tail))
            waiting += [[*noise, k] for k in range(-far, far + 1)]
            continue
        chances = [
            math.tanh(1 / (2 * scale)) * math.exp(-abs(k) / scale)
            for k, scale in zip(noise, scales, strict=True)
        ]
        yield output, math.prod(chances)


def delta_of(program: Program, table: list, neighbor: list, *, tail: float = 1e-4) -> float:
    """Return an upper bound of the delta that these neighbors need at the program's epsilon.

    Both laws are enumerated with given noise; what the tails hold counts against the program.
    """
    one, other = ({}, {})
    for rows, law_of_rows in ((table, one), (neighbor, other)):
        for output, chance in enumerated(program, rows, tail):
            law_of_rows[repr(output)] = law_of_rows.get(repr(output), 0.0) + chance
    bound = math.exp(program.epsilon)
    needed = sum(max(0.0, chance - bound * other.get(key, 0.0)) for key, chance in one.items())
    return needed + 1 - sum(one.values())


def given_noise(program: Program, rows: list, values: list) -> tuple:
    """Return the output with the given noise, and the scales of the noise that was drawn."""
    left, scales = list(values), []

    def noise(scale, seed=None):
        if seed is not None:
            return seeded(scale, seed)
        scales.append(scale)
        return left.pop(0)

    try:
        output = compiled(program.text)(noise)([dict(row) for row in rows], program.epsilon)
    except ValueError as error:
        output = f"ValueError: {error}"
    return output, scales
