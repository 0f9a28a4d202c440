"""Break it: when the categories are read off the data, one person decides which labels come out."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from autograder.check.answers import BadAnswer
from autograder.check.counterexample import CounterexampleClaim

_WORDS = ("baker", "clerk", "diver", "editor", "farmer", "guard", "nurse", "pilot", "singer")


def _cases(generator: np.random.Generator) -> Iterator[dict]:
    """Return six columns, each with one way to change its labels.

    In three of them one category has one person and none is empty; in the other three one is empty
    and no category has one person. So the answer has to look at the counts. In the last ones a
    common category has the rare one's name in its own; in every other one words have capital
    letters and blanks, which belong to them.
    """
    for place, rare in enumerate((1, 0, 0, 1, 0, 1)):
        size = int(generator.integers(3, 6))
        categories = generator.choice(_WORDS, size, replace=False).tolist()
        counts = generator.integers(2, 9, size, dtype=np.intp)  # in a browser, 32 bits
        fewest = int(generator.integers(size))
        counts[fewest] = rare
        if place % 2:
            categories = [word.title() + " " * (place == 1) for word in categories]
        if place > 2:
            longer = generator.choice(["{} aide", "head {}", "non-{}s"])
            categories[fewest - 1] = longer.format(categories[fewest])
        people = generator.permutation(np.repeat(np.array(categories, dtype=object), counts))
        seed = int(generator.integers(2**32))
        yield {"values": people.tolist(), "categories": categories, "seed": seed}


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    # Labels that come twice, and are no places: the one that would come next is taken.
    size = len(parameters["values"])
    index = np.random.default_rng(parameters["seed"]).permutation(np.arange(size) % 3 + size)
    values = pd.Series(parameters["values"], name="Occupation", index=index)
    return (values,), {"categories": list(parameters["categories"])}


def _verify(parameters: dict, answer: Any) -> None:
    """Raise BadAnswer unless the answer is a neighbor, and a label that only one of the two has."""
    neighbor, label = _read(answer)
    values, categories = Counter(parameters["values"]), parameters["categories"]
    other = Counter(neighbor)
    strange = [each for each in [*other, label] if each not in categories]
    if strange:
        raise BadAnswer(
            "a value is not among the categories",
            seen=f"you gave {str(strange[0])[:40]!r}",
            ask="which values can the column have at all? They are in `categories`.",
        )
    removed, added = values - other, other - values
    _raise_unless_neighbors(removed.total(), added.total())
    if (label in values) == (label in other):
        both = "both columns" if label in values else "neither column"
        raise BadAnswer(
            "the label does not tell the two columns apart",
            seen=f"{label!r} is in {both}: its count comes out with noise, or not at all, "
            f"from {both}",
            ask="which label appears, or disappears, because of one person?",
        )


def _raise_unless_neighbors(removed: int, added: int) -> None:
    """Raise BadAnswer unless one person more or less makes the difference."""
    if removed + added == 1:
        return
    seen = f"{removed} rows are gone and {added} are new"
    problem = "the two columns are not neighbors"
    ask = "here neighbors differ by one row, more or less: how many rows did you change?"
    if removed + added == 0:
        problem, seen = (
            "the second column is equal to the first",
            "no row is gone, none is new",
        )
    elif removed == added == 1:
        seen = "one row is replaced by another: that is replace_one, and here it is add_remove"
    raise BadAnswer(problem, seen=seen, ask=ask)


def _read(answer: Any) -> tuple[list, Any]:
    """Return the neighbor as a list, and the label; or raise BadAnswer."""
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        came = "nothing" if answer is None else f"a {type(answer).__name__}"
        raise BadAnswer(
            "two things are wanted: the neighbor, and a label",
            seen=f"it returned {came}",
            ask="does your function end in `return neighbor, label`?",
        )
    neighbor, label = answer
    if isinstance(neighbor, str | dict) or not np.iterable(neighbor):
        raise BadAnswer(
            "the neighbor is not a column of values",
            seen=f"its type is {type(neighbor).__name__}",
            ask="return the column of the neighbor, with one value for each person: what is in it?",
        )
    people = list(neighbor)
    if not isinstance(label, str):
        raise BadAnswer(
            "the label is not a word",
            seen=f"the label is {label!r:.40}",
            ask="the histogram's labels are values from `categories`: which one is yours?",
        )
    if not all(isinstance(each, str) for each in people):
        raise BadAnswer(
            "the values are not words",
            seen=f"the values begin with {str(people[:2])[:60]}",
            ask="does each row have one value from `categories`?",
        )
    return people, label


CLAIM = CounterexampleClaim(
    about=(
        "Check `category_counterexample(values, *, categories)`: a label that gives one person\n"
        "away, when a histogram has a noisy count for each category that occurs.\n\n"
        "The function returns (neighbor, label): a column with one row more or less than values,\n"
        "all from the categories, and a label that is released from one of the two columns only."
    ),
    established="the label comes out from one column always, from its neighbor never",
    cases=_cases,
    arguments=_arguments,
    verify=_verify,
    # Quoted, for some end with a blank.
    situation=lambda p: (
        f"{len(p['values'])} people: "
        + ", ".join(f"{each!r} {p['values'].count(each)}" for each in p["categories"])
    ),
)
