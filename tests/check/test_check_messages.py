"""What a failed check tells a student: no mistake that does not fit, no numbers that contradict."""

import math
import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import dplib
from autograder import check
from autograder.check.claims import CLAIMS
from autograder.check.wording.entries import words_of_entries
from autograder.check.wording.reach import piles_up_unlike, words_of_ends
from autograder.check.words import in_runs, number, numbers_apart
from ville.bets.naming import explains

GENERATOR = np.random.default_rng()


def said(name, answer) -> str:
    """Return what the check of an exercise says, in one line."""
    with pytest.raises(check.CheckFailure) as refused:
        getattr(check, name)(answer)
    return " ".join(str(refused.value).split())


# --- a mistake is named only where it fits ----------------------------------------------------


def split_by_advanced_composition(value, *, l2_sensitivity, count, epsilon, delta, rng=None):
    share = epsilon / math.sqrt(2 * count * math.log(1 / delta))
    sigma = l2_sensitivity * math.sqrt(2 * math.log(1.25 / delta)) / share
    return value + GENERATOR.normal(0, sigma)


def test_a_mistake_that_does_not_fit_is_not_told():
    # The nearest in the catalogue are twice as far off. With 1,000 answers a misfit is surer than
    # 1e-9, and so is which of the spreads is nearest.
    words = said("repeated_gaussian", split_by_advanced_composition)
    assert "the spread is" in words
    assert not any(mistake.name in words for mistake in CLAIMS["repeated_gaussian"].mistakes)


def test_a_mistake_is_told_as_a_fact_only_where_nothing_speaks_against_it():
    # A law near one of the catalogue's and not the same, by a row that shows it.
    close = [np.array([0.25, 0.25, 0.25, 0.25])] * 2
    counts = [np.array([40, 40, 40, 40]), np.array([60, 40, 35, 25])]
    certain = [np.zeros(4, dtype=bool)] * 2
    rows = list(zip(close, counts, certain, strict=True))
    assert explains(rows) and not explains(rows, closely=True)
    assert explains(rows[:1], closely=True)


def test_a_wrong_law_is_not_taken_for_dependence():
    # Each answer is drawn by itself; what follows what shows the wrong law, too.
    def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):
        scale = sensitivity / epsilon
        while (noise := GENERATOR.laplace(0, scale)) < -0.7 * scale:
            pass
        return value + noise

    for _ in range(5):
        assert "depend on each other" not in said("laplace_mechanism", laplace_mechanism)


# --- where answers lie, and where they end ------------------------------------------------------


LAPLACE = CLAIMS["laplace_mechanism"]
SETTING = {"value": 2.5, "sensitivity": 1.0, "epsilon": 1.0}
RIGHT_NOISE = GENERATOR.laplace(size=2_000)


@pytest.mark.parametrize(
    ("noise", "problem"),
    [
        (RIGHT_NOISE, None),
        (0.4 * RIGHT_NOISE, None),
        (RIGHT_NOISE + 3, None),
        (RIGHT_NOISE[RIGHT_NOISE >= -1], "no answer is below 1."),
        (RIGHT_NOISE[RIGHT_NOISE <= 0.5], "no answer is above "),
        (RIGHT_NOISE[np.abs(RIGHT_NOISE) < 2], "the noise ends too soon"),
        (np.clip(RIGHT_NOISE, -2, 2), "answers pile up at a border"),
        (np.round(RIGHT_NOISE + 2.5) - 2.5, "all answers are whole numbers"),
    ],
)
def test_where_answers_end_is_told(noise, problem):
    # Of 2,000 draws nearly 40 lie within a tenth of any place between -1 and 1: a border is seen.
    words = words_of_ends(LAPLACE, SETTING, noise)
    assert (words and words[0][: len(problem or "")]) == problem


def test_a_law_with_an_end_has_no_pile_there():
    inside, cut = GENERATOR.uniform(-1, 1, 500), np.clip(RIGHT_NOISE, -1, 1)
    even = stats.uniform(-1, 2).cdf
    assert not piles_up_unlike(inside, 0.0, even)
    assert piles_up_unlike(cut, 0.0, even)
    assert not piles_up_unlike(cut, 0.0, even, ends=(-1.0, 1.0))
    assert not piles_up_unlike(cut, 0.0, lambda x: np.where(np.asarray(x) >= -1, 0.7, 0.0))


