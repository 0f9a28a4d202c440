"""What the claims about choosing a candidate share: laws, reading an answer, settings, mistakes."""

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, shortened
from autograder.check.claims.selection._choosing import choose, returned_nothing
from autograder.check.claims.selection._noise import step, winner_law
from autograder.check.mistakes import Mistake, now_and_then

_NORMALISED = (
    "the scores are stretched to lie between 0 and 1",
    "the scores are divided by the largest of them, or by their sum",
    "the scores are divided by their standard deviation",
)
_UNITS = "if scores and sensitivity are both counted in thousands, what should change?"

# Who strikes out the unlikely keeps candidates with such a share of the best one's weight.
_LEAST_SHARE = 0.01

# Outcomes are the candidates themselves. Two words each, so that none is a number or an index.
_THINGS = ("red", "blue", "green", "grey", "pink", "black", "white", "brown")

ASK_ALIKE = (
    "does each candidate keep its own score, and get a draw of its own? Is one of the two lists "
    "sorted or shuffled without the other, or the first of equal scores taken?"
)

# Where there are many candidates, all but the best are one outcome.
ANOTHER = "one of the others"


def said(outcome: str) -> str:
    """Return a candidate in quotes; those that are one outcome have no name."""
    return outcome if outcome == ANOTHER else f'"{outcome}"'


_FEW = len(_THINGS)
# From so many steps behind the best, one candidate is rare.
_FAR = 6


def words_of(generator: np.random.Generator, number: int) -> list[str]:
    """Return so many candidates, in random order."""
    if number > _FEW:
        return [f"door {place}" for place in generator.permutation(number).tolist()]
    return [f"{word} door" for word in generator.permutation(_THINGS)[:number].tolist()]


def by_weights(p: dict, exponents: Sequence[float]) -> dict[Hashable, float]:
    """Return the law with probabilities proportional to exp(exponent), by candidate."""
    exponents = np.asarray(exponents, dtype=float)
    weights = np.exp(exponents - exponents.max())
    return dict(zip(p["candidates"], (weights / weights.sum()).tolist(), strict=True))


def winner(p: dict, noise, scores: Sequence[float] | None = None) -> dict[Hashable, float]:
    """Return the law of the highest noisy score, by candidate."""
    # Only differences matter; taken exactly, they leave large scores no rounding error to make.
    scores = np.array(p["scores"] if scores is None else scores, dtype=float)
    law = winner_law(tuple((scores - scores.max()).tolist()), noise)
    return dict(zip(p["candidates"], law.tolist(), strict=True))


def always(p: dict, place: int) -> dict[Hashable, float]:
    """Return the law of an answer that is always the same candidate."""
    return {p["candidates"][place]: 1.0}


def evenly(p: dict) -> dict[Hashable, float]:
    """Return the law of even chances."""
    return dict.fromkeys(p["candidates"], 1 / len(p["candidates"]))


def _pools(p: dict) -> bool:
    """Say whether all but the best candidate are one outcome: so it is of many, unless "apart"."""
    return len(p["candidates"]) > _FEW and "apart" not in p


def outcomes(p: dict) -> dict[Hashable, Hashable]:
    """Return the outcome that each candidate is: itself, or of many all but the best are one."""
    if not _pools(p):
        return {each: each for each in p["candidates"]}
    return {**dict.fromkeys(p["candidates"], ANOTHER), _best(p): _best(p)}


def pooled(law: Callable[[dict], dict]) -> Callable[[dict], dict]:
    """Return a law in which all but the best of many candidates are one outcome."""

    def function(p: dict) -> dict:
        chances = law(p)
        if not _pools(p):
            return chances
        best = _best(p)
        share = chances.get(best, 0.0)
        return {best: share, ANOTHER: 1 - share}

    return function


def all_pooled(mistakes: Iterable[Mistake]) -> tuple[Mistake, ...]:
    """Return the mistakes with such laws."""
    return tuple(replace(each, law=pooled(each.law)) for each in mistakes)


def _best(p: dict) -> Hashable:
    return p["candidates"][int(np.argmax(p["scores"]))]


def _lead(p: dict) -> float:
    """Return how far the best score is ahead, in steps of the exponent."""
    second, first = sorted(p["scores"])[-2:]
    return (first - second) / step(p)


def candidate_of(answer: Any, p: dict) -> Hashable:
    """Return the candidate that came back, or raise BadAnswer with what came instead."""
    if isinstance(answer, np.ndarray | list) and np.size(answer) == 1:
        answer = np.asarray(answer, dtype=object).ravel()[0]
    if answer is None:
        raise returned_nothing(p)
    if isinstance(answer, Hashable) and answer in p["candidates"]:
        return ANOTHER if _pools(p) and answer != _best(p) else answer
    raise _no_candidate(answer, p)


def _no_candidate(answer: Any, p: dict) -> BadAnswer:
    """Return the words for something that is none of the candidates."""
    seen, ask = f"it returned {shortened(answer)}", "which of the candidates was chosen?"
    size = len(p["candidates"])
    if isinstance(answer, tuple | list) and len(answer) == 2:
        problem = "more than the chosen candidate comes back"
        ask = "what would an attacker learn from the second part? Return the candidate alone."
    elif np.ndim(answer) or isinstance(answer, tuple | list):
        problem = "one candidate is wanted, not a whole list"
    elif isinstance(answer, bool | np.bool_):
        problem = "what comes back is not one of the candidates"
    elif isinstance(answer, int | np.integer) and answer in range(size):
        problem, ask = (
            "the index comes back, not the candidate",
            "which candidate is at that index?",
        )
    elif isinstance(answer, int | float | np.number) and isinstance(p["candidates"][0], str):
        problem = "a number comes back, not the candidate"
    else:
        problem = "what comes back is not one of the candidates"
    return BadAnswer(problem, seen=seen, ask=ask)


