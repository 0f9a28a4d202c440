"""The class with the most votes after noise: each vote comes from a model of its own chunk."""

import math
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np

from autograder.check.claims.selection import _selection as selection
from autograder.check.claims.selection._noise import Noise, nodes_between
from autograder.check.designed import at_edges, labels
from autograder.check.mistakes import Mistake
from autograder.check.outcomes import OutcomeClaim

# Draws for the law of one mistake.
_DRAWS = 1000


def _parameters(generator: np.random.Generator) -> list[dict]:
    """Return eight ballots: close and clear ones, a class without a vote, two classes and five.

    Then one class leads 7 others, or 30: there Gumbel noise shows best; or there is one vote for
    one class of 300, which wins in one answer of 250 or so. In the last both noisy
    counts are often below 0: there a count that is clipped shows.
    """
    epsilon = round(generator.uniform(0.1, 0.3), 2)
    few = _of_counts(generator, selection.words_of(generator, 2), [1, 1], epsilon)
    ballots = [
        _ballot(generator, gaps, epsilons)
        for gaps, epsilons in (
            ((0, 0.4, 2.5), (0.3, 0.5)),
            ((0, 3.5), (0.8, 1.2)),
            ((0, 0.5, 1.5, 2.5, 4.0), (1.6, 2.4)),
            ((0, *[1.7] * 7), (0.15, 0.25)),
            ((0, *[1.7] * 7), (0.3, 0.5)),
            ((0, *[3.1] * 30), (0.3, 0.5)),
        )
    ]
    crowd = _of_counts(
        generator, selection.words_of(generator, 300), [1, *[0] * 299], round(3 * epsilon, 2)
    )
    return [*ballots, crowd, few]


def _designed(generator: np.random.Generator) -> Iterator[tuple[str, dict]]:
    """Return ballots with classes that look alike, one class, a tie, and edges of epsilon."""
    for name, classes in labels(generator).items():
        counts = generator.integers(0, 6, len(classes)).tolist()
        yield f"classes: {name}", _of_counts(generator, classes, counts, 0.6)
    words = selection.words_of(generator, 3)
    for name, counts in {
        "a tie": [5, 5, 0],
        "all votes alike": [0, 9, 0],
        "one vote": [0, 0, 1],
        "more than 1,000 votes": [520, 521, 3],
    }.items():
        yield name, _of_counts(generator, words, counts, 0.6)
    # Rounded, two noisy counts are often the same.
    sharp = round(generator.uniform(5, 8), 3)
    yield f"a tie at epsilon {sharp}", _of_counts(generator, words, [4, 4, 1], sharp)
    for epsilon in at_edges("epsilon", generator):
        behind = max(1, round(1.5 / epsilon))
        counts = [3 + behind, 3, 2]
        yield f"epsilon {epsilon}", _of_counts(generator, words, counts, epsilon)


def _of_counts(generator, classes: list, counts: list[int], epsilon: float) -> dict:
    places = generator.permutation(np.repeat(np.arange(len(classes)), counts))
    votes = [classes[place] for place in places]
    return {"votes": votes, "candidates": classes, "scores": counts, "epsilon": epsilon}


def _ballot(generator: np.random.Generator, gaps: tuple, epsilons: tuple) -> dict:
    """Return votes whose counts differ by these gaps, in scales of the noise."""
    epsilon = round(generator.uniform(*epsilons), 2)
    behind = np.round(np.array(gaps) * 2 / epsilon).astype(int)
    # The last class has no vote.
    counts = generator.permutation(behind.max() - behind).tolist()
    classes = selection.words_of(generator, len(counts))
    votes = generator.permutation(np.repeat(classes, counts)).tolist()
    return {"votes": votes, "candidates": classes, "scores": counts, "epsilon": epsilon}


def _arguments(p: dict) -> tuple[tuple, dict]:
    return (list(p["votes"]),), {"classes": list(p["candidates"]), "epsilon": p["epsilon"]}


def _scale(p: dict) -> float:
    # One vote moves from one class to another: an L1 change of 2.
    return 2 / p["epsilon"]


def _with(scale: Callable[[dict], float], kind: str = "laplace") -> Callable:
    return lambda p: selection.winner(p, Noise(scale(p), kind))


