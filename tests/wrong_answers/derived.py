"""Wrong answers to exercises with three questions, made from a right one."""

import math
from collections.abc import Callable

from autograder.check.claims import CLAIMS


def wrong_numbers(exercise: str, right: Callable[[], tuple]) -> list[tuple[Callable, str]]:
    """Return wrong answers, each with the words that must name what it lacks."""
    name, *said = right()
    asked = CLAIMS[exercise].questions(name)
    off = [1.23 if math.isinf(each.answer) else 2.9 * each.answer for each in asked]
    known = next(each for each in asked[0].mistakes if not asked[0].is_right(each.value))
    return [
        (lambda: (name, *off), "question 1: "),
        (lambda: (name, known.value, *off[1:]), f"question 1: {known.name}"),
        (lambda: (name, *said[:2]), "four things are wanted"),
        (lambda: ("  ", *said), "your name is missing"),
        (lambda: ("Karrie Trusslove", *off), "question 1: "),
        (lambda: (name, "0.1", *said[1:]), "question 1: one number is wanted"),
        (lambda: (name, said[0], -said[1], said[2]), "question 2: a negative number"),
        (lambda: (name, *said[:2], math.nan), "question 3: the answer is not a finite number"),
    ]
