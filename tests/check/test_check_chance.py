"""Where an answer's chance comes from: fixed seeds, a first call without noise, an `rng` given."""

from __future__ import annotations

import random
import secrets

import numpy as np
import pytest

from autograder import check
from autograder.check.chance.seeds import fixed_seeds
from autograder.check.chance.twister import chosen_seed
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
    assert chosen_seed(old.get_state(legacy=False)["state"]["key"]) == str(seed)
    assert chosen_seed(own.getstate()[1][:-1]) == str(seed)


@pytest.mark.parametrize(
    "generator",
    [
        random.Random(),
        random.Random(secrets.randbits(128) | 2**127),
        np.random.RandomState(),
        np.random.RandomState(np.random.SeedSequence().generate_state(8)),
        random.SystemRandom(),
        random._inst,
        np.random.mtrand._rand,
    ],
    ids=lambda generator: type(generator).__name__,
)
def test_the_systems_entropy_and_the_global_generators_are_no_chosen_seed(generator):
    with quietly(lambda: None, ""), fixed_seeds(lambda: generator.random()) as used:
        generator.random()
        assert used() == []


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
