"""What all answers have in common, though by the right law some have it and some do not.

That one list of reports comes too seldom leads nowhere. That two of its entries are always the
same does.
"""

import contextlib
import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, product

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.door import Door
from autograder.check.wording.loudest_outcome import NEVER
from autograder.check.wording.optional import optional
from autograder.check.words import FOLLOW, counted, percent
from ville.trial import Trial

_HARDLY_EVER = 1e-6  # of right answers; there are some dozens of features
_FAR, _NEAR = 6.0, 4.0  # standard deviations: of a share that is wrong, of those that are right
_MORE_ANSWERS = 300
_FEW_SYMBOLS, _MOST_ENTRIES, _MOST_UNSEEN = 6, 8, 3
_ENTRY = f"{FOLLOW}which draws lead there for this entry?"
_ALIKE = "is each entry decided by a draw of its own, and is each draw used once?"
_HOLDS = "is each entry decided by itself, or all of them together? Is an answer drawn again?"


@dataclass(frozen=True)
class _Feature:
    """What an outcome may have: the end of a sentence, a question, and whether one has it."""

    words: str
    ask: str
    has: Callable[[tuple], bool]


@optional
def pattern_of(claim, trial: Trial, answers: Sequence[np.ndarray]) -> tuple[int, str, str] | None:
    """Return the setting at which a pattern is clearest, its words and a question; or None.

    Args:
      claim: an `OutcomeClaim`.
      trial: its settings.
      answers: those that came at each.
    """
    found = []
    for place, setting in enumerate(trial.settings):
        law = claim.law(setting.parameters)
        if not isinstance(law, Mapping) or any(map(claim.holds_many, law)):
            continue
        counts = np.bincount(setting.sort(answers[place])[1], minlength=len(law))
        if words := words_of_pattern(law, counts, claim.say, claim.entry):
            found.append((words[0], place, *words[1:]))
    return min(found)[1:] if found else None


def with_more(claim, door: Door, trial: Trial, answers: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return the answers at each setting, with more of them where each has several entries."""
    known = list(answers)
    for place, setting in enumerate(trial.settings):
        law = claim.law(setting.parameters)
        one_each = isinstance(law, Mapping) and not any(map(claim.holds_many, law))
        if one_each and _of_several(law, claim.entry):
            with contextlib.suppress(BadAnswer):
                known[place] = np.concatenate([known[place], door.sample(place, _MORE_ANSWERS)])
    return known


def words_of_pattern(
    law: Mapping[Hashable, float],
    counts: Sequence[int],
    say: Callable[[Hashable], str],
    entry: Callable[[Hashable], str] | None = None,
) -> tuple[float, str, str] | None:
    """Return how improbable a pattern is (in nats, below 0), its words, and a question.

    Args:
      law: the right probability of each outcome.
      counts: how often each came.
      say: an outcome in words.
      entry: one entry of it in words, where outcomes are tuples of entries of one kind.

    Returns:
      None if there is none that right answers would hardly ever have.
    """
    counts = np.asarray(counts)
    if not _of_several(law, entry):
        return _unseen(law, counts, say)
    chances, many = np.array(list(law.values())), int(counts.sum())
    seen = []
    for feature in _features(list(law), entry):
        has = np.array([feature.has(outcome) for outcome in law])
        seen.append((feature, float(chances[has].sum()), int(counts[has].sum()) / max(many, 1)))
    return _always_or_never(seen, many) or _together(seen, many)


def _of_several(law: Mapping, entry: Callable | None) -> bool:
    """Say whether outcomes are lists of one length, of a few entries."""
    if entry is None:
        return False
    lengths = {len(each) if isinstance(each, tuple) else 0 for each in law}
    return len(lengths) == 1 and 1 < min(lengths) <= _MOST_ENTRIES


def _features(outcomes: Sequence[tuple], entry: Callable) -> Iterator[_Feature]:
    symbols = sorted({each for outcome in outcomes for each in outcome}, key=str, reverse=True)
    length = len(outcomes[0])
    for one, other in combinations(range(length), 2):
        words = f"entries {one} and {other} are the same"
        yield _Feature(words, _ALIKE, partial(_are_alike, one=one, other=other))
    for symbol, place in product(symbols[:_FEW_SYMBOLS], range(length)):
        words = f"entry {place} is {entry(symbol)}"
        yield _Feature(words, _ENTRY, partial(_is_at, symbol=symbol, place=place))
        entries = {0: "no entry is", 1: "exactly one entry is"}
        words = f"{entries.get(place, f'exactly {place} entries are')} {entry(symbol)}"
        yield _Feature(words, _HOLDS, partial(_holds, symbol=symbol, times=place))


def _are_alike(outcome: tuple, one: int, other: int) -> bool:
    return outcome[one] == outcome[other]


def _is_at(outcome: tuple, symbol: Hashable, place: int) -> bool:
    return outcome[place] == symbol


def _holds(outcome: tuple, symbol: Hashable, times: int) -> bool:
    return outcome.count(symbol) == times


def _always_or_never(seen: Sequence, many: int) -> tuple[float, str, str] | None:
    """Return the words for what all answers have, or none, if right ones hardly ever would."""
    best, found = math.log(_HARDLY_EVER), None
    for feature, chance, share in seen:
        likely = {1.0: chance, 0.0: 1 - chance}.get(share, 1.0)
        # The first of those that say the same.
        if 0 < likely < 1 and many * math.log(likely) < best - 1e-9:
            best = many * math.log(likely)
            which = f"of {counted(many, 'answer')} there is none in which"
            which = f"in all of {counted(many, 'answer')}" if share else which
            words = f"{which} {feature.words}; it should be so in {percent(chance)} of them"
            found = best, words, feature.ask
    return found


def _together(seen: Sequence, many: int) -> tuple[float, str, str] | None:
    """Return the words for entries that depend on each other, though each by itself is right."""
    off = [
        (abs(share - chance) * math.sqrt(many / max(chance * (1 - chance), 1e-9)), feature, *pair)
        for feature, *pair in seen
        for chance, share in [pair]
    ]
    if any(far > _NEAR for far, feature, *_ in off if feature.ask == _ENTRY):
        return None
    alike = [each for each in off if each[1].ask == _ALIKE]
    far, feature, chance, share = max(alike, key=lambda each: each[0])
    if far < _FAR:
        return None
    words = f"{feature.words} in {percent(share)} of {counted(many, 'answer')}"
    return -(far**2) / 2, f"{words}, and should be in {percent(chance)}", feature.ask


def _unseen(law: Mapping, counts: np.ndarray, say: Callable) -> tuple[float, str, str] | None:
    """Return the words for several outcomes that should come, all together often, and never do."""
    never = [outcome for outcome, came in zip(law, counts, strict=True) if not came]
    never = [outcome for outcome in never if law[outcome] > 0]
    chance, many = sum(law[outcome] for outcome in never), int(counts.sum())
    if len(never) < 2 or chance >= 1 or many * math.log1p(-chance) > math.log(_HARDLY_EVER):
        return None
    names = [say(outcome) for outcome in sorted(never, key=law.__getitem__, reverse=True)]
    if any("," in name and not name.endswith("]") for name in names):
        return None  # a list of such sentences says nothing to anybody
    shown = names if len(names) <= _MOST_UNSEEN else [*names[: _MOST_UNSEEN - 1], "others"]
    listed = f"{', '.join(shown[:-1])} and {shown[-1]}"
    seen = f"{listed} never came in {counted(many, 'answer')}; together they should in "
    return many * math.log1p(-chance), f"{seen}{percent(chance)} of them", NEVER
