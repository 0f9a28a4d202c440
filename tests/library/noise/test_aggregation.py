"""Sample and aggregate: chunks by a row's own label, the exact law, the seeds' two errors."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws import FALSE_ALARM, follows
from scipy import stats

from dplib.aggregation import (
    aggregation_error,
    assign_chunks,
    best_chunks,
    noisy_vote,
    sample_and_aggregate,
)
from dplib.data import load_adult

pytestmark = pytest.mark.quick

ENDS = {"lower": 0, "upper": 1}
# So much epsilon that the noise is below 1e-9: what comes out is the exact mean of the answers.
EXACT = {**ENDS, "epsilon": 1e12}


def seeds_cut(values, chunks):
    """The seeds' chunks: pieces of ceil(n / chunks) rows, by position."""
    rows = math.ceil(len(values) / chunks)
    return [values[start : start + rows] for start in range(0, len(values), rows)]


def seeds_mean(values, function, chunks):
    return np.mean([np.clip(function(chunk), 0, 1) for chunk in seeds_cut(values, chunks)])


# Chunks.


labels = st.lists(st.integers(-(2**70), 2**70) | st.text(max_size=5), min_size=1, max_size=20)


@given(labels=labels, other=st.integers() | st.text(), chunks=st.integers(1, 50), data=st.data())
@pytest.mark.slow
def test_a_row_that_joins_or_leaves_moves_no_other_row(labels, other, chunks, data):
    place = data.draw(st.integers(0, len(labels)))
    joined = [*labels[:place], other, *labels[place:]]
    before, after = (assign_chunks(some, chunks=chunks) for some in (labels, joined))
    assert np.array_equal(np.delete(after, place), before)
    assert before.dtype == np.int64 and before.min() >= 0 and before.max() < chunks
    backwards = assign_chunks(labels[::-1], chunks=chunks)
    assert np.array_equal(backwards[::-1], before)


def test_the_form_of_the_labels_does_not_matter():
    for whole in (range(5), np.arange(5), np.arange(5, dtype=np.int8), pd.Series(range(5))):
        assert np.array_equal(
            assign_chunks(whole, chunks=7), assign_chunks(list(range(5)), chunks=7)
        )
    text = ["a", "bc", "\ud800"]
    assert np.array_equal(assign_chunks(np.array(text), chunks=7), assign_chunks(text, chunks=7))


@pytest.mark.slow
def test_chunks_are_even_and_each_salt_gives_others():
    """No chance here: a hash of fixed labels. Uniform draws would spread like this."""
    first, second = (assign_chunks(np.arange(60_000), chunks=600, salt=salt) for salt in (0, 1))
    for assigned in (first, second):
        statistic = stats.chisquare(np.bincount(assigned, minlength=600)).pvalue
        assert 0.001 < statistic < 0.999
    assert (first == second).mean() == pytest.approx(1 / 600, rel=0.3)


@pytest.mark.parametrize("wrong", [[], [1.0], [None], [True], [np.nan], [(1, 2)]])
def test_labels_that_are_neither_whole_nor_text_are_refused(wrong):
    with pytest.raises(ValueError, match="labels"):
        assign_chunks(wrong, chunks=3)


# The seeds' errors.


@pytest.mark.parametrize(("asked", "made"), [(600, 593), (6000, 5428), (32562, 16282)])
def test_the_seeds_make_fewer_chunks_than_they_count_on(asked, made):
    assert len(seeds_cut(np.zeros(32563), asked)) == made
    # Ours: every chunk answers, and an empty one with the middle of the interval.
    mean = sample_and_aggregate(np.zeros(32563), lambda rows: 1, chunks=asked, **EXACT)
    filled = round((mean - 0.5) * 2 * asked)
    assert mean == pytest.approx((filled + (asked - filled) / 2) / asked, abs=1e-9)
    assert filled <= min(asked, 32563)


def test_with_chunks_by_position_one_row_moves_the_answer_by_300_times_the_bound():
    # 600 chunks of 10 rows. A first row of 0; in every other chunk the first and last row are 1.
    values = np.zeros((600, 10))
    values[1::2, [0, -1]] = 1
    values = values.ravel()
    moved = seeds_mean(values[1:], np.max, 600) - seeds_mean(values, np.max, 600)
    assert moved * 600 == pytest.approx(300)
    own = np.arange(6000)
    answers = [
        sample_and_aggregate(values[rest], np.max, chunks=600, **EXACT, labels=own[rest])
        for rest in (slice(None), slice(1, None))
    ]
    assert abs(answers[0] - answers[1]) * 600 <= 1 + 1e-6


# One row, one chunk: for functions of every kind.


FUNCTIONS = [np.max, np.median, np.mean, len, lambda rows: 0, lambda rows: np.inf * rows[0],
             lambda rows: hash(tuple(rows.tolist())) % 3 - 1]  # fmt: skip


