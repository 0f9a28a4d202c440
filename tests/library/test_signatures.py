"""The signatures of the exercises are frozen: chapters, checks and students rely on them."""

import inspect
import re
from pathlib import Path

import pytest

import dplib

pytestmark = pytest.mark.quick

FROZEN = Path(__file__).with_name("signatures.txt").read_text("utf-8").splitlines()


def signature(name: str) -> str:
    """Return `name(parameters)` with defaults and without annotations."""
    parameters = inspect.signature(getattr(dplib, name)).parameters.values()
    bare = [each.replace(annotation=inspect.Parameter.empty) for each in parameters]
    return name + str(inspect.Signature(bare))


@pytest.mark.parametrize("line", [line for line in FROZEN if line and not line.startswith("#")])
def test_a_signature_is_as_it_was_frozen(line):
    assert signature(line.split("(")[0]) == line


def test_every_exported_name_is_there_and_documented():
    assert len(set(dplib.__all__)) == len(dplib.__all__)
    for name in dplib.__all__:
        assert (getattr(dplib, name).__doc__ or "").strip(), name


@pytest.mark.parametrize("name", dplib.__all__)
def test_randomness_comes_last_by_name_and_may_be_left_out(name):
    thing = getattr(dplib, name)
    if not inspect.isfunction(thing) or "rng" not in inspect.signature(thing).parameters:
        return
    *_, (last, parameter) = inspect.signature(thing).parameters.items()
    assert last == "rng" and parameter.default is None
    assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
    assert re.search(r"\brng\b", thing.__doc__)
