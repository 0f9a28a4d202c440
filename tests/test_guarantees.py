"""Guarantees, conversions, composition and the ledger, against dp_accounting and exact laws."""

import dataclasses
import math

import dp_accounting
import numpy as np
import pytest
from dp_accounting.rdp import compute_epsilon
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

from dplib.composition import (
    advanced_composition,
    best_order,
    gaussian_renyi_divergence,
    max_divergence,
    parallel_composition,
    plan_cost,
    rdp_to_dp,
    renyi_divergence,
    sequential_composition,
    zcdp_to_dp,
)
from dplib.guarantees import ORDERS, ApproximateDP, PureDP, RenyiDP, ZeroConcentratedDP
from dplib.ledger import BudgetExceededError, PrivacyLedger

epsilons = st.floats(0.01, 8)
deltas = st.floats(1e-12, 0.4)
rhos = st.floats(1e-4, 4)


def randomized_response(epsilon):
    """The two laws that no epsilon-private mechanism pulls further apart."""
    yes = 1 / (1 + math.exp(-epsilon))
    return np.array([yes, 1 - yes]), np.array([1 - yes, yes])


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: PureDP(0), "epsilon"),
        (lambda: PureDP(math.inf), "epsilon"),
        (lambda: PureDP(1, "swap"), "neighbors"),
        (lambda: ApproximateDP(1, 0), "delta"),
        (lambda: ApproximateDP(1, 1), "delta"),
        (lambda: ZeroConcentratedDP(-1), "rho"),
        (lambda: RenyiDP((1, 2), (1, 1)), "orders"),
        (lambda: RenyiDP((3, 2), (1, 1)), "orders"),
        (lambda: RenyiDP((2, 3), (1,)), "epsilons"),
        (lambda: RenyiDP((2, 3), (1, -1)), "epsilons"),
        (lambda: ApproximateDP(1, 1e-3).to_approximate(delta=1e-4), "delta"),
    ],
)
def test_a_guarantee_out_of_range_is_refused_by_name(make, name):
    with pytest.raises(ValueError, match=name):
        make()


def test_guarantees_are_values():
    assert PureDP(1) == PureDP(1, "add_remove") != PureDP(1, "replace_one")
    with pytest.raises(dataclasses.FrozenInstanceError):
        PureDP(1).epsilon = 2
    assert RenyiDP([2, 3], [1, 2]) == RenyiDP((2.0, 3.0), (1.0, 2.0))


@given(epsilon=epsilons)
def test_a_pure_guarantee_bounds_the_divergences_of_randomized_response_and_is_met_by_it(epsilon):
    first, second = randomized_response(epsilon)
    assert max_divergence(first, second) == pytest.approx(epsilon, rel=1e-9)
    curve = PureDP(epsilon).to_rdp()
    for order, bound in zip(curve.orders, curve.epsilons, strict=True):
        exact = renyi_divergence(first, second, order=order)
        assert bound == pytest.approx(exact, rel=1e-9, abs=1e-12)
        # Bun & Steinke's proposition is weaker, and the naive bound epsilon weaker still.
        assert bound <= PureDP(epsilon).to_zcdp().rho * order * (1 + 1e-9)
        assert bound <= epsilon * (1 + 1e-9)


@given(rho=rhos, delta=deltas)
def test_conversion_of_a_curve_agrees_with_dp_accounting(rho, delta):
    curve = ZeroConcentratedDP(rho).to_rdp()
    ours = curve.to_approximate(delta=delta).epsilon
    theirs, order = compute_epsilon(curve.orders, curve.epsilons, delta)
    # dp_accounting also has a shortcut (epsilon 0) for curves near 0, which we leave out.
    if theirs > 0:
        assert ours == pytest.approx(theirs, rel=1e-9)
        assert curve.best_order(delta=delta) == order
    fine = ZeroConcentratedDP(rho).to_rdp(orders=np.geomspace(1.001, 2000, 2000))
    assert fine.to_approximate(delta=delta).epsilon <= zcdp_to_dp(rho, delta=delta) * (1 + 1e-9)


@given(rho=rhos, delta=deltas)
def test_zcdp_converts_as_its_best_order_does(rho, delta):
    def epsilon(log_excess):
        order = 1 + math.exp(log_excess)
        return rdp_to_dp(order, rho * order, delta=delta)

    best = optimize.minimize_scalar(epsilon, bounds=(-12, 12), method="bounded")
    assert zcdp_to_dp(rho, delta=delta) == pytest.approx(best.fun, rel=1e-5)
    assert zcdp_to_dp(rho, delta=delta) <= best.fun * (1 + 1e-9)


def test_best_order_is_the_minimum_of_the_simple_conversion():
    curve = ZeroConcentratedDP(0.1).to_rdp()
    order = best_order(curve.orders, curve.epsilons, delta=1e-5)
    values = [rdp_to_dp(each, 0.1 * each, delta=1e-5) for each in ORDERS]
    assert order == ORDERS[int(np.argmin(values))] == 12


@given(sigma=st.floats(0.3, 5), distance=st.floats(0.1, 3), order=st.floats(1.1, 6))
def test_the_divergence_of_two_normal_laws_by_quadrature(sigma, distance, order):
    places = np.linspace(-40 * sigma * order, 40 * sigma * order, 200_001)
    first = stats.norm(distance, sigma).logpdf(places)
    second = stats.norm(0, sigma).logpdf(places)
    integral = np.trapezoid(np.exp(order * first + (1 - order) * second), places)
    ours = gaussian_renyi_divergence(distance, sigma=sigma, order=order)
    assert ours == pytest.approx(math.log(integral) / (order - 1), rel=1e-6, abs=1e-9)


def test_divergences_where_an_output_is_impossible():
    assert max_divergence([0.5, 0.5, 0], [0.25, 0.75, 0]) == pytest.approx(math.log(2))
    assert max_divergence([0.5, 0.5], [1, 0]) == math.inf
    assert renyi_divergence([0.5, 0.5], [1, 0], order=2) == math.inf
    assert renyi_divergence([1, 0], [0.5, 0.5], order=2) == pytest.approx(math.log(2))
    for wrong in ([0.5, 0.6], [1.5, -0.5], [], [math.nan, 1], [[0.5, 0.5]]):
        with pytest.raises(ValueError, match="first"):
            max_divergence(wrong, [0.5, 0.5])
    with pytest.raises(ValueError, match="order"):
        renyi_divergence([1, 0], [0.5, 0.5], order=1)


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
