"""The evidence is a test martingale: enumerated exactly, and calibrated by simulation."""

from __future__ import annotations

import dataclasses
import itertools
import math

import numpy as np
import pytest
from scipy import stats

from autograder.check.claims import CLAIMS
from autograder.check.evidence import (
    Alternatives,
    Coarse,
    Evidence,
    Free,
    Listed,
    Together,
    Transitions,
    default_mixture,
)
from autograder.check.judge import ALPHA, Trial, decide

FALSE_ALARM = 1e-9
RUNS = 2_000
RANDOMISED = ("laplace_mechanism", "private_count", "discrete_laplace")


def trial_of(name: str) -> Trial:
    return CLAIMS[name].trial(np.random.default_rng())


def expected_evidence(make_mixture, sequence, null) -> float:
    """Return the exact mean of the evidence after answers at the settings of `sequence`."""
    total = 0.0
    for cells in itertools.product(*(range(len(null[setting])) for setting in sequence)):
        evidence = make_mixture()
        probability = 1.0
        for setting, cell in zip(sequence, cells, strict=True):
            evidence.observe(np.array([setting]), np.array([cell]))
            probability *= null[setting][cell]
        total += probability * math.exp(evidence.log_total())
    return total


@pytest.mark.parametrize("name", RANDOMISED)
def test_the_evidence_of_a_claim_has_mean_one_after_one_answer(name):
    trial = trial_of(name)
    null = trial.null()
    for setting in range(len(null)):
        assert expected_evidence(trial.mixture, [setting], null) == pytest.approx(1, abs=1e-9)


def test_the_evidence_of_a_claim_has_mean_one_after_two_answers():
    trial = trial_of("laplace_mechanism")
    null = trial.null()
    assert expected_evidence(trial.mixture, [0, 1], null) == pytest.approx(1, abs=1e-9)


SMALL_NULL = [np.array([0.2, 0.5, 0.3]), np.array([0.6, 0.4])]
SMALL_LAWS = {
    "one": [np.array([1.0, 0.0, 0.0]), np.array([0.5, 0.5])],
    "other": [np.array([0.3, 0.3, 0.4]), np.array([0.0, 1.0])],
}


def small_mixture() -> Evidence:
    alternatives = Alternatives(SMALL_NULL, SMALL_LAWS)
    return default_mixture(SMALL_NULL, alternatives, alternatives)


@pytest.mark.parametrize("sequence", [[0, 0], [0, 1, 0], [1, 1, 0, 0, 1], [0, 0, 0, 0, 0]])
def test_the_evidence_has_mean_one_after_several_answers(sequence):
    assert expected_evidence(small_mixture, sequence, SMALL_NULL) == pytest.approx(1, abs=1e-9)


# A setting whose answers have three entries, then one whose answers have two.
ENTRIES_NULL = [
    np.array([0.2, 0.5, 0.3]),
    np.array([0.6, 0.4]),
    np.array([0.1, 0.2, 0.3, 0.4]),
    np.array([0.5, 0.5]),
    np.array([0.3, 0.7]),
]


def mixture_of_entries(null=ENTRIES_NULL, entries=(3, 2)) -> Evidence:
    laws = {"even": [np.full(len(row), 1 / len(row)) for row in null]}
    alternatives = Alternatives(null, laws)
    return default_mixture(null, alternatives, alternatives, entries)


@pytest.mark.parametrize("sequence", [[0, 1, 2], [3, 4, 3, 4], [0, 1, 2, 3, 4], [0, 1, 2, 0, 1]])
def test_the_evidence_has_mean_one_after_answers_of_several_entries(sequence):
    mean = expected_evidence(mixture_of_entries, sequence, ENTRIES_NULL)
    assert mean == pytest.approx(1, abs=1e-9)


def test_the_evidence_has_mean_one_for_entries_that_share_one_law():
    null = [np.array([0.2, 0.5, 0.3])] * 6
    mean = expected_evidence(lambda: mixture_of_entries(null, (3, 3)), [0, 1, 2, 3, 4, 5], null)
    assert mean == pytest.approx(1, abs=1e-9)


def test_the_part_about_entries_alone_has_mean_one_and_a_dependent_law_breaks_it():
    part = Together(ENTRIES_NULL, (3, 2), pooled=False)
    assert set(map(part.name, range(len(part.log_values())))) == {
        "entries 0 and 1",
        "entries 0 and 2",
        "entries 1 and 2",
        "the sum of all entries",
        "every other entry against the rest",
        "one half of the entries against the other",
    }
    # The same law of each entry; in the second table the two go together. Two answers each: the
    # first one only teaches.
    tables = np.array([np.outer(*ENTRIES_NULL[3:]), [[0.3, 0.2], [0.0, 0.5]]])
    means = np.zeros((2, len(part.log_values())))
    for cells in itertools.product(range(2), repeat=4):
        part = Together(ENTRIES_NULL, (3, 2), pooled=False)
        part.observe(np.array([3, 4, 3, 4]), np.array(cells))
        chances = tables[:, cells[0], cells[1]] * tables[:, cells[2], cells[3]]
        means += np.outer(chances, np.exp(part.log_values()))
    assert means[0] == pytest.approx(1, abs=1e-9)
    assert means[1].max() > 1.01


