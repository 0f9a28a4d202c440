"""What the words of a failure tell of a mistake that no catalogue has: where, and what came."""

import math

import numpy as np
import pandas as pd
import pytest
from wrong_answers import assert_named

import dplib
from autograder import check
from autograder.check import calls
from autograder.check.claims import CLAIMS
from autograder.check.function_claim import FunctionClaim
from autograder.check.mistakes import Mistake
from autograder.check.outcomes import OutcomeClaim
from autograder.check.wording import changed_arguments, changed_laws, smallest
from autograder.check.wording.changed_laws import chance_of, distance_of
from autograder.check.wording.what_came import each_is, in_another_order
from autograder.check.wording.where import all_of_them

RNG = np.random.default_rng(5)
CHANCE = np.random.default_rng()


def about(reference, cases):
    """Return what the check of this right function says about a wrong one."""
    claim = FunctionClaim(reference)
    claim.inputs(lambda rng: cases)

    def said(function):
        with pytest.raises(Exception, match="✗") as caught:
            claim.check(function)
        return " ".join(str(caught.value).split())

    return said


PAIRS = RNG.uniform((0.2, 2), (3, 7), (9, 2))
NUMBERS = [{"rate": float(rate), "share": float(share)} for rate, share in PAIRS]


def product(rate, share):
    """A product of two numbers, plus one."""
    return rate * share**2 + 1


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (
            lambda rate, share: min(rate, 1) * share**2 + 1,
            "it looks as if rate counts as 1 where it",
        ),
        (lambda rate, share: rate * round(share) ** 2 + 1, "share is rounded to a whole number"),
        (lambda rate, share: share**2 + 1, "it looks as if rate is not used: it counts as 1"),
        (lambda rate, share: rate * share + 1, "share is replaced by its root"),
        (lambda rate, share: share, "it is share each time"),
        (lambda rate, share: 4, "it is 4 each time"),
        (lambda rate, share: share - rate, "it is share - rate each time"),
        (lambda rate, share: rate * share, "it is rate * share each time"),
        (lambda rate, share: (rate * share**2 + 1) * share, "it is share times what it should be"),
        (lambda rate, share: rate * share**2 + 1 - rate, "it is what it should be less rate"),
        (lambda rate, share: (rate * share**2 + 1) ** 2, "it is the square of what it should be"),
    ],
)
def test_what_a_wrong_number_is_made_of_is_told(wrong, words):
    assert words in about(product, NUMBERS)(wrong)


def test_inputs_that_are_right_for_one_answer_alone_are_told():
    def above(rate, share):
        """How far the rate lies above the share."""
        return max(rate - share, 0.0)

    cases = [{"rate": rate, "share": 0.5} for rate in (0.1, 0.2, 0.4, 0.8, 0.9, 1.7)]
    words = about(above, cases)(lambda rate, share: max(rate**2 - 0.25, 0.0))
    assert "at 3 of 6 inputs: right only where the answer is 0" in words


def test_what_wrong_inputs_have_is_not_told_beside_one_that_has_it_not():
    def different(values):
        """How many values there are."""
        return len(values)

    lists = ([1, 2, 3], [4, 5], [6, 7, 8], [1, 9], [1, 1, 2, 3, 4], [5, 6, 7, 8, 8], [2, 3])
    lists += ([3, 3, 4, 5, 6], [1, 4, 8])
    words = about(different, [{"values": each} for each in lists])(
        lambda values: 10 * len(values) - 9 * len(set(values))
    )
    # Only long lists have a value twice, and the one that is shown has two entries.
    assert "3 of 9 inputs, and right as soon as values has nothing twice values [" in words


def test_arguments_that_are_exchanged_are_told():
    def power(rate, share):
        """A power."""
        return rate**share

    cases = [{"rate": 2.0, "share": 3.0}, {"rate": 1.5, "share": 2.5}, {"rate": 3.0, "share": 1.2}]
    assert "rate and share are exchanged" in about(power, cases)(lambda rate, share: share**rate)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda values: float(sum(values[1:])), "values loses its first entry"),
        (lambda values: float(sum(set(values))), "values loses what comes twice"),
        (lambda values: float(sum(map(int, values))), "values is cut to whole numbers"),
        (lambda values: float(sum(map(abs, values))), "values loses the signs of its numbers"),
    ],
)
def test_what_becomes_of_a_list_is_told(wrong, words):
    def total(values):
        """The sum."""
        return float(sum(values))

    lists = ([2.5, 2.5, -1.25, 7], [4, -3.5, 0.25, -3.5], [1.75, 1.75, -9, 2])
    assert words in about(total, [{"values": each} for each in lists])(wrong)


