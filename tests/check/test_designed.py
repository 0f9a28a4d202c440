"""Designed inputs: what they reach, and how answers that are wrong only there are told."""

import dataclasses
import time

import numpy as np
import pandas as pd
import pytest

from autograder import check
from autograder.check.claims import CLAIMS
from autograder.check.designed import (
    EDGES,
    at_edges,
    columns,
    each_edge,
    gaps,
    indexed,
    labels,
    unreached,
)
from autograder.check.designed.trials import look_at_designed
from autograder.check.door import opened
from autograder.check.effort import LONG, SHORT, at_length
from autograder.check.function_claim import FunctionClaim

RNG = np.random.default_rng()
ONE_LONG = next(LONG.looks())


@pytest.mark.parametrize("name", EDGES)
def test_a_value_lies_at_every_edge_of_a_parameter(name):
    for _ in range(50):
        values = at_edges(name, RNG)
        assert len(values) == len(EDGES[name])
        assert all(any(edge.holds(value) for value in values) for edge in EDGES[name])
        assert unreached([{name: value} for value in values]) == []


def test_edges_that_the_task_rules_out_are_left_out():
    assert all(value < 0.01 for value in at_edges("delta", RNG, but=["above 0.01"]))
    with pytest.raises(ValueError, match="but must name edges of delta"):
        at_edges("delta", RNG, but=["above 1"])
    with pytest.raises(ValueError, match="parameter must be one of"):
        at_edges("colour", RNG)


def test_what_no_input_reaches_is_named():
    cases = [{"epsilon": 0.5, "colour": "red"}, {"epsilon": 0.01}, {"epsilon": "high"}]
    assert unreached(cases) == ["epsilon above 5", "epsilon above 10"]
    assert unreached([{"colour": "red"}]) == []


def test_columns_have_the_structure_they_are_named_for():
    found = columns(RNG, lower=-5, upper=20)
    assert found["no rows"].size == 0
    assert found["one row"].size == 1
    assert np.ptp(found["all equal"]) == 0
    assert not found["all zero"].any()
    assert (found["nothing to clip"] == found["nothing to clip"].clip(-5, 20)).all()
    assert (found["all below"] < -5).all()
    assert (found["all above"] > 20).all()
    assert set(found["all at the ends"]) <= {-5, 20}
    assert len(set(found["ties"])) < len(found["ties"])
    assert (np.diff(found["falling"]) <= 0).all()
    assert len(found["many rows"]) > 1_000
    assert found["whole numbers"].dtype == np.int64
    assert found["whole numbers of 16 bits"].dtype == np.int16
    assert all(len(each) > 1 for each in columns(RNG, lower=0, upper=1, least=2).values())
    with pytest.raises(ValueError, match="lower must be below upper, got 3 and 3"):
        columns(RNG, lower=3, upper=3)


def test_a_short_column_is_too_long_for_its_type():
    values = columns(RNG, lower=0, upper=99)["whole numbers of 16 bits"]
    assert values.sum() > np.iinfo(np.int16).max


def test_labels_of_a_series_are_no_places():
    kinds = set()
    for _ in range(100):
        series = indexed(RNG, np.arange(8.0))
        assert isinstance(series, pd.Series)
        assert list(series.index) != list(range(8))
        kinds.add((series.index.is_unique, series.index.dtype.kind))
    assert len(kinds) >= 3
    assert len(indexed(RNG, np.zeros(0))) == 0


def test_categories_differ_although_careless_code_takes_them_for_equal():
    found = labels(RNG, mixed=True)
    assert "a number beside its text" not in labels(RNG)
    assert all(len(set(each)) == len(each) for each in found.values())
    begun = found["one begins another"]
    assert any(one != other and one in other for one in begun for other in begun)
    assert len({str(each) for each in found["a number beside its text"]}) == 2
    assert len(found["more than 20"]) > 20
    assert len(found["one only"]) == 1


def test_missing_values_stand_beside_what_fills_them():
    for values in gaps(RNG, 5).values():
        assert len(values) == 5
        assert None in values
        assert any(each in (0, -1, "", "nan") for each in values if each is not None)


def test_one_parameter_at_a_time_is_at_an_edge():
    base = {"value": 3.5, "epsilon": 0.8}
    *named, (last, whole) = each_edge(base, RNG)
    assert (last, whole) == ("whole numbers only", {"value": 3.5, "epsilon": 3})
    assert len(named) == len(EDGES["value"]) + len(EDGES["epsilon"])
    for name, given in named:
        (changed,) = [key for key in base if given[key] != base[key]]
        assert name == f"{changed} {given[changed]:,}"
    assert all(given["value"] == 3.5 for _, given in each_edge(base, RNG, "epsilon"))


# --- functions without chance -----------------------------------------------------------------


def share(values):
    """The share of values above 0."""
    return np.mean(values > 0) if len(values) else 0.0


@pytest.fixture
def claim():
    made = FunctionClaim(share)
    made.inputs(lambda rng: [{"values": rng.uniform(-1, 1, 5)} for _ in range(3)])
    made.designed(
        lambda rng: [
            (name, {"values": values})
            for name, values in columns(rng, lower=-3, upper=4).items()
            if name in ("no rows", "all zero")
        ]
    )
    made.mistake("0 counts as above 0", "is it?", lambda values: np.mean(values >= 0))
    return made


def said(claim, answer) -> str:
    with pytest.raises(check.CheckFailure) as failure:
        claim.check(answer)
    return str(failure.value)


def test_a_right_answer_is_right_at_the_edges_too(claim):
    assert "right at 5 inputs" in repr(claim.check(share))
    assert claim.blind_spots() == {}


