"""64-bit counts where numpy's places have 32 bits, as in a browser."""

from types import FunctionType

import numpy as np
import pytest

import dplib  # noqa: F401
from dplib._word_size import taking_counts

pytestmark = pytest.mark.quick


def strict(a, repeats, axis=None):
    """numpy's `repeat` where places have 32 bits."""
    if not np.can_cast(np.asarray(repeats).dtype, np.int32, "safe"):
        raise TypeError("Cannot cast array data from dtype('int64') to dtype('int32')")
    return np.repeat(a, repeats, axis=axis)


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.uint32, np.int64, np.uint64])
def test_counts_of_any_integer_type_are_taken(kind):
    counts = np.array([2, 0, 1], dtype=kind)
    assert taking_counts(strict, np.int32)([5, 6, 7], counts).tolist() == [5, 5, 7]
    table = taking_counts(strict, np.int32)(np.eye(2), counts[:2], axis=0)
    assert table.tolist() == [[1, 0], [1, 0]]


def test_one_count_and_no_counts_are_taken():
    assert taking_counts(strict, np.int32)([5, 6], np.int64(2)).tolist() == [5, 5, 6, 6]
    assert taking_counts(np.repeat, np.int32)([], np.zeros(0, dtype=np.int64)).tolist() == []


def test_what_numpy_would_refuse_is_refused():
    with pytest.raises(TypeError):
        strict([5], np.array([1]))  # without the module
    for counts in (np.array([1.0]), np.array([2**40]), np.array([-(2**40)])):
        with pytest.raises(TypeError):
            taking_counts(strict, np.int32)([5], counts)
    with pytest.raises(ValueError):
        taking_counts(strict, np.int32)([5], np.array([-1]))


def test_where_places_have_64_bits_numpy_is_as_it_was():
    assert not isinstance(np.repeat, FunctionType)
