"""The evidence process: it weighs draws against the claim, and never stops by itself."""

import math
from dataclasses import dataclass, field

import numpy as np

from ville.bets.lags import Lags
from ville.bets.naming import SPEAKS, Explanation, at_one_place, by_itself, explains
from ville.bets.rare import rare_bets
from ville.bets.repeats import Repeats, WholeRepeats
from ville.bets.residues import residue_bets
from ville.parts import Listed
from ville.trial import Trial

# A mistake is named when no other explanation is better by this many nats ...
_NAMING_SLACK = 3.0
# ... and it is in doubt while the second-best mistake is nearer than this.
_NAMING_LEAD = 6.0
# The weight of repeated values, if some setting has a continuous law, of repeated whole draws, and
# of rare events: the cells have the rest.
REPEATS = 0.02


class WrongDraw(Exception):
    """A draw in a cell that the claim gives no probability: at `setting`, of cell `cell`."""

    def __init__(self, setting: int, row: int, cell: int):
        self.setting, self.row, self.cell = setting, row, cell
        super().__init__(f"cell {cell} of row {row}, setting {setting}, has probability 0")


@dataclass
class Process:
    """The evidence against a claim so far.

    Attributes:
      draws: how many were taken in.
      total: the log of the evidence at the last look.
      largest: at its height.
      path: (draws, log evidence) at each look.
      counts: how many observations fell in each cell, the cells of all rows one by one.
      certain: whether a draw in a cell of probability 0 ends it by `WrongDraw`.
    """

    trial: Trial
    certain: bool = False
    draws: int = 0
    total: float = 0.0
    largest: float = -math.inf
    path: list[tuple[int, float]] = field(default_factory=list)

    def __post_init__(self):
        self.evidence = self.trial.mixture()
        laws = self.trial.continuous
        self.repeats = Repeats(laws) if any(law is not None for law in laws) else None
        known, rows = self.trial.foreseen, [each.rows for each in self.trial.settings]
        several = any(each is not None for each in known)
        self.whole_repeats = WholeRepeats(known, rows) if several else None
        self._first_rows = self.trial.first_rows()
        self._values = self.evidence.log_values()
        self.counts = np.zeros(sum(map(len, self.trial.null())))
        self._impossible = np.concatenate(self.trial.null()) == 0
        self._slack, self._lost = self.trial.slack_by_setting(), 0.0
        self.rare = rare_bets(self.trial.null(), self.trial.events, certain=self.certain)
        self.lags = Lags(self.trial.null()) if self.trial.lags else None
        self.residues = residue_bets(self.trial.remainders)
        others = self.repeats, self.whole_repeats, self.rare, self.lags, self.residues
        self._others = [each for each in others if each]

    def take(self, setting: int, draws: np.ndarray) -> None:
        """Weigh the next draws of one setting, in the order in which they came.

        Raises:
          WrongDraw: if that is wanted, for a draw that the claim gives with probability 0.
        """
        self.draws += len(draws)
        rows, cells = self.trial.settings[setting].sort(draws)
        if self.repeats:
            self.repeats.observe(setting, draws)
        if self.whole_repeats:
            self.whole_repeats.observe(setting, draws)
        own_rows = range(*self._first_rows[setting : setting + 2])
        if self.lags:
            self.lags.take(own_rows, cells)
        if self.residues:
            self.residues.observe(own_rows, draws)
        counts = self.evidence.observe(self._first_rows[setting] + rows, cells)
        self.counts += counts
        self._lost += len(draws) * self._slack[setting]
        if self.rare:
            self.rare.observe(own_rows, draws, counts)
        wrong = self._impossible & (counts > 0)
        if self.certain and wrong.any():
            sizes = np.cumsum([0, *map(len, self.trial.null())])
            row = int(np.searchsorted(sizes, np.argmax(wrong), side="right")) - 1
            first = int(self._first_rows[setting])
            raise WrongDraw(setting, row - first, int(np.argmax(wrong) - sizes[row]))

    def look(self) -> float:
        """Weigh the evidence; return its log."""
        self._values = self.evidence.log_values()
        self.total = self._with_repeats(self.evidence.log_total(self._values))
        self.largest = max(self.largest, self.total)
        self.path.append((self.draws, self.total))
        return self.total

    def _with_repeats(self, cells: float) -> float:
        """Return the log of the whole evidence: a mixture of supermartingales is one."""
        parts = [math.log(REPEATS) + each.log_value() for each in self._others]
        rest = math.log1p(-REPEATS * len(self._others)) + cells - self._lost
        return float(np.logaddexp.reduce([rest, *parts]))

    def _repeated(self) -> Explanation | None:
        """Return the explanation that values come again, unless the cells show enough of their own.

        A law that gives some places a probability of their own explains their repeats.
        """
        cells = self.evidence.log_total(self._values) - self._lost
        loudest = max(self._others, key=lambda each: each.log_value(), default=None)
        if loudest is None or cells >= loudest.log_value() or cells > SPEAKS:
            return None
        if loudest is self.repeats:
            return Explanation("repeats", *loudest.words())
        if loudest is self.whole_repeats:
            return Explanation("whole repeats", *loudest.words())
        if loudest is self.lags:
            return Explanation("lag", loudest.words())
        row, words = loudest.words()
        setting = int(np.searchsorted(self._first_rows, row, side="right")) - 1
        kind = "residues" if loudest is self.residues else "rare" if words else "free"
        return Explanation(kind, words, setting)

    def log_ratios(self) -> dict[str, float]:
        """Return the log likelihood ratio of each mistake in the catalogue, at the last look."""
        return dict(zip(self.trial.catalogue.names, self._of("catalogue"), strict=True))

    def explanation(self, *, by_name: bool = True) -> Explanation:
        """Return the likeliest explanation at the last look; a mistake goes first.

        Without `by_name` no mistake of the catalogue is one.
        """
        if repeated := self._repeated():
            return repeated
        pairs = [
            (each, logs)
            for each, logs in zip(self.evidence.parts, self._values, strict=True)
            if by_name or each.part.kind != "catalogue"
        ]
        heights = [float(np.max(logs)) for _, logs in pairs]
        loudest = int(np.argmax(heights))
        for place, (each, _) in enumerate(pairs):
            near = heights[place] >= heights[loudest] - _NAMING_SLACK
            if each.part.kind == "catalogue" and near:
                loudest = place
        loudest = by_itself([each.part for each, _ in pairs], heights, loudest)
        part, best = pairs[loudest][0].part, int(np.argmax(pairs[loudest][1]))
        setting = 0
        if isinstance(part, Listed):
            row = part.loudest_row(best)
            setting = int(np.searchsorted(self._first_rows, row, side="right")) - 1
        elif part.kind == "free":
            setting = self._oddest_setting()
        return Explanation(part.kind, part.name(best), setting)

    def _oddest_setting(self) -> int:
        """Return the setting whose counts are least like the claim's."""
        return int(np.argmax(np.add.reduceat(self._gained(), self._first_rows[:-1])))

    def oddest_row(self, setting: int) -> int:
        """Return which entry of a setting has counts that are least like the claim's."""
        return int(np.argmax(self._gained()[slice(*self._first_rows[setting : setting + 2])]))

    def _gained(self) -> np.ndarray:
        """Return how much likelier the observed shares of each row are than its law, in nats.

        A right law is less likely on average by half of the cells that may vary (Wilks 1938), which
        is taken off.
        """
        null = self.trial.null()
        counts = np.split(self.counts, np.cumsum([len(row) for row in null])[:-1])
        gained = []
        for law, seen in zip(null, counts, strict=True):
            shares = seen[seen > 0] / max(seen.sum(), 1)
            logs = np.log(shares / np.maximum(law[seen > 0], 1e-300))
            gained.append(float(seen[seen > 0] @ logs) - (len(law) - 1) / 2)
        return np.array(gained)

    def rival(self, name: str) -> str:
        """Return another mistake of the catalogue that is about as likely as this one; else ""."""
        logs = dict(self.log_ratios())
        own = logs.pop(name)
        other = max(logs, key=logs.get, default="")
        return other if other and logs[other] > own - _NAMING_SLACK else ""

    def fits(self, name: str, *, closely: bool = False) -> bool:
        """Say whether a mistake of the catalogue explains the counts, and is not only the nearest.

        `closely` asks whether each row looks as if it came from the mistake's law.
        Where nearly all of a continuous law lies at one place, rounding errors decide between two
        cells: that says nothing.
        """
        starts = np.cumsum([len(row) for row in self.trial.null()])[:-1]
        of_rows = zip(
            *(
                np.split(cells, starts)
                for cells in (self.trial.catalogue.cells_of(name), self.counts, self._impossible)
            ),
            self._rounded(),
            strict=True,
        )
        rows = [
            (law, counts, impossible)
            for law, counts, impossible, rounded in of_rows
            if counts.any() and not (rounded and at_one_place(law))
        ]
        return explains(rows, closely=closely)

    def _rounded(self) -> list[bool]:
        """Say of each row whether its draws are continuous, and so have rounding errors."""
        laws = self.trial.continuous or [None] * len(self.trial.settings)
        return [
            law is not None
            for law, setting in zip(laws, self.trial.settings, strict=True)
            for _ in setting.rows
        ]

    def in_doubt(self) -> bool:
        """Say whether the best explanation has a rival that is about as likely."""
        best = np.sort(self._of("catalogue"))[::-1]
        if not len(best):
            return False
        if self._repeated():
            return True
        others = max(
            float(np.max(logs))
            for each, logs in zip(self.evidence.parts, self._values, strict=True)
            if each.part.kind != "catalogue"
        )
        if self.explanation().kind != "catalogue":
            return best[0] > others - 2 * _NAMING_LEAD
        # A family may hold the mistake's own law, so it need not be left far behind.
        return others > best[0] or (len(best) > 1 and best[0] - best[1] < _NAMING_LEAD)

    def _of(self, kind: str) -> np.ndarray:
        pairs = zip(self.evidence.parts, self._values, strict=True)
        found = [logs for each, logs in pairs if each.part.kind == kind]
        return np.concatenate(found) if found else np.zeros(0)
