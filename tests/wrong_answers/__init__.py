"""Wrong answers and right styles for every exercise, one file a chapter, as data for tests.

Each file has WRONG[exercise], a list of (answer, fragment of the sentence that must come), and
RIGHT[exercise], a list of answers. Where two mistakes look alike to a check there are several
fragments, the right name first. Some styles are the old ones on purpose (numpy's global generator):
students write them.

The wrong functions of a `FunctionClaim` are wrong answers too, and are not written here again: but
for a few by another formula, as a student would write them. What anybody may hand in to any
exercise (`anybodys`) is in no file.
"""

import inspect
import runpy
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import dplib
from autograder import check
from autograder.check.claims import CLAIMS
from autograder.check.effort import LONG, SHORT, at_length
from autograder.check.function_claim import FunctionClaim, WrongFunction
from autograder.check.words import NOT_TO_THE_END

_WANTED = {
    "WRONG": "a list of (answer, words that must name the mistake)",
    "RIGHT": "a list of answers",
}


@dataclass(frozen=True)
class Zoo:
    """All answers by exercise; `chapter` says from which file."""

    wrong: dict[str, list[tuple[Callable, str | tuple[str, ...]]]] = field(default_factory=dict)
    right: dict[str, list[Callable]] = field(default_factory=dict)
    chapter: dict[str, str] = field(default_factory=dict)

    def add(self, path: Path) -> None:
        """Take in one file.

        Raises:
          ValueError: what is there is not what tests can read; it says where.
        """
        try:
            answers = runpy.run_path(str(path))
        except TypeError as error:
            answers = _as_far_as_it_ran(path, error)
            if all(isinstance(answers.get(kind, {}), dict) for kind in _WANTED):
                raise
        problem = next(_problems(answers), "")
        if problem:
            raise ValueError(f"{path.name}: {problem}")
        for name in answers["WRONG"]:
            self.wrong[name], self.right[name] = answers["WRONG"][name], answers["RIGHT"][name]
            self.chapter[name] = path.stem

    def catalogued(self, name: str) -> list[WrongFunction]:
        """Return the wrong functions of an exercise's claim."""
        parts = getattr(CLAIMS[name], "parts", [CLAIMS[name]])
        return [each for part in parts if isinstance(part, FunctionClaim) for each in part.mistakes]

    def all_wrong(self, name: str) -> list[tuple[Callable, str | tuple[str, ...]]]:
        """Return the wrong answers of an exercise: the claim's, those written here, anybody's."""
        own = [(mistake.function, mistake.name) for mistake in self.catalogued(name)]
        return [*own, *self.wrong[name], *anybodys(name)]


# What a check says where nothing comes back, if not "returns nothing".
_WITHOUT_A_VALUE = {
    "above_threshold": "the same answer comes at every call",
    "assign_chunks": "one chunk for each row",
    "averaged_clipping_counterexample": "two arrays are wanted",
    "derive_prices": "four things are wanted",
    "derive_sensitivities": "four things are wanted",
    "derive_thresholds": "four things are wanted",
    "find_liars": "returned nothing",
    "household_beliefs": "two beliefs are wanted",
    "identify_input": "identifies too few inputs",
    "intersection_attack": "a dictionary is wanted",
    "interval_of_sum": "two ends are wanted",
    "leaks_beyond_delta": "four things are wanted",
    "leaks_in_chunks": "four things are wanted",
    "leaks_in_counts": "four things are wanted",
    "leaks_in_sums": "four things are wanted",
    "leaks_in_tables": "four things are wanted",
    "leaks_in_tests": "four things are wanted",
    "membership_inference": "four numbers are wanted",
    "naive_weights_counterexample": "not a list of numbers",
    "noisy_max_counterexample": "3 values are wanted",
    "not_concentrated_counterexample": "two laws are wanted",
    "optimal_unary_probabilities": "two numbers are wanted",
    "permute_and_flip": "nothing is returned",
    "privacy_ledger": "AttributeError",
    "projection_counterexample": "two tables are wanted",
    "propose_test_release": "it never releases",
    "reconstruct": "one number for each person is wanted",
    "revealing_group": "three values are wanted",
    "svt_counterexample": "3 values are wanted",
    "vector_sensitivities": "two numbers are wanted",
}


def _unanswered(*_given, **_named):
    raise NotImplementedError


