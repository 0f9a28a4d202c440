"""Claims about functions without chance: what an author writes, and what a student then reads."""

import math
import re
import textwrap
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from autograder import check
from autograder.check.counterexample import CounterexampleClaim
from autograder.check.function_claim import FunctionClaim
from autograder.check.wording.in_words import in_turn, side_by_side


def scale(sensitivity, *, epsilon):
    """The scale of Laplace noise: sensitivity / epsilon."""
    return sensitivity / epsilon


def claim_of(reference, cases, **options):
    """Return a claim whose inputs are always the same."""
    claim = FunctionClaim(reference, **options)
    claim.inputs(lambda rng: cases)
    return claim


@pytest.fixture
def claim():
    made = claim_of(scale, [{"sensitivity": 3, "epsilon": 0.5}, {"epsilon": 4.0, "sensitivity": 2}])
    made.mistake("epsilon is ignored", "why?", given={"epsilon": 1})
    made.mistake("it is upside down", "why?", then=lambda right: 1 / right)
    made.mistake("they are added", "why?", lambda sensitivity, epsilon: sensitivity + epsilon)

    @made.mistake("they are multiplied", "why?")
    def multiplied(sensitivity, *, epsilon):
        return sensitivity * epsilon

    return made


def said(claim, answer) -> str:
    with pytest.raises(check.CheckFailure) as failure:
        claim.check(answer)
    return str(failure.value)


def test_signature_help_and_words_come_from_the_reference(claim):
    assert claim.name == "scale"
    assert claim.about == (
        "Check `scale(sensitivity, *, epsilon)`: the scale of Laplace noise: sensitivity / epsilon."
    )
    result = repr(claim.check(lambda sensitivity, *, epsilon: sensitivity / epsilon))
    assert result == "✓ the scale of Laplace noise: sensitivity / epsilon: right at 2 inputs"
    assert "sensitivity 3, epsilon 0.5: the answer should be 6, yours is 7" in said(
        claim, lambda sensitivity, epsilon: 7
    )


def test_each_way_to_write_a_mistake_is_rejected_under_its_name(claim):
    assert [mistake.name for mistake in claim.mistakes] == [
        "epsilon is ignored",
        "it is upside down",
        "they are added",
        "they are multiplied",
    ]
    for mistake in claim.mistakes:
        assert f"✗ scale: {mistake.name}\n" in said(claim, mistake.function)
    assert claim.blind_spots() == {}


def test_a_mistake_that_gives_no_value_explains_nothing(claim):
    claim.mistakes.clear()
    claim.mistake("a typo", "why?", lambda sensitivity, epsilon: sensitivty / epsilon)  # noqa: F821
    assert "the value is wrong at 2 of 2 inputs" in said(claim, lambda sensitivity, epsilon: 0)


def test_a_blind_spot_is_reported(claim):
    claim.mistake("it is rounded", "why?", then=lambda right: round(right, 9))
    assert claim.blind_spots() == {"it is rounded": 0.0}


def test_two_mistakes_that_agree_by_chance_are_told_apart_by_further_inputs():
    draws = iter([[{"value": 2}], [{"value": 2}], [{"value": 3}]])
    claim = FunctionClaim(half)
    claim.inputs(lambda rng: next(draws))
    claim.mistake("doubled", "why?", lambda value: 2 * value)
    claim.mistake("squared", "why?", lambda value: value**2)
    assert "half: squared" in said(claim, lambda value: value * value)


def half(value):
    """Half of the value."""
    return value / 2


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ([1.0, 2.0], [1.0, 2.0 + 1e-9], "2, then 2.000000001 at entry 1"),
        ([[0.0, np.nan], [0.0, 0.0]], [[0.0, np.nan], [1e-13, 0.0]], "0, then 1e-13 at entry 1, 0"),
        (0.1, 0.1 + 1e-16, "0.1, then 0.1000000000000001"),
        ([1.0], [1.0, 2.0], "an array of shape (1,), then an array of shape (2,)"),
    ],
)
def test_two_answers_that_hardly_differ_are_told_apart(first, second, words):
    assert "{}, then {}".format(*in_turn(first, second, {})) == words


def test_a_matrix_that_differs_by_next_to_nothing_is_told_by_one_number():
    said = side_by_side(np.zeros((2, 2)), np.full((2, 2), 1e-13), {})
    assert said == "entry 0, 0 should be 0, yours is 1e-13"


def test_every_call_has_arguments_of_its_own():
    table = pd.DataFrame({"age": [1, 2]})

    def total(table):
        """The sum of the ages."""
        table["age"] += 1
        return table["age"].sum() - len(table)

    claim = claim_of(total, [{"table": table}])
    claim.check(lambda table: table["age"].sum())
    assert table["age"].tolist() == [1, 2]
    assert "it changes what it is given" in said(claim, total)


