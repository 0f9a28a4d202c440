"""What all answers of one call after another have in common, where no catalogued mistake fits.

These are words only: the evidence has failed the answer before.
"""

import math
from collections.abc import Sequence

import numpy as np

from autograder.check.wording.changed_laws import fits
from autograder.check.wording.place import looks_right
from autograder.check.wording.reach import CHANCE, surely
from autograder.check.words import counted, number
from ville.cells import quantiles

_FEWEST = 20
# Continuous noise takes a value once: of so many in 100 that differ, a list of values is seen.
_DIFFERENT = 80
_DIGITS = 10
_STEPS, _LARGEST, _NEARLY_1 = 1000, 1e12, 0.999
# A part of the middle that stays empty: its probability, how many draws a whole number should have,
# how many are listed; and how far off the width of the noise may be.
_UNLIKELY, _EXPECTED, _LISTED, _WIDE = 1e-6, 5.0, 4, 2.0
_VALUES = (
    "how many different values can your noise have, and who could make a list of them? Is a draw "
    "kept and given again?"
)
_STEP = "can your noise be 1 and -1? Which line multiplies a draw, or draws in larger steps?"
_SIDE = (
    "which values can your draw have? Is its sign lost, or its law one that has one side only? Or "
    "is an answer drawn again?"
)
_STUCK = "is an answer cut to a range, or moved to an end of it? Or does no noise reach it here?"
_UNROUND = "which line rounds, or keeps whole what was whole?"
_HOLE = (
    "which value of your draw would lead there, and what does your code make of it? Do the size "
    "and the sign of the noise come from one random number?"
)
_HERE = "what is different at these two inputs, and which line of your code looks at it?"


def noise_of(claim, parameters: dict, answers: np.ndarray) -> np.ndarray:
    """Return the noise of all entries of the answers at a setting, but for what is withheld."""
    noise = np.ravel(answers - claim.exact(parameters))
    return noise[np.isfinite(noise)]


def words_of_patterns(claim, trial, verdict) -> tuple[str, str, str] | None:
    """Return the problem, what came and a question; None where the answers show no pattern."""
    parameters, given = trial.settings[verdict.setting].parameters, verdict.answers[verdict.setting]
    if words := _stuck(claim, parameters, given):
        return words
    noise = noise_of(claim, parameters, given)
    if claim.whole and (words := _of_steps(claim, parameters, noise)):
        return words
    if not claim.whole and (words := words_of_few(claim, trial, verdict.answers)):
        return words
    return _of_a_hole(claim, trial, verdict) if np.size(claim.exact(parameters)) == 1 else None


def words_of_few(claim, trial, answers: Sequence[np.ndarray]) -> tuple[str, str, str] | None:
    """Return the words for noise that has a few different values only, in units of its scale."""
    units = [
        noise_of(claim, each.parameters, given) / claim.scale(each.parameters)
        for given, each in zip(answers, trial.settings, strict=True)
        if not len(claim.ends(each.parameters))
    ]
    together = np.round(np.concatenate([*units, np.zeros(0)]), _DIGITS)
    together = together[together != 0]  # what is exact is another matter
    if len(together) < 2 * _FEWEST:
        return None
    kinds = len(np.unique(together))
    if 100 * kinds > _DIFFERENT * len(together):
        return None
    seen = f"{counted(len(together), 'draw')}, each divided by its scale, hold {kinds:,} values"
    return "the noise has a few values only", seen, _VALUES


def _stuck(claim, parameters: dict, given: np.ndarray) -> tuple[str, str, str] | None:
    """Return the words for one answer that comes at every call of this setting alone."""
    if given.ndim > 1 or len(given) < 4 or np.ptp(given) != 0 or len(claim.ends(parameters)):
        return None
    exact = number(float(claim.exact(parameters)))
    seen = f"{number(float(given[0]))} came {len(given)} times in a row, where {exact} is exact"
    return "the same answer comes at every call here", seen, _STUCK


def _of_steps(claim, parameters: dict, noise: np.ndarray) -> tuple[str, str, str] | None:
    """Return the words for whole noise that is always a multiple of a larger number."""
    law = claim.right_law(parameters)
    if not (callable(law) and noise.any()) or np.abs(noise).max() > _LARGEST:
        return None
    if (noise != np.round(noise)).any() or (step := int(np.gcd.reduce(noise.astype(int)))) < 2:
        return None
    places = step * np.arange(-_STEPS, _STEPS + 1)
    share = float(np.sum(law(places + 0.5) - law(places - 0.5)))
    if not surely(1 - share, len(noise)):
        return None
    seen = f"each of {counted(len(noise), 'draw')} is a multiple of {step:,}"
    return "the noise comes in steps", seen, _STEP


