"""Chapter 08's laws against simulation, and the exact parts of its checks against brute force."""

import math

import numpy as np
import pytest
from laws import follows
from scipy import stats

from autograder.check.claims import CLAIMS
from autograder.check.claims.aggregation import _chunk_answers, _evenness, assign_chunks
from ville import distributions as laws_of_noise

CLAIM = CLAIMS["sample_and_aggregate"].parts[0]


def simulated(p: dict, draws: int, chunks_by: str = "label") -> np.ndarray:
    """Draw releases by the definition: chunks, clipped answers, their mean, one draw of noise."""
    generator = np.random.default_rng()
    (values, function), given = _chunk_answers.arguments(p)
    values, chunks = np.asarray(values), p["chunks"]
    codes = np.unique(given.get("labels", np.arange(p["rows"])), return_inverse=True)[1]
    means = []
    for _ in range(draws):
        # An ideal hash: each label draws its chunk. Where labels repeat, so do the chunks.
        assigned = generator.integers(chunks, size=codes.max() + 1)[codes]
        if chunks_by == "even":
            assigned = np.repeat(np.arange(chunks), math.ceil(p["rows"] / chunks))[: p["rows"]]
        answers = [
            function(values[assigned == chunk]) if np.any(assigned == chunk) else math.nan
            for chunk in range(chunks)
        ]
        middle = (p["lower"] + p["upper"]) / 2
        answers = np.where(np.isnan(answers), middle, answers)
        means.append(np.clip(answers, p["lower"], p["upper"]).mean())
    scale = (p["upper"] - p["lower"]) / (chunks * p["epsilon"])
    return np.array(means) + generator.laplace(scale=scale, size=draws) - p["exact"]


@pytest.mark.parametrize("place", range(4))
def test_the_law_is_that_of_releases_by_the_definition(place):
    p = _chunk_answers.draw_settings(np.random.default_rng())[place]
    assert follows(simulated(p, 4000), CLAIM.right_law(p))


def test_the_same_test_refuses_the_law_of_positional_chunks():
    # Three rows that never share a chunk: half of the mass of the law lies elsewhere.
    p = _chunk_answers.draw_settings(np.random.default_rng())[3]
    assert not follows(simulated(p, 4000, chunks_by="even"), CLAIM.right_law(p))


def test_three_rows_share_chunks_as_often_as_counted():
    """Every way to put three rows into k chunks, one by one."""
    for chunks in (5, 6):
        p = {**_chunk_answers.draw_settings(np.random.default_rng())[3], "chunks": chunks}
        by_number = {len(answers): chance for chance, answers in _chunk_answers.outcomes(p)}
        counted = np.zeros(4)
        for place in range(chunks**3):
            counted[len({place % chunks, place // chunks % chunks, place // chunks**2})] += 1
        for number, chance in by_number.items():
            assert chance == pytest.approx(counted[number] / chunks**3, rel=1e-12)


def test_the_law_of_a_sum_of_laplace_draws():
    draws = np.random.default_rng().laplace(scale=0.7, size=(50_000, 4)).sum(axis=1)
    assert follows(draws, laws_of_noise.laplace_sum(0.7, 4))
    assert not follows(draws, laws_of_noise.laplace_sum(0.7, 3))
    places = np.linspace(-9, 9, 61)
    # The integral of the density (1 + |x|) exp(-|x|) / 4 at scale 1.
    tail = (2 + np.abs(places) / 2) * np.exp(-np.abs(places) / 2) / 4
    two = np.where(places < 0, tail, 1 - tail)
    for count, law in ((1, stats.laplace(scale=2).cdf(places)), (2, two)):
        found = laws_of_noise.laplace_sum(2.0, count)(places)
        assert found == pytest.approx(law, abs=1e-14)


def test_an_even_hash_keeps_its_room_far_more_often_than_not():
    """The bound that the claim states: below 2e-11 for four tables, by the binomial law."""
    failing = []
    for chunks in assign_chunks._CHUNKS:
        share, rows = 1 / chunks, assign_chunks._ROWS
        room = _evenness._MOST_SPREAD * math.sqrt(rows * share * (1 - share))
        law = stats.binom(rows, share)
        failing.append(chunks * (law.cdf(rows * share - room) + law.sf(rows * share + room)))
    assert sum(sorted(failing)[-4:]) < 2e-11
    assert stats.binom(900, 1 / 11).sf(900 / 11 + 3 * 8.6) > 1e-4  # a narrow bound would not do
