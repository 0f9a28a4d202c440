"""An attack on membership by a threshold on the loss, and bounds on what it achieves."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, as_number
from autograder.check.claims.audit._audited import COUNTED
from autograder.check.effort import effort
from autograder.check.rates import RateClaim, Requirement, Run
from autograder.check.words import LOOKS

# Losses have exponential laws: members one with mean 1, others one with a mean of `ratio`.
_NULL = {"ratio": 1.0, "size": 60, "confidence": 0.9, "power": 1.0, "cut": None, "steps": None}
_SURE = {**_NULL, "ratio": 2.0, "size": 120, "confidence": 0.999}
# Hardly a loss is on the wrong side: often none among those that judge.
_APART = {**_SURE, "ratio": 200.0, "size": 40}
_CLEAR = {**_SURE, "ratio": 8.0, "size": 400}
# The best threshold hangs on the order of the losses alone. After a power the members' mean does
# not find it any more.
_SKEWED = {**_CLEAR, "power": 0.1}
# Every loss is one of two: a threshold at the smaller one tells what "at most" means.
_TWO = {**_SURE, "ratio": 8.0, "cut": 2.4}
# Bounds that need to hold in half of the runs only: who gives all of 1 - confidence to each of the
# four misses in 90 of 100.
_UNSURE = {**_TWO, "ratio": 4.0, "cut": 1.2, "size": 400, "confidence": 0.5}

# Every loss is 1, 2 or 3, with these probabilities for a member and for another. Above the
# smallest the others' losses are the smaller ones: the advantage there is far below 0.
_CROSSED = {**_CLEAR, "steps": ((0.38, 0.0, 0.62), (0.03, 0.95, 0.02))}

_SMALL, _LARGE = 1.0, 3.0

_NAMES = ("threshold", "advantage", "lower", "upper")
_ROUNDS, _MORE_ROUNDS = 110, 300  # the more where points are given
_UNSURE_RUNS = 120
# Of the best advantage, what the threshold must have, and what the lower bound must reach.
_LEAST_SHARES = 0.7, 0.4
# The observed advantage lies above the true one in at most half of the runs, when the threshold
# was chosen on other losses and both laws are one; parts of unequal size need some room.
_OFTEN = 0.55


def _runs(generator: np.random.Generator) -> Iterator[Run]:
    for number in range(_MORE_ROUNDS if effort().long else _ROUNDS):
        if number < 20:
            yield _run(generator, _SURE, "valid")
        if number < 8:
            yield _run(generator, _TWO, "valid two")
        if number < 60:
            yield _run(generator, _APART, "valid apart")
        if effort().long and number < _UNSURE_RUNS:
            yield _run(generator, _UNSURE, "valid unsure")
        yield _run(generator, _NULL, "honest", "observed")
    # Whether the bounds hold comes first; only then whether they are of use.
    for _ in range(12):
        yield _run(generator, _CLEAR, "useful")
        yield _run(generator, _SKEWED, "useful skewed")
        yield _run(generator, _CROSSED, "useful crossed")


def _run(generator: np.random.Generator, kind: dict, *requirements: str) -> Run:
    unit, seed = generator.uniform(0.2, 3.0), int(generator.integers(2**62))
    return Run({**kind, "unit": round(unit, 2), "seed": seed, "calm": False}, requirements)


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    size, unit = parameters["size"], parameters["unit"]
    if parameters["calm"]:
        # The fractional parts of k * golden ratio fill [0, 1) evenly (Weyl 1916).
        places = ((np.arange(size) + 0.5) * (math.sqrt(5) - 1) / 2) % 1
        pair = -np.log1p(-places), -np.log1p(-places)
    else:
        pair = np.random.default_rng(parameters["seed"]).exponential(size=(2, size))
    if parameters["steps"]:
        # Of a law with distribution function F, 1 - exp(-x) tells the quantile.
        steps = [np.cumsum(shares)[:-1] for shares in parameters["steps"]]
        pair = [
            np.searchsorted(each, -np.expm1(-x)) + 1.0 for each, x in zip(steps, pair, strict=True)
        ]
        return tuple(unit * each for each in pair), {"confidence": parameters["confidence"]}
    losses = pair[0], parameters["ratio"] * pair[1]
    if parameters["cut"]:
        losses = tuple(np.where(each <= parameters["cut"], _SMALL, _LARGE) for each in losses)
    losses = tuple(unit * each ** parameters["power"] for each in losses)
    return losses, {"confidence": parameters["confidence"]}


def advantage_at(threshold: float, parameters: dict) -> float:
    """Return the share of members with a loss up to the threshold, less that of others, exactly."""
    place = max(threshold, 0.0) / parameters["unit"]
    if parameters["steps"]:
        called = int(min(place + 1e-9, 3.0))
        members, others = (sum(shares[:called]) for shares in parameters["steps"])
        return members - others
    place **= 1 / parameters["power"]
    if parameters["cut"]:
        place = parameters["cut"] if _SMALL - 1e-9 <= place < _LARGE - 1e-9 else 0.0
    return math.exp(-place / parameters["ratio"]) - math.exp(-place)


def _best(parameters: dict) -> float:
    """Return the largest advantage that a threshold has."""
    if parameters["steps"]:
        return max(advantage_at(k * parameters["unit"], parameters) for k in (1, 2, 3))
    ratio = parameters["ratio"]
    # The two densities are equal there.
    place = math.log(ratio) / (1 - 1 / ratio)
    return advantage_at(parameters["unit"] * place ** parameters["power"], parameters)


def _read(answer: Any, parameters: dict) -> np.ndarray:
    """Return threshold, advantage, lower, upper."""
    if all(hasattr(answer, name) for name in _NAMES):
        answer = [getattr(answer, name) for name in _NAMES]
    elif isinstance(answer, dict):
        answer = [answer.get(name) for name in _NAMES]
    if not isinstance(answer, list | tuple | np.ndarray) or len(answer) != len(_NAMES):
        raise BadAnswer(
            "four numbers are wanted",
            seen=f"it returned {answer!r:.60}",
            ask="return threshold, advantage, lower, upper: in this order.",
        )
    given = np.array([as_number(each) for each in answer])
    if not given[2] <= given[1] + 1e-9 or not given[1] <= given[3] + 1e-9:
        raise BadAnswer(
            "the bounds do not enclose the advantage",
            seen="lower {2:.7g}, advantage {1:.7g}, upper {3:.7g}".format(*given),
            ask="how small may a difference of two shares be, at which ends of their intervals? "
            "And may an attack be worse than guessing?"
            if given[2] <= given[3]
            else "in which order does the task name them, and which should be the smallest?",
        )
    return given


def _beyond(parameters: dict, given: np.ndarray) -> bool:
    truth = advantage_at(given[0], parameters)
    return not given[2] - 1e-9 <= truth <= given[3] + 1e-9


def _useless(parameters: dict, given: np.ndarray) -> bool:
    best = _best(parameters)
    reached = advantage_at(given[0], parameters), given[2]
    return any(have < share * best for have, share in zip(reached, _LEAST_SHARES, strict=True))


def _far_off(parameters: dict, given: np.ndarray) -> bool:
    return advantage_at(given[0], parameters) < _LEAST_SHARES[0] * _best(parameters)


_LUCK = (
    "the shares among your losses are not the probabilities: how far off may they be? And are the "
    "losses that judge like any others?"
)
_BEST = (
    "which threshold calls most members members, and fewest others? And does the lower bound use "
    "what half of the losses say?"
)
_FAR = "the threshold was far from the best one, or its lower bound far below"
_HALVES = (
    "which losses chose the threshold, and which may say how good it is? Do the two halves know of "
    "each other? And what happens to an advantage that comes out negative?"
)

_REQUIREMENTS = {
    "honest": Requirement(
        _OFTEN,
        lambda parameters, given: given[1] > 1e-12,
        f"{LOOKS} the same losses choose the threshold and judge it, or the advantage loses its "
        "sign",
        _HALVES,
        "an advantage was seen where there is none",
    ),
    "observed": Requirement(
        # Of 30 losses on each side equally many are called members with probability below 0.15.
        0.3,
        lambda parameters, given: abs(given[1]) < 1e-12,
        "an advantage below 0 is returned as 0",
        "the attack can do worse than guessing on the losses that judge: what do you return then?",
        "the observed advantage was exactly 0",
    ),
    "valid": Requirement(
        0.001,
        _beyond,
        "the bounds miss the true advantage too often",
        _LUCK,
        "the true advantage of the threshold lay outside the bounds",
    ),
    "valid unsure": Requirement(
        0.5,
        _beyond,
        "the bounds miss the true advantage more often than the confidence allows",
        "two shares have two bounds each, and all four must hold together: how much of "
        "1 - confidence may each of them use?",
        "the true advantage of the threshold lay outside the bounds",
    ),
    "valid apart": Requirement(
        0.001,
        _beyond,
        "the bounds miss the true advantage where no loss is on the wrong side",
        _LUCK,
        "the true advantage of the threshold lay outside the bounds",
    ),
    "valid two": Requirement(
        0.001,
        _beyond,
        "the bounds miss the true advantage where many losses are equal",
        "a loss of at most t: what of a loss that is t, when you choose and when you judge?",
        "the true advantage of the threshold lay outside the bounds",
    ),
    "useful": Requirement(0.05, _useless, "the attack finds too little", _BEST, _FAR),
    "useful crossed": Requirement(
        0.05,
        _far_off,
        "the threshold is not the best one where the larger losses are the members'",
        "an advantage below 0 is worse than a coin: does your choice know its sign?",
        "the threshold had less than 70 % of the best advantage",
    ),
    "useful skewed": Requirement(
        0.05, _useless, "the attack finds too little where the losses are skewed", _BEST, _FAR
    ),
}

# --- which mistake it is: losses without chance ------------------------------------------------

_CALM = {**_CLEAR, "ratio": 4.0, "unit": 1.0, "seed": 0, "calm": True}
_PROBES = ({**_CALM, "confidence": 0.5}, {**_CALM, "confidence": 1 - 1e-9})
# The widths of intervals at these confidences differ by a factor of 4 and more.
_WIDER = 1.5
# At the higher confidence exact intervals from all losses of a probe are 0.5 wide, from half 0.7.
_SHORT = 0.3


def _naming(call, requirement: str) -> BadAnswer | None:
    """Return the words for what the answers to the probes show, if they show something."""
    (threshold, advantage, lower, upper), surer = (call(probe) for probe in range(len(_PROBES)))
    if surer[3] - surer[2] < 1e-9:
        return BadAnswer("there is no interval, only an estimate", ask=_LUCK)
    if surer[3] - surer[2] < _WIDER * (upper - lower):
        return BadAnswer(
            "the confidence is ignored",
            seen=f"on the same losses, confidence 0.5 gives an interval {upper - lower:.3g} wide, "
            f"and 0.999999999 one {surer[3] - surer[2]:.3g} wide",
            ask="what should happen to the bounds when you want to be surer?",
        )
    if requirement.startswith("valid") and surer[3] - surer[2] < _SHORT:
        return BadAnswer(
            f"{LOOKS} the intervals count more losses than there were",
            seen=f"400 losses each, confidence 0.999999999: from lower to upper it is "
            f"{surer[3] - surer[2]:.2g}, and exact intervals from all of them give 0.52",
            ask=COUNTED.format(runs="losses"),
        )
    if requirement.startswith("valid") and abs(advantage_at(threshold, _CALM)) < 0.02:
        ask = "has a row that the model was fitted to a small loss, or a large one?"
        return BadAnswer("the threshold calls nearly everybody a member, or nobody", ask=ask)
    return _wrong_share(threshold, advantage) if requirement else None


def _wrong_share(threshold: float, advantage: float) -> BadAnswer | None:
    """Return the words for a number that is not the advantage of the threshold."""
    right = advantage_at(threshold, _CALM)
    called = 1 - math.exp(-max(threshold, 0.0))
    if abs(right) < 0.1 or abs(advantage - right) < 0.06:
        return None
    if abs(advantage + right) < 0.06:
        ask = "has a row that the model was fitted to a small loss, or a large one?"
        return BadAnswer("rows with a large loss are called members", ask=ask)
    if abs(advantage - (1 + right) / 2) < 0.06:
        ask = "how often is a coin right that has never seen the model? What is its advantage?"
        return BadAnswer("the accuracy is returned, not the advantage", ask=ask)
    if abs(advantage - called) < 0.06:
        ask = "an attack that calls everyone a member finds every member: is it good?"
        return BadAnswer("the others who are called members are not counted", ask=ask)
    return None


CLAIM = RateClaim(
    about="Check `membership_inference(member_losses, other_losses, *, confidence)`: an attack by "
    "a threshold on the loss, and bounds on its advantage.",
    established="the bounds hold as often as they say, and the attack is nearly the best one",
    runs=_runs,
    arguments=_arguments,
    read=_read,
    situation=lambda p: f"{p['size']} losses each, confidence {p['confidence']:g}",
    requirements=_REQUIREMENTS,
    probes=_PROBES,
    naming=_naming,
)
