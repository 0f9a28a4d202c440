"""What is found in the draws of one exhibit, or of one mechanism of a newest release."""

import math
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import ville
from tools.museum.environments import NotInstalled, Pythons, pinned
from tools.museum.exhibits import Exhibit, Mechanism
from tools.museum.peers import auditor_draws, chi_squared_draws, kolmogorov_smirnov_draws
from ville.outcomes import Choice
from ville.result import Result

ALPHA = 1e-9


@dataclass(frozen=True)
class Found:
    """What was found of one mechanism.

    Attributes:
      result: what `ville` says of its draws.
      rejected_after: how many draws that took; None if it passed.
      seconds: of processor time, of `ville`.
      seen: the departure in words, measured on all draws.
      kolmogorov_smirnov, chi_squared, auditor: the least draws that the peers need; None if all
        that there are were too few, or if the question makes no sense.
      made: how many draws were made.
    """

    result: Result
    rejected_after: int | None
    seconds: float
    made: int
    seen: str = ""
    kolmogorov_smirnov: int | None = None
    chi_squared: int | None = None
    auditor: int | None = None


def judged(shown: Mechanism, folder: Path, pythons: Pythons, *, kept: bool = False) -> Found | str:
    """Install, draw and judge; or return in words why that cannot be done here.

    If `kept`, the draws of the last time are judged, where there are some.
    """
    environment = pinned()[shown.environment]
    try:
        environment.make(folder, pythons)
        draws = environment.draw(folder, shown.sampler, shown.draws, kept=kept)
        if not isinstance(shown, Exhibit):
            return _by_ville(shown, draws)
        neighbors = environment.draw(folder, shown.sampler, shown.draws, 1, kept=kept)
    except NotInstalled as reason:
        return str(reason)
    return _beside_peers(shown, draws, neighbors)


def _by_ville(shown: Mechanism, draws: np.ndarray) -> Found:
    law = shown.law()
    start = time.process_time()
    result = ville.follows(_as_outcomes(draws, law), law, alpha=ALPHA)
    seconds = time.process_time() - start
    high = (number for number, height in result.path if height >= -math.log(ALPHA))
    after = None if result else next(high, result.draws)
    return Found(result, after, seconds, len(draws))


def _beside_peers(shown: Exhibit, draws: np.ndarray, neighbors: np.ndarray) -> Found:
    found, law = _by_ville(shown, draws), shown.law()
    outcomes = _as_outcomes(draws, law)
    return Found(
        found.result,
        found.rejected_after,
        found.seconds,
        found.made,
        shown.seen(draws),
        kolmogorov_smirnov_draws(outcomes, law, ALPHA),
        chi_squared_draws(outcomes, law, ALPHA),
        auditor_draws(draws, neighbors, epsilon=shown.epsilon, delta=shown.delta, alpha=ALPHA),
    )


def _as_outcomes(draws: np.ndarray, law: object) -> np.ndarray:
    return draws.astype(int) if isinstance(law, Choice) else draws
