"""Programs that claim an epsilon: what leaks can be refuted, what does not keeps its promise."""

import itertools
import math
import re

import numpy as np
import pytest
from leak_reference import delta_of, enumerated, hunted, pairs, shift_cost

from autograder.check.claims import CLAIMS
from autograder.check.leaks import programs
from autograder.check.leaks.drawn_program import drawn
from autograder.check.leaks.exact_law import as_output, law, sampled
from autograder.check.leaks.fixed_chance import FixedChance
from autograder.check.leaks.judged import refuted
from autograder.check.programs_claim import ProgramsClaim

EXERCISES = [name for name in CLAIMS if isinstance(CLAIMS[name], ProgramsClaim)]
KINDS = [(name, kind) for name in EXERCISES for kind in CLAIMS[name].kinds]
each_kind = pytest.mark.parametrize(
    ("name", "kind"), KINDS, ids=[f"{name}-{kind.__name__}" for name, kind in KINDS]
)
seeds = pytest.mark.parametrize(
    "seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 8))]
)


def a_program(name, kind, seed, *, leaks):
    claim = CLAIMS[name]
    return drawn(FixedChance(seed), kind, claim.others, claim.delta, leaks=leaks).program


def asked_at(event, outputs):
    return [bool(event(output)) for output in outputs]


@seeds
@each_kind
def test_each_leak_has_a_counterexample(name, kind, seed):
    program = a_program(name, kind, seed, leaks=True)
    found = hunted(program)
    assert found, program
    assert " against " in refuted(program, found, asked_at)


@seeds
@each_kind
def test_each_honest_twin_keeps_its_epsilon(name, kind, seed):
    """The noise can be moved so that a neighbor gives the same outputs, for epsilon or less.

    Where a program may fail with probability delta, it cannot; both laws are enumerated there.
    """
    program = a_program(name, kind, seed, leaks=False)
    for pair in pairs(program, np.random.default_rng(seed), 12):
        if program.delta:
            assert delta_of(program, *pair) <= program.delta, (program, pair)
        else:
            assert shift_cost(program, *pair) <= program.epsilon * (1 + 1e-9), (program, pair)


@each_kind
def test_a_law_is_that_of_the_text_with_given_noise(name, kind):
    """Every noise up to a distance, with its chance, gives the outputs that the law knows."""
    program = a_program(name, kind, 3, leaks=True)
    rows, _ = next(pairs(program, np.random.default_rng(3), 50))
    tail = 0.05
    known = law(program.text, rows, program.epsilon, tail=tail)
    found: dict = {}
    for output, chance in enumerated(program, rows, tail):
        found[_text(output)] = found.get(_text(output), 0.0) + chance
    assert {_text(as_output(key)) for key in known} == set(found)
    for key, chance in known.items():
        assert chance == pytest.approx(found[_text(as_output(key))], rel=1e-9)
    assert known.lost == pytest.approx(1 - sum(found.values()), abs=2e-10)


def _text(output):
    """An output as text, with 1.0 and 1 alike."""
    return re.sub(r"\.0\b", "", repr(output))


def test_noise_has_the_law_that_the_text_says():
    """Pr[k] = (1 - q) / (1 + q) q^|k|, q = exp(-1 / scale)."""
    q, known = math.exp(-1 / 2), law("def report(rows, epsilon):\n    return noise(2)\n", [], 1)
    for k in range(-9, 10):
        assert known[k] == pytest.approx((1 - q) / (1 + q) * q ** abs(k), rel=1e-12)
    assert known.lost < 1e-6


def test_a_run_has_that_law_too():
    """Of 4,000 runs the share that is 0 is off by 0.06 with probability below 1e-12 (Hoeffding)."""
    text = "def report(rows, epsilon):\n    return noise(2)\n"
    came = [sampled(text, [], 1) for _ in range(4000)]
    assert abs(came.count(0) / 4000 - math.tanh(1 / 4)) < 0.06
    assert all(isinstance(each, int) for each in came)


@pytest.mark.parametrize("name", EXERCISES)
def test_two_names_hardly_ever_get_the_same(name):
    texts = [
        tuple(each.program.text for each in CLAIMS[name].family(f"student {number}"))
        for number in range(600)
    ]
    assert len(set(texts)) == len(texts)
    alone = [text for three in texts for text in three]
    assert len(set(alone)) > 0.25 * len(alone)


@pytest.mark.parametrize("name", EXERCISES)
def test_some_leak_and_no_word_tells(name):
    """Each word that stands in a tenth of the programs stands in honest and in leaking ones."""
    threes = [CLAIMS[name].family(f"student {number}") for number in range(250)]
    assert {sum(each.leaks for each in three) for three in threes} == {1, 2, 3}
    all_drawn = list(itertools.chain(*threes))
    for word in set(re.findall(r"[a-z_]+", " ".join(each.program.text for each in all_drawn))):
        those = [each.leaks for each in all_drawn if re.search(rf"\b{word}\b", each.program.text)]
        if len(those) > len(all_drawn) / 10:
            assert 0.3 < np.mean(those) < 0.97, word


def test_a_name_gives_the_same_programs_everywhere():
    """These words were drawn when the exercise was made: a student's programs do not change."""
    first, second, third = programs("leaks_in_counts", "  ADA  Lovelace ")
    assert [each.epsilon for each in (first, second, third)] == [1.5, 1.5, 1.5]
    assert "use = 2 * (count + noise(1 / epsilon))" in first.text
    assert "first_line = clip(noisy, 0, highest)" in second.text
    assert "asked = shuffled(rows, seed=2113)" in third.text
    assert programs("leaks_in_counts", "Ada Lovelace") == (first, second, third)
