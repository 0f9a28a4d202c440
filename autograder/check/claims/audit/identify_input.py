"""Break it: one output of the Laplace mechanism in floating point tells the input, 0 or 1."""

import math
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, as_number
from autograder.check.rates import RateClaim, Requirement, Run

_OUTPUTS = 150
# numpy draws a uniform number as k / 2**53 with a whole k from 1 on (Generator.laplace refuses 0).
_UNIFORMS = 2**53
# Around the place found by bisection: the logarithm of the C library is monotone, nearly.
_NEARBY = range(-6, 7)


def _noise(k: int, scale: float, log=math.log) -> float:
    """Return the noise that numpy makes of the uniform number k / 2**53, bit for bit."""
    uniform = k / _UNIFORMS
    if uniform >= 0.5:
        return 0.0 - scale * log(2.0 - uniform - uniform)
    return 0.0 + scale * log(uniform + uniform)


def _nearest(output: float, value: int, scale: float) -> int:
    """Return the first k whose output is not below `output`, by bisection."""
    low, high = 1, _UNIFORMS - 1
    while low < high:
        middle = (low + high) // 2
        if value + _noise(middle, scale) < output:
            low = middle + 1
        else:
            high = middle
    return low


def _around(output: float, value: int, scale: float) -> list[int]:
    place = _nearest(output, value, scale)
    return [place + step for step in _NEARBY if 1 <= place + step < _UNIFORMS]


def inputs_of(output: float, epsilon: float) -> list[int]:
    """Return which of the inputs 0 and 1 can give an output, exactly, by enumeration."""
    scale = 1 / epsilon
    return [
        value
        for value in (0, 1)
        if any(value + _noise(k, scale) == output for k in _around(output, value, scale))
    ]


def _logarithms_agree(output: float, epsilon: float) -> bool:
    """Say whether numpy's logarithm is the C library's wherever this output is decided."""
    scale = 1 / epsilon
    return all(
        _noise(k, scale) == _noise(k, scale, np.log)
        for value in (0, 1)
        for k in _around(output, value, scale)
    )


def _runs(generator: np.random.Generator) -> list[Run]:
    """Return outputs as numpy makes them, where every way to take logarithms agrees."""
    runs = []
    while len(runs) < _OUTPUTS:
        epsilon = round(generator.uniform(0.3, 2.0), 2)
        output = len(runs) % 2 + generator.laplace(scale=1 / epsilon)
        if _logarithms_agree(output, epsilon):
            given = inputs_of(output, epsilon)
            # Where both can give the output, there is nothing to find.
            asked = ("found",) if len(given) == 1 else ()
            runs.append(Run({"output": output, "epsilon": epsilon, "inputs": given}, asked))
    return runs


def _read(answer: Any, parameters: dict) -> float | None:
    """Return the input that is named, None for none."""
    if answer is None:
        return None
    read = as_number(int(answer) if isinstance(answer, bool | np.bool_) else answer)
    if read not in (0, 1):
        raise BadAnswer(
            "0, 1 or None is wanted",
            seen=f"it returned {read:g}",
            ask="which two inputs may the output have come from?",
        )
    _raise_unless_certain(read, parameters["inputs"])
    return read


def _raise_unless_certain(read: float, inputs: list[int]) -> None:
    """Raise BadAnswer unless the input that is named is the only one that gives the output."""
    if read not in inputs:
        raise BadAnswer(
            "it names an input that cannot give the output",
            seen=f"it returned {read:.0f}, and only {inputs[0]} can give this output",
            ask=f"which uniform number k / 2**53 gives exactly this output from {inputs[0]}? Does "
            "your code find it, among enough whole numbers next to each other, and which name "
            "comes back then?",
        )
    if len(inputs) > 1:
        raise BadAnswer(
            "it names one input where both can give the output",
            seen=f"it returned {read:.0f}, and the other input gives this output too",
            ask=f"which uniform number k / 2**53 gives exactly this output from {1 - read:.0f}? "
            "Does your code find it: the scale, both formulas of the noise, a sum that is rounded, "
            "enough whole numbers around the nearest one?",
        )


CLAIM = RateClaim(
    about="Check `identify_input(output, *, epsilon)`: 0 or 1 where only one of these inputs can "
    "give the output, None where both can.",
    established="never wrong, and nearly every output that can be told is told",
    runs=_runs,
    read=_read,
    situation=lambda p: f"output {p['output']!r}, epsilon {p['epsilon']}",
    requirements={
        "found": Requirement(
            0.2,
            lambda parameters, given: given is None,
            "it identifies too few inputs",
            "for each input: which of the uniform numbers k / 2**53 lead to exactly this output?",
            "nothing was said about an output that one input alone can give",
        )
    },
)
