"""Which rows an answer to `sample_and_aggregate` gives to the function together."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from autograder.check.answers import BadAnswer
from autograder.check.counterexample import CounterexampleClaim

_ROWS, _PEOPLE, _CHUNKS = 48, 24, 5


class _Groups:
    """The function of this part: it notes which rows come together, and answers 1."""

    def __init__(self) -> None:
        self.seen: set[frozenset[float]] = set()

    def __call__(self, rows: Any) -> float:
        self.seen.add(frozenset(np.asarray(rows, dtype=float).ravel().tolist()))
        return 1.0


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return rows as an array and as a Series, with labels in either form, and without labels."""
    return [
        {
            "form": form,
            "labels": np.resize(generator.choice(10**6, _PEOPLE, replace=False), _ROWS).tolist(),
            "values": generator.permutation(_ROWS).tolist(),
            "salt": int(generator.integers(1_000)),
        }
        for form in ("array", "Series of values", "both Series", "no labels")
    ]


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    """Return rows and labels; the Series' own labels are no places, and differ."""
    form = parameters["form"]
    values, labels = np.array(parameters["values"], float), np.array(parameters["labels"])
    if "Series" in form:
        values = pd.Series(values, index=parameters["values"])
    if form == "both Series":
        labels = pd.Series(labels, index=np.arange(_ROWS) // 2 + 5)
    keywords = {"chunks": _CHUNKS, "lower": 0.0, "upper": 2.0, "epsilon": 1.0}
    if form != "no labels":
        keywords |= {"labels": labels, "salt": parameters["salt"]}
    return (values,), keywords


def _use(function: Callable, values: Any, **keywords: Any) -> list[set[frozenset[float]]]:
    """Return the rows that came together: in two calls, and in one with another salt."""
    calls = [keywords, keywords]
    if "labels" in keywords:
        calls.append({**keywords, "salt": keywords["salt"] + 1})
    groups = []
    for given in calls:
        noted = _Groups()
        function(values, noted, **given)
        groups.append(noted.seen)
    return groups


def _verify(parameters: dict, groups: list[set[frozenset[float]]]) -> None:
    """Raise BadAnswer unless the rows of a label come together, and the salt decides with whom.

    Another salt leaves 24 people in their chunks, and rows that draw chunks come together as
    before, with probability below 1e-9.
    """
    if parameters["form"] == "no labels":
        if groups[0] == groups[1]:
            raise BadAnswer(
                "rows without labels come together again at the next call",
                ask="who decides the chunk of a row that has no label?",
            )
        return
    person = dict(zip(map(float, parameters["values"]), parameters["labels"], strict=True))
    for group in groups[0]:
        people = {person[row] for row in group}
        if sum(person[row] in people for row in person) != len(group):
            raise BadAnswer(
                "the rows of one label come into several chunks",
                seen=f"the rows are an array or a Series ({parameters['form']})",
                ask="the first label belongs to the first row, whatever the names of the rows: "
                "which of your steps goes by these names?",
            )
    if groups[0] != groups[1]:
        raise BadAnswer(
            "labelled rows come into other chunks at the next call",
            ask="which line draws a random number?",
        )
    if groups[0] == groups[2]:
        raise BadAnswer(
            "the salt is ignored",
            seen="two salts put the same rows together",
            ask="does `salt` reach `assign_chunks`?",
        )


PARTITION = CounterexampleClaim(
    name="sample_and_aggregate",
    established="the rows of a label are in one chunk",
    cases=_cases,
    arguments=_arguments,
    use=_use,
    verify=_verify,
    situation=lambda p: f"{_ROWS} rows of {_PEOPLE} people, {_CHUNKS} chunks, {p['form']}",
)
