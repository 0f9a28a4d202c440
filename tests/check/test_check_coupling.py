"""Exponents are read off the noise exactly, for nearly every style; generators are put back."""
# ruff: noqa: NPY002

import datetime
import functools
import math
import os
import random
import secrets
import time
from time import time_ns

import numpy as np
import pytest
from numpy.random import default_rng
from scipy import stats
from wrong_answers import ZOO, sentence

from autograder import check
from autograder.check.chance.replay import reached, repeated_chance, still_clock
from autograder.check.claims import CLAIMS
from autograder.check.coupling import contradicts, exponents
from autograder.check.coupling import sentence as words
from autograder.check.door import opened
from ville.distributions import laplace

CLAIM = CLAIMS["laplace_mechanism"]
SETTING = {"value": 120.5, "sensitivity": 3.25, "epsilon": 0.6}
NAMES = ("sensitivity", "epsilon")

HELD = np.random.default_rng()
HELD_STATE = np.random.RandomState()
HELD_OTHER = np.random.RandomState(np.random.PCG64())
HELD_RANDOM = random.Random()
HELD_BITS = np.random.PCG64()
SYSTEM = random.SystemRandom()


def read(answer, *, names=NAMES, setting=SETTING):
    with opened(CLAIM, answer, [setting]) as door:
        return exponents(door, 0, setting, names)


def style(draw):
    """Return the Laplace mechanism whose noise of scale 1 is `draw()`."""
    return lambda value, *, sensitivity, epsilon: value + draw() * sensitivity / epsilon


def _inverse(u):
    return -math.copysign(1, u - 0.5) * math.log(1 - 2 * abs(u - 0.5))


class Mechanism:
    def __init__(self):
        self.rng = np.random.default_rng()

    def __call__(self, value, *, sensitivity, epsilon):
        return value + self.rng.laplace(0, sensitivity / epsilon)

    def release(self, value, *, sensitivity, epsilon):
        return self(value, sensitivity=sensitivity, epsilon=epsilon)


def with_default(value, *, sensitivity, epsilon, rng=np.random.default_rng()):  # noqa: B008
    return value + rng.laplace(0, sensitivity / epsilon)


def with_list(value, *, sensitivity, epsilon, pool=[np.random.default_rng()]):  # noqa: B006, B008
    return value + pool[0].laplace(0, sensitivity / epsilon)


def _closure():
    generator = np.random.default_rng(5)
    return style(lambda: generator.laplace())


def _with_rng(rng, value, *, sensitivity, epsilon):
    return value + rng.laplace(0, sensitivity / epsilon)


def _uniform_by_system():
    return (int.from_bytes(os.urandom(6), "big") + 1) / (2**48 + 2)


STYLES = [
    *ZOO.right["laplace_mechanism"],
    style(lambda: default_rng().laplace()),
    style(lambda: np.random.Generator(np.random.MT19937()).laplace()),
    style(lambda: np.random.RandomState().laplace()),
    style(HELD.laplace),
    style(lambda: HELD_STATE.laplace()),
    style(lambda: HELD_OTHER.laplace()),
    style(lambda: HELD_RANDOM.choice([-1, 1]) * HELD_RANDOM.expovariate(1)),
    style(lambda: np.random.Generator(HELD_BITS).laplace()),
    style(lambda: _inverse(SYSTEM.random())),
    style(lambda: _inverse(_uniform_by_system())),
    style(lambda: _inverse((secrets.randbelow(2**52) + 0.5) / 2**52)),
    style(lambda: stats.laplace(scale=1).rvs(random_state=HELD)),
    style(lambda: stats.laplace.ppf(np.random.uniform())),
    Mechanism(),
    Mechanism().release,
    with_default,
    with_list,
    _closure(),
    functools.partial(_with_rng, np.random.default_rng()),
    functools.partial(with_default, rng=np.random.default_rng()),
]


@pytest.mark.parametrize("number", range(len(STYLES)))
def test_every_style_is_read(number):
    assert len(STYLES) >= 30
    assert read(STYLES[number]) == {"sensitivity": 1.0, "epsilon": -1.0}


@pytest.mark.parametrize(
    ("scale", "found"),
    [
        (lambda s, e: 1 / e, {"sensitivity": 0.0, "epsilon": -1.0}),
        (lambda s, e: s, {"sensitivity": 1.0, "epsilon": 0.0}),
        (lambda s, e: 0.3 * s**2 / e**2, {"sensitivity": 2.0, "epsilon": -2.0}),
        (lambda s, e: math.sqrt(s * e), {"sensitivity": 0.5, "epsilon": 0.5}),
        (lambda s, e: e**0.25 / s**1.5, {"sensitivity": -1.5, "epsilon": 0.25}),
        # No power of epsilon: nothing is said about it.
        (lambda s, e: s / (e + 1), {"sensitivity": 1.0}),
        (lambda s, e: s / min(e, 1), {"sensitivity": 1.0}),
        (lambda s, e: 0.0, {}),
    ],
)
def test_wrong_exponents_are_read(scale, found):
    answers = [
        lambda value, *, sensitivity, epsilon: value + HELD.laplace() * scale(sensitivity, epsilon),
        lambda value, *, sensitivity, epsilon: (
            9 + np.float32(random.gauss(0, scale(sensitivity, epsilon)))
        ),
    ]
    for answer in answers:
        assert read(answer) == found


