"""Claims about a formula in a few positive numbers: the mistakes are other formulas."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["formula_claim"]


def formula_claim(
    *,
    name: str,
    about: str,
    established: str,
    cases: Callable[[np.random.Generator], list[dict]],
    positional: Sequence[str],
    right: Callable[..., float],
    mistakes: Sequence[tuple[str, Callable[..., float], str]],
) -> ValuesClaim:
    """Return the claim.

    Args:
      name, about, established, cases: as in `ValuesClaim`.
      positional: the parameters that the answer takes by place, in this order.
      right: the formula; it takes a case's parameters by name.
      mistakes: name, formula and question of each.
    """

    def arguments(p: dict) -> tuple[tuple, dict]:
        keywords = {key: value for key, value in p.items() if key not in positional}
        return tuple(p[key] for key in positional), keywords

    return ValuesClaim(
        name=name,
        about=about,
        established=established,
        cases=cases,
        arguments=arguments,
        expected=lambda p: right(**p),
        mistakes=tuple(
            ValueMistake(words, lambda p, formula=formula: float(formula(**p)), ask)
            for words, formula, ask in mistakes
        ),
        situation=lambda p: ", ".join(f"{key} {value:g}" for key, value in p.items()),
    )
