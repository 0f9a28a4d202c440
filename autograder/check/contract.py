"""Rules that a right answer always keeps, checked before any evidence.

Each rule says with which probability a right answer breaks it: below 1e-12 in every case. Answers
come as arrays of shape (n,), or (n, entries) when one answer holds several numbers.
"""

from collections.abc import Sequence

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.door import Door
from autograder.check.wording.in_words import in_turn
from autograder.check.wording.patterns import words_of_few, words_of_rounding
from autograder.check.wording.reach import words_of_border
from autograder.check.words import NO_NOISE, NO_NOISE_AT_ALL, SAME, SURE, counted, number
from ville.trial import Trial

_NUMBERS_FOR_A_GRID = 8
TOO_MANY_TIES = 8
_ROUNDING = 1e-12  # of the sum of a column, beside 1
_ANSWERS_FOR_A_SHARE = 4
_MOST_PAIRED = 16
_EXACT = "which path through your code returns without a draw? Or is an answer cut there?"
_EXACT_HERE = "what is special about this input, and which line leaves the noise out there?"
_KEPT = (
    "what is kept from one call to the next: a list in the class's body, a default argument, a "
    "global?"
)


def raise_if_meddled(door: Door, trial: Trial) -> None:
    """Raise BadAnswer for an answer that writes into its arguments, or leaves one unused."""
    raise_if_changed(door, [setting.parameters for setting in trial.settings])


def raise_if_changed(door: Door, settings: Sequence[dict]) -> None:
    """Raise BadAnswer for an answer that writes into its arguments, or leaves one unused.

    The first has probability 0 for an answer that leaves them alone.
    """
    for place in range(len(settings)):
        door.raise_if_written(place)
        door.inspect(place)


def raise_if_it_remembers(door: Door, first, second, parameters: dict, words=in_turn) -> None:
    """Raise BadAnswer if calls at the first input differ, and it is not for chance.

    They differ while chance is the same; or they no longer do, though chance is another one.
    """
    [(one, again, other)] = door.replay(0, [{}], [1, 1, 2])
    if any(each is None for each in (one, again, other)):
        return
    if not np.array_equal(one, again) or np.array_equal(again, other):
        raise BadAnswer(
            "it remembers earlier calls",
            seen="the same input gave {}, then {}".format(*words(first, second, parameters)),
            ask=_KEPT,
            parameters=parameters,
        )


def raise_if_right_at_first(door: Door, came, right, close, parameters: dict, words) -> None:
    """Raise BadAnswer if a wrong value is right where nothing was asked before.

    Args:
      door: a door to the answer at this one input.
      came, right: the two values.
      close: says whether two values are close enough.
      parameters: the input.
      words: two answers to it in words.
    """
    for first in door.first_answers(0, 1):
        if close(first, right):
            raise BadAnswer(
                "it remembers earlier calls",
                seen="asked first, it gives the right value here; after other inputs it gave "
                + words(came, first, parameters)[0],
                ask=_KEPT,
                parameters=parameters,
            )


def raise_if_two_answers(door: Door, first, parameters: dict, words=in_turn) -> None:
    """Raise BadAnswer if an answer without chance gives two values at its first input."""
    second = door.call(0)
    if not np.array_equal(first, second, equal_nan=True):
        raise_if_it_remembers(door, first, second, parameters, words)
        raise BadAnswer(
            "the same input gives two answers",
            seen="it returned {}, then {}".format(*words(first, second, parameters)),
            ask="does the task ask for random numbers? Which line draws one?",
            parameters=parameters,
        )


