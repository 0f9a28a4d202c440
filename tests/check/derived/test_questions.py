"""Questions with one right number: it is right by another way, and what is wrong has a name."""

import inspect
import itertools
import math
import re

import numpy as np
import pytest
from scipy.stats import laplace
from wrong_answers import ZOO
from wrong_answers.derived import moves, right, wrong

from autograder.check import CheckFailure
from autograder.check.claims import CLAIMS
from autograder.check.derived import questions
from autograder.check.derived.kinds_of_prices import PRICES, price
from autograder.check.derived.kinds_of_queries import QUERIES
from autograder.check.derived.kinds_of_tests import (
    TESTS,
    bill,
    farther_median,
    needed,
    second_largest,
    threshold,
    wrong_threshold,
)
from autograder.check.derived.questions_claim import QuestionsClaim
from autograder.check.effort import LONG, at_length
from autograder.check.leaks.fixed_chance import FixedChance
from dplib import local_sensitivity_at_distance

EXERCISES = [name for name in CLAIMS if isinstance(CLAIMS[name], QuestionsClaim)]
KINDS = [kind for name in EXERCISES for kind in CLAIMS[name].kinds]
SEEDS = range(40)
each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)


def numbers(text):
    """The numbers of a text, in order; a power of ten is one."""
    text = re.sub(r"\$10\^\{(-\d+)\}\$", r"1e\1", text)
    return [float(each) for each in re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?:e-\d+)?", text)]


def _limits(text, replaced):
    (many, one, other) = numbers(text[text.index(": ") :])[:3]
    return many / one + (0 if replaced else 1 / other)


def _histogram_and_count(text, replaced):
    (_, one, _, other) = numbers(text)
    return (2 if replaced else 1) / one + 1 / other


def _districts(text, replaced):
    north, south, whole = numbers(text)
    return 1 / north + 1 / south if replaced else max(1 / north, 1 / south) + 1 / whole


def _weeks(text, replaced):
    _, scale, _, most = numbers(text)
    return most / scale


def _margins(text, replaced):
    *_, cell, fresh = numbers(text)
    return (2 if replaced else 1) / cell + 1 / fresh


def _one_draw(text, replaced):
    return math.inf if "the same z" in text else 1 / numbers(text)[0]


FORMULAS = dict(
    zip(
        PRICES,
        (_limits, _histogram_and_count, _districts, _weeks, _margins, _one_draw),
        strict=True,
    )
)


@pytest.mark.parametrize("kind", PRICES, ids=lambda kind: kind.__name__)
def test_a_price_follows_from_the_numbers_of_the_text(kind):
    for seed in SEEDS:
        question = kind(FixedChance(seed))
        wanted = FORMULAS[kind](question.text, "replace_one" in question.text)
        assert question.answer == pytest.approx(wanted, rel=1e-12), question.text


def test_a_price_is_the_most_that_a_density_can_fall():
    """Two counts, of noise 4 and 10: the ratio of densities beyond both values is the price."""
    releases = [(lambda row: row[1] > 50, 4), (lambda row: row[1] > 20, 10)]
    one, none = (1, 1), (0, 0)
    loss = sum(
        laplace(a, scale).logpdf(9) - laplace(b, scale).logpdf(9)
        for a, b, (_, scale) in zip(one, none, releases, strict=True)
    )
    assert price(releases, "add_remove") == pytest.approx(loss)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_threshold_and_what_passes_it_agree_with_the_law(seed):
    question = threshold(FixedChance(seed))
    _, moved, epsilon, delta = numbers(question.text)
    assert laplace(scale=moved / epsilon).sf(question.answer) == pytest.approx(delta)
    question = needed(FixedChance(seed))
    scale, _, delta, passes = numbers(question.text)
    bar = laplace(scale=scale).isf(delta)
    assert laplace(scale=scale).sf(bar - question.answer) == pytest.approx(passes)
    question = wrong_threshold(FixedChance(seed))
    scale, bar, _ = numbers(question.text)
    assert laplace(scale=scale).sf(bar) == pytest.approx(question.answer)
    question = bill(FixedChance(seed))
    many, test, release = numbers(question.text)
    assert question.answer == pytest.approx(sum([test] * int(many)) + release)