def _times(factor: Callable[[dict], float], kind: str = "laplace") -> Callable:
    return _with(lambda p: _scale(p) * factor(p), kind)


def _among_the_voted(p: dict) -> dict:
    """Return the law when only classes with a vote can win."""
    seen = [place for place, count in enumerate(p["scores"]) if count]
    kept = {"candidates": [p["candidates"][place] for place in seen]}
    return selection.winner(kept, Noise(_scale(p)), [p["scores"][place] for place in seen])


def _clear_leader_wins(scales: float) -> Callable[[dict], dict]:
    """Return the law when a lead above so many scales of the noise is not put to the test."""

    def law(p: dict) -> dict:
        second, first = sorted([0, *p["scores"]])[-2:]
        clear = first - second > scales * _scale(p)
        return selection.winner(p, Noise(0.0 if clear else _scale(p)))

    return law


def _negative_is_0(p: dict) -> dict:
    """Return about the law when noisy counts below 0 become 0, and the first of equal ones wins."""
    noise, right = Noise(_scale(p)), selection.winner(p, Noise(_scale(p)))
    all_0 = float(np.prod(noise.below(-np.array(p["scores"], dtype=float))))
    law = {each: (1 - all_0) * chance for each, chance in right.items()}
    law[p["candidates"][0]] += all_0
    return law


def _shares(p: dict) -> dict:
    """Return the law for shares of the votes with the noise of counts."""
    total = len(p["votes"])
    return selection.winner(p, Noise(_scale(p)), [count / total for count in p["scores"]])


def _proportional(p: dict) -> dict:
    """Return the law of one vote drawn at random."""
    total = len(p["votes"])
    chances = [count / total for count in p["scores"]]
    return dict(zip(p["candidates"], chances, strict=True))


def _leader_exact(p: dict) -> dict:
    """Return the law when all counts but the largest get noise."""
    noise, scores = Noise(_scale(p)), np.array(p["scores"], dtype=float)
    lead = int(np.argmax(scores))
    # Each of the others wins where its noisy count is above the largest and above all the rest.
    nodes, weights = nodes_between(sorted(set(p["scores"])), [noise.scale])
    nodes, weights = nodes[nodes > scores[lead]], weights[nodes > scores[lead]]
    distances = nodes - np.delete(scores, lead)[:, None]
    below = noise.below(distances)
    others = (noise.density(distances) * below.prod(axis=0) / below) @ weights
    stays = float(noise.below(scores[lead] - np.delete(scores, lead)).prod())
    others *= (1 - stays) / others.sum()
    return dict(zip(p["candidates"], np.insert(others, lead, stays).tolist(), strict=True))


@cache
def _lots(classes: int) -> np.ndarray:
    """Return draws of Laplace noise that never change: a wrong law need not be exact."""
    return np.random.default_rng(20).laplace(size=(_DRAWS, classes))


def _by_lot(p: dict) -> dict:
    """Return about the law of a class drawn with chances in proportion to noisy counts above 0."""
    weights = np.maximum(np.array(p["scores"]) + _scale(p) * _lots(len(p["scores"])), 0)
    weights[weights.sum(axis=1) == 0] = 1
    law = (weights / weights.sum(axis=1, keepdims=True)).mean(axis=0)
    return dict(zip(p["candidates"], law.tolist(), strict=True))


def _votes_in_words(p: dict) -> str:
    """Return how many votes each class has, those without any as one number."""
    pairs = list(zip(p["candidates"], p["scores"], strict=True))
    voted = [f"{name!r} {votes}" for name, votes in pairs if votes]
    without = len(pairs) - len(voted)
    if not without:
        return ", ".join(voted)
    classes = "class" if without == 1 else "classes"
    return ", ".join([*voted, f"and {without} more {classes} without a vote"])


_MOVED = "a model gives its vote to another class: which counts move, and by how much in all?"
_LESS = "does a larger epsilon mean more noise, or less?"
_SHAPE = "which law does the task ask for, and what does numpy call it?"
_ALL = "may a reader learn from the answer that a class has no vote at all?"

