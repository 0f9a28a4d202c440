"""Claims of the form "an exact answer plus noise of a known law, drawn afresh at every call"."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from autograder.check import contract, explain, figure
from autograder.check.door import (
    BadAnswer,
    Door,
    as_number,
    as_whole_number,
    fresh_generator,
    opened,
)
from autograder.check.evidence import Alternatives
from autograder.check.judge import BLIND_NATS, Setting, Trial, Verdict, decide
from autograder.check.laws import Cells, Law, continuous_cells, whole_cells
from autograder.check.result import Result, in_notebook
from autograder.check.words import number

__all__ = ["AdditiveClaim", "Mistake"]

# Spreads, and places in units of the scale, around the right ones: what nobody put in a catalogue.
_FACTORS = np.exp([sign * step for step in np.geomspace(0.02, 2.8, 15) for sign in (1, -1)])
_SHIFTS = np.array([sign * step for step in (0.05, 0.1, 0.3, 1.0, 3.0) for sign in (1, -1)])

_DESIGN_TRIES = 20
_SHOWN = 400
_SECONDS_TO_SHOW = 0.2


@dataclass(frozen=True)
class Mistake:
    """A misconception: its name in a few words, the law it gives, and a question that leads on.

    `law` takes a setting's parameters and gives the law of (answer - exact answer). `seen` replaces
    the usual description of what came; it may use the fields {scale} and {looks}.
    """

    name: str
    law: Callable[[dict], Law]
    ask: str
    seen: str = ""


@dataclass(frozen=True)
class AdditiveClaim:
    """One exercise: what its answers must follow, and what they often follow instead.

    Args:
      name: the exercise, and dplib's function of that name.
      established: what a pass says.
      law_name: the law in words, for sentences and figures.
      parameters: draws the plain parameters of every setting.
      arguments: makes the call's arguments from a setting's parameters.
      exact: the exact answer from a setting's parameters.
      scale: the scale of the noise, likewise.
      law: the law of the noise from its scale (or from an array of scales, by broadcasting).
      looks_like: estimates the scale from noise.
      mistakes: the catalogue.
      situation: a setting in words.
      whole: whether answers are whole numbers.
      least_rate: settings are drawn again, a few times at most, until the claim refutes every
        mistake at this many nats an answer.
      inspect: a further rule for the first answers; raises BadAnswer if they break it.
    """

    name: str
    established: str
    law_name: str
    parameters: Callable[[np.random.Generator], list[dict[str, Any]]]
    arguments: Callable[[dict], tuple[tuple, dict]]
    exact: Callable[[dict], float]
    scale: Callable[[dict], float]
    law: Callable[[Any], Law]
    looks_like: Callable[[np.ndarray], float]
    mistakes: Sequence[Mistake]
    situation: Callable[[dict], str]
    whole: bool = False
    least_rate: float = 0.02
    inspect: Callable[[Door, Trial], None] = lambda door, trial: None

    @np.errstate(all="ignore")
    def check(self, function: Callable) -> Result:
        """Return what was established about an answer, or raise CheckFailure."""
        trial = self.trial(fresh_generator())
        try:
            read = as_whole_number if self.whole else as_number
            with opened(self.name, function, self.arguments, read) as door:
                verdict = decide(
                    trial,
                    door.sample,
                    contract=lambda first: contract.check_first(self, door, trial, first),
                )
                if verdict.kind != "catalogue":
                    contract.check_all(self, trial, verdict.answers)
                if not verdict.passed:
                    contract.raise_if_constant(self, door, trial, verdict.answers)
                    shown = _answers_to_show(door, trial, verdict)
        except BadAnswer as bad:
            raise explain.bad_answer(self, bad) from None
        if not verdict.passed:
            self._show(trial, verdict, shown)
            raise explain.failure(self, trial, verdict)
        return explain.passed(self, verdict, printed=door.sink.used)

    @np.errstate(all="ignore")
    def trial(self, generator: np.random.Generator) -> Trial:
        """Draw the secret settings: the first draw that separates the mistakes, else the best."""
        best, best_rate = None, -1.0
        for _ in range(_DESIGN_TRIES):
            trial = self._trial(self.parameters(generator))
            rate = min(trial.rates().values())
            if rate > best_rate:
                best, best_rate = trial, rate
            if rate >= self.least_rate:
                break
        return best

    def blind_spots(self) -> dict[str, float]:
        """Return the mistakes that fresh settings cannot separate, with their nats an answer."""
        rates = self.trial(fresh_generator()).rates()
        return {name: rate for name, rate in rates.items() if rate < BLIND_NATS}

    def _trial(self, all_parameters: list[dict]) -> Trial:
        pairs = [(self._cells(parameters), parameters) for parameters in all_parameters]
        settings = [
            Setting(parameters, cells.probabilities(self.law(self.scale(parameters))), cells.index)
            for cells, parameters in pairs
        ]
        catalogue = {
            mistake.name: [cells.probabilities(mistake.law(given)) for cells, given in pairs]
            for mistake in self.mistakes
        }
        null = [setting.probabilities for setting in settings]
        families = Alternatives(null, self._families(pairs))
        return Trial(settings, Alternatives(null, catalogue), families)

    def _cells(self, parameters: dict) -> Cells:
        center, scale = self.exact(parameters), self.scale(parameters)
        if self.whole:
            return whole_cells(self.law(scale), center=center)
        return continuous_cells(scale=scale, center=center)

    def _families(self, pairs: list[tuple[Cells, dict]]) -> dict[str, list[np.ndarray]]:
        """Return every other spread and place of the claim's law, by setting."""
        if self.whole:
            tables = [
                _family_table(self.law, self.scale(parameters), cells, whole=True)
                for cells, parameters in pairs
            ]
        else:
            # In units of the scale all settings are one: computed once for all runs.
            tables = [_unit_family_table(self.law)] * len(pairs)
        names = [f"the spread is {number(factor)} × what it must be" for factor in _FACTORS]
        names += [
            f"the answers lie too {'high' if shift > 0 else 'low'}, "
            f"by about {number(abs(shift))} of the scale"
            for shift in _SHIFTS
        ]
        return {name: list(laws) for name, *laws in zip(names, *tables, strict=True)}

    def _show(self, trial: Trial, verdict: Verdict, answers: np.ndarray) -> None:
        """Show the answers against the law that they should follow, in a notebook."""
        parameters = trial.settings[verdict.setting].parameters
        figure.show_answers(
            answers,
            law=self.law(self.scale(parameters)),
            exact=self.exact(parameters),
            scale=self.scale(parameters),
            whole=self.whole,
            caption=f"{self.law_name} noise at {self.situation(parameters)}",
        )


