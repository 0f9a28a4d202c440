"""A cause that is named in passing is one: what else of the answers contradicts is not said."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from wrong_answers import assert_named

import dplib
from autograder import check
from autograder.check.answers import BadAnswer, parts_of
from autograder.check.claims import CLAIMS
from autograder.check.wording.changed_arguments import explaining
from autograder.check.wording.equal_outcomes import words_of_equals
from autograder.check.wording.loudest_outcome import family_fits, loudest
from autograder.check.wording.patterns import _of_a_hole
from autograder.check.wording.reach import words_of_ends
from autograder.check.wording.simpler_inputs import where_right
from autograder.check.wording.unnamed import _rounded_up

CHANCE = np.random.default_rng()


def said_of(name, answer) -> str:
    with pytest.raises(Exception, match="✗") as caught:
        getattr(check, name)(answer)
    return " ".join(str(caught.value).split())


def test_independent_answers_of_a_skewed_law_are_not_said_to_depend_on_each_other():
    def one_draw_for_sign_and_size(value, *, sensitivity, epsilon, rng=None):
        u = 1 - CHANCE.random()
        size = -(sensitivity / epsilon) * math.log(u)
        return value + (size if u < 0.5 else -size)

    for _ in range(5):
        assert "depend on each other" not in said_of(
            "laplace_mechanism", one_draw_for_sign_and_size
        )


def opposites():
    """Every second draw is the one before, with the other sign."""
    kept = []

    def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):
        if kept:
            noise = -kept.pop()
        else:
            kept.append(noise := CHANCE.laplace())
        return value + noise * sensitivity / epsilon

    return laplace_mechanism


def sticky_sign():
    """The sign is that of the draw before, most of the time."""
    sign = [1]

    def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):
        sign[0] *= -1 if CHANCE.random() < 0.15 else 1
        return value + sign[0] * CHANCE.exponential(sensitivity / epsilon)

    return laplace_mechanism


@pytest.mark.parametrize("made", [opposites, sticky_sign])
def test_answers_that_depend_on_each_other_are_said_to(made):
    for _ in range(5):
        assert "depend on each other" in said_of("laplace_mechanism", made())


def test_a_narrower_law_has_no_border():
    claim, given = CLAIMS["laplace_mechanism"], {"value": 0.0, "sensitivity": 3.5, "epsilon": 0.8}
    scale = 3.5 / 0.8
    for _ in range(300):
        assert words_of_ends(claim, given, CHANCE.laplace(scale=0.4 * scale, size=188)) is None
    cut = np.minimum(CHANCE.laplace(scale=scale, size=188), scale + 0.1 * CHANCE.random(188))
    problem, _, ask = words_of_ends(claim, given, cut)
    assert problem.startswith("no answer is above") and "cut" in ask


def test_hardly_any_noise_at_an_edge_is_said():
    def tiny_at_edges(value, *, sensitivity, epsilon, rng=None):
        factor = 1e-5 if value == 0 or not 0.05 < epsilon < 5 else 1.0
        return value + factor * CHANCE.laplace(scale=sensitivity / epsilon)

    said = said_of("laplace_mechanism", tiny_at_edges)
    assert "there is hardly any noise" in said and "at an edge" in said


def test_the_value_that_is_none_is_named():
    assert parts_of((1, 2), "two numbers", "with_row, without_row") == [1, 2]
    with pytest.raises(BadAnswer, match="`without_row` is None"):
        parts_of((1, None), "two numbers", "with_row, without_row")


class _Door:
    def __init__(self, answers):
        self._answers = answers

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def hurry(self, seconds):
        pass

    def call(self, place):
        return self._answers[place]


def test_what_a_right_input_has_too_does_not_make_the_others_wrong():
    wrong = [{"values": [3, 1, 2]}, {"values": [5, 4, 9]}]

    def same(came, wanted):
        return came == wanted

    door = _Door([6, 18])
    found = where_right(
        lambda inputs: door, lambda given: sum(given["values"]), same, wrong, [{"values": [1, 2]}]
    )
    assert found and found[0] == "right as soon as values is sorted"
    door = _Door([6, 18])
    assert not where_right(
        lambda inputs: door, lambda given: sum(given["values"]), same, wrong, [{"values": [7, 2]}]
    )


@pytest.mark.parametrize(("off", "most"), [(0.44, 0.5), (0.4, 0.4), (9.2, 10.0), (1.0, 1.0)])
def test_the_most_is_no_less(off, most):
    assert _rounded_up(off) == pytest.approx(most)


# Outcomes -------------------------------------------------------------------------------------


CLAIM = SimpleNamespace(say=lambda outcome: f"the report {outcome}", known_of=lambda *given: "")


@pytest.mark.parametrize(
    ("law", "counts", "said"),
    [
        (
            [0.5, 0.3, 0.2],
            [75, 0, 25],
            "the report b should come in 30 % of the answers, and never came in 100 answers; "
            "the report a came in 75 % of them, and should come in 50 %",
        ),
        (  # of two outcomes the other one is clear
            [0.7, 0.3],
            [100, 0],
            "the report a should come in 70 % of the answers, and always came in 100 answers",
        ),
        (
            [0.5, 0.3, 0.2],
            [10, 70, 20],
            "the report b should come in 30 % of the answers, and came in 70 % of 100 answers",
        ),
    ],
)
def test_what_came_in_the_place_of_an_outcome_that_never_came(law, counts, said):
    cells = np.repeat(np.arange(len(law)), counts)
    rows = np.zeros(len(cells), int)
    setting = SimpleNamespace(rows=[np.array(law)], sort=lambda _: (rows, cells), parameters={})
    assert loudest(CLAIM, setting, "abc"[: len(law)], cells)[0] == said


@pytest.mark.parametrize(
    ("counts", "many", "fits"),
    [([55, 25, 20], False, True), ([55, 25, 20], True, False), ([0, 0, 100], False, False)],
)
def test_a_family_is_named_where_its_law_fits_and_means_what_it_says(counts, many, fits):
    law = np.array([0.8, 0.15, 0.05])
    cells = np.repeat(np.arange(3), counts)
    setting = SimpleNamespace(
        rows=[law], sort=lambda _: (np.zeros(len(cells), int), cells), parameters={}
    )
    claim = SimpleNamespace(
        law=lambda _: dict(zip("abc", law, strict=True)), holds_many=lambda outcome: many
    )
    name = "about 50% of the answers come by even chances"
    verdict = SimpleNamespace(kind="family", name=name, setting=0, answers=[cells])
    assert family_fits(claim, setting, verdict) is fits


def test_a_part_of_the_middle_that_stays_empty_is_told():
    def one_uniform_for_sign_and_size(value, *, sensitivity, epsilon, rng=None):
        u = 1 - CHANCE.random()
        size = -(sensitivity / epsilon) * math.log(u)
        return value + (size if u < 0.5 else -size)

    def sign_of_the_last_bit(value, *, sensitivity, epsilon, rng=None):
        size = CHANCE.geometric(-math.expm1(-epsilon / sensitivity)) - 1
        return int(value) + (size if size % 2 else -size)

    # Where an input has more answers, "no answer is below" may come first, which is as true.
    assert_named(
        "laplace_mechanism", one_uniform_for_sign_and_size, ("the noise is never between",)
    )
    assert_named("discrete_laplace", sign_of_the_last_bit, ("the noise is never -",))


def test_the_words_for_a_part_of_the_middle_that_stays_empty():
    chance = np.random.default_rng(5)
    claim, given = CLAIMS["discrete_laplace"], {"value": 40, "sensitivity": 2, "epsilon": 1.0}
    size = chance.geometric(-math.expm1(-1 / 2), 200) - 1
    answers = 40.0 + np.where(size % 2, size, -size)
    trial = SimpleNamespace(settings=[SimpleNamespace(parameters=given)])
    problem, seen, ask = _of_a_hole(claim, trial, SimpleNamespace(answers=[answers], setting=0))
    assert problem == "the noise is never -3 or -1 or 2 or 4"
    assert seen.endswith("of 200 draws should be there, at all inputs together")
    assert "from one random number" in ask


def test_right_noise_has_no_hole():
    # Of each 200 samples one has such a hole with probability below 200 * 1e-6.
    claim = CLAIMS["laplace_mechanism"]
    settings = [{"value": 0.0, "sensitivity": scale, "epsilon": 1.0} for scale in (0.3, 40.0)]
    trial = SimpleNamespace(settings=[SimpleNamespace(parameters=each) for each in settings])
    chance = np.random.default_rng(5)
    for _ in range(200):
        answers = [chance.laplace(scale=each["sensitivity"], size=60) for each in settings]
        assert _of_a_hole(claim, trial, SimpleNamespace(answers=answers, setting=0)) is None


def noisy_best(only=None):
    """Report noisy max with noise for the `only` best candidates."""

    def report_noisy_max(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
        scale = sensitivity / epsilon * (1 if monotone else 2)
        noisy = np.array(scores, dtype=float)
        order = np.argsort(-noisy, kind="stable")[:only]
        noisy[order] += CHANCE.exponential(scale, len(order))
        return candidates[int(np.argmax(noisy))]

    return report_noisy_max


def test_candidates_with_equal_scores_that_do_not_come_equally_often_are_told():
    assert_named(
        "report_noisy_max",
        noisy_best(2),
        ("more answers were among the 299 that are alike, and all of them were",),
    )


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ([9, 30, 0, 0], '30 answers were among the 3 that are alike, and all of them were "b"'),
        ([9, 40, 2, 3], '45 answers were among the 3 that are alike, and 40 of them were "b"'),
        ([90, 9, 12, 10], None),
        ([90, 0, 0, 0], None),
    ],
)
def test_equally_likely_outcomes_are_compared(counts, words):
    law = {"a": 0.7, "b": 0.1, "c": 0.1, "d": 0.1}
    found = words_of_equals(law, counts, '"{}"'.format)
    assert found is None if words is None else found[1] == words


def test_an_answer_that_never_leaves_the_interval_of_the_values_is_told():
    def drawn_until_inside(values, *, lower, upper, epsilon, rng=None):
        beta = epsilon / 2
        scale = (
            2
            / epsilon
            * np.max(
                dplib.local_sensitivity_at_distance(
                    values, distance=np.arange(len(values) + 1), lower=lower, upper=upper
                )
                * np.exp(-beta * np.arange(len(values) + 1))
            )
        )
        middle = np.median(np.clip(values, lower, upper))
        while True:
            answer = middle + scale * CHANCE.standard_cauchy()
            if lower <= answer <= upper:
                return answer

    said = "no answer lies outside of the interval of the values"
    assert_named("pure_smooth_median", drawn_until_inside, (said,))


def test_one_number_each_time_is_told_as_that():
    def never_positive(others_yes, others_no, *, local_epsilon, epsilon):
        return 0.0

    assert_named("shuffled_delta", never_positive, ("it is 0 each time",))


def test_two_changes_that_explain_as_much_are_both_told():
    cases = [{"seen": seen, "limit": 10} for seen in (8.4, 9.7, 12.2)]
    came = [case["seen"] + 1 - case["limit"] for case in cases]

    def value(given):
        return given["seen"] - given["limit"]

    words, _ = explaining(value, np.isclose, cases, came, 0)
    assert words == "it looks as if seen is one too large, or limit is one too small"
