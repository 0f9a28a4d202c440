"""A pass says what it is worth: departures of the size that it states are found."""

import math
import re

import numpy as np
import pytest

from autograder.check.claims import CLAIMS
from autograder.check.judge import Setting
from autograder.check.wording.worth import worth_of_choices, worth_of_noise
from ville.alternatives import Alternatives
from ville.process import Process
from ville.trial import Trial
from ville.worth import margin, smallest_found

DRAWS, LEVEL, RUNS = 6_000, 1e-9, 20
NOISY = ("laplace_mechanism", "discrete_laplace", "private_histogram")
CHOICES = ("exponential_mechanism", "randomized_response")


def rejected(trial, rows, generator) -> bool:
    """Whether draws are rejected whose cells have these laws."""
    process, each = Process(trial), DRAWS // len(trial.settings)
    for place, first in enumerate(trial.first_rows()[:-1]):
        laws = rows[first : trial.first_rows()[place + 1]]
        cells = np.column_stack([generator.choice(len(law), each, p=law) for law in laws])
        numbers = first + np.tile(np.arange(len(laws)), each)
        process.evidence.observe(numbers, cells.ravel())
    return process.look() >= -math.log(LEVEL)


@pytest.mark.parametrize("name", [*NOISY, *CHOICES])
def test_what_a_pass_says_it_would_have_seen_is_seen(name):
    generator = np.random.default_rng()
    trial = CLAIMS[name].trial(generator)
    null = trial.null()
    sure = [np.eye(len(row))[int(np.argmax(row))] for row in null]

    def mixed(share):
        return [(1 - share) * row + share * one for row, one in zip(null, sure, strict=True)]

    size = smallest_found(trial, mixed, DRAWS, LEVEL)
    # Each run finds it with probability 0.99: fewer than 13 of 20 with probability below 1e-11.
    assert sum(rejected(trial, mixed(size), generator) for _ in range(RUNS)) >= 13
    assert not any(rejected(trial, null, generator) for _ in range(3))


@pytest.mark.parametrize("draws", [30, 300, 3_000, 300_000])
@pytest.mark.parametrize("name", [*NOISY, *CHOICES, "private_marginal", "private_survey"])
def test_the_claims_own_law_is_no_departure(name, draws):
    trial = CLAIMS[name].trial(np.random.default_rng())
    assert margin(trial, trial.null(), draws, 0.1) < 0


def test_more_draws_are_worth_more():
    claim = CLAIMS["laplace_mechanism"]
    trial = claim.trial(np.random.default_rng(1))
    words = [claim.worth(trial, draws, LEVEL) for draws in (1_000, 10_000, 100_000)]
    form = r"would have seen noise off by (\d+) % or more, and one call in ([\d,]+) without it"
    figures = [re.fullmatch(form, each).groups() for each in words]
    off, rare = zip(*[(int(a), int(b.replace(",", ""))) for a, b in figures], strict=True)
    assert 40 > off[0] > off[1] > off[2] >= 2
    assert rare[0] < rare[1] < rare[2]


def test_the_worth_of_a_choice_is_in_words():
    trial = CLAIMS["randomized_response"].trial(np.random.default_rng(1))
    words = worth_of_choices(trial, 10_000, LEVEL)
    assert re.fullmatch(
        r"would have seen \d+ % or more of the calls with even chances, "
        r"and one call in \d+ without chance",
        words,
    )


def test_few_calls_are_not_worth_much():
    claim = CLAIMS["laplace_mechanism"]
    trial = claim.trial(np.random.default_rng(1))
    assert claim.worth(trial, 8, LEVEL) == "too few calls to see a small departure"
    assert worth_of_noise(trial, lambda factor: trial.null(), [20] * 4, 8, LEVEL).startswith(
        "too few"
    )


# --- a name is told as a fact only where it fits ---


def named(factors, draws: int) -> tuple[bool, str]:
    """Whether "the noise is doubled" fits noise with these factors, and its rival."""
    generator = np.random.default_rng()
    claim = CLAIMS["laplace_mechanism"]
    trial = claim.trial(generator)
    process = Process(trial)
    for place, factor in enumerate(factors):
        given = trial.settings[place].parameters
        noise = generator.laplace(scale=factor * claim.scale(given), size=draws)
        process.take(place, claim.exact(given) + noise)
    process.look()
    return process.fits("the noise is doubled"), process.rival("the noise is doubled")


def test_a_mistake_fits_its_own_answers():
    # Chi-square with 156 degrees of freedom lies 6 deviations too high with probability 1e-7,
    # and never so here by 10 nats more.
    assert all(named([2, 2, 2, 2], draws)[0] for draws in (20, 200, 2_000))


def test_the_nearest_mistake_does_not_fit_what_it_does_not_explain():
    assert not named([4, 1, 2, 3], 400)[0]
    assert not named([1.5, 1.5, 1.5, 1.5], 2_000)[0]


def test_a_mistake_with_a_rival_is_told_with_it():
    assert named([2, 2, 2, 2], 1)[1], "four answers cannot tell it from others"
    assert not named([2, 2, 2, 2], 2_000)[1]


def test_a_mistake_fits_where_it_gives_what_the_claim_rules_out():
    def process_with(law: list[float]) -> Process:
        null = np.array([0.5, 0.3, 0.2, 0.0])
        setting = Setting({}, [null], lambda draws: (np.zeros(len(draws), int), draws.astype(int)))
        names = Alternatives([null], {"wrong": [np.array(law)]})
        process = Process(Trial([setting], names, names))
        # Exact shares, so that nothing is left to chance.
        process.take(0, np.repeat([0, 1, 2, 3], [200, 200, 200, 400]))
        return process

    assert process_with([0.2, 0.2, 0.2, 0.4]).fits("wrong")
    assert not process_with([0.3, 0.3, 0.3, 0.1]).fits("wrong")
