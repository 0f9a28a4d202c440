"""Every catalogued wrong answer is rejected by name, every right style passes, nothing is blind."""

import dataclasses
import inspect

import numpy as np
import pytest
from library_copy import copy_of
from wrong_answers import ZOO, sentence

import dplib
from autograder import check
from autograder.check.additive import AdditiveClaim
from autograder.check.audit import AuditClaim
from autograder.check.claim import StatisticalClaim, call
from autograder.check.claims import CLAIMS
from autograder.check.function_claim import FunctionClaim
from autograder.check.judge import BLIND_NATS
from autograder.check.mistakes import Mistake
from autograder.check.rates import RateClaim
from ville.distributions import laplace


def library_function(claim):
    """Return dplib's function or class that an exercise rebuilds, or None."""
    return getattr(dplib, claim.library or claim.name, None)


IN_LIBRARY = [name for name in CLAIMS if inspect.isfunction(library_function(CLAIMS[name]))]


def parts_of(claim) -> list:
    """Return the claims that one consists of, each way of an `EitherClaim` among them."""
    parts = getattr(claim, "parts", [claim])
    return [way for part in parts for way in getattr(part, "ways", [part])]


def settings_of(claim) -> list[dict]:
    """Return the parameters of a draw of settings, whatever the kind of claim."""
    generator = np.random.default_rng()
    if isinstance(claim, StatisticalClaim):
        return list(claim.parameters(generator))
    if isinstance(claim, AuditClaim):
        return [side for pair in claim.pairs(generator) for side in (pair.first, pair.second)]
    if isinstance(claim, RateClaim):
        return [run.parameters for run in claim.runs(generator)]
    return list(claim.cases(generator))


@pytest.mark.answers
@pytest.mark.parametrize("name", IN_LIBRARY)
def test_the_library_keeps_its_own_claims(name):
    # dplib's function itself is refused as an answer, so a copy of it is judged.
    library = library_function(CLAIMS[name])
    getattr(check, name)(copy_of(library))
    assert "the library's own version" in sentence(name, library)


@pytest.mark.parametrize("name", IN_LIBRARY)
def test_an_answer_is_called_as_the_library_is(name):
    """The frozen signature is said once: every call binds to it, and leaves out only `rng`."""
    claim = CLAIMS[name]
    signature = inspect.signature(library_function(claim))
    for part in parts_of(claim):
        for parameters in settings_of(part):
            positional, keywords = part.arguments(parameters)
            if part.use is call:
                assert "rng" not in signature.bind(*positional, **keywords).arguments


@pytest.mark.parametrize("name", CLAIMS)
def test_help_says_what_a_check_expects(name):
    words = getattr(check, name).__doc__
    assert words.startswith(f"Check `{(CLAIMS[name].library or name)}(") and words.endswith(".")


def test_an_earlier_function_of_the_library_may_be_called():
    def answer(table, predicate, *, epsilon, rng=None):
        count = int(predicate(table).sum())
        return dplib.laplace_mechanism(count, sensitivity=1, epsilon=epsilon, rng=rng)

    check.private_count(answer)


# --- the catalogues ---------------------------------------------------------------------------


@pytest.mark.parametrize("draws", [2, pytest.param(12, marks=pytest.mark.answers)])
@pytest.mark.parametrize("name", CLAIMS)
def test_no_catalogued_mistake_is_a_blind_spot(name, draws):
    for _ in range(draws):
        assert check.blind_spots(name) == {}


def test_a_claim_is_asked_for_its_blind_spots_by_its_check_too():
    assert check.blind_spots(check.laplace_mechanism) == {}


@pytest.mark.parametrize("name", CLAIMS)
def test_sentences_are_complete_and_names_unique(name):
    mistakes = getattr(CLAIMS[name], "mistakes", ())
    assert len({mistake.name for mistake in mistakes}) == len(mistakes)
    for mistake in mistakes:
        assert mistake.name[0].islower() or mistake.name[0].isdigit() or mistake.name[0].isupper()
        assert mistake.ask.endswith(("?", "."))
        assert len(mistake.name) <= 80


def additive_claims() -> list[AdditiveClaim]:
    """Return every claim, or part of one, about an exact answer plus noise."""
    parts = [part for claim in CLAIMS.values() for part in parts_of(claim)]
    return [part for part in parts if isinstance(part, AdditiveClaim)]


