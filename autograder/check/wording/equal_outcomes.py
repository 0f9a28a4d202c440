"""Outcomes that are equally likely by the right law, and do not come equally often.

That one of 300 candidates comes too often leads nowhere. That of 299 with one score the same one
comes each time does.
"""

import math
import secrets
from collections.abc import Callable, Hashable, Mapping, Sequence

import numpy as np

from autograder.check.door import Door
from autograder.check.effort import FOR_WORDS, Stopwatch
from autograder.check.wording.optional import optional
from autograder.check.words import counted
from ville.trial import Trial

_HARDLY_EVER = 1e-6  # of right answers; there are some dozens of such groups
_ALIKE = 1e-9
_AT_ONCE, _MOST_CALLS = 10, 100


@optional
def equals_of(claim, door: Door, trial: Trial, answers: Sequence) -> tuple[int, str, str] | None:
    """Return the setting where equally likely outcomes are least alike, words, a question; or None.

    Args:
      claim: an `OutcomeClaim`.
      door, trial: where one outcome stands for many, more answers are asked for.
      answers: those that came at each of the trial's settings.
    """
    found = []
    for place, setting in enumerate(trial.settings):
        law = claim.law(setting.parameters)
        if not isinstance(law, Mapping):
            continue
        if apart := any(map(claim.holds_many, law)):
            law = claim.law(setting.parameters | claim.apart) if claim.apart else {}
            counts = _counts_apart(claim, door, place, len(law))
        else:
            counts = np.bincount(setting.sort(answers[place])[1], minlength=len(law))

        def say(outcome: Hashable, parameters: dict = setting.parameters) -> str:
            return claim.say(outcome) + claim.known_of(outcome, parameters).rstrip(",")

        if words := words_of_equals(law, counts, say, more=apart):
            found.append((words[0], place, words[1], claim.ask_alike))
    return min(found)[1:] if found else None


def words_of_equals(
    law: Mapping[Hashable, float],
    counts: Sequence[int],
    say: Callable[[Hashable], str],
    *,
    more: bool = False,
) -> tuple[float, str] | None:
    """Return how improbable it is (in nats, below 0), and words.

    Args:
      law: the right probability of each outcome.
      counts: how often each came.
      say: an outcome in words.
      more: whether these answers were asked for after the verdict.

    Returns:
      None if no group of equally likely outcomes is so uneven.
    """
    from scipy.stats import binom

    chances, names, best = np.array(list(law.values())), list(law), None
    for chance in np.unique(chances[chances > 0]):
        alike = np.flatnonzero(np.isclose(chances, chance, rtol=_ALIKE, atol=0))
        came = np.asarray(counts)[alike]
        many, most, size = int(came.sum()), int(came.max()), len(alike)
        if size < 2 or not many:
            continue
        # One of them comes so often with a binomial probability; any of them, with `size` times it.
        nats = float(binom.logsf(most - 1, many, 1 / size)) + math.log(size)
        if nats < min(math.log(_HARDLY_EVER), best[0] if best else 0.0):
            which = say(names[alike[int(np.argmax(came))]])
            told = f"{counted(many, 'more answer' if more else 'answer')} were among the {size:,}"
            these = "all" if most == many else f"{most:,}"
            best = nats, f"{told} that are alike, and {these} of them were {which}"
    return best


def _counts_apart(claim, door: Door, place: int, outcomes: int) -> np.ndarray:
    """Return how often each outcome comes in more answers, where it stands for itself alone."""
    counts, watch, calls = np.zeros(outcomes, dtype=int), Stopwatch(), 0
    while outcomes and calls < _MOST_CALLS and watch.within(FOR_WORDS):
        seeds = [secrets.randbits(32) for _ in range(_AT_ONCE)]
        came = door.replay(place, [claim.apart], seeds)[0]
        places = [int(each) for each in came if each is not None and np.isfinite(each)]
        counts += np.bincount(places, minlength=outcomes)
        calls += _AT_ONCE
    return counts
