"""Break it: randomized response, once a day, to one question: when does the attacker know?"""

from typing import Any

import numpy as np
from scipy.special import betainc, expit

from autograder.check.answers import BadAnswer, as_number
from autograder.check.counterexample import CounterexampleClaim
from autograder.check.words import number

_TARGET = 0.99
# The sums of binomial probabilities below are off by less than 1e-11; no case is nearer to 0.99.
_ROOM = 1e-7
_FEWER = (
    "is there a smaller number of days with which the attacker reaches 99 %? Is the chance larger "
    "with every day more, also from an odd number to an even one?"
)


def right_share(days: int, epsilon: float, *, ties: float = 0.5) -> float:
    """Return how often the majority of so many reports is right; `ties`: how often a tie is."""
    # The number of true reports is binomial: above `half` with this probability.
    half, truth = days // 2, expit(epsilon)
    share = float(betainc(half + 1, days - half, truth))
    if days % 2 == 0:
        share += ties * (float(betainc(half, days - half + 1, truth)) - share)
    return share


def fewest_days(epsilon: float) -> int:
    """Return the smallest number of days after which the majority is right 99 times in 100."""
    # A report more makes a tie of an odd number; a fair coin there gains nothing. So the smallest
    # number is odd, and among odd numbers the share grows: bisection.
    low, high = -1, 1
    while right_share(2 * high - 1, epsilon) < _TARGET:
        low, high = high, 2 * high
    low = max(low, 0)
    while high - low > 1:
        middle = (low + high) // 2
        if right_share(2 * middle - 1, epsilon) < _TARGET:
            low = middle
        else:
            high = middle
    return 2 * high - 1


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return both ends of what the task allows, and six values of epsilon between them.

    None is too close to a change of the answer.
    """
    ranges = ((0.2, 0.3), (0.35, 0.6), (0.7, 1.0), (1.2, 1.7), (2.0, 3.0), (4.8, 7.0))
    ends = [{"epsilon": 0.2}, {"epsilon": 10.0}]
    return [{"epsilon": _clear(generator, each)} for each in ranges] + ends


def _clear(generator: np.random.Generator, limits: tuple[float, float]) -> float:
    """Return an epsilon at which rounding cannot change the answer."""
    while True:
        epsilon = round(generator.uniform(*limits), 2)
        days = fewest_days(epsilon)
        shares = (right_share(each, epsilon) for each in (days, max(1, days - 2)))
        if min(abs(share - _TARGET) for share in shares) > _ROOM:
            return epsilon


def _verify(parameters: dict, answer: Any) -> None:
    """Raise BadAnswer unless the answer is the smallest number of days."""
    epsilon, days = parameters["epsilon"], _days(answer)
    fewest, share = fewest_days(epsilon), right_share(days, epsilon)
    if days == fewest:
        return
    seen = f"after {days:,} days the attacker is right {_percent(share)} of the time"
    if days > fewest:
        fewer = _percent(right_share(fewest, epsilon))
        raise BadAnswer(
            "fewer days are enough",
            seen=f"{seen}; after {fewest:,} it is {fewer}" if days > 3 * fewest else seen,
            ask=_FEWER,
        )
    if _first_with_ties(days, epsilon):
        raise BadAnswer(
            "a tie is counted as a right guess",
            seen=f"after {days:,} days as many reports may say yes as no; a fair guess makes "
            f"{_percent(share)}",
            ask="what does the attacker guess when half of the reports say yes?",
        )
    raise BadAnswer(
        "the attacker is not sure enough yet",
        seen=f"{seen}, and 99 % is wanted",
        ask=_hint(days, epsilon),
    )


def _first_with_ties(days: int, epsilon: float) -> bool:
    """Say whether it is the smallest number of days, if every tie counts as a right guess."""
    with_ties = [right_share(each, epsilon, ties=1.0) for each in (days, days - 2) if each > 0]
    return days % 2 == 0 and with_ties[0] >= _TARGET and max(with_ties[1:], default=0.0) < _TARGET


def _hint(days: int, epsilon: float) -> str:
    if days == 1:
        return "how likely is one report false, at this epsilon? And most of several?"
    if right_share(days, 2 * epsilon) >= _TARGET:
        return "which share of a person's reports is true? Add up the chances of a majority."
    return "add up the exact probabilities: how likely are more true reports than false ones?"


def _days(answer: Any) -> int:
    if answer is None:
        ask = "how far does your search go? And which share of a person's reports is true?"
        raise BadAnswer("it returns nothing", ask=ask)
    days = as_number(answer)
    if days != round(days) or days < 1:
        raise BadAnswer(
            "a number of days is a whole number, 1 or more",
            seen=f"it returned {number(days)}",
            ask="on which day is the attacker sure enough for the first time?",
        )
    if days > 1e7:
        raise BadAnswer(
            "fewer days are enough",
            seen=f"it returned {number(days)}",
            ask=_FEWER,
        )
    return int(days)


def _percent(share: float) -> str:
    """Return a share with as many digits as tell it from 99 %, and from 100 %."""
    for digits in range(1, 12):
        said = f"{100 * share:.{digits}f}"
        if float(said) not in (100 * _TARGET, 100.0):
            return f"{said} %"
    return "nearly 100 %" if share > 1 - 1e-9 else f"{said} %"


CLAIM = CounterexampleClaim(
    about=(
        "Check `daily_respondent(epsilon)`: how soon the attacker knows.\n\n"
        "A person answers one question by randomized response, every day anew, at this epsilon\n"
        "(0.2 to 10). The attacker sees all reports and guesses what most of them say (a coin\n"
        "decides a tie). The function returns the smallest number of days after which the guess\n"
        "is right with probability 0.99 or more, a whole number."
    ),
    established="after so many days the attacker is right 99 times in 100, and no day sooner",
    cases=_cases,
    verify=_verify,
    situation=lambda p: f"epsilon {p['epsilon']}",
)
