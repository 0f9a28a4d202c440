"""The local model: every protocol's privacy by exact enumeration, every estimator's exact law."""

import itertools
import math

import numpy as np
import opendp.prelude as opendp
import pytest
from diffprivlib.mechanisms import Binary
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import certified_epsilon, follows
from scipy import optimize, stats

from dplib.data import DOMAINS, fill_missing, load_adult
from dplib.local import (
    aggregate,
    direct_aggregate,
    direct_encode,
    direct_perturb,
    direct_probabilities,
    estimate_count,
    perturb,
    randomized_response,
    unary_encode,
)
from dplib.survey import (
    estimate_variance,
    optimal_unary_probabilities,
    private_survey,
    survey_variances,
    unary_epsilon,
)

pytestmark = pytest.mark.quick

LN3 = math.log(3)
GRID = 500_000
COLORS = ("red", "green", "blue")
epsilons = st.floats(0.01, 8)


class Grid(np.random.Generator):
    """Every number of an even grid in turn, instead of a random one: probabilities as counts."""

    def __init__(self, repeats=1):
        super().__init__(np.random.PCG64(0))
        self.repeats = repeats

    def random(self, size):
        return np.repeat((np.arange(GRID) + 0.5) / GRID, self.repeats).reshape(size)

    def integers(self, low, high, size):
        return np.tile(np.arange(low, high), GRID).reshape(size)


def response_law(epsilon):
    """The probability of each report (columns) for each answer (rows), as the code draws it."""
    reports = [
        randomized_response(np.full(GRID, answer), epsilon=epsilon, rng=Grid())
        for answer in (False, True)
    ]
    return np.array([[1 - seen.mean(), seen.mean()] for seen in reports])


def direct_law(size, epsilon):
    repeats = size - 1
    reports = [
        direct_perturb(
            np.full(GRID * repeats, code), domain_size=size, epsilon=epsilon, rng=Grid(repeats)
        )
        for code in range(size)
    ]
    return np.array([np.bincount(seen, minlength=size) / seen.size for seen in reports])


def unary_law(size, p, q):
    """Rows: the categories; columns: all 2**size reports. The bits are drawn independently."""
    ones = [perturb(np.full(GRID, bit), p=p, q=q, rng=Grid()).mean() for bit in (0, 1)]
    law = np.empty((size, 2**size))
    for category, (place, report) in itertools.product(
        range(size), enumerate(itertools.product((0, 1), repeat=size))
    ):
        chances = [ones[bit == category] for bit in range(size)]
        law[category, place] = math.prod(
            chance if seen else 1 - chance for chance, seen in zip(chances, report, strict=True)
        )
    return law


def loss(law):
    """The largest log ratio of one report's probabilities between two people."""
    assert law.sum(axis=1) == pytest.approx(1)
    return float(np.log(law.max(axis=0) / law.min(axis=0)).max())


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.1, LN3, 3.0])
def test_the_code_of_each_protocol_spends_exactly_its_epsilon(epsilon):
    # The grid gives each probability within 2e-6; the smallest is above 0.01.
    assert loss(response_law(epsilon)) == pytest.approx(epsilon, abs=2e-4)
    p, q = optimal_unary_probabilities(epsilon=epsilon)
    assert loss(unary_law(4, p, q)) == pytest.approx(epsilon, abs=2e-4)
    for size in (2, 3, 5):
        assert loss(direct_law(size, epsilon)) == pytest.approx(epsilon, abs=2e-4)


@settings(deadline=None)
@given(size=st.integers(2, 300), epsilon=epsilons)
def test_the_probabilities_of_direct_encoding_sum_to_one_at_ratio_exp_epsilon(size, epsilon):
    p, q = direct_probabilities(domain_size=size, epsilon=epsilon)
    assert p + (size - 1) * q == pytest.approx(1, abs=1e-12)
    assert math.log(p / q) == pytest.approx(epsilon, abs=1e-9)


