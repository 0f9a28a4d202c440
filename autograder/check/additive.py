"""Claims of the form "an exact answer plus noise of a known law, drawn afresh at every call"."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from autograder.check import contract, coupling
from autograder.check.answers import BadAnswer
from autograder.check.claim import StatisticalClaim
from autograder.check.door import Door
from autograder.check.judge import Setting, Verdict
from autograder.check.result import CheckFailure, in_notebook
from autograder.check.shown import figure
from autograder.check.wording import explain
from autograder.check.wording.worth import worth_of_noise
from autograder.check.words import number
from ville.alternatives import Alternatives
from ville.bets.repeats import Continuous
from ville.cells import cell_probabilities, density_between, laplace_edges, sorted_into, whole_edges
from ville.distributions import Distribution
from ville.families import factors, shifts
from ville.trial import Trial

# Spreads, and places in units of the scale, around the right ones: errors outside the catalogue.
_FACTORS, _SHIFTS = factors(), shifts()

# One answer in so many has hardly any noise.
_RARELY = (10, 30, 100, 300)
_TINY = 1e-300

# How much larger a density may be somewhere in a cell than it is there on average.
_STEEPEST = 4.0
_SHOWN = 400
_SECONDS_TO_SHOW = 0.2


@dataclass(frozen=True, kw_only=True)
class AdditiveClaim(StatisticalClaim):
    """One exercise: the exact answer, the law of its noise, and common wrong laws.

    Args:
      law_name: the law in words, for sentences and figures.
      exact: the exact answer from a setting's parameters: a number, or an array of shape (entries,)
        for answers that hold several, each with noise of its own.
      scale: the scale of the noise, likewise: one number for all entries.
      law: the law of the noise from its scale (or from an array of scales, by broadcasting).
      law_at: the law of the noise from a setting's parameters, for laws that are more than a scale.
      edges: the borders between the cells of continuous noise, from a setting's parameters; by
      default the quantiles of the Laplace law of this scale.
      looks_like: estimates the scale from noise; by default that of Laplace noise.
      whole: whether answers are whole numbers (then `read` should be `as_whole_number`).
      ends: answers that may repeat although the law is continuous elsewhere, from a setting's
      parameters: where it is clipped. The first setting should hardly ever give one.
      exponents: how the scale of continuous noise depends on parameters that are numbers, where it
        is a power of them: {"sensitivity": 1, "epsilon": -1}. 0 for one that must not enter it. For
        the words of a failure only.
    """

    law_name: str
    exact: Callable[[dict], Any]
    scale: Callable[[dict], float]
    law: Callable[[Any], Distribution] | None = None
    law_at: Callable[[dict], Distribution] | None = None
    edges: Callable[[dict], np.ndarray] | None = None
    # The mean distance from the centre is the maximum-likelihood estimate of a Laplace scale.
    looks_like: Callable[[np.ndarray], float] = lambda noise: float(np.mean(np.abs(noise)))
    whole: bool = False
    ends: Callable[[dict], Sequence[float]] = lambda parameters: ()
    exponents: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self):
        super().__post_init__()
        if bool(self.law) == bool(self.law_at):
            raise ValueError(
                f"{self.name}: give `law`, of a scale, or `law_at`, of a setting's parameters: one"
            )

    def trial_at(self, all_parameters: list[dict]) -> Trial:
        edges = [self._edges(parameters) for parameters in all_parameters]
        pairs = list(zip(edges, all_parameters, strict=True))
        settings = [self._setting(*pair) for pair in pairs]
        null = [row for setting in settings for row in setting.rows]
        catalogue = {
            mistake.name: partial(self._rows_at, pairs, mistake.law) for mistake in self.mistakes
        }
        families = Alternatives(null, lambda: self._families(pairs))
        continuous = [None if self.whole else self._continuous(*pair) for pair in pairs]
        exact = [np.atleast_1d(self.exact(each)).astype(float) for each in all_parameters]
        foreseen = [each if each.size > 1 else None for each in exact]
        return Trial(settings, Alternatives(null, catalogue), families, continuous, foreseen)

    def _continuous(self, edges: np.ndarray, parameters: dict) -> Continuous | None:
        """Return what repeated answers are judged by; None if one value may come again."""
        levels = self.right_law(parameters)(edges)
        peak = _STEEPEST * density_between(edges, levels)
        return Continuous(peak, tuple(self.ends(parameters)))

    def right_law(self, parameters: dict) -> Distribution:
        """Return the law that the noise must follow."""
        return self.law_at(parameters) if self.law_at else self.law(self.scale(parameters))

    def setting_as(self, parameters: dict, changed: dict) -> Setting:
        return self._setting(self._edges(changed), changed)

    def _setting(self, edges: np.ndarray, parameters: dict) -> Setting:
        exact = self.exact(parameters)
        entries = np.size(exact)

        def sort(answers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            noise = np.reshape(answers - exact, (len(answers), entries))
            return np.tile(np.arange(entries), len(answers)), sorted_into(edges, noise).ravel()

        return Setting(parameters, self._rows(edges, parameters, self.right_law), sort)

    def _rows_at(self, pairs: Sequence, law_of: Callable) -> list[np.ndarray]:
        """Return the cell probabilities at each setting, given by its edges and parameters."""
        return [row for edges, given in pairs for row in self._rows(edges, given, law_of)]

    def _rows(self, edges: np.ndarray, parameters: dict, law_of: Callable) -> list[np.ndarray]:
        """Return the cell probabilities of each entry, under the law that `law_of` gives."""
        laws = law_of(parameters)
        if isinstance(laws, Sequence):
            return [cell_probabilities(edges, law) for law in laws]
        return [cell_probabilities(edges, laws)] * np.size(self.exact(parameters))

    def _edges(self, parameters: dict) -> np.ndarray:
        """Return the borders of the cells: for continuous noise two narrow ones lie about 0.

        Not where right answers may pile up at the exact one, because it is an end of their range.
        """
        if self.whole:
            return whole_edges(self.right_law(parameters))
        scale = self.scale(parameters)
        wide = self.edges(parameters) if self.edges else laplace_edges() * scale
        narrow = explain.HARDLY * scale
        from_ends = np.subtract.outer(self.ends(parameters), self.exact(parameters))
        if np.any(np.abs(from_ends) < narrow):
            return wide
        return np.union1d(wide, np.array([-narrow, 0.0, narrow]))

    def _families(self, pairs: list[tuple[np.ndarray, dict]]) -> dict[str, list[np.ndarray]]:
        """Return every other spread and place of the claim's law, by row."""
        tables = [
            table
            for edges, parameters in pairs
            for table in [self._family_table(edges, parameters)] * np.size(self.exact(parameters))
        ]
        names = [f"the spread is {number(factor)} × what it must be" for factor in _FACTORS]
        names += [
            f"the answers lie too {'high' if shift > 0 else 'low'}, "
            f"by about {number(abs(shift))} of the scale"
            for shift in _SHIFTS
        ]
        spreads = {name: list(laws) for name, *laws in zip(names, *tables, strict=True)}
        return spreads | self._hardly_any(pairs)

    def _hardly_any(self, pairs: list[tuple[np.ndarray, dict]]) -> dict[str, list[np.ndarray]]:
        """Return the laws when a few answers have hardly any noise, by row."""
        rows = [
            (np.isin(np.arange(len(row)), sorted_into(edges, np.array([-_TINY, _TINY]))), row)
            for edges, parameters in pairs
            for row in self._rows(edges, parameters, self.right_law)
        ]
        return {
            f"{explain.HARDLY_ANY}: about one in {many}": [
                row + (near / near.sum() - row) / many for near, row in rows
            ]
            for many in _RARELY
        }

    def _family_table(self, edges: np.ndarray, parameters: dict) -> np.ndarray:
        """Return the cell probabilities of every other spread and place, one a row."""
        right, scale, factors = (
            self.right_law(parameters),
            self.scale(parameters),
            _FACTORS[:, None],
        )
        shifts = _SHIFTS[:, None] * scale
        if self.whole:
            shifts = np.sign(shifts) * np.maximum(1, np.round(np.abs(shifts)))
        spreads = self.law(scale * factors) if self.law else lambda x: right(x / factors)
        return np.concatenate(
            [
                cell_probabilities(edges, spreads),
                cell_probabilities(edges, lambda x: right(x - shifts)),
            ]
        )

    def worth(self, trial: Trial, draws: int, level: float) -> str:
        pairs = [(self._edges(each.parameters), each.parameters) for each in trial.settings]

        def rows_at(factor: float) -> list[np.ndarray]:
            return self._rows_at(pairs, lambda given: self._spread(given, factor))

        places = [
            int(sorted_into(edges, np.zeros(1))[0])
            for (edges, _), setting in zip(pairs, trial.settings, strict=True)
            for _ in setting.rows
        ]
        ties = 0 if self.whole else contract.TOO_MANY_TIES
        return worth_of_noise(trial, rows_at, places, draws, level, ties)

    def _spread(self, parameters: dict, factor: float) -> Distribution:
        """Return the law whose noise is so many times as large."""
        if self.law:
            return self.law(self.scale(parameters) * factor)
        right = self.right_law(parameters)
        return lambda x: right(x / factor)

    @property
    def smooth(self) -> bool:
        return not self.whole

    def _look_at_all(self, door: Door, trial: Trial, verdict: Verdict) -> None:
        if verdict.kind != "catalogue" and not self.whole:
            least = 2 if verdict.kind == "repeats" else contract.TOO_MANY_TIES
            contract.raise_if_tied(self, trial, verdict.answers, least)
        if not verdict.passed:
            contract.raise_if_constant(self, door, trial, verdict.answers)

    def _failure(self, door: Door, trial: Trial, verdict: Verdict) -> CheckFailure:
        self._show(door, trial, verdict)
        found = {}
        if self.exponents and verdict.kind != "dependence":
            parameters = trial.settings[verdict.setting].parameters
            steady = [name for name, exponent in self.exponents.items() if exponent == 0]
            found = coupling.exponents(
                door, verdict.setting, parameters, tuple(self.exponents), steady=steady
            )
        return explain.failure(self, trial, verdict, found)

    def _show(self, door: Door, trial: Trial, verdict: Verdict) -> None:
        """Show the answers against the law that they should follow, in a notebook."""
        if not in_notebook():
            return
        setting, answers = trial.settings[verdict.setting], _answers_to_show(door, verdict)
        if picture := self.picture(setting.parameters, answers):
            picture.show()

    def picture(self, parameters: dict, answers: np.ndarray) -> figure.Picture | None:
        """Return the answers against the law; of several entries the noise, if it has one law."""
        law, exact = self.right_law(parameters), self.exact(parameters)
        if isinstance(law, Sequence):
            return None
        several = np.size(exact) > 1
        return figure.of_answers(
            np.ravel(answers - exact) if several else answers,
            law=law,
            exact=0.0 if several else exact,
            scale=self.scale(parameters),
            whole=self.whole,
            caption=f"{self.law_name} noise at {self.situation(parameters)}",
        )


def _answers_to_show(door: Door, verdict: Verdict) -> np.ndarray:
    """Return the answers at the telling setting, and enough more for a histogram."""
    answers = verdict.answers[verdict.setting]
    if len(answers) < _SHOWN:
        affordable = int(_SECONDS_TO_SHOW * verdict.draws / verdict.seconds)
        # A failure to draw the figure does not change the verdict.
        with contextlib.suppress(BadAnswer):
            more = door.sample(verdict.setting, min(_SHOWN, affordable))
            answers = np.concatenate([answers, more])
    return answers