def _of_a_hole(claim, trial, verdict) -> tuple[str, str, str] | None:
    """Return the words for noise of about the right width that is never in a part of its middle."""
    samples = [
        (claim.right_law(each.parameters), noise_of(claim, each.parameters, given), each.parameters)
        for each, given in zip(trial.settings, verdict.answers, strict=True)
        if not len(claim.ends(each.parameters))
    ]
    if not samples or not all(callable(law) and len(noise) for law, noise, _ in samples):
        return None
    # What stands for a release that was refused is no noise, and no hole lies before it.
    if any(np.abs(noise).max() > _LARGEST for _, noise, _ in samples):
        return None
    wide = [claim.looks_like(noise) / claim.scale(given) for _, noise, given in samples]
    if not 1 / _WIDE < np.median(wide) < _WIDE:
        return None
    found = _never_of_whole(samples) if claim.whole else _never_between(samples, verdict.setting)
    many = sum(len(noise) for _, noise, _ in samples)
    # Of the gaps between n answers one is so wide with a probability of less than n times this.
    if found is None or found[1] + math.log(many) > math.log(_UNLIKELY):
        return None
    share = f"{-100 * math.expm1(found[1] / many):.2g} % of {counted(many, 'draw')}"
    seen = f"{share} should be there, at all inputs together"
    return f"the noise is never {found[0]}", seen, _HOLE


def _never_of_whole(samples: Sequence) -> tuple[str, float] | None:
    """Return which usual whole numbers never came, and how improbable that is, in nats below 0."""
    low, high = (int(end([end(noise) for _, noise, _ in samples])) for end in (min, max))
    never = np.arange(low, min(high, low + _STEPS))
    never = never[~np.isin(never, np.concatenate([noise for _, noise, _ in samples]))]
    chances = [(law(never + 0.5) - law(never - 0.5), len(noise)) for law, noise, _ in samples]
    usual = sum(many * chance for chance, many in chances) >= _EXPECTED
    if not usual.any():
        return None
    names = [number(float(each)) for each in never[usual]]
    names = names if len(names) <= _LISTED else [*names[: _LISTED - 1], "other usual numbers"]
    nats = sum(many * np.log1p(-min(chance[usual].sum(), _NEARLY_1)) for chance, many in chances)
    return " or ".join(names), float(nats)


def _never_between(samples: Sequence, shown: int) -> tuple[str, float] | None:
    """Return the widest gap between draws, at the shown setting, and how improbable it is."""
    levels = np.unique(np.concatenate([law(noise) for law, noise, _ in samples]))
    if len(levels) < _FEWEST:
        return None
    place = int(np.argmax(np.diff(levels)))
    law, noise, _ = samples[min(shown, len(samples) - 1)]
    ends = quantiles(law, levels[place : place + 2], reach=float(np.abs(noise).max()))
    share = float(levels[place + 1] - levels[place])
    many = sum(len(noise) for _, noise, _ in samples)
    return f"between {number(ends[0])} and {number(ends[1])}", many * math.log1p(-share)


def words_of_side(claim, trial, answers: Sequence[np.ndarray]) -> tuple[str, str, str] | None:
    """Return the words for noise that has one sign at each input, or everywhere."""
    signs, chance = set(), 0.0
    for setting, given in zip(trial.settings, answers, strict=True):
        noise = np.ravel(given - claim.exact(setting.parameters))
        law, half = claim.right_law(setting.parameters), claim.whole / 2
        sign = 1 if (noise >= 0).all() else -1 if (noise <= 0).all() else 0
        if not sign or not noise.any() or not callable(law):
            return None
        lost = float(law(-half)) if sign > 0 else 1 - float(law(half))
        signs.add(sign)
        chance += len(noise) * math.log1p(-min(max(lost, 0.0), _NEARLY_1))
    if chance > math.log(CHANCE):
        return None
    where = f"it is never {'below' if signs == {1} else 'above'} 0"
    seen = where if len(signs) == 1 else "at each input it is on one side of 0, not always the same"
    return "the noise has one sign", seen, _SIDE


def words_of_rounding(given: np.ndarray, exact: np.ndarray) -> tuple[str, str, str] | None:
    """Return the words for entries whose noise is exact now and then because it is rounded."""
    noise = np.reshape(given - exact, (len(given), -1))
    for entry, column in enumerate(noise.T):
        sizes = np.abs(column[np.abs(column) > 1e-9 * (1 + np.max(np.abs(given)))])
        if len(sizes) < 4 or len(sizes) == len(column):
            continue
        steps = sizes / sizes.min()
        if np.ptp(steps) and np.all(np.abs(steps - np.round(steps)) < 1e-6):
            where = f" at entry {entry}" if noise.shape[1] > 1 else ""
            seen = f"all noise{where} is a multiple of {number(float(sizes.min()))}"
            return "some answers are rounded", seen, _UNROUND
    return None


def words_of_spread(claim, trial, verdict) -> tuple[str, str, str] | None:
    """Return the words for a spread that is wrong at this input, and right at another one."""
    seen = [
        (each.parameters, noise_of(claim, each.parameters, given), fits(each, given))
        for each, given in zip(trial.settings, verdict.answers, strict=True)
    ]
    seen = [
        (given, noise, fit and len(noise) >= _FEWEST and looks_right(claim, given, noise))
        for given, noise, fit in seen
    ]
    parameters, noise, right = seen[verdict.setting]
    other = next((given for given, _, fits in seen if fits), None)
    if right or len(noise) < _FEWEST or other is None:
        return None
    scale, looks = claim.scale(parameters), claim.looks_like(noise)
    problem = f"the spread is about {looks / scale:.2g} × what it must be at one input"
    came = f"the scale should be {number(scale)}, yours looks like {number(looks)}"
    return problem, f"{came}; it looks right at {claim.situation(other)}", _HERE
