"""What a release earns: twelve answers from fixed counties, and who tries to pass the meter by."""

import gc
import importlib
import math
import re
import time

import numpy as np
import pandas as pd
import pytest
from places import ROOT
from scipy import stats
from wrong_answers import ZOO

import dplib
from autograder import check
from autograder.check.answers import BadAnswer
from autograder.check.claims import CLAIMS
from autograder.check.claims.release import _attacker, _release_claim
from autograder.check.claims.release._release_claim import class_seed, quality
from autograder.check.claims.release._targets import CONCENTRATED, PLAIN

known = importlib.import_module("wrong_answers.18_release")

# Three good answers of different kinds, and nine with the mistakes that people make: points of 80,
# or the words that say why there are none. Counties and noise come from a fixed seed.
WORTH = {
    known.plain: 71,
    known.rescaled: 69,
    known.adaptive: 61,
    known.no_width: 50,
    known.nobody_cut: 35,
    known.untidy: 30,
    known.one_visit: 18,
    known.by_row: 2,
    known.guessed: "the tables say nothing about the county",
    known.repeated: "the bill would be larger than the budget",
    known.with_look(by="place.strip()", cells=["Elm"]): "nothing is published",
    known.with_look(by="note", cells=["file 000001"]): "the column `note` must not be used",
}
ROOM = 2  # points, where a release of numpy draws other numbers from a seed


@pytest.fixture
def fixed(monkeypatch):
    """Judge from one seed: the same counties and the same noise for every answer."""
    monkeypatch.setattr(_release_claim, "fresh_generator", lambda: np.random.default_rng(2026))


@pytest.mark.parametrize("place", range(len(WORTH)))
def test_what_each_of_twelve_answers_earns(fixed, place):
    answer, worth = list(WORTH.items())[place]
    begun = time.process_time()
    if isinstance(worth, str):
        with pytest.raises(check.CheckFailure, match=re.escape(worth)):
            check.publish_visits(answer)
    else:
        result = check.publish_visits(answer)
        assert 80 * result.share == pytest.approx(worth, abs=ROOM), result
        assert f"{80 * result.share:.0f} of 80" in repr(result)
    assert time.process_time() - begun < 10


def test_the_chapter_tells_what_they_earn():
    (page,) = (ROOT / "course").glob("*/[0-9][0-9]_release.md")
    table = page.read_text("utf-8").split("| release | of 80 |")[1].split("\n\n")[0]
    told = [int(each) for each in re.findall(r"\| (\d+) \|$", table, re.M)]
    assert told == [0 if isinstance(worth, str) else worth for worth in WORTH.values()]


def test_the_words_name_a_unit_that_is_a_row(fixed):
    said = repr(check.publish_visits(known.by_row))
    assert "the unit is a row, so a person pays epsilon 300 and not 1" in said
    assert "in 100% of cases, and a tenth of the points is left" in said


def test_good_answers_of_part_2_earn_their_points(fixed):
    for answer, worth in zip(ZOO.right["publish_concentrated"], (68, 60, 67), strict=True):
        assert 80 * check.publish_concentrated(answer).share == pytest.approx(worth, abs=ROOM)


@pytest.mark.parametrize("name", ["publish_visits", "publish_concentrated"])
def test_the_points_reach_nbgrader(name):
    assert sum(each.points for each in CLAIMS[name].targets.values()) == 45
    result = getattr(check, name)(ZOO.right[name][0])
    assert 0 < result.points(10) < 10 and result.points(10) == 10 * result.share


def test_the_class_has_a_county_of_its_own(monkeypatch):
    assert class_seed() == 18
    monkeypatch.setenv("COURSE_SEED", "2027")
    assert class_seed() == 2027
    claim = CLAIMS["publish_visits"]
    seeds = [case["seed"] for case in claim.cases(np.random.default_rng(1))]
    assert seeds[0] == 2027 and len(set(seeds)) == 5
    monkeypatch.setenv("COURSE_SEED", "no number")
    assert class_seed() == 18


# --- the score ------------------------------------------------------------------------------------

EXACT = {name: np.linspace(90, 110, target.cells) for name, target in PLAIN.items()}


def published(low, high, shift=0.0):
    return {
        name: np.column_stack([exact + shift, exact + low, exact + high])
        for name, exact in EXACT.items()
    }


@pytest.mark.parametrize(
    ("low", "high", "share"),
    [
        (-5, 5, 1.0),  # narrow, and they hold the truth
        (0, 0, 1.0),  # exact is as narrow as can be, if it is true
        (1, 1, 0.0),  # no width, and wrong
        (-75, 75, 0.0),  # as wide as a cell and a half
        (-1e9, 1e9, 0.0),
        (-15, 15, math.log(1.5 / 0.3) / math.log(10)),
    ],
)
def test_intervals_need_both_truth_and_width(low, high, share):
    assert quality(published(low, high), EXACT, PLAIN).intervals == pytest.approx(share)


def test_each_halving_of_an_error_earns_the_same():
    shares = [quality(published(-1, 1, shift=shift), EXACT, PLAIN).accuracy for shift in (8, 4)]
    assert quality(published(-1, 1), EXACT, PLAIN).accuracy == pytest.approx(1)
    assert quality(published(-1, 1, shift=1e6), EXACT, PLAIN).accuracy == 0
    steps = sum(
        each.points * math.log(2) / math.log(each.worst / each.best)
        for name, each in PLAIN.items()
        if name != "people by age"
    )
    age = PLAIN["people by age"]
    steps += age.points * (age.share(0.04) - age.share(0.08))
    assert shares[1] - shares[0] == pytest.approx(steps / 45)


