"""An error while words are looked for leaves the verdict as it is."""

import pytest

from autograder import check
from autograder.check.wording import changed_laws, optional, smallest, unnamed


@pytest.fixture
def broken(monkeypatch):
    """Let all words that look for a mistake without a name end with an error."""
    monkeypatch.setattr(optional, "STRICT", False)

    def fails(*positional, **keywords):
        raise RuntimeError("no words")

    monkeypatch.setattr(unnamed, "_how_wrong", fails)
    monkeypatch.setattr(smallest, "_with_less", fails)
    monkeypatch.setattr(changed_laws, "changes", fails)


def test_the_verdict_stands_without_them(broken):
    def unique_fraction(table, quasi_identifiers):
        return 0.123456789

    with pytest.raises(check.CheckFailure, match="unique_fraction: the value is wrong at 8 of 8"):
        check.unique_fraction(unique_fraction)


def test_a_random_answer_is_refused_without_them(broken):
    def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):
        return value + 17.0

    with pytest.raises(check.CheckFailure, match="laplace_mechanism"):
        check.laplace_mechanism(laplace_mechanism)


def test_here_such_an_error_is_one():
    assert optional.STRICT
    with pytest.raises(ZeroDivisionError):
        optional.optional(lambda: 1 / 0)()