def raise_if_first_exact(claim, trial: Trial, first: list[np.ndarray]) -> None:
    """Raise BadAnswer if the very first answer is the exact one: an attacker needs no second.

    A continuous law gives one certain float, up to its last digits, with probability below 1e-12
    (at values below 300 and scales above 0.3).
    """
    setting, answer = trial.settings[0], np.ravel(first[0][0])
    exact = np.ravel(claim.exact(setting.parameters))
    room = 4 * np.finfo(float).eps * (1 + np.abs(exact))
    mine = ~np.isin(answer, list(claim.ends(setting.parameters)))
    if np.all(mine & (np.abs(answer - exact) <= room)):
        raise BadAnswer(
            NO_NOISE,
            seen=f"the first one was exact: {_listed(answer)}",
            ask=_EXACT,
            parameters=setting.parameters,
            sure=SURE,
        )


def raise_if_tied(
    claim, trial: Trial, answers: list[np.ndarray], least: int = TOO_MANY_TIES
) -> None:
    """Raise BadAnswer if continuous noise is missing, or comes again, in some of the calls.

    A continuous law lies within 1e-12 of a place, as rounding errors do, with probability below
    2e-9 (at values below 300 and scales above 0.3): eight times in 400,000 draws with probability
    below 1e-29. (With 32-bit floats for the answers: still below 1e-9 in 60,000.) `least` may be
    smaller where the evidence has already failed the answer.
    """
    for given, setting in zip(answers, trial.settings, strict=True):
        finite = np.isfinite(given) & ~np.isin(given, list(claim.ends(setting.parameters)))
        wanted = claim.exact(setting.parameters)
        room = _ROUNDING * (1 + np.abs(wanted))
        exact = int(np.sum((np.abs(given - wanted) <= room) & finite))
        repeated = int(np.sum((given[1:] == given[:-1]) & finite[1:]))
        total = counted(given.size, "number" if given.ndim > 1 else "answer")
        if max(exact, repeated) < least:
            continue
        words = words_of_border(given[finite]) or words_of_few(claim, trial, answers)
        if exact >= least:
            words = words or words_of_rounding(given, wanted)
            words = words or _without_noise(exact, given.size, total)
        problem, seen, ask = words or (
            "some answers repeat the one before",
            f"an answer equalled the one before {repeated} times in {total}",
            "does every call draw noise of its own, and is it left unrounded?",
        )
        parameters = setting.parameters
        raise BadAnswer(problem, seen=seen, ask=ask, parameters=parameters, sure=SURE)


def _without_noise(exact: int, numbers: int, total: str) -> tuple[str, str, str]:
    if exact == numbers:
        return NO_NOISE, f"at this input all of {total} are exact", _EXACT_HERE
    return NO_NOISE, f"the exact answer came {exact} times in {total}", _EXACT


def raise_if_constant(claim, door: Door, trial: Trial, answers: list[np.ndarray]) -> None:
    """Raise BadAnswer if every setting gives one answer again and again.

    Two draws of a continuous law are equal as floats with probability below 1e-12. Whole numbers
    may well repeat: for them this is asked only when the evidence has already failed the answer.
    """
    if not all(len(given) > 1 and np.all(given == given[0]) for given in answers):
        return
    if not all(np.isfinite(given).all() for given in answers):
        return
    parameters = trial.settings[0].parameters
    came, exact = answers[0][0], claim.exact(parameters)
    seen = f"{_listed(np.atleast_1d(came))} came {len(answers[0])} times in a row"
    seeder, whole = door.reseeds(0), all(np.all(each == np.round(each)) for each in answers)
    if np.all(np.abs(came - exact) <= 1e-9 * (1 + np.abs(exact))):
        problem, seen = NO_NOISE_AT_ALL, f"{seen}, and it is the exact answer"
        ask = "where does your code draw a random number, and is it added to the answer?"
    elif whole and not (seeder or claim.whole):
        problem = SAME[1]
        seen += f", and answers around {_listed(np.atleast_1d(exact))} are wanted"
        ask = "is the answer rounded, or cut to a range? Or does no noise reach it?"
    else:
        problem = f"{seeder} is called inside" if seeder else SAME[0]
        seen += ": an attacker who knows one answer knows the next"
        ask = (
            "where does your code draw a random number, does every call draw a new one, and does "
            "it reach what you return?"
        )
    raise BadAnswer(problem, seen=seen, ask=ask, parameters=parameters, sure=SURE)


