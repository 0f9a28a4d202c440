"""The library's own code is refused as an answer, under whatever name; nobody else's is."""

import functools
import importlib.util
import inspect
import sys
import types

import numpy as np
import pytest
from library_copy import copy_of
from wrong_answers import sentence

import dplib
from autograder import check
from autograder.check.claims import CLAIMS
from autograder.check.library import same_code

THEIRS = dplib.laplace_mechanism
TEXT = inspect.getsource(THEIRS)


def of_its_code():
    made = types.FunctionType(THEIRS.__code__, dict(THEIRS.__globals__), "mine")
    made.__kwdefaults__ = THEIRS.__kwdefaults__
    return made


def under_another_name():
    code = THEIRS.__code__.replace(co_name="mine")
    made = types.FunctionType(code, dict(THEIRS.__globals__), "mine")
    made.__kwdefaults__ = THEIRS.__kwdefaults__
    return made


def loaded_again():
    path = sys.modules[THEIRS.__module__].__file__
    spec = importlib.util.spec_from_file_location("mine", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.laplace_mechanism


def run_from_its_text():
    space = dict(THEIRS.__globals__)
    exec(TEXT, space)
    return space["laplace_mechanism"]


WAYS = [of_its_code, under_another_name, loaded_again, run_from_its_text]


def when_called(make):
    return lambda value, **named: make()(value, **named)


def deep_inside(make):
    holder = types.SimpleNamespace(inside=[[[[[make()]]]]])
    return lambda value, **named: holder.inside[0][0][0][0][0](value, **named)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("how", [lambda make: make(), when_called, deep_inside])
def test_the_librarys_code_is_refused(way, how):
    assert "the library's own version" in sentence("laplace_mechanism", how(way))


@pytest.mark.parametrize("way", WAYS)
def test_the_library_is_as_it_was_afterwards(way):
    copy, before = way(), THEIRS.__code__
    sentence("laplace_mechanism", copy)
    assert THEIRS.__code__ is before
    assert np.isfinite(copy(1.0, sensitivity=1, epsilon=1))
    assert sys.getprofile() is None


def test_a_formula_that_everybody_writes_alike_is_ones_own():
    def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):
        """Release `value` with epsilon-differential privacy by adding Laplace noise."""
        rng = np.random.default_rng() if rng is None else rng
        return value + rng.laplace(scale=sensitivity / epsilon, size=np.shape(value))

    check.laplace_mechanism(laplace_mechanism)
    twin = types.FunctionType(laplace_mechanism.__code__.replace(co_firstlineno=1), globals())
    assert not same_code(twin.__code__, laplace_mechanism.__code__)


def test_two_functions_of_the_library_are_never_one():
    functions = [each for each in vars(dplib).values() if isinstance(each, types.FunctionType)]
    for one in functions:
        same = [each for each in functions if same_code(one.__code__, each.__code__)]
        assert same == [one]


def test_another_function_of_the_library_may_be_called_by_its_copy():
    noisy = copy_of(dplib.laplace_mechanism)

    def private_count(table, predicate, *, epsilon, rng=None):
        return noisy(int(predicate(table).sum()), sensitivity=1, epsilon=epsilon, rng=rng)

    check.private_count(functools.partial(private_count))


def test_an_estimate_of_nobody_may_be_rounded_otherwise(monkeypatch):
    """29 ones of 100, where 29 are expected by chance: 0, or what the additions have rounded."""

    def aggregate(reports, *, p, q):
        return [sum((bit - q) / (p - q) for bit in column) for column in zip(*reports, strict=True)]

    places = np.arange(100)[:, None]
    reports = (places < [10, 29, 95]).astype(int)
    assert 0 < abs(aggregate(reports, p=0.7, q=0.29)[1]) < 1e-9
    case = {"reports": reports, "p": 0.7, "q": 0.29}
    monkeypatch.setitem(vars(CLAIMS["aggregate"]), "cases", lambda generator: [case] * 2)
    check.aggregate(aggregate)


@pytest.mark.parametrize("name", ["epsilon_for_error", "plan_cost", "haar_strategy"])
def test_the_right_function_of_a_claim_earns_nothing(name):
    right = CLAIMS[name].reference
    for answer in (right, lambda *given, **named: right(*given, **named)):
        with pytest.raises(check.CheckFailure, match="this calls the library's own version"):
            getattr(check, name)(answer)
