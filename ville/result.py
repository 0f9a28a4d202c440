"""The result of `follows`: a verdict, its evidence, and the worth of a pass."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ville.trial import Trial
from ville.worth import Worth, worth


class Departure(AssertionError):
    """Draws that do not follow the law that they should; `result` has the figures."""

    def __init__(self, result: Result):
        self.result = result
        super().__init__(str(result))


@dataclass(frozen=True, eq=False)
class Result:
    """The verdict on draws and a law, with its evidence.

    Attributes:
      follows: False only if the evidence reached 1 / alpha, or a draw came that the law never
        gives. Draws that follow the law get False with probability at most alpha.
      law: the law's name.
      alpha: the largest probability of a false alarm.
      draws: how many were judged, of all settings together.
      log_evidence: the log of the e-value at the end, with that of the runs before.
      path: (draws, log e-value) at each look.
      kind: the best explanation of a departure: "catalogue" (a listed mistake), "family" (a wrong
        spread or place), "free" (some other law), "dependence" (of a draw on the one before), "lag"
        (on one further back), "entries" (of the entries of one draw), "repeats" and "whole repeats"
        (values come again), "residues" (places in turn), "rare" (what is rare comes too often), or
        "impossible".
      mistake: the same in words.
      setting: the one that shows it most, if there are several settings; else empty.
    """

    follows: bool
    law: str
    alpha: float
    draws: int
    log_evidence: float
    path: tuple[tuple[int, float], ...]
    kind: str = ""
    mistake: str = ""
    setting: dict = field(default_factory=dict)
    _trial: Trial | None = field(default=None, repr=False)
    _laws: Sequence = field(default=(), repr=False)
    _counts: np.ndarray | None = field(default=None, repr=False)

    def __bool__(self) -> bool:
        return self.follows

    @property
    def e_value(self) -> float:
        """The evidence against the law: its mean is at most 1 if the draws follow the law."""
        return math.exp(min(self.log_evidence, 709.0))

    @cached_property
    def worth(self) -> Worth:
        """The smallest departures that this number of draws shows in 99 of 100 runs."""
        return worth(self._trial, self._laws, self.draws, self.alpha)

    def cells(self) -> tuple[np.ndarray, np.ndarray, list[str]]:
        """Return the share of the draws in each cell, the law's, and the cells in words.

        Of several settings or entries: those of the row that is furthest from its law.
        """
        return self._cells

    def __getstate__(self) -> dict:
        """Return what a file keeps: all figures, without the laws, which are functions."""
        figures = {"worth": self.worth, "_cells": self._cells}
        return {**self.__dict__, **figures, "_trial": None, "_laws": (), "_counts": None}

    @cached_property
    def _cells(self) -> tuple[np.ndarray, np.ndarray, list[str]]:
        null = self._trial.null()
        rows = np.split(self._counts, np.cumsum([len(row) for row in null])[:-1])
        shares = [counts / max(counts.sum(), 1) for counts in rows]
        far = [np.abs(share - row).sum() for share, row in zip(shares, null, strict=True)]
        place = int(np.argmax(far))
        labels = [self._laws[place][1].label(cell) for cell in range(len(null[place]))]
        return shares[place], null[place], labels

    def __str__(self) -> str:
        if self.follows:
            bar = f"e-value {self.e_value:.2g}, a failure from {1 / self.alpha:.2g} on"
            return f"{self.law}: {self.draws:,} draws show no departure ({bar}). {self.worth}"
        where = ", ".join(f"{name}={value!r}" for name, value in self.setting.items())
        lines = [f"draws do not follow {self.law}" + (f" at {where}" if where else "")]
        lines.append(f"  {self.mistake}")
        if self.kind == "impossible":
            return "\n".join([*lines, f"  found in {self.draws:,} draws, whatever the chance"])
        lines.append(f"  e-value {self.e_value:.2g} after {self.draws:,} draws")
        lines.append(f"  draws that follow the law fail with probability {self.alpha:.2g} at most")
        return "\n".join(lines)
