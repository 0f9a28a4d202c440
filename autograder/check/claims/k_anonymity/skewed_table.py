"""Break it: a k-anonymous and l-diverse table that still gives a diagnosis away, nearly."""

import math
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.claims.deidentification._tables import (
    as_table,
    cells,
    listed,
    raise_unless_columns,
)
from autograder.check.counterexample import CounterexampleClaim
from autograder.check.words import counted

_KNOWN, _SECRET, _TARGET = ["Age", "Zip"], "Diagnosis", "cancer"


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return six settings, no two with one k: a constant answer fits one of them at most.

    The last two ask for more kinds than somebody lists by hand.
    """
    settings = ((5, 2), (2, 2), (int(generator.integers(3, 5)), 3))
    settings += ((int(generator.integers(6, 11)), int(generator.integers(3, 6))),)
    settings += ((12, int(generator.integers(7, 13))), (40, int(generator.integers(27, 36))))
    return [
        {
            "k": k,
            "kinds": kinds,
            # A small table does for k = 2: one made for all shares at once is too large there.
            # And many kinds need many rows.
            "before": round(generator.uniform(0.09 if k in (2, 40) else 0.02, 0.1), 3),
            "after": round(generator.uniform(0.6, 0.65 if k in (2, 40) else 0.9), 2),
        }
        for k, kinds in settings
    ]


def _verify(parameters: dict, answer: Any) -> None:
    """Raise BadAnswer unless the table keeps both rules and a belief rises from low to high."""
    table = as_table(answer)
    raise_unless_columns(list(table.columns), [*_KNOWN, _SECRET])
    groups = _groups(table)
    _raise_unless_k_anonymous(groups, parameters["k"])
    _raise_unless_diverse(groups, parameters["kinds"])
    everybody = [each for group in groups.values() for each in group]
    before = np.mean(everybody)
    if before > parameters["before"] + 1e-12:
        raise BadAnswer(
            "too many in the whole table have cancer",
            seen=f"{before:.2%} of the rows have it, at most {parameters['before']:.2%} may",
            ask="how many people without cancer bring the share down? In which groups are they?",
        )
    _raise_unless_one_belief_is_high(groups, parameters["after"])
    _raise_if_larger_than_needed(len(everybody), parameters)


def _raise_unless_one_belief_is_high(groups: dict[tuple, "_Group"], wanted: float) -> None:
    highest = max(groups.values(), key=np.mean)
    after = np.mean(highest)
    if after < wanted - 1e-12:
        sick, known = sum(highest), {kind for group in groups.values() for kind in group.kinds}
        if not sick:
            raise BadAnswer(
                f"nobody in the table has the diagnosis {_TARGET!r}",
                seen=f"the diagnoses are {listed(sorted(known))}",
                ask="how does the task write the one that it asks about?",
            )
        raise BadAnswer(
            "in no group the share of cancer is high enough",
            seen=f"it is {after:.2%} at most, {sick:.0f} of the {counted(len(highest), 'row')} of "
            f"a group; {wanted:.2%} is wanted",
            ask="are all these rows meant to be one group? Which other diagnoses does it need, and "
            "how many people with each?",
        )


def _raise_if_larger_than_needed(rows: int, parameters: dict) -> None:
    """Raise BadAnswer for more than three times the rows of a small table that does it."""
    k, others, after = parameters["k"], parameters["kinds"] - 1, parameters["after"]
    sick = max(math.ceil(others * after / (1 - after) - 1e-9), math.ceil(k * after - 1e-9))
    most = 3 * (math.ceil(sick / parameters["before"] - 1e-9) + k)
    if rows > most:
        raise BadAnswer(
            "the table is much larger than it needs to be",
            seen=f"it has {rows:,} rows; at most {most:,} are accepted here",
            ask="how many people with cancer does one group need, and how many others do these?",
        )


class _Group(list):
    """1 for each row with cancer and 0 for each other one; and the different diagnoses."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds: set[str] = set()


def _groups(table: Any) -> dict[tuple, _Group]:
    """Return the rows of each group."""
    gaps = table[[*_KNOWN, _SECRET]].isna().sum()
    if gaps.any():
        raise BadAnswer(
            "a value is missing",
            seen=f"in {counted(int(gaps.max()), 'row')}, of {gaps.idxmax()!r}",
            ask="what would the attacker know about such a row, and what would they learn?",
        )
    groups: dict[tuple, _Group] = {}
    for key, diagnosis in zip(cells(table[_KNOWN]), table[_SECRET].astype(str), strict=True):
        group = groups.setdefault(tuple(key), _Group())
        group.append(float(diagnosis == _TARGET))
        group.kinds.add(diagnosis)
    if not groups:
        raise BadAnswer("the table has no rows", ask="how many people does a crowd of k need?")
    return groups


def _raise_unless_k_anonymous(groups: dict[tuple, _Group], k: int) -> None:
    smallest = min(len(group) for group in groups.values())
    if smallest < k:
        raise BadAnswer(
            "the table is not k-anonymous",
            seen=f"its smallest group of equal Age and Zip has {counted(smallest, 'row')}",
            ask="how many rows must agree in both Age and Zip?",
        )
    if smallest > k:
        raise BadAnswer(
            "the smallest group is larger than k",
            seen=f"it has {counted(smallest, 'row')}; exactly {k} are wanted",
            ask="which of your groups has exactly k rows?",
        )


def _raise_unless_diverse(groups: dict[tuple, _Group], kinds: int) -> None:
    fewest = min(len(group.kinds) for group in groups.values())
    if fewest != kinds:
        problem = "a group has too few" if fewest < kinds else "every group has more"
        raise BadAnswer(
            f"{problem} different diagnoses",
            seen=f"the fewest in a group are {fewest}; exactly {kinds} are wanted",
            ask="which diagnoses are in your smallest group, and in the others?",
        )


CLAIM = CounterexampleClaim(
    about=(
        "Check `skewed_table(k, *, kinds, before, after)`: two rules, one belief.\n\n"
        "The function returns a table with the columns Age, Zip and Diagnosis. Its smallest group\n"
        "of equal Age and Zip has exactly k rows, the fewest different diagnoses in a group are\n"
        "exactly `kinds`. In the whole table a share of at most `before` has cancer; in one group\n"
        "it is a share of at least `after`. No value is missing, and the table has at most three\n"
        "times as many rows as it needs."
    ),
    established="k-anonymous, l-diverse, and a group that gives cancer away",
    cases=_cases,
    arguments=lambda p: ((p["k"],), {name: p[name] for name in ("kinds", "before", "after")}),
    verify=_verify,
    situation=lambda p: f"k {p['k']}, kinds {p['kinds']}, before {p['before']}, after {p['after']}",
)
