"""The words of published rows: each kept or replaced, by k-ary randomized response."""

from typing import Any

from autograder.check.claims.local._direct_reports import truth_of
from autograder.check.claims.synthetic._marginals import place_of
from autograder.check.claims.synthetic._published import (
    ROWS,
    ROWS_PAY,
    SPLIT,
    attributes,
    published,
)
from autograder.check.mistakes import Mistake


def word_places(answer: Any, parameters: dict) -> list[int]:
    """Return the place of each published word among its categories: columns of rows."""
    table = published(answer, parameters)
    return [
        place_of(table, name, row, categories)
        for name, categories in parameters["categories"].items()
        for row in range(ROWS)
    ]


def _words_law(kept):
    """Return the laws of the words when a value is kept with the probability that is given."""

    def laws(parameters: dict) -> list[dict]:
        size = len(next(iter(parameters["categories"].values())))
        stays = kept(parameters, size)
        goes = (1 - stays) / (size - 1)
        return [
            {place: stays if place == code else goes for place in range(size)}
            for codes in parameters["codes"].values()
            for code in codes
        ]

    return laws


def _next_word(parameters: dict) -> list[dict]:
    """Return the laws when a value is kept, or replaced by the next category."""
    laws = []
    for name, codes in parameters["codes"].items():
        size = len(parameters["categories"][name])
        stays = truth_of(size, parameters["epsilon"] / attributes(parameters))
        for code in codes:
            law = dict.fromkeys(range(size), 0.0)
            law[code], law[(code + 1) % size] = stays, 1 - stays
            laws.append(law)
    return laws


def _part(parameters: dict) -> float:
    return parameters["epsilon"] / attributes(parameters)


_KEEP = "with k categories, how much likelier must the true value be than one given other value?"

WORD_MISTAKES = (
    Mistake(
        "every category column gets all of epsilon",
        _words_law(lambda p, size: truth_of(size, p["epsilon"])),
        SPLIT,
    ),
    Mistake(
        "epsilon is split over the category columns only",
        _words_law(lambda p, size: truth_of(size, p["epsilon"] / len(p["categories"]))),
        SPLIT,
    ),
    Mistake(
        "epsilon is split over the rows of words",
        _words_law(lambda p, size: truth_of(size, _part(p) / ROWS)),
        ROWS_PAY,
    ),
    Mistake(
        "the rule for two answers is used for more",
        _words_law(lambda p, size: truth_of(2, _part(p))),
        _KEEP,
    ),
    Mistake(
        "a lie may happen to be the truth",
        _words_law(lambda p, size: truth_of(size, _part(p)) * (1 - 1 / size) + 1 / size),
        "who draws among all k categories draws the true one now and then: what is kept then?",
    ),
    Mistake(
        "half of epsilon is left unused",
        _words_law(lambda p, size: truth_of(size, _part(p) / 2)),
        "the exponential mechanism has a 2 in it: does one person's own value need it here?",
    ),
    Mistake(
        "the words are published as they are",
        _words_law(lambda p, size: 1.0),
        "which of your lines puts another word in the place of the true one?",
    ),
    Mistake(
        "the words do not depend on the table",
        _words_law(lambda p, size: 1 / size),
        "what is left of the true value?",
    ),
    Mistake(
        "truth and lie are exchanged",
        _words_law(lambda p, size: 1 - truth_of(size, _part(p))),
        "is the true value the likeliest one?",
    ),
    Mistake(
        "a lie is always the next category",
        _next_word,
        "which categories must be possible, whatever the truth?",
    ),
)


def right_words(parameters: dict) -> list[dict]:
    """Return the law of each word: its true category with e^part times the odds of another."""
    return _words_law(lambda p, size: truth_of(size, _part(p)))(parameters)
