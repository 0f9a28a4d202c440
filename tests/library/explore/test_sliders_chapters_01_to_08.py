"""The sliders of chapters 01 to 08, as far as they can be seen without a browser."""

import math
import re

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from scipy import stats
from sliders import SLIDERS, adult, caption, clerks, numbers, told

from dplib import explore, plots
from dplib.data import REFERENCE_DATE
from dplib.deidentification import (
    clip_outliers,
    generalize,
    information_loss,
    k_anonymity,
    suppress_small_groups,
    unique_fraction,
)
from dplib.explore.parts import words
from dplib.gaussian import analytic_gaussian_sigma
from dplib.local_sensitivity import (
    distance_to_high_sensitivity,
    local_sensitivity_at_distance,
    passing_probability,
)


def two_digits(number):
    """What a number of two digits stands for."""
    return pytest.approx(number, rel=0.051, abs=1e-12)


@pytest.mark.parametrize("days", [1, 365, 7305])
def test_the_sentence_on_unique_people(days):
    table = adult()[["Zip"]].copy()
    born = pd.to_datetime(adult()["DOB"])
    table["step"] = (pd.Timestamp(REFERENCE_DATE) - born) // pd.Timedelta(days=days)
    five = 100 * unique_fraction(table, quasi_identifiers=["step", "Zip"])
    none = 100 * unique_fraction(table, quasi_identifiers=["step"])
    found = numbers("uniqueness", days)
    people = found.index(32563)
    assert found[people - 1] == two_digits(five)
    assert found[people + 2] == two_digits(none)
    # Karrie Trusslove is in the first row.
    alike = (table[["step", "Zip"]] == table[["step", "Zip"]].iloc[0]).all(axis=1).sum()
    assert found[people + 3 :] == ([] if alike == 1 else [alike - 1])


def test_steps_are_written_in_days_and_from_a_year_on_in_years():
    labels = [written for written, _ in told("uniqueness").slider.options]
    days, years = labels[:9], labels[9:]
    assert days[:2] == ["1 day", "2 days"] and days[-1] == "183 days"
    assert years == ["1 year"] + [f"{count} years" for count in (2, 5, 10, 20, 40, 100)]
    assert caption("uniqueness", 3652).startswith("With dates of birth in steps of 10 years, ")


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_the_sentence_on_k_and_information(depth):
    original = adult()[["Age", "Education-Num"]]
    clipped = clip_outliers(original, bounds={"Age": (10, 60), "Education-Num": (3, 16)})
    released = generalize(clipped, depths={"Age": depth, "Education-Num": 0})
    known = {"quasi_identifiers": ["Age", "Education-Num"]}
    bounds = {"Age": (0, 125), "Education-Num": (0, 16)}
    left = 100 * (1 - information_loss(original, released, bounds=bounds, **known))
    k = k_anonymity(released, **known)
    shown = numbers("generalization", depth)
    # Karrie Trusslove is in the first row.
    alike = np.count_nonzero((released == released.iloc[0]).all(axis=1))
    assert shown == [10**depth, 1, k, 32563, pytest.approx(left, abs=0.5), alike]


@pytest.mark.parametrize("k", [2, 5, 100])
def test_the_sentence_on_suppressed_rows(k):
    columns = ["Age", "Education-Num", "Hours per week"]
    exact = adult()[columns]
    shares = []
    for cut in ([], columns[:1], columns):
        table = generalize(exact, depths=dict.fromkeys(cut, 1)) if cut else exact
        kept = suppress_small_groups(table, quasi_identifiers=columns, k=k)
        shares.append(two_digits(100 * (1 - len(kept) / len(exact))))
    assert numbers("suppression", k) == [k, shares[0], 32563, shares[1], shares[2], 3]


@pytest.mark.parametrize("answers", [2, 10, 100])
def test_the_sentence_on_shared_budgets(answers):
    draws = np.random.default_rng(3).laplace(scale=answers, size=(4000, answers)).mean(axis=1)
    # The mean of 4000 sizes is off by more than 15 % with probability below 1e-30: its
    # standard deviation is about 1.2 %.
    average = pytest.approx(np.abs(draws).mean(), rel=0.15)
    assert numbers("answers", answers) == [answers, 1, answers, average, 1]


@pytest.mark.parametrize("part", [0.05, 0.2, 0.95])
def test_the_sentence_on_the_split(part):
    shown = numbers("budget_split", part)
    other = two_digits(1 / ((1 - part) / 4))
    assert shown == [100 * part, 1, two_digits(1 / part), 4, other]