@settings(deadline=None)
@given(q=st.floats(0.01, 0.9), share=st.floats(0.01, 0.99), size=st.integers(2, 6))
def test_unary_epsilon_is_the_enumerated_loss(q, share, size):
    p = q + share * (1 - q)
    bits = np.array(list(itertools.product((0, 1), repeat=size)))
    law = np.array(
        [
            np.prod(np.where(np.arange(size) == own, np.where(bits, p, 1 - p), 1), axis=1)
            * np.prod(np.where(np.arange(size) == own, 1, np.where(bits, q, 1 - q)), axis=1)
            for own in range(size)
        ]
    )
    assert loss(law) == pytest.approx(unary_epsilon(p, q), abs=1e-9)


def test_known_wrong_claims_and_probabilities_are_caught_by_enumeration():
    # One bit at 3/4 and 1/4 costs ln 3, but two bits differ: the claim ln 3 is half of the truth.
    assert loss(unary_law(3, 0.75, 0.25)) == pytest.approx(2 * LN3, abs=1e-4)
    # Truth with 3/4 whatever the domain is right for two categories only.
    wrong = np.full((5, 5), 0.25 / 4) + np.eye(5) * (0.75 - 0.25 / 4)
    assert loss(wrong) > LN3 + 1
    # "A lie is any category, mine included" makes truth likelier than p.
    p, q = direct_probabilities(domain_size=5, epsilon=LN3)
    assert abs(loss(np.full((5, 5), (1 - p) / 5) + np.eye(5) * p) - LN3) > 0.1
    assert p / q == pytest.approx(3)


def test_the_figures_for_epsilon():
    assert loss(response_law(LN3)) == pytest.approx(LN3, abs=1e-4)
    assert response_law(LN3)[1, 1] == 0.75
    assert unary_epsilon(0.75, 0.25) == pytest.approx(math.log(9), abs=1e-12)
    assert unary_epsilon(0.75, 0.25) == pytest.approx(2.1972245773362196, abs=1e-12)


@pytest.mark.parametrize("epsilon", [0.5, LN3, 2.0])
def test_an_audit_of_two_bits_finds_the_claimed_epsilon_and_no_more(epsilon):
    """That the bits of one report are drawn apart, `unary_law` takes for granted."""
    count = 200_000
    # Above: at most FALSE_ALARM. Below: the two bounds lose at most 0.05 here; that chance takes
    # the other 0.05 away is nine standard deviations of the log ratio, below 1e-18.
    p, q = optimal_unary_probabilities(epsilon=epsilon)
    unary = [
        (perturb(np.tile(bits, (count, 1)), p=p, q=q) == [1, 0]).all(axis=1).sum()
        for bits in ((1, 0), (0, 1))
    ]
    assert 0.8 * epsilon <= certified_epsilon(*unary, count) <= epsilon


@pytest.mark.slow
def test_outside_implementations_agree():
    opendp.enable_features("contrib")
    for epsilon in (0.3, LN3, 2.0):
        p, _ = direct_probabilities(domain_size=2, epsilon=epsilon)
        theirs = opendp.m.make_randomized_response_bool(p)
        assert theirs.map(1) == pytest.approx(epsilon, abs=1e-9)
        # diffprivlib keeps the value when a uniform number is above 1 / (e^epsilon + 1).
        binary = Binary(epsilon=epsilon, value0="0", value1="1", random_state=1)
        kept = np.mean([binary.randomise("1") == "1" for _ in range(20_000)])
        # Hoeffding (1963): further off with probability below 1e-9.
        assert abs(kept - p) < math.sqrt(math.log(2 / 1e-9) / 40_000)


def support_law(count, people, p, q):
    """The exact law of the number of reports that support a category: two binomials, added."""
    return np.convolve(
        stats.binom(count, p).pmf(np.arange(count + 1)),
        stats.binom(people - count, q).pmf(np.arange(people - count + 1)),
    )