_SHIFT = "Which number can you subtract from all scores without changing the probabilities?"


def arguments(p: dict) -> tuple[tuple, dict]:
    """Return the arguments of a choice by scores."""
    keywords = {name: p[name] for name in ("sensitivity", "epsilon", "monotone")}
    return (list(p["candidates"]), np.array(p["scores"])), keywords


def situation(p: dict) -> str:
    """Return a setting in words."""
    monotone = ", monotone" if p.get("monotone") else ""
    privacy = f"sensitivity {p['sensitivity']:g}, epsilon {p['epsilon']:g}{monotone}"
    return f"{_scores_in_words(p['scores'])}; {privacy}"


def _scores_in_words(scores: Sequence[float]) -> str:
    if len(scores) <= _FEW:
        return "scores " + ", ".join(f"{score:.10g}" for score in scores)
    best, rest = max(scores), set(scores) - {max(scores)}
    if len(rest) == 1:
        return f"{len(scores)} scores, the best {best:.10g}, all others {min(scores):.10g}"
    return f"{len(scores)} scores from {min(scores):.10g} to {best:.10g}"


def score_of(candidate: Hashable, p: dict) -> str:
    """Return a candidate's score in words, behind its name; its index if all are equal."""
    if candidate not in p["candidates"] or len(p["candidates"]) > _FEW:
        return ""
    place = p["candidates"].index(candidate)
    score = p["scores"][place]
    at = f" at index {place}" if len(set(p["scores"])) == 1 else ""
    return f"{at}, whose score is {score:.10g},"


def sure_winner(right: Callable[[dict], dict]) -> Mistake:
    """Return the mistake of choosing the best of many without chance, since each other is rare."""

    def law(p: dict) -> dict:
        many = len(p["candidates"]) > _FEW
        return {_best(p): 1.0} if many and _lead(p) > _FAR else right(p)

    return Mistake(
        "where all others are far behind, the best always wins",
        law,
        "each of the others is rare: how rare are all of them together?",
        seen="none of the many other candidates came",
    )


def now_and_then_exact(right: Callable[[dict], dict]) -> Mistake:
    """Return the mistake of choosing the best candidate without chance in a few of the calls."""
    return now_and_then(
        right,
        lambda p: {_best(p): 1.0},
        name="now and then the best candidate comes without chance",
        seen="of many candidates that are nearly as good, the best comes too often",
    )


def comes_many_times(outcome: Hashable) -> bool:
    """Say whether an outcome may come many times in a row: the best of many, or one of the rest."""
    return outcome == ANOTHER or str(outcome).startswith("door ")


def striking_out(
    exponents: Callable[[dict], np.ndarray], law: Callable[[dict, np.ndarray], dict]
) -> Mistake:
    """Return the mistake of choosing only among candidates with 1 % of the best one's weight.

    `exponents` are the logs of the weights at a setting's parameters, and `law` gives the law of
    the choice from the parameters and exponents, -inf for a candidate that is out.
    """

    def struck_out(p: dict) -> dict:
        weights = exponents(p)
        kept = weights >= weights.max() + math.log(_LEAST_SHARE)
        return law(p, np.where(kept, weights, -np.inf))

    return Mistake(
        "unlikely candidates are struck out",
        struck_out,
        "one person moves a score a little: may that make a possible answer impossible?",
        seen="candidates with less than 1 % of the best one's weight never came",
    )


def unsafe_mistakes(right: Callable[[dict], dict]) -> tuple[Mistake, ...]:
    """Return what NaN does to a choice that does not stop at it: one candidate, always."""

    def from_nan(place: int) -> Callable[[dict], dict]:
        return lambda p: always(p, place) if p["extreme"] else right(p)

    return tuple(
        Mistake(f"extreme scores always give the {word} candidate", from_nan(place), ask)
        for word, place, ask in (
            ("first", 0, "what is argmax of NaN? " + _SHIFT),
            ("last", -1, "which sum of weights is 0, or infinite? " + _SHIFT),
        )
    )


def normalised(p: dict) -> dict[str, np.ndarray]:
    """Return the scores divided by what they should not be divided by, by the mistake's name."""
    scores = np.array(p["scores"])
    spread = scores.max() - scores.min()
    divided = (
        (scores - scores.min()) / spread,
        scores / np.abs(scores).max(),
        scores / scores.std(),
    )
    return dict(zip(_NORMALISED, divided, strict=True))


def normalised_mistakes(law: Callable[[dict, np.ndarray], dict]) -> tuple[Mistake, ...]:
    """Return the mistakes of scores that are normalised, by the law of other scores."""
    return tuple(
        Mistake(name, lambda p, name=name: law(p, normalised(p)[name]), _UNITS)
        for name in _NORMALISED
    )


# What claims about candidates with scores have alike.
USUAL = {
    "arguments": arguments,
    "outcome": candidate_of,
    "say": said,
    "known_of": score_of,
    "holds_many": comes_many_times,
    "apart": {"apart": True},
    "alike": "candidates with equal scores",
    "ask_alike": ASK_ALIKE,
    "use": choose,
    "situation": situation,
}