def test_an_answer_in_two_batches_is_one_answer():
    rows, cells = np.array([0, 1, 2, 0, 1, 2]), np.array([2, 1, 0, 0, 1, 3])
    at_once, in_two = mixture_of_entries(), mixture_of_entries()
    at_once.observe(rows, cells)
    for part in (slice(0, 2), slice(2, 6)):
        in_two.observe(rows[part], cells[part])
    assert in_two.log_total() == pytest.approx(at_once.log_total(), abs=1e-9)


def test_a_wrong_law_of_the_cells_breaks_the_mean():
    # The enumeration above can fail: here the cells follow another law than the evidence assumes.
    wrong = [np.array([0.3, 0.4, 0.3]), np.array([0.6, 0.4])]
    assert expected_evidence(small_mixture, [0, 1, 0], wrong) > 1.01


@pytest.mark.parametrize("name", RANDOMISED)
def test_the_weights_sum_to_one(name):
    evidence = trial_of(name).mixture()
    assert sum(evidence.weights.values()) == pytest.approx(1, abs=1e-12)
    assert evidence.log_total() == pytest.approx(0, abs=1e-9)


def test_weights_that_do_not_sum_to_one_are_refused():
    evidence = small_mixture()
    with pytest.raises(ValueError, match="sum to one"):
        Evidence(evidence.parts, dict.fromkeys(evidence.parts, 0.3))


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
    for _ in range(5):
        for number, level in enumerate(levels):
            cells = np.searchsorted(level, generator.random(20))
            evidence.observe(np.full(20, number), cells)
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


def test_a_judge_that_forgets_the_price_of_looking_fails_the_calibration():
    # The largest likelihood ratio of all alternatives, instead of their mixture.
    def best_of_all(evidence: Evidence) -> float:
        return max(float(logs.max()) for logs in evidence.log_values().values())

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


@pytest.mark.parametrize("name", ["private_histogram", "private_crosstab"])
def test_the_evidence_is_calibrated_on_vectors(name):
    trial = trial_of(name)
    assert exceeded(heights(trial, trial.null(), 400)) == []


def test_settings_that_share_a_law_up_to_rounding_sort_sums_alike():
    # Fails by chance with probability below 1e-9, all eight together. When each setting had looks
    # of its own, a sum on the border of two cells went to different ones: one run in eight failed.
    generator = np.random.default_rng()
    for _ in range(8):
        trial = trial_of("private_crosstab")
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


def test_noise_that_sums_to_zero_is_found():
    # Each pair of 16 entries has the correlation -1/15; their sum is always 0.
    generator = np.random.default_rng()
    law = np.full(40, 1 / 40)
    evidence = default_mixture(
        [law] * 16, *[Alternatives([law] * 16, {"it": [law] * 16})] * 2, [16]
    )
    drawn = generator.standard_normal((200, 16))
    drawn = (drawn - drawn.mean(axis=1, keepdims=True)) * math.sqrt(16 / 15)
    cells = np.minimum((stats.norm.cdf(drawn) * 40).astype(int), 39)
    evidence.observe(np.tile(np.arange(16), 200), cells.ravel())
    values = evidence.log_values()
    assert evidence.log_total(values) >= -math.log(ALPHA)
    place = int(np.argmax(values["entries"]))
    assert evidence.parts["entries"].name(place) == "the sum of all entries"
    assert max(values["dependence"]) < values["entries"][place]


def test_the_judge_fails_only_beyond_its_threshold():
    generator = np.random.default_rng()
    trial = trial_of("laplace_mechanism")
    for factor in (1.0, 1.5):
        verdict = verdict_on(trial, lambda n, factor=factor: factor * generator.laplace(size=n))
        assert verdict.passed == (factor == 1.0)
        # After a rejection the judge looks on, to name the mistake: the evidence grows further.
        assert (verdict.log_evidence >= -math.log(ALPHA)) == (factor != 1.0)


def test_parts_start_at_zero():
    alternatives = Alternatives(SMALL_NULL, SMALL_LAWS)
    parts = [
        Listed(alternatives),
        Free(SMALL_NULL, pooled=False),
        Coarse(SMALL_NULL),
        Transitions(SMALL_NULL, pooled=False),
    ]
    for part in parts:
        assert part.log_values() == pytest.approx(0, abs=1e-9)


def test_an_alternative_is_mixed_with_the_claim():
    # One answer that the alternative excludes leaves it a millionth, not nothing.
    ratios = Alternatives(SMALL_NULL, SMALL_LAWS).log_ratios
    assert ratios.min() == pytest.approx(math.log(1e-6))
