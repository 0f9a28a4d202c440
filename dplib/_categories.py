"""Public categories: a fixed list of values, and the place of each person's value in it."""

import functools

import numpy as np
import pandas as pd

# A list this short is kept as an index: who releases many marginals asks for the same lists.
_SHORT = 1000
# Of these, values of one type that are equal look the same: 0.0 and -0.0 do not, nor do two times
# of two zones.
_PLAIN = {str, int, bool}


def public_index(categories: object, *, least: int = 1, name: object = None) -> pd.Index:
    """Return the categories as an index called `name`.

    Raises:
      ValueError: they are not a sequence of at least `least` different values, none missing.
    """
    if isinstance(categories, str) or not np.iterable(categories):
        raise ValueError(f"categories must be a sequence, got {categories!r}")
    index = _index(list(categories)).rename(name)
    if len(index) < least:
        raise ValueError(f"categories must be at least {least} values, got {categories!r}")
    if not index.is_unique or index.hasnans:
        raise ValueError(f"categories must be different values, none missing, got {categories!r}")
    return index


def category_codes(name: str, values: object, categories: object, *, least: int = 1) -> np.ndarray:
    """Return the place of each value in `categories`, int64 of shape (n,).

    Raises:
      ValueError: `values` is not of shape (n,), or one is missing or in no category.
    """
    index = public_index(categories, least=least)
    if np.ndim(values) != 1:
        raise ValueError(f"{name} must have shape (n,), got {np.shape(values)}")
    column = pd.Index(values, tupleize_cols=False)
    try:
        codes = index.get_indexer(column)
    except TypeError as error:  # a value that cannot be looked up, a list for example
        raise ValueError(f"{name} must lie in the categories: {error}") from None
    if (codes < 0).any():
        strange = column[codes < 0][0]
        raise ValueError(
            f"{name} must lie in the categories (fill missing values), got {strange!r}"
        )
    return codes.astype(np.int64)


def _index(categories: list) -> pd.Index:
    kept = len(categories) <= _SHORT and set(map(type, categories)) <= _PLAIN
    return (_kept_index if kept else _new_index)(*categories)


def _new_index(*categories: object) -> pd.Index:
    return pd.Index(list(categories), tupleize_cols=False)


# By type too: 1, 1.0 and True are equal, and make different indexes.
_kept_index = functools.lru_cache(maxsize=256, typed=True)(_new_index)
