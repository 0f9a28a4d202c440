"""The judge: draws answers, weighs the evidence, and decides. It knows no mechanism.

A right answer is failed with probability at most ALPHA, whenever one stops (Ville's inequality on
the mixture of `evidence.py`). Time decides only when to stop looking, never against an answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.check.clock import Stopwatch
from autograder.check.evidence import Alternatives, Evidence, default_mixture

__all__ = ["ALPHA", "Setting", "Trial", "Verdict", "decide"]

ALPHA = 1e-9  # a right answer fails with at most this probability
BETA = 1e-6  # a catalogued mistake is called refuted, wrongly, with at most about this probability
ENOUGH_ANSWERS = 20_000
ENOUGH_SECONDS = 0.125
PATIENCE_SECONDS = 4.0  # then the check passes with what it has, and says so
MOST_ANSWERS = 60_000
# Below this many nats an answer a mistake cannot be told from the claim: it does not hold up a
# pass, and `blind_spots` reports it.
BLIND_NATS = 0.005

_FIRST_BATCH = 4
_LARGEST_BATCH = 500
_GROWTH = 1.35
# Evidence above this (in nats) while the answers are enough: look on a little before passing.
_UNEASY = math.log(20.0)
_UNEASY_SECONDS = 1.0
# A mistake is named when nothing explains the answers better by this many nats ...
_NAMING_SLACK = 3.0
# ... and looking goes on a little while the second-best mistake is nearer than this.
_NAMING_LEAD = 6.0
_NAMING_PATIENCE = 8
_NAMING_SECONDS = 0.5


@dataclass(frozen=True)
class Setting:
    """One way to call the answer: plain parameters, and the exact law of what comes back.

    Attributes:
      parameters: plain data, from which a call's arguments are made.
      rows: the cell probabilities of what one answer shows; several rows if its entries differ.
      sort: answers, of shape (n,) or (n, entries), to the row (counted within this setting) and
        the cell of each observation, in the order in which they came.
    """

    parameters: dict[str, Any]
    rows: Sequence[np.ndarray]
    sort: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Trial:
    """A claim with its secret settings drawn: what the judge decides on."""

    settings: Sequence[Setting]
    catalogue: Alternatives
    families: Alternatives

    def null(self) -> list[np.ndarray]:
        """Return the claim's cell probabilities by row, the rows of all settings one by one."""
        return [row for setting in self.settings for row in setting.rows]

    def mixture(self) -> Evidence:
        """Return the evidence against the claim before any answer."""
        entries = [len(setting.rows) for setting in self.settings]
        return default_mixture(self.null(), self.catalogue, self.families, entries)

    def first_rows(self) -> np.ndarray:
        """Return the place of each setting's first row among the rows of all settings."""
        return np.cumsum([0, *(len(setting.rows) for setting in self.settings)])

    def rates(self) -> dict[str, float]:
        """Return how fast the claim refutes each mistake, in nats an observation."""
        return dict(zip(self.catalogue.names, map(float, self.catalogue.rates()), strict=True))


