"""Evidence against a claim: one test martingale, a mixture of likelihood ratios.

Under the claim each observation falls in a cell of known probability. Observations come from one
row or another (one for each setting, or for each entry of a setting's answers); each row has its
cells. Every part below bets on some other law of the cells. A part's values are likelihood ratios
against the claim, so each has mean 1 under the claim, whatever the number of answers; so has their
mixture with weights that sum to one. Ville's inequality (Ville 1939) then bounds the chance that
the mixture ever reaches 1/alpha, at any time at all, by alpha. docs/how-checks-decide.md has the
proof.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from autograder.check.dirichlet import GROUPS, TRANSITION_CONCENTRATIONS, Dirichlet, quarters
from autograder.check.together import Together

__all__ = [
    "Alternatives",
    "Coarse",
    "Evidence",
    "Free",
    "Listed",
    "Part",
    "Together",
    "Transitions",
    "default_mixture",
]

# Every alternative is mixed with the claim by this much, so that no single answer can rule it out.
NULL_SHARE = 1e-6

# Dirichlet concentrations per cell of the claim. Small ones find large departures in few answers;
# large ones find small departures in many.
FREE_CONCENTRATIONS = (0.5, 8.0, 64.0, 512.0)


class Alternatives:
    """Named laws other than the claim's, as log likelihood ratios of the cells of all rows."""

    def __init__(self, null: Sequence[np.ndarray], laws: Mapping[str, Sequence[np.ndarray]]):
        """Take the claim's cell probabilities by row, and each law's likewise."""
        self.names = tuple(laws)
        self.starts = np.cumsum([0, *(len(cells) for cells in null)])
        self._base = np.concatenate(null)
        laws_by_cell = np.array([np.concatenate(by_row) for by_row in laws.values()])
        mixed = (1 - NULL_SHARE) * laws_by_cell + NULL_SHARE * self._base
        # A cell that the claim never fills is refused before any evidence, so it carries none.
        possible = self._base > 0
        self.log_ratios = np.zeros_like(mixed)
        self.log_ratios[:, possible] = np.log(mixed[:, possible] / self._base[possible])

    def rates(self) -> np.ndarray:
        """Return how fast the claim refutes each law, in nats an observation.

        This is the Kullback-Leibler divergence of the claim from the law (as it is used: mixed
        with the claim), averaged over the rows.
        """
        return -(self.log_ratios @ self._base) / (len(self.starts) - 1)


class Part(Protocol):
    """One way to bet against the claim: some likelihood ratios, equally weighted."""

    def observe(self, rows: np.ndarray, cells: np.ndarray) -> None:
        """Take in the next observations, in their order: the row and the cell of each."""

    def log_values(self) -> np.ndarray:
        """Return the log of each likelihood ratio; all zeros before any answer."""


class Listed:
    """Alternatives whose cell probabilities are known: a catalogue, or a family of scales."""

    def __init__(self, alternatives: Alternatives):
        self._alternatives = alternatives
        self._counts = np.zeros(alternatives.starts[-1])

    def observe(self, rows: np.ndarray, cells: np.ndarray) -> None:
        places = self._alternatives.starts[rows] + cells
        self._counts += np.bincount(places, minlength=len(self._counts))

    def log_values(self) -> np.ndarray:
        return self._alternatives.log_ratios @ self._counts

    def loudest_row(self, alternative: int) -> int:
        """Return the row whose observations speak most for one alternative."""
        terms = self._alternatives.log_ratios[alternative] * self._counts
        return int(np.argmax(np.add.reduceat(terms, self._alternatives.starts[:-1])))


class Free:
    """Any law of the cells at all: Dirichlet mixtures around the claim."""

    def __init__(self, null: Sequence[np.ndarray], *, pooled: bool):
        """Take the cell probabilities by row; `pooled` adds all rows up into one table."""
        self._starts = np.cumsum([0, *(len(cells) for cells in null)])
        self._pooled = pooled
        rows = [null[0]] if pooled else list(null)
        sizes = np.array([len(row) for row in rows])
        self._law = Dirichlet(rows, np.outer(FREE_CONCENTRATIONS, sizes))
        self._counts = np.zeros(len(null[0]) if pooled else self._starts[-1])

    def observe(self, rows: np.ndarray, cells: np.ndarray) -> None:
        places = cells if self._pooled else self._starts[rows] + cells
        self._counts += np.bincount(places, minlength=len(self._counts))

    def log_values(self) -> np.ndarray:
        return self._law.log_values(self._counts)