@pytest.mark.slow
@given(
    values=st.lists(st.floats(-2, 2), min_size=2, max_size=15),
    joined=st.floats(-2, 2),
    chunks=st.integers(1, 20),
    salt=st.integers(0, 1000),
)
@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.filterwarnings("ignore:invalid value")
def test_one_row_moves_the_answer_by_one_chunk_at_most(function, values, joined, chunks, salt):
    values, own = np.array(values), np.arange(len(values)) * 7

    def mean(table, labels):
        given = {"chunks": chunks, "labels": labels, "salt": salt}
        return sample_and_aggregate(table, function, **given, **EXACT)

    exact = mean(values, own)
    left = mean(values[1:], own[1:])
    replaced = mean(np.append(values[:-1], joined), own)
    assert max(abs(exact - left), abs(exact - replaced)) <= 1 / chunks + 1e-9
    assert -1e-9 <= exact <= 1 + 1e-9


@pytest.mark.slow
def test_rows_without_labels_draw_their_chunks():
    """Two rows meet in one of three chunks in a third of the runs, whatever their places."""
    rng = np.random.default_rng()
    met = [
        sample_and_aggregate([1, 1], lambda rows: len(rows) - 1, chunks=3, **EXACT, rng=rng) > 0.6
        for _ in range(3000)
    ]
    assert stats.binomtest(sum(met), len(met), 1 / 3).pvalue > FALSE_ALARM
    assert stats.binomtest(0, len(met), 1 / 3).pvalue < FALSE_ALARM


def test_the_function_gets_rows_in_their_own_form():
    table = load_adult().head(50)
    given = {"chunks": 4, "lower": 0, "upper": 100, "epsilon": 1e12, "labels": table.index}
    frame = sample_and_aggregate(table, lambda rows: rows["Age"].max(), **given)
    series = sample_and_aggregate(table["Age"], lambda rows: rows.max(), **given)
    array = sample_and_aggregate(table[["Age"]].to_numpy(), lambda rows: rows[:, 0].max(), **given)
    assert frame == pytest.approx(series, abs=1e-6) == pytest.approx(array, abs=1e-6)


def test_answers_are_clipped_and_nan_and_empty_chunks_answer_with_the_middle():
    given = {"chunks": 1, "lower": -4, "upper": 10, "epsilon": 1e12}
    for answer, expected in ((99, 10), (-np.inf, -4), (np.nan, 3), (np.float64(7), 7)):
        mean = sample_and_aggregate([1, 2], lambda rows, answer=answer: answer, **given)
        assert mean == pytest.approx(expected, abs=1e-9)
    many = sample_and_aggregate([1], lambda rows: 10, **{**given, "chunks": 7})
    assert many == pytest.approx((10 + 6 * 3) / 7, abs=1e-9)


# Edges.


@pytest.mark.parametrize("name", ["epsilon", "chunks", "lower", "upper", "salt"])
@pytest.mark.parametrize("wrong", [-1.5, np.nan, np.inf, "1", None, True])
def test_a_parameter_out_of_range_is_named_with_its_value(name, wrong):
    given = {"chunks": 2, "lower": -2, "upper": -1.7, "epsilon": 1, "labels": [1, 2], name: wrong}
    if (name, wrong) == ("upper", -1.5):
        given["lower"] = -1.5
    if name == "lower" and wrong == -1.5:
        given["upper"] = -1.5
    with pytest.raises(ValueError, match=name) as caught:
        sample_and_aggregate([1, 2], np.mean, **given)
    assert repr(wrong) in str(caught.value)


def test_what_else_is_refused():
    given = {"chunks": 2, **ENDS, "epsilon": 1}
    for wrong in ([], 3, pd.DataFrame({"a": []})):
        with pytest.raises(ValueError, match="values"):
            sample_and_aggregate(wrong, np.mean, **given)
    with pytest.raises(ValueError, match="labels must be 2"):
        sample_and_aggregate([1, 2], np.mean, **given, labels=[1])
    for answer in (None, "1", [1, 2], np.ones(1), object(), 1j):
        with pytest.raises(ValueError, match="function must return one number"):
            sample_and_aggregate([1, 2], lambda rows, answer=answer: answer, **given)
    with pytest.raises(ValueError, match="rng"):
        sample_and_aggregate([1, 2], np.mean, **given, rng=np.random)


def test_the_input_is_untouched_and_rng_repeats():
    def greedy(rows):
        rows[:] = 5
        return rows[0]

    values = np.zeros(4)
    given = {"chunks": 2, **ENDS, "epsilon": 1}
    first, second = (
        sample_and_aggregate(values, greedy, **given, rng=np.random.default_rng(3)) for _ in "ab"
    )
    assert first == second and type(first) is float
    assert not values.any()


# The exact law.


def draws(count, values, function, **parameters):
    rng = np.random.default_rng()
    given = {"labels": np.arange(len(values)), "rng": rng, **parameters}
    return np.array([sample_and_aggregate(values, function, **given) for _ in range(count)])


