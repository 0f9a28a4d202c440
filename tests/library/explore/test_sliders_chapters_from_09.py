"""The sliders of chapters 09 and later, as far as they can be seen without a browser."""

import math

import numpy as np
import pytest
from scipy import stats
from sliders import adult, caption, numbers, told

import dplib
from dplib import explore
from dplib.audit import epsilon_lower_bound
from dplib.data import load_features
from dplib.floating_point import reachable_from
from dplib.laplace import laplace_mechanism
from dplib.learning import accuracy, noisy_gradient_descent
from dplib.sparse_vector import sparse


def test_the_sentence_on_losses():
    count, worst, chance, delta, promised, average = numbers("losses", 7)
    assert (count, delta) == (7, 1e-5) and worst == pytest.approx(7 * 0.3)
    truth = 1 / (1 + math.exp(-0.3))
    assert chance == pytest.approx(100 * truth**7, rel=0.05)
    assert average == pytest.approx(7 * 0.3 * (2 * truth - 1), rel=0.05)
    lies = np.arange(8)
    law = stats.binom.pmf(lies, 7, 1 - truth)

    def delta_at(epsilon):
        return float(law @ -np.expm1(np.minimum(epsilon - 0.3 * (7 - 2 * lies), 0)))

    assert delta_at(promised * 1.005) < 1e-5 < delta_at(promised * 0.995)


def test_the_sentence_on_accounts():
    count, sequential, advanced, zcdp, rdp, exact, delta = numbers("accounts", 500)
    assert (count, delta) == (500, 1e-5)
    rho = 500 / (2 * 30**2)
    assert zcdp == pytest.approx(rho + 2 * math.sqrt(rho * math.log(1e5)), rel=0.005)
    sigma = 30 / math.sqrt(500)

    def delta_at(epsilon):  # Balle & Wang (2018), theorem 8
        first = stats.norm.cdf(0.5 / sigma - epsilon * sigma)
        return first - math.exp(epsilon) * stats.norm.cdf(-0.5 / sigma - epsilon * sigma)

    assert delta_at(exact * 1.005) < 1e-5 < delta_at(exact * 0.995)
    assert exact < rdp < zcdp < advanced < sequential


def test_the_sentence_on_selection():
    counts = adult()["Occupation"].value_counts(dropna=False)
    weights = np.exp(0.01 * (counts - counts.max()))
    # Baby has one row and Armed-Forces nine: all 16 categories are among the values.
    _, categories, chance, away = numbers("selection", 0.01)
    assert categories == len(counts) == 16
    assert chance == pytest.approx(100 * weights.max() / weights.sum(), abs=0.5)
    assert away == pytest.approx((weights * (4140 - counts)).sum() / weights.sum(), rel=0.05)


def test_the_sentence_on_the_best():
    candidates, gap, _, exponential, _, guess = numbers("best_chance", 60)
    assert (candidates, gap) == (16, 60)
    assert exponential == pytest.approx(100 / (1 + 15 * math.exp(-3)), rel=0.02)
    assert guess == pytest.approx(100 / 16, rel=0.02)


def test_the_sentences_on_reports():
    ages = adult()["Age"]
    exact = [int(((ages >= a) & (ages < a + 20)).sum()) for a in range(10, 90, 10)]
    exact.append(int((ages >= 90).sum()))
    generator = np.random.default_rng(11)
    law = {"threshold": 10_000, "count": 3, "epsilon": 0.01, "rng": generator}
    runs = [sparse(exact, **law) for _ in range(200)]
    first = [place for place, number in enumerate(exact) if number >= 10_000][:3]
    right = np.mean([len(set(run) & set(first)) for run in runs])
    # The fourth that reaches it is late; the others do not reach it.
    late, false = (np.mean([len(set(run) & each) for run in runs]) for each in ({3}, {4, 5, 6, 7}))
    assert numbers("reported_epsilon", 0.01) == pytest.approx(
        [10_000, 0.01, 200, right, len(first), late, false], rel=0.05
    )
    assert "no query is above" in caption("reported_threshold", 12_000)
    # Where all four windows around 10,000 reach the threshold, errors are late, and none is false.
    assert ", and 0 below it (hatched)." in caption("reported_threshold", 10_250)
    assert ", 0 above it but too late, and 0.28 below" in caption("reported_threshold", 10_500)
    assert " of the one above it, " in caption("reported_threshold", 11_000)
    # Most moves of the threshold change what is reported.
    said = [caption("reported_threshold", stop) for stop in told("reported_threshold").stops]
    assert len({each.partition("ε = 0.05")[2] for each in said}) > 0.6 * len(said)


def test_the_sentences_on_learning():
    data = load_features()
    law = {"iterations": 30, "clipping_bound": 1, "delta": 1e-5, "learning_rate": 4}
    found = [
        100
        * accuracy(
            noisy_gradient_descent(
                data.X_train[:3000],
                data.y_train[:3000],
                epsilon=1,
                rng=np.random.default_rng(seed),
                **law,
            ),
            data.X_test,
            data.y_test,
        )
        for seed in (0, 1, 2)
    ]
    epsilon, _, low, high, people, majority, _ = numbers("learning_epsilon", 1)
    assert (epsilon, people) == (1, 6467)
    assert (low, high) == pytest.approx((min(found), max(found)), abs=0.051)
    assert majority == pytest.approx(100 * (data.y_test < 0).mean(), abs=0.051)
    assert "no more than" in caption("learning_epsilon", 0.01)
    assert ", more than" in caption("learning_epsilon", 1)