class Coarse:
    """Any law of the quarters of the claim's law: fewer cells, so an error in them shows sooner.

    Without it a wrong law would show in the transitions first, and be taken for dependence.
    """

    def __init__(self, null: Sequence[np.ndarray]):
        """Take the cell probabilities by row."""
        groups = [quarters(cells) for cells in null]
        self._starts = np.cumsum([0, *(len(cells) for cells in null)])
        self._places = np.concatenate([GROUPS * row + each for row, each in enumerate(groups)])
        base = np.bincount(self._places, np.concatenate(null), minlength=GROUPS * len(null))
        weights = np.repeat(np.array(TRANSITION_CONCENTRATIONS)[:, None], len(null), axis=1)
        self._law = Dirichlet(list(base.reshape(-1, GROUPS)), weights)
        self._counts = np.zeros(len(base))

    def observe(self, rows: np.ndarray, cells: np.ndarray) -> None:
        places = self._places[self._starts[rows] + cells]
        self._counts += np.bincount(places, minlength=len(self._counts))

    def log_values(self) -> np.ndarray:
        return self._law.log_values(self._counts)


class Transitions:
    """Dependence between successive observations: which quarter of the law follows which."""

    def __init__(self, null: Sequence[np.ndarray], *, pooled: bool):
        """Take the cell probabilities by row; `pooled` keeps one table for all rows."""
        groups = [quarters(cells) for cells in null]
        self._starts = np.cumsum([0, *(len(cells) for cells in null)])
        self._group_of = np.concatenate(groups)
        shares = [
            np.bincount(group, cells, minlength=GROUPS)
            for group, cells in zip(groups, null, strict=True)
        ]
        rows = [share for share in (shares[:1] if pooled else shares) for _ in range(GROUPS)]
        weights = np.repeat(np.array(TRANSITION_CONCENTRATIONS)[:, None], len(rows), axis=1)
        self._law = Dirichlet(rows, weights)
        self._pooled = pooled
        self._counts = np.zeros((1 if pooled else len(null)) * GROUPS * GROUPS)
        self._last = np.zeros(0, dtype=int)

    def observe(self, rows: np.ndarray, cells: np.ndarray) -> None:
        groups = np.concatenate([self._last, self._group_of[self._starts[rows] + cells]])
        # Each pair goes to the table of the row of its second member, whose law is in question.
        tables = 0 if self._pooled else rows[len(rows) - len(groups) + 1 :]
        places = (tables * GROUPS + groups[:-1]) * GROUPS + groups[1:]
        self._counts += np.bincount(places, minlength=len(self._counts))
        self._last = groups[-1:]

    def log_values(self) -> np.ndarray:
        return self._law.log_values(self._counts)


@dataclass(frozen=True)
class Evidence:
    """The mixture: named parts, each with its weight; the weights sum to one."""

    parts: dict[str, Part]
    weights: dict[str, float]

    def __post_init__(self):
        if self.parts.keys() != self.weights.keys():
            raise ValueError(f"parts {list(self.parts)} and weights {list(self.weights)} differ")
        if abs(sum(self.weights.values()) - 1) > 1e-12 or min(self.weights.values()) < 0:
            raise ValueError(f"weights must sum to one, got {self.weights}")

    def observe(self, rows: np.ndarray, cells: np.ndarray) -> None:
        """Take in the next observations, in their order: the row and the cell of each."""
        if len(cells):
            for part in self.parts.values():
                part.observe(rows, cells)

    def log_values(self) -> dict[str, np.ndarray]:
        """Return the log likelihood ratios, by part."""
        return {name: part.log_values() for name, part in self.parts.items()}

    def log_total(self, log_values: dict[str, np.ndarray] | None = None) -> float:
        """Return the log of the mixture: a test martingale under the claim, 0 at the start."""
        values = self.log_values() if log_values is None else log_values
        terms = [logs + math.log(self.weights[name] / len(logs)) for name, logs in values.items()]
        return float(np.logaddexp.reduce(np.concatenate(terms)))


def _same_law(one: np.ndarray, other: np.ndarray) -> bool:
    """Say whether two rows have one law, up to the rounding that it was computed with."""
    return one.shape == other.shape and np.allclose(one, other, rtol=1e-11, atol=0)


def default_mixture(
    null: Sequence[np.ndarray],
    catalogue: Alternatives,
    families: Alternatives,
    entries: Sequence[int] | None = None,
) -> Evidence:
    """Return the mixture that every check uses; `null` is the claim's law of cells by row.

    Rows whose cells have the same probabilities (continuous laws) are also added up: an error
    common to all of them is then found sooner. `entries` says how many rows, one after the other,
    each setting's answers fill; one if it is not given.
    """
    entries = entries or [1] * len(null)
    several = max(entries) > 1
    shared = all(_same_law(cells, null[0]) for cells in null[1:])
    wanted = {
        "catalogue": (0.45, Listed(catalogue)),
        "family": (0.2, Listed(families)),
        "free": (0.08, Free(null, pooled=False)),
        "free, coarse": (0.04, Coarse(null)),
        "free, pooled": (0.08, Free(null, pooled=True) if shared and len(null) > 1 else None),
        "dependence": (0.15, Transitions(null, pooled=shared)),
        "entries": (0.15, Together(null, entries, pooled=shared) if several else None),
    }
    present = {name: pair for name, pair in wanted.items() if pair[1] is not None}
    total = sum(weight for weight, _ in present.values())
    return Evidence(
        parts={name: part for name, (_, part) in present.items()},
        weights={name: weight / total for name, (weight, _) in present.items()},
    )
