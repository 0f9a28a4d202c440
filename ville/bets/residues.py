"""Evidence of places of a lattice that come too often in turn: even numbers only, for instance.

Where many places share a cell, the cells cannot tell them apart. So the places are counted by their
remainders, too. The claim gives each remainder a known probability; a Dirichlet mixture bets on
other ones, which is a likelihood ratio. Where those probabilities are known up to a factor, each
draw costs that factor.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ville.cells import quantiles
from ville.dirichlet import TRANSITION_CONCENTRATIONS, Dirichlet
from ville.law import Law
from ville.numbers.shape import ROUNDING, Lattice

MODULI = (2, 3, 4, 8)
# The places beyond these quantiles are counted with the outermost one.
_REST = 1e-13
_MOST_PLACES = 1_000_000  # whose probabilities are added up
_MOST_LOST = 1e-5  # nats a draw; beyond, the cdf is too rough for remainders


@dataclass(frozen=True)
class Remainders:
    """What a law on a lattice gives the remainders of its places.

    Attributes:
      lattice: the places.
      shares: for each of MODULI the probability of each remainder.
      lost: what the evidence loses at each draw, in nats.
    """

    lattice: Lattice
    shares: tuple[np.ndarray, ...]
    lost: float

    def count(self, draws: np.ndarray) -> list[np.ndarray]:
        """Return how many draws have each remainder, for each of MODULI."""
        steps = _steps(self.lattice, draws)
        return [_by_remainder(steps, modulus, None) for modulus in MODULI]


def remainders_of(law: object) -> Remainders | None:
    """Return the remainders' probabilities; None where each place is seen, or too many are there.

    Args:
      law: of one entry.
    """
    if not isinstance(law, Law) or law.lattice is None or not law.cells().shared:
        return None
    step = law.lattice.step
    low, high = law.lattice.before(quantiles(law.cdf, np.array([_REST, 1 - _REST])))
    places = round((high - low) / step) + 1
    if places > _MOST_PLACES:
        return None
    levels = law.cdf(low + step * np.arange(places + 1))
    levels[0], levels[-1] = 0.0, 1.0
    steps = _steps(law.lattice, np.array([low + step / 2]))[0] + np.arange(places)
    shares = [_by_remainder(steps, modulus, np.diff(levels)) for modulus in MODULI]
    # Each probability is a sum of differences, each of which is off by two errors.
    off = 2 * _REST + places * 2 * max(law.error, ROUNDING)
    lost = max(math.log1p(off / share[share > 0].min()) for share in shares)
    return Remainders(law.lattice, tuple(shares), lost) if lost <= _MOST_LOST else None


class Residues:
    """Bets on the remainders of several rows, by modulus: rows of one modulus go together."""

    def __init__(self, laws: Sequence[Remainders | None]):
        """Take what is known of each row; None where nothing is to be seen."""
        self._laws = laws
        self._rows = [row for row, law in enumerate(laws) if law]
        tables = [laws[row].shares[place] for place in range(len(MODULI)) for row in self._rows]
        weights = np.repeat(np.array(TRANSITION_CONCENTRATIONS)[:, None], len(tables), axis=1)
        self._law = Dirichlet(tables, weights)
        self._due = [np.zeros(len(table)) for table in tables]
        self.counts = [np.zeros(len(table)) for table in tables]
        self._lost = 0.0

    def observe(self, rows: range, draws: np.ndarray) -> None:
        """Add the next draws of one setting, (n,) or (n, entries), whose rows are given."""
        columns = np.reshape(draws, (len(draws), len(rows)))
        for number, row in enumerate(self._rows):
            if row not in rows:
                continue
            law = self._laws[row]
            self._lost += law.lost * len(draws)
            for place, counts in enumerate(law.count(columns[:, row - rows.start])):
                table = place * len(self._rows) + number
                self.counts[table] += counts
                self._due[table] += len(draws) * law.shares[place]

    def log_value(self) -> float:
        """Return the log of the evidence: 0 at the start."""
        logs = self._logs().sum(axis=2)
        return float(np.logaddexp.reduce(logs, axis=None) - math.log(logs.size)) - self._lost

    def _logs(self) -> np.ndarray:
        """Return the log likelihood ratios, of shape (concentrations, moduli, rows)."""
        logs = self._law.log_values_by_row(np.concatenate(self.counts))
        return logs.reshape(len(logs), len(MODULI), len(self._rows))

    def words(self) -> tuple[int, str]:
        """Return the row that shows most, and which of its remainders came too often."""
        logs = self._logs().max(axis=0)
        place = int(np.argmax(logs.sum(axis=1)))
        number = int(np.argmax(logs[place]))
        table = place * len(self._rows) + number
        counts, due = self.counts[table], self._due[table]
        rest = int(np.argmax(counts - due))
        row = self._rows[number]
        came = _named(MODULI[place], rest, whole=self._laws[row].lattice == Lattice())
        return row, (
            f"{int(counts[rest]):,} of {int(counts.sum()):,} draws {came}, and about "
            f"{due[rest]:,.0f} should"
        )


def _named(modulus: int, remainder: int, *, whole: bool) -> str:
    """Return in words what draws do that have this remainder."""
    if whole and modulus == 2:
        return ("are even", "are odd")[remainder]
    of_what = "" if whole else ", counted in steps of the lattice"
    return f"leave the remainder {remainder} when divided by {modulus}{of_what}"


def residue_bets(laws: Sequence[Remainders | None]) -> Residues | None:
    """Return the bets on a trial's remainders; None if no row has any."""
    return Residues(laws) if any(laws) else None


def _steps(lattice: Lattice, places: np.ndarray) -> np.ndarray:
    """Return the number of each place of a lattice."""
    return np.rint((places - lattice.offset) / lattice.step)


def _by_remainder(steps: np.ndarray, modulus: int, weights: np.ndarray | None) -> np.ndarray:
    """Return how much lies at each remainder."""
    remainders = np.mod(steps, modulus).astype(np.int64)
    return np.bincount(remainders, weights, minlength=modulus).astype(float)
