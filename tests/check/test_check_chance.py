"""Where an answer's chance comes from: fixed seeds, a first call without noise, an `rng` given."""

import hashlib
import os
import random
import secrets
import time

import numpy as np
import pytest

from autograder import check
from autograder.check.chance.seeds import fixed_seeds
from autograder.check.chance.twister import seed_before
from autograder.check.door import quietly
from autograder.check.elsewhere import takes_generator

RNG = np.random.default_rng(3)  # as a chapter's first cell makes one
FRESH = np.random.default_rng()
OLD_RNG, PYTHON_RNG = np.random.RandomState(3), random.Random(3)


def private(value, *, sensitivity, epsilon, rng=None):
    rng = rng or np.random.default_rng()
    return value + rng.laplace(0, sensitivity / epsilon)


def of_the_notebook(value, *, sensitivity, epsilon, rng=None):
    return value + RNG.laplace(0, sensitivity / epsilon)


def if_none_is_given(value, *, sensitivity, epsilon, rng=None):
    return value + (rng or RNG).laplace(0, sensitivity / epsilon)


def by_default(value, *, sensitivity, epsilon, rng=RNG):
    return value + rng.laplace(0, sensitivity / epsilon)


def of_old_numpy(value, *, sensitivity, epsilon, rng=None):
    return value + OLD_RNG.laplace(0, sensitivity / epsilon)


def of_python(value, *, sensitivity, epsilon, rng=None):
    size = -np.log(1 - PYTHON_RNG.random()) * sensitivity / epsilon
    return value + size * PYTHON_RNG.choice([-1, 1])


@pytest.mark.parametrize(
    "answer", [of_the_notebook, if_none_is_given, by_default, of_old_numpy, of_python]
)
def test_a_generator_whose_seed_is_in_the_notebook_is_not_private(answer):
    with pytest.raises(check.CheckFailure, match="fixed seed") as failure:
        check.laplace_mechanism(answer)
    assert "seed 3:" in " ".join(str(failure.value).split())


def test_a_generator_with_the_systems_entropy_may_be_kept():
    def answer(value, *, sensitivity, epsilon, rng=None):
        return value + (rng or FRESH).laplace(0, sensitivity / epsilon)

    assert check.laplace_mechanism(answer).share == 1


@pytest.mark.parametrize("draws", [0, 1, 700, 40_000])
@pytest.mark.parametrize("seed", [0, 3, 42, 2**32 - 1])
def test_a_twister_tells_its_seed(seed, draws):
    old, own = np.random.RandomState(seed), random.Random(seed)
    old.random_sample(draws)
    for _ in range(draws):
        own.random()
    assert seed_before(old.get_state(legacy=False)["state"]["key"]) == seed
    assert seed_before(own.getstate()[1][:-1]) == seed


@pytest.mark.parametrize("draws", [0, 40_000])
@pytest.mark.parametrize(
    "seed", [b"karrie", b"k" * 190, secrets.randbits(128) | 2**127, 2**64, 2**2047]
)
def test_a_twister_tells_a_text_and_a_long_number(seed, draws):
    own = random.Random(seed)
    for _ in range(draws):
        own.random()
    assert seed_before(own.getstate()[1][:-1]) == seed


KEPT_SEED = secrets.randbits(32)
BY_CHANCE_SMALL = np.random.RandomState(secrets.randbits(32))
OF_KEPT_SEED = np.random.default_rng(KEPT_SEED)
OF_A_HASH = np.random.default_rng(int(hashlib.sha256(b"karrie").hexdigest()[:12], 16))
BY_SUM = random.Random(7_000 * len("karrie"))


def seeds_of(generator):
    """Return the chosen seeds of an answer that draws from this generator."""
    with quietly(lambda: None, ()), fixed_seeds(lambda: generator.random()) as used:
        generator.random()
        return used()


@pytest.mark.parametrize(
    "generator",
    [
        random.Random(),
        random.Random(secrets.randbits(128) | 2**127),
        random.Random(secrets.randbits(32)),
        random.Random(secrets.token_hex(4)),
        np.random.RandomState(),
        np.random.RandomState(np.random.SeedSequence().generate_state(8)),
        np.random.RandomState(secrets.randbits(32)),
        np.random.default_rng(int.from_bytes(os.urandom(4), "big")),
        np.random.default_rng([secrets.randbits(32) for _ in range(4)]),
        OF_KEPT_SEED,
        random.SystemRandom(),
        random._inst,
        np.random.mtrand._rand,
    ],
    ids=lambda generator: type(generator).__name__,
)
def test_the_systems_entropy_and_the_global_generators_are_no_chosen_seed(generator):
    # A seed of 32 bits looks chosen with probability below 2e-6; what is drawn here is the same at
    # every run.
    assert seeds_of(generator) == []


