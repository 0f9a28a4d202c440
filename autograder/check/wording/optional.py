"""A function that looks for words returns None on an error: the verdict stands."""

from collections.abc import Callable
from functools import wraps
from typing import Any

# The tests set it: there an error is one.
STRICT = False


def optional(function: Callable) -> Callable:
    """Return the function, with None in place of whatever it raises."""

    @wraps(function)
    def or_none(*positional: Any, **keywords: Any) -> Any:
        try:
            return function(*positional, **keywords)
        except Exception:
            if STRICT:
                raise
            return None

    return or_none
