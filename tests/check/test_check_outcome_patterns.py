"""What a failure says of outcomes: what all answers have, and entries that hang together."""

import re
from itertools import product

import numpy as np
import pytest

from autograder import check
from autograder.check import outcomes
from autograder.check.claims import CLAIMS
from autograder.check.outcomes import OutcomeClaim
from autograder.check.wording.outcome_patterns import words_of_pattern

CHANCE = np.random.default_rng()
TRUTH = (0, 0, 1)
KEPT = 0.7
LAW = {
    reports: KEPT ** sum(same) * (1 - KEPT) ** (3 - sum(same))
    for reports in product((0, 1), repeat=3)
    for same in [[one == true for one, true in zip(reports, TRUTH, strict=True)]]
}


def words(answers, law=LAW):
    counts = [sum(answer == outcome for answer in answers) for outcome in law]
    entry = str if law is LAW else None
    found = words_of_pattern(law, counts, lambda outcome: f"the report {outcome}", entry)
    return found and found[1]


def reports(number, report):
    return [tuple(int(bit) for bit in report()) for _ in range(number)]


def bits():
    return np.where(CHANCE.random(3) < KEPT, TRUTH, 1 - np.array(TRUTH))


def bits_of_one_draw():
    return np.where(CHANCE.random() < KEPT, TRUTH, 1 - np.array(TRUTH))


def bits_of_a_draw_used_again():
    draws = CHANCE.random(3)
    draws[1] = draws[CHANCE.integers(2)]
    return np.where(draws < KEPT, TRUTH, 1 - np.array(TRUTH))


def one_bit():
    return np.arange(3) == CHANCE.integers(3)


def some_bit():
    while not (drawn := bits()).any():
        pass
    return drawn


@pytest.mark.parametrize(
    ("report", "said"),
    [
        (bits_of_one_draw, "in all of 300 answers entries 0 and 1 are the same; it should be so"),
        (one_bit, "in all of 300 answers exactly one entry is 1; it should be so in"),
        (
            some_bit,
            "of 300 answers there is none in which no entry is 1; it should be so in 14.7 %",
        ),
        (lambda: [0, *bits()[1:]], "of 300 answers there is none in which entry 0 is 1; it should"),
    ],
)
def test_what_all_answers_have_is_told(report, said):
    assert said in words(reports(300, report))


def test_entries_that_hang_together_are_told_where_each_is_right():
    said = words(reports(2000, bits_of_a_draw_used_again))
    assert said.startswith("entries 0 and 1 are the same in ") and said.endswith("be in 58 %")


def test_right_answers_have_no_pattern():
    # Some dozens of features, each with probability below 1e-6: of 40 runs one in a thousand.
    assert not any(words(reports(300, bits)) for _ in range(40))


def test_a_wrong_share_is_no_pattern():
    assert words(reports(300, lambda: bits() | (CHANCE.random(3) < 0.2))) is None


def test_several_outcomes_that_never_come_are_told_together():
    law = dict.fromkeys("abcde", 0.2)
    seen = words(["a"] * 40 + ["b"] * 30, law)
    assert seen.startswith("the report c, the report d and the report e never came in 70 answers")
    assert words(["a"] * 40 + ["b"] * 30 + ["c"] * 20 + ["d"] * 5, law) is None


def perturb_to_one_bit(bits, *, p, q, rng=None):
    bits = np.asarray(bits)
    place = np.argmax(np.where(bits == 1, p, q) * CHANCE.random(bits.shape), axis=1)
    return (np.arange(bits.shape[1]) == place[:, None]).astype(int)


def test_a_failure_tells_the_pattern_with_its_input_and_shows_that_one(monkeypatch):
    shown = []
    monkeypatch.setattr(outcomes, "in_notebook", lambda: True)
    monkeypatch.setattr(
        OutcomeClaim, "picture", lambda self, parameters, answers: shown.append(parameters)
    )
    with pytest.raises(check.CheckFailure) as refused:
        check.perturb(perturb_to_one_bit)
    said = " ".join(str(refused.value).split())
    assert re.search(r"in all of [\d,]+ answers exactly (one entry is|2 entries are) 1", said)
    assert [" ".join(CLAIMS["perturb"].situation(each).split()) in said for each in shown] == [True]
