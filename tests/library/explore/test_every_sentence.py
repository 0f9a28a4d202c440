"""What holds for the sentence below every slider, at every stop."""

import re

import pytest
from sliders import SLIDERS, caption, told

# What few may be: long, and of two sentences.
LONG = {"uniqueness", "proposed_bound"}
TWO_SENTENCES = {"losses", "crowd", "branching", "range_nodes"}
# Numbers as a program writes them: 1e+02, nan, inf, None.
A_PROGRAM_S = re.compile(r"\de\+\d|\b(?:nan|inf|None)\b")


@pytest.mark.parametrize("name", SLIDERS)
def test_every_stop_has_a_sentence_of_its_own(name):
    said = [caption(name, stop) for stop in told(name).stops]
    assert len(set(said)) == len(said)
    assert all(each.endswith(".") for each in said)
    assert [each for each in said if A_PROGRAM_S.search(each)] == []
    longest = 210 if name in LONG else 200
    assert [each for each in said if not 40 < len(each) < longest] == []
    assert [each for each in said if ". " in each and name not in TWO_SENTENCES] == []
