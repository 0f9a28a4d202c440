"""The outcome whose frequency is furthest from the right one, and what came in its place."""

from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from autograder.check.judge import Setting, Verdict
from autograder.check.words import FOLLOW, came_in, counted, percent, should_come
from ville.families import choice_families

# A law explains the answers if it is less likely than their own shares by at most this.
FIT_NATS = 10.0

_SHARE = f"{FOLLOW}which line makes it so frequent or so rare?"
NEVER = f"{FOLLOW}which draws lead there, and can they come?"
_ALWAYS = f"{FOLLOW}what is left to chance, and which draw decides it?"


def loudest(
    claim, setting: Setting, outcomes: Sequence[Hashable], answers: np.ndarray
) -> tuple[str, str]:
    """Return what is said of that outcome, and a question.

    Args:
      claim: says an outcome in words.
      outcomes: in the order of the cells.
    """
    best, words, ask = -1.0, "", _SHARE
    all_counts = counts_of(setting, answers)
    for row, (law, counts) in enumerate(zip(setting.rows, all_counts, strict=True)):
        share = counts / max(counts.sum(), 1)
        distance = np.abs(share - law) / np.sqrt(np.maximum(law * (1 - law), 1e-9))
        place = int(np.argmax(distance))
        if distance[place] > best:
            best = distance[place]
            said = claim.say(outcomes[place])
            said += f" at entry {row}" if len(setting.rows) > 1 else ""
            said += claim.known_of(outcomes[place], setting.parameters)
            of_all = counted(int(counts.sum()), "answer")
            words = f"{said} {should_come(law[place])}, and {came_in(share[place], of_all)}"
            words += "" if share[place] else _instead(claim, outcomes, share, law)
            ask = {0.0: NEVER, 1.0: _ALWAYS}.get(float(share[place]), _SHARE)
    return words, ask


def family_fits(claim, setting: Setting, verdict: Verdict) -> bool:
    """Say whether the answers look as the law of a family that was found says they should.

    Where one outcome stands for many, no law of a family is what its name says.
    """
    if verdict.kind != "family":
        return False
    right = claim.law(setting.parameters)
    if any(map(claim.holds_many, right if isinstance(right, Mapping) else right[0])):
        return False
    law = choice_families(setting.rows, "answers").get(verdict.name)
    if law is None:
        return False
    counts = counts_of(setting, verdict.answers[verdict.setting])
    # The likeliest shares gain about half a nat for each cell over the true ones.
    room = FIT_NATS + sum(map(np.count_nonzero, counts))
    return bool(sum(map(nats_short, counts, law)) < room)


def counts_of(setting: Setting, answers: np.ndarray) -> list[np.ndarray]:
    """Return for each row of a setting how often each of its outcomes came."""
    rows, cells = setting.sort(answers)
    return [
        np.bincount(cells[rows == row], minlength=len(law)) for row, law in enumerate(setting.rows)
    ]


def nats_short(counts: np.ndarray, law: np.ndarray) -> float:
    """Return the log likelihood of the observed shares, less that of a law."""
    seen = counts > 0
    with np.errstate(divide="ignore"):
        ratios = np.log(counts[seen] / counts.sum()) - np.log(law[seen])
    return float(counts[seen] @ ratios)


def _instead(claim, outcomes: Sequence[Hashable], share: np.ndarray, law: np.ndarray) -> str:
    """Return what came most above its share, where something never came; of two it is clear."""
    place = int(np.argmax(share - law))
    came, wanted = percent(share[place]), percent(law[place])
    if len(law) < 3 or came == wanted:
        return ""
    return f"; {claim.say(outcomes[place])} came in {came} of them, and should come in {wanted}"