def test_a_row_that_is_lost_is_told():
    def people(table):
        """The number of rows."""
        return len(table)

    tables = [pd.DataFrame({"age": [3.0, np.nan, 5][:rows] * 2}) for rows in (2, 3, 3)]
    said = about(people, [{"table": each} for each in tables])(lambda table: len(table.dropna()))
    assert "table loses rows with a missing value" in said


def joined(left, right):
    """The number of pairs of rows with one Zip."""
    return len(left.dropna().merge(right.dropna(), on="Zip"))


def test_a_wrong_input_is_made_small_enough_to_be_shown():
    codes = [float(code) for code in range(20)]
    left = pd.DataFrame({"Zip": [*codes, np.nan], "age": range(21)})
    right = pd.DataFrame({"Zip": [*codes[::2], np.nan, 40.0], "job": range(12)})
    said = about(joined, [{"left": left, "right": right}])
    words = said(lambda left, right: len(left.merge(right, on="Zip")))
    assert "left of 1 row with the index 20 (Zip: [nan], age: [20])" in words
    assert "right of 1 row with the index 10 (Zip: [nan], job: [10])" in words
    assert "the answer should be 0, yours is 1" in words


def test_entries_of_arguments_of_one_length_are_taken_away_together():
    def product(rows, labels):
        """The sum of the rows, each times its label."""
        if len(rows) != len(labels):
            raise ValueError("one label for each row")
        return float(sum(rows[:, 0] * labels))

    rows, labels = RNG.uniform(1, 2, (20, 2)).round(2), np.array([1] * 13 + [-1] + [1] * 6)
    words = about(product, [{"rows": rows, "labels": labels}])(
        lambda rows, labels: rows[:, 0].sum()
    )
    assert f"rows [[{rows[13, 0]:g}, {rows[13, 1]:g}]], labels [-1]: the answer" in words


def test_a_smaller_input_at_which_the_answer_hangs_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(calls, "_TICK", 0.1)
    monkeypatch.setattr(calls, "LONGEST_CALL", 10**9)
    monkeypatch.setattr(smallest, "_SECONDS", 0.2)
    hung = []

    def total(values):
        """The sum."""
        return float(sum(values))

    def hangs(values):
        if len(values) < 20:
            hung.append(values)
            while True:
                pass
        return 1.0

    words = about(total, [{"values": [1.5] * 20}, {"values": [2.5] * 20}])(hangs)
    assert "values [2.5" in words or "values [1.5" in words
    # It hung at a smaller input, and was ended though a call of the verdict would not be.
    assert hung


def test_what_would_be_no_input_any_more_stays():
    def spread(law):
        """The largest less the smallest probability."""
        return max(law) - min(law)

    law = [0.1, 0.2, 0.3, 0.15, 0.25]
    assert f"law {law}: the answer".replace("'", "") in about(spread, [{"law": law}])(lambda law: 9)


def test_an_input_that_cannot_be_made_small_is_shown_as_it_is():
    def longest(values):
        """The number of values, from 16 on."""
        return max(len(values), 15)

    words = about(longest, [{"values": list(range(18))}])(lambda values: 15)
    assert "values [0, 1, 2] and 15 more: the answer should be 18, yours is 15" in words


def test_what_no_change_explains_is_not_said_to_be_one():
    def same(one, other):
        return one == other

    cases = [{"rate": 2.0}, {"rate": 3.0}]
    assert changed_arguments.explaining(lambda given: given["rate"], same, cases, [7, 8], 0) is None


def test_a_number_is_not_changed_beyond_its_inputs():
    asked = []

    def value(given):
        asked.append(given["rate"])
        return given["rate"]

    changed_arguments.explaining(
        value, lambda one, other: False, [{"rate": 0.4}, {"rate": 0.9}], [1, 1], 0
    )
    assert asked and min(asked) >= 0.2 and max(asked) <= 1.8


CASES = [{"delta": delta, "way": way, "sizes": sizes} for delta, way, sizes in [
    (0, "one", [1]), (0, "two", [4, 4]), (0.1, "one", [2, 3]), (0.3, "one", [7]),
    (0.7, "two", [1, 1, 1]), (0.9, "two", [2, 2, 2]), (0, "one", [5, 5, 5]), (0.2, "two", [3]),
]]  # fmt: skip


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ([0, 1, 6], "those where delta is 0"),
        ([2, 3, 4, 5, 7], "right only where delta is 0"),
        ([1, 4, 5, 7], "those where way is two"),
        ([4, 5, 6], "those where sizes has 3 entries"),
        ([0, 3, 7], "those where sizes has 1 entry"),
        ([1, 2, 4, 5, 6], "right only where sizes has 1 entry"),
    ],
)
def test_what_all_wrong_inputs_have_is_told(wrong, words):
    assert all_of_them(CASES, wrong)[0] == words