_MISTAKES = (
    Mistake("one vote is taken to move one count only", _times(lambda p: 0.5), _MOVED),
    Mistake("the noise is doubled", _times(lambda p: 2.0), _MOVED),
    Mistake(
        "the noise is divided by the number of votes",
        _times(lambda p: 1 / len(p["votes"])),
        "are the counts released here, or a mean of answers?",
    ),
    Mistake(
        "the noise is multiplied by the number of classes",
        _times(lambda p: len(p["scores"])),
        "does one vote move all counts?",
    ),
    Mistake("epsilon is ignored", _times(lambda p: p["epsilon"]), _LESS),
    Mistake("epsilon multiplies the noise", _times(lambda p: p["epsilon"] ** 2), _LESS),
    Mistake(
        "the noise grows with the number of classes",
        _times(lambda p: len(p["scores"]) / 2),
        "one vote changes: how many counts move? And how many of the noisy counts are published?",
    ),
    Mistake(
        "the class with the most votes always wins",
        _with(lambda p: 0.0),
        "does each count get noise of its own?",
        seen="the winner should not come every time; noise shared by all counts changes nothing",
    ),
    *(
        Mistake(
            name, _clear_leader_wins(scales), "may one vote decide whether there is noise at all?"
        )
        for name, scales in {
            "a clear winner gets no noise": 1 / 2,
            "a clear winner gets no noise, from a lead of 2 / epsilon on": 1,
        }.items()
    ),
    Mistake(
        "all classes are about equally likely",
        selection.evenly,
        "are the votes counted at all?",
    ),
    Mistake(
        "noisy counts below 0 become 0, and the first of several wins",
        _negative_is_0,
        "where all noisy counts are below 0, which class should win, and which one does?",
    ),
    selection.now_and_then_exact(lambda p: selection.winner(p, Noise(_scale(p)))),
    Mistake("a class without a vote never wins", _among_the_voted, _ALL),
    Mistake(
        "the class with the fewest noisy votes wins",
        lambda p: selection.winner(p, Noise(_scale(p)), [-count for count in p["scores"]]),
        "which noisy count should win?",
    ),
    Mistake(
        "shares of the votes get the noise of counts",
        _shares,
        "by how much can one vote move a share?",
    ),
    Mistake(
        "one of the votes is drawn at random",
        _proportional,
        "what does a vote that is published unchanged say about the person behind it?",
    ),
    Mistake("the noise is Gaussian, not Laplace", _with(_scale, "gaussian"), _SHAPE),
    Mistake(
        "the noise is Gumbel's: this is the exponential mechanism", _with(_scale, "gumbel"), _SHAPE
    ),
    Mistake("the noise is never negative", _with(_scale, "exponential"), _SHAPE),
    Mistake(
        "the count of the class with most votes gets no noise",
        _leader_exact,
        "does every count get noise of both signs, the leader's too?",
    ),
    Mistake(
        "the winner is drawn by lot, in proportion to the noisy counts",
        _by_lot,
        "which noisy count should win, and does it win every time?",
    ),
    Mistake(
        "the scale is taken for the standard deviation",
        _times(lambda p: math.sqrt(0.5)),
        "the standard deviation of Laplace noise is sqrt(2) times its scale: which one is asked?",
    ),
)

CLAIM = OutcomeClaim(
    about=(
        "Check `noisy_vote(votes, *, classes, epsilon)`: the class with the most votes after\n"
        "Laplace noise on every count."
    ),
    established="the highest noisy count wins, with the noise that one changed vote asks for",
    parameters=_parameters,
    designed=_designed,
    arguments=_arguments,
    law=selection.pooled(lambda p: selection.winner(p, Noise(_scale(p)))),
    outcome=selection.candidate_of,
    say=selection.said,
    mistakes=selection.all_pooled(_MISTAKES),
    least_rate=0.0022,
    least_long_rate=0.002,
    situation=lambda p: f"votes: {_votes_in_words(p)}; epsilon {p['epsilon']}",
    alike="classes with equal votes",
    ask_alike="does each class keep its own votes, and get a draw of its own, also without a vote? "
    "Is a list sorted, or the first of equal classes taken?",
    ask_first="does your code count as many votes for each class as are shown here?",
)
