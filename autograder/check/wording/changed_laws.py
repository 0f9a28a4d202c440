"""Random answers that follow the right law of a changed input: a rounded epsilon, values cut.

As `changed_arguments`, which knows the changes, for answers that chance decides. A catalogue of
mistakes is an exercise's own; these are anybody's.
"""

import contextlib
import re
import warnings
from collections.abc import Sequence

import numpy as np

from autograder.check.designed import is_law, is_number
from autograder.check.effort import FOR_WORDS as _SECONDS
from autograder.check.effort import Stopwatch
from autograder.check.judge import Setting, Verdict
from autograder.check.wording.changed_arguments import changes
from autograder.check.wording.optional import optional
from autograder.check.words import LOOKS
from ville.trial import Trial

_HARDLY_EVER = 1e-9
_FITS = 1e-3  # a right change fits less well now and then; then nothing is said
_FEWEST = 5.0  # answers that a group of cells should have, if they are enough for so many groups
_GROUPS = 4
_FEW_CELLS = 8
_MOST_TOLD = 2


@optional
def law_of_a_change(claim, trial: Trial, verdict: Verdict) -> tuple[str, str] | None:
    """Return what becomes of an argument, and a question, if one law explains the answers.

    Args:
      claim: makes the setting whose answers follow the law of changed parameters.
      trial, verdict: the settings, and the answers that the evidence has refused.
    """
    watch, cases = Stopwatch(), [each.parameters for each in trial.settings]
    order = sorted(range(len(cases)), key=lambda place: place != verdict.setting)

    def chance(changed: Sequence[dict]) -> float:
        return _chance(claim, cases, order, changed, verdict.answers)

    # Where the right law fits as well, another rule has refused the answers.
    if chance(cases) > _HARDLY_EVER:
        return None
    found: dict[str, str] = {}
    for words, ask, change in changes(cases, only=_in_the_call(claim), smooth=False):
        if not watch.within(_SECONDS):
            return None  # no words are worth a longer wait
        with contextlib.suppress(Exception):  # what has no right law explains nothing
            changed = [change(case) for case in cases]
            if _is_another_input(cases, changed) and chance(changed) > _FITS:
                found[words] = ask
    if not found or (len(found) > _MOST_TOLD and len({words.split()[0] for words in found}) > 1):
        return None
    told = list(found)[:_MOST_TOLD]
    return f"{LOOKS} {', or '.join(told)}", found[told[0]]


def _in_the_call(claim) -> set[str]:
    """Return the names in the call that `help` shows: a setting has parts that are no arguments."""
    return set(re.findall(r"\w+", claim.about.partition("(")[2].partition(")")[0]))


def _chance(claim, cases, order: Sequence[int], changed: Sequence[dict], answers) -> float:
    """Return how probable answers so far from the right laws of changed inputs are."""
    distances, least = np.zeros(2), 1.0
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for place in order:
            found = _distance(claim.setting_as(cases[place], changed[place]), answers[place])
            distances += found
            least = min(least, len(order) * chance_of(found), chance_of(distances))
            if least < _HARDLY_EVER:
                break
    return least


def _is_another_input(cases: Sequence[dict], changed: Sequence[dict]) -> bool:
    """Say whether something has changed, and no number lies far beyond where its kind lies.

    Of a scale that nobody meant the cells may fill all memory.
    """
    moved = False
    for name in cases[0]:
        old, new = [case[name] for case in cases], [case[name] for case in changed]
        if all(map(is_number, [*old, *new])):
            low, high = min(old), max(old)
            if min(new) < min(low / 2, low - 1) or max(new) > max(2 * high, high + 1):
                return False
        moved = moved or not all(
            one is other or np.array_equal(one, other) for one, other in zip(old, new, strict=True)
        )
    return moved


def chance_of(distance: np.ndarray) -> float:
    """Return how probable so large a chi-squared is: the number, and its degrees of freedom."""
    from scipy.stats import chi2

    return float(chi2.sf(distance[0], distance[1])) if distance[1] else 1.0


def fits(setting: Setting, answers: np.ndarray) -> bool:
    """Say whether answers look as if they followed a setting's law: of right ones nearly all do."""
    return chance_of(_distance(setting, answers)) > _FITS


def _distance(setting: Setting, answers: np.ndarray) -> np.ndarray:
    """Return how far answers lie from a setting's law: chi-squared, and degrees of freedom."""
    rows, cells = setting.sort(answers)
    found = np.zeros(2)
    for row, law in enumerate(setting.rows):
        counts = np.bincount(cells[rows == row], minlength=len(law))
        # Arguments that make no sense may give anything.
        if not is_law(law) or (counts[law == 0] > 0).any():
            return np.array([np.inf, 1.0])
        found += distance_of(counts, law)
    return found


def distance_of(counts: np.ndarray, law: np.ndarray) -> np.ndarray:
    """Return chi-squared and its degrees of freedom: of neighboring cells, and of three means.

    Pearson's is of cells that are joined if few answers come. The means show few answers that lie
    to one side, too near to the middle, or far out; of a few cells they would say the same again.
    (They are not quite independent, so the chance is right to within a small factor.)
    """
    many = counts.sum()
    wanted, came = law * many, counts.astype(float)
    group = np.floor(np.cumsum(wanted) / min(_FEWEST, many / _GROUPS)).astype(int)
    group = np.unique(group, return_inverse=True)[1]
    wanted, came = np.bincount(group, wanted), np.bincount(group, came)
    pearson = float(np.sum((came - wanted) ** 2 / np.maximum(wanted, 1e-9)))
    if len(law) <= _FEW_CELLS:
        return np.array([pearson, len(wanted) - 1])
    side = np.cumsum(law) - law / 2 - 1 / 2
    logs = np.log(law, where=law > 0, out=np.zeros(len(law)))
    means = [_of_mean(counts, law, values) for values in (side, np.abs(side), logs)]
    return np.array([pearson, len(wanted) - 1]) + np.sum(means, axis=0)


def _of_mean(counts: np.ndarray, law: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return chi-squared and its degree of freedom for the mean of a value that each cell has."""
    mean = float(law @ values)
    variance = float(law @ (values - mean) ** 2) * counts.sum()
    if variance < 1e-9:
        return np.zeros(2)
    return np.array([float(counts @ (values - mean)) ** 2 / variance, 1.0])
