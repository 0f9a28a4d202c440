"""The outcome whose frequency is furthest from the right one, and what came in its place."""

from collections.abc import Hashable, Sequence

import numpy as np

from autograder.check.judge import Setting
from autograder.check.words import came_in, counted, percent, should_come

_SHARE = "follow your code with these numbers: which line makes it so frequent or so rare?"
_NEVER = "follow your code with these numbers: which draws lead there, and can they come?"
_ALWAYS = "follow your code with these numbers: what is left to chance, and which draw decides it?"


def loudest(
    claim, setting: Setting, outcomes: Sequence[Hashable], answers: np.ndarray
) -> tuple[str, str]:
    """Return what is said of that outcome, and a question.

    Args:
      claim: says an outcome in words.
      outcomes: in the order of the cells.
    """
    rows, cells = setting.sort(answers)
    best, words, ask = -1.0, "", _SHARE
    for row, law in enumerate(setting.rows):
        counts = np.bincount(cells[rows == row], minlength=len(law))
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
            ask = {0.0: _NEVER, 1.0: _ALWAYS}.get(float(share[place]), _SHARE)
    return words, ask


def _instead(claim, outcomes: Sequence[Hashable], share: np.ndarray, law: np.ndarray) -> str:
    """Return what came most above its share, where something never came; of two it is clear."""
    place = int(np.argmax(share - law))
    came, wanted = percent(share[place]), percent(law[place])
    if len(law) < 3 or came == wanted:
        return ""
    return f"; {claim.say(outcomes[place])} came in {came} of them, and should come in {wanted}"
