"""Questions as text: an expression is worked out at each row alone, and no code of Python runs.

Whoever keeps the rows can so answer questions of people whom nobody lets see a row. An expression
knows one row's columns, numbers, words and a few functions. It cannot keep what it sees.
"""

import ast
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

_LONGEST = 500  # characters
_NODES = (
    *(ast.Expression, ast.IfExp, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub),
    *(ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Compare),
    *(ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn, ast.Tuple),
    *(ast.Constant, ast.Name, ast.Load, ast.Call, ast.Attribute),
)
_METHODS = {"strip", "title", "lower", "upper", "startswith", "endswith"}
_CONSTANTS = (bool, int, float, str)


class RowError(Exception):
    """An expression stops at a row. It does not say at which one: that would be an answer."""


def missing(value) -> bool:
    """Say whether nothing stands in this place of the row."""
    return value is None or value != value


def within(value, low, high):
    """Return the value if it lies between low and high, else 0; what is missing counts as 0."""
    return value if low <= value <= high else 0


def _times(first, second):
    return _number(first) * _number(second)  # a word times a billion would fill the memory


def _modulo(first, second):
    return _number(first) % _number(second)  # of a word it would be a format


def _number(value):
    if isinstance(value, str):
        raise TypeError("a word is no number")
    return value


_FUNCTIONS: dict[str, Callable] = {
    **{"missing": missing, "within": within, "min": min, "max": max, "abs": abs},
    **{"round": round, "int": int, "float": float, "len": len},
}
_CHECKED = {ast.Mult: "_times", ast.Mod: "_modulo"}


class _Checked(ast.NodeTransformer):
    """Makes products and remainders of numbers alone."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:  # noqa: N802  (Python's own name)
        self.generic_visit(node)
        name = _CHECKED.get(type(node.op))
        if name is None:
            return node
        return ast.Call(ast.Name(name, ast.Load()), [node.left, node.right], [])


class RowExpression:
    """An expression over the columns of one row.

    Args:
      text: for example `"place.strip().title()"`, `"hour // 3"` or
        `"within(amount / (100 if day <= 120 else 1), 0, 500)"`.
      columns: the names that it may use.
      closed: names of columns that it must not use.

    Raises:
      ValueError: it is no such expression, or uses another name.
    """

    def __init__(self, text: str, *, columns: Sequence[str], closed: Sequence[str] = ()):
        tree = _read(text)
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        for name in sorted(names - set(columns) - _FUNCTIONS.keys()):
            rule = "must not be used" if name in closed else "is no column and no function here"
            raise ValueError(f"`{name}` {rule}, in the expression {text!r}")
        self.columns = [name for name in columns if name in names]
        functions = {"__builtins__": {}, **_FUNCTIONS, "_times": _times, "_modulo": _modulo}
        try:
            code = ast.Expression(_lambda(_Checked().visit(tree).body, self.columns))
            code = compile(ast.fix_missing_locations(code), "row", "eval")
        except RecursionError:
            raise ValueError(f"too many parts within parts: {text!r}") from None
        # Every node of the tree is one of those that are listed above.
        self._function = eval(code, functions)

    def __call__(self, rows: pd.DataFrame) -> list:
        """Return what the expression gives at each row.

        Raises:
          RowError: it stops at a row.
        """
        try:
            if not self.columns:
                return [self._function()] * len(rows)
            if len(self.columns) == 1:
                return self._at_each_value(rows[self.columns[0]])
            return list(map(self._function, *(_plain(rows[name]) for name in self.columns)))
        except Exception:
            raise RowError("the expression stops at a row") from None

    def _at_each_value(self, column: pd.Series) -> list:
        """Return what it gives at each row, worked out once for each different value."""
        places, values = pd.factorize(column, use_na_sentinel=False)
        found = [self._function(each) for each in _plain(pd.Series(values))]
        return [found[place] for place in places]

    def numbers(self, rows: pd.DataFrame) -> np.ndarray:
        """Return a finite number for each row, shape (rows,).

        Raises:
          RowError: it stops at a row, or gives no finite number there.
        """
        try:
            found = self(rows if self.columns else rows.head(1))
            values = np.array([float(_number(each)) for each in found])
            values = values if self.columns else np.repeat(values, len(rows))
        except (TypeError, ValueError, OverflowError):
            raise RowError("the expression gives no number at a row") from None
        if not np.isfinite(values).all():
            raise RowError("the expression gives no finite number at a row")
        return values


def _read(text: str) -> ast.Expression:
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise ValueError(f"an expression is a text of at most {_LONGEST} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f"{text!r} is no expression of Python") from None
    for node in ast.walk(tree):
        if not isinstance(node, _NODES):
            raise ValueError(f"{type(node).__name__} is not allowed in the expression {text!r}")
        if isinstance(node, ast.Constant) and not isinstance(node.value, _CONSTANTS):
            raise ValueError(f"{node.value!r} is not allowed in the expression {text!r}")
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for call in calls:
        _raise_unless_allowed(call, text)
    called = {id(call.func) for call in calls}
    for node in ast.walk(tree):
        function = isinstance(node, ast.Name) and node.id in _FUNCTIONS
        if id(node) not in called and (function or isinstance(node, ast.Attribute)):
            raise ValueError(f"a function is called, as in missing(age): {text!r}")
    return tree


def _raise_unless_allowed(call: ast.Call, text: str) -> None:
    function, name = call.func, ""
    if isinstance(function, ast.Attribute) and function.attr in _METHODS:
        name = function.attr
    elif isinstance(function, ast.Name) and function.id in _FUNCTIONS:
        name = function.id
    if not name or call.keywords:
        known = ", ".join(sorted(_FUNCTIONS)) + "; of a word: " + ", ".join(sorted(_METHODS))
        raise ValueError(f"only these functions can be called: {known}; got {text!r}")


def _lambda(body: ast.expr, names: list[str]) -> ast.Lambda:
    arguments = [ast.arg(name) for name in names]
    return ast.Lambda(ast.arguments([], arguments, None, [], [], None, []), body)


def _plain(column: pd.Series) -> list:
    """Return a column's values as Python's own; what is missing in a text is None."""
    if column.dtype.kind in "if":
        return column.tolist()
    return [None if missing(each) else each for each in column.tolist()]
