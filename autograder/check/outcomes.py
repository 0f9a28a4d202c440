"""Claims about answers with finitely many outcomes: a choice, an index, a bit, a list of bits."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.claim import StatisticalClaim
from autograder.check.door import Door
from autograder.check.judge import Setting, Verdict
from autograder.check.mistakes import Mistake
from autograder.check.result import CheckFailure, in_notebook
from autograder.check.shown import figure
from autograder.check.wording import explain
from autograder.check.wording.equal_outcomes import equals_of
from autograder.check.wording.loudest_outcome import FIT_NATS, counts_of, loudest, nats_short
from autograder.check.wording.outcome_patterns import pattern_of, with_more
from autograder.check.wording.worth import worth_of_choices
from autograder.check.words import FOLLOW
from ville.alternatives import Alternatives
from ville.families import choice_families
from ville.trial import Trial

_HOW = f"{FOLLOW}how did it get there?"

# The law of one answer: outcome -> probability; or one such law for each entry of the answer.
OutcomeLaw = Mapping[Hashable, float]


@dataclass(frozen=True, kw_only=True)
class OutcomeClaim(StatisticalClaim):
    """One exercise: the law of its answers' outcomes, and common wrong laws.

    Args:
      law: from a setting's parameters, {outcome: probability} in a meaningful order (the search
      for dependence between answers uses it). For an answer of several independent entries: a
      list of such laws, all with the same outcomes.
      outcome: makes an outcome (a list for several entries) from the result and the parameters;
      raises BadAnswer if it is none. An outcome that the law does not list is refused.
      say: an outcome in words.
      known_of: what the parameters say of an outcome, in words; they follow its own.
      entry: one entry of an outcome in words, where outcomes are tuples of entries of one kind.
      holds_many: says of an outcome whether it stands for many answers, such as a range of counts.
      apart: parameters with which no outcome does so; empty if there are none.
      alike, ask_alike: what outcomes of equal probability are called, and what is asked if they
      do not come equally often.
      ask_first: a question for this exercise; it goes before the one that fits all.
    """

    law: Callable[[dict], OutcomeLaw | Sequence[OutcomeLaw]]
    outcome: Callable[[Any, dict], Hashable | Sequence[Hashable]]
    say: Callable[[Hashable], str] = str
    known_of: Callable[[Hashable, dict], str] = lambda outcome, parameters: ""
    entry: Callable[[Hashable], str] | None = None
    holds_many: Callable[[Hashable], bool] = lambda outcome: False
    apart: Mapping[str, Any] = field(default_factory=dict)
    alike: str = "outcomes that are equally likely"
    ask_alike: str = (
        "which line of your code does not treat them alike? Or does one draw decide about several?"
    )
    ask_first: str = ""

    def reader(self, parameters: dict) -> Callable[[Any], Any]:
        """Return the function that gives an answer's cell, or one cell for each entry."""
        law = self.law(parameters)
        several = not isinstance(law, Mapping)
        places = {outcome: place for place, outcome in enumerate(_listed(law))}

        def read(answer: Any) -> Any:
            outcome = self.outcome(answer, parameters)
            codes = [self._place(places, each) for each in (outcome if several else [outcome])]
            return codes if several else float(codes[0])

        return read

    def trial_at(self, all_parameters: list[dict]) -> Trial:
        settings = [self._setting(parameters) for parameters in all_parameters]
        null = [row for setting in settings for row in setting.rows]
        listed = [_listed(self.law(parameters)) for parameters in all_parameters]
        pairs = list(zip(all_parameters, listed, strict=True))
        catalogue = {
            mistake.name: partial(self._rows_at, pairs, mistake.law) for mistake in self.mistakes
        }
        return Trial(
            settings,
            Alternatives(null, catalogue),
            Alternatives(null, choice_families(null, "answers")),
        )

    def _setting(self, parameters: dict) -> Setting:
        law = self.law(parameters)
        entries, last = 1 if isinstance(law, Mapping) else len(law), len(_listed(law)) - 1

        def sort(answers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            # A failed call (NaN, at most one a run) counts as the last outcome.
            cells = np.nan_to_num(answers, nan=last).astype(int).ravel()
            return np.tile(np.arange(entries), len(answers)), cells

        return Setting(parameters, self._rows(law, _listed(law)), sort)

    def setting_as(self, parameters: dict, changed: dict) -> Setting:
        rows = self._rows(self.law(changed), _listed(self.law(parameters)))
        return Setting(changed, rows, self._setting(parameters).sort)

    def _rows_at(self, pairs: Sequence, law: Callable) -> list[np.ndarray]:
        """Return the cell probabilities at each setting, given by its parameters and outcomes."""
        return [row for given, listed in pairs for row in self._rows(law(given), listed)]

    def _rows(self, law: OutcomeLaw | Sequence[OutcomeLaw], outcomes: list) -> list[np.ndarray]:
        laws = [law] if isinstance(law, Mapping) else law
        return [probabilities_of(each, outcomes) for each in laws]

    def _place(self, places: dict[Hashable, int], outcome: Hashable) -> int:
        if outcome in places:
            return places[outcome]
        raise BadAnswer(
            "it returns what is not among the possible answers",
            seen=f"it returned {self.say(outcome)}",
            ask="by the task, which values may come back?",
        )

    def worth(self, trial: Trial, draws: int, level: float) -> str:
        return worth_of_choices(trial, draws, level)

    def _look_at_all(self, door: Door, trial: Trial, verdict: Verdict) -> None:
        """Raise BadAnswer for an outcome that a right answer gives with probability 0."""
        for number, setting in enumerate(trial.settings):
            rows, cells = setting.sort(verdict.answers[number])
            for row, law in enumerate(setting.rows):
                seen = np.unique(cells[rows == row])
                impossible = seen[law[seen] == 0]
                if len(impossible):
                    outcome = _listed(self.law(setting.parameters))[impossible[0]]
                    mistake = self._explanation(trial, verdict)
                    raise BadAnswer(
                        mistake.name if mistake else "it returns what can never come back",
                        seen=f"it returned {self.say(outcome)}, which can never come back",
                        ask=mistake.ask if mistake else _HOW,
                        parameters=setting.parameters,
                    )

        if not verdict.passed:
            self._raise_if_constant(door, trial, verdict)

    def _foretold(self, trial: Trial, verdict: Verdict) -> bool:
        """Say whether the mistake that was found makes the outcome certain."""
        mistake = {each.name: each for each in self.mistakes}.get(verdict.name)
        if mistake is None:
            return False
        law = mistake.law(trial.settings[0].parameters)
        return max((law if isinstance(law, Mapping) else law[0]).values()) > 1 - 1e-9

    def _came_many(self, trial: Trial, verdict: Verdict) -> bool:
        """Say whether the first outcome that came stands for many answers."""
        setting = trial.settings[0]
        _, cells = setting.sort(verdict.answers[0])
        return self.holds_many(_listed(self.law(setting.parameters))[cells[0]])

    def _explanation(self, trial: Trial, verdict: Verdict) -> Mistake | None:
        """Return the likeliest mistake under which all answers are possible, if it fits well."""
        counts = [
            each
            for setting, answers in zip(trial.settings, verdict.answers, strict=True)
            for each in counts_of(setting, answers)
        ]

        def short_of_best(mistake: Mistake) -> float:
            """Return how much likelier the observed shares are than this mistake, in nats."""
            laws = [
                row
                for setting in trial.settings
                for row in self._rows(
                    mistake.law(setting.parameters), _listed(self.law(setting.parameters))
                )
            ]
            return sum(map(nats_short, counts, laws))

        if not self.mistakes:
            return None
        best = min(self.mistakes, key=short_of_best)
        # The likeliest shares gain about half a nat for each cell over the true ones.
        room = FIT_NATS + sum(map(len, counts))
        return best if short_of_best(best) < room else None

    def picture(self, parameters: dict, answers: np.ndarray) -> figure.Picture | None:
        """Return how often each outcome came beside its probability, for answers of one entry."""
        law = self.law(parameters)
        if not isinstance(law, Mapping):
            return None
        names = [self.say(outcome) for outcome in law]
        cells = np.nan_to_num(answers, nan=len(names) - 1).astype(int)
        shares = np.bincount(cells, minlength=len(names)) / len(cells)
        if len(set(names)) < len(names):
            return None
        chances = dict(zip(names, law.values(), strict=True))
        return figure.of_choices(
            dict(zip(names, shares.tolist(), strict=True)),
            chances,
            caption=self.situation(parameters),
        )

    def _failure(self, door: Door, trial: Trial, verdict: Verdict) -> CheckFailure:
        verdict, (seen, ask) = self._told(door, trial, verdict)
        if self.ask_first and ask.startswith(FOLLOW):
            ask = f"{self.ask_first} If so: {ask.removeprefix(FOLLOW)}"
        if in_notebook():
            parameters = trial.settings[verdict.setting].parameters
            picture = self.picture(parameters, verdict.answers[verdict.setting])
            if picture:
                picture.show()
        return explain.outcome_failure(self, trial, verdict, seen, ask)

    def _told(self, door: Door, trial: Trial, verdict: Verdict) -> tuple[Verdict, Sequence[str]]:
        """Return the verdict at the setting that tells most, what came there, and a question."""
        if verdict.kind not in ("catalogue", "dependence"):
            kinds = {"equals": partial(equals_of, self, door), "pattern": partial(pattern_of, self)}
            answers = with_more(self, door, trial, verdict.answers)
            # Of lists, what all of them have in common says more than which of them come.
            for kind in sorted(kinds, reverse=self.entry is not None):
                found = kinds[kind](trial, answers)
                if found is not None:
                    return replace(verdict, kind=kind, setting=found[0]), found[1:]
        setting = trial.settings[verdict.setting]
        outcomes = _listed(self.law(setting.parameters))
        return verdict, loudest(self, setting, outcomes, verdict.answers[verdict.setting])

    def _raise_if_constant(self, door: Door, trial: Trial, verdict: Verdict) -> None:
        """Raise BadAnswer for a failed answer that is one and the same at every call of a setting.

        Unless the mistake that was found explains it, or the answers may differ. A fixed seed is
        reported even then, because it may give the likeliest outcome every time.
        """
        if not all(len(given) > 1 and np.all(given == given[0]) for given in verdict.answers):
            return
        seeder = door.reseeds(0)
        explained = self._foretold(trial, verdict) or self._came_many(trial, verdict)
        if explained and not seeder:
            return
        parameters, given = trial.settings[0].parameters, verdict.answers[0]
        said, ask = "one answer", "who can foresee the answer if it is the same at every call?"
        if given.size == len(given) and np.isfinite(given).all():
            outcome = _listed(self.law(parameters))[int(given.flat[0])]
            said = self.say(outcome)
            ask += " Does every path of your code end in `return`?" * (said == "None")
        raise BadAnswer(
            f"{seeder} is called inside" if seeder else "the same answer comes at every call",
            seen=f"{said} came {len(given)} times in a row",
            ask=ask,
            parameters=parameters,
        )


def _listed(law: OutcomeLaw | Sequence[OutcomeLaw]) -> list[Hashable]:
    """Return the outcomes that answers may have, in the order of the cells."""
    return list(law if isinstance(law, Mapping) else law[0])


def probabilities_of(law: OutcomeLaw, outcomes: Sequence[Hashable]) -> np.ndarray:
    """Return the probability of each outcome.

    Raises:
      ValueError: the law puts probability on an outcome that is not listed, or does not sum to one.
    """
    places = {outcome: place for place, outcome in enumerate(outcomes)}
    cells = np.zeros(len(outcomes))
    for outcome, probability in law.items():
        place = places.get(outcome)
        if place is None and probability > 0:
            raise ValueError(f"law gives {outcome!r} probability {probability}; it is not listed")
        if place is not None:
            cells[place] += probability
    if abs(cells.sum() - 1) > 1e-9:
        raise ValueError(f"law must sum to one, got {cells.sum()}")
    return cells / cells.sum()
