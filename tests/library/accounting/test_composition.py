"""Composition and the ledger, against dp_accounting and exact laws."""

import math

import dp_accounting
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from dplib.composition import (
    advanced_composition,
    parallel_composition,
    plan_cost,
    sequential_composition,
)
from dplib.guarantees import ORDERS, ApproximateDP, PureDP, RenyiDP, ZeroConcentratedDP
from dplib.ledger import BudgetExceededError, PrivacyLedger

pytestmark = pytest.mark.quick

epsilons = st.floats(0.01, 8)


def test_sequential_composition_adds_each_kind():
    assert sequential_composition([PureDP(1), PureDP(0.5)]) == PureDP(1.5)
    assert sequential_composition([PureDP(1), ApproximateDP(0.5, 1e-6)] * 2) == ApproximateDP(
        3, 2e-6
    )
    both = sequential_composition([PureDP(1), ZeroConcentratedDP(0.25)])
    assert both == ZeroConcentratedDP(0.75)
    curve = sequential_composition(
        [PureDP(1), ZeroConcentratedDP(0.25), RenyiDP((2, 4), (0.1, 0.2))]
    )
    pure = PureDP(1).to_rdp(orders=(2, 4)).epsilons
    assert curve.epsilons == pytest.approx((pure[0] + 0.5 + 0.1, pure[1] + 1 + 0.2))


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ([], "at least one"),
        ([1.0], "at least one"),
        ([PureDP(1), PureDP(1, "replace_one")], "same neighbors"),
        ([ApproximateDP(1, 1e-5), ZeroConcentratedDP(1)], "convert the others"),
        ([RenyiDP((2,), (1,)), RenyiDP((3,), (1,))], "same orders"),
        ([ApproximateDP(1, 0.6), ApproximateDP(1, 0.6)], "delta"),
    ],
)
def test_what_does_not_add_up_is_refused_with_the_reason(parts, words):
    with pytest.raises(ValueError, match=words):
        sequential_composition(parts)


def test_parallel_composition_costs_the_largest_or_the_two_largest():
    parts = [1.0, 0.25, 0.5]
    assert parallel_composition([PureDP(each) for each in parts]) == PureDP(1.0)
    moved = parallel_composition([PureDP(each, "replace_one") for each in parts])
    assert moved == PureDP(1.5, "replace_one")
    with pytest.raises(ValueError, match="pure"):
        parallel_composition([ApproximateDP(1, 1e-5)])


def first_win(epsilon):
    """The smallest count at which the advanced theorem beats adding up, at delta_prime = 1e-5."""
    for count in range(1, 1000):
        advanced = advanced_composition(PureDP(epsilon), count=count, delta_prime=1e-5)
        if advanced.epsilon < count * epsilon:
            return count
    return None


def test_advanced_composition_wins_where_the_page_says():
    assert [first_win(epsilon) for epsilon in (0.1, 0.5, 1.0)] == [29, 187, None]


def test_the_short_formula_of_the_seeds_breaks_on_randomized_response():
    """2 epsilon sqrt(2 k ln(1/delta')) claims 214.6 where the exact cost is 311.8."""
    count, epsilon, delta = 500, 1.0, 1e-5
    claimed = 2 * epsilon * math.sqrt(2 * count * math.log(1 / delta))
    exact = optimize.brentq(lambda e: response_delta(count, epsilon, e) - delta, 1, 499)
    assert claimed == pytest.approx(214.6, abs=0.05)
    assert exact == pytest.approx(311.8, abs=0.05)
    bound = advanced_composition(PureDP(epsilon), count=count, delta_prime=delta).epsilon
    assert claimed < exact < bound


def response_delta(count, epsilon, total):
    """The exact delta of `count` answers of randomized response at a total epsilon."""
    yes = 1 / (1 + math.exp(-epsilon))
    hits = np.arange(count + 1)
    log_first = stats.binom.logpmf(hits, count, yes)
    log_second = stats.binom.logpmf(hits, count, 1 - yes)
    gap = log_second + total - log_first
    above = gap < 0
    return float((np.exp(log_first[above]) * -np.expm1(gap[above])).sum())


