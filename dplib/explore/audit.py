"""Sliders of the chapter on audits."""

import functools

import numpy as np

from dplib import _validate
from dplib.audit import AuditResult, epsilon_lower_bound
from dplib.explore.parts.frames import SliderFigure, explore_frames
from dplib.explore.parts.words import amount
from dplib.floating_point import reachable_from
from dplib.laplace import laplace_mechanism
from dplib.plots.audit import draw_audits, draw_float_gaps

SAMPLES = (100, 200, 500, 1000, 2000, 5000, 10_000)
OUTPUTS = (-5, -2, -1, -0.1, 0.1, 0.3, 0.5, 0.9, 2, 6)
STEPS = 100


def explore_audit(*, epsilon: float = 1) -> SliderFigure:
    """Show what audits certify about two mechanisms, with a slider for the number of runs.

    Both claim epsilon. One is `laplace_mechanism`; the other adds half of its noise, so its epsilon
    is twice the claim. The audits are those of `epsilon_lower_bound`, on the inputs 0 and 1.

    Args:
      epsilon: what both claim, from 0.1 to 3, without unit.

    Raises:
      ValueError: epsilon is out of range.
    """
    if not 0.1 <= _validate.positive("epsilon", epsilon) <= 3:
        raise ValueError(f"epsilon must lie between 0.1 and 3, got {epsilon!r}")
    true = {"right noise": epsilon, "half the noise": 2 * epsilon}

    @functools.cache
    def audits(samples):
        return {name: _audit(spent, int(samples)) for name, spent in true.items()}

    def draw(axes, samples):
        draw_audits(axes[0], audits(samples), claim=epsilon)

    def caption(samples):
        honest, half = (audits(samples)[name].epsilon for name in true)
        verdict = "refutes" if half > epsilon else "does not yet refute"
        return (
            f"{samples:,g} runs on each input certify ε ≥ {amount(honest)} for the right noise and "
            f"ε ≥ {amount(half)} for half of it, which {verdict} its claim of ε = {epsilon:g}."
        )

    return explore_frames(draw, caption, stops=SAMPLES, start=SAMPLES[0], name="runs")


def _audit(epsilon: float, samples: int) -> AuditResult:
    """Return what an audit finds about `laplace_mechanism` at this epsilon."""

    # Drawn at once, which is faster than one by one: half of the samples, on each input, twice.
    law = {"sensitivity": 1, "epsilon": epsilon, "rng": np.random.default_rng(16)}
    noise = iter(laplace_mechanism(np.zeros(2 * samples), **law).tolist())
    return epsilon_lower_bound(lambda value: value + next(noise), 0, 1, samples=samples)


def explore_float_window(*, epsilon: float = 1) -> SliderFigure:
    """Show which floating-point outputs two inputs can give, with a slider along the line.

    Each picture shows 100 double-precision numbers in a row, and which of them `laplace_mechanism`
    can give for 0 and for 1.

    Args:
      epsilon: as in `laplace_mechanism`, from 0.1 to 3, without unit.

    Raises:
      ValueError: epsilon is out of range.
    """
    if not 0.1 <= _validate.positive("epsilon", epsilon) <= 3:
        raise ValueError(f"epsilon must lie between 0.1 and 3, got {epsilon!r}")

    def draw(axes, output):
        draw_float_gaps(axes[0], output=output, steps=STEPS, epsilon=epsilon)

    def caption(output):
        # The bits of a double, read as a whole number, count the doubles one by one.
        doubles = (np.float64(output).view(np.int64) + np.arange(STEPS)).view(np.float64)
        first, second = (reachable_from(doubles, value=v, epsilon=epsilon) for v in (0, 1))
        either, both = int((first | second).sum()), int((first & second).sum())
        return (
            f"Of the {STEPS} double-precision numbers from {output:g} on, {int(first.sum())} can "
            f"come from 0 and {int(second.sum())} from 1; {either - both} of these {either} "
            f"outputs tell which of the two it was."
        )

    return explore_frames(draw, caption, stops=OUTPUTS, start=0.3, name="window at")
