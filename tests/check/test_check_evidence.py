"""The evidence of the claims: its mean, its calibration, and what the judge finds with it."""

import dataclasses
import math

import numpy as np
import pytest
from laws import expected_evidence
from scipy import stats

from autograder.check.claims import CLAIMS
from autograder.check.effort import Stopwatch
from autograder.check.judge import ALPHA, decide
from ville.alternatives import Alternatives
from ville.evidence import Evidence
from ville.trial import Trial

FALSE_ALARM = 1e-9
RUNS = 2_000
RANDOMISED = ("laplace_mechanism", "private_count", "discrete_laplace")


def trial_of(name: str) -> Trial:
    return CLAIMS[name].trial(np.random.default_rng())


@pytest.mark.parametrize("name", RANDOMISED)
def test_the_evidence_of_a_claim_has_mean_one_after_one_answer(name):
    trial = trial_of(name)
    null = trial.null()
    for setting in range(len(null)):
        assert expected_evidence(trial.mixture, [setting], null) == pytest.approx(1, abs=1e-9)


@pytest.mark.long
def test_the_evidence_of_a_claim_has_mean_one_after_two_answers():
    trial = trial_of("laplace_mechanism")
    null = trial.null()
    assert expected_evidence(trial.mixture, [0, 1], null) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("name", RANDOMISED)
def test_the_weights_sum_to_one(name):
    evidence = trial_of(name).mixture()
    assert sum(each.weight for each in evidence.parts) == pytest.approx(1, abs=1e-12)
    assert evidence.log_total() == pytest.approx(0, abs=1e-9)


def test_one_batch_or_many_give_the_same_evidence():
    trial = trial_of("laplace_mechanism")
    cells = np.random.default_rng().integers(0, 40, 300)
    at_once, one_by_one = trial.mixture(), trial.mixture()
    at_once.observe(np.zeros(300, dtype=int), cells)
    for cell in cells:
        one_by_one.observe(np.array([0]), np.array([cell]))
    assert one_by_one.log_total() == pytest.approx(at_once.log_total(), abs=1e-8)


# --- calibration ------------------------------------------------------------------------------


def largest_evidence(trial: Trial, drawn_from, total=Evidence.log_total) -> float:
    """Return the largest log evidence over five looks at 400 cells drawn from a law."""
    generator = np.random.default_rng()
    evidence = trial.mixture()
    levels = [np.cumsum(probabilities)[:-1] for probabilities in drawn_from]
    largest = -np.inf
    rows = np.repeat(np.arange(len(levels)), 20)
    for _ in range(5):
        chances = generator.random((len(levels), 20))
        cells = [np.searchsorted(*each) for each in zip(levels, chances, strict=True)]
        evidence.observe(rows, np.concatenate(cells))
        largest = max(largest, total(evidence))
    return largest


LEVELS = (10, 100, 1_000, 10_000)


def heights(trial, drawn_from, runs, **options) -> np.ndarray:
    """Return the largest evidence of each run, as a logarithm."""
    return np.array([largest_evidence(trial, drawn_from, **options) for _ in range(runs)])


def exceeded(found: np.ndarray) -> list[int]:
    """Return the levels that more runs reach than a calibrated judge allows.

    By Ville's inequality at most one run in 10 ever reaches 10, one in 100 reaches 100, and so on;
    runs are independent. A calibrated judge exceeds a level here with probability below
    FALSE_ALARM / 4.
    """
    reached = {level: int(np.sum(found >= math.log(level))) for level in LEVELS}
    alarm = FALSE_ALARM / len(LEVELS)
    return [n for n in LEVELS if reached[n] > stats.binom.isf(alarm, len(found), 1 / n)]


@pytest.mark.long
@pytest.mark.parametrize("name", ["laplace_mechanism", "discrete_laplace"])
def test_the_evidence_is_calibrated_on_right_answers(name):
    trial = trial_of(name)
    right = trial.null()
    assert exceeded(heights(trial, right, RUNS)) == []


