"""The demo class: each invented student's answers, and the points they must lose. Data only."""

from collections.abc import Mapping
from dataclasses import dataclass, field

CHAPTER = "03_laplace"

# The longest that one cell of the demo may run, in seconds: the looping student takes it,
# while a person waits. A right answer needs about one second, and the first cell a few.
SECONDS = 8


@dataclass(frozen=True)
class DemoStudent:
    """One invented student.

    Attributes:
      answers: source by grade_id; exercises not named here are answered rightly.
      loses: the exercises whose test cells, EXERCISE_visible and EXERCISE_hidden, must give 0.
        Every other test cell must give all its points.
      timed_out: the exercise that the status must name because it loops.
      unreadable: a submission that is no notebook, and must be refused.
      blank: whether the notebook is handed in as it was released.
    """

    answers: Mapping[str, str] = field(default_factory=dict)
    loses: tuple[str, ...] = ()
    timed_out: str | None = None
    unreadable: bytes | None = None
    blank: bool = False


_MULTIPLIED = """\
def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):
    if rng is None:
        rng = np.random.default_rng()
    return value + rng.laplace(scale=sensitivity * epsilon)
"""

_SENSITIVITY_IGNORED = """\
def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):
    return value + np.random.laplace(0, 1 / epsilon)
"""

_GAUSSIAN = """\
def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):
    return value + np.random.normal(0, sensitivity / epsilon)
"""

_NO_NOISE = """\
def private_count(table, predicate, *, epsilon, rng=None):
    return float(len(table[predicate(table)]))
"""

_MISS_AND_HIT = """\
def epsilon_for_error(error, *, probability, sensitivity):
    return sensitivity * np.log(1 / probability) / error
"""

_ROUNDED = """\
def discrete_laplace(value, *, sensitivity, epsilon, rng=None):
    if rng is None:
        rng = np.random.default_rng()
    return int(round(value + rng.laplace(scale=sensitivity / epsilon)))
"""

_LOOP = """\
def attacker_posterior(noisy_count, *, count_without, epsilon, prior):
    posterior = prior
    while posterior != 1:
        posterior = posterior + (1 - posterior) * 0
    return posterior
"""

STUDENTS: dict[str, DemoStudent] = {
    "perfect": DemoStudent(),
    "blank": DemoStudent(blank=True),
    "noise_multiplied": DemoStudent({"laplace_mechanism": _MULTIPLIED}, ("laplace_mechanism",)),
    "sensitivity_ignored": DemoStudent(
        {"laplace_mechanism": _SENSITIVITY_IGNORED}, ("laplace_mechanism",)
    ),
    "gaussian_noise": DemoStudent({"laplace_mechanism": _GAUSSIAN}, ("laplace_mechanism",)),
    "no_noise": DemoStudent({"private_count": _NO_NOISE}, ("private_count",)),
    "miss_for_hit": DemoStudent({"epsilon_for_error": _MISS_AND_HIT}, ("epsilon_for_error",)),
    "rounded": DemoStudent({"discrete_laplace": _ROUNDED}, ("discrete_laplace",)),
    "loops_for_ever": DemoStudent(
        {"attacker_posterior": _LOOP}, ("attacker_posterior",), timed_out="attacker_posterior"
    ),
    "broken_file": DemoStudent(
        unreadable=b'{"cells": [{"cell_type": "markdown", "source": "# 3 The'
    ),
}
