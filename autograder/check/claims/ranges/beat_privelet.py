"""Scored: a strategy that answers all ranges of 1024 cells with less error than Privelet's."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import blas

from autograder.check.answers import BadAnswer
from autograder.check.claim import Claim, OpenDoor
from autograder.check.claims.synthetic._matrices import as_array
from autograder.check.result import Result
from autograder.check.words import counted

SIZE = 1024
# Averages over all ranges of 1024 cells: Privelet's is exact, (10 + 1)**2 times its mean error; the
# best tree of sums that has equal noise on every level has 80.76, and its levels weighted 78.7.
_PRIVELET = 205.14
_ALL_POINTS = 79.0
_LEAST_SHARE = 0.3
_MOST_QUESTIONS = 8 * SIZE
_MANY = 64  # answers that one count moves: in no tree of sums are there so many
_SEARCHES = ("best_tree", "p_identity_strategy", "root_strategy", "optimal_strategy_zcdp")
# The smallest eigenvalue of AᵀA, relative to the largest: rounding then moves C by below 1e-3.
_LEAST_EIGENVALUE = 1e-9


def strategy_cost(strategy: np.ndarray) -> float:
    """Return C = |A|₁² · tr((AᵀA)⁻¹ V) / (N (N + 1) / 2), V_ij the ranges that hold i and j.

    Li, Hay, Rastogi, Miklau & McGregor (2010), the total error of a strategy.

    Raises:
      BadAnswer: the counts do not follow from the strategy's answers.
    """
    size = strategy.shape[1]
    # By scipy: where Python runs in a browser, numpy's own product takes thirty times as long.
    values, vectors = np.linalg.eigh(blas.dgemm(1.0, strategy, strategy, trans_a=True))
    if values[0] <= _LEAST_EIGENVALUE * values[-1]:
        raise BadAnswer(
            "the counts do not follow from the answers",
            seen=f"the matrix has {counted(len(strategy), 'row')} for {size} cells, and some count "
            "is not determined by them",
            ask="are there as many independent questions as cells? `np.linalg.matrix_rank` says.",
        )
    # tr((AᵀA)⁻¹ V) = Σ_k (v_kᵀ V v_k) / λ_k over the eigenvectors v_k of AᵀA. Each v_kᵀ V v_k is
    # the sum over all ranges of the square of v_k's sum in it, a difference of two running sums:
    # so it is N + 1 times the squared distances of the N + 1 running sums from their mean.
    running = np.cumsum(vectors, axis=0)
    ranges = (size + 1) ** 2 * np.vstack([np.zeros(size), running]).var(axis=0)
    trace = (ranges / values).sum()
    sensitivity = np.abs(strategy).sum(axis=0).max()
    return float(sensitivity**2 * trace / math.comb(size + 1, 2))


def _read(answer: Any, parameters: dict) -> np.ndarray:
    if hasattr(answer, "toarray"):
        answer = answer.toarray()
    matrix = as_array(answer, 2)
    if matrix.shape[1] != SIZE:
        raise BadAnswer(
            "the matrix has the wrong shape",
            seen=f"it should have {SIZE} columns, yours has shape {matrix.shape}",
            ask="a strategy has one row for each question: what does a column stand for?",
        )
    if len(matrix) > _MOST_QUESTIONS:
        raise BadAnswer(
            "the matrix has too many rows",
            seen=f"it has {len(matrix):,} rows, at most {_MOST_QUESTIONS:,} are allowed",
            ask="every question costs noise for all: which ones can be left out?",
        )
    return matrix


@dataclass(frozen=True, kw_only=True)
class _ScoredClaim(Claim):
    """A strategy, scored by its exact error: no chance, no sampling."""

    def _judge(self, open_door: OpenDoor) -> Result:
        with open_door([{}]) as door:
            strategy = door.call(0)
        cost = strategy_cost(strategy)
        if cost >= _PRIVELET:
            moved = np.abs(strategy).sum(axis=0).max() / np.abs(strategy).max()
            ask = "how much does every further level of questions cost, and what does it give?"
            if moved > _MANY:
                ask = "how many of your answers does one count move, and what does that cost?"
            raise BadAnswer(
                "this strategy does not beat Privelet yet",
                seen=f"its error C is {cost:,.1f}, Privelet's is {_PRIVELET:.1f}, "
                f"flat noise has {(SIZE + 2) / 3:.0f}",
                ask=ask,
            )
        established = f"C = {cost:.2f} at {SIZE} cells, where Privelet has {_PRIVELET:.1f}"
        share = _share(cost)
        note = "" if share == 1 else f"{share:.0%} of the points; all of them from {_ALL_POINTS:g}"
        return Result(self.name, established, note=note, share=share)


def _share(cost: float) -> float:
    """Return the part of the points: it grows evenly with the logarithm of the error saved."""
    saved = math.log(_PRIVELET / cost) / math.log(_PRIVELET / _ALL_POINTS)
    return min(1.0, _LEAST_SHARE + (1 - _LEAST_SHARE) * saved)


CLAIM = _ScoredClaim(
    name="beat_privelet",
    repeats=False,  # no chance: it would be the same strategy
    closed=("ranges.tree_strategy", *(f"ranges.strategies.{each}" for each in _SEARCHES)),
    about=(
        "Check `beat_privelet(size)`: a strategy matrix with an error C below Privelet's.\n\n"
        "It is called with size 1024. `Result.share` is the part of the points that is earned:\n"
        f"{_LEAST_SHARE:g} just below Privelet's C = {_PRIVELET:.1f}, all at {_ALL_POINTS:g}."
    ),
    established="a strategy better than Privelet",
    arguments=lambda parameters: ((SIZE,), {}),
    situation=lambda parameters: f"{SIZE} cells",
    read=_read,
)