def test_of_one_even_length_its_number_is_told():
    cases = [{"columns": list(range(length))} for length in (3, 4, 3, 4)]
    assert all_of_them(cases, [1, 3])[0] == "those where columns has 4 entries"


@pytest.mark.parametrize("wrong", [[], list(range(8)), [0, 2], [1, 3, 5]])
def test_where_wrong_inputs_have_nothing_of_their_own_nothing_is_told(wrong):
    assert all_of_them(CASES, wrong) is None


def test_two_arguments_are_compared():
    pairs = [(1, 5), (7, 4), (6, 9), (3, 2), (8, 1), (2, 7), (5, 6), (9, 3), (4, 8), (2, 3)]
    cases = [{"seen": seen, "limit": limit} for seen, limit in pairs]
    below = [place for place, (seen, limit) in enumerate(pairs) if seen < limit]
    above = [place for place in range(len(pairs)) if place not in below]
    assert all_of_them(cases, below)[0] == "those where seen is below limit"
    assert all_of_them(cases, above)[0] == "those where seen is not below limit"
    # Of four inputs two are soon so by accident.
    assert all_of_them(cases[:4], [1, 3]) is None


def test_an_order_that_chance_would_give_is_not_told():
    cases = [{"rate": float(rate)} for rate in range(2, 14)]
    assert all_of_them(cases[:4], [2, 3]) is None
    assert all_of_them(cases, [9, 10, 11])[0] == "those where rate is at least 11"


def test_the_one_entry_that_is_wrong_is_told():
    wanted = [np.array([1.0, 2, 3]), np.array([4.0, 5, 6])]
    came = [np.array([1.0, 9, 3]), np.array([4.0, 8, 6])]
    assert each_is(came, wanted, [{}, {}])[0] == "always at entry 1 alone"


def test_rows_in_another_order_are_told():
    wanted = [np.array([[1, 2], [3, 4], [5, np.nan]]), np.array([[7, 1], [0, 1]])]
    came = [each[::-1] for each in wanted]
    assert in_another_order(came, wanted)[0] == "its rows are right, in another order"
    assert in_another_order([came[0], wanted[1] + 1], wanted) is None
    assert in_another_order([3.0], [4.0]) is None


def test_a_simpler_input_at_which_the_answer_is_right_is_told():
    def last(values):
        """The largest number."""
        return max(values)

    lists = [{"values": [3.0, 9, 4]}, {"values": [8.0, 1, 2]}, {"values": [5.0, 6, 7, 4]}]
    said = about(last, lists)(lambda values: values[-1] if values == sorted(values) else -1.0)
    assert "wrong at 3 of 3 inputs" in said
    said = about(last, lists)(lambda values: values[-1] + 0.5 * (values != sorted(values)))
    assert "at 3 of 3 inputs, and right as soon as values is sorted" in said


def test_a_list_of_arrays_has_no_simpler_form_that_can_be_compared():
    def total(parts):
        """The sum of all arrays."""
        return float(sum(each.sum() for each in parts))

    lists = [{"parts": [np.array([1.0, -2]), np.array([3.0, 4])]}] * 3
    assert "the value is wrong at 3 of 3 inputs" in about(total, lists)(lambda parts: 99.5)


def test_rows_that_must_be_numbered_are_told():
    def first(table):
        """The first number."""
        return float(table["age"].iloc[0])

    def by_label(table):
        return float(table["age"].get(0, -1.0))

    tables = [pd.DataFrame({"age": [4.0, 5, 6]}, index=labels) for labels in ((7, 8, 9), (2, 1, 3))]
    said = about(first, [{"table": each} for each in tables])(by_label)
    assert "and right as soon as table has rows numbered from 0" in said


LEVELS = np.log(np.arange(1, 61) / 61)


def sixty_values(value, *, sensitivity, epsilon, rng=None):
    rng = np.random.default_rng(rng)
    return value + rng.choice([-1, 1]) * rng.choice(LEVELS) * sensitivity / epsilon


def turned(value, *, sensitivity, epsilon, rng=None):
    return value + (1 if value >= 0 else -1) * np.random.default_rng(rng).exponential(
        sensitivity / epsilon
    )


def in_steps(value, *, sensitivity, epsilon, rng=None):
    ratio = math.exp(-epsilon)
    one, other = np.random.default_rng(rng).geometric(1 - ratio, size=2)
    return value + sensitivity * int(one - other)


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("laplace_mechanism", sixty_values, ("the noise has a few values only",)),
        ("laplace_mechanism", turned, ("the noise has one sign",)),
        ("discrete_laplace", in_steps, ("the noise comes in steps",)),
    ],
)
def test_a_pattern_of_noise_is_told(name, answer, words):
    assert_named(name, answer, words)


