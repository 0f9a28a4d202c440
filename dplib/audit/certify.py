"""Audits of a mechanism and of a model. Half of the draws choose the event, half count."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dplib import _validate
from dplib.audit.events import Event, as_rows, at_least, at_most, best_event, epsilon_bound

#: About how many events one entry of the outputs is tried with.
CANDIDATES = 3000


@dataclass(frozen=True)
class AuditResult:
    """What an audit certifies.

    Args:
      epsilon: lower bound on epsilon, >= 0.
      event: the set of outputs that shows it.
      hits: how many of the certifying draws on `first`, and on `second`, are in the event.
      draws: how many certifying draws there are on each.
    """

    epsilon: float
    event: Event
    hits: tuple[int, int]
    draws: int


@dataclass(frozen=True)
class MembershipResult:
    """What an attack on membership finds, and what that certifies.

    Args:
      advantage: share of members called members, minus the same share of the others, as observed.
      lower, upper: bounds on the advantage that the attack has on average.
      threshold: the attack: a row with a loss of at most this is called a member.
      epsilon: lower bound on the epsilon of the training, >= 0.
    """

    advantage: float
    lower: float
    upper: float
    threshold: float
    epsilon: float


def epsilon_lower_bound(
    mechanism: Callable, first, second, *, samples, delta=0.0, confidence=1 - 1e-9, rng=None
) -> AuditResult:
    """Return a lower bound on epsilon that holds with the given confidence.

    The mechanism runs `samples` times on each of two neighbors (add_remove or replace_one: the
    bound is for the relation that they have). One half of the outputs chooses an event, the other
    half certifies it. If the mechanism is (epsilon, delta)-private for the pair, the bound exceeds
    epsilon with probability at most 1 - confidence, whatever the mechanism and the event.

    Args:
      mechanism: function of the data, or of the data and a numpy Generator (an argument named rng,
        or a second one that is required). It returns one number, or an array of the same shape each
        time. None and NaN count as infinity. Its runs must be independent.
      first, second: two neighboring inputs of the mechanism.
      samples: runs on each of them, >= 2; more of them bring the bound closer to the truth.
      delta: the delta of the claim, 0 for a claim of pure differential privacy.
      confidence: how surely the bound holds, strictly between 0 and 1.
      rng: numpy Generator, also handed to the mechanism; a fresh one if None.

    Returns:
      An AuditResult. The bound is at most about ln(samples / 43) at the default confidence.

    Raises:
      ValueError: an argument is out of range, or the outputs are not numbers of one shape.

    Source: Ding, Wang, Wang, Zhang & Kifer (2018) for an event chosen on runs of its own;
    Jagielski, Ullman & Oprea (2020) for epsilon from the bounds of Clopper & Pearson (1934).
    """
    half = _validate.whole("samples", samples, least=2) // 2
    delta, level = _levels(delta, confidence)
    generator = _validate.generator(rng)
    run = _runner(mechanism, generator)
    choosing, certifying = (
        [as_rows([run(data) for _ in range(half)]) for data in (first, second)] for _ in range(2)
    )
    if len({outputs.shape for outputs in (*choosing, *certifying)}) > 1:
        raise ValueError("mechanism must return the same number of entries for first and second")
    epsilon, event, hits = _certify(choosing, certifying, delta, level)
    return AuditResult(epsilon, event, hits, half)


def membership_inference(
    member_losses, other_losses, *, delta=0.0, confidence=1 - 1e-9, rng=None
) -> MembershipResult:
    """Attack membership by a threshold on the loss, and return what the attack achieves.

    A model is fitted to its training rows, so their loss tends to be smaller. A random half of the
    losses chooses the threshold and the event, the other half certifies. Two ways to use it:

    - One row, many trainings, independent of each other: its loss after each training with it, and
      after each training without it. Both statements hold: the bounds for the attack on this row,
      and epsilon for the training (add_remove neighbors; replace_one if another row stands in).
    - One model, many rows: losses of training rows drawn at random with replacement, and of fresh
      rows. The bounds hold for the attack on this one model. Read no epsilon off it: the training
      happened once, and epsilon is about what it could have returned.

    Args:
      member_losses: losses with membership, shape (m,), at least 2, independent of each other.
      other_losses: losses without membership, shape (n,), at least 2, independent of each other.
      delta: the delta that the training claims, 0 for pure differential privacy.
      confidence: how surely the bounds hold, and how surely epsilon holds; between 0 and 1.
      rng: numpy Generator for splitting into halves; a fresh one if None.

    Returns:
      A MembershipResult. Training with epsilon and delta allows an advantage of at most
      (exp(epsilon) - 1 + 2 * delta) / (exp(epsilon) + 1).

    Raises:
      ValueError: an argument is out of range.

    Source: Yeom, Giacomelli, Fredrikson & Jha (2018), for the attack and the advantage; Clopper &
    Pearson (1934) for the bounds.
    """
    delta, level = _levels(delta, confidence)
    generator = _validate.generator(rng)
    halves = [
        _halves(name, losses, generator)
        for name, losses in (("member_losses", member_losses), ("other_losses", other_losses))
    ]
    choosing, certifying = ([half[part] for half in halves] for part in range(2))
    threshold = _best_threshold(*choosing)
    hits = [int((losses <= threshold).sum()) for losses in certifying]
    draws = [len(losses) for losses in certifying]
    # Four statements, each wrong with half of `level`.
    low, high = (
        [float(bound(hit, draw, level / 2)) for hit, draw in zip(hits, draws, strict=True)]
        for bound in (at_least, at_most)
    )
    epsilon, _, _ = _certify(choosing, certifying, delta, level)
    observed = hits[0] / draws[0] - hits[1] / draws[1]
    return MembershipResult(observed, low[0] - high[1], high[0] - low[1], threshold, epsilon)


def _levels(delta, confidence) -> tuple[float, float]:
    """Return delta, and how often each of two bounds may be wrong."""
    number = _validate.number("delta", delta)
    if not 0 <= number < 1:
        raise ValueError(f"delta must be at least 0 and below 1, got {delta!r}")
    return number, (1 - _validate.probability("confidence", confidence)) / 2


def _runner(mechanism: Callable, generator) -> Callable:
    """Return a function of the data alone that runs the mechanism once."""
    try:
        parameters = inspect.signature(mechanism).parameters
    except (TypeError, ValueError):
        if not callable(mechanism):
            raise ValueError(f"mechanism must be a function, got {mechanism!r}") from None
        return mechanism
    if "rng" in parameters and parameters["rng"].kind is not inspect.Parameter.POSITIONAL_ONLY:
        return lambda data: mechanism(data, rng=generator)
    required = [each.kind for each in parameters.values() if each.default is each.empty]
    places = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    wants_both = sum(kind in places for kind in required) > 1
    return (lambda data: mechanism(data, generator)) if wants_both else mechanism


def _halves(name: str, losses, generator) -> list[np.ndarray]:
    """Return the losses, in random order, as two arrays of shape (n, 1)."""
    array = _validate.finite_array(name, losses)
    if array.ndim != 1 or len(array) < 2:
        raise ValueError(f"{name} must be at least two numbers in a row, got shape {array.shape}")
    return np.array_split(generator.permutation(array)[:, np.newaxis], 2)


def _best_threshold(members: np.ndarray, others: np.ndarray) -> float:
    """Return the loss that separates best: most members at or below it, and fewest others."""
    places = np.unique(np.concatenate((members, others)))
    shares = [
        np.searchsorted(np.sort(losses[:, 0]), places, side="right") / len(losses)
        for losses in (members, others)
    ]
    return float(places[np.argmax(shares[0] - shares[1])])


def _certify(choosing, certifying, delta, level) -> tuple[float, Event, tuple[int, int]]:
    """Choose an event on two arrays of outputs; return the bound, the event, its hits on others."""
    # The event may be the more likely one on the first input, or on the second.
    # The best of some thousand events is often lucky. Chosen by what would hold for all of them at
    # once (Bonferroni's bound), it is seldom one that luck alone made the best.
    careful = level / CANDIDATES
    found = [
        (best_event(choosing[i], choosing[j], delta, careful), i, j) for i, j in ((0, 1), (1, 0))
    ]
    (_, event), likely, rare = max(found, key=lambda each: each[0][0])
    hits = [int(event.holds(outputs).sum()) for outputs in certifying]
    draws = [len(outputs) for outputs in certifying]
    bound = epsilon_bound(hits[likely], draws[likely], hits[rare], draws[rare], delta, level)
    return max(0.0, float(bound)), event, (hits[0], hits[1])
