"""A claim at its settings, as the evidence sees it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ville.alternatives import Alternatives
from ville.bets.repeats import Continuous
from ville.bets.residues import Remainders
from ville.evidence import Evidence, default_mixture
from ville.numbers.events import Events


class Rows(Protocol):
    """A setting, as the process uses it.

    Attributes:
      rows: the cell probabilities of one draw; several rows if its entries differ.
      sort: draws, of shape (n,) or (n, entries), to the row (counted within this setting) and the
        cell of each observation, in the order in which they came. One row may stand for all.
    """

    rows: Sequence[np.ndarray]
    sort: Callable[[np.ndarray], tuple[np.ndarray | int, np.ndarray]]


@dataclass(frozen=True)
class Trial:
    """A claim at its settings, with the alternatives to it.

    `continuous` has each setting's law if its values hardly ever come again; it may be empty.
    `foreseen` has for each setting the draw without chance, if draws have several independent
    entries and hardly ever come again as a whole; it may be empty, too. `events` has the rare
    events of each row, `slack` what the evidence of the cells loses at each draw of a row, in nats,
    because the probabilities of its cells are bounds; both may be empty. `lags` says whether there
    are bets on draws that lie further back than one, `remainders` what is known of each row's; it
    may be empty.
    """

    settings: Sequence[Rows]
    catalogue: Alternatives
    families: Alternatives
    continuous: Sequence[Continuous | None] = ()
    foreseen: Sequence[np.ndarray | None] = ()
    events: Sequence[Events | None] = ()
    slack: Sequence[float] = ()
    lags: bool = False
    remainders: Sequence[Remainders | None] = ()

    def null(self) -> list[np.ndarray]:
        """Return the claim's cell probabilities by row, the rows of all settings one by one."""
        return [row for setting in self.settings for row in setting.rows]

    def mixture(self) -> Evidence:
        """Return the evidence against the claim before any draw."""
        entries = [len(setting.rows) for setting in self.settings]
        return default_mixture(self.null(), self.catalogue, self.families, entries)

    def first_rows(self) -> np.ndarray:
        """Return the place of each setting's first row among the rows of all settings."""
        return np.cumsum([0, *(len(setting.rows) for setting in self.settings)])

    def slack_by_setting(self) -> np.ndarray:
        """Return what the evidence of the cells loses at each draw of each setting, in nats."""
        if not len(self.slack):
            return np.zeros(len(self.settings))
        return np.add.reduceat(np.asarray(self.slack, dtype=float), self.first_rows()[:-1])

    def rates(self) -> dict[str, float]:
        """Return how fast the claim refutes each mistake, in nats an observation."""
        return dict(zip(self.catalogue.names, map(float, self.catalogue.rates()), strict=True))