def anybodys(name: str) -> Iterator[tuple[Callable, str]]:
    """Return what may be handed in to any exercise: nothing, no value, the library's function."""
    yield _unanswered, "not answered yet"
    yield lambda *_, **__: None, _WITHOUT_A_VALUE.get(name, "returns nothing")
    library = getattr(dplib, CLAIMS[name].library or name, None)
    if inspect.isfunction(library):
        yield lambda *given, **named: library(*given, **named), "the library's own version"


def _as_far_as_it_ran(path: Path, error: Exception) -> dict[str, Any]:
    """Return the names of a file that stopped: it fills WRONG["name"] although WRONG is a list."""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename == str(path):
            return frame.f_globals
    return {}


def _problems(answers: dict[str, Any]) -> Iterator[str]:
    """Say what keeps the answers of a file from being read."""
    for kind, wanted in _WANTED.items():
        if not isinstance(answers.get(kind), dict):
            yield f"{kind} is {_a(answers.get(kind))}, wanted is {{exercise: {wanted}}}"
        for name, given in answers[kind].items():
            if not isinstance(given, list):
                yield f"{kind}[{name!r}] is {_a(given)}, wanted is {wanted}"
            for number, entry in enumerate(given):
                problem = _problem_of_pair(entry) if kind == "WRONG" else _problem_of_answer(entry)
                if problem:
                    yield f"{kind}[{name!r}][{number}] {problem}"
    for one, other in (("WRONG", "RIGHT"), ("RIGHT", "WRONG")):
        for name in answers[one].keys() - answers[other].keys():
            yield f"{name!r} is in {one} and not in {other}: an exercise needs both"


def _problem_of_pair(entry: Any) -> str:
    if not isinstance(entry, tuple) or len(entry) != 2:
        return f"is {_a(entry)}, wanted is (answer, words that must name the mistake)"
    answer, words = entry
    if not all(isinstance(each, str) for each in fragments(words)):
        return f"has {_a(words)} for the words that must name the mistake"
    return _problem_of_answer(answer)


def _problem_of_answer(answer: Any) -> str:
    return "" if callable(answer) else f"holds {_a(answer)} where the answer should be: a function"


def _a(value: Any) -> str:
    kind = type(value).__name__
    return "missing" if value is None else f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


# In a notebook a look takes some of the edges; where points are given it takes all of them.
_LOOKS = (SHORT, *[LONG] * 10)


def fragments(words: Any) -> tuple:
    """Return the fragments of which one must come, the right name first."""
    return tuple(words) if isinstance(words, (tuple, list)) else (words,)


def failure(name: str, answer: Callable) -> check.CheckFailure:
    """Return the failure of a check; fail the test if the answer passes.

    It is asked as in a notebook, then as where points are given. A long look that was not to the
    end is no verdict, so it is asked again: no budget of work decides a test.
    """
    for length in _LOOKS:
        try:
            with at_length(name, length):
                result = CLAIMS[name].check(answer)
        except check.CheckFailure as raised:
            if raised.problem != NOT_TO_THE_END:
                return raised
            result = raised
        else:
            if length is LONG:
                break
    pytest.fail(f"DID NOT RAISE CheckFailure: {result!r}")


def sentence(name: str, answer: Callable) -> str:
    """Return what the check says about an answer; fail the test if it passes."""
    return str(failure(name, answer))


def assert_named(name: str, answer: Callable, words: tuple[str, ...]) -> None:
    """Fail the test unless the check rejects an answer each time, and tells one of the `words`.

    What is told is a best guess: wrong in at most 7 % of the runs (measured: 0 to 5 % for the
    answers of chapters). Run until right words lead or wrong ones lead by 9: with a rate of 0.07 a
    walk reaches 9 before -1 with probability below (0.07 / 0.93) ** 9 = 8e-11. How often a name is
    right is for `make test-check` to say.
    """
    lead = 0
    while -9 < lead < 1:
        said = " ".join(sentence(name, answer).split())
        assert said.startswith((f"✗ {name}: ", f"○ {name}: "))
        lead += 1 if any(each in said for each in words) else -1
    assert lead > 0, f"{words!r} is not in {said!r}"


ZOO = Zoo()
for _path in sorted(Path(__file__).parent.glob("[0-9]*.py")):
    ZOO.add(_path)