@pytest.mark.parametrize("seed", SEEDS[:12])
def test_a_small_table_s_sensitivity_is_that_of_all_its_neighbors(seed):
    question = second_largest(FixedChance(seed))
    *values, _, top = numbers(question.text)
    tables = (
        [*values[:place], other, *values[place + 1 :]]
        for place, other in itertools.product(range(6), range(int(top) + 1))
    )
    moves = [abs(sorted(table)[-2] - values[-2]) for table in tables]
    assert question.answer == max(moves)
    question = farther_median(FixedChance(seed))
    distance, *values, _, top = numbers(question.text)
    wanted = local_sensitivity_at_distance(
        np.array(values), distance=int(distance), lower=0, upper=top
    )
    assert question.answer == wanted


@each_kind
def test_a_wrong_number_has_its_mistake_s_name(kind):
    named = set()
    for seed in SEEDS:
        question = kind(FixedChance(seed))
        assert question.is_right(question.answer)
        for each in question.mistakes:
            assert each.ask and each.name
            if not question.is_right(each.value):
                named.add(question.mistake(each.value)[0])
    assert named >= {each.name for each in question.mistakes}


def test_a_number_that_was_rounded_too_far_is_called_near():
    question = needed(FixedChance(0))
    for off, near in ((1.01, True), (0.99, True), (1.05, False)):
        problem, ask = question.mistake(off * question.answer)
        assert ("near" in problem) == near
        assert ("round" in ask) == near


@pytest.mark.parametrize("name", EXERCISES)
def test_two_names_hardly_ever_get_the_same_questions(name):
    texts = [
        tuple(each.text for each in CLAIMS[name].questions(f"student {number}"))
        for number in range(200)
    ]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("name", EXERCISES)
def test_each_right_number_earns_a_third_at_grading_and_nothing_is_told_before(name):
    asked = CLAIMS[name].questions("Ada Lovelace")
    all_right, all_wrong = [right(each) for each in asked], [wrong(each) for each in asked]
    for many in range(4):
        said = ("Ada Lovelace", *all_right[:many], *all_wrong[many:])
        here = CLAIMS[name].check(lambda said=said: said)
        assert here.share == 1 and "grading says" in here.note
        with at_length(name, LONG):
            if many:
                assert CLAIMS[name].check(lambda said=said: said).share == pytest.approx(many / 3)
            else:
                with pytest.raises(CheckFailure, match="question 1: "):
                    CLAIMS[name].check(lambda said=said: said)


@pytest.mark.parametrize("name", EXERCISES)
def test_the_example_s_numbers_are_judged_at_once_and_earn_nothing(name):
    asked = CLAIMS[name].questions("Karrie Trusslove")
    said = [right(each) for each in asked]
    with pytest.raises(CheckFailure, match="all three numbers are right"):
        CLAIMS[name].check(lambda: ("Karrie Trusslove", *said))
    said[1] = wrong(asked[1])
    with pytest.raises(CheckFailure, match="question 2: "):
        CLAIMS[name].check(lambda: ("karrie  trusslove", *said))


@pytest.mark.parametrize("kind", QUERIES, ids=lambda kind: kind.__name__)
def test_a_sensitivity_is_the_largest_move_of_many_pairs(kind):
    """Of 4,000 pairs of neighbors, extreme ones among them, none moves a query further."""
    for seed in range(6):
        question = kind(FixedChance(seed))
        assert max(moves(question)) == question.answer, question.text


@pytest.mark.parametrize("name", EXERCISES)
def test_the_first_right_style_earns_all_points_at_grading(name):
    """The numbers of a name were written down: its questions do not change."""
    with at_length(name, LONG):
        assert CLAIMS[name].check(ZOO.right[name][0]).share == 1


def test_a_name_gives_the_same_questions_everywhere():
    """These words were drawn when the exercises were made: a student's questions do not change."""
    assert questions("derive_prices", " ADA Lovelace") == questions("derive_prices", "Ada lovelace")
    assert inspect.isfunction(TESTS[0])
    with pytest.raises(ValueError, match="exercise must be one with questions"):
        questions("leaks_in_counts", "Ada Lovelace")
    with pytest.raises(ValueError, match="name must be yours"):
        questions("derive_prices", "  ")