@pytest.mark.parametrize("shift", [3.0, 1e4])
def test_a_wrong_value_is_told_and_no_law_is_blamed(shift):
    def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):
        return value + GENERATOR.laplace(shift * sensitivity / epsilon, sensitivity / epsilon)

    words = said("laplace_mechanism", laplace_mechanism)
    assert words.startswith("✗ laplace_mechanism: the answers do not lie around the right value")


def test_no_noise_at_an_edge_is_not_told_of_all_calls():
    def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):
        noise = np.random.default_rng().laplace(scale=sensitivity / epsilon)
        return value + (noise if value else 0.0)

    with pytest.raises(check.CheckFailure, match=r"laplace_mechanism: no noise at an edge \("):
        for _ in range(30):  # a short look comes to some of the edges only
            check.laplace_mechanism(laplace_mechanism)


# --- an answer that is always the same ---------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (lambda exact: 1.0, "the same whole number comes at every call"),
        (lambda exact: round(exact), "the same whole number comes at every call"),
        (lambda exact: exact + 0.3, "the same answer comes at every call"),
        (lambda exact: exact, "no noise is added"),
    ],
)
def test_one_answer_at_every_call_is_told_by_what_came(answer, problem):
    def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):
        return answer(value)

    words = said("laplace_mechanism", laplace_mechanism)
    assert words.startswith(f"✗ laplace_mechanism: {problem}")
    assert "noise can subtract" not in words


def test_a_search_that_always_finds_nothing_is_asked_for_its_return():
    def above_threshold(answers, *, threshold, **settings):
        noisy = [answer + GENERATOR.laplace() for answer in answers]
        next((place for place, answer in enumerate(noisy) if answer > threshold), None)

    words = said("above_threshold", above_threshold)
    assert "Does every path of your code end in `return`?" in words


# --- numbers side by side ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        (16.41, 16.44, ("16.41", "16.44")),
        (0.236, 0.23549, ("0.236", "0.235")),
        (2.0, 2.0, ("2", "2")),
        (1e6 + 0.1, 1e6 + 0.2, ("1,000,000.1", "1,000,000.2")),
    ],
)
def test_two_numbers_that_differ_are_shown_to_differ(one, other, words):
    assert numbers_apart(one, other) == words


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ([4], "4"),
        ([0, 1], "0 and 1"),
        (range(1, 101), "1 to 100"),
        ([0, 2, 3, 4, 9], "0, 2 to 4 and 9"),
    ],
)
def test_places_side_by_side_are_told_by_their_ends(places, words):
    assert in_runs(places) == words


def test_two_numbers_far_apart_have_three_digits():
    assert numbers_apart(1.23456, 9.8765) == (number(1.23456), number(9.8765))


def test_a_shape_is_not_called_a_spread_that_is_right():
    def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):
        # As far from 0 on average as Laplace noise.
        return value + GENERATOR.normal(0, math.sqrt(math.pi / 2)) * sensitivity / epsilon

    words = said("laplace_mechanism", laplace_mechanism)
    assert not re.search("the spread is .* looks right", words)


def test_a_candidate_is_told_with_its_score():
    def exponential_mechanism(
        candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None
    ):
        scores = np.array(scores)
        weights = np.exp((scores - scores.max()) * epsilon / sensitivity / (1 if monotone else 2))
        weights[np.argmin(scores)] = 0
        return candidates[GENERATOR.choice(len(scores), p=weights / weights.sum())]

    words = said("exponential_mechanism", exponential_mechanism)
    told = r"door\"(?: at index \d+)?, whose score is ([-0-9]+(?:\.\d+)?)"
    score = re.search(told, words).group(1)
    assert score in words.split("whose score")[0], "among the scores of this setting"


def test_one_entry_that_lies_elsewhere_is_named():
    exact, wrong = np.array([3.0, 8.0, 2.0]), np.array([3.0, 0.0, 2.0])
    answers = wrong + GENERATOR.laplace(0, 0.01, (20, 3))
    problem, seen, _ = words_of_entries(answers, exact, lambda noise: np.abs(noise).mean())
    assert problem == "one entry does not lie around the right value"
    assert seen.startswith("entry 1 should lie around 8, yours lies around ")


# --- plain sentences ---------------------------------------------------------------------------

MISTAKES = [(name, mistake) for name in CLAIMS for mistake in getattr(CLAIMS[name], "mistakes", ())]


