"""What strangers wrote, what passed at first and was mended since: it is rejected, with its words.

`told` in a line of tests/strangers/ has the words that the answer's author is to read, or a list of
what may be read.
"""

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from wrong_answers import assert_named, fragments

import dplib
from autograder.check.claims import CLAIMS
from dplib.data import DOMAINS, load_adult

NAMES = {"np": np, "pd": pd, "math": math, "itertools": itertools, "dplib": dplib}
DATA = {"DOMAINS": DOMAINS, "load_adult": load_adult}
FILES = sorted((Path(__file__).parents[1] / "strangers").glob("*.jsonl"))
ANSWERS = [json.loads(line) for path in FILES for line in path.open(encoding="utf-8")]
# An exercise may be gone since.
MENDED = [each for each in ANSWERS if "told" in each and each["exercise"] in CLAIMS]


@pytest.mark.answers
@pytest.mark.parametrize("answer", MENDED, ids=lambda each: f"{each['exercise']}, {each['label']}")
def test_what_passed_at_first_is_rejected_since(answer):
    names = {**NAMES, **DATA}
    exec(answer["code"], names)
    assert_named(answer["exercise"], names[answer["exercise"]], fragments(answer["told"]))


def test_each_of_them_passed_at_first():
    assert all(answer["passed_at_first"] and answer["kind"] != "R" for answer in MENDED)
