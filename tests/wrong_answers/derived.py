"""Wrong answers to exercises with three questions, made from a right one."""

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.check.claims import CLAIMS
from autograder.check.derived.kinds_of_queries import QueryQuestion
from autograder.check.derived.question import DrawnQuestion


def moves(question: QueryQuestion) -> dict[float, tuple[list, list]]:
    """Return how far neighbors move a query, each move with two tables that make it."""
    w, rng, found = question.words, np.random.default_rng(5), {}
    kinds = [
        {w.group: group, w.number: number}
        for group, number in itertools.product(w.groups, range(w.top + 1))
    ]
    for _ in range(4_000):
        # Few kinds of rows in one table, so that extreme tables come.
        few = [kinds[k] for k in rng.integers(0, len(kinds), rng.integers(1, 4))]
        rows = [few[k] for k in rng.integers(0, len(few), rng.integers(1, 7))]
        place = int(rng.integers(0, len(rows)))
        changed = [] if w.added else [kinds[int(rng.integers(0, len(kinds)))]]
        other = [*rows[:place], *changed, *rows[place + 1 :]]
        if other != rows:
            moved = float(abs(question.query(rows) - question.query(other)))
            found.setdefault(moved, (rows, other))
    return found


def right(question: DrawnQuestion) -> Any:
    """Return what is right of a question."""
    if isinstance(question, QueryQuestion):
        return question.answer, *moves(question)[question.answer]
    return question.answer


def wrong(question: DrawnQuestion) -> Any:
    """Return what is wrong of a question, and not refused before it is graded."""
    if isinstance(question, QueryQuestion):
        found = moves(question)
        least = min(each for each in found if each < question.answer)
        return least, *found[least]
    return 1.23 if math.isinf(question.answer) else 2.9 * question.answer


def wrong_numbers(exercise: str, answer: Callable[[], tuple]) -> list[tuple[Callable, str]]:
    """Return wrong answers, each with the words that must name what it lacks."""
    name, *said = answer()
    off = [wrong(each) for each in CLAIMS[exercise].questions(name)]
    karries = [wrong(each) for each in CLAIMS[exercise].questions("Karrie Trusslove")]
    return [
        (lambda: (name, *off), "question 1: "),
        (lambda: (name, *said[:2]), "four things are wanted"),
        (lambda: ("  ", *said), "your name is missing"),
        (lambda: ("Karrie Trusslove", *karries), "question 1: "),
        *((lambda bad=bad: (name, *said[:2], bad), words) for bad, words in _unread(said[2])),
    ]


def _unread(said: Any) -> list[tuple[Any, str]]:
    """Return what cannot be read in the place of an answer to a question, and the words."""
    if not isinstance(said, tuple):
        return [
            ("0.1", "question 3: one number is wanted"),
            (-said, "question 3: a negative number"),
            (math.nan, "question 3: the answer is not a finite number"),
        ]
    number, table, neighbor = said
    return [
        (number, "question 3: three things are wanted"),
        ((2 * number, table, neighbor), "question 3: your two tables move the query less"),
        ((number / 2, table, neighbor), "question 3: your two tables move the query further"),
        ((number, table, table), "question 3: the two tables are equal"),
        ((number, [{"name": "Karrie"}], []), "question 3: a row is one that"),
    ]