def test_an_answer_that_is_wrong_only_at_an_edge_is_told_which(claim):
    def clean(values):
        return share(values) if len(values) and values.any() else 0.5

    assert "right at ordinary inputs, and wrong at an edge" in said(claim, clean)
    assert "no rows: values []: the answer should be 0, yours is 0.5" in said(claim, clean)


def test_an_error_at_an_edge_names_the_edge(claim):
    words = said(claim, lambda values: sum(values > 0) / len(list(values)))
    assert "it stops with ZeroDivisionError" in words
    assert "at an edge (no rows)" in words


def test_a_mistake_that_shows_at_ordinary_inputs_is_named_as_ever(claim):
    claim.mistake("the smallest is returned", "why?", lambda values: min(values))
    assert "the smallest is returned" in said(claim, lambda values: min(values))


def test_an_edge_that_no_input_reaches_is_a_blind_spot():
    def half(epsilon):
        """Half of epsilon."""
        return epsilon / 2

    claim = FunctionClaim(half, outside=("epsilon above 5",))
    claim.inputs(lambda rng: [{"epsilon": 0.5}])
    assert claim.blind_spots() == {}
    claim.designed(lambda rng: [("small", {"epsilon": 0.01})])
    assert claim.blind_spots() == {"epsilon above 10": 0.0}


# --- noise: the probability of a false failure is that of a check, 1e-9 -------------------------


def laplace(value, scale):
    return float(value + RNG.laplace(scale=scale))


@pytest.mark.parametrize(
    ("at_edge", "times"),
    [
        (lambda value, sensitivity, epsilon: value == 0, 0),
        (lambda value, sensitivity, epsilon: sensitivity < 1, 1000),
        (lambda value, sensitivity, epsilon: epsilon > 5, 1000),
        (lambda value, sensitivity, epsilon: epsilon < 0.05, 1e-3),
        (lambda value, sensitivity, epsilon: abs(value) > 1e4, 1000),
    ],
    ids=["value 0", "sensitivity below 1", "large epsilon", "small epsilon", "large value"],
)
def test_noise_that_is_wrong_only_at_an_edge_is_found(at_edge, times):
    # Six draws, the fewest that an edge gets, of noise that is a thousand times too large or too
    # small, or missing: they stay below the 26 nats that are needed with probability below 1e-9.
    def wrong(value, *, sensitivity, epsilon, rng=None):
        factor = times if at_edge(value, sensitivity, epsilon) else 1
        return laplace(value, factor * sensitivity / epsilon)

    long = dataclasses.replace(ONE_LONG, answers=1)  # the ordinary settings get little
    for _ in range(5):
        with pytest.raises(check.CheckFailure, match="at an edge"), at_length("", long):
            CLAIMS["laplace_mechanism"].check(wrong)


def right(value, *, sensitivity, epsilon, rng=None):
    return laplace(value, sensitivity / epsilon)


@pytest.mark.parametrize(
    ("length", "unseen", "note"),
    [(ONE_LONG, 9, "not ruled out: "), (SHORT, 0, "")],
    ids=["long", "short"],
)
def test_a_long_look_takes_all_edges_or_says_so(length, unseen, note):
    claim = dataclasses.replace(
        CLAIMS["laplace_mechanism"], designed=lambda rng: [("a value of 7", SEVEN)] * 9
    )
    no_work = dataclasses.replace(length, patience=0.0, idle=1e9, graded=False)
    with at_length("", no_work):
        left = look_at_designed(claim, opening(claim, right), claim.designed(RNG), level=1e-10)
    assert len(left) == unseen
    with at_length("", no_work):
        assert claim.check(right).unjudged.startswith(note)


def test_a_short_look_has_work_for_some_edges_and_a_long_one_for_more_draws(monkeypatch):
    monkeypatch.setattr("autograder.check.designed.trials._SECONDS_EACH", 1e9)
    asked = []

    def counting(value, *, sensitivity, epsilon, rng=None):
        asked.append(value)
        return right(value, sensitivity=sensitivity, epsilon=epsilon)

    def asked_at(length, edges: int) -> int:
        asked.clear()
        named = [("a value of 7", SEVEN)] * edges
        with at_length("", length):
            claim = CLAIMS["laplace_mechanism"]
            look_at_designed(claim, opening(claim, counting), named, level=1e-10)
        return len(asked)

    assert asked_at(dataclasses.replace(SHORT, work=1e-9), 1_000) < 6 * 1_000
    # A right answer is asked for more than these with probability below 1/8: never ten times.
    fewest = [min(asked_at(length, 1) for _ in range(10)) for length in (SHORT, ONE_LONG)]
    assert fewest == [60, 240]


def opening(claim, answer):
    return lambda settings: opened(claim, answer, settings)


def test_a_slow_answer_is_asked_a_few_times_at_each_edge():
    asked = []

    def slow(value, *, sensitivity, epsilon, rng=None):
        asked.append(value)
        time.sleep(0.003)
        return laplace(value, sensitivity / epsilon)

    claim = dataclasses.replace(
        CLAIMS["laplace_mechanism"], designed=lambda rng: [("a value of 7", SEVEN)] * 9
    )
    claim.check(slow)
    assert asked.count(7) >= 9 * 6


SEVEN = {"value": 7, "sensitivity": 2.0, "epsilon": 1.0}


def test_a_claim_reports_the_edges_that_none_of_its_settings_is_at():
    claim = dataclasses.replace(
        CLAIMS["laplace_mechanism"], designed=lambda rng: [("a value of 7", SEVEN)]
    )
    assert "sensitivity below 1" in claim.blind_spots()
    outside = tuple(f"{name} {edge.name}" for name, some in EDGES.items() for edge in some)
    assert dataclasses.replace(claim, outside=outside).blind_spots() == {}