def has_its_law(estimates, count, people, p, q):
    """Compare the supports that the estimates stand for, whole numbers, with their exact law."""
    supports = np.asarray(estimates) * (p - q) + people * q
    assert supports == pytest.approx(np.round(supports), abs=1e-6)
    law = np.concatenate([[0], support_law(count, people, p, q).cumsum()])
    return follows(
        np.round(supports), lambda at: law[np.clip(np.floor(at), -1, people).astype(int) + 1]
    )


@pytest.mark.long
@pytest.mark.slow
def test_every_estimate_has_its_exact_law():
    people, runs = 40, 4000
    counts = {"red": 25, "green": 14, "blue": 1}
    codes = np.repeat(np.arange(3), list(counts.values()))
    bits = np.eye(3, dtype=int)[codes]
    binary = [
        estimate_count(randomized_response(codes == 0, epsilon=1.0), epsilon=1.0)
        for _ in range(runs)
    ]
    p, q = direct_probabilities(domain_size=2, epsilon=1.0)
    assert has_its_law(binary, 25, people, p, q)
    assert not has_its_law(binary, 27, people, p, q)
    # Known wrong: the plain number of yes, and truth with another probability.
    counted = np.round(binary)
    assert not follows(counted, lambda at: stats.binom(people, 25 / people).cdf(np.floor(at)))
    lies = np.random.default_rng().random((runs, people)) < 0.4
    wrong = ((codes == 0) ^ lies).sum(axis=1)
    assert not has_its_law((wrong - people * q) / (p - q), 25, people, p, q)
    direct = np.array(
        [
            direct_aggregate(
                direct_perturb(codes, domain_size=3, epsilon=1.0), domain_size=3, epsilon=1.0
            )
            for _ in range(runs)
        ]
    )
    unary = np.array([aggregate(perturb(bits, p=0.6, q=0.3), p=0.6, q=0.3) for _ in range(runs)])
    p, q = direct_probabilities(domain_size=3, epsilon=1.0)
    for place, count in enumerate(counts.values()):
        assert has_its_law(direct[:, place], count, people, p, q)
        assert has_its_law(unary[:, place], count, people, 0.6, 0.3)
    assert direct.sum(axis=1) == pytest.approx(people)


@pytest.mark.slow
@settings(deadline=None)
@given(
    people=st.integers(1, 60),
    share=st.floats(0, 1),
    q=st.floats(0.01, 0.9),
    gap=st.floats(0.05, 0.95),
)
def test_the_variance_is_that_of_the_exact_law_and_the_mean_the_true_count(people, share, q, gap):
    count, p = round(share * people), q + gap * (1 - q)
    law = support_law(count, people, p, q)
    estimates = (np.arange(people + 1) - people * q) / (p - q)
    mean = law @ estimates
    assert mean == pytest.approx(count, abs=1e-7)
    variance = law @ (estimates - mean) ** 2
    assert estimate_variance(count, people=people, p=p, q=q) == pytest.approx(variance, rel=1e-7)


def test_the_error_of_the_sales_count():
    """The seeds say "less than 5 %": one standard deviation is 4.28 %, and 5 % holds 76 %."""
    sales = load_adult().drop(index=[49, 50])["Occupation"].eq("Sales")
    people, count = len(sales), int(sales.sum())
    assert (people, count) == (32561, 3650)
    deviation = math.sqrt(estimate_variance(count, people=people, p=0.75, q=0.25))
    assert deviation == pytest.approx(2 * math.sqrt(people * 3 / 16), rel=1e-12)
    assert 100 * deviation / count == pytest.approx(4.28, abs=0.005)
    law = support_law(count, people, 0.75, 0.25)
    errors = np.abs(2 * (np.arange(people + 1) - people / 4) - count) / count
    assert law[errors < 0.05].sum() == pytest.approx(0.76, abs=0.005)
    # What S4 prints as its result, 3861.5, is 5.79 % off: 1.4 standard deviations.
    assert abs(3861.5 - count) / count == pytest.approx(0.0579, abs=5e-5)