@pytest.mark.slow
@given(epsilon=st.floats(0.05, 1), count=st.integers(1, 400), delta=st.floats(1e-9, 1e-2))
def test_advanced_composition_never_promises_more_than_holds(epsilon, count, delta):
    bound = advanced_composition(PureDP(epsilon), count=count, delta_prime=delta)
    assert response_delta(count, epsilon, bound.epsilon) <= delta


def test_composed_gaussians_cost_what_dp_accounting_says():
    event = dp_accounting.SelfComposedDpEvent(dp_accounting.GaussianDpEvent(5.0), 30)
    accountant = dp_accounting.rdp.RdpAccountant(orders=ORDERS).compose(event)
    curve = sequential_composition([ZeroConcentratedDP(1 / 50)] * 30).to_rdp()
    assert curve.to_approximate(delta=1e-6).epsilon == pytest.approx(
        accountant.get_epsilon(1e-6), rel=1e-9
    )


def test_a_ledger_adds_up_refuses_and_keeps_what_it_had():
    ledger = PrivacyLedger(PureDP(1.0))
    assert ledger.spent is None
    for place in range(10):
        ledger.spend(PureDP(0.1), f"count {place}")
    with pytest.raises(BudgetExceededError, match=r"'one more' refused"):
        ledger.spend(PureDP(1e-6), "one more")
    assert ledger.spent == PureDP(1.0)
    assert len(ledger.entries) == 10 and ledger.entries[0] == ("count 0", PureDP(0.1))


def test_a_ledger_in_other_currencies():
    ledger = PrivacyLedger(ApproximateDP(2.0, 1e-5))
    ledger.spend(PureDP(0.5))
    ledger.spend(ApproximateDP(0.5, 9e-6))
    with pytest.raises(BudgetExceededError):
        ledger.spend(ApproximateDP(0.5, 2e-6))
    concentrated = PrivacyLedger(ZeroConcentratedDP(0.6))
    concentrated.spend(PureDP(1.0))
    concentrated.spend(ZeroConcentratedDP(0.1))
    with pytest.raises(BudgetExceededError):
        concentrated.spend(ZeroConcentratedDP(0.01))
    with pytest.raises(ValueError, match="cannot be compared"):
        PrivacyLedger(PureDP(1)).spend(ZeroConcentratedDP(0.1))
    with pytest.raises(ValueError, match="cannot be compared"):
        PrivacyLedger(PureDP(1)).spend(PureDP(0.1, "replace_one"))
    with pytest.raises(ValueError, match="budget"):
        PrivacyLedger(1.0)


@given(parts=st.lists(epsilons, min_size=1, max_size=20), budget=epsilons)
def test_a_ledger_never_overspends(parts, budget):
    ledger = PrivacyLedger(PureDP(budget))
    for epsilon in parts:
        before = ledger.entries
        try:
            ledger.spend(PureDP(epsilon))
        except BudgetExceededError:
            assert ledger.entries == before
    total = math.fsum(each.epsilon for _, each in ledger.entries)
    assert total <= budget * (1 + 1e-12)


def test_a_plan_costs_the_district_that_is_read_most():
    plan = [(["a"], 0.5), (["b"], 0.2), (["a", "b"], 0.1), (["b"], 0.4)]
    assert plan_cost(plan) == pytest.approx(0.7)
    # With one district it is sequential composition, with separate ones parallel composition.
    epsilons = [0.3, 0.1, 0.4]
    pure = [PureDP(each) for each in epsilons]
    same, separate = ([(["a"], each) for each in epsilons], list(zip("abc", epsilons, strict=True)))
    assert plan_cost(same) == pytest.approx(sequential_composition(pure).epsilon)
    assert plan_cost(separate) == parallel_composition(pure).epsilon
    # Adding everything up, or taking the largest epsilon, is another number here.
    assert plan_cost(plan) != pytest.approx(1.2) and plan_cost(plan) != pytest.approx(0.5)


@pytest.mark.parametrize("wrong", [[], [([], 1)], [(["a", "a"], 1)], [(["a"], 0)], [(["a"], "x")]])
def test_a_plan_that_is_none_is_refused(wrong):
    with pytest.raises(ValueError, match=r"releases|epsilon"):
        plan_cost(wrong)