def test_a_spread_that_is_wrong_at_one_input_is_told_beside_one_where_it_is_right():
    def noise_on_each_row(table, condition, *, epsilon, rng=None):
        scale = min(1, len(table) / 100) / epsilon
        return condition(table).sum() + np.random.default_rng(rng).laplace(scale=scale)

    assert_named("private_count", noise_on_each_row, ("× what it must be at one input",))


def test_now_and_then_hardly_any_noise_is_named_where_cells_are_quantiles_of_the_law():
    def sharp_now_and_then(values, *, lower, upper, epsilon, rng=None):
        rng = np.random.default_rng(rng)
        steps, domain = np.arange(len(values) + 1), {"lower": lower, "upper": upper}
        gaps = dplib.local_sensitivity_at_distance(values, distance=steps, **domain)
        scale = 2 / epsilon * np.max(gaps * np.exp(-steps * epsilon / 2))
        noise = rng.standard_cauchy() * (1e-7 if rng.random() < 1 / 12 else 1)
        return np.median(np.clip(values, lower, upper)) + scale * noise

    assert_named("pure_smooth_median", sharp_now_and_then, ("hardly any noise", "have no noise"))


def test_the_words_are_never_those_of_a_right_answer():
    claim = CLAIMS["epsilon_for_error"]
    cases = claim.cases(np.random.default_rng(3))
    right = [claim.value(claim.reference, each) for each in cases]
    assert all_of_them(cases, []) is None
    assert not claim.right_and_wrong(cases, right)[1]


def said(name, answer):
    with pytest.raises(check.CheckFailure) as refused:
        getattr(check, name)(answer)
    return " ".join(str(refused.value).split())


COIN = OutcomeClaim(
    name="coin",
    about="Check `coin(epsilon)`.",
    established="the reply is the truth with probability e^epsilon / (1 + e^epsilon)",
    arguments=lambda p: ((p["epsilon"],), {}),
    situation=lambda p: f"epsilon {p['epsilon']}",
    parameters=lambda generator: [{"epsilon": epsilon, "row": 3} for epsilon in (0.8, 1.3, 2.2)],
    mistakes=(Mistake("an even coin is tossed", lambda p: {0: 0.5, 1: 0.5}, "why?"),),
    law=lambda p: {0: 1 / (1 + math.exp(p["epsilon"])), 1: 1 / (1 + math.exp(-p["epsilon"]))},
    outcome=lambda answer, p: answer,
)


def coin_of(change):
    return lambda epsilon: int(CHANCE.random() < 1 / (1 + math.exp(-change(epsilon))))


def test_a_law_of_changed_inputs_is_told(monkeypatch):
    monkeypatch.setattr(changed_laws, "_SECONDS", 600.0)  # on a busy machine, too

    def whole_value(value, *, sensitivity, epsilon, rng=None):
        return math.floor(value) + CHANCE.laplace(0, sensitivity / epsilon)

    assert "to a whole number" in said("laplace_mechanism", whole_value)
    with pytest.raises(check.CheckFailure, match="as if epsilon is rounded up to a whole number"):
        COIN.check(coin_of(math.ceil))
    # No change of epsilon gives this law.
    with pytest.raises(check.CheckFailure) as refused:
        COIN.check(coin_of(lambda epsilon: 3 - epsilon))
    assert "as if epsilon" not in str(refused.value)


def test_a_law_that_no_change_of_the_inputs_gives_is_not_said_to_be_one():
    def flat(value, *, sensitivity, epsilon, rng=None):
        return value + CHANCE.uniform(-2, 2) * sensitivity / epsilon

    assert "as if" not in said("laplace_mechanism", flat)


LAWS = [
    np.array([0.03, 0.06, 0.2, 0.4, 0.3, 0.01]),
    np.array([0.01, 0.02, 0.04, 0.1, 0.18, 0.25, 0.2, 0.1, 0.05, 0.03, 0.02]),
]


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("draws", [6, 60, 6000])
def test_answers_of_a_law_fit_it(draws, law):
    def chance(counts):
        return chance_of(distance_of(counts, law))

    runs = np.array([chance(RNG.multinomial(draws, law)) for _ in range(200)])
    # A right law is refused in about a thousandth of the runs: fits are words, and no verdict.
    assert np.mean(runs < 1e-3) < 0.05
    assert chance(RNG.multinomial(6000, law[::-1])) < 1e-9
    assert chance(6 * (np.arange(len(law)) == 0)) < 1e-6
