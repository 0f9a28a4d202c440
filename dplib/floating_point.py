"""Outputs that an input cannot produce in floating-point arithmetic (Mironov 2012).

`laplace_mechanism` takes one of 2**53 uniform numbers, turns it into noise, and adds the answer. So
an answer can give at most 2**53 outputs, and these lie scattered among the numbers that a computer
can write. Another answer gives other outputs, mostly. In real arithmetic every answer could give
every output: there the proof of epsilon-differential privacy holds, and here it doesn't.
"""

import math

import numpy as np

from dplib import _validate
from dplib.laplace import laplace_mechanism

__all__ = ["identified_fraction", "reachable_from"]

# numpy's Generator draws a uniform number as k / 2**53 with a whole k.
_UNIFORMS = 2.0**53
# The uniform number is found to within one or two steps; eight leaves room for other rounding.
_NEARBY = np.arange(-8.0, 9.0)

# numpy computes its noise with the logarithm of the C library, as `math.log` does; `numpy.log` may
# round differently in the last bit, and here the last bit is all that matters.
_log = np.frompyfunc(math.log, 1, 1)


def reachable_from(output, *, value, sensitivity=1, epsilon=1):
    """Say which outputs `laplace_mechanism` can give for `value`, down to the last bit.

    Args:
      output: number or array of shape (n,): possible releases, as double-precision numbers.
      value: the exact answer, one number.
      sensitivity, epsilon: as in `laplace_mechanism`, > 0.

    Returns:
      True where one of the 2**53 uniform numbers that numpy draws leads from `value` to exactly
      this output; of the shape of `output`, a bool for one number.

    Raises:
      ValueError: an argument is out of range.

    Source: Mironov (2012), "On significance of the least significant bits for differential
    privacy", section 4; the arithmetic is that of `numpy.random.Generator.laplace`.
    """
    seen = _validate.finite_array("output", output)
    exact = _validate.number("value", value)
    scale = _validate.positive("sensitivity", sensitivity) / _validate.positive("epsilon", epsilon)
    noise = (seen - exact) / scale
    # The Laplace distribution function (Dwork & Roth 2014, definition 3.2, integrated) says where
    # the uniform number must lie; try the few whole k around it.
    tail = np.exp(-np.abs(noise)) / 2
    nearest = np.round(_UNIFORMS * np.where(noise < 0, tail, 1 - tail))
    candidates = np.clip(nearest[..., None] + _NEARBY, 1, _UNIFORMS - 1) / _UNIFORMS
    hits = exact + _noise_from(candidates, scale) == seen[..., None]
    return _validate.like_input(np.asarray(hits.any(axis=-1)))


def _noise_from(uniform: np.ndarray, scale: float) -> np.ndarray:
    """Return the Laplace noise that numpy makes of these uniform numbers, bit for bit."""
    upper = uniform >= 0.5
    # Written as numpy writes it: 2 - u - u and 2 * (1 - u) round differently.
    logarithm = _log(np.where(upper, 2.0 - uniform - uniform, uniform + uniform)).astype(float)
    return np.where(upper, 0.0 - scale * logarithm, 0.0 + scale * logarithm)


def identified_fraction(values=(0, 1), *, sensitivity=1, epsilon=1, size=2000, rng=None):
    """Measure how often one output of `laplace_mechanism` tells which of two inputs it came from.

    An output identifies its input when the other input cannot give it. For each of the two inputs
    `size` outputs are drawn; the result is the share of all of them that identify their input.

    Args:
      values: the two exact answers, different from each other.
      sensitivity, epsilon: as in `laplace_mechanism`, > 0.
      size: number of outputs drawn from each input, a whole number > 0.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      A fraction between 0 and 1. With real numbers instead of floating-point ones it would be 0.
      Its standard error is below 0.36 / sqrt(size).

    Raises:
      ValueError: an argument is out of range.

    Source: Mironov (2012), section 4.
    """
    pair = _validate.finite_array("values", values)
    if pair.shape != (2,) or pair[0] == pair[1]:
        raise ValueError(f"values must be two different numbers, got {values!r}")
    if size != int(_validate.positive("size", size)):
        raise ValueError(f"size must be a whole number, got {size!r}")
    law = {"sensitivity": sensitivity, "epsilon": epsilon}
    generator = _validate.generator(rng)
    shared = [
        reachable_from(
            laplace_mechanism(np.full(int(size), own), **law, rng=generator), value=other, **law
        )
        for own, other in (pair, pair[::-1])
    ]
    return 1 - float(np.mean(shared))