def test_a_judge_with_a_wrong_law_fails_the_calibration():
    # The claim says one scale, right answers have twice that: found in nearly every run.
    trial = trial_of("laplace_mechanism")
    place = [name.startswith("the spread is 2.") for name in trial.families.names].index(True)
    ratios = np.split(np.exp(trial.families.log_ratios[place]), trial.families.starts[1:-1])
    other = [law * r for law, r in zip(trial.null(), ratios, strict=True)]
    other = [law / law.sum() for law in other]
    assert exceeded(heights(trial, other, 200)) == list(LEVELS)


@pytest.mark.long
def test_a_judge_that_forgets_the_price_of_looking_fails_the_calibration():
    # The largest likelihood ratio of all alternatives, instead of their mixture.
    def best_of_all(evidence: Evidence) -> float:
        return max(float(logs.max()) for logs in evidence.log_values())

    trial = trial_of("laplace_mechanism")
    right = trial.null()
    assert 10 in exceeded(heights(trial, right, 500, total=best_of_all))


def test_a_judge_that_looks_at_a_p_value_again_and_again_fails_the_calibration():
    # A chi-squared test at level 0.1 is calibrated for one look, not for the smallest of ten.
    trial = trial_of("laplace_mechanism")
    law = trial.null()[0]
    generator = np.random.default_rng()
    rejected = 0
    for _ in range(RUNS):
        counts = np.cumsum(generator.multinomial(100, law, size=10), axis=0)
        expected = np.outer(np.arange(1, 11) * 100, law)
        statistic = ((counts - expected) ** 2 / expected).sum(axis=1)
        rejected += bool((stats.chi2.sf(statistic, len(law) - 1) <= 0.1).any())
    assert rejected > stats.binom.isf(FALSE_ALARM, RUNS, 0.1)


# --- power, and what the parts see ------------------------------------------------------------


def verdict_on(trial: Trial, noise):
    """Return the judge's verdict on simulated answers: noise in units of the scale."""

    def draw(place, number):
        given = trial.settings[place].parameters
        return given["value"] + given["sensitivity"] / given["epsilon"] * noise(number)

    return decide(trial, draw)


class Clock(Stopwatch):
    """A stopwatch on which answers have worked as long as the test says."""

    spent = 0.0

    def worked(self) -> float:
        return self.spent

    def idle(self) -> float:
        return 0.0


@pytest.mark.parametrize(("slow", "least"), [(0.2, 5), (1e-4, 1)])
def test_where_one_setting_is_slow_the_others_are_asked_more_often(slow, least):
    # A right answer, which fails with probability 1e-9.
    trial, clock = trial_of("laplace_mechanism"), Clock()

    def draw(place, number):
        clock.spent += number * (1e-4 if place else slow)
        given = trial.settings[place].parameters
        noise = np.random.default_rng().laplace(size=number)
        return given["value"] + given["sensitivity"] / given["epsilon"] * noise

    first, *others = map(len, decide(trial, draw, watch=clock).answers)
    assert min(others) >= least * first
    assert slow > 0.1 or set(others) == {first}


@pytest.mark.parametrize(("factor", "answers"), [(2.0, 1_000), (1.4, 3_000), (0.7, 3_000)])
def test_a_wrong_scale_is_found_in_time(factor, answers):
    # Three times and more the 99 % points of a long simulation (168, 648): the evidence has then
    # more than twice what it needs, on average, so a miss has probability below 1e-9.
    generator = np.random.default_rng()
    for _ in range(20):
        verdict = verdict_on(
            trial_of("laplace_mechanism"), lambda n: factor * generator.laplace(size=n)
        )
        assert not verdict.passed
        assert verdict.decided_after <= answers