# By its name in every id: `make test ARGS="-k NAME"` runs all that is about one exercise.
each_additive = pytest.mark.parametrize("claim", additive_claims(), ids=lambda claim: claim.name)


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_has_the_name_of_its_file(name):
    assert CLAIMS[name].name == name


@each_additive
@np.errstate(all="ignore")
def test_every_law_is_a_distribution_function(claim):
    laws = {"the right law": claim.right_law} | {each.name: each.law for each in claim.mistakes}
    for parameters in claim.parameters(np.random.default_rng()):
        edges = claim._edges(parameters)
        assert np.all(np.diff(edges) >= 0), "the edges do not rise"
        # Where a law falls, or leaves [0, 1], its cells sum to more than 1.
        sums = {
            name: float(np.sum(cells))
            for name, law in laws.items()
            for cells in claim._rows(edges, parameters, law)
        }
        assert {name: each for name, each in sums.items() if abs(each - 1) > 1e-9} == {}


def test_a_law_that_falls_somewhere_is_seen():
    claim = CLAIMS["laplace_mechanism"]
    wrong = Mistake("a falling law", lambda p: lambda x: 1 - laplace(1)(x), "does it rise?")
    claim = dataclasses.replace(claim, mistakes=[wrong])
    with pytest.raises(AssertionError, match="a falling law"):
        test_every_law_is_a_distribution_function(claim)


def test_a_claim_without_a_law_is_refused():
    with pytest.raises(ValueError, match="laplace_mechanism: give `law`, of a scale, or `law_at`"):
        dataclasses.replace(CLAIMS["laplace_mechanism"], law=None)


@each_additive
def test_no_two_mistakes_have_one_law(claim):
    # Two names for one law could not be told apart, whatever the settings.
    trials = [claim.trial(np.random.default_rng()) for _ in range(4)]
    ratios = np.concatenate([trial.catalogue.log_ratios for trial in trials], axis=1)
    names = trials[0].catalogue.names
    for one in range(len(names)):
        distance = np.abs(ratios - ratios[one]).max(axis=1)
        twins = [names[k] for k in np.flatnonzero(distance < 1e-9)]
        assert twins == [names[one]], "these are one law: make one mistake of them"


def function_claims() -> list:
    """Return every claim, or part of one, that has wrong functions."""
    parts = [part for claim in CLAIMS.values() for part in parts_of(claim)]
    return [part for part in parts if isinstance(part, FunctionClaim) and part.mistakes]


@pytest.mark.answers
@pytest.mark.parametrize("claim", function_claims(), ids=lambda claim: claim.name)
def test_no_two_mistakes_have_one_value(claim):
    # Two names may agree at one draw of inputs (seen in at most 2 of 100): at six with probability
    # below 1e-10.
    draws = [claim.cases(np.random.default_rng()) for _ in range(6)]
    for mistake in claim.mistakes:
        left = list(claim.mistakes)
        for cases in draws:
            values = [claim.value(mistake.function, given) for given in cases]
            left = claim.explaining(left, cases, values)
            if left == [mistake]:
                break
        assert left == [mistake]


def test_a_blind_spot_is_reported_and_does_not_hold_up_a_pass():
    claim = CLAIMS["laplace_mechanism"]
    nearly = Mistake(
        "a hair too wide", lambda p: laplace(1.01 * p["sensitivity"] / p["epsilon"]), "why?"
    )
    blind = dataclasses.replace(claim, mistakes=(*claim.mistakes, nearly), least_rate=0.0)
    assert list(blind.blind_spots()) == ["a hair too wide"]
    assert 0 < blind.blind_spots()["a hair too wide"] < BLIND_NATS
    assert "no catalogued mistake fits" in repr(blind.check(ZOO.right["laplace_mechanism"][0]))


def test_an_unknown_claim_is_refused():
    with pytest.raises(ValueError, match="claim must be one of"):
        check.blind_spots("laplace")


def test_settings_are_drawn_anew():
    claim = CLAIMS["laplace_mechanism"]
    seen = {claim.trial(np.random.default_rng()).settings[1].parameters["value"] for _ in range(5)}
    assert len(seen) > 1  # five equal values of 24,000: probability below 1e-16