@dataclass(frozen=True)
class Verdict:
    """What the judge found.

    `decided_after` counts the answers up to the decision; after a failure a few more may be drawn
    to name the mistake. `log_evidence` is the log of the evidence at the end, `largest` at its
    height. `kind` is the part of the evidence that explains a failure best
    ("catalogue", "family", "free", "dependence", "entries") and `name` the alternative in it;
    `setting` is where it shows most.
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
    unrefuted: tuple[str, ...] = ()


class _Run:
    """The state of one decision: what was drawn, and the evidence so far."""

    def __init__(self, trial: Trial, draw: Callable[[int, int], np.ndarray], watch: Stopwatch):
        self.trial, self._draw, self.seconds = trial, draw, watch.seconds
        self._first_rows = trial.first_rows()
        self.evidence = trial.mixture()
        self.answers: list[list[np.ndarray]] = [[] for _ in trial.settings]
        self.draws = 0
        self.largest = -math.inf

    def take(self, number: int, answers: np.ndarray) -> None:
        """Weigh the next answers of one setting, in the order in which they were given."""
        self.answers[number].append(answers)
        self.draws += len(answers)
        rows, cells = self.trial.settings[number].sort(answers)
        self.evidence.observe(self._first_rows[number] + rows, cells)

    def round(self, batch: int) -> None:
        """Draw a batch at each setting, smaller if it would take longer than is wanted."""
        if self.draws:
            left = ENOUGH_SECONDS - self.seconds() % ENOUGH_SECONDS
            affordable = left * self.draws / (self.seconds() * len(self.trial.settings))
            batch = max(1, min(batch, int(affordable)))
        for number in range(len(self.trial.settings)):
            self.take(number, self._draw(number, batch))

    def look(self) -> None:
        """Weigh the evidence."""
        self.values = self.evidence.log_values()
        self.total = self.evidence.log_total(self.values)
        self.largest = max(self.largest, self.total)

    def verdict(self, passed: bool, decided_after: int, **found) -> Verdict:
        answers = [np.concatenate(chunks) for chunks in self.answers]
        return Verdict(
            passed,
            answers,
            self.draws,
            decided_after,
            self.seconds(),
            self.total,
            self.largest,
            **found,
        )


def decide(
    trial: Trial,
    draw: Callable[[int, int], np.ndarray],
    *,
    contract: Callable[[list[np.ndarray]], None] = lambda answers: None,
    level: float = ALPHA,
    watch: Stopwatch | None = None,
) -> Verdict:
    """Decide whether answers follow the claim.

    Args:
      trial: the claim at its settings.
      draw: the one door to the answer: (place of a setting, n) to an array of up to n answers,
        at least one.
      contract: looks at the first few answers, one array a setting, and raises if they break a
        rule that has nothing to do with chance.
      level: largest probability with which a right answer may be failed.
      watch: the stopwatch that patience goes by.

    Returns:
      The verdict. It fails only when the evidence against the claim has reached 1 / level.
    """
    run = _Run(trial, draw, watch or Stopwatch())
    run.round(_FIRST_BATCH)
    contract([chunks[0] for chunks in run.answers])
    exempt = {name for name, rate in trial.rates().items() if rate < BLIND_NATS}
    batch = float(_FIRST_BATCH)
    while True:
        run.look()
        if run.total >= -math.log(level):
            return _name_mistake(run)
        unrefuted = _unrefuted(run, exempt)
        if _may_stop(run, unrefuted):
            return run.verdict(True, run.draws, unrefuted=unrefuted)
        batch = min(batch * _GROWTH + 1, _LARGEST_BATCH)
        run.round(int(batch))


def _unrefuted(run: _Run, exempt: set[str]) -> tuple[str, ...]:
    """Return the mistakes that the answers have not ruled out at BETA."""
    pairs = zip(run.trial.catalogue.names, run.values["catalogue"], strict=True)
    return tuple(name for name, value in pairs if value > math.log(BETA) and name not in exempt)


def _may_stop(run: _Run, unrefuted: tuple[str, ...]) -> bool:
    """Say whether enough was seen to pass, or whether patience is at its end."""
    seconds = run.seconds()
    if seconds >= PATIENCE_SECONDS or run.draws >= MOST_ANSWERS:
        return True
    enough = run.draws >= ENOUGH_ANSWERS or seconds >= ENOUGH_SECONDS
    uneasy = run.total > _UNEASY and seconds < _UNEASY_SECONDS
    return enough and not unrefuted and not uneasy


def _name_mistake(run: _Run) -> Verdict:
    """Fail the answer, looking a little longer if two mistakes explain it about as well."""
    decided_after = run.draws
    most = _NAMING_PATIENCE * decided_after
    while run.draws < most and run.seconds() < _NAMING_SECONDS and _ambiguous(run):
        run.round(run.draws // (4 * len(run.trial.settings)) + 1)
        run.look()
    kind, place = _best_explanation(run.values)
    listed = {"catalogue": run.trial.catalogue, "family": run.trial.families}
    if kind == "entries":
        name = run.evidence.parts[kind].name(place)
        return run.verdict(False, decided_after, kind=kind, name=name)
    if kind not in listed:
        return run.verdict(False, decided_after, kind=kind)
    row = run.evidence.parts[kind].loudest_row(place)
    setting = int(np.searchsorted(run.trial.first_rows(), row, side="right")) - 1
    name = listed[kind].names[place]
    return run.verdict(False, decided_after, kind=kind, name=name, setting=setting)


def _best_explanation(values: dict[str, np.ndarray]) -> tuple[str, int]:
    """Return the part, and the place in it, with the largest likelihood; a mistake goes first."""
    best = {kind: (float(np.max(logs)), int(np.argmax(logs))) for kind, logs in values.items()}
    loudest = max(best, key=lambda kind: best[kind][0])
    if best["catalogue"][0] >= best[loudest][0] - _NAMING_SLACK:
        loudest = "catalogue"
    return loudest.split(",")[0], best[loudest][1]


def _ambiguous(run: _Run) -> bool:
    """Say whether what would be named has a rival that explains about as much."""
    kind, _ = _best_explanation(run.values)
    best = np.sort(run.values["catalogue"])[::-1]
    others = max(float(np.max(logs)) for part, logs in run.values.items() if part != "catalogue")
    if kind != "catalogue":
        return best[0] > others - 2 * _NAMING_LEAD
    # A family may hold the mistake's own law, so it need not be left far behind.
    return others > best[0] or (len(best) > 1 and best[0] - best[1] < _NAMING_LEAD)