def test_the_fourteen_occupations_of_the_seeds():
    table = fill_missing(load_adult()).drop(index=[49, 50])
    bits = unary_encode(table["Occupation"], categories=DOMAINS["Occupation"])
    counts = dict(zip(DOMAINS["Occupation"], bits.sum(axis=0).tolist(), strict=True))
    assert (counts.pop("Baby"), counts.pop("Missing")) == (0, 1843)
    assert len(counts) == 14 and len(table) == 32561
    assert counts["Craft-repair"] == 4099 and counts["Priv-house-serv"] == 149
    # S4's printed sums of perturbed bits lie where ours would, n * q + count * (p - q), within six
    # standard deviations: a fixed check of two printed tables, nothing is drawn.
    printed = {"Adm-clerical": 10091, "Sales": 9873, "Armed-Forces": 8160, "Tech-support": 8596}
    for name, ones in printed.items():
        expected = 32561 / 4 + counts[name] / 2
        assert abs(ones - expected) < 6 * math.sqrt(32561 * 3 / 16)


@settings(deadline=None)
@given(epsilon=epsilons)
def test_no_other_p_has_less_variance_for_an_empty_category_than_the_optimal_one(epsilon):
    def variance(p):
        q = p / (p + math.exp(epsilon) * (1 - p))
        return estimate_variance(0, people=1, p=p, q=q)

    p, q = optimal_unary_probabilities(epsilon=epsilon)
    assert unary_epsilon(p, q) == pytest.approx(epsilon, abs=1e-9)
    best = optimize.minimize_scalar(variance, bounds=(1e-4, 1 - 1e-4), method="bounded")
    assert estimate_variance(0, people=1, p=p, q=q) <= best.fun * (1 + 1e-7)
    # Wang, Blocki, Li & Jha (2017): 4 e^epsilon / (e^epsilon - 1)^2.
    closed = 4 * math.exp(epsilon) / math.expm1(epsilon) ** 2
    assert estimate_variance(0, people=1, p=p, q=q) == pytest.approx(closed, rel=1e-7)


@settings(deadline=None)
@given(size=st.integers(2, 200), epsilon=st.floats(0.05, 5))
def test_direct_encoding_wins_on_empty_categories_while_the_domain_is_small(size, epsilon):
    """Wang, Blocki, Li & Jha (2017): below 3 e^epsilon + 2 categories."""
    direct = estimate_variance(
        0,
        people=1,
        **dict(zip("pq", direct_probabilities(domain_size=size, epsilon=epsilon), strict=True)),
    )
    p, q = optimal_unary_probabilities(epsilon=epsilon)
    gap = size - (3 * math.exp(epsilon) + 2)
    if abs(gap) > 1e-3:
        assert (direct < estimate_variance(0, people=1, p=p, q=q)) == (gap < 0)


@pytest.mark.slow
@settings(deadline=None)
@given(
    counts=st.lists(st.integers(0, 50), min_size=2, max_size=9).filter(sum),
    epsilon=epsilons,
)
def test_the_total_variance_is_the_same_for_all_data(counts, epsilon):
    people, size = sum(counts), len(counts)
    totals = survey_variances(domain_size=size, people=people, epsilon=epsilon)
    laws = {
        "direct": direct_probabilities(domain_size=size, epsilon=epsilon),
        "optimal_unary": optimal_unary_probabilities(epsilon=epsilon),
        "symmetric_unary": (stats.logistic.cdf(epsilon / 2), stats.logistic.sf(epsilon / 2)),
    }
    for name, (p, q) in laws.items():
        variances = estimate_variance(counts, people=people, p=p, q=q)
        assert totals[name] == pytest.approx(variances.sum(), rel=1e-9)
    assert unary_epsilon(*laws["symmetric_unary"]) == pytest.approx(epsilon, abs=1e-9)