def test_the_sentences_on_a_boundary():
    (rounds, epsilon, low, high, exact, majority), many = (
        numbers("learning_boundary", stop) for stop in (20, 100)
    )
    assert (rounds, epsilon) == (20, 0.2) and exact > majority > low
    # The page judges all its models on one group of people, and so does the slider.
    assert majority == pytest.approx(100 * (load_features().y_test < 0).mean(), abs=0.051)
    # More rounds share the budget: the models lie further apart.
    assert many[3] - many[2] > high - low


def test_the_crowd_of_200_lies_less_as_epsilon_grows():
    shown = [numbers("crowd", stop) for stop in (0.01, 1, 6.3)]
    # epsilon, true yes, of 22, false yes, of 178, all yes, estimate
    assert [each[2] for each in shown] == [22] * 3 and [each[4] for each in shown] == [178] * 3
    assert [each[3] for each in shown] == sorted((each[3] for each in shown), reverse=True)
    assert all(each[5] == each[1] + each[3] for each in shown)
    assert shown[-1][1:] == [22, 22, 0, 178, 22, 22]


def test_the_sentences_on_the_local_model():
    epsilon, people, local, percent, times, central = numbers("local_epsilon", 0.1)
    lie = 1 / (1 + math.exp(0.1))
    error = math.sqrt(32563 * lie * (1 - lie)) / (1 - 2 * lie)
    assert (epsilon, people) == (0.1, 32563)
    assert local == pytest.approx(error, rel=0.05)
    assert percent == pytest.approx(100 * error / 32563, rel=0.05)
    assert central == pytest.approx(math.sqrt(2) / 0.1, rel=0.05)
    assert times == pytest.approx(error * 0.1 / math.sqrt(2), rel=0.05)
    assert numbers("local_people", 1000)[1] == 1000
    p, q, epsilon, chosen, times, best = numbers("unary", 0.75)
    assert (p, q, epsilon) == (0.75, 0.25, 2.2)  # ln 9
    assert chosen == pytest.approx(math.sqrt(32563 * 3 / 16) * 2, rel=0.05)
    assert best == pytest.approx(math.sqrt(32563 * 0.09) / 0.4, rel=0.005)
    assert times == pytest.approx(0.25 * math.sqrt(3) / 0.5 * 0.4 / 0.3, rel=0.005)
    # The best q is 0.25 at p = 1/2 alone, and the sentence tells it from its neighbors.
    assert "exactly the 313 of the best" in caption("unary", 0.5)
    assert all(numbers("unary", p)[4] > 1 for p in told("unary").stops if p != 0.5)


def test_the_sentences_on_synthetic_rows():
    ages = adult()["Age"]
    people = [((ages >= low) & (ages < low + 10)).sum() for low in range(16, 82)]
    width, _, _, direct, split, ranges, *_ = numbers("synthetic_ranges", 10)
    assert (width, ranges) == (10, 66)
    assert direct == pytest.approx(100 / np.mean(people), rel=0.05)
    assert split == pytest.approx(66 * 100 / np.mean(people), rel=0.05)
    counts = adult()["Workclass"].value_counts(dropna=False)
    assert numbers("marginals", 0.1)[-1] == len(counts)
    assert "none of" in caption("marginals", 10)
    assert "2 of the 9" in caption("marginals", 0.001)


def test_the_sentences_on_ranges():
    # The design's table: C at 1024 cells for flat, binary, Boost and Privelet, MSE = 2 C.
    size, *errors, epsilon = numbers("range_size", 1024)
    assert (size, epsilon) == (1024, 1)
    expected = [math.sqrt(2 * each) for each in (342, 969.7, 238.3, 205.1)]
    assert errors == pytest.approx(expected, rel=0.05)
    assert caption("range_size", 256).endswith("flat is best.")
    assert caption("range_size", 512).endswith("Privelet is best.")
    assert caption("range_width", 1).endswith("flat is best.")
    *counted, noise, together, error, epsilon = numbers("branching", 2)
    # 1,365 is 10101010101 in the binary system: six nodes. The noise of 13 levels is of scale 13.
    assert (counted, epsilon) == ([2, 1365, 4096, 6], 1)
    expected = [math.sqrt(2) * 13, math.sqrt(2 * 6) * 13, math.sqrt(2 * 389.2)]
    assert [noise, together, error] == pytest.approx(expected, rel=0.05)


