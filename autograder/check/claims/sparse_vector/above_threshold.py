"""Above threshold: the index of the first noisy answer above a noisy threshold, or None."""

from collections.abc import Iterator

import numpy as np

from autograder.check.claims.selection._noise import Noise, stop_law
from autograder.check.claims.sparse_vector import _sparse_vector as sparse_vector
from autograder.check.claims.sparse_vector._edges import FEW, at_the_edges, drawn, setting
from autograder.check.claims.sparse_vector._threshold_mistakes import (
    left_out_now_and_then,
    scale_mistakes,
    stop_mistakes,
)
from autograder.check.mistakes import Mistake
from autograder.check.outcomes import OutcomeClaim
from autograder.check.signature import taking

# Answers minus the threshold, in units of sensitivity / epsilon, found by a random search: each of
# the mistakes shows in one of them at least. Then sensitivity and epsilon, and monotone answers.
_SETTINGS = (
    ((-4.6, -3.0, -1.5, 4.8, 3.2, 1.7, 1.8), (2.2, 4.0), (0.3, 0.5), False),
    ((-5.5,) * 6 + (1.7,), (0.2, 0.4), (1.7, 2.4), False),
    ((1.2,) * 6 + (4.0,), (2.2, 4.0), (1.7, 2.4), False),
    ((-3.0, -2.2, -1.2, 2.4, 1.6, 1.0), (2.2, 4.0), (0.3, 0.5), True),
    # Many answers are far below: one of them is found above in about one run of 20.
    ((-33.0,) * 300 + (6.0,), (2.2, 4.0), (1.7, 2.4), False),
    # Many answers are hardly below: a run hardly ever comes to the first that is above.
    ((-1.0,) * 150 + (1.0,), (2.2, 4.0), (0.3, 0.5), False),
)
_FAR_BELOW = -10
# The outcome of many answers, all but the last.
_EARLIER = "an earlier index"


def _parameters(generator: np.random.Generator) -> Iterator[dict]:
    """Return six settings: a mixture, answers that are mostly passed over, high ones, monotone
    ones, and many, far below the threshold and near it.
    """
    for offsets, sensitivities, epsilons, monotone in _SETTINGS:
        yield drawn(generator, offsets, sensitivities, epsilons) | {"monotone": monotone}


def _designed(generator: np.random.Generator) -> list[tuple[str, dict]]:
    """Return settings at the edges: of many answers below, one is often found before the last.

    It is so, too, where each of 400 answers is found by its own luck only.
    """
    monotone = bool(generator.integers(2))
    usual = {"threshold": 42.5, "sensitivity": 1.5, "epsilon": 0.7, "monotone": monotone}
    offsets = (-8.0,) * 40 + (6.0,) if monotone else (-14.0,) * 40 + (10.0,)
    alike = ((-13.0,) * 400 + (6.0,)) if monotone else ((-22.0,) * 400 + (10.0,))
    many = ("400 answers alike", setting(alike, usual))
    return [*at_the_edges(generator, offsets, usual), many]


def _offsets(p: dict) -> tuple[float, ...]:
    answers = np.array(p["answers"])
    return tuple(((answers - p["threshold"]) * p["epsilon"] / p["sensitivity"]).tolist())


def _with(p: dict, threshold: Noise, answer: Noise) -> dict:
    """Return the law with these noises; that of monotone answers is half of what is given."""
    halved = Noise(answer.scale / (2 if p["monotone"] else 1), answer.kind)
    return _named(p, stop_law(_offsets(p), threshold, halved))


def _named(p: dict, law) -> dict:
    """Return a law of indices; of many answers all but the last are one outcome."""
    if len(law) - 1 <= FEW:
        return sparse_vector.by_index(law)
    *earlier, last, none = map(float, law)
    return {_EARLIER: sum(earlier), len(earlier): last, sparse_vector.NOBODY: none}


def _noises(p: dict) -> tuple[Noise, Noise]:
    # Dwork & Roth (2014), algorithm 1; Lyu, Su & Li (2017) for monotone answers.
    return Noise(2.0), Noise(2.0 if p["monotone"] else 4.0)


def _law(p: dict) -> dict:
    return _with(p, Noise(2.0), Noise(4.0))


def _answer_noise(scale):
    """Return the law when the answers' noise has a scale that may depend on `monotone`."""
    return lambda p: _named(p, stop_law(_offsets(p), Noise(2.0), Noise(scale(p["monotone"]))))


def _index(answer, p: dict):
    place = sparse_vector.index_of(answer, len(p["answers"]))
    earlier = isinstance(place, int) and place < len(p["answers"]) - 1
    return _EARLIER if earlier and len(p["answers"]) > FEW else place


def _times(factor):
    """Return the law when all noise is multiplied by what `factor` gives."""
    return lambda p: _with(p, Noise(2.0 * factor(p)), Noise(4.0 * factor(p)))


def _instead_of_none(places):
    """Return the law when None is replaced by even chances of some places."""

    def law(p: dict) -> dict:
        law = np.array(stop_law(_offsets(p), *_noises(p)))
        where = list(places(len(p["answers"])))
        law[where] += law[-1] / len(where)
        law[-1] = 0.0
        return _named(p, law)

    return law


def _counted_from_one(p: dict) -> dict:
    law = np.array(stop_law(_offsets(p), *_noises(p)))
    return _named(p, np.array([0.0, *law[:-2], law[-2] + law[-1]]))