@pytest.mark.parametrize("targets", [PLAIN, CONCENTRATED])
def test_the_exact_tables_are_those_of_a_plain_count(targets):
    table = dplib.make_visits([18, 1], people=500)
    tidy = dplib.clean_visits(table)
    exact = {name: target.exact(tidy) for name, target in targets.items()}
    assert all(exact[name].shape == (target.cells,) for name, target in targets.items())
    for place, people in zip(dplib.release.visits.PLACES, exact["people by place"], strict=True):
        there = [str(each).strip().title() == place for each in table["place"]]
        assert people == table["person"][there].nunique()
    if targets is CONCENTRATED:
        assert exact["visits until each week"][-1] == len(table)
        assert exact["visits by place and hour"].sum() == tidy["place"].notna().sum()


# --- the attack -----------------------------------------------------------------------------------


def metered(table, *, unit="person", bound=8.0, value="1", **budget):
    meter = dplib.MeteredVisits(table, **budget, rng=np.random.default_rng(3))
    meter.ask("hour // 3", cells=range(8), unit=unit, bound=bound, value=value, **budget)
    return meter


def test_the_attack_on_one_number_is_right_as_often_as_its_law_says():
    """Of one Laplace answer that moves by its whole scale: 1 - exp(-1/2) / 2."""
    table = dplib.make_visits(18, people=50)
    meter = dplib.MeteredVisits(table, epsilon=1.0)
    meter.ask("0", cells=[0], unit="person", bound=3, epsilon=1.0, value="100")
    exact = 1 - math.exp(-0.5) / 2
    # 4,000 draws of a fixed seed: 6 standard deviations of their mean.
    assert _attacker.success(meter, table) == pytest.approx(exact, abs=0.05)
    meter = dplib.MeteredVisits(table, rho=0.5)
    meter.ask("0", cells=[0], unit="person", bound=3, rho=0.5, value="100")
    assert _attacker.success(meter, table) == pytest.approx(stats.norm.cdf(0.5))


@pytest.mark.parametrize("budget", [{"epsilon": 1.0}, {"epsilon": 0.1}, {"rho": 0.1}])
def test_no_attack_is_right_more_often_than_the_promise_allows(budget):
    table = dplib.make_visits(18, people=50)
    for unit, bound in (("person", 8.0), ("person", 300.0), ("person-day", 1.0), ("row", 1.0)):
        meter = metered(table, unit=unit, bound=bound, **budget)
        within = _attacker.success(meter, table) <= _attacker.most_success(meter) + 0.03
        # One row more of 300 is found: for a person the promise does not hold.
        assert within == (unit == "person")


def test_nothing_asked_tells_nothing():
    table = dplib.make_visits(18, people=50)
    assert _attacker.success(dplib.MeteredVisits(table, epsilon=1.0), table) == 0.5


# --- past the meter -------------------------------------------------------------------------------


def of_found_rows(ask, *, epsilon):
    """Look for the meter's rows among all that the process holds: in a notebook they are there."""
    known.asked_first(ask, epsilon=epsilon)
    tables = known.guessed(ask, epsilon=epsilon)
    rows = [each for each in gc.get_objects() if isinstance(each, pd.DataFrame)]
    rows = [each for each in rows if {"person", "note"} <= set(each.columns)]
    for found in rows:
        paid = dplib.clean_visits(found).groupby("quarter")["paid"].sum()
        if any(meter._table is found for meter in map(_meter_of, [ask])):
            tables["paid by quarter"] = np.repeat(paid.to_numpy()[:, None], 3, axis=1)
    return tables


def _meter_of(ask):
    return ask.meter


def test_exact_figures_are_named_where_the_meter_can_be_walked_around():
    with pytest.raises(check.CheckFailure, match="exact figures are published"):
        check.publish_visits(of_found_rows)


def test_figures_of_the_class_s_county_help_in_no_other(fixed):
    """Who has drawn the class's county by its seed knows one county of five."""
    tidy = dplib.clean_visits(dplib.make_visits([18, 1]))
    exact = {name: target.exact(tidy) for name, target in PLAIN.items()}

    def from_elsewhere(ask, *, epsilon):
        known.asked_first(ask, epsilon=epsilon)
        return {name: np.repeat(each[:, None] + 1, 3, axis=1) for name, each in exact.items()}

    assert 80 * check.publish_visits(from_elsewhere).share < 35


def test_a_refusal_that_is_caught_is_judged():
    def caught(ask, *, epsilon):
        tables = known.plain(ask, epsilon=epsilon)
        try:
            ask("0", cells=[0], unit="person", bound=1, epsilon=1)
        except Exception:
            return tables
        raise AssertionError("it was answered")

    with pytest.raises(check.CheckFailure, match="the bill would be larger"):
        check.publish_visits(caught)


@pytest.mark.parametrize("value", ["1 / (amount - 9999999)", "amount", "int(place)", "len(age)"])
def test_no_row_stands_in_an_error_message(value):
    """An answer that is told an error is told the same words, whatever the rows are."""
    said = set()
    for seed in (1, 2, 3):
        table = dplib.make_visits(seed, people=200)
        ask = _release_claim.Ask(table, {"epsilon": 1.0}, seed)
        look = {"cells": [0], "unit": "person", "bound": 1, "epsilon": 0.1}
        for _ in range(2):
            with pytest.raises(BadAnswer) as stopped:
                ask("0", value=value, **look)
            said.add((stopped.value.problem, stopped.value.seen, str(stopped.value)))
    assert len(said) == 1 and "nothing is published" in said.pop()[0]
