"""Break it: scores for which exp(epsilon * score / 2), divided by the sum of all, is NaN."""

from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.claims.selection._lists import numbers_of
from autograder.check.counterexample import CounterexampleClaim
from autograder.check.words import number

_MOST = 1000
# The choice must be a real one: two candidates are at least this likely.
_LEAST = 0.1
# No score may be further from 0 than so many times the nearest one that fails: the largest weight
# is infinite then, or the smallest is 0.
_ROOM = 1.01
_LARGEST, _SMALLEST = np.log(np.finfo(float).max), np.log(np.nextafter(0, 1)) - np.log(2)


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return seven values of epsilon, from strong privacy to none to speak of.

    At the last one a whole number that is large enough is 2 % too large.
    """
    ranges = ((0.01, 0.05), (0.05, 0.3), (0.3, 0.8), (0.8, 1.5), (1.5, 3.0), (3.0, 9.0))
    drawn = [round(generator.uniform(*each), 3) for each in ranges]
    weak = round(2 * _LARGEST / (generator.integers(20, 40) + 0.1), 3)
    return [{"epsilon": float(epsilon)} for epsilon in (*drawn, weak)]


@np.errstate(all="ignore")
def _verify(p: dict, answer: Any) -> None:
    """Raise BadAnswer unless the naive weights fail at these scores, and a choice is left."""
    epsilon = p["epsilon"]
    scores = np.array(numbers_of(answer, "scores", least=2, most=_MOST))
    weights = np.exp(epsilon * scores / 2)
    if not np.isnan(weights / weights.sum()).any():
        raise _finite(weights)
    _raise_if_far(scores, epsilon, above=bool(np.isinf(weights.max())))
    # The true probabilities: only gaps to the best score are exponentiated.
    stable = np.exp(epsilon * (scores / 2 - scores.max() / 2))
    second = np.sort(stable / stable.sum())[-2]
    if second < _LEAST:
        equal = int(np.sum(stable == stable.max()))
        raise BadAnswer(
            "the weights fail, but there is no choice left to make",
            seen=f"the second-best candidate has the true probability {number(second)}; "
            f"{_LEAST} is wanted",
            ask=f"{equal} candidates share the best score: how many may do so?"
            if equal > 1
            else "how small must the gap between the two best scores be, at this epsilon?",
        )


def _raise_if_far(scores: np.ndarray, epsilon: float, *, above: bool) -> None:
    """Raise BadAnswer if a score is further from 0 than needed on the side that fails."""
    furthest = float(scores[np.abs(scores).argmax()])
    needed = 2 / epsilon * (_LARGEST if above else -_SMALLEST)
    if abs(furthest) > _ROOM * needed:
        raise BadAnswer(
            "the weights fail, but smaller scores would do",
            seen=f"a score is {number(furthest)}, more than 1 % further from 0 than is needed",
            ask="what is the exponent of that score? Where does exp begin to fail?",
        )


def _finite(weights: np.ndarray) -> BadAnswer:
    """Return the words for scores that the naive weights can cope with."""
    largest, smallest = weights.max(), weights.min()
    problem = "the naive weights are fine with these scores"
    if np.isinf(weights.sum()):
        problem = "only the sum is infinite: the probabilities are 0, not NaN"
    between = f"the weights lie between {number(smallest)} and {number(largest)}"
    if number(smallest) == number(largest):
        between = f"all weights are {number(largest)}"
    ask = "above which x is exp(x) no float, and below which is it 0? Does epsilon matter here?"
    if smallest == 0 and np.isfinite(largest):
        ask = f"which of your scores has the weight {number(largest)}, and what is the sum of the "
        ask += "others?"
    return BadAnswer(problem, seen=f"{between}, their sum is {number(weights.sum())}", ask=ask)


CLAIM = CounterexampleClaim(
    about=(
        "Check `naive_weights_counterexample(epsilon)`: scores that turn the naive weights to NaN."
        "\n\nThe function returns 2 to 1000 finite scores for which np.exp(epsilon * scores / 2),\n"
        "divided by its sum, holds NaN; the two best candidates must have a true probability of\n"
        "at least 0.1 each, and no score may be more than 1 % further from 0 than is needed."
    ),
    established="the naive weights fail here, where two candidates are likely",
    cases=_cases,
    verify=_verify,
    situation=lambda p: f"epsilon {p['epsilon']}",
)