def raise_if_shared(claim, trial: Trial, first: list[np.ndarray]) -> None:
    """Raise BadAnswer if two entries of an answer always get the same continuous noise.

    Two entries do so in one answer with probability below 1e-6 (at values below 300 and scales
    above 0.3), so in four answers, for one pair of 120, with probability below 1e-21.
    """
    for given, setting in zip(first, trial.settings, strict=True):
        exact = claim.exact(setting.parameters)
        if np.size(exact) < 2 or len(given) < _ANSWERS_FOR_A_SHARE:
            continue
        noise, room = given - exact, 1e-9 * (1 + np.abs(exact).max())
        for one in range(min(noise.shape[1], _MOST_PAIRED)):
            same = np.all(np.abs(noise - noise[:, [one]]) <= room, axis=0)
            # Entries without noise are another mistake.
            if same.sum() < 2 or not noise[:, one].any():
                continue
            entries = "all entries" if same.all() else "entries " + _and(np.flatnonzero(same))
            raise BadAnswer(
                "the entries of one answer depend on each other",
                seen=f"{entries} got the same noise in {counted(len(given), 'answer')}: "
                "an attacker who knows one of them can subtract it from the rest",
                ask="does every entry get a draw of its own?",
                parameters=setting.parameters,
                sure=SURE,
            )


def _and(places: np.ndarray) -> str:
    *some, last = map(str, places)
    return f"{', '.join(some)} and {last}"


def raise_if_rounded(claim, trial: Trial, first: list[np.ndarray]) -> None:
    """Raise BadAnswer if all answers, or all noise, lie on a grid of decimals.

    A draw of continuous noise lies within 1e-7 of a grid of step 0.001 with probability 2e-4, so
    eight of them do with probability below 1e-29.
    """
    noise = [
        given - claim.exact(setting.parameters)
        for given, setting in zip(first, trial.settings, strict=True)
    ]
    both = [np.concatenate([np.ravel(each) for each in one]) for one in (first, noise)]
    both = [each[np.isfinite(each)] for each in both]
    if len(both[0]) < _NUMBERS_FOR_A_GRID:
        return
    if np.all(np.abs(both[1]) <= 1e-9 * (1 + np.abs(both[0]))):
        raise BadAnswer(
            NO_NOISE_AT_ALL,
            seen=f"it returned {_listed(both[0])}, ...: the exact answer",
            ask="where does your code draw a random number, and is it added to the answer?",
            parameters=trial.settings[0].parameters,
            sure=SURE,
        )
    for decimals in range(4):
        if any(_on_grid(each, decimals) for each in both):
            _raise_if_two_values(trial, first)
            grid = f"to {counted(decimals, 'decimal')}" if decimals else "to whole numbers"
            raise BadAnswer(
                f"the noise is rounded {grid}",
                seen=f"it returned {_listed(np.ravel(first[0]))}, ...",
                ask="which values can such noise take? Leave it as it comes.",
                parameters=trial.settings[0].parameters,
                sure=SURE,
            )


def _raise_if_two_values(trial: Trial, first: list[np.ndarray]) -> None:
    """Raise BadAnswer if at most two values come in every setting: those are no rounded noise."""
    if all(len(np.unique(given)) <= 2 < len(given) for given in first):
        raise BadAnswer(
            "only one or two values ever come",
            seen=f"it returned {_listed(np.ravel(first[0]))}, ...",
            ask="what does your code do to the answer after the noise is added?",
            parameters=trial.settings[0].parameters,
            sure=SURE,
        )


def _on_grid(numbers: np.ndarray, decimals: int) -> bool:
    scaled = numbers * 10**decimals
    return bool(np.all(np.abs(scaled - np.round(scaled)) <= 1e-7 * 10**decimals))


def _listed(numbers: np.ndarray) -> str:
    return ", ".join(number(float(each)) for each in numbers[:3])