@pytest.mark.parametrize("name", sorted({name for name, _ in MISTAKES}))
def test_a_question_is_a_plain_sentence(name):
    for mistake in (mistake for exercise, mistake in MISTAKES if exercise == name):
        assert re.search(r"[?.!]$", mistake.ask), mistake.ask
        assert "  " not in mistake.ask, mistake.ask
        assert len(mistake.name) <= 110, mistake.name
        assert len(mistake.ask) <= 200, mistake.ask


def test_a_question_of_several_parts_has_capitals():
    failure = check.CheckFailure(
        "double", "it is squared", ask="what is 3 twice? which power is 9?"
    )
    assert str(failure).endswith("Try: what is 3 twice? Which power is 9?")


# --- what a fallback is told with --------------------------------------------------------------


def test_nothing_that_comes_back_is_told_with_its_input():
    def permute_and_flip(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
        chances = np.exp(np.array(scores) * epsilon / sensitivity)
        for place in GENERATOR.permutation(len(scores)):
            if GENERATOR.random() < chances[place] / chances.max():
                return candidates[place]
        return None

    words = said("permute_and_flip", permute_and_flip)
    assert words.startswith("✗ permute_and_flip: no candidate is accepted, and nothing is returned")
    assert "sensitivity" in words and "end in `return`" not in words


def test_a_list_of_another_length_is_not_asked_to_be_short():
    words = said("noisy_max_counterexample", lambda epsilon, *, sensitivity, size: ([0], [0], 0))
    assert "how many are you told to give?" in words and "how few" not in words


# --- answers of several entries ----------------------------------------------------------------


def in_order_of_size(counts, noise):
    released = counts + noise
    return type(counts)(np.sort(released.to_numpy()), index=counts.index)


def second_left_exact(counts, noise):
    return counts + noise * [1, 0.02, 1, 1]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (in_order_of_size, "the entries are in another order"),
        (second_left_exact, "one entry gets other noise than the rest"),
    ],
)
def test_what_is_wrong_with_entries_is_told(change, problem):
    exact, noise = np.array([40.0, 10.0, 90.0, 60.0]), GENERATOR.laplace(0, 2, (400, 4))
    counts = pd.Series(exact)
    answers = np.array([change(counts, each) for each in noise])
    looks_like = lambda noise: float(np.mean(np.abs(noise)))  # noqa: E731
    assert words_of_entries(answers, exact, looks_like)[0] == problem
    assert words_of_entries(exact + noise, exact, looks_like) is None


def test_choices_without_an_epsilon_are_not_told_of_one():
    def synthesize(marginal, *, size=None, rng=None):
        weights = np.exp((marginal - marginal.max()).to_numpy(float))
        size = max(round(marginal.sum()), 0) if size is None else size
        places = GENERATOR.choice(len(weights), size=size, p=weights / weights.sum())
        return marginal.index[places].to_frame(index=False)

    assert "epsilon" not in said("synthesize", synthesize)


def test_a_ledger_with_one_list_for_all_is_told_that_it_remembers():
    class Ledger:
        guarantees = []  # noqa: RUF012 (a mistake that students make)

        def __init__(self, budget):
            self.budget = budget

        @property
        def spent(self):
            return dplib.sequential_composition(self.guarantees) if self.guarantees else None

        def spend(self, guarantee, label=""):
            total = dplib.sequential_composition([*self.guarantees, guarantee])
            if total.epsilon > self.budget.epsilon * (1 + 1e-9):
                raise ValueError("over the budget")
            self.guarantees.append(guarantee)
            return total

    words = said("privacy_ledger", Ledger)
    assert words.startswith("✗ privacy_ledger: it remembers earlier calls")
    assert "random" not in words
    assert "accepted, with" in words and "spent, then refused" in " ".join(words.split())


def test_two_answers_of_an_attack_are_told_as_secrets():
    said_of = CLAIMS["intersection_attack"].in_turn
    given = {"known": pd.DataFrame({"Age": [31, 52]}, index=["p1", "p2"])}
    words = said_of(np.array([2, -1]), np.array([2, 3]), given)
    assert words == ("nothing about 'p2'", "'farmer'")


def test_one_row_in_one_chunk_is_told_in_the_singular():
    p = {"rows": 1, "chunks": 1, "lower": 0, "upper": 1, "epsilon": 2}
    p |= {"kind": "no labels", "outlying": 9}
    words = CLAIMS["sample_and_aggregate"].parts[0].situation(p)
    assert words == "1 row, 1 chunk, [0, 1], epsilon 2, no labels"
