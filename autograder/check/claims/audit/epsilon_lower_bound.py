"""A lower bound on epsilon from the outputs of a mechanism: it must hold, and it must be of use."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, as_number
from autograder.check.claims.audit._audited import COUNTED, Audited, loss_of
from autograder.check.effort import effort
from autograder.check.rates import RateClaim, Requirement, Run
from autograder.check.words import LOOKS, counted

# Nothing can be found in many events, at a low confidence: whoever looks at the same outputs twice
# finds something in 95 of 100 runs. (Measured for answers that split them: 15 of 100.)
_NULL = {"kind": "noise only", "samples": 60, "delta": 0.0, "confidence": 0.4}
# A loss of 1 from two outputs, at a high confidence: an estimate is too large in half of the runs.
_COIN = {
    "kind": "coin",
    "outputs": [0, 1],
    "first_shares": [0.7310585786300049, 0.2689414213699951],
    "second_shares": [0.2689414213699951, 0.7310585786300049],
    "samples": 200,
    "delta": 0.0,
    "confidence": 0.999,
}
# Two outputs of probability delta give the input away, the others lose 0.2.
_LEAKY = {
    "kind": "leaky",
    "outputs": [-3, 0, 1, 3],
    "first_shares": [0.2, 0.44, 0.36, 0.0],
    "second_shares": [0.0, 0.36, 0.44, 0.2],
    "samples": 200,
    "delta": 0.2,
    "confidence": 0.9,
}
# One event tells, and only this way round: a high output that is rare on the first input ...
_HIGH = {
    "kind": "high",
    "outputs": [0, 1],
    "first_shares": [0.98, 0.02],
    "second_shares": [0.55, 0.45],
    "samples": 1000,
    "delta": 0.0,
    "confidence": 0.9999,
}
# ... or a low one that is rare on the second.
_LOW = {**_HIGH, "kind": "low", "first_shares": [0.45, 0.55], "second_shares": [0.02, 0.98]}
# An event that comes in 42 of 100 runs on one input and in 1 of 200 on the other. Exact intervals
# give 1.6 and more of a loss of 4.4 (but for a probability of 2e-3), Hoeffding's inequality 1.2.
_SHARP = {**_HIGH, "kind": "sharp", "first_shares": [0.995, 0.005], "second_shares": [0.58, 0.42]}
_SHIFT = {"kind": "shifted", "distance": 2.5, "samples": 1000, "delta": 0.0, "confidence": 0.9999}
# Few runs, in which a rare output often does not come at all.
_RARE = {**_HIGH, "kind": "rare", "first_shares": [0.4, 0.6], "second_shares": [0.9, 0.1]}
_RARE |= {"samples": 30, "confidence": 0.99}
# Many runs, and an output that comes in none of half of them nearly every second time.
_NEVER = {**_RARE, "samples": 400}
_NEVER |= {"first_shares": [0.004, 0.996], "second_shares": [0.996, 0.004]}


# A mechanism of epsilon 3 without chance: each output comes as often as it should. So bounds lie
# close below the truth where there are many runs.
_LIKELY = math.exp(3.0) / (1 + math.exp(3.0))
_MANY = {**_HIGH, "kind": "calm", "samples": 16_000}
_MANY |= {"first_shares": [_LIKELY, 1 - _LIKELY], "second_shares": [1 - _LIKELY, _LIKELY]}
# There too: of an event of 0.3 delta leaves a third, and the true epsilon is 0.69.
_LESS_DELTA = {**_MANY, "delta": 0.2}
_LESS_DELTA |= {"first_shares": [0.3, 0.7], "second_shares": [0.05, 0.95]}
# An event that comes once or twice where five times are due: the normal approximation then trusts
# its share too much, in 4 of 100 runs in place of 1 in 1,000.
_SELDOM = {**_COIN, "kind": "seldom", "samples": 400, "confidence": 0.999}
_SELDOM |= {"first_shares": [0.023, 0.977], "second_shares": [0.977, 0.023]}
_MORE_RARE = 160  # there too: an answer may trust a rare event in 1 run of 8 only
_SELDOM_RUNS = 240  # where points are given: 170 are enough for that approximation in the mean

# Clopper-Pearson on half of the outputs reaches half of the truth in the median run, and this share
# in all of 600 runs.
_LEAST_SHARE = 1 / 3
_ROUNDS = 130


def _runs(generator: np.random.Generator) -> Iterator[Run]:
    """Return the runs: of those that ask for soundness, the ones that reject soonest first."""
    for number in range(_ROUNDS):
        if number < 24:
            yield _run(generator, _LEAKY, "valid leaky")
        if number < 3:
            yield _run(generator, _MANY, "valid many")
            yield _run(generator, _LESS_DELTA, "valid less delta")
        if number < 20:
            yield _run(generator, _COIN, "valid coin")
        if number < 16:
            yield _run(generator, _NEVER, "valid rare")
        if number < 80:
            yield _run(generator, _RARE, "valid rare")
        yield _run(generator, _NULL, "valid noise only")
    if effort().long:
        for _ in range(_SELDOM_RUNS):
            yield _run(generator, _SELDOM, "valid seldom")
        for _ in range(_MORE_RARE):
            yield _run(generator, _RARE, "valid rare")
    # Whether a bound holds comes first; only then whether it is of use.
    for _ in range(12):
        for each in (_HIGH, _LOW, _SHIFT, _SHARP):
            yield _run(generator, each, "useful " + each["kind"])


def _run(generator: np.random.Generator, kind: dict, requirement: str) -> Run:
    first = int(generator.integers(10, 90))
    second = first + int(generator.choice([-1, 1]))
    seed = int(generator.integers(2**62))
    return Run({**kind, "first": first, "second": second, "seed": seed}, (requirement,))


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    keywords = {name: parameters[name] for name in ("samples", "delta", "confidence")}
    return (Audited(parameters), parameters["first"], parameters["second"]), keywords


def _read(answer: Any, parameters: dict) -> float:
    """Return the bound: a number, or something that has it as `epsilon`."""
    given = getattr(answer, "epsilon", answer)
    if isinstance(given, float | int) and given == math.inf:
        raise BadAnswer(
            "the bound is infinite",
            seen="an event came on one input and never on the other",
            ask="may an event that did not come in 100 runs come in the next one? How likely?",
        )
    return 0.0 if isinstance(given, float) and given == -math.inf else as_number(given)


def _inspect(positional: tuple, keywords: dict) -> None:
    calls = positional[0].calls
    if min(calls) <= 1 < max(calls):
        raise BadAnswer(
            "one of the two inputs is hardly ever run",
            seen=f"the mechanism ran {max(calls):,} times on one input, and "
            f"{counted(min(calls), 'time')} on the other",
            ask="how do you learn from so few runs how rare an event is?",
        )
    most = max(calls)
    if most > keywords["samples"]:
        raise BadAnswer(
            "the mechanism runs more often than it may",
            seen=f"it ran {most} times on one input",
            ask="how often may it run on each input, choosing and certifying together?",
        )


def _too_large(parameters: dict, bound: float) -> bool:
    # The tolerance is for rounding only: at a loss of 0, no bound above 0 is right.
    return bound > loss_of(parameters) + 1e-9


def _too_small(parameters: dict, bound: float) -> bool:
    return bound < _LEAST_SHARE * loss_of(parameters)


_SAME = "which outputs chose the event, and which outputs may say how likely it is?"
_LUCK = "the shares in your sample are not the probabilities: how far off may they be?"
_WITH_DELTA = "the bound is too large where there is a delta: it is taken off in another place"
_EXCEED = "by how much may a probability exceed exp(epsilon) times the other one?"
_USELESS = (
    "which event is much likelier on one input? Try both inputs, low outputs and high ones. And is "
    "the event that you certify the chosen one, its end included?"
)
_ABOVE = "the bound lay above the true epsilon"
_BELOW = "the bound was below a third of the true epsilon"

_REQUIREMENTS = {
    "valid noise only": Requirement(
        0.6, _too_large, "the same outputs choose the event and certify it", _SAME, _ABOVE
    ),
    "valid coin": Requirement(0.001, _too_large, "the bound is too large too often", _LUCK, _ABOVE),
    "valid many": Requirement(
        1e-4, _too_large, "the bound is too large where there are many runs", _LUCK, _ABOVE
    ),
    "valid less delta": Requirement(1e-4, _too_large, _WITH_DELTA, _EXCEED, _ABOVE),
    "valid rare": Requirement(
        0.01,
        _too_large,
        "an event that came seldom, or never, is trusted too much",
        "an event came in none of 15 runs: how likely may it still be?",
        _ABOVE,
    ),
    "valid seldom": Requirement(
        0.001,
        _too_large,
        "an event that comes seldom is trusted too much",
        "a rare event came in 3 of 400 runs: how likely may it be at most, and at least? Is that "
        "what a normal law says?",
        _ABOVE,
    ),
    "valid leaky": Requirement(0.1, _too_large, "delta is not taken off", _EXCEED, _ABOVE),
    "useful high": Requirement(
        0.05, _too_small, "a loss that high outputs show is not found", _USELESS, _BELOW
    ),
    "useful low": Requirement(
        0.05, _too_small, "a loss that low outputs show is not found", _USELESS, _BELOW
    ),
    "useful shifted": Requirement(0.05, _too_small, "a large loss is not found", _USELESS, _BELOW),
    "useful sharp": Requirement(
        0.05,
        _too_small,
        "the bound is too loose where the event is rare on one input",
        "an event came in 2 of 500 runs: how far above 2 of 500 may it be? Does your bound know "
        "that rare events vary less?",
        _BELOW,
    ),
}

# --- which mistake it is: a mechanism without chance, of loss 1, asked in three ways ------------

_CALM = {**_COIN, "kind": "calm", "first": 0, "second": 1, "seed": 0, "samples": 1000}
_PROBES = (
    {**_CALM, "confidence": 0.9},
    {**_CALM, "confidence": 1 - 1e-6},
    {**_CALM, "confidence": 0.9, "delta": 0.1},
)


# A right bound falls to less than this share of itself when the confidence grows.
_SAME_BOUND = 0.95
# Exact intervals from all the runs of a probe give 0.66 at the higher confidence, from half 0.52.
_TOO_SURE = 0.72
_TOO_SHORT = f"{_LUCK} And {COUNTED.format(runs='runs')}"


def _naming(call, requirement: str) -> BadAnswer | None:
    """Return the words for what the answers to the probes show, if they show something."""
    bound, surer, with_delta = (call(probe) for probe in range(len(_PROBES)))
    if bound <= 0:
        return None
    if surer > _SAME_BOUND * bound and 0.9 < bound < 1.1:
        if surer == bound:
            return BadAnswer("it is an estimate, not a lower bound", ask=_LUCK)
        return BadAnswer("it is an estimate, or its interval is far too short", ask=_TOO_SHORT)
    if surer > _SAME_BOUND * bound:
        ask = "what should happen to the bound when you want to be surer?"
        return _rule("the confidence is ignored", ask, bound, "confidence 0.9 and 0.999999")
    if with_delta >= bound * (1 - 1e-9):
        if with_delta > bound * (1 + 1e-6):
            seen = f"on the same outputs, delta 0 gives {bound:.3g}, and delta 0.1 {with_delta:.3g}"
            return BadAnswer("a larger delta gives a larger bound", seen=seen, ask=_EXCEED)
        return _rule("delta is ignored", _EXCEED, bound, "delta 0 and 0.1")
    if requirement.startswith("valid") and _TOO_SURE < surer < bound < 1:
        return BadAnswer(
            f"{LOOKS} the interval counts more runs than there were",
            seen=f"1,000 outputs on each input, loss 1, confidence 0.999999: yours is {surer:.3g}, "
            "and exact intervals from all of them give 0.66",
            ask=_TOO_SHORT,
        )
    return _logarithm(bound, requirement)


def _rule(problem: str, ask: str, bound: float, given: str) -> BadAnswer:
    return BadAnswer(problem, seen=f"on the same outputs, {given} give {bound:.3g}", ask=ask)


def _logarithm(bound: float, requirement: str) -> BadAnswer | None:
    """Return the words for a wrong logarithm, if the requirement that it breaks is broken."""
    if requirement.startswith("valid") and 1.5 < bound < math.e:
        return BadAnswer(
            "the ratio is returned, not its logarithm",
            ask="epsilon stands in an exponent: what undoes exp?",
        )
    if requirement.startswith("valid coin") and bound > 1.1:
        return BadAnswer("the logarithm has base 2", ask="which logarithm undoes exp?")
    if requirement.startswith("useful") and 0.3 < bound < 0.44:
        return BadAnswer("the logarithm has base 10", ask="which logarithm undoes exp?")
    return None


def _situation(p: dict) -> str:
    words = f"{p['samples']} samples, confidence {p['confidence']:g}"
    return words + (f", delta {p['delta']:g}" if p["delta"] else "")


CLAIM = RateClaim(
    about="Check `epsilon_lower_bound(mechanism, first, second, *, samples, delta, confidence)`: "
    "a lower bound on epsilon that holds with this confidence.",
    established="the bound holds as often as it says, and reaches a third of the true epsilon",
    runs=_runs,
    arguments=_arguments,
    read=_read,
    inspect=_inspect,
    situation=_situation,
    requirements=_REQUIREMENTS,
    probes=_PROBES,
    naming=_naming,
)
