"""The judge: it draws answers until the evidence of `ville` decides. It knows no mechanism.

A right answer is failed with probability at most ALPHA, whenever the judge stops; README.md of
`ville` says why. Work decides only when to stop, never against an answer, and the clock decides
nothing.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

# `ville` would import it at its first use: imported here, so that no stopwatch counts it.
import scipy.special  # noqa: F401

from autograder.check.effort import Stopwatch, effort
from ville.process import Process
from ville.trial import Trial

ALPHA = 1e-9  # a right answer fails with at most this probability
BETA = 1e-6  # a catalogued mistake is called refuted, wrongly, with at most about this probability
# Below this many nats an answer a mistake cannot be told from the claim: it does not hold up a
# pass, and `blind_spots` reports it.
BLIND_NATS = 0.005

_FIRST_BATCH = 4
_LARGEST_BATCH = 500
_GROWTH = 1.35
# In a slow round of few draws, a setting whose calls cost little has more draws: so many times as
# many at most, and for this share of what a setting costs on average.
_SLOW_ROUND, _FEW = 0.02, 50  # seconds of work, draws at a setting
_MOST_MORE, _SHARE_FOR_MORE = 8, 0.25
# With evidence above this (in nats) and enough answers: draw a few more before passing.
_UNEASY = math.log(20.0)
_UNEASY_SECONDS = 1.0  # of work
# If two mistakes explain the answers about as well: draw a few more before naming one.
_NAMING_PATIENCE = 8
# A name is told as a fact only if it still fits after this many, if time allows.
_SURE_OF_NAME = 1_000
_FIT_SECONDS = 0.05
_NAMING_SECONDS = 0.5  # of work, and of waiting


@dataclass(frozen=True)
class Setting:
    """One way to call the answer: plain parameters, and the exact law of the results.

    Attributes:
      parameters: plain data, from which a call's arguments are made.
      rows: the cell probabilities of one answer; several rows if its entries differ.
      sort: answers, of shape (n,) or (n, entries), to the row (counted within this setting) and
        the cell of each observation, in the order in which they came.
    """

    parameters: dict[str, Any]
    rows: Sequence[np.ndarray]
    sort: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Verdict:
    """The judge's verdict.

    `decided_after` counts the answers up to the decision; after a failure a few more may be drawn
    to name the mistake. `log_evidence` is the log of the evidence at the end, `largest` at its
    height. `kind` is the part of the evidence that explains a failure best
    ("catalogue", "family", "free", "dependence", "entries") and `name` the alternative in it;
    `setting` is the one that shows it most. `rival` is another mistake that explains the answers
    about as well; `surely` says that the answers look as if they came from the named one's law.
    """

    passed: bool
    answers: list[np.ndarray]
    draws: int
    decided_after: int
    seconds: float
    log_evidence: float
    largest: float
    kind: str = ""
    name: str = ""
    setting: int = 0
    rival: str = ""
    surely: bool = False
    unrefuted: tuple[str, ...] = ()


class _Run:
    """The state of one decision: the evidence, the answers so far, and their time."""

    def __init__(self, trial: Trial, draw: Callable[[int, int], np.ndarray], watch: Stopwatch):
        self.process, self._draw, self.watch = Process(trial), draw, watch
        self.answers: list[list[np.ndarray]] = [[] for _ in trial.settings]

    def round(self, batch: int) -> None:
        """Draw a batch at each setting, smaller if it would take too long; more where it is cheap.

        How many come is decided before they are drawn, so the evidence holds as it is.
        """
        # A slow answer gives fewer than it is asked for.
        if everywhere := min(sum(map(len, chunks)) for chunks in self.answers):
            spent, enough = self.watch.seconds(), effort().work
            affordable = (enough - spent % enough) * everywhere / max(spent, 1e-6)
            batch = max(1, min(batch, int(affordable)))
        paces = [self._take(number, batch) for number in range(len(self.answers))]
        for number, more in enumerate(_more(paces, batch)):
            if more:
                self._take(number, more)

    def _take(self, number: int, batch: int) -> float:
        """Draw at a setting; return the seconds that one draw took."""
        began = self.watch.seconds()
        drawn = self._draw(number, batch)
        self.answers[number].append(drawn)
        self.process.take(number, drawn)
        return (self.watch.seconds() - began) / len(drawn)

    def verdict(self, passed: bool, decided_after: int, **found) -> Verdict:
        return Verdict(
            passed,
            [np.concatenate(chunks) for chunks in self.answers],
            self.process.draws,
            decided_after,
            self.watch.seconds(),
            self.process.total,
            self.process.largest,
            **found,
        )


def _more(paces: Sequence[float], batch: int) -> list[int]:
    """Return how many draws more each setting is to have, by the seconds of a draw at each."""
    if batch > _FEW or sum(paces) * batch < _SLOW_ROUND:
        return [0] * len(paces)
    share = _SHARE_FOR_MORE * sum(paces) / len(paces)
    return [min(_MOST_MORE - 1, int(share / max(pace, 1e-9))) * batch for pace in paces]


def decide(
    trial: Trial,
    draw: Callable[[int, int], np.ndarray],
    *,
    contract: Callable[[list[np.ndarray]], None] = lambda answers: None,
    level: float = ALPHA,
    watch: Stopwatch | None = None,
    blind: float = BLIND_NATS,
) -> Verdict:
    """Decide whether answers follow the claim.

    Args:
      trial: the claim at its settings.
      draw: the one door to the answer: (place of a setting, n) to an array of up to n answers,
        at least one.
      contract: checks the first few answers, one array a setting, and raises if they break a rule
      that does not depend on chance.
      level: largest probability with which a right answer may be failed.
      watch: the stopwatch of the answer's work.
      blind: a mistake that the claim refutes at fewer nats an answer does not hold up a pass.

    Returns:
      The verdict. It fails only when the evidence against the claim has reached 1 / level. What is
      not ruled out is told only where BLIND_NATS would have shown it: a lower `blind` waits for
      more, and a slow answer may end the waiting.
    """
    run = _Run(trial, draw, watch or Stopwatch())
    run.round(_FIRST_BATCH)
    contract([chunks[0] for chunks in run.answers])
    rates = trial.rates()
    exempt = {name for name, rate in rates.items() if rate < blind}
    batch = float(_FIRST_BATCH)
    while True:
        if run.process.look() >= -math.log(level):
            return _name_mistake(run)
        unrefuted = _unrefuted(run, exempt)
        if _may_stop(run, unrefuted):
            told = tuple(name for name in unrefuted if rates[name] >= BLIND_NATS)
            return run.verdict(True, run.process.draws, unrefuted=told)
        batch = min(batch * _GROWTH + 1, _LARGEST_BATCH)
        run.round(int(batch))


def _unrefuted(run: _Run, exempt: set[str]) -> tuple[str, ...]:
    """Return the mistakes that the answers have not ruled out at BETA."""
    ratios = run.process.log_ratios().items()
    return tuple(name for name, value in ratios if value > math.log(BETA) and name not in exempt)


def draws_needed(trial: Trial, mistakes: Sequence[str]) -> int:
    """Return about how many draws of a right answer rule these mistakes out; 0 if none is named."""
    rates = trial.rates()
    slowest = min((rates[name] for name in mistakes), default=0.0)
    return math.ceil(-math.log(BETA) / slowest) if slowest > 0 else 0


def _may_stop(run: _Run, unrefuted: tuple[str, ...]) -> bool:
    """Say whether the answers are enough to pass, or no patience is left."""
    length, draws = effort(), run.process.draws
    if draws >= length.most_answers or length.over(run.watch):
        return True
    worked = run.watch.worked()
    enough = draws >= length.answers or worked >= length.work
    uneasy = run.process.total > _UNEASY and worked < _UNEASY_SECONDS
    return enough and not unrefuted and not uneasy


def _name_mistake(run: _Run) -> Verdict:
    """Fail the answer, after a few more draws if two mistakes explain it about as well."""
    process, decided_after = run.process, run.process.draws
    _draw_on(run, _NAMING_PATIENCE * decided_after, _NAMING_SECONDS, process.in_doubt)
    best, rival, surely = process.explanation(), "", False
    if best.kind == "catalogue":
        _draw_on(run, _SURE_OF_NAME, _FIT_SECONDS, lambda: True)
        if process.fits(best.name):
            rival, surely = process.rival(best.name), process.fits(best.name, closely=True)
        else:
            best = process.explanation(by_name=False)
    found = {"kind": best.kind, "name": best.name, "setting": best.setting}
    return run.verdict(False, decided_after, rival=rival, surely=surely, **found)


def _draw_on(run: _Run, most: int, seconds: float, wanted: Callable[[], bool]) -> None:
    """Draw up to so many answers, for so many seconds more, while they are wanted."""
    process, began = run.process, run.watch.seconds()
    while process.draws < most and run.watch.seconds() - began <= seconds and wanted():
        run.round(process.draws // (4 * len(run.answers)) + 1)
        process.look()
