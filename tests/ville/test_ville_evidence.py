"""The evidence is a test martingale: its mean is enumerated exactly."""

import itertools
import math

import numpy as np
import pytest
from laws import expected_evidence
from scipy import stats

from ville.alternatives import Alternatives
from ville.entries import Entries
from ville.evidence import Evidence, Weighted, default_mixture
from ville.parts import Coarse, Free, Listed, Transitions

ALPHA = 1e-9


SMALL_NULL = [np.array([0.2, 0.5, 0.3]), np.array([0.6, 0.4])]
SMALL_LAWS = {
    "one": [np.array([1.0, 0.0, 0.0]), np.array([0.5, 0.5])],
    "other": [np.array([0.3, 0.3, 0.4]), np.array([0.0, 1.0])],
}


def small_mixture() -> Evidence:
    alternatives = Alternatives(SMALL_NULL, SMALL_LAWS)
    return default_mixture(SMALL_NULL, alternatives, alternatives)


def test_a_law_that_is_no_number_in_a_row_says_nothing_there():
    # 0 / 0, where all scores are equal. One NaN would make all evidence NaN, and fail nobody.
    nothing = np.full(2, np.nan)
    alternatives = Alternatives(SMALL_NULL, {"odd": [SMALL_LAWS["one"][0], nothing]})
    assert alternatives.log_ratios[0, 3:] == pytest.approx(0)
    assert alternatives.rates()[0] > 0
    evidence = default_mixture(SMALL_NULL, alternatives, alternatives)
    evidence.observe(np.zeros(40, dtype=int), np.zeros(40, dtype=int))
    assert evidence.log_total(evidence.log_values()) > 10


@pytest.mark.parametrize("sequence", [[0, 0], [0, 1, 0], [1, 1, 0, 0, 1], [0, 0, 0, 0, 0]])
def test_the_evidence_has_mean_one_after_several_answers(sequence):
    assert expected_evidence(small_mixture, sequence, SMALL_NULL) == pytest.approx(1, abs=1e-9)


NO_COUNTS = np.zeros(0)  # for a part that does not look at them


# A setting whose answers have three entries, then one whose answers have two.
ENTRIES_NULL = [
    np.array([0.2, 0.5, 0.3]),
    np.array([0.6, 0.4]),
    np.array([0.1, 0.2, 0.3, 0.4]),
    np.array([0.5, 0.5]),
    np.array([0.3, 0.7]),
]


def mixture_of_entries(null=ENTRIES_NULL, entries=(3, 2)) -> Evidence:
    laws = {"even": [np.full(len(row), 1 / len(row)) for row in null]}
    alternatives = Alternatives(null, laws)
    return default_mixture(null, alternatives, alternatives, entries)


@pytest.mark.parametrize("sequence", [[0, 1, 2], [3, 4, 3, 4], [0, 1, 2, 3, 4], [0, 1, 2, 0, 1]])
def test_the_evidence_has_mean_one_after_answers_of_several_entries(sequence):
    mean = expected_evidence(mixture_of_entries, sequence, ENTRIES_NULL)
    assert mean == pytest.approx(1, abs=1e-9)


@pytest.mark.long
def test_the_evidence_has_mean_one_for_entries_that_share_one_law():
    null = [np.array([0.2, 0.5, 0.3])] * 6
    mean = expected_evidence(lambda: mixture_of_entries(null, (3, 3)), [0, 1, 2, 3, 4, 5], null)
    assert mean == pytest.approx(1, abs=1e-9)


def test_the_part_about_entries_alone_has_mean_one_and_a_dependent_law_breaks_it():
    part = Entries(ENTRIES_NULL, (3, 2), pooled=False)
    assert set(map(part.name, range(len(part.log_values())))) == {
        "entries 0 and 1",
        "entries 0 and 2",
        "entries 1 and 2",
        "the sum of all entries",
        "every other entry against the rest",
        "one half of the entries against the other",
    }
    # The same law of each entry; in the second table the two go together. Two answers each: the
    # first one only teaches.
    tables = np.array([np.outer(*ENTRIES_NULL[3:]), [[0.3, 0.2], [0.0, 0.5]]])
    means = np.zeros((2, len(part.log_values())))
    for cells in itertools.product(range(2), repeat=4):
        part = Entries(ENTRIES_NULL, (3, 2), pooled=False)
        part.observe(np.array([3, 4, 3, 4]), np.array(cells), NO_COUNTS)
        chances = tables[:, cells[0], cells[1]] * tables[:, cells[2], cells[3]]
        means += np.outer(chances, np.exp(part.log_values()))
    assert means[0] == pytest.approx(1, abs=1e-9)
    assert means[1].max() > 1.01


def test_an_answer_in_two_batches_is_one_answer():
    rows, cells = np.array([0, 1, 2, 0, 1, 2]), np.array([2, 1, 0, 0, 1, 3])
    at_once, in_two = mixture_of_entries(), mixture_of_entries()
    at_once.observe(rows, cells)
    for part in (slice(0, 2), slice(2, 6)):
        in_two.observe(rows[part], cells[part])
    assert in_two.log_total() == pytest.approx(at_once.log_total(), abs=1e-9)


def test_a_wrong_law_of_the_cells_breaks_the_mean():
    # The enumeration above can fail: here the cells follow another law than the evidence assumes.
    wrong = [np.array([0.3, 0.4, 0.3]), np.array([0.6, 0.4])]
    assert expected_evidence(small_mixture, [0, 1, 0], wrong) > 1.01


def test_weights_that_do_not_sum_to_one_are_refused():
    evidence = small_mixture()
    with pytest.raises(ValueError, match="sum to one"):
        Evidence(SMALL_NULL, [Weighted(each.part, 0.3) for each in evidence.parts])


def test_noise_that_sums_to_zero_is_found():
    # Each pair of 16 entries has the correlation -1/15; their sum is always 0.
    generator = np.random.default_rng()
    law = np.full(40, 1 / 40)
    evidence = default_mixture(
        [law] * 16, *[Alternatives([law] * 16, {"it": [law] * 16})] * 2, [16]
    )
    drawn = generator.standard_normal((200, 16))
    drawn = (drawn - drawn.mean(axis=1, keepdims=True)) * math.sqrt(16 / 15)
    cells = np.minimum((stats.norm.cdf(drawn) * 40).astype(int), 39)
    evidence.observe(np.tile(np.arange(16), 200), cells.ravel())
    values = evidence.log_values()
    assert evidence.log_total(values) >= -math.log(ALPHA)
    found = {each.part.kind: logs for each, logs in zip(evidence.parts, values, strict=True)}
    place = int(np.argmax(found["entries"]))
    entries = next(each.part for each in evidence.parts if each.part.kind == "entries")
    assert entries.name(place) == "the sum of all entries"
    assert max(found["dependence"]) < found["entries"][place]


def test_parts_start_at_zero():
    alternatives = Alternatives(SMALL_NULL, SMALL_LAWS)
    parts = [
        Listed(alternatives, "catalogue"),
        Free(SMALL_NULL, pooled=False),
        Coarse(SMALL_NULL),
        Transitions(SMALL_NULL, pooled=False),
    ]
    for part in parts:
        assert part.log_values() == pytest.approx(0, abs=1e-9)


def test_an_alternative_is_mixed_with_the_claim():
    # One answer that the alternative excludes leaves it a millionth, not nothing.
    ratios = Alternatives(SMALL_NULL, SMALL_LAWS).log_ratios
    assert ratios.min() == pytest.approx(math.log(1e-6))
