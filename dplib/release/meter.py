"""Rows behind a meter that asks for the unit: a look is a noisy sum over units, and is billed."""

import math

import numpy as np
import pandas as pd

from dplib import _validate
from dplib.ledger import BudgetExceededError
from dplib.release.expressions import RowError, RowExpression
from dplib.release.visits import DAYS, MOST_ROWS

UNITS = {"row": None, "person-day": ["person", "day"], "person": ["person"]}
#: The columns that a question may use, and those that it must not.
COLUMNS, CLOSED = ("day", "hour", "place", "amount", "age"), ("person", "note")
_ROUNDING = 1e-9
_MOST_CELLS = 1_000


class RunEndedError(Exception):
    """A question stopped at somebody's row: nothing can be published any more."""


class MeteredVisits:
    """Holds a table of visits, and answers with noisy sums until its budget is spent.

    All answers together are private for the budget, for add_remove of one unit, also where later
    questions depend on earlier answers: Laplace noise and epsilon, or Gaussian noise and rho.

    Args:
      table: as of `make_visits`.
      epsilon, rho: the budget, > 0: one of the two.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Attributes:
      unit: of the first question; all others have the same. "" before.
      budget, spent: in epsilon, or in rho.
      looks: what was asked and answered: for an owner who checks, not for the one who asks.

    Raises:
      ValueError: an argument is out of range.

    Source: Dwork & Roth (2014), section 3.5; Bun & Steinke (2016), proposition 1.6 and lemma 2.3.
    """

    def __init__(self, table, *, epsilon=None, rho=None, rng=None):
        if (epsilon is None) == (rho is None):
            raise ValueError(f"one of epsilon and rho is wanted, got {epsilon!r} and {rho!r}")
        self._table, self._rng = table, _validate.generator(rng)
        self.concentrated = epsilon is None
        name, budget = ("rho", rho) if self.concentrated else ("epsilon", epsilon)
        self.budget, self.spent = _validate.positive(name, budget), 0.0
        self.unit, self.looks, self._ended = "", [], False

    @property
    def most_units(self):
        """How many units one person may be."""
        return {"person": 1, "person-day": min(DAYS, MOST_ROWS), "": 1}.get(self.unit, MOST_ROWS)

    @property
    def spent_by_person(self):
        """The epsilon, or rho, that all answers together cost one person."""
        # Group privacy: epsilon grows with the number of units, rho with its square.
        return self.spent * self.most_units ** (2 if self.concentrated else 1)

    def ask(self, by, *, cells, unit, bound, epsilon=None, rho=None, value="1", each="sum"):
        """Return for each cell the noisy sum over all units; bill epsilon, or rho.

        Args:
          by: an expression (`RowExpression`) that gives a row's cell.
          cells: the public list of cells; a row in none of them adds nothing.
          unit: "row", "person-day" or "person": what comes or goes as a whole.
          bound: what one unit adds to all cells together is shortened to this L1 norm (with rho:
            L2 norm), > 0.
          epsilon, rho: what this look costs, > 0, in the currency of the budget.
          value: an expression for what a row adds.
          each: "sum" adds up a unit's rows in each cell, "any" takes the largest of them.

        Returns:
          Shape (cells,). Each entry has Laplace noise of scale bound / epsilon, or Gaussian noise
          of standard deviation bound / sqrt(2 rho).

        Raises:
          BudgetExceededError: it would cost more than is left. Nothing was answered.
          RunEndedError: an expression stopped at a row, now or before.
          ValueError: an argument is out of range.
        """
        cost = self._cost(epsilon, rho)
        bound, cells = _validate.positive("bound", bound), _cells(cells)
        if unit not in UNITS or each not in ("sum", "any"):
            raise ValueError(
                f'unit must be one of {", ".join(UNITS)}, and each "sum" or "any": got {unit!r} '
                f"and {each!r}"
            )
        if self.unit not in ("", unit):
            raise ValueError(f"unit was {self.unit!r}, and a release has one, got {unit!r}")
        known = {"columns": COLUMNS, "closed": CLOSED}
        by, value = RowExpression(by, **known), RowExpression(value, **known)
        if self._ended:
            raise RunEndedError("the run has ended: a question stopped at a row")
        self._raise_if_overspent(cost)
        units = self._units(by, value, cells, unit, each)
        self.unit, self.spent = unit, self.spent + cost
        norms = np.linalg.norm(units, ord=2 if self.concentrated else 1, axis=1)
        shorter = np.minimum(1, bound / np.maximum(norms, bound))
        exact = (units * shorter[:, None]).sum(axis=0)
        noise, scale = self._noise(bound, cost, len(cells))
        look = {"by": by, "value": value, "cells": cells, "bound": bound, "scale": scale}
        self.looks.append({**look, "each": each})
        return exact + noise

    def _cost(self, epsilon, rho) -> float:
        name, cost, other = ("epsilon", epsilon, rho)
        if self.concentrated:
            name, cost, other = ("rho", rho, epsilon)
        if cost is None or other is not None:
            raise ValueError(f"this budget is one of {name}: give {name}, and nothing else")
        return _validate.positive(name, cost)

    def _raise_if_overspent(self, cost: float) -> None:
        if self.spent + cost > self.budget * (1 + _ROUNDING):
            raise BudgetExceededError(
                f"{cost:.4g} refused: the bill would be {self.spent + cost:.4g}, and the budget is "
                f"{self.budget:.4g}"
            )

    def _units(self, by, value, cells, unit, each) -> np.ndarray:
        try:
            return unit_sums(self._table, by, value, cells=cells, unit=unit, each=each)
        except RowError as stopped:
            self._ended = True
            raise RunEndedError(f"{stopped}: nothing is published") from None

    def _noise(self, bound: float, cost: float, size: int) -> tuple[np.ndarray, float]:
        if self.concentrated:
            scale = bound / math.sqrt(2 * cost)
            return self._rng.normal(scale=scale, size=size), scale
        scale = bound / cost
        return self._rng.laplace(scale=scale, size=size), scale


def unit_sums(table, by, value, *, cells, unit, each):
    """Return what each unit adds to each cell before it is shortened, shape (units, cells).

    Args:
      table: as of `make_visits`.
      by, value: `RowExpression`s.
      cells, unit, each: as in `MeteredVisits.ask`.

    Raises:
      RowError: an expression stops at a row.
    """
    place_of = {cell: place for place, cell in enumerate(cells)}
    try:
        places = np.array([place_of.get(cell, -1) for cell in by(table)], dtype=int)
    except TypeError:
        raise RowError("the expression gives no cell at a row") from None
    values, keys = value.numbers(table), UNITS[unit]
    who = np.arange(len(table))
    if keys is not None:
        who = table.groupby(keys, sort=False).ngroup().to_numpy()
    there = places >= 0
    sums = np.zeros((int(who.max(initial=-1)) + 1, len(cells)))
    add = np.add if each == "sum" else np.maximum
    add.at(sums, (who[there], places[there]), values[there])
    return sums


def _cells(cells) -> list:
    try:
        found = pd.unique(pd.Series(list(cells), dtype=object)).tolist()
    except TypeError:
        raise ValueError(f"cells must be a list, got {cells!r}") from None
    if not 1 <= len(found) == len(list(cells)) <= _MOST_CELLS:
        raise ValueError(f"cells must be 1 to {_MOST_CELLS} different ones, got {len(cells)}")
    return found