@pytest.mark.long
@pytest.mark.slow
def test_the_noise_has_its_exact_law():
    """Three rows in 60 chunks: the scale is that of 60 answers, the empty ones included."""
    given = {"chunks": 60, **ENDS, "epsilon": 0.5}
    law = stats.laplace(loc=(3 + 57 / 2) / 60, scale=1 / (60 * 0.5))
    released = draws(8_000, [1, 1, 1], np.mean, **given)
    assert len(set(assign_chunks(range(3), chunks=60))) == 3
    assert follows(released, law.cdf)
    few = law.mean() + (released - law.mean()) * 60 / 3
    assert not follows(few, law.cdf)


# The number of chunks.


def test_the_best_number_of_chunks_balances_bias_and_noise():
    given = {"lower": 0, "upper": 100, "epsilon": 1}
    # Few chunks, none empty: the least of (c k / n)² + 2 (w / k)² is at k² = sqrt(2) w n / c.
    best = best_chunks(32563, **given, bias=lambda rows: 300 / rows)
    assert best == round(math.sqrt(math.sqrt(2) * 100 * 32563 / 300))
    # A mean loses nothing on few rows: only empty chunks stop it.
    many = best_chunks(32563, **given, bias=lambda rows: 0 * rows)
    assert many == 3927
    error = [
        aggregation_error(k, size=32563, **given, bias=lambda rows: 0 * rows)
        for k in (many - 1, many, many + 1)
    ]
    assert error[1] < min(error[0], error[2])
    assert best_chunks(1, **given, bias=lambda rows: 1 / rows) == 1
    with pytest.raises(ValueError, match="bias"):
        best_chunks(10, **given, bias=lambda rows: 1)
    with pytest.raises(ValueError, match="size"):
        best_chunks(10**8, **given, bias=lambda rows: 1 / rows)
    with pytest.raises(ValueError, match="chunks"):
        aggregation_error([0, 1], size=3, **given, bias=lambda rows: 1 / rows)


@pytest.mark.long
@pytest.mark.slow
def test_the_model_of_the_error_is_what_is_measured():
    """All rows at the upper end, as many chunks as rows: a third of the chunks is empty."""
    given = {**ENDS, "epsilon": 1}
    rng = np.random.default_rng()
    errors = [
        sample_and_aggregate(np.ones(20), np.mean, chunks=20, **given, rng=rng) - 1
        for _ in range(8000)
    ]
    measured = np.sqrt(np.mean(np.square(errors)))
    model = aggregation_error(20, size=20, **given, bias=lambda rows: 0 * rows)
    # One standard deviation of the measured error is 0.005 of it. The model leaves out the spread
    # of the number of empty chunks, 0.016 of it. So 0.1 is more than fifteen standard deviations.
    assert measured == pytest.approx(model, rel=0.1)
    assert model > 2 * math.sqrt(2) / 20


# A vote.


def vote_law(counts, *, epsilon):
    """The exact law of the winner, by quadrature over its noisy count."""
    places = np.linspace(-400, 400, 800_001)
    law = stats.laplace(scale=2 / epsilon)
    below = np.array([law.cdf(places - count) for count in counts])
    chances = []
    for winner, count in enumerate(counts):
        others = np.delete(below, winner, axis=0).prod(axis=0)
        chances.append(float(np.trapezoid(law.pdf(places - count) * others, places)))
    return np.array(chances)


@pytest.mark.long
@pytest.mark.slow
def test_the_vote_follows_its_exact_law():
    rng, draws = np.random.default_rng(), 20_000
    votes = ["a"] * 5 + ["b"] * 3
    won = [noisy_vote(votes, classes=list("abc"), epsilon=0.8, rng=rng) for _ in range(draws)]
    counts = [won.count(each) for each in "abc"]
    expected = vote_law([5, 3, 0], epsilon=0.8) * draws
    # 5 standard deviations of each count and more: a false alarm has probability below 1e-9.
    assert np.all(np.abs(counts - expected) < 7 * np.sqrt(expected))
    wrong = vote_law([5, 3, 0], epsilon=1.6)
    assert stats.chisquare(counts, wrong / wrong.sum() * draws).pvalue < 1e-9


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
def test_a_changed_vote_costs_epsilon_at_most(epsilon):
    worst = 0.0
    for counts, near in (((4, 4), (3, 5)), ((5, 2, 1), (4, 3, 1)), ((0, 9, 9), (1, 8, 9))):
        ratio = np.log(vote_law(counts, epsilon=epsilon) / vote_law(near, epsilon=epsilon))
        worst = max(worst, np.abs(ratio).max())
    assert 0.5 * epsilon < worst <= epsilon * (1 + 1e-6)
    # Half of the noise costs more than epsilon.
    halved = vote_law((4, 30), epsilon=2 * epsilon) / vote_law((3, 31), epsilon=2 * epsilon)
    assert np.abs(np.log(halved)).max() > 1.5 * epsilon


def test_the_vote_refuses_what_is_none():
    for wrong in ({"votes": []}, {"votes": ["d"]}, {"epsilon": 0}, {"classes": ["a", "a"]}):
        given = {"votes": ["a"], "classes": ["a", "b"], "epsilon": 1, **wrong}
        with pytest.raises(ValueError, match=r"votes|epsilon|categories"):
            noisy_vote(**given)