def test_a_uniform_scale_error_without_its_name_is_called_a_spread():
    generator = np.random.default_rng()
    trial = trial_of("laplace_mechanism")
    none = Alternatives(
        trial.null(),
        {"the truth": trial.null()},
    )
    verdict = verdict_on(
        dataclasses.replace(trial, catalogue=none), lambda n: 3 * generator.laplace(size=n)
    )
    assert (verdict.passed, verdict.kind) == (False, "family")


def test_dependent_answers_of_the_right_law_are_found():
    generator = np.random.default_rng()

    def antithetic(number):
        half = generator.laplace(size=number // 2 + 1)
        return np.column_stack([half, -half]).ravel()[:number]

    verdict = verdict_on(trial_of("laplace_mechanism"), antithetic)
    assert (verdict.passed, verdict.kind) == (False, "dependence")


@pytest.mark.long
@pytest.mark.parametrize("name", ["private_histogram", "private_marginal"])
def test_the_evidence_is_calibrated_on_vectors(name):
    trial = trial_of(name)
    assert exceeded(heights(trial, trial.null(), 400)) == []


def test_settings_that_share_a_law_up_to_rounding_sort_sums_alike():
    # Fails by chance with probability below 1e-9, all eight together. When each setting had looks
    # of its own, a sum on the border of two cells went to different ones: one run in eight failed.
    generator = np.random.default_rng()
    for _ in range(8):
        trial = trial_of("private_histogram")
        evidence, first = trial.mixture(), trial.first_rows()
        for place, setting in enumerate(trial.settings):
            levels = [np.cumsum(row)[:-1] for row in setting.rows]
            cells = [np.searchsorted(level, generator.random(4_000)) for level in levels]
            rows = first[place] + np.tile(np.arange(len(levels)), 4_000)
            evidence.observe(rows, np.column_stack(cells).ravel())
        assert evidence.log_total() < -math.log(ALPHA / 8)


@pytest.mark.parametrize("correlation", [0.6, -0.6])
def test_entries_of_the_right_law_that_are_not_neighbors_but_correlated_are_found(correlation):
    generator = np.random.default_rng()
    trial = trial_of("private_histogram")
    claim = CLAIMS["private_histogram"]

    def draw(place, number):
        given = trial.settings[place].parameters
        exact = claim.exact(given)
        drawn = generator.laplace(size=(number, len(exact)))
        copied = generator.random(number) < abs(correlation)
        drawn[copied, 2] = math.copysign(1, correlation) * drawn[copied, 0]
        return exact + claim.scale(given) * drawn

    verdict = decide(trial, draw)
    assert (verdict.passed, verdict.kind, verdict.name) == (False, "entries", "entries 0 and 2")


def test_a_wrong_law_of_each_setting_is_not_called_dependence():
    # The share of withheld answers is wrong, and in another direction at each setting.
    trial = trial_of("propose_test_release")
    generator = np.random.default_rng()
    none = Alternatives(trial.null(), {"the truth": trial.null()})
    trial = dataclasses.replace(trial, catalogue=none, families=none)

    def draw(place, number):
        claim, given = CLAIMS["propose_test_release"], trial.settings[place].parameters
        noise = generator.laplace(scale=claim.scale(given), size=number)
        withheld = generator.random(number) < 0.5
        return np.where(withheld, np.inf, claim.exact(given) + noise)

    verdict = decide(trial, draw)
    assert (verdict.passed, verdict.kind) == (False, "free")


def test_the_judge_fails_only_beyond_its_threshold():
    generator = np.random.default_rng()
    trial = trial_of("laplace_mechanism")
    for factor in (1.0, 1.5):
        verdict = verdict_on(trial, lambda n, factor=factor: factor * generator.laplace(size=n))
        assert verdict.passed == (factor == 1.0)
        # After a rejection the judge looks on, to name the mistake: the evidence grows further.
        assert (verdict.log_evidence >= -math.log(ALPHA)) == (factor != 1.0)
