"""What a function refuses: each wrong value, alone among good ones, is named in a ValueError."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest


class says:
    """A wrong value, and more words of the error than the argument's name."""

    def __init__(self, value: Any, words: str):
        self.value, self.words = value, words


def refuses(function: Callable, good: dict, /, **wrong: Iterable) -> list:
    """Return cases of `check_refused`: `good` with each wrong value in its place.

    Args:
      function: what is called.
      good: arguments that it takes, or lacks only those that are wrong.
      wrong: by name of the argument, its wrong values.
    """
    return [
        pytest.param(
            function,
            good | {name: value.value if isinstance(value, says) else value},
            value.words if isinstance(value, says) else name,
            id=f"{function.__name__}-{name}-{place}",
        )
        for name, values in wrong.items()
        for place, value in enumerate(values)
    ]


def check_refused(function: Callable, arguments: dict, words: str) -> None:
    """Call the function, and see that it names what is wrong."""
    with pytest.raises(ValueError, match=words):
        function(**arguments)