@pytest.mark.parametrize(("columns", "cells"), [(1, 2), (3, 20), (5, 840), (8, 2_056_320)])
def test_the_sentence_on_cells(columns, cells):
    names = ["Sex", "Target", "Race", "Relationship", "Marital Status", "Workclass"]
    names = [*names, "Education", "Occupation"][:columns]
    counts = adult()[names].fillna("?").value_counts()
    drowned = 100 * (1 - (counts >= 10).sum() / cells)  # a cell of 10 people does not drown
    inside = 100 * counts[counts < 10].sum() / 32563
    shown = numbers("table_dimension", columns)
    assert shown.pop(0) == columns
    assert shown[:2] == [cells, 10]
    # Near 100 % two digits are those of what is missing.
    assert shown[2] == pytest.approx(drowned, abs=0.051 * min(drowned, 100 - drowned) + 1e-9)
    assert shown[3] == two_digits(inside)


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 0.4])
def test_the_sentence_on_cells_at_an_epsilon(epsilon):
    names = ["Sex", "Target", "Race", "Relationship", "Marital Status"]
    counts = adult()[names].value_counts()
    shown = numbers("table_epsilon", epsilon)
    drowned = 100 * (1 - (counts >= 1 / epsilon).sum() / 840)
    assert shown[:3] == [epsilon, 840, 1 / epsilon]
    assert shown[3] == pytest.approx(drowned, abs=0.051 * min(drowned, 100 - drowned))
    assert shown[4] == two_digits(100 * counts[counts < 1 / epsilon].sum() / 32563)


@pytest.mark.parametrize("epsilon", [0.001, 0.01, 0.1])
def test_the_sentence_on_the_best_bound_at_an_epsilon(epsilon):
    values, (_, least, bound, cut) = (
        adult()["Capital Gain"],
        numbers("clip_epsilon", epsilon),
    )
    bounds = told("clip_gain").stops
    bias = [100 * (values.sum() - values.clip(upper=each).sum()) / values.sum() for each in bounds]
    noise = [100 * stats.laplace(scale=each / epsilon).std() / values.sum() for each in bounds]
    totals = np.hypot(bias, noise)
    assert bound == bounds[int(np.argmin(totals))]
    assert least == two_digits(totals.min()) and cut == (values > bound).sum()


@pytest.mark.parametrize(("name", "column"), [("clip_age", "Age"), ("clip_gain", "Capital Gain")])
def test_the_sentence_on_clipping(name, column):
    values, figure = adult()[column], told(name)
    totals = []
    for bound in figure.stops:
        bias = 100 * (values.sum() - values.clip(upper=bound).sum()) / values.sum()
        noise = 100 * stats.laplace(scale=bound / 0.01).std() / values.sum()
        totals.append(math.hypot(bias, noise))
        shown = numbers(name, bound)
        assert shown[:2] == [bound, (values > bound).sum()]
        expected = (bias, noise, 0.01, totals[-1])
        assert shown[2:] == [two_digits(number) for number in expected]
    # The first view is the best of the stops.
    assert figure.stops[int(np.argmin(totals))] == SLIDERS[name][1]


@pytest.mark.parametrize(
    ("name", "stop", "epsilon", "delta"),
    [("tails", 0.1, 0.1, 1e-5), ("tails", 10, 10, 1e-5), ("delta", 1e-9, 1, 1e-9)],
)
def test_the_sentence_on_tails(name, stop, epsilon, delta):
    sigma = analytic_gaussian_sigma(l2_sensitivity=1, epsilon=epsilon, delta=delta)
    gaussian, laplace = stats.halfnorm(scale=sigma), stats.expon(scale=1 / epsilon)
    sizes = [law.isf(odds) for odds in (0.05, 1e-6) for law in (gaussian, laplace)]
    shown = numbers(name, stop)
    assert shown[:2] == [epsilon, delta]
    del shown[3]  # one time in 20
    assert shown[2:] == [two_digits(size) for size in sizes]


@pytest.mark.parametrize("length", [1, 100, 10_000])
def test_the_sentence_on_long_vectors(length):
    sigma = analytic_gaussian_sigma(l2_sensitivity=math.sqrt(length), epsilon=1, delta=1e-5)
    laplace, gaussian = stats.expon(scale=length).mean(), stats.halfnorm(scale=sigma).mean()
    shown = numbers("dimension", length)
    expected = [length, 1, two_digits(laplace), 1, two_digits(gaussian), 2, 1e-5]
    assert shown == expected  # L1 and L2 hold a number each


