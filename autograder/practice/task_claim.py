"""The claim of a task: its answers follow the law that is composed from its parts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from typing import Any

import numpy as np

from autograder.check import contract
from autograder.check.answers import BadAnswer, NotAnswered, as_number
from autograder.check.claim import OpenDoor, StatisticalClaim
from autograder.check.door import Door
from autograder.check.judge import Setting, Verdict
from autograder.check.result import CheckFailure, Result
from autograder.check.wording.draws_together import of_draws_together
from autograder.check.words import GUARANTEE, SURE, counted
from autograder.practice.law import answer_laws, outcomes, released
from autograder.practice.likeness import log_likelihoods
from autograder.practice.reading import (
    as_numbers,
    cells_of,
    chances,
    place_of,
    seen_choice,
    seen_number,
)
from autograder.practice.scale import entries
from autograder.practice.settings import arguments, settings, situation
from autograder.practice.task_mistakes import TaskMistake
from autograder.practice.task_plan import CHOICES, Plan
from ville.alternatives import Alternatives
from ville.families import choice_families, number_families
from ville.law import Impossible, continuous
from ville.outcomes import Choice
from ville.trial import Trial

_TO_NAME = 150  # draws at each setting, to name what gives an impossible answer
_TIED = 4.0  # nats: mistakes that are this close are told apart by more draws
_PARTS = "which parts of the task enter the answer, and which the scale of the noise?"
_OF_ITS_OWN = "does every call draw noise of its own?"
_SHAPE = "follow your code with these numbers, line by line: what should each line give?"


class _ImpossibleAnswer(Exception):
    """An answer came that the law never gives."""

    def __init__(self, parameters: dict, words: str):
        self.parameters = parameters
        super().__init__(words)


@dataclass(frozen=True, kw_only=True)
class PracticeClaim(StatisticalClaim):
    """A plan's claim.

    Args:
      plan: the task's parts.
    """

    plan: Plan
    mistakes: Sequence[TaskMistake]
    tries: int = 4
    least_rate: float = 0.012

    def reader(self, parameters: dict) -> Callable[[Any], Any]:
        """Return the function that reads an answer as a number, numbers, or a place of a choice."""
        if self._chooses:
            places = {outcome: place for place, outcome in enumerate(outcomes(self.plan))}
            return lambda answer: place_of(answer, places)
        wanted = entries(self.plan)
        return as_number if wanted == 1 else lambda answer: as_numbers(answer, wanted)

    @cached_property
    def _chooses(self) -> bool:
        return self.plan.noise in CHOICES or self.plan.question == "answer"

    @property
    def law_name(self) -> str:
        """The noise in words."""
        return "Laplace" if self.plan.noise == "laplace" else "Gaussian"

    def exact(self, parameters: dict) -> np.ndarray | float:
        """Return the answer without noise."""
        values = released(self.plan, parameters)
        return values if len(values) > 1 else float(values[0])

    def ends(self, parameters: dict) -> Sequence[float]:
        """Return the numbers that may repeat although the noise is continuous."""
        return {"clamp": (0.0,), "bounds": tuple(map(float, _ends(self.plan)))}.get(
            self.plan.after, ()
        )

    def _judge(self, open_door: OpenDoor) -> Result:
        try:
            return super()._judge(open_door)
        except _ImpossibleAnswer as never:
            with open_door([never.parameters]) as door:
                raise self._impossible(door, never) from None

    def trial_at(self, all_parameters: list[dict]) -> Trial:
        pairs = [
            [(law, law.cells()) for law in answer_laws(self.plan, parameters)]
            for parameters in all_parameters
        ]
        both = list(zip(all_parameters, pairs, strict=True))
        made = [self._setting(*each) for each in both]
        catalogue = {
            mistake.name: partial(_rows_of, mistake.plan, both) for mistake in self.mistakes
        }
        null = [row for setting in made for row in setting.rows]
        return Trial(
            made,
            Alternatives(null, catalogue),
            Alternatives(null, lambda: self._families(null, list(chain.from_iterable(pairs)))),
            [continuous([law for law, _ in own]) for own in pairs],
            [self._foreseen(parameters) for parameters in all_parameters],
            [cells.events for own in pairs for _, cells in own],
        )

    def _families(self, null: list[np.ndarray], pairs: list) -> dict[str, list[np.ndarray]]:
        return choice_families(null, "answers") if self._chooses else number_families(pairs)

    def _foreseen(self, parameters: dict) -> np.ndarray | None:
        """Return the answer without noise, if it holds several numbers."""
        exact = None if self._chooses else self.exact(parameters)
        return exact if np.size(exact) > 1 else None

    def _setting(self, parameters: dict, own: list) -> Setting:
        rows = [cells.probabilities(law) for law, cells in own]

        def sort(answers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            answers = answers.reshape(len(answers), len(own))
            columns = [cells_of(*pair, answers[:, k]) for k, pair in enumerate(own)]
            return np.tile(np.arange(len(own)), len(answers)), np.column_stack(columns).ravel()

        def guarded(answers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            try:
                return sort(answers)
            except Impossible as impossible:
                raise _ImpossibleAnswer(parameters, str(impossible)) from None

        return Setting(parameters, rows, guarded)

    @property
    def smooth(self) -> bool:
        return self._continuous and self.plan.after not in ("clamp", "bounds")

    @property
    def _continuous(self) -> bool:
        """Whether every number of an answer has a continuous law, but for the ends of a range."""
        whole = self.plan.noise == "discrete_laplace" or self.plan.after == "tens"
        return not (self._chooses or whole)

    def _look_at_given(self, door: Door, trial: Trial, first: list[np.ndarray]) -> None:
        super()._look_at_given(door, trial, first)
        # Right answers that end at a range may repeat an end: only the first must not be exact.
        # What is one and the same at every call has another name.
        ended = self._continuous and not self.smooth
        if ended and any(np.any(given != given[0]) for given in first):
            contract.raise_if_first_exact(self, trial, first)

    def _look_at_all(self, door: Door, trial: Trial, verdict: Verdict) -> None:
        if self._continuous and verdict.kind != "catalogue":
            least = 2 if verdict.kind == "repeats" else contract.TOO_MANY_TIES
            contract.raise_if_tied(self, trial, verdict.answers, least)

    def _failure(self, door: Door, trial: Trial, verdict: Verdict) -> CheckFailure:
        setting = trial.settings[verdict.setting]
        mistake = self._named(door, trial, verdict)
        came = verdict.answers[verdict.setting].reshape(-1, len(setting.rows))
        problem, seen, ask = self._problem(mistake, verdict, setting.parameters)
        seen = seen or self._seen(setting.parameters, came)
        return CheckFailure(
            self.name,
            problem,
            seen=f"{self.situation(setting.parameters)}: {seen}",
            sure=GUARANTEE.format(answers=counted(verdict.draws, "answer")),
            ask=ask,
        )

    def _problem(
        self, mistake: TaskMistake | None, verdict: Verdict, parameters: dict
    ) -> tuple[str, str, str]:
        """Return what is wrong, what was seen where it is not the usual, and a question."""
        if mistake:
            return mistake.name, "", mistake.ask
        if verdict.kind == "family":
            return verdict.name.replace("the draws", "the answers"), "", _PARTS
        if self._chooses and verdict.kind == "dependence":
            return "successive answers depend on each other", "", _OF_ITS_OWN
        words = None if self._chooses else of_draws_together(self, parameters, verdict)
        return words or ("the answers do not come as often as they should", "", _SHAPE)

    def _seen(self, parameters: dict, came: np.ndarray) -> str:
        """Say of the entry that is furthest off what should come, and what came."""
        laws, words = answer_laws(self.plan, parameters), []
        for place, law in enumerate(laws):
            where = f" at entry {place}" if len(laws) > 1 else ""
            make = seen_choice if isinstance(law, Choice) else seen_number
            words.append(make(law, came[:, place][np.isfinite(came[:, place])], where))
        return max(words)[1]

    def _impossible(self, door: Door, never: _ImpossibleAnswer) -> BadAnswer:
        """Return the words for answers that never come, by the mistake that gives them."""
        best = self._likeliest(door, [never.parameters], self.mistakes)
        return BadAnswer(
            best.name if best else "it returns what can never come back",
            seen=f"it returned {never}",
            ask=best.ask if best else _SHAPE,
            parameters=never.parameters,
            sure=SURE,
        )

    def _named(self, door: Door, trial: Trial, verdict: Verdict) -> TaskMistake | None:
        """Return the mistake that was found; of several that fit alike, the best after more draws.

        Two narrow laws may put all their draws in one cell. What they give still differs.
        """
        if verdict.kind != "catalogue":
            return None
        counts = np.zeros(trial.catalogue.log_ratios.shape[1])
        starts, first_rows = trial.catalogue.starts, trial.first_rows()
        for place, answers in enumerate(verdict.answers):
            rows, cells = trial.settings[place].sort(answers)
            np.add.at(counts, starts[first_rows[place] + rows] + cells, 1)
        heights = trial.catalogue.log_ratios @ counts
        near = np.flatnonzero(heights > heights.max() - _TIED)
        if len(near) == 1:
            return self.mistakes[int(near[0])]
        given = [setting.parameters for setting in trial.settings]
        return self._likeliest(door, given, [self.mistakes[int(place)] for place in near])

    def _likeliest(
        self, door: Door, given: Sequence[dict], among: Sequence[TaskMistake]
    ) -> TaskMistake | None:
        """Return the mistake that explains more draws best, if one can give them."""
        totals = np.zeros(len(among))
        for place, parameters in enumerate(given):
            try:
                came = door.sample(place, _TO_NAME)
            except NotAnswered:
                raise
            except BadAnswer:
                return None
            came = came.reshape(len(came), -1)
            came = came[np.isfinite(came).all(axis=1)]
            totals += log_likelihoods(came, [answer_laws(m.plan, parameters) for m in among])
        if not len(totals) or totals.max() == -np.inf:
            return None
        return among[int(np.argmax(totals))]


def _rows_of(plan: Plan, settings: Sequence[tuple[dict, list]]) -> list[np.ndarray]:
    """Return a plan's probability of each cell of the right laws, by entry."""
    return [
        chances(cells, law, right)
        for parameters, own in settings
        for law, (right, cells) in zip(answer_laws(plan, parameters), own, strict=True)
    ]


def _ends(plan: Plan) -> tuple[int, int]:
    return plan.bounds[0] if plan.bounds else (0, 0)


def claim_of(plan: Plan, mistakes: Sequence[TaskMistake], name: str = "release") -> PracticeClaim:
    """Return the claim of a plan, for an answer of this name."""
    return PracticeClaim(
        name=name,
        established="the law that the task asks for, independent draws",
        arguments=lambda parameters: arguments(plan, parameters),
        situation=lambda parameters: situation(plan, parameters),
        parameters=lambda generator: settings(plan, generator),
        plan=plan,
        mistakes=mistakes,
    )
