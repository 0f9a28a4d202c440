"""Tables as plain data: packs pandas' objects for `wire.py`, column by column.

pandas is imported only when a table comes, so that a notebook without tables does not need it.
"""

from typing import Any

import numpy as np

# Types of columns that are rebuilt by their name, from a list in which None means missing.
_NAMED = {"str", "string", "boolean"}
_NAMED |= {f"{kind}{bits}" for kind in ("Int", "UInt") for bits in (8, 16, 32, 64)}
_NAMED |= {"Float32", "Float64"}


class _NotPlainError(Exception):
    """A column of another type: the table is no plain data."""


def parts_of(value: Any) -> tuple[str, list] | None:
    """Return the kind and the parts of a table, a column or an index; None for anything else."""
    import pandas as pd

    try:
        if isinstance(value, pd.DataFrame):
            columns = [_column(value.iloc[:, k]) for k in range(value.shape[1])]
            return "frame", [_index(value.columns), _index(value.index), columns]
        if isinstance(value, pd.Series):
            return "series", [value.name, _index(value.index), _column(value)]
        if isinstance(value, pd.Index):
            return "index", _index(value)
        if isinstance(value, pd.Categorical):
            return "category", _column(pd.Series(value))
    except _NotPlainError:
        return None
    if value is pd.NA or value is pd.NaT:
        return "missing", [value is pd.NaT]
    if isinstance(value, pd.Timestamp | pd.Timedelta) and getattr(value, "tzinfo", None) is None:
        return "moment", [value.to_numpy()]
    return None


def _index(index: Any) -> list:
    import pandas as pd

    if isinstance(index, pd.RangeIndex):
        return ["range", index.name, [index.start, index.stop, index.step]]
    if isinstance(index, pd.MultiIndex):
        levels = [_index(level) for level in index.levels]
        return ["multi", list(index.names), [levels, [np.array(code) for code in index.codes]]]
    return ["plain", index.name, _column(index)]


def _column(column: Any) -> list:
    """Return the parts of a Series' or an Index's contents."""
    kind = column.dtype
    if isinstance(kind, np.dtype):
        return ["objects", list(column)] if kind.kind == "O" else ["array", column.to_numpy()]
    if str(kind) == "category":
        made = column.array
        return ["category", [_index(made.categories), np.array(made.codes), bool(made.ordered)]]
    if str(kind) in _NAMED:
        pairs = zip(column, column.isna(), strict=True)
        return [str(kind), [None if missing else each for each, missing in pairs]]
    raise _NotPlainError


def _index_from(kind: str, name: Any, parts: list) -> Any:
    import pandas as pd

    if kind == "range":
        return pd.RangeIndex(*parts, name=name)
    if kind == "multi":
        levels, codes = parts
        return pd.MultiIndex([_index_from(*each) for each in levels], codes, names=name)
    if kind == "plain":
        return pd.Index(_column_from(*parts), name=name, copy=False)
    raise ValueError(f"unknown kind of index: {kind!r:.40}")


def _column_from(kind: str, parts: Any) -> Any:
    """Return a column, with the rows numbered from 0."""
    import pandas as pd

    if kind == "category":
        categories, codes, ordered = parts
        made = pd.Categorical.from_codes(codes, _index_from(*categories), ordered=ordered)
        return pd.Series(made)
    if kind == "array":
        return pd.Series(parts, dtype=parts.dtype)
    if kind == "objects":
        # Each item as it came: a list would be taken for a row.
        items = np.empty(len(parts), dtype=object)
        items[:] = parts
        return pd.Series(items, dtype=object)
    if kind in _NAMED:
        return pd.Series(parts, dtype=kind)
    raise ValueError(f"unknown kind of column: {kind!r:.40}")


def _frame_from(columns: list, index: list, contents: list) -> Any:
    import pandas as pd

    made = {place: _column_from(*each) for place, each in enumerate(contents)}
    frame = pd.DataFrame(made) if made else pd.DataFrame(index=_index_from(*index))
    frame.columns, frame.index = _index_from(*columns), _index_from(*index)
    return frame


def _series_from(name: Any, index: list, contents: list) -> Any:
    series = _column_from(*contents)
    series.index, series.name = _index_from(*index), name
    return series


def _moment(value: Any) -> Any:
    import pandas as pd

    return pd.Timestamp(value) if value.dtype.kind == "M" else pd.Timedelta(value)


def _missing(is_a_time: bool) -> Any:
    import pandas as pd

    return pd.NaT if is_a_time else pd.NA


FROM = {
    "frame": _frame_from,
    "series": _series_from,
    "index": _index_from,
    "category": lambda *parts: _column_from(*parts).array,
    "missing": _missing,
    "moment": _moment,
}