@pytest.mark.parametrize(
    ("generator", "seed"),
    [
        (random.Random("karrie"), "'karrie'"),
        (random.Random(b"hangs up"), "'hangs up'"),
        (random.Random(20_261_122), "20261122"),
        (random.Random(0.25), str(hash(0.25))),
        (np.random.default_rng([1, 2, 3]), "[1, 2, 3]"),
        # As numpy's documentation asks for it: new once, and the same from then on.
        (
            np.random.default_rng(122807528840384100672342137672332424406),
            "1228075288403841006723421",
        ),
        (np.random.RandomState([70_001, 2]), str(70_001 + 2 * 2**32)),
    ],
)
def test_a_seed_that_stands_in_the_text_is_chosen(generator, seed):
    assert [each[:25] for each in seeds_of(generator)] == [seed[:25]]


@pytest.mark.parametrize("clock", [time.time, time.time_ns])
def test_the_time_of_day_is_a_chosen_seed(clock):
    assert len(seeds_of(np.random.RandomState(int(clock()) % 2**32))) == (clock is time.time)
    assert len(seeds_of(random.Random(int(clock())))) == 1


@pytest.mark.parametrize(
    "answer", [lambda: OF_A_HASH.random(), lambda: BY_SUM.random()], ids=["hash", "sum"]
)
def test_a_seed_that_comes_again_when_its_statement_runs_again_is_chosen(answer):
    with fixed_seeds(answer) as used:
        answer()
        assert len(used()) == 1


def test_a_seed_that_is_new_when_its_statement_runs_again_is_not():
    def answer():
        return OF_KEPT_SEED.random()

    with fixed_seeds(answer) as used:
        answer()
        assert used() == []


def test_a_new_seed_may_be_small_by_chance():
    """The statement that made it gives another one, which is not small."""

    def answer():
        return BY_CHANCE_SMALL.random()

    BY_CHANCE_SMALL.seed(len("chance" * 100))
    with fixed_seeds(answer) as used:
        answer()
        assert used() == []


def test_a_global_generator_that_the_notebook_has_seeded_is_not_private():
    def of_numpy(value, *, sensitivity, epsilon, rng=None):
        return value + np.random.laplace(0, sensitivity / epsilon)  # noqa: NPY002

    def of_python(value, *, sensitivity, epsilon, rng=None):
        scale = sensitivity / epsilon
        return value + random.expovariate(1 / scale) - random.expovariate(1 / scale)

    assert check.laplace_mechanism(of_numpy).share == 1
    np.random.seed(271_828)  # noqa: NPY002
    assert check.laplace_mechanism(of_python).share == 1
    for answer, seed in ((of_numpy, "271828"), (of_python, "'karrie'")):
        random.seed("karrie")
        with pytest.raises(check.CheckFailure, match="fixed seed") as failure:
            check.laplace_mechanism(answer)
        assert f"seed {seed}" in " ".join(str(failure.value).split())


def test_a_seeded_generator_that_is_not_used_says_nothing():
    def answer(value, *, sensitivity, epsilon, rng=None):
        return private(value, sensitivity=sensitivity, epsilon=epsilon) + 0 * (RNG is None)

    assert check.laplace_mechanism(answer).share == 1
    with fixed_seeds(of_the_notebook) as used:
        assert used() == []
        of_the_notebook(1, sensitivity=1, epsilon=1)
        assert used() == ["3"]


