"""Rules that a right answer keeps whatever the chance, looked at before any evidence.

Each rule says with which probability a right answer breaks it: below 1e-12 in every case.
"""

from __future__ import annotations

import numpy as np

from autograder.check.door import BadAnswer, Door, repeats_after_reseeding
from autograder.check.judge import Trial
from autograder.check.words import counted, number

__all__ = ["check_all", "check_first", "raise_if_constant"]

_ANSWERS_FOR_A_GRID = 8
_TOO_MANY_TIES = 8


def check_first(claim, door: Door, trial: Trial, first: list[np.ndarray]) -> None:
    """Raise BadAnswer for what no right answer does in its first few calls."""
    for setting in trial.settings:
        # Probability 0 for an answer that leaves its arguments alone.
        if door.changed(setting):
            raise BadAnswer(
                "it changes what it is given",
                ask="which line writes into its argument? Work on a copy.",
                setting=setting,
            )
    claim.inspect(door, trial)
    if not claim.whole:
        raise_if_constant(claim, door, trial, first)
        _raise_if_rounded(claim, trial, first)


def check_all(claim, trial: Trial, answers: list[np.ndarray]) -> None:
    """Raise BadAnswer if continuous noise is missing, or comes again, in some of the calls.

    A continuous law gives one certain float with probability below 1e-13 (at values below 300 and
    scales above 0.3), so eight times in 60,000 draws with probability below 1e-60. (With 32-bit
    floats for the answers: still below 1e-9.)
    """
    if claim.whole:
        return
    for given, setting in zip(answers, trial.settings, strict=True):
        exact = int(np.sum(given == claim.exact(setting.parameters)))
        repeated = int(np.sum(given[1:] == given[:-1]))
        total = counted(len(given), "answer")
        if exact >= _TOO_MANY_TIES:
            raise BadAnswer(
                "some answers have no noise",
                seen=f"the exact answer came {exact} times in {total}",
                ask="which path through your code returns without a draw?",
                setting=setting,
            )
        if repeated >= _TOO_MANY_TIES:
            raise BadAnswer(
                "some answers are the one before once more",
                seen=f"an answer equalled the one before {repeated} times in {total}",
                ask="does every call draw noise of its own?",
                setting=setting,
            )


def raise_if_constant(claim, door: Door, trial: Trial, answers: list[np.ndarray]) -> None:
    """Raise BadAnswer if every setting gives one answer again and again.

    Two draws of a continuous law are equal as floats with probability below 1e-12. Whole numbers
    may well repeat: for them this is asked only when the evidence has already failed the answer.
    """
    if not all(len(given) > 1 and np.all(given == given[0]) for given in answers):
        return
    setting = trial.settings[0]
    came, exact = float(answers[0][0]), claim.exact(setting.parameters)
    seen = f"{number(came)} came {len(answers[0])} times in a row"
    if abs(came - exact) <= 1e-9 * (1 + abs(exact)):
        raise BadAnswer(
            "no noise is added",
            seen=f"{seen}, and it is the exact answer",
            ask="where does your code draw a random number, and is it added to the answer?",
            setting=setting,
        )
    seeder = repeats_after_reseeding(door, setting)
    raise BadAnswer(
        f"{seeder} is called inside" if seeder else "the same noise comes at every call",
        seen=f"{seen}: who knows the noise can subtract it",
        ask="when must the noise be drawn, and who may be able to foresee it?",
        setting=setting,
    )


def _raise_if_rounded(claim, trial: Trial, first: list[np.ndarray]) -> None:
    """Raise BadAnswer if all answers, or all noise, lie on a grid of decimals.

    A draw of continuous noise lies within 1e-7 of a grid of step 0.001 with probability 2e-4, so
    eight of them do with probability below 1e-29.
    """
    answers = np.concatenate(first)
    exact = [claim.exact(setting.parameters) for setting in trial.settings]
    noise = answers - np.repeat(exact, [len(given) for given in first])
    if len(answers) < _ANSWERS_FOR_A_GRID:
        return
    for decimals in range(4):
        if _on_grid(answers, decimals) or _on_grid(noise, decimals):
            grid = f"to {counted(decimals, 'decimal')}" if decimals else "to whole numbers"
            raise BadAnswer(
                f"the noise is rounded {grid}",
                seen=_came(first[0]),
                ask=f"which values can {claim.law_name} noise take? Leave it as it comes.",
                setting=trial.settings[0],
            )


def _on_grid(numbers: np.ndarray, decimals: int) -> bool:
    scaled = numbers * 10**decimals
    return bool(np.all(np.abs(scaled - np.round(scaled)) <= 1e-7 * 10**decimals))


def _came(answers: np.ndarray) -> str:
    return f"it returned {', '.join(f'{answer:g}' for answer in answers[:3])}, ..."
