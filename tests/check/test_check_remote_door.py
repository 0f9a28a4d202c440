"""A judge and an answer in two processes: the same verdicts, the same sentences."""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import re
from fractions import Fraction

import numpy as np
import pytest
from wrong_answers import ZOO

from autograder.check import CheckFailure
from autograder.check.additive import AdditiveClaim
from autograder.check.audit import AuditClaim, Pair
from autograder.check.claim import Claim
from autograder.check.claims import CLAIMS
from autograder.check.counterexample import CounterexampleClaim
from autograder.check.outcomes import OutcomeClaim, OutcomeMistake
from autograder.check.rates import RateClaim
from autograder.check.remote import RemoteDoor, _reply, remote_door, serve
from autograder.check.several import SeveralClaims
from autograder.check.values import ValuesClaim
from autograder.check.wire import Opaque, packed, unpacked

# Only fork hands an answer written in a test to a child without naming it.
FORK = multiprocessing.get_context("fork")


@contextlib.contextmanager
def far(claim, function):
    """Start a child that holds the answer; yield what opens a door to it."""
    here, there = FORK.Pipe()
    child = FORK.Process(target=serve, args=(there, claim, function))
    child.start()
    try:
        yield lambda settings: remote_door(here, settings)
    finally:
        child.join(20)
        assert child.exitcode == 0
        here.close()
        there.close()


def judged_far(claim, function):
    if isinstance(claim, SeveralClaims):
        with contextlib.ExitStack() as stack:
            doors = [stack.enter_context(far(part, function)) for part in claim.parts]
            return claim.judge(doors)
    with far(claim, function) as open_door:
        return claim.judge(open_door)


def words(judge, *given) -> str:
    """Return what is said, without the numbers, which are drawn anew at every run."""
    try:
        said = repr(judge(*given))
    except CheckFailure as failure:
        said = str(failure)
    return " ".join(re.sub(r"[-+]?\d[\d,.]*(e[-+]?\d+)?", "#", said).split())


# --- one claim of each kind -------------------------------------------------------------------


def coin(share):
    """Return an answer that gives 1 with the probability that `share` makes of epsilon."""
    return lambda epsilon: int(np.random.default_rng().random() < share(epsilon))


COIN = OutcomeClaim(
    name="coin",
    established="the reply is the truth with probability e^epsilon / (1 + e^epsilon)",
    arguments=lambda p: ((p["epsilon"],), {}),
    situation=lambda p: f"epsilon {p['epsilon']}",
    parameters=lambda generator: [{"epsilon": round(generator.uniform(1.5, 2), 2)}] * 2,
    mistakes=(OutcomeMistake("an even coin is tossed", lambda p: {0: 0.5, 1: 0.5}, "why?"),),
    law=lambda p: {0: 1 / (1 + math.exp(p["epsilon"])), 1: 1 / (1 + math.exp(-p["epsilon"]))},
    outcome=lambda answer, p: answer,
)


def _pairs(generator):
    value = round(generator.uniform(0, 9), 2)
    return [Pair({"value": value}, {"value": value + 1}, 1.0, "too little noise", "how much?")]


AUDIT = AuditClaim(
    name="audited",
    established="audited",
    arguments=lambda p: ((p["value"],), {}),
    situation=lambda p: f"value {p['value']}",
    pairs=_pairs,
)


def zoo(name, right=0, wrong=0):
    """Return an exercise's claim, a right answer and a wrong one."""
    return CLAIMS[name], ZOO.right[name][right], ZOO.wrong[name][wrong][0]


def noisy(scale):
    return lambda value: value + np.random.default_rng().laplace(0, scale)


