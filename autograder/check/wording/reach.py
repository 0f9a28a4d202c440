"""Where answers end although their law does not: words for an answer that the evidence has failed.

What is cut to a range, drawn again until it lies there, or looked up in a list that is too short
has noise of about the right width, and none beyond a border.
"""

import math
from collections.abc import Sequence

import numpy as np

from autograder.check.words import LOOKS, NO_NOISE, counted, number

# So many answers of a right answer would all stay within a border with less than this probability.
CHANCE = 1e-4
_FEWEST, _SOME = 20, 4
# At a border where answers are cut or drawn again, many lie near it: at least so many, and this
# part of all, within this part of their spread. Where a law thins out, few do.
_CROWD, _PART, _NEAR, _NEARLY_ALL = 4, 1 / 50, 0.2, 0.8
_BESIDE, _FAR = 1e-9, 1e9
_WIDE = 0.05  # of the interval: hardly any noise is another mistake
_NARROW = 0.6  # of the right spread; what is cut at its quartile has more
# Whole Laplace noise, however wide, reaches 2.6 times its mean distance from 0 in 98 of 100 samples
# of 50; whole numbers from a list that ends too soon hardly reach more than twice.
_SHORT_REACH, _LEAST_TO_SEE_AN_END, _MUCH = 2.6, 40, 0.05

PROBLEM = "the noise ends too soon"
_LIST = (
    "which is the largest noise that your code can draw? If it is looked up in a list, how far "
    "must the list go here?"
)
_CUT = (
    "does your code cut an answer that lies beyond, draw it again, or move it? Is that asked for?"
)
_WHOLE = "which line rounds, or writes the answer into an array of whole numbers?"
_PILE = "is an answer cut to a range there, or does one case in your code come without noise?"
WITHOUT = "is there a call in which the noise is left out, or far too small?"
_BEYOND = (
    "what does your code do with noise that lies beyond: is it cut, or drawn again? Or has the law "
    "that you draw from an end?"
)


def _pile(answers: np.ndarray, ends: Sequence[float]) -> tuple[float, int] | None:
    """Return the border at which answers come again, and how often, if they do so nowhere else.

    At `ends` right answers pile up, too.
    """
    if answers.ndim > 1:
        return None
    values, times = np.unique(answers[np.isfinite(answers)], return_counts=True)
    again = (times > 1) & ~np.isin(values, list(ends))
    if len(values) < 2 or not again.any() or again[1:-1].any():
        return None
    place = int(np.argmax(times * again))
    return float(values[place]), int(times[place])


def words_of_border(answers: np.ndarray, ends: Sequence[float] = ()) -> tuple[str, str, str] | None:
    """Return the words for answers that pile up at a border where right ones do not."""
    pile = _pile(answers, ends)
    if pile is None:
        return None
    seen = f"{number(pile[0])} came {pile[1]} times in {counted(len(answers), 'answer')}"
    # A few answers may be whole multiples of a step, and the largest of them no border.
    hedge = f"{LOOKS} " if len(answers) < _FEWEST else ""
    return f"{hedge}answers pile up at a border", f"{seen}, and none lies beyond it", _PILE


def piles_up_unlike(answers: np.ndarray, exact: float, law, ends: Sequence[float] = ()) -> bool:
    """Say whether answers pile up at a border where a law of noise has no probability of its own.

    A continuous law with an end has few values there, none of them twice.
    """
    pile = _pile(answers, ends)
    if pile is None or not callable(law):
        return False
    place = pile[0] - exact
    room = 1e-9 * (1 + abs(place) + abs(exact))
    return float(law(place + room)) - float(law(place - room)) < CHANCE


def words_of_ends(claim, parameters: dict, noise: np.ndarray) -> tuple[str, str, str] | None:
    """Return the problem, what came and a question; None where the answers end nowhere."""
    law, exact = claim.right_law(parameters), claim.exact(parameters)
    if np.size(exact) > 1 or not callable(law):
        return None
    scale = claim.scale(parameters)
    if float(law(-_FAR * scale)) + 1 - float(law(_FAR * scale)) > CHANCE:
        return None  # some answers are withheld: they lie nowhere
    if not claim.whole:
        words = _of_whole(exact + noise) or words_of_border(exact + noise, claim.ends(parameters))
        if words:
            return words
    if claim.whole and (seen := _end_of_a_list(law, noise)):
        return PROBLEM, seen, _LIST
    if len(noise) < _FEWEST:
        return None
    return _at_one_end(claim, parameters, law, noise) or _at_both(claim, parameters, law, noise)


def words_of_repeats(claim, parameters: dict, noise: np.ndarray) -> tuple[str, str] | None:
    """Return the problem and what came, if much of continuous noise is one value."""
    values, times = np.unique(noise, return_counts=True)
    most = int(times.max())
    if claim.whole or len(claim.ends(parameters)) or most < max(3, len(noise) / 4):
        return None
    value = number(float(values[int(times.argmax())]))
    seen = f"noise of {value} came {most} times in {counted(len(noise), 'draw')}"
    return "values come again", f"{seen}: continuous noise repeats none"