@pytest.mark.parametrize(
    ("scale", "found"),
    [
        (lambda value: 1.0, "0.0"),
        (lambda value: value**2, "2.0"),
        (lambda value: 1 + value / 100, "nan"),
    ],
)
def test_noise_that_changes_with_the_value_is_read(scale, found):
    def answer(value, *, sensitivity, epsilon):
        return value + HELD.laplace(0, scale(value) * sensitivity / epsilon)

    with opened(CLAIM, answer, [SETTING]) as door:
        read = exponents(door, 0, SETTING, ("value",), steady=("value",))
    assert str(read["value"]) == found
    wanted = {"sensitivity": 1, "value": 0}
    assert words(read, wanted).startswith("" if found == "0.0" else "the noise ")
    # A law that does not depend on the value contradicts noise that does.
    assert contradicts(read, lambda given: laplace(1.0), SETTING) == (found != "0.0")


def _raises(value, *, sensitivity, epsilon):
    if epsilon > 1:
        raise ValueError("too much")
    return value + np.random.laplace(0, sensitivity / epsilon)


def _counts(value, *, sensitivity, epsilon, calls=[]):  # noqa: B006
    calls.append(1)
    return value + len(calls)


@pytest.mark.parametrize(
    "answer",
    [
        wrong
        for wrong, fragment in ZOO.all_wrong("laplace_mechanism")
        if fragment in ("no noise is added", "returns nothing", "ZeroDivisionError", "TypeError")
        or "library" in fragment
        or "seed is called" in fragment
    ]
    + [_counts, lambda value, *, sensitivity, epsilon: value + time.perf_counter_ns() % 1000],
)
def test_nothing_is_read_where_nothing_can_be(answer):
    assert read(answer) == {}


def test_an_answer_that_raises_leaves_the_other_parameter_readable():
    assert read(_raises) == {"sensitivity": 1.0}


def test_several_entries_are_read_together():
    def answer(value, *, sensitivity, epsilon):
        noise = HELD.laplace(size=2) * [sensitivity / epsilon, sensitivity]
        return float(value + noise[which])

    which = 0
    assert read(answer)["epsilon"] == -1.0
    which = 1
    assert read(answer)["epsilon"] == 0.0


# --- everything is put back -------------------------------------------------------------------


def _all_states():
    return (
        np.random.get_state()[1].tobytes(),
        np.random.get_state()[2:],
        random.getstate(),
        str(HELD.bit_generator.state),
        str(HELD_STATE.get_state(legacy=False)),
        str(HELD_OTHER.get_state(legacy=False)),
        HELD_RANDOM.getstate(),
        str(HELD_BITS.state),
    )


def _draws_everywhere(fails=False):
    drawn = [
        np.random.normal(),
        random.gauss(0, 1),
        HELD.normal(),
        HELD_STATE.normal(),
        HELD_OTHER.normal(),
        HELD_RANDOM.gauss(0, 1),
        np.random.Generator(HELD_BITS).normal(),
        np.random.default_rng().normal(),
        secrets.randbits(53),
        os.urandom(8),
    ]
    if fails:
        raise KeyboardInterrupt
    return drawn


def test_all_chance_comes_again_and_every_generator_is_put_back():
    functions = [random._urandom, os.urandom, np.random.default_rng]
    before = _all_states()
    drawn = []
    for seed in (3, 3, 4):
        with repeated_chance(_draws_everywhere, seed):
            drawn.append(_draws_everywhere())
    with pytest.raises(KeyboardInterrupt), repeated_chance(_draws_everywhere, 3):
        _draws_everywhere(fails=True)
    assert drawn[0] == drawn[1]
    # Two of the twenty numbers agree by chance with probability below 1e-12.
    assert all(one != other for one, other in zip(drawn[0], drawn[2], strict=True))
    assert len({str(one) for one in drawn[0]}) == len(drawn[0])
    assert before == _all_states()
    assert functions == [random._urandom, os.urandom, np.random.default_rng]
    assert secrets.randbits(128) != secrets.randbits(128)


def test_looking_for_generators_ends():
    loop = []
    loop.append(loop)

    def answer(held=loop, many=list(range(10_000))):  # noqa: B006
        return held, many, answer

    assert len(list(reached(answer))) <= 2_000