KINDS = {
    AdditiveClaim: zoo("laplace_mechanism"),
    ValuesClaim: zoo("epsilon_for_error"),
    CounterexampleClaim: zoo("halved_noise_counterexample", right=5),
    RateClaim: zoo("membership_inference", wrong=3),
    AuditClaim: (AUDIT, noisy(1.0), noisy(0.2)),
    OutcomeClaim: (COIN, coin(lambda epsilon: 1 / (1 + math.exp(-epsilon))), coin(lambda _: 0.5)),
    SeveralClaims: (
        SeveralClaims(name="audited", established="both", parts=(AUDIT,)),
        noisy(1.0),
        noisy(0.2),
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_verdict_and_sentence_are_the_same(kind):
    # A right answer fails with probability below 1e-9. The wrong ones are far off: their names
    # were wrong in none of 10,000 runs, and a sentence is tried up to four times.
    claim, right, wrong = KINDS[kind]
    assert isinstance(claim, kind)
    assert words(judged_far, claim, right) == words(claim.check, right)
    assert any(words(judged_far, claim, wrong) == words(claim.check, wrong) for _ in range(4))
    assert words(judged_far, claim, wrong).startswith("✗ ")


def test_the_exponents_are_read_across():
    # An exponent that no catalogue has.
    def answer(value, *, sensitivity, epsilon):
        return value + 0.7 * np.random.default_rng().laplace(0, sensitivity / epsilon**1.5)

    claim = CLAIMS["laplace_mechanism"]
    assert "shrinks as #/epsilon**#" in words(judged_far, claim, answer)


def test_rules_and_an_unanswered_exercise_cross():
    claim = CLAIMS["laplace_mechanism"]
    for answer, fragment in ZOO.wrong["laplace_mechanism"]:
        if fragment in ("not answered yet", "np.random.seed is called inside", "returns nothing"):
            assert fragment in words(judged_far, claim, answer)


def test_what_a_remote_answer_prints_is_noted(capfd):
    def answer(value, *, sensitivity, epsilon):
        print("shown")
        return value + np.random.default_rng().laplace(0, sensitivity / epsilon)

    assert "your function prints" in words(judged_far, CLAIMS["laplace_mechanism"], answer)
    assert capfd.readouterr().out == ""


# --- what crosses -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        3,
        10**30,
        0.1,
        -math.inf,
        "words",
        [1, [2.5, "a"]],
        (1, (2, 3)),
        {"a": 1, 2: (3,), (1, 2): None},
        Fraction(13, 2),
        {"!": "tuple", "of": [1]},
    ],
)
def test_plain_data_arrives_as_it_was(value):
    arrived = unpacked(packed(value))
    assert arrived == value
    assert type(arrived) is type(value)


def test_numbers_and_arrays_of_numpy_arrive():
    assert unpacked(packed(np.int64(4))) == 4
    assert unpacked(packed(np.float32(0.5))) == 0.5
    assert unpacked(packed(np.bool_(True))) is True
    assert math.isnan(unpacked(packed(math.nan)))
    for array in (np.arange(6.0).reshape(2, 3).T, np.array([True]), np.array(["a", "bc"])):
        arrived = unpacked(packed(array))
        assert arrived.dtype == array.dtype
        np.testing.assert_array_equal(arrived, array)


class Trap:
    """Raises for whoever looks at it, and would run code if it were unpickled."""

    def __repr__(self):
        raise RuntimeError

    def __reduce__(self):
        return print, ("unpickled",)


def test_anything_else_arrives_as_words(capfd):
    assert unpacked(packed(object)) == Opaque("type", "<class 'object'>")
    assert repr(unpacked(packed({1}))) == "{1}"
    assert unpacked(packed([Trap()])) == [Opaque("Trap", "a Trap")]
    assert unpacked(packed(np.array([Trap()], dtype=object))).kind == "ndarray"
    assert capfd.readouterr().out == ""


@pytest.mark.parametrize(
    "message", [b"[", b'{"!": "code"}', b'{"!": "array", "of": ["|O", [1], "AAAAAAAAAAA="]}']
)
def test_bytes_that_nobody_packed_are_refused(message):
    with pytest.raises(ValueError, match=r".+"):
        unpacked(message)


def test_a_door_does_only_what_a_door_does():
    with pytest.raises(ValueError, match="a door has no '_function'"):
        _reply(object(), "_function", [])
    public = {name for name in dir(RemoteDoor) if not name.startswith("_")}
    assert public == {
        *("call", "changed", "follows_the_clock", "inspect", "printed"),
        *("replay", "reseeds", "sample"),
    }


def _all_settings(claim) -> list[dict]:
    generator = np.random.default_rng()
    if isinstance(claim, SeveralClaims):
        return [each for part in claim.parts for each in _all_settings(part)]
    if isinstance(claim, AuditClaim):
        return [each for pair in claim.pairs(generator) for each in (pair.first, pair.second)]
    if isinstance(claim, RateClaim):
        return [run.parameters for run in claim.runs(generator)]
    draw = getattr(claim, "parameters", None) or getattr(claim, "cases", None)
    return draw(generator) if draw else []


@pytest.mark.parametrize("name", CLAIMS)
def test_the_settings_of_every_claim_are_plain_data(name):
    claim = CLAIMS[name]
    assert isinstance(claim, Claim | SeveralClaims)
    assert b'"opaque"' not in packed(_all_settings(claim))