def test_a_choice_from_a_fixed_seed_is_found_too():
    def answer(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
        weights = np.exp(epsilon * (np.asarray(scores) - max(scores)) / (2 * sensitivity))
        return candidates[RNG.choice(len(candidates), p=weights / weights.sum())]

    with pytest.raises(check.CheckFailure, match="fixed seed"):
        check.exponential_mechanism(answer)


def test_the_very_first_answer_must_have_noise():
    calls = []

    def answer(value, *, sensitivity, epsilon, rng=None):
        calls.append(1)
        if len(calls) == 1:
            return value
        return private(value, sensitivity=sensitivity, epsilon=epsilon)

    with pytest.raises(check.CheckFailure, match="the first one was exact"):
        check.laplace_mechanism(answer)


def test_half_of_the_calls_are_given_an_rng():
    given = []

    def answer(value, *, sensitivity, epsilon, rng=None):
        given.append(rng)
        return private(value, sensitivity=sensitivity, epsilon=epsilon, rng=rng)

    check.laplace_mechanism(answer)
    share = sum(rng is not None for rng in given) / len(given)
    assert 0.4 < share < 0.5, "a few calls more, for the contract, are given none"
    kinds = {type(rng) for rng in given}
    assert kinds == {type(None), np.random.Generator}


@pytest.mark.parametrize("when", [True, False])
def test_a_fault_that_shows_only_with_or_without_it_is_found(when):
    def answer(value, *, sensitivity, epsilon, rng=None):
        factor = 0.5 if (rng is not None) == when else 1
        return private(value, sensitivity=factor * sensitivity, epsilon=epsilon)

    with pytest.raises(check.CheckFailure):
        check.laplace_mechanism(answer)


def test_an_answer_without_the_parameter_is_given_none():
    def answer(value, *, sensitivity, epsilon):
        return private(value, sensitivity=sensitivity, epsilon=epsilon)

    assert check.laplace_mechanism(answer).share == 1
    for function, wanted in ((answer, False), (private, True), (len, False), (np.sum, False)):
        with takes_generator(function) as takes:
            assert takes == wanted


# What an answer keeps from call to call, as the cell before it has made it.
STATE = 12_345
CALLS = 0
FIXED_POOL = np.random.default_rng(3).laplace(size=50_000)
FRESH_POOL = np.random.default_rng().laplace(size=50_000)
BUFFER = []


def by_hand(value, *, sensitivity, epsilon, rng=None):
    global STATE
    STATE = (6_364_136_223_846_793_005 * STATE + 1_442_695_040_888_963_407) % 2**64
    uniform = (STATE >> 11) / 2**53 - 0.5
    size = -np.log(1 - 2 * abs(uniform)) * sensitivity / epsilon
    return value + np.copysign(size, uniform)


def seeded_by_a_count(value, *, sensitivity, epsilon, rng=None):
    global CALLS
    CALLS += 1
    return value + np.random.default_rng(CALLS).laplace(0, sensitivity / epsilon)


def drawn_before(pool):
    def fixed(value, *, sensitivity, epsilon, rng=None):
        global CALLS
        CALLS += 1
        return value + FIXED_POOL[CALLS] * sensitivity / epsilon

    def fresh(value, *, sensitivity, epsilon, rng=None):
        global CALLS
        CALLS += 1
        return value + FRESH_POOL[CALLS] * sensitivity / epsilon

    return fixed if pool is FIXED_POOL else fresh


def from_a_buffer(value, *, sensitivity, epsilon, rng=None):
    if not BUFFER:
        BUFFER.extend(np.random.default_rng().laplace(size=1_000))
    return value + BUFFER.pop() * sensitivity / epsilon


@pytest.mark.parametrize("answer", [by_hand, seeded_by_a_count, drawn_before(FIXED_POOL)])
def test_noise_that_is_the_same_in_each_session_is_not_private(answer):
    before = STATE
    with pytest.raises(check.CheckFailure, match="the noise is the same in each session"):
        check.laplace_mechanism(answer)
    assert before != STATE or answer is not by_hand, "its own calls count on"


@pytest.mark.parametrize("answer", [drawn_before(FRESH_POOL), from_a_buffer])
def test_noise_that_was_drawn_before_may_be_kept(answer):
    assert check.laplace_mechanism(answer).share == 1


# A chapter has a generator of this name, too; how this one is made is no plain `name = ...`.
GENERATOR = np.random.default_rng(3)
GENERATOR, _ = np.random.default_rng(), None


def from_the_second_generator(value, *, sensitivity, epsilon, rng=None):
    return value + GENERATOR.laplace(scale=sensitivity / epsilon)


def test_a_statement_that_has_not_made_a_generator_says_nothing_of_it():
    assert check.laplace_mechanism(from_the_second_generator).share == 1


def coins(answers, truth):
    return np.where(np.random.default_rng().random(len(answers)) < truth, answers, ~answers)


def true_at_first(answers, *, epsilon=1.1, rng=None):
    global CALLS
    CALLS += 1
    return np.array(answers) if CALLS == 1 else coins(np.array(answers), 1 / (1 + np.exp(-epsilon)))


def counted_only(answers, *, epsilon=1.1, rng=None):
    global CALLS
    CALLS += 1
    return coins(np.array(answers), 1 / (1 + np.exp(-epsilon)))


def test_a_choice_without_chance_in_the_first_call_of_a_session_is_found():
    with pytest.raises(check.CheckFailure, match="the first answer of a session has another law"):
        check.randomized_response(true_at_first)
    assert check.randomized_response(counted_only).share == 1