@pytest.mark.slow
@settings(deadline=None)
@given(size=st.integers(2, 30), epsilon=epsilons, seed=st.integers(0, 2**32))
def test_a_survey_takes_the_protocol_of_least_variance_whatever_the_answers(size, epsilon, seed):
    rng = np.random.default_rng(seed)
    names = set()
    for values in (rng.integers(size, size=20), np.zeros(20, dtype=int)):
        survey = private_survey(values, categories=range(size), epsilon=epsilon, rng=rng)
        assert list(survey.index) == list(range(size))
        names.add(survey.name)
    variances = survey_variances(domain_size=size, people=20, epsilon=epsilon)
    assert names == {min(variances, key=variances.get)}


@pytest.mark.long
@pytest.mark.slow
def test_a_survey_has_the_law_of_its_protocol():
    values, rng = ["red"] * 12 + ["blue"] * 8, np.random.default_rng()
    for size, epsilon, name in ((3, 1.5, "direct"), (12, 0.5, "optimal_unary")):
        categories = [*COLORS, *range(size - 3)]
        surveys = [
            private_survey(values, categories=categories, epsilon=epsilon, rng=rng)
            for _ in range(1500)
        ]
        assert surveys[0].name == name
        laws = {
            "direct": direct_probabilities(domain_size=size, epsilon=epsilon),
            "optimal_unary": optimal_unary_probabilities(epsilon=epsilon),
        }
        for color, count in (("red", 12), ("green", 0), ("blue", 8)):
            draws = [survey[color] for survey in surveys]
            assert has_its_law(draws, count, 20, *laws[name])
            assert not has_its_law(draws, (count + 10) % 20, 20, *laws[name])


def test_encodings_of_one_value_and_of_many():
    assert direct_encode("blue", categories=COLORS) == 2
    assert type(direct_encode("blue", categories=COLORS)) is int
    assert unary_encode("green", categories=COLORS).tolist() == [0, 1, 0]
    values = ["blue", "red"]
    assert direct_encode(values, categories=COLORS).tolist() == [2, 0]
    assert unary_encode(values, categories=COLORS).tolist() == [[0, 0, 1], [1, 0, 0]]


@pytest.mark.parametrize("encode", [direct_encode, unary_encode])
def test_encoding_refuses_what_is_not_in_the_public_domain(encode):
    for values in (["red", "Baby"], "Baby", ["red", None], [float("nan")]):
        with pytest.raises(ValueError, match="values must lie in the categories"):
            encode(values, categories=COLORS)
    with pytest.raises(ValueError, match="values must not be empty"):
        encode([], categories=COLORS)
    for categories in (["red"], ["red", "red"], ["red", None], [], "red", 5, None, iter("ab")):
        with pytest.raises(ValueError, match="categories"):
            encode(["red"], categories=categories)


def test_categories_read_off_the_data_would_identify_the_baby():
    occupation = fill_missing(load_adult())["Occupation"]
    without = occupation.drop(index=50)
    shapes = {
        unary_encode(part, categories=part.unique()).shape[1] for part in (occupation, without)
    }
    assert shapes == {16, 15}
    public = DOMAINS["Occupation"]
    assert unary_encode(without, categories=public).shape == (32562, len(public))


@pytest.mark.slow
@settings(deadline=None)
@given(
    shape=st.lists(st.integers(1, 4), max_size=3),
    epsilon=epsilons,
    seed=st.integers(0, 2**32),
)
def test_shape_is_kept_the_input_untouched_and_rng_repeats(shape, epsilon, seed):
    bits = np.random.default_rng(seed).integers(2, size=shape)
    before = bits.copy()
    for release in (
        lambda rng: randomized_response(bits, epsilon=epsilon, rng=rng),
        lambda rng: perturb(bits, p=0.7, q=0.2, rng=rng),
        lambda rng: direct_perturb(bits, domain_size=3, epsilon=epsilon, rng=rng),
    ):
        first, second = (release(np.random.default_rng(seed)) for _ in range(2))
        assert np.shape(first) == tuple(shape) and np.array_equal(first, second)
        assert np.isin(first, [0, 1, 2]).all()
    assert np.array_equal(bits, before)


