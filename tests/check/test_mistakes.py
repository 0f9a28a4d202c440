"""Tables of mistakes about noise: each entry becomes the law that it says, with its question."""

import numpy as np
import pytest

from autograder.check.mistakes import (
    QUESTIONS,
    mistakes_by,
    value_mistakes,
    wrong_centres,
    wrong_laws,
    wrong_scales,
)
from ville.distributions import clamped, folded, gaussian, laplace

PLACES = np.linspace(-9, 9, 19)
GIVEN = {"epsilon": 0.5, "value": 3.0}


def scale(p):
    return 1 / p["epsilon"]


def law_of(mistake):
    return mistake.law(GIVEN)(PLACES)


def test_a_wrong_scale_keeps_the_law():
    (mistake,) = wrong_scales(laplace, {"the noise is doubled": lambda p: 2 / p["epsilon"]})
    assert np.array_equal(law_of(mistake), laplace(4.0)(PLACES))


def test_a_wrong_centre_keeps_the_scale():
    (mistake,) = wrong_centres(laplace, scale, {"the value is missing": lambda p: -p["value"]})
    assert np.array_equal(law_of(mistake), laplace(2.0, -3.0)(PLACES))


def test_a_wrong_law_takes_the_right_scale():
    (mistake,) = wrong_laws(scale, {"the noise is Gaussian": (gaussian, "which law?", "a bell")})
    assert np.array_equal(law_of(mistake), gaussian(2.0)(PLACES))
    assert (mistake.ask, mistake.seen) == ("which law?", "a bell")


def test_a_claim_s_own_law_differs_in_one_thing():
    (mistake,) = mistakes_by(
        lambda sensitivity: lambda p: laplace(sensitivity / p["epsilon"]),
        {"the sensitivity is that of a mean": (0.25, "a sum or a mean?")},
    )
    assert np.array_equal(law_of(mistake), laplace(0.5)(PLACES))


def test_what_goes_wrong_with_the_value_has_a_law_and_a_known_question():
    mistakes = {each.name: each for each in value_mistakes(laplace, scale)}
    assert all(each.ask == QUESTIONS[name] for name, each in mistakes.items())
    wanted = {
        "the value is missing": laplace(2, -3),
        "the value is added twice": laplace(2, 3),
        "the noise is multiplied by the value": laplace(6),
        "negative answers become 0": clamped(laplace(2), -3),
        "the sign of the answer is lost": folded(laplace(2), -3),
    }
    assert list(mistakes) == list(wanted)
    for name, law in wanted.items():
        assert np.array_equal(law_of(mistakes[name]), law(PLACES)), name


def test_a_question_is_the_entry_s_or_the_table_s_or_the_known_one():
    table = {"epsilon is ignored": lambda p: 1, "it is odd": (lambda p: 3, "why 3?")}
    assert [each.ask for each in wrong_scales(laplace, table, "why?")] == ["why?", "why 3?"]
    first = wrong_scales(laplace, table)[0]
    assert first.ask == QUESTIONS["epsilon is ignored"]
    with pytest.raises(ValueError, match="mistake 'it is even' must have a question"):
        wrong_scales(laplace, {"it is even": lambda p: 2})
