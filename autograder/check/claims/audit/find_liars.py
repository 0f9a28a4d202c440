"""Two of six black boxes break their promise of epsilon = 1: which ones?"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, as_whole_number
from autograder.check.claims.audit._boxes import KINDS, Box
from autograder.check.effort import effort
from autograder.check.rates import RateClaim, Requirement, Run

_BOXES = 6
_LIARS = 2
# Where points are given it shows who misses one kind of liar: two runs in nine have it.
_ROUNDS, _MORE_ROUNDS = 12, 72
_HONEST_KINDS = tuple(name for name, kind in KINDS.items() if not kind.lies)
# One of them shows in low answers alone, likelier under 0; the other in high ones, under 1.
_ONE_WAY_KINDS = ("low word", "high word")
# So many runs with both come first: who looks one way only is wrong in all of them.
_ONE_WAY_ROUNDS = 8
_LYING_KINDS = tuple(
    name for name, kind in KINDS.items() if kind.lies and name not in _ONE_WAY_KINDS
)


def _runs(generator: np.random.Generator) -> Iterator[Run]:
    """Return the runs; after the first ones, every kind of liar takes its turn in one of nine."""
    turns = [*generator.permutation(_LYING_KINDS), *generator.permutation(_LYING_KINDS)]
    for _ in range(_ONE_WAY_ROUNDS):
        yield _run(generator, [*_ONE_WAY_KINDS, *_honest(generator)])
    for number in range(_MORE_ROUNDS if effort().long else _ROUNDS):
        liar = str(turns[number % len(turns)])
        others = [kind for kind in _LYING_KINDS if kind != liar]
        yield _run(generator, [liar, generator.choice(others), *_honest(generator)])


def _honest(generator: np.random.Generator) -> np.ndarray:
    return generator.choice(_HONEST_KINDS, _BOXES - _LIARS, replace=False)


def _run(generator: np.random.Generator, kinds: list[str]) -> Run:
    """Return a run with boxes of these kinds in random order."""
    seeds = [int(seed) for seed in generator.integers(2**62, size=_BOXES)]
    mixed = [str(kind) for kind in generator.permutation(kinds)]
    return Run({"kinds": mixed, "seeds": seeds}, ("found",))


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    pairs = zip(parameters["kinds"], parameters["seeds"], strict=True)
    return ([Box(kind, seed) for kind, seed in pairs],), {}


def _liars(parameters: dict) -> list[int]:
    return [place for place, kind in enumerate(parameters["kinds"]) if KINDS[kind].lies]


def _read(answer: Any, parameters: dict) -> list[int]:
    """Return the places that were named, in order."""
    if isinstance(answer, set | frozenset | dict | range):
        answer = list(answer)
    if answer is None or isinstance(answer, str | bytes) or np.ndim(answer) != 1:
        answer = [] if answer is None else answer
        raise _wanted(f"it returned {answer!r:.60}" if np.size(answer) else "it returned nothing")
    if any(callable(place) for place in answer):
        raise _wanted("it returned boxes, not their places in the list")
    places = sorted({int(as_whole_number(place)) for place in answer})
    if len(places) != _LIARS or len(answer) != _LIARS:
        raise _wanted(f"it returned {[int(place) for place in answer]}")
    if not 0 <= places[0] <= places[1] < _BOXES:
        raise _wanted(f"it returned {places}, and the boxes are numbered from 0 to {_BOXES - 1}")
    return places


def _wanted(seen: str) -> BadAnswer:
    return BadAnswer(
        "the places of two boxes are wanted",
        seen=seen,
        ask="what if your test accuses one box, or three? Which two lie most?",
    )


def _detail(parameters: dict, given: list[int]) -> str:
    """Say which boxes were taken for what in one run."""
    kinds = parameters["kinds"]
    missed = [f"box {k} was missed: it {KINDS[kinds[k]].words}" for k in _liars(parameters)]
    missed = [words for k, words in zip(_liars(parameters), missed, strict=True) if k not in given]
    wronged = [
        f"box {k} was accused: it {KINDS[kinds[k]].words}, which keeps the promise"
        for k in given
        if k not in _liars(parameters)
    ]
    return "in the last one " + "; ".join([*missed, *wronged])


_ASK = (
    "a wrong or useless answer is no lie: a box is honest if 0 and 1 give nearly the same answers. "
    "Which events did you compare, low answers and high ones, likelier under 0 and under 1? By "
    "their quotient? And after how many calls is a rare one's share known?"
)

# --- does the answer look at the boxes at all? --------------------------------------------------

_PROBES = tuple(
    {
        "kinds": ["upward" if place in pair else "constant" for place in range(_BOXES)],
        "seeds": list(range(_BOXES)),
    }
    for pair in ((0, 1), (2, 3), (4, 5))
)


def _naming(call, requirement: str) -> BadAnswer | None:
    if not requirement:
        return None
    named = [call(probe) for probe in range(len(_PROBES))]
    if all(each == named[0] for each in named):
        return BadAnswer(
            "it accuses the same two boxes, whatever the boxes do",
            ask="which of your lines calls a box?",
        )
    return None


CLAIM = RateClaim(
    about="Check `find_liars(boxes)`: the places of the two among six boxes that lose more than "
    "epsilon = 1 on the counts 0 and 1.",
    established="both liars found among six boxes",
    runs=_runs,
    arguments=_arguments,
    read=_read,
    situation=lambda p: "six boxes, two liars",
    requirements={
        "found": Requirement(
            0.02,
            lambda parameters, given: given != _liars(parameters),
            "the two liars are not found",
            _ASK,
            "the answer was wrong",
            _detail,
        )
    },
    probes=_PROBES,
    naming=_naming,
)
