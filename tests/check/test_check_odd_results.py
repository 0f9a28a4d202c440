"""Results that no task asks for: each gets a sentence, never an error of the check's own."""

import datetime

import numpy as np
import pandas as pd
import pytest

from autograder import check
from autograder.check.answers import BadAnswer
from autograder.check.claims import CLAIMS
from autograder.check.function_claim import FunctionClaim


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
    *("above_threshold", "clipped_gradients", "household_beliefs", "perturb", "anonymize"),
    *("leaks_in_counts", "svt_counterexample", "noisy_max_counterexample"),
    *("epsilon_lower_bound", "k_anonymity", "renyi_divergence", "total_guarantee", "find_liars"),
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
        ("without a float", "carries more than its value"),
    ],
)
def test_what_it_says(kind, words):
    with pytest.raises(check.CheckFailure, match=words):
        check.laplace_mechanism(lambda value, *, sensitivity, epsilon: ODD[kind])


def doubled():
    """The claim of an exercise without chance."""

    def double(value):
        """Twice the value."""
        return 2.0 * value

    claim = FunctionClaim(double)
    claim.inputs(lambda rng: [{"value": value} for value in rng.uniform(2, 9, 4)])
    return claim


def test_a_nearly_right_answer_is_told_so():
    with pytest.raises(
        check.CheckFailure, match=r"nearly right at 4 of 4 inputs: off by at most 0.1 %"
    ):
        doubled().check(lambda value: 2.002 * value)
    with pytest.raises(check.CheckFailure, match=r"the value is wrong at 4 of 4 inputs"):
        doubled().check(lambda value: 2.1 * value**0.9)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda value: 5 * value, "the value is wrong at 4 of 4 inputs: 2.5 times what it"),
        (lambda value: -2 * value, "the value is wrong at 4 of 4 inputs: it has the wrong sign"),
        (lambda value: 2 * value - 1, "the value is wrong at 4 of 4 inputs: 1 too small"),
    ],
)
def test_values_that_are_wrong_in_one_way_are_told_which(answer, words):
    with pytest.raises(check.CheckFailure, match=words):
        doubled().check(answer)


def test_where_a_value_is_infinite_and_where_not_is_told():
    def largest(first, second):
        return np.log(np.max(first / np.maximum(second, 1e-300)))

    def never_zero(first, second):
        return np.inf if np.any(second == 0) else largest(first, second)

    with pytest.raises(check.CheckFailure, match=r"at \d of 14 inputs: it should be infinite"):
        check.max_divergence(largest)
    with pytest.raises(check.CheckFailure, match=r"at \d of 14 inputs: it is infinite"):
        check.max_divergence(never_zero)


def misspelled(value, *, sensitivity, epsilon, rng=None):
    return value + rnd.laplace(0, sensitivity / epsilon)  # noqa: F821


def other_parameters(value, sens, eps):
    return value + np.random.default_rng().laplace(0, sens / eps)


def beyond_the_end(value, *, sensitivity, epsilon, rng=None):
    return [value][1]


@pytest.mark.parametrize(
    ("answer", "problem", "ask"),
    [
        (misspelled, "it uses a name that is not there", "misspelled"),
        (other_parameters, "it cannot be called as the task says", "the line that begins with def"),
        (beyond_the_end, "it stops with IndexError", "read the last line of the error"),
    ],
)
def test_an_error_leads_to_its_cause(answer, problem, ask):
    with pytest.raises(check.CheckFailure) as refused:
        check.laplace_mechanism(answer)
    assert refused.value.problem == problem
    assert ask in " ".join(str(refused.value).split())


def test_a_small_table_is_shown():
    from autograder.check.wording.in_words import arguments_in_words

    small = pd.DataFrame({"age": [31, 45], "job": ["cook", "nurse"]})
    assert arguments_in_words({"table": small}) == (
        "table of 2 rows (age: [31, 45], job: [cook, nurse])"
    )
    large = pd.concat([small] * 20, ignore_index=True)
    assert arguments_in_words({"table": large}) == "table of 40 rows"


def test_labels_of_rows_are_shown_where_they_are_no_places():
    from autograder.check.wording.in_words import arguments_in_words

    column = pd.Series([31, 45, 31], index=[7, 7, 2])
    assert arguments_in_words({"values": column}) == "values [31, 45, 31] with the index [7, 7, 2]"
    far = pd.DataFrame({"age": range(40)}, index=range(40, 80))
    assert arguments_in_words({"table": far}) == "table of 40 rows with the index 40, 41, 42, ..."


def test_a_text_with_blanks_or_commas_is_quoted():
    from autograder.check.wording.in_words import arguments_in_words

    words = arguments_in_words({"categories": ["a", "a ", "a,b", ""], "years": [1976, 2004]})
    assert words == 'categories [a, "a ", "a,b", ""], years [1976, 2004]'


def test_nobody_computes_by_hand_what_is_not_shown_in_full():
    def total(values):
        """The sum of the values."""
        return float(np.sum(values))

    for size, ask in ((5, "compute this one by hand"), (40, "a small input of your own")):
        claim = FunctionClaim(total)
        claim.inputs(lambda rng, size=size: [{"values": rng.uniform(1, 9, size)}] * 4)
        with pytest.raises(check.CheckFailure) as refused:
            # Of fewer values the sum is right: no smaller input is wrong.
            claim.check(lambda values, size=size: float(np.sum(values**1.1)) if len(values) == size
                        else total(values))  # fmt: skip
        assert ask in " ".join(str(refused.value).split())


_DOUBLES = {}


def double_of_the_first_such(value):
    return _DOUBLES.setdefault(round(value), 2 * value)


def test_a_value_that_would_be_right_if_it_were_asked_first_is_told_so():
    claim = doubled()
    with pytest.raises(check.CheckFailure, match="it remembers earlier calls"):
        for _ in range(20):
            claim.check(double_of_the_first_such)


def test_an_answer_that_remembers_earlier_calls_is_told_so():
    kept = []

    def double(value):
        kept.append(value)
        return 2 * value + len(kept)

    with pytest.raises(check.CheckFailure, match="it remembers earlier calls"):
        doubled().check(double)
    with pytest.raises(check.CheckFailure, match="does the task ask for random numbers"):
        doubled().check(lambda value: 2 * value + np.random.default_rng().random())


@pytest.mark.parametrize("far", [50.0, 1e9])
def test_a_hopeless_candidate_does_not_spoil_a_counterexample(far):
    claim = CLAIMS["noisy_max_counterexample"]
    case = {"epsilon": 2.5, "sensitivity": 1.0, "size": 3}
    words = []
    for low in (-far, -30.0):
        with pytest.raises(BadAnswer) as refused:
            claim.verify(case, ([8, 6, low], [7, 7, low], 0))
        words.append((refused.value.problem, refused.value.seen))
    assert words[0] == words[1]