@pytest.mark.parametrize("count", [1, 28, 29, 100])
def test_the_sentence_on_composition(count):
    advanced = 0.1 * math.sqrt(2 * count * math.log(1e5)) + count * 0.1 * math.expm1(0.1)
    shown = numbers("composition", count)
    three_digits = [pytest.approx(cost, rel=0.0051) for cost in (0.1 * count, advanced)]
    assert shown == [count, 0.1, *three_digits, 1e-5]
    # The theorem begins to win at 29, and the slider stops on both sides.
    assert (shown[3] < shown[2]) == (count >= 29)


@pytest.mark.parametrize("place", [0, 3, 5, -1])
def test_the_sentence_on_a_proposed_bound(place):
    figure, ages = told("proposed_bound"), clerks()["Age"]
    bound = figure.stops[place]
    distance = distance_to_high_sensitivity(ages, bound=bound, lower=0, upper=125)
    rate = 100 * passing_probability(distance, epsilon=0.5, delta=1e-9)
    shown = numbers("proposed_bound", bound)
    assert shown[0] == bound
    if 0.01 < rate < 99.99:
        assert shown[1] == pytest.approx(rate, abs=0.051 * min(rate, 100 - rate))
    else:
        assert shown[1] == pytest.approx(rate, abs=0.0101)
    # An even number of clerks: half of the width. Half of Laplace noise is beyond ln(2) scales.
    worst = stats.laplace(scale=62.5).isf(0.25)
    assert shown[2:] == [
        two_digits(stats.laplace(scale=bound / 0.5).isf(0.25)), 2, 1, two_digits(worst)
    ]  # fmt: skip


@pytest.mark.parametrize("place", [0, 1, 5, -1])
def test_the_sentence_on_distance(place):
    figure, hours = told("distance"), clerks()["Hours per week"]
    distance = int(figure.stops[place])
    there = local_sensitivity_at_distance(hours, distance=distance, lower=0, upper=99)
    three_digits = pytest.approx(there, rel=0.0051)
    assert numbers("distance", distance) == [distance, 3770, three_digits, 49.5]
    # An even number of clerks: the picture draws the gap, of which the median moves half.
    assert "by up to half of the gap, " in caption("distance", distance)
    ax = plots.draw_sensitivity_at_distance(
        Figure().subplots(), hours, distance=distance, lower=0, upper=99, unit="hours"
    )
    (gap,) = [each.get_xdata() for each in ax.lines if each.get_label() == "gap"]
    assert gap[1] - gap[0] == 2 * there


@pytest.mark.parametrize("chunks", [1, 64, 1024, 32768])
def test_the_sentence_on_chunks(chunks):
    from dplib.aggregation import assign_chunks

    ages = adult()["Age"].to_numpy()
    assigned = assign_chunks(adult()["SSN"], chunks=chunks)
    noise = stats.laplace(scale=125 / chunks).std()
    totals = []
    order = np.argsort(assigned, kind="stable")
    filled, starts = np.unique(assigned[order], return_index=True)
    for function in (np.mean, np.median, np.max):
        answers = [function(part) for part in np.split(ages[order], starts[1:])]
        # An empty chunk answers with the middle of the interval.
        mean = (sum(answers) + 62.5 * (chunks - len(filled))) / chunks
        totals.append(two_digits(math.hypot(mean - function(ages), noise)))
    assert numbers("chunks", chunks) == [chunks, two_digits(noise), *totals]


def test_numbers_are_written_as_a_reader_writes_them():
    assert [words.amount(number) for number in (0, 0.1234, 2.71, 21_987, 1e-5, 3e-10)] == [
        "0",
        "0.12",
        "2.7",
        "22,000",
        "1e-5",
        "3e-10",
    ]
    assert [words.people(number) for number in (1, 1.04, 2, 1234)] == [
        "1 person",
        "1 person",
        "2 people",
        "1,200 people",
    ]
    shares = (0, 0.64011, 0.0023, 0.98765, 1e-6, 1 - 1e-6, 1)
    assert [words.share(part) for part in shares] == [
        "0 %",
        "64 %",
        "0.23 %",
        "98.8 %",
        "less than 0.01 %",
        "more than 99.99 %",
        "100 %",
    ]


