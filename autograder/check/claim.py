"""The base of all claims, and of claims about randomized answers."""

import inspect
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from autograder.check import contract
from autograder.check.answers import BadAnswer, as_number
from autograder.check.chance import foreseen
from autograder.check.designed import unreached
from autograder.check.designed.trials import NamedSetting, look_at_designed
from autograder.check.door import Door, fresh_generator, opened, stopwatch
from autograder.check.effort import SHORT, at_length, effort
from autograder.check.judge import ALPHA, BLIND_NATS, Setting, Verdict, decide, draws_needed
from autograder.check.result import CheckFailure, Result, somebody_reads
from autograder.check.shown.figure import Picture
from autograder.check.signature import call_in, taking
from autograder.check.wording import explain, passes
from ville.trial import Trial

# Takes the settings' parameters and opens a door to one answer.
OpenDoor = Callable[[Sequence[dict[str, Any]]], AbstractContextManager[Door]]

# The part of a claim's level that goes to its designed settings.
_DESIGNED_SHARE = 0.1


def call(function: Callable, *positional, **keywords) -> Any:
    """Call the answer: how nearly every claim uses it."""
    return function(*positional, **keywords)


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One exercise.

    Args:
      about: the text of `help(check.NAME)`: the function's signature, "Check `name(a, *, b)`", and
      its task.
      name: the exercise, by default that of the signature; also dplib's function of that name,
      unless `library` says another.
      established: the text of a pass.
      arguments: makes the call's arguments from a setting's plain parameters; by default it takes
      those that the signature names, as they are.
      situation: a setting's parameters in words.
      read: makes a float, or an array of fixed shape, of the result; or raises BadAnswer.
      use: how the answer is used, if not by one call. Takes it and the arguments.
      inspect: looks at a call's arguments afterwards; raises BadAnswer if one was not used.
      library: the name of dplib's function that the answer must not call; "" for none.
      closed: other functions of dplib that the task rules out, as "ranges.tree_strategy".
      repeats: whether a long look may judge an answer more than once, at inputs drawn anew.
    """

    name: str = ""
    about: str = ""
    established: str
    arguments: Callable[[dict], tuple[tuple, dict]] | None = None
    situation: Callable[[dict], str]
    read: Callable[[Any, dict], Any] = as_number
    use: Callable[..., Any] = call
    inspect: Callable[[tuple, dict], None] = lambda positional, keywords: None
    library: str = ""
    closed: tuple[str, ...] = ()
    repeats: bool = True

    def __post_init__(self):
        if not (self.name and self.arguments):
            name, names = call_in(self.about)
            object.__setattr__(self, "name", self.name or name)
            object.__setattr__(self, "arguments", self.arguments or taking(names))

    @property
    def passes_on(self) -> bool:
        """Say whether the answer is given any keyword argument that a call is given."""
        parameters = inspect.signature(self.use).parameters.values()
        return any(each.kind is each.VAR_KEYWORD for each in parameters)

    def reader(self, parameters: dict) -> Callable[[Any], Any]:
        """Return the function that reads the answers at one setting; it is made once."""
        return lambda answer: self.read(answer, parameters)

    @np.errstate(all="ignore")
    def check(self, function: Callable) -> Result:
        """Return what was established about an answer, or raise CheckFailure.

        The answer is a function, or stands for one in another process (`Elsewhere`).
        """
        try:
            return self._looked_at(function)
        except BadAnswer as bad:
            raise explain.bad_answer(self, bad) from None

    def _looked_at(self, function: Callable) -> Result:
        """Judge an answer at the length of this look, and say if that is not to the end."""
        whole, watch, results = effort(), stopwatch(function), []
        for length in whole.looks() if self.repeats else [whole]:
            with at_length(self.name, length):
                results.append(self._judge(lambda settings: opened(self, function, settings)))
            if watch.worked() >= whole.work or whole.waited(watch):
                break
        result = replace(results[0], draws=sum(each.draws for each in results))
        return passes.to_the_end(result, whole, watch)

    def _judge(self, open_door: OpenDoor) -> Result:
        raise NotImplementedError

    def blind_spots(self) -> dict[str, float]:
        """Return the mistakes that this claim cannot tell from a right answer."""
        return {}


@dataclass(frozen=True, kw_only=True)
class StatisticalClaim(Claim):
    """One exercise whose answers are random, and follow an exact law at every setting.

    Args:
      parameters: draws the plain parameters of every setting.
      mistakes: the catalogue; each has a name and a question.
      least_rate: settings are drawn again, a few times at most, until the claim refutes every
        mistake at this many nats an observation.
      tries: how often at most.
      least_short_rate: a short look does not wait until it has refuted a mistake of a lower rate.
      least_long_rate: nor does a long one for a mistake of a lower rate than this, which
        `blind_spots` reports. Below the usual rate it waits, and a slow answer may end the waiting.
      level: largest probability with which a right answer is failed.
      designed: draws the designed settings, at each of which a few answers are asked for: pairs of
        what is special there, in words, and the plain parameters.
      outside: the edges of its parameters that the task rules out, as `unreached` calls them.
      edge_work: after this much processor time a short look leaves the other designed settings to
      the long ones, in seconds.
    """

    parameters: Callable[[np.random.Generator], Iterable[dict[str, Any]]]
    mistakes: Sequence[Any]
    least_rate: float = 0.02
    tries: int = 20
    least_short_rate: float = BLIND_NATS
    least_long_rate: float = BLIND_NATS
    level: float = ALPHA
    designed: Callable[[np.random.Generator], Iterable[NamedSetting]] = lambda generator: ()
    outside: Sequence[str] = ()
    edge_work: float = SHORT.work

    @property
    def smooth(self) -> bool:
        """Whether each number of an answer has a continuous law: hardly ever one comes again."""
        return False

    def _judge(self, open_door: OpenDoor) -> Result:
        trial, designed = self.trial(fresh_generator()), self._designed_in_turn(fresh_generator())
        whole = self.level * effort().level
        level = whole * (1 - _DESIGNED_SHARE) if designed else whole
        with open_door([setting.parameters for setting in trial.settings]) as door:
            verdict = decide(
                trial,
                door.sample,
                contract=lambda first: self._look_at_first(door, trial, first),
                level=level,
                watch=door.stopwatch(),
                blind=self.least_long_rate if effort().long else self.least_short_rate,
            )
            self._look_at_all(door, trial, verdict)
            foreseen.raise_if_from_a_pool(door, trial)
            if not verdict.passed:
                raise self._failure(door, trial, verdict)
            foreseen.raise_if_first_answers_stand_out(door, trial)
            # Some settings have more draws than others where an answer is slow: they do not count.
            draws = len(verdict.answers) * min(map(len, verdict.answers))
            worth, printed = self.worth(trial, draws, level), door.printed
        needed = draws_needed(trial, verdict.unrefuted)
        unseen = look_at_designed(self, open_door, designed, level=whole * _DESIGNED_SHARE)
        verdict = replace(verdict, unrefuted=(*verdict.unrefuted, *unseen))
        result = passes.passed(self, verdict, worth=worth, printed=printed, needed=needed)
        if not somebody_reads():
            return result
        seen = self.picture(trial.settings[0].parameters, verdict.answers[0])
        return replace(result, picture=seen)

    def _designed_in_turn(self, generator: np.random.Generator) -> list[NamedSetting]:
        """Return the designed settings in random order: time may end before the last."""
        designed = list(self.designed(generator))
        return [designed[place] for place in generator.permutation(len(designed))]

    def picture(self, parameters: dict, answers: np.ndarray) -> Picture | None:
        """Return the answers of one setting beside their law; None if no picture shows it."""
        return None

    def worth(self, trial: Trial, draws: int, level: float) -> str:
        """Return in words the smallest departures that a pass would have seen; "" if unknown."""
        return ""

    @np.errstate(all="ignore")
    def trial(self, generator: np.random.Generator) -> Trial:
        """Draw the secret settings: the first draw that separates the mistakes, else the best."""
        best, best_rate, slowest = None, -1.0, ""
        for _ in range(self.tries):
            trial = self.trial_at(list(self.parameters(generator)))
            # What is no better than the best shows it soon, mostly by the law that did so before.
            rate, slowest = trial.catalogue.slowest(best_rate, slowest)
            if rate > best_rate:
                best, best_rate = trial, rate
            if rate >= self.least_rate:
                break
        return best

    def blind_spots(self) -> dict[str, float]:
        """Return the mistakes that fresh settings cannot separate, with their nats.

        A claim with designed settings reports the edges that none of its settings is at, too.
        """
        trial, designed = self.trial(fresh_generator()), self._designed_in_turn(fresh_generator())
        blind = {name: rate for name, rate in trial.rates().items() if rate < self.least_long_rate}
        if designed:
            settings = [setting.parameters for setting in trial.settings]
            never = unreached([*settings, *(parameters for _, parameters in designed)])
            blind.update({name: 0.0 for name in never if name not in self.outside})
        return blind

    def trial_at(self, all_parameters: list[dict]) -> Trial:
        """Return the trial at settings whose parameters are given."""
        raise NotImplementedError

    def setting_as(self, parameters: dict, changed: dict) -> Setting:
        """Return the setting whose answers follow the law of changed parameters."""
        return self.trial_at([changed]).settings[0]

    def _look_at_first(self, door: Door, trial: Trial, first: list[np.ndarray]) -> None:
        """Raise BadAnswer if the first few calls break a rule that every right answer keeps."""
        self._look_at_given(door, trial, first)
        foreseen.raise_if_seeded(door, trial)
        if self.smooth:
            # What begins the same at another time, too, does not follow from the time.
            foreseen.raise_if_begun_the_same(door, trial)
            foreseen.raise_if_clocked(door, trial)

    def _look_at_given(self, door: Door, trial: Trial, first: list[np.ndarray]) -> None:
        """Raise BadAnswer if the given answers break such a rule, without a further call."""
        contract.raise_if_meddled(door, trial)
        if self.smooth:
            contract.raise_if_constant(self, door, trial, first)
            contract.raise_if_rounded(self, trial, first)
            contract.raise_if_shared(self, trial, first)
            contract.raise_if_first_exact(self, trial, first)

    def _look_at_all(self, door: Door, trial: Trial, verdict: Verdict) -> None:
        """Raise BadAnswer if the calls break a rule that every right answer keeps."""

    def _failure(self, door: Door, trial: Trial, verdict: Verdict) -> CheckFailure:
        """Return the words for a failure that the evidence found."""
        raise NotImplementedError