def test_the_sentences_on_audits():
    runs, honest, half, claim = numbers("audit", 2000)
    found = [
        epsilon_lower_bound(
            lambda value, rng, epsilon=epsilon: laplace_mechanism(
                value, sensitivity=1, epsilon=epsilon, rng=rng
            ),
            0,
            1,
            samples=2000,
            rng=np.random.default_rng(16),
        ).epsilon
        for epsilon in (1, 2)
    ]
    assert (runs, claim) == (2000, 1)
    assert (honest, half) == pytest.approx(found, rel=0.05)
    assert "does not yet refute" in caption("audit", 100)
    assert "which refutes" in caption("audit", 10_000)


def test_the_sentences_on_floating_point():
    for stop in (-1, 0.3, 2):
        doubles = [float(stop)]
        for _ in range(99):
            doubles.append(math.nextafter(doubles[-1], math.copysign(math.inf, stop)))
        first, second = (reachable_from(np.array(doubles), value=value) for value in (0, 1))
        either = int((first | second).sum())
        expected = [100, stop, first.sum(), 0, second.sum(), 1]
        found = numbers("float_window", stop)
        assert found[:6] == expected
        assert found[6:] == [either - (first & second).sum(), either]


@pytest.mark.parametrize(
    ("explore_one", "wrong"),
    [
        (explore.explore_accounts, {"sigma": 0}),
        (explore.explore_accounts, {"delta": 1}),
        (explore.explore_losses, {"epsilon": 0}),
        (explore.explore_losses, {"delta": 1}),
        (explore.explore_best_chance, {"candidates": 1}),
        (explore.explore_best_chance, {"epsilon": math.nan}),
        (explore.explore_learning_epsilon, {"iterations": 0.5}),
        (explore.explore_learning_epsilon, {"clipping_bound": 0}),
        (explore.explore_learning_boundary, {"epsilon": -1}),
        (explore.explore_learning_boundary, {"delta": 0}),
        (explore.explore_local_epsilon, {"people": 0}),
        (explore.explore_local_people, {"epsilon": 31}),
        (explore.explore_unary, {"q": 0.96}),
        (explore.explore_unary, {"people": 1.5}),
        (explore.explore_range_size, {"width": 0}),
        (explore.explore_range_size, {"width": 1025}),
        (explore.explore_range_size, {"epsilon": 0}),
        (explore.explore_range_width, {"size": 100}),
        (explore.explore_range_width, {"epsilon": math.inf}),
        (explore.explore_branching, {"size": 2}),
        (explore.explore_branching, {"epsilon": "one"}),
        (explore.explore_audit, {"epsilon": 4}),
        (explore.explore_float_window, {"epsilon": 0}),
    ],
)
def test_a_bad_argument_is_named(explore_one, wrong):
    (name,) = wrong
    with pytest.raises(ValueError, match=name):
        explore_one(**wrong)


@pytest.mark.parametrize(
    ("explore_one", "column", "wrong"),
    [
        (explore.explore_selection, "Occupation", {"column": "Age"}),
        (explore.explore_reported_threshold, "Age", {"count": 0}),
        (explore.explore_reported_threshold, "Age", {"epsilon": 0}),
        (explore.explore_reported_epsilon, "Age", {"threshold": math.nan}),
        (explore.explore_synthetic_ranges, "Age", {"epsilon": 0}),
        (explore.explore_marginals, "Workclass", {}),
    ],
)
def test_a_table_is_needed_with_its_columns(explore_one, column, wrong):
    for table in (None, adult().drop(columns=column), adult().iloc[:0]):
        with pytest.raises(ValueError, match="table"):
            explore_one(table)
    for name, value in wrong.items():
        with pytest.raises(ValueError, match=name):
            explore_one(adult(), **{name: value})


def test_the_lit_nodes_add_up_to_the_coefficient():
    assert caption("range_nodes", 3).startswith(
        "Cell 3 alone cuts 4 nodes of 15 unevenly: 1–16, 1–8, 1–4, 3–4. They add "
    )
    # Who cannot see the tree is told which nodes: 11 lies in the middle of each of the last three.
    assert " unevenly: 1–16, 1–8, 9–16, 1–4, 9–12, 11–12. " in caption("range_nodes", 11)
    whole = explore.explore_range_nodes(left=1)
    whole.show(16)
    assert whole.caption == (
        "The cells 1 to 16 cut no node unevenly; the total adds 1.000 to the coefficient."
    )
    assert ">total  1<" in whole.picture
    for last in (3, 8, 11, 16):
        sentence = numbers("range_nodes", last)
        assert sentence[:2] == [3, last] or last == 3
        *_, cut, total = sentence
        assert cut + total == pytest.approx(dplib.range_error(3, last, size=16), abs=0.0011)


def test_a_running_sum_lights_as_many_nodes_as_it_has_ones():
    assert numbers("running_nodes", 22) == [22, 3, 16, 4, 2]
    assert numbers("running_nodes", 16)[:2] == [16, 1]


@pytest.mark.parametrize(
    ("build", "wrong"),
    [
        (explore.explore_range_nodes, {"left": 17}),
        (explore.explore_range_nodes, {"size": 128}),
        (explore.explore_running_nodes, {"months": 12}),
        (explore.explore_running_nodes, {"months": 128}),
    ],
)
def test_a_tree_of_another_size_is_refused(build, wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        build(**wrong)