AGES = np.arange(20, 80)


@pytest.mark.parametrize(
    ("name", "build", "wrong"),
    [
        ("table", explore.explore_uniqueness, [None, pd.DataFrame(), pd.DataFrame({"Zip": [1]})]),
        ("table", explore.explore_generalization, [None, pd.DataFrame({"Age": [1]})]),
        ("table", explore.explore_suppression, [None, pd.DataFrame({"Age": [1]})]),
        ("table", explore.explore_table_dimension, [None, pd.DataFrame()]),
        ("table", explore.explore_clipping_bound, [None, pd.DataFrame({"Zip": [1]})]),
        ("table", explore.explore_table_epsilon, [None, pd.DataFrame()]),
        ("table", explore.explore_clipping_epsilon, [None, pd.DataFrame({"Zip": [1]})]),
        ("values", explore.explore_proposed_bound, [None, [], [math.nan], [[1.0]]]),
        ("values", explore.explore_distance, [None, [], [math.nan], [[1.0]]]),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_bad_data_are_named(name, build, wrong):
    for value in wrong:
        with pytest.raises(ValueError, match=name):
            build(value)


@pytest.mark.parametrize(
    ("build", "name", "wrong"),
    [
        (lambda **k: explore.explore_generalization(adult(), **k), "depth", [3, -1, "one"]),
        (
            lambda **k: explore.explore_suppression(adult(), **k),
            "quasi_identifiers",
            [(), ["Age"]],
        ),
        (explore.explore_answers, "epsilon", [0, math.nan, "one", None]),
        (explore.explore_budget_split, "epsilon", [0, math.nan, "one", None]),
        (explore.explore_budget_split, "answers", [1, 2.5, "two"]),
        (lambda **k: explore.explore_table_dimension(adult(), **k), "epsilon", [0, None]),
        (
            lambda **k: explore.explore_table_dimension(adult(), **k),
            "columns",
            [(), ["Age"], ["Sex", "Sex"]],
        ),
        (lambda **k: explore.explore_clipping_bound(adult(), **k), "column", ["Sex", None]),
        (lambda **k: explore.explore_clipping_bound(adult(), **k), "epsilon", [0, None]),
        (lambda **k: explore.explore_clipping_epsilon(adult(), **k), "column", ["Sex", None]),
        (lambda **k: explore.explore_table_epsilon(adult(), **k), "columns", [(), ["Age"]]),
        (explore.explore_tails, "delta", [0, 1, math.nan, None]),
        (explore.explore_delta, "epsilon", [0, math.nan, "one"]),
        (explore.explore_dimension, "epsilon", [0, math.nan, "one", None]),
        (explore.explore_dimension, "delta", [0, 1, None]),
        (explore.explore_composition, "epsilon", [0, math.nan, "one", None]),
        (explore.explore_composition, "delta_prime", [0, 1, None]),
        (lambda **k: explore.explore_proposed_bound(AGES, **k), "delta", [0, 0.5, None]),
        (lambda **k: explore.explore_proposed_bound(AGES, **k), "epsilon", [0, "one"]),
        (lambda **k: explore.explore_proposed_bound(AGES, **k), "upper", [0, None]),
        (lambda **k: explore.explore_distance(AGES, **k), "lower", [100, None]),
        (lambda **k: explore.explore_chunks(AGES, **k), "labels", [[], AGES[1:], AGES / 7]),
        (
            lambda **k: explore.explore_chunks(AGES, labels=AGES, **k),
            "epsilon",
            [0, math.nan, None],
        ),
        (lambda **k: explore.explore_chunks(AGES, labels=AGES, **k), "lower", [125, None]),
    ],
)
def test_a_bad_argument_is_named(build, name, wrong):
    for value in wrong:
        with pytest.raises(ValueError, match=name):
            build(**{name: value})


def test_the_sentences_on_a_rebuilt_column_tell_less_with_more_noise():
    figure = explore.explore_reconstruction([0, 1, 0, 0, 1, 0, 0, 0] * 3, questions=200)
    seen = []
    for noise in figure.stops:
        figure.show(noise)
        assert figure.caption.startswith(f"With 200 counts and noise of scale {noise:g}, ")
        assert figure.caption.endswith("is right for 75 %.")
        seen.append(float(re.search(r"are right for ([\d.]+) %", figure.caption)[1]))
    assert seen[0] == 100 and seen[-1] < 75