# --- the words --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"epsilon": 2.0}, "the noise grows as epsilon**2: it must shrink as 1/epsilon"),
        ({"epsilon": -0.5}, "the noise shrinks as 1/sqrt(epsilon): it must shrink as 1/epsilon"),
        ({"epsilon": 0.0}, "the noise does not depend on epsilon: it must shrink as 1/epsilon"),
        ({"rows": 1.0}, "the noise grows as rows: it must not depend on rows"),
        (
            {"rows": 1.0, "sensitivity": 0.0},
            "the noise grows as rows, and does not depend on sensitivity: it must be the other way "
            "round",
        ),
        ({"epsilon": -1.0, "sensitivity": 1.0}, ""),
        ({}, ""),
    ],
)
def test_the_first_wrong_exponent_is_put_into_words(found, said):
    assert words(found, {"sensitivity": 1, "epsilon": -1, "rows": 0}) == said


def _reject(draw, words_wanted):
    # Rejected every time; what is named is the likeliest, so a sentence is tried a few times.
    said = [sentence("laplace_mechanism", draw) for _ in range(4)]
    named = [each for each in said if words_wanted in each]
    assert named, said[0]
    return named[0]


def test_a_failure_in_no_catalogue_names_the_exponent():
    _reject(
        lambda value, *, sensitivity, epsilon: value + HELD.laplace() * sensitivity * epsilon**2,
        "the noise grows as epsilon**2: it must shrink as 1/epsilon",
    )
    _reject(
        lambda value, *, sensitivity, epsilon: value + HELD.laplace() * sensitivity**0.5 / epsilon,
        "the noise grows as sqrt(sensitivity): it must grow as sensitivity",
    )
    _reject(
        lambda value, *, sensitivity, epsilon: (
            value + random.gauss(0, 1) * sensitivity / epsilon**0.5
        ),
        "the noise shrinks as 1/sqrt(epsilon): it must shrink as 1/epsilon",
    )


def test_a_wrong_constant_is_said_to_be_one_and_its_size_is_given_once():
    said = _reject(
        lambda value, *, sensitivity, epsilon: value + 0.6 * HELD.laplace() * sensitivity / epsilon,
        "depends on sensitivity and epsilon as it must: which constant stands before it?",
    )
    times = float(said.split("the spread is about ")[1].split(" ×")[0])
    wanted, came = (
        float(part.split(",")[0].split(" ")[0].rstrip("\n"))
        for part in (said.split("should be ")[1], said.split("looks like ")[1])
    )
    # It is rounded to two digits, the others to three.
    assert times == pytest.approx(came / wanted, rel=0.05)


# --- noise that follows from the clock --------------------------------------------------------


def _seeded_by_time(value, *, sensitivity, epsilon):
    np.random.seed(time.time_ns() % 2**32)
    return value + np.random.laplace(0, sensitivity / epsilon)


def _own_generator_by_time(value, *, sensitivity, epsilon):
    return value + np.random.default_rng(time_ns()).laplace(0, sensitivity / epsilon)


def _seeded_by_date(value, *, sensitivity, epsilon):
    generator = random.Random(str(datetime.datetime.now()))
    return value + _inverse(generator.random()) * sensitivity / epsilon


@pytest.mark.parametrize(
    "answer", [_seeded_by_time, _own_generator_by_time, _seeded_by_date], ids=lambda a: a.__name__
)
def test_noise_from_the_clock_is_named(answer):
    said = sentence("laplace_mechanism", answer)
    assert "the noise follows from the time of the call" in said
    assert "less than once in a billion runs" in said


def _reads_the_clock(value, *, sensitivity, epsilon, rng=None):
    started, day = time.perf_counter(), datetime.datetime.now()
    noisy = value + np.random.default_rng().laplace(0, sensitivity / epsilon)
    return noisy + 0 * (time.perf_counter() - started) + 0 * day.second


def _seeds_with_entropy(value, *, sensitivity, epsilon):
    np.random.seed(secrets.randbits(32))
    return value + np.random.laplace(0, sensitivity / epsilon)


def _waits(value, *, sensitivity, epsilon):
    until = time.perf_counter() + 1e-5
    while time.perf_counter() < until:
        pass
    return value + np.random.laplace(0, sensitivity / epsilon)


@pytest.mark.parametrize(
    "answer", [_reads_the_clock, _seeds_with_entropy, _waits], ids=lambda a: a.__name__
)
def test_a_right_answer_may_look_at_the_clock(answer):
    # Fails with probability below 1e-9: that is what the judge guarantees.
    check.laplace_mechanism(answer)


def test_the_clock_goes_on_afterwards():
    clocks = [time.time, time_ns, datetime.datetime, _own_generator_by_time.__globals__["time_ns"]]
    with still_clock(_own_generator_by_time):
        assert time.time() == time.time()
        assert time_ns() == time_ns()
        assert datetime.datetime.now() == datetime.datetime.now()
        assert datetime.datetime.now(datetime.UTC).tzinfo is datetime.UTC
    assert clocks == [time.time, time_ns, datetime.datetime, globals()["time_ns"]]
