"""A messy table, questions as text, and a meter that knows units."""

import math

import numpy as np
import pandas as pd
import pytest
from laws import follows
from scipy import stats

import dplib
from dplib.release.expressions import RowError
from dplib.release.meter import CLOSED, COLUMNS, unit_sums
from dplib.release.visits import AGES, DEAREST, MOST_ROWS, PLACES

PLACE = "'' if missing(place) else place.strip().title()"
PAID = "within(amount / (100 if day <= 120 else 1), 0, 500)"


@pytest.fixture(scope="module")
def table():
    return dplib.make_visits(18)


def expression(text):
    return dplib.RowExpression(text, columns=COLUMNS, closed=CLOSED)


def sums(table, by, value="1", **how):
    return unit_sums(table, expression(by), expression(value), **how)


# --- the table ------------------------------------------------------------------------------------


def test_a_seed_draws_one_county_and_another_seed_another(table):
    pd.testing.assert_frame_equal(table, dplib.make_visits(18))
    assert not table.equals(dplib.make_visits(19)) and not table.equals(dplib.make_visits([18, 1]))


def test_the_table_is_messy_as_the_data_dictionary_says(table):
    rows = table.groupby("person").size()
    assert len(rows) == 4000 and rows.min() == 1 and 220 < rows.max() <= MOST_ROWS
    assert table["day"].between(1, 365).all() and table["hour"].between(0, 23).all()
    assert (
        table["place"].isna().any() and table["amount"].isna().any() and table["age"].isna().any()
    )
    assert {"Poplar", "ELM", "Elm "} <= set(table["place"].dropna())
    assert table["amount"].max() > 9e6 and table["amount"].min() < 0 and table["age"].max() == 999
    assert table.duplicated().sum() > 100


def test_cleaning_keeps_the_rules_of_the_dictionary(table):
    tidy = dplib.clean_visits(table)
    assert set(tidy["place"].dropna()) == set(PLACES)
    assert tidy["paid"].between(0, DEAREST).all() and (tidy["paid"] > 0).mean() > 0.9
    assert set(tidy["age"].dropna()) == set(range(len(AGES) - 1))
    # It looks at each row alone.
    some = table.sample(50, random_state=1)
    pd.testing.assert_frame_equal(dplib.clean_visits(some), tidy.loc[some.index])


def test_people_must_be_a_whole_number():
    for wrong in (0, 9, 1.5, "many"):
        with pytest.raises(ValueError, match="people"):
            dplib.make_visits(1, people=wrong)


# --- expressions ----------------------------------------------------------------------------------


def test_an_expression_is_worked_out_at_each_row_as_python_would():
    rows = pd.DataFrame(
        {"day": [3, 200], "hour": [4, 23], "place": [" elm ", None], "amount": [250.0, np.nan],
         "age": [999.0, 17.0]}
    )  # fmt: skip
    for text, wanted in {
        "hour // 3": [1, 7],
        PLACE: ["Elm", ""],
        PAID: [2.5, 0],
        "(hour // 3, day % 7)": [(1, 3), (7, 4)],
        "age if age < 120 else 0": [0, 17],
        "place in ('Elm', ' elm ')": [True, False],
        "not missing(amount) and day * 2 < 7": [True, False],
        "max(hour, 10) - -1": [11, 24],
        "7": [7, 7],
    }.items():
        assert expression(text)(rows) == wanted, text


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')", "open('x')", "place.__class__", "place.format(age)", "age ** 99",
        "[age for age in (1, 2)]", "lambda: 1", "(age := 3)", "f'{age}'", "max", "day.real",
        "missing", "person", "note", "nothing", "age +", "", "1; 2", "max(*place)", "3 @ 2",
        "place.strip", "within(x=1)", "().__class__", "b'a'", "9j", "...", 7, None, "1" * 501,
        "-" * 480 + "1", "(" * 240 + "1" + ")" * 240,
    ],
)  # fmt: skip
def test_what_is_no_question_about_a_row_is_refused_before_any_row_is_seen(text):
    with pytest.raises(ValueError):
        expression(text)


@pytest.mark.parametrize(
    "text",
    ["place * 999999999", "'%999999999d' % day", "1 / (amount - 3)", "age < place", "int(age)"],
)
def test_an_expression_stops_at_a_row_and_does_not_say_at_what(text):
    rows = pd.DataFrame({"day": [1], "hour": [1], "place": ["Secret"], "amount": [3.0],
                         "age": [np.nan]})  # fmt: skip
    with pytest.raises(RowError) as stopped:
        expression(text)(rows)
    words = str(stopped.value)
    assert words == "the expression stops at a row"
    assert stopped.value.__cause__ is None and stopped.value.__suppress_context__


def test_a_value_must_be_a_finite_number():
    rows = pd.DataFrame(
        {"day": [1], "hour": [1], "place": ["1"], "amount": [np.nan], "age": [1e308]}
    )
    for text in ("amount", "place", "age * 10", "(1, 2)"):
        with pytest.raises(RowError):
            expression(text).numbers(rows)
    assert expression("hour > 0").numbers(rows).tolist() == [1]


# --- the meter ------------------------------------------------------------------------------------