def words_of_domain(claim, trial, verdict) -> tuple[str, str, str] | None:
    """Return the words for answers that all lie in the interval of the values, at every input."""
    shares, wide = [], False
    for setting, given in zip(trial.settings, verdict.answers, strict=True):
        parameters, law = setting.parameters, claim.right_law(setting.parameters)
        exact, ends = claim.exact(parameters), [parameters.get(each) for each in ("lower", "upper")]
        if np.size(exact) > 1 or not callable(law) or None in ends:
            return None
        if np.any(given < ends[0]) or np.any(given > ends[1]):
            return None
        room = _BESIDE * (1 + abs(float(exact)) + ends[1] - ends[0])  # the ends may have answers
        beyond = float(law(ends[0] - exact - room)) + 1 - float(law(ends[1] - exact + room))
        shares.append((min(max(beyond, 0.0), 1 - _BESIDE), len(given)))
        # Hardly any noise reaches no end either: some setting must show a spread.
        wide = wide or claim.looks_like(given - exact) > _WIDE * (ends[1] - ends[0])
    many = sum(answers for _, answers in shares)
    if not wide or sum(n * math.log1p(-share) for share, n in shares) > math.log(CHANCE):
        return None
    share = _share(sum(n * share for share, n in shares) / many)
    seen = f"at all inputs, {share} of {counted(many, 'answer')} should lie outside, and none does"
    return "no answer lies outside of the interval of the values", seen, _CUT


def words_of_exact(claim, parameters: dict, noise: np.ndarray) -> tuple[str, str, str] | None:
    """Return the words for answers without noise, where no draw of the right law is 0 twice."""
    law, exact, without = claim.right_law(parameters), claim.exact(parameters), np.sum(noise == 0)
    if np.size(exact) > 1 or not callable(law) or without < 2:
        return None
    room = _BESIDE * (1 + abs(float(exact)))
    if float(law(room)) - float(law(-room)) > CHANCE:
        return None
    seen = f"{without:,} of {counted(noise.size, 'answer')} are exact"
    return NO_NOISE, seen, WITHOUT


def _of_whole(answers: np.ndarray) -> tuple[str, str, str] | None:
    """Return the words for answers that are whole numbers, and should not be."""
    if len(np.unique(answers)) < 2 or len(answers) < _SOME or np.any(answers != np.round(answers)):
        return None
    seen = f"for example {', '.join(number(each) for each in answers[:3])}"
    return "all answers are whole numbers", seen, _WHOLE


def _end_of_a_list(law, noise: np.ndarray) -> str:
    """Return in words where whole noise ends, if much of the right noise lies beyond; else ""."""
    if len(noise) < _LEAST_TO_SEE_AN_END:
        return ""
    distances = np.abs(noise)
    reach = float(distances.max())
    short = 2 * abs(np.median(noise)) <= reach < _SHORT_REACH * distances.mean()
    beyond = 2 * float(law(-reach - 0.5))
    return _never_beyond(len(noise), reach, beyond) if short and beyond >= _MUCH else ""


def _never_beyond(answers: int, reach: float, beyond: float) -> str:
    return (
        f"in {counted(answers, 'answer')} it is never beyond {number(reach)} from 0, "
        f"and in {_share(beyond)} of all it should be"
    )


def _at_one_end(claim, parameters: dict, law, noise: np.ndarray) -> tuple[str, str, str] | None:
    """Return the words for answers that crowd at a border, on one side."""
    half, spread = claim.whole / 2, claim.looks_like(noise - np.median(noise))
    if spread < _NARROW * claim.scale(parameters):
        return None  # a narrower law reaches less far: that alone is no border
    for side, below in ((1, lambda x: float(law(x))), (-1, lambda x: 1 - float(law(x)))):
        border = side * float(np.min(side * noise))
        # A right law may have much of its probability at the border itself.
        beyond = below(border - side * (half + _BESIDE * spread))
        crowd = int(np.sum(np.abs(noise - border) <= _NEAR * spread))
        # Where nearly all are at one place, that place is no border.
        at_most = _NEARLY_ALL * len(noise)
        if max(_CROWD, _PART * len(noise)) <= crowd <= at_most and surely(beyond, len(noise)):
            where = "below" if side > 0 else "above"
            seen = f"{_share(beyond)} of all should be, and of {len(noise):,} answers none is"
            place = number(float(claim.exact(parameters)) + border)
            return f"no answer is {where} {place}", seen, _CUT
    return None


def _at_both(claim, parameters: dict, law, noise: np.ndarray) -> tuple[str, str, str] | None:
    """Return the words for noise of about the right width that is never far out."""
    reach, wide = float(np.abs(noise).max()), claim.looks_like(noise) / claim.scale(parameters)
    if not 1 / 2 < wide < 2 or 2 * abs(np.median(noise)) > reach:
        return None
    # A narrower law reaches less far: that alone is no end.
    far = reach / min(wide, 1.0) + claim.whole / 2
    beyond = float(law(-far)) + 1 - float(law(far))
    if not surely(beyond, len(noise)):
        return None
    reached = reach + claim.whole / 2
    told = float(law(-reached)) + 1 - float(law(reached))
    return PROBLEM, _never_beyond(len(noise), reach, told), _BEYOND


def surely(beyond: float, answers: int) -> bool:
    """Say whether right answers, a share of which lies beyond, would hardly all stay within."""
    return 0 < beyond < 1 and answers * math.log1p(-beyond) < math.log(CHANCE)


def _share(share: float) -> str:
    return f"{100 * share:.2g} %" if share < 0.99 else "more than 99 %"