def test_a_single_answer_gives_a_plain_report():
    assert type(randomized_response(True)) is bool
    assert type(perturb(1, p=0.7, q=0.2)) is int
    assert type(direct_perturb(1, domain_size=3, epsilon=1)) is int
    assert perturb([True, False], p=0.7, q=0.2).dtype == np.int8


@pytest.mark.parametrize("wrong", [0, -1.0, np.nan, np.inf, "1", None, True, 1e-9, 31])
def test_an_epsilon_out_of_range_is_named_with_its_value(wrong):
    for call in (
        lambda: randomized_response([True], epsilon=wrong),
        lambda: estimate_count([True], epsilon=wrong),
        lambda: direct_perturb([1], domain_size=3, epsilon=wrong),
        lambda: direct_aggregate([1], domain_size=3, epsilon=wrong),
        lambda: optimal_unary_probabilities(epsilon=wrong),
        lambda: survey_variances(domain_size=3, people=5, epsilon=wrong),
        lambda: private_survey(["red"], categories=COLORS, epsilon=wrong),
    ):
        with pytest.raises(ValueError, match="epsilon") as caught:
            call()
        assert repr(wrong) in str(caught.value)


@pytest.mark.parametrize("p, q", [(0.5, 0.5), (0.2, 0.7), (1, 0.2), (0.5, 0), (np.nan, 0.1)])
def test_p_and_q_must_tell_something_and_hide_something(p, q):
    for call in (
        lambda: perturb([1], p=p, q=q),
        lambda: aggregate([[1, 0]], p=p, q=q),
        lambda: unary_epsilon(p, q),
        lambda: estimate_variance(1, people=2, p=p, q=q),
    ):
        with pytest.raises(ValueError, match=r"^[pq] must"):
            call()


@pytest.mark.parametrize("wrong", [[], [2], [-1], [0.5], ["yes"], [np.nan], None, [None]])
def test_answers_and_bits_must_be_true_or_false(wrong):
    for name, call in (
        ("answers", lambda: randomized_response(wrong)),
        ("reports", lambda: estimate_count(wrong, epsilon=1)),
        ("bits", lambda: perturb(wrong, p=0.7, q=0.2)),
        ("reports", lambda: aggregate(wrong, p=0.7, q=0.2)),
    ):
        with pytest.raises(ValueError, match=name):
            call()


def test_other_arguments_out_of_range_are_named():
    with pytest.raises(ValueError, match="reports must have shape"):
        aggregate([1, 0, 1], p=0.7, q=0.2)
    for wrong in ([3], [-1], [0.5], [], ["red"]):
        with pytest.raises(ValueError, match="codes"):
            direct_perturb(wrong, domain_size=3, epsilon=1)
        with pytest.raises(ValueError, match="reports"):
            direct_aggregate(wrong, domain_size=3, epsilon=1)
    for wrong in (1, 2.5, None):
        with pytest.raises(ValueError, match="domain_size"):
            direct_probabilities(domain_size=wrong, epsilon=1)
    with pytest.raises(ValueError, match="count"):
        estimate_variance(6, people=5, p=0.7, q=0.2)
    with pytest.raises(ValueError, match="people"):
        survey_variances(domain_size=3, people=0, epsilon=1)
    with pytest.raises(ValueError, match="rng"):
        randomized_response([True], rng=np.random)


@pytest.mark.parametrize("epsilon", [1e-6, 30])
def test_the_ends_of_the_range_of_epsilon_work(epsilon):
    people = 1000
    answers = np.arange(people) < 300
    reports = randomized_response(answers, epsilon=epsilon)
    assert np.isfinite(estimate_count(reports, epsilon=epsilon))
    survey = private_survey(answers, categories=[False, True], epsilon=epsilon)
    assert np.isfinite(survey).all() and survey.sum() == pytest.approx(people)
    if epsilon == 30:
        # A lie has probability 1e-13 each: at most 2e-10 for all of them.
        assert estimate_count(reports, epsilon=epsilon) == pytest.approx(300)