def _answers_to_show(door: Door, trial: Trial, verdict: Verdict) -> np.ndarray:
    """Return the answers at the telling setting, and in a notebook enough more for a histogram."""
    answers = verdict.answers[verdict.setting]
    if in_notebook() and len(answers) < _SHOWN:
        affordable = int(_SECONDS_TO_SHOW * verdict.draws / verdict.seconds)
        # It is only for the eye: a mishap here changes nothing about the verdict.
        with contextlib.suppress(BadAnswer):
            more = door.sample(trial.settings[verdict.setting], min(_SHOWN, affordable))
            answers = np.concatenate([answers, more])
    return answers


def _family_table(law, scale: float, cells: Cells, *, whole: bool) -> np.ndarray:
    """Return the cell probabilities of every other spread and place, one a row."""
    shifts = _SHIFTS * scale
    if whole:
        shifts = np.sign(shifts) * np.maximum(1, np.round(np.abs(shifts)))
    spreads, right = law(scale * _FACTORS[:, None]), law(scale)
    return np.concatenate(
        [cells.probabilities(spreads), cells.probabilities(lambda x: right(x - shifts[:, None]))]
    )


@cache
def _unit_family_table(law) -> np.ndarray:
    return _family_table(law, 1.0, continuous_cells(scale=1.0, center=0.0), whole=False)