def _lost_index(p: dict) -> dict:
    """The index 0 is taken for nothing found."""
    law = np.array(stop_law(_offsets(p), *_noises(p)))
    law[-1], law[0] = law[-1] + law[0], 0.0
    return _named(p, law)


def _only_the_first(p: dict) -> dict:
    """The run ends with the first answer, whatever is found."""
    law = np.array(stop_law(_offsets(p), *_noises(p)))
    law[-1], law[1:-1] = law[1:].sum(), 0.0
    return _named(p, law)


def _without_the_last(p: dict) -> dict:
    law = np.array(stop_law(_offsets(p), *_noises(p)))
    law[-1], law[-2] = law[-1] + law[-2], 0.0
    return _named(p, law)


def _nothing_rare(p: dict) -> dict:
    law = np.array(stop_law(_offsets(p), *_noises(p)))
    if len(law) > FEW + 1 and _offsets(p)[0] < _FAR_BELOW:
        law[-2], law[:-2] = law[-2] + law[:-2].sum(), 0.0
    return _named(p, law)


# The scales of the threshold's noise and the answers', in units of twice the sensitivity over
# epsilon, if both are halved for monotone answers.
_HALVED = {False: (1.0, 2.0), True: (0.5, 1.0)}
_NONE = "how does a reader of your result learn that no answer was above?"

_MISTAKES = (
    *scale_mistakes(_with),
    left_out_now_and_then(_with),
    Mistake(
        "the sensitivity is ignored",
        _times(lambda p: 1 / p["sensitivity"]),
        "what should happen to the noise when one person can change an answer by more?",
    ),
    Mistake(
        "epsilon is divided among the answers",
        _times(lambda p: len(p["answers"])),
        "how many of the answers must be paid for, if only the first above is published?",
    ),
    Mistake(
        "monotone is ignored",
        _answer_noise(lambda monotone: 4.0),
        "all answers move the same way: by how much can one move against the threshold, then?",
    ),
    Mistake(
        "the answers' noise is halved where they are not monotone, too",
        _answer_noise(lambda monotone: 2.0),
        "one answer may rise while the others fall: by how much does it move, then?",
    ),
    Mistake(
        "monotone is taken the wrong way round",
        _answer_noise(lambda monotone: 4.0 if monotone else 2.0),
        "for which answers is the smaller noise enough?",
    ),
    Mistake(
        "the threshold's noise is halved for monotone answers, too",
        lambda p: _named(
            p, stop_law(_offsets(p), *(Noise(2.0 * scale) for scale in _HALVED[p["monotone"]]))
        ),
        "whose noise does the task call half as large, the answers' or the threshold's?",
    ),
    Mistake(
        "monotone halves the threshold's noise, and not that of the answers",
        lambda p: _named(
            p, stop_law(_offsets(p), Noise(1.0 if p["monotone"] else 2.0), Noise(4.0))
        ),
        "whose noise does the task call half as large, the answers' or the threshold's?",
    ),
    Mistake(
        "the last answer is never compared",
        _without_the_last,
        "at which index does your loop end?",
    ),
    Mistake(
        "only the first answer is looked at",
        _only_the_first,
        "where does your loop return, if the first answer is below?",
    ),
    *stop_mistakes(_named, _offsets, _noises),
    Mistake(
        "an answer far below the threshold is never found",
        _nothing_rare,
        "one of them is seldom found: how often is any of many? Is the noise cut off somewhere?",
        seen="none of the many answers far below was ever found",
    ),
    Mistake(
        "index 0 comes back as None",
        _lost_index,
        "is 0 true or false in Python? `found or None` gives what, if found is 0?",
    ),
    Mistake(
        "a random index comes back when no answer is above",
        _instead_of_none(lambda size: range(size)),
        _NONE,
    ),
    Mistake(
        "the last index comes back when no answer is above",
        _instead_of_none(lambda size: [size - 1]),
        _NONE,
    ),
    Mistake(
        "index 0 comes back when no answer is above", _instead_of_none(lambda size: [0]), _NONE
    ),
    Mistake(
        "the index is counted from 1",
        _counted_from_one,
        "which index does the first answer have in Python?",
    ),
)


def _situation(p: dict) -> str:
    answers = ", ".join(f"{each:.5g}" for each in p["answers"][:FEW])
    if len(p["answers"]) > FEW:
        answers += f" and {len(p['answers']) - FEW} more, the last {p['answers'][-1]:.5g}"
    words = f"answers {answers}; threshold {p['threshold']:g}, sensitivity {p['sensitivity']:g}, "
    return words + f"epsilon {p['epsilon']:g}" + (", monotone" if p["monotone"] else "")


CLAIM = OutcomeClaim(
    about=(
        "Check `above_threshold(answers, *, threshold, epsilon, sensitivity=1, monotone=False)`: "
        "the index of the first noisy answer above a noisy threshold, or None."
    ),
    established="the right index or None, monotone or not, few answers or many",
    parameters=_parameters,
    designed=_designed,
    edge_work=0.04,
    arguments=taking("answers, *, threshold, epsilon, sensitivity, monotone", answers=np.array),
    law=_law,
    outcome=_index,
    say=lambda outcome: outcome if isinstance(outcome, str) else f"index {outcome}",
    holds_many=lambda outcome: outcome == _EARLIER,
    mistakes=_MISTAKES,
    ask_first="is the threshold's noise drawn once in a call, and each answer's anew?",
    least_rate=0.0055,
    situation=_situation,
)