def test_the_sums_of_units_are_those_of_pandas(table):
    tidy = dplib.clean_visits(table)
    paid = sums(table, "(day - 1) // 92", PAID, cells=range(4), unit="person", each="sum")
    wanted = tidy.groupby(["person", "quarter"])["paid"].sum().unstack(fill_value=0)
    np.testing.assert_allclose(np.sort(paid, axis=0), np.sort(wanted.to_numpy(), axis=0))
    people = sums(table, PLACE, cells=PLACES, unit="person", each="any").sum(axis=0)
    counted = tidy.dropna(subset="place").groupby("place")["person"].nunique()
    assert people.tolist() == counted.reindex(list(PLACES)).tolist()
    days = sums(table, "0", cells=[0], unit="person-day", each="any")
    assert len(days) == days.sum() == len(tidy[["person", "day"]].drop_duplicates())
    assert sums(table, "0", cells=[0], unit="row", each="sum").shape == (len(table), 1)


@pytest.mark.parametrize("budget", ["epsilon", "rho"])
@pytest.mark.parametrize("unit", ["person", "person-day", "row"])
def test_one_unit_moves_an_answer_by_its_bound_at_most(table, budget, unit):
    """With a budget of 1e30 there is no noise to speak of."""
    heaviest = table["person"].value_counts().index[0]
    gone = table["person"] == heaviest
    if unit == "row":
        gone &= table.index == table.index[gone][0]
    if unit == "person-day":
        gone &= table["day"] == table["day"][gone].iloc[0]
    question = {"cells": range(8), "unit": unit, "bound": 2.5, budget: 1e30, "value": "7"}
    with_all, without = (
        dplib.MeteredVisits(each, **{budget: 1e30}).ask("hour // 3", **question)
        for each in (table, table[~gone])
    )
    order = 1 if budget == "epsilon" else 2
    assert np.linalg.norm(with_all - without, ord=order) == pytest.approx(2.5, abs=1e-6)


def test_the_noise_has_its_law_and_half_of_it_is_seen(table):
    """Each `follows` is wrong with probability at most 1e-9."""
    some = table.head(100)
    look = {"cells": range(500), "unit": "person", "bound": 6, "each": "any"}
    laplace = dplib.MeteredVisits(some, epsilon=1.0)
    gaussian = dplib.MeteredVisits(some, rho=1.0)
    draws = np.concatenate([laplace.ask("1000", epsilon=0.1, **look) for _ in range(8)])
    normal = np.concatenate([gaussian.ask("1000", rho=0.1, **look) for _ in range(8)])
    assert follows(draws, stats.laplace(scale=60).cdf)
    assert not follows(draws, stats.laplace(scale=30).cdf)
    assert follows(normal, stats.norm(scale=6 / math.sqrt(0.2)).cdf)
    assert not follows(normal, stats.norm(scale=3 / math.sqrt(0.2)).cdf)


def test_the_bill_adds_up_and_a_person_pays_for_all_their_units(table):
    look = {"cells": [0], "bound": 1}
    for unit, most in (
        ("person", 1),
        ("person-day", 300),
        ("row", 300),
    ):
        meter = dplib.MeteredVisits(table, epsilon=1.0)
        for _ in range(10):
            meter.ask("0", unit=unit, epsilon=0.1, **look)
        assert meter.spent == pytest.approx(1) and meter.spent_by_person == pytest.approx(most)
        with pytest.raises(dplib.BudgetExceededError, match="the budget is 1"):
            meter.ask("0", unit=unit, epsilon=0.001, **look)
        assert len(meter.looks) == 10
        meter = dplib.MeteredVisits(table, rho=0.5)
        meter.ask("0", unit=unit, rho=0.5, **look)
        assert meter.spent_by_person == pytest.approx(0.5 * most**2)


def test_a_question_that_stops_ends_the_run_and_costs_nothing(table):
    meter = dplib.MeteredVisits(table, epsilon=1.0)
    look = {"cells": [0], "unit": "person", "bound": 1, "epsilon": 0.1}
    meter.ask("0", **look)
    for by, value in (("0", "amount"), ("0", "1"), ("place.strip()", "1")):
        with pytest.raises(dplib.RunEndedError):
            meter.ask(by, value=value, **look)
    assert meter.spent == 0.1 and len(meter.looks) == 1


def test_a_table_without_rows_is_answered(table):
    meter = dplib.MeteredVisits(table.head(0), epsilon=1.0)
    answer = meter.ask("0", cells=[0, 1], unit="person", bound=1, epsilon=0.5)
    assert answer.shape == (2,) and np.isfinite(answer).all()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"unit": "house"}, "unit"),
        ({"each": "max"}, "each"),
        ({"bound": 0}, "bound"),
        ({"bound": math.inf}, "bound"),
        ({"epsilon": -1}, "epsilon"),
        ({"epsilon": None}, "epsilon"),
        ({"rho": 1}, "epsilon"),
        ({"cells": []}, "cells"),
        ({"cells": [1, 1]}, "cells"),
        ({"cells": 3}, "cells"),
        ({"cells": range(1001)}, "cells"),
        ({"value": "note"}, "`note` must not be used"),
    ],
)
def test_a_bad_argument_is_named(table, change, words):
    look = {"cells": [0], "unit": "person", "bound": 1, "epsilon": 0.1}
    meter = dplib.MeteredVisits(table, epsilon=1.0)
    with pytest.raises(ValueError, match=words):
        meter.ask("0", **look | change)
    assert meter.spent == 0


def test_a_release_has_one_unit_and_one_budget(table):
    meter = dplib.MeteredVisits(table, epsilon=1.0)
    look = {"cells": [0], "bound": 1, "epsilon": 0.1}
    meter.ask("0", unit="person", **look)
    with pytest.raises(ValueError, match="a release has one"):
        meter.ask("0", unit="row", **look)
    for wrong in ({}, {"epsilon": 1, "rho": 1}, {"epsilon": 0}, {"rho": math.nan}):
        with pytest.raises(ValueError, match=r"epsilon|rho"):
            dplib.MeteredVisits(table, **wrong)