def test_what_a_changed_argument_leads_to_is_told_after_it():
    def total(numbers, *, box):
        """The sum of the numbers."""
        return sum(numbers)

    class Box:
        """Not equal to its own copy."""

    claim = claim_of(total, [{"numbers": [1, 2, 3], "box": Box()}])
    words = said(claim, lambda numbers, *, box: [numbers.pop() for _ in range(4)])
    assert "it changes what it is given" in words
    assert "after the call, [1, 2, 3] is []; then it stops with IndexError" in words
    # Whether an object of a class of its own is what it was, nobody knows: it is not accused.
    words = said(claim, lambda numbers, *, box: "six")
    assert "changes" not in words


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            lambda table: table.drop(columns="Zip", inplace=True),
            "the table has lost the column Zip",
        ),
        (lambda table: table.drop(index=1, inplace=True), "the table has 2 rows, and had 3"),
        (
            lambda table: table.fillna(0, inplace=True),
            "entry 1 of the column Zip is 0, and was nan",
        ),
        (
            lambda table: table.sort_values("age", ascending=False, inplace=True),
            "the table's rows come in another order",
        ),
        (
            lambda table: table.update({"age": table["age"].tolist()[::-1]}),
            "entry 0 of the column age is 3, and was 1",
        ),
        (
            lambda table: table.insert(0, "born", table.pop("born") + pd.Timedelta(days=1)),
            "the table's column born is another one",
        ),
        (
            lambda table: table.insert(1, "age", table.pop("age").astype("category")),
            "the column age has the type category, and had int64",
        ),
    ],
)
def test_what_became_of_a_table_is_told(change, words):
    def people(table):
        """The number of rows."""
        return len(table)

    born = pd.to_datetime(["2001-02-03", "2004-05-06", "2007-08-09"])
    table = pd.DataFrame({"born": born, "age": [1, 2, 3], "Zip": [7, np.nan, 5]})
    told = said(claim_of(people, [{"table": table}]), lambda table: (change(table), 3)[1])
    assert f"after the call, {words}" in " ".join(told.split())


def test_what_became_of_a_long_array_is_told():
    def total(numbers):
        """The sum."""
        return float(np.sum(numbers))

    claim = claim_of(total, [{"numbers": np.arange(500.0)}])
    words = said(claim, lambda numbers: float(np.clip(numbers, None, 300, out=numbers)[0]))
    assert "after the call, entry 301 is 300, and was 301" in words


def test_only_infinity_is_right_where_infinity_is_wanted():
    def same(wanted):
        """What is given."""
        return wanted

    def read(answer, given):
        return float(answer)

    claim = claim_of(same, [{"wanted": math.inf}, {"wanted": 2.0}], read=read)
    claim.mistake("always 2", "always?", lambda wanted: 2.0)
    claim.check(lambda wanted: wanted)
    assert claim.blind_spots() == {}
    for wrong in (2.0, -math.inf, 1e300):
        said(claim, lambda wanted, wrong=wrong: min(wanted, wrong))
    said(claim_of(same, [{"wanted": 2.0}], read=read), lambda wanted: math.inf)


def test_arguments_are_put_into_words():
    def everything(values, *, table, matrix, small, kind, count, function):
        """Nothing."""
        return 0.0

    given = {
        "values": np.arange(20) / 8,
        "table": pd.DataFrame({"a": [1, 2, 3]}),
        "matrix": np.eye(4),
        "small": np.eye(2),
        "kind": "add_remove",
        "count": 2**20,
        "function": half,
    }
    words = said(claim_of(everything, [given]), lambda values, **given: 1)
    assert "values [0, 0.125, 0.25] and 17 more, table of 3 rows" in words
    assert "(a: [1, 2, 3]), matrix of shape (4, 4), small [[1, 0], [0, 1]]" in " ".join(
        words.split()
    )
    assert "kind add_remove, count 1,048,576, function half" in " ".join(words.split())


# --- what an author meets ----------------------------------------------------------------------


def test_an_author_is_told_what_is_missing():
    with pytest.raises(ValueError, match="claim scale: no inputs; write a function under"):
        FunctionClaim(scale).check(scale)
    with pytest.raises(ValueError, match="an input has \\['eps'\\], wanted are sensitivity, epsi"):
        claim_of(scale, [{"sensitivity": 1, "eps": 2}]).check(scale)
    with pytest.raises(ValueError, match="an input is a tuple, wanted is"):
        claim_of(scale, [(1, 2)]).check(scale)
    with pytest.raises(ValueError, match="a right answer must have a docstring"):
        FunctionClaim(lambda value: value, name="answer")
    with pytest.raises(ValueError, match="mistake 'twice': give one of function, then, given"):
        FunctionClaim(scale).mistake("twice", "?", scale, then=abs)


def test_a_claim_is_called_as_its_words_say():
    def made(about, **given):
        return CounterexampleClaim(
            about=about, established="", situation=str, cases=lambda rng: (), verify=print, **given
        )

    claim = made("Check `twice(value, *, rate, seed=None)`: a number.")
    assert claim.name == "twice"
    assert claim.arguments({"value": 3, "rate": 4, "seed": 5}) == ((3,), {"rate": 4, "seed": 5})
    assert made("`other(value)`", name="twice", arguments=abs).name == "twice"
    with pytest.raises(ValueError, match='begin `about` with "Check `name\\(value, '):
        made("Check it: a number.")


def test_what_contributing_shows_is_a_claim():
    text = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text("utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    space: dict = {}
    exec(textwrap.dedent("   " + code.strip()), space)
    claim = space["CLAIM"]
    claim.check(lambda sensitivity, *, epsilon: sensitivity / epsilon)
    assert len(claim.mistakes) == 3
    for mistake in claim.mistakes:
        assert f"✗ noise_scale: {mistake.name}\n" in said(claim, mistake.function)
