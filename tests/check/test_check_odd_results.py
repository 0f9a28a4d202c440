"""Results that no task asks for: each gets a sentence, never an error of the check's own."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pytest

from autograder import check
from autograder.check.claims import CLAIMS


class Shy:
    def __repr__(self):
        raise RuntimeError("no")


class ShyNumber(float):
    def __float__(self):
        raise RuntimeError("no")

    def __repr__(self):
        raise RuntimeError("no")


class Endless(list):
    def __len__(self):
        raise RuntimeError("no")


ODD = {
    "nothing": None,
    "infinity": float("inf"),
    "no number": float("nan"),
    "a huge whole number": 10**400,
    "huge whole numbers": [10**400],
    "ragged lists": [[1], [1, 2]],
    "a time": datetime.timedelta(1),
    "a missing value": pd.NA,
    "missing values": [pd.NA],
    "a masked number": np.ma.masked,
    "masked numbers": np.ma.array([1.0, 2.0], mask=[0, 1]),
    "without a repr": Shy(),
    "without a float": ShyNumber(1.0),
    "without a length": Endless([1]),
    "a text": "x",
    "a dictionary": {"a": 1},
    "a table": pd.DataFrame({"a": [1]}),
    "complex": 1j,
    "a date": np.datetime64("2027-01-01"),
    "an iterator": iter([1]),
}
# One of each kind of claim and of reading.
EXERCISES = (
    *("laplace_mechanism", "private_histogram", "discrete_laplace", "exponential_mechanism"),
    *("above_threshold", "clip_rows_l2", "household_beliefs", "perturb", "anonymize"),
    *("halved_noise_counterexample", "svt_counterexample", "noisy_max_counterexample"),
    *("epsilon_lower_bound", "k_anonymity", "logistic_gradient", "total_guarantee", "find_liars"),
)


@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("name", EXERCISES)
def test_an_odd_result_gets_a_sentence(name, kind):
    with pytest.raises(check.CheckFailure, match=f"✗ {name}: "):
        getattr(check, name)(lambda *given, **named: ODD[kind])


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("a huge whole number", "too large a number"),
        ("a masked number", "one number is wanted"),
        ("without a repr", "what cannot be shown"),
        ("without a float", "cannot be read"),
    ],
)
def test_what_it_says(kind, words):
    with pytest.raises(check.CheckFailure, match=words):
        check.laplace_mechanism(lambda value, *, sensitivity, epsilon: ODD[kind])


def test_a_nearly_right_answer_is_told_so():
    claim = CLAIMS["epsilon_for_error"]
    wrong = lambda *given, **named: 1.001 * claim.reference(*given, **named)  # noqa: E731
    with pytest.raises(check.CheckFailure, match=r"nearly right at .* off by 0.001 of it"):
        check.epsilon_for_error(wrong)


def test_a_small_table_is_shown():
    from autograder.check.in_words import arguments_in_words

    small = pd.DataFrame({"age": [31, 45], "job": ["cook", "nurse"]})
    assert arguments_in_words({"table": small}) == (
        "table of 2 rows (age: [31, 45], job: [cook, nurse])"
    )
    assert arguments_in_words({"table": pd.concat([small] * 20)}) == "table of 40 rows"


def test_an_answer_that_remembers_earlier_calls_is_told_so():
    kept = []

    def answer(*given, **named):
        kept.append(1)
        return claim.reference(*given, **named) * len(kept)

    claim = CLAIMS["epsilon_for_error"]
    with pytest.raises(check.CheckFailure, match="it remembers earlier calls"):
        check.epsilon_for_error(answer)


@pytest.mark.parametrize("found", [([7, 7, -50], [8, 6, -50], 0), ([8, 6, -500], [7, 7, -500], 0)])
def test_a_hopeless_candidate_does_not_spoil_a_counterexample(found):
    claim = CLAIMS["noisy_max_counterexample"]
    scores, neighbor, place = found
    first, second = (scores, neighbor) if scores[place] > neighbor[place] else (neighbor, scores)
    with pytest.raises(Exception, match="gap") as far:
        claim.verify({"epsilon": 2.5}, (first, second, place))
    with pytest.raises(Exception, match="gap") as near:
        claim.verify({"epsilon": 2.5}, (first[:2], second[:2], place))
    assert far.value.problem == near.value.problem


def test_an_encoding_may_use_another_one():
    import dplib

    def answer(values, *, categories):
        return dplib.unary_encode(values, categories=categories).argmax(axis=-1)

    assert check.direct_encode(answer).share == 1
