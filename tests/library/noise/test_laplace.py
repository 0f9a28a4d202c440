"""Laplace noise, counts with it, what an attacker learns, what accuracy costs."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import discrete_laplace_cdf, follows
from scipy import optimize, stats

from dplib import (
    attacker_posterior,
    discrete_laplace,
    epsilon_for_error,
    household_beliefs,
    laplace_density,
    laplace_mechanism,
    private_count,
)

pytestmark = pytest.mark.quick

DRAWS = 200_000


def many(mechanism, value, *, sensitivity, epsilon):
    return mechanism(np.full(DRAWS, value), sensitivity=sensitivity, epsilon=epsilon)


@pytest.mark.parametrize(("sensitivity", "epsilon"), [(1e-300, 1e300), (1e300, 1e-300)])
def test_noise_that_a_float_holds_as_none_or_as_infinite_is_refused(sensitivity, epsilon):
    with pytest.raises(ValueError, match="sensitivity / epsilon"):
        laplace_mechanism(3, sensitivity=sensitivity, epsilon=epsilon)


def test_discrete_laplace_refuses_what_does_not_fit():
    with pytest.raises(ValueError, match="epsilon / sensitivity"):
        discrete_laplace(2, sensitivity=1e9, epsilon=1e-9)


@pytest.mark.parametrize(
    ("value", "sensitivity", "epsilon"), [(0, 1, 0.1), (1, 1, 1.0), (5, 3, 2.0), (-40, 0.2, 0.7)]
)
def test_noise_has_its_exact_law_at_every_value(value, sensitivity, epsilon):
    draws = many(laplace_mechanism, value, sensitivity=sensitivity, epsilon=epsilon)
    assert follows(draws, stats.laplace(loc=value, scale=sensitivity / epsilon).cdf)
    draws = many(discrete_laplace, value, sensitivity=sensitivity, epsilon=epsilon)
    assert follows(draws - value, discrete_laplace_cdf(epsilon / sensitivity))


def test_the_density_is_scipys():
    places = np.linspace(-30, 40, 57)
    ours = laplace_density(places, value=5, sensitivity=3, epsilon=0.5)
    assert ours == pytest.approx(stats.laplace(loc=5, scale=6).pdf(places), rel=1e-12)
    assert type(laplace_density(1, value=5, sensitivity=3, epsilon=0.5)) is float
    with pytest.raises(ValueError, match="output"):
        laplace_density(np.nan, value=5, sensitivity=3, epsilon=0.5)


TABLE = pd.DataFrame({"Age": [12, 40, 41, 39, 70], "Sex": list("MFMFM")})
positive = st.floats(0.01, 20)
inside = st.floats(0.001, 0.999)


def forty(table):
    return table["Age"] >= 40


@pytest.mark.slow
def test_a_count_has_laplace_noise_of_scale_one_over_epsilon():
    # The wrong laws below are 0.22 and 0.125 away; 4,000 draws miss one with probability < 1e-15.
    draws = [private_count(TABLE, forty, epsilon=0.5) for _ in range(4_000)]
    assert follows(draws, stats.laplace(loc=3, scale=2).cdf)
    assert not follows(draws, stats.laplace(loc=2, scale=2).cdf)
    assert not follows(draws, stats.laplace(loc=3, scale=4).cdf)


def test_a_table_without_rows_counts_zero():
    rng, same = np.random.default_rng(1), np.random.default_rng(1)
    assert private_count(TABLE.head(0), forty, epsilon=1, rng=rng) == laplace_mechanism(
        0, sensitivity=1, epsilon=1, rng=same
    )


@pytest.mark.parametrize(
    "wrong", [lambda table: True, lambda table: table["Age"], lambda table: [True], lambda t: None]
)
def test_a_predicate_must_give_a_truth_value_a_row(wrong):
    with pytest.raises(ValueError, match="predicate"):
        private_count(TABLE, wrong, epsilon=1)


def test_bad_arguments_of_a_count_are_named():
    with pytest.raises(ValueError, match="table"):
        private_count([1, 2], forty, epsilon=1)
    with pytest.raises(ValueError, match="epsilon"):
        private_count(TABLE, forty, epsilon=0)


def bayes(noisy_count, count_without, epsilon, prior):
    with_target, without = (
        stats.laplace(loc=count_without + extra, scale=1 / epsilon).pdf(noisy_count)
        for extra in (1, 0)
    )
    return prior * with_target / (prior * with_target + (1 - prior) * without)


@pytest.mark.slow
@given(offset=st.floats(-5, 6), count=st.integers(0, 10**6), epsilon=positive, prior=inside)
def test_the_posterior_is_bayes_rule_and_moves_the_odds_by_at_most_epsilon(
    offset, count, epsilon, prior
):
    ours = attacker_posterior(count + offset, count_without=count, epsilon=epsilon, prior=prior)
    assert ours == pytest.approx(bayes(count + offset, count, epsilon, prior), rel=1e-6, abs=1e-12)
    moved = np.log(ours / (1 - ours)) - np.log(prior / (1 - prior)) if 0 < ours < 1 else 0
    assert abs(moved) <= epsilon + 1e-6


def test_the_posterior_far_out_is_finite_and_keeps_the_shape():
    far = attacker_posterior([-1e9, 0, 1e9], count_without=0, epsilon=50, prior=0.5)
    assert far == pytest.approx([stats.logistic.cdf(-50), stats.logistic.cdf(-50), 1.0])
    assert attacker_posterior(10.9, count_without=10, epsilon=1, prior=0.5) == pytest.approx(
        0.6899744811276125, rel=1e-12
    )


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("prior", 0), ("prior", 1.0), ("epsilon", -1), ("count_without", np.nan)],
)
def test_bad_arguments_of_the_posterior_are_named(name, wrong):
    arguments = {"count_without": 3, "epsilon": 1.0, "prior": 0.5, name: wrong}
    with pytest.raises(ValueError, match=name):
        attacker_posterior(3.2, **arguments)


@pytest.mark.slow
@given(error=positive, probability=inside, sensitivity=positive)
def test_the_price_of_accuracy_solves_the_law(error, probability, sensitivity):
    epsilon = epsilon_for_error(error, probability=probability, sensitivity=sensitivity)
    law = stats.laplace(scale=sensitivity / epsilon)
    assert law.cdf(error) - law.cdf(-error) == pytest.approx(probability, rel=1e-9)


def test_the_price_of_accuracy_by_a_root_finder():
    def shortfall(epsilon):
        return 1 - 2 * stats.laplace.sf(10, scale=1 / epsilon) - 0.95

    ours = epsilon_for_error(10, probability=0.95, sensitivity=1)
    assert ours == pytest.approx(optimize.brentq(shortfall, 1e-3, 10), rel=1e-9)


@pytest.mark.parametrize(
    ("name", "wrong"), [("error", 0), ("probability", 1), ("probability", 0), ("sensitivity", -2)]
)
def test_bad_arguments_of_the_price_are_named(name, wrong):
    arguments = {"error": 10, "probability": 0.9, "sensitivity": 1, name: wrong}
    with pytest.raises(ValueError, match=name):
        epsilon_for_error(arguments.pop("error"), **arguments)


@pytest.mark.slow
@given(offset=st.floats(-9, 15), size=st.integers(1, 9), epsilon=st.floats(0.01, 3), prior=inside)
def test_a_households_beliefs_are_bayes_rule_and_differ_by_at_most_epsilon(
    offset, size, epsilon, prior
):
    law = {"others": 40, "epsilon": epsilon, "prior": prior}
    with_row, without_row = household_beliefs(40 + offset, household=size, **law)
    for belief, rows in ((with_row, size), (without_row, size - 1)):
        ill, well = (
            stats.laplace(loc=40 + more, scale=1 / epsilon).pdf(40 + offset) for more in (rows, 0)
        )
        wanted = prior * ill / (prior * ill + (1 - prior) * well)
        assert belief == pytest.approx(wanted, rel=1e-6, abs=1e-12)
    odds = [np.log(each) - np.log1p(-each) for each in (with_row, without_row, prior)]
    assert abs(odds[0] - odds[1]) <= epsilon + 1e-6
    assert abs(odds[0] - odds[2]) <= size * epsilon + 1e-6


def test_a_household_of_one_is_the_attacker_of_one_person():
    seen = np.array([-3.0, 10.2, 10.9, 30.0])
    with_row, without_row = household_beliefs(seen, others=10, household=1, epsilon=1, prior=0.3)
    alone = attacker_posterior(seen, count_without=10, epsilon=1, prior=0.3)
    np.testing.assert_allclose(with_row, alone)
    np.testing.assert_allclose(without_row, 0.3)  # without your row the count says nothing of you


def test_five_people_who_share_an_answer_move_the_odds_five_times_as_far():
    """Epsilon 0.1 does not bound what is learned of five rows: a bound of e^0.1 is wrong here."""
    highest, _ = household_beliefs(99, others=10, household=5, epsilon=0.1, prior=0.5)
    assert highest / (1 - highest) == pytest.approx(np.exp(0.5))
    assert highest / (1 - highest) > np.exp(0.1)


@pytest.mark.parametrize(
    "wrong", [{"household": 0}, {"household": 1.5}, {"epsilon": 0}, {"prior": 1}, {"others": "x"}]
)
def test_bad_arguments_of_a_household_are_named(wrong):
    right = {"others": 10, "household": 5, "epsilon": 1, "prior": 0.5}
    with pytest.raises(ValueError, match=next(iter(wrong))):
        household_beliefs(12, **{**right, **wrong})
