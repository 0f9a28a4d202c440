"""The arguments of a claim without chance: their names, and how a call is given each."""

import copy
import inspect
import re
from collections.abc import Callable, Sequence
from typing import Any

# The arguments of one call, by name.
Given = dict[str, Any]

_UNCHANGING = (bool, int, float, str, type(None))


def copied(value: Any) -> Any:
    """Return an argument for one call alone."""
    return value if isinstance(value, _UNCHANGING) else copy.deepcopy(value)


def taking(names: str, **made: Callable[[Any], Any]) -> Callable[[Given], tuple[tuple, Given]]:
    """Return what makes a call's arguments of a setting's parameters, which have the same names.

    Args:
      names: as in a signature, "values, *, epsilon=1": those behind the star are given by name.
      made: makes an argument of a parameter that is not given as it is, `values=np.array`.

    A setting may list under "not_given" the names that a call leaves at their defaults.
    """
    names = re.sub(r"=[^,]*", "", names)
    places, keywords = (re.findall(r"\w+", part) for part in f"{names}*".split("*")[:2])

    def argument(parameters: Given, name: str) -> Any:
        return made.get(name, lambda value: value)(parameters[name])

    return lambda parameters: (
        tuple(argument(parameters, name) for name in places),
        {
            name: argument(parameters, name)
            for name in keywords
            if name not in parameters.get("not_given", ())
        },
    )


def call_in(about: str) -> tuple[str, str]:
    """Return the name and the arguments of the call that a text shows.

    Raises:
      ValueError: it shows none.
    """
    if not (call := re.search(r"`(\w+)\(([^)]*)\)", about)):
        wanted = 'begin `about` with "Check `name(value, *, epsilon)`", or give name and arguments'
        raise ValueError(f"a claim must say how its answer is called: {wanted}; got {about!r}")
    return call[1], call[2]


class Signature:
    """How an answer is called: each argument by its place where the reference lets it be.

    A class is used, not called: then the arguments are those of `use` after the answer.
    """

    def __init__(self, reference: Callable, use: Callable):
        is_class = inspect.isclass(reference)
        known = list(inspect.signature(use if is_class else reference).parameters.values())
        known = known[1:] if is_class else known
        self._by_place = {each.name: each.kind is not each.KEYWORD_ONLY for each in known}

    def call(self, given: Given) -> tuple[tuple, dict]:
        """Return the arguments by place where the signature lets them be, the others by name."""
        own = dict(given)
        by_place = [name for name, by_place in self._by_place.items() if by_place]
        return tuple(own.pop(name) for name in by_place if name in own), own

    def named(self, positional: tuple, keywords: Given) -> Given:
        """Return the arguments of a call, all by name."""
        return {**dict(zip(self._by_place, positional, strict=False)), **keywords}

    def raise_unless_fitting(self, cases: Sequence[Given], claim: str) -> None:
        """Raise ValueError, with the claim's name, unless each case names arguments."""
        for given in cases:
            if not isinstance(given, dict):
                problem = f"an input is a {type(given).__name__}, wanted is {{name: argument}}"
                raise ValueError(f"claim {claim}: {problem}")
            unknown = [name for name in given if name not in self._by_place]
            if unknown:
                names = ", ".join(self._by_place)
                raise ValueError(f"claim {claim}: an input has {unknown}, wanted are {names}")
