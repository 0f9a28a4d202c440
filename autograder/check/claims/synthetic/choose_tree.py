"""A tree of pairs, chosen privately: the rows are reached through billed choices alone.

The check knows the table behind the meter, so it sees what a choice without a meter would hide: a
sensitivity that is too small, a look that is not billed, and what goes past the meter.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from autograder.check.answers import BadAnswer
from autograder.check.claim import Claim, OpenDoor
from autograder.check.claims.synthetic import _pair_trees as trees
from autograder.check.claims.synthetic._metered_choices import PAST_THE_METER, ChoiceMeter
from autograder.check.door import Door, fresh_generator
from autograder.check.result import Result
from autograder.check.words import number

_HUGE = 1e7
_LEAST_SPENT = 0.9
_SAME = 500  # rows that all agree: one row more moves a score by 4 * 500 / 501
_NAMES = ("A", "B", "C", "D", "E")
# Counts of two columns, and the cells that one row leaves and enters: found by search, no replaced
# row that we know moves the distance from independence further.
_REPLACED = ([[0, 0, 15], [0, 7, 102], [1, 0, 0]], (2, 0), (0, 1))


def _table(counts: np.ndarray) -> pd.DataFrame:
    """Return the rows of these counts: column k holds the place on axis k, in words."""
    places = np.repeat(np.argwhere(counts >= 0), counts.ravel(), axis=0)
    words = np.array(["v0", "v1", "v2", "v3", "v4"], dtype=object)[places]
    return pd.DataFrame(words, columns=list(_NAMES[: counts.ndim]))


def _neighbors(columns: int, relation: str) -> list[tuple[pd.DataFrame, pd.DataFrame]]:
    """Return pairs of tables that differ in one row, and move a score of two columns far.

    Where all rows agree the distance from independence is 0; one row more that differs in both
    columns makes it 4 * n / (n + 1).
    """
    names = list(_NAMES[:columns])
    same = pd.DataFrame([["v0"] * columns] * _SAME, columns=names)
    other = pd.DataFrame([["v1"] * columns], columns=names)
    one_more = pd.concat([same, other], ignore_index=True)
    if relation == "add_remove":
        two = pd.concat([same.head(1), other], ignore_index=True)
        return [(same, one_more), (same.head(0), same.head(1)), (same.head(1), two)]
    counts, leaves, enters = _REPLACED
    before, after = np.array(counts), np.array(counts)
    after[leaves] -= 1
    after[enters] += 1
    # All columns but the first one agree: so any pair with the first one has these counts.
    tables = tuple(_table(each)[["A"] + ["B"] * (columns - 1)] for each in (before, after))
    replaced = tuple(each.set_axis(names, axis=1) for each in tables)
    return [(same, one_more.tail(_SAME).reset_index(drop=True)), replaced]


def _arguments(p: dict) -> tuple[tuple, dict]:
    counts = np.array(p["counts"])
    if p.get("others"):
        counts = np.moveaxis(counts, 0, -1) + 1  # another tree is the best one
    tried = p["epsilon"] != _HUGE and "played" not in p
    pairs = _neighbors(counts.ndim, p["neighbors"]) if tried else []
    meter = ChoiceMeter(_table(counts), pairs, p["epsilon"], p.get("played"))
    for old in p["meters"]:
        old.forget()
    p["meters"][:] = [meter]
    keywords = {"columns": list(_NAMES[: counts.ndim]), "epsilon": p["epsilon"]}
    return (meter,), {**keywords, "neighbors": p["neighbors"]}


def _inspect(positional: tuple, keywords: dict) -> None:
    """Raise what the meter refused; BadAnswer too where much of the budget is left."""
    meter, epsilon = positional[0], keywords["epsilon"]
    if meter.refused:
        raise meter.refused
    if meter.spent < _LEAST_SPENT * epsilon:
        raise BadAnswer(
            "a part of the budget is left",
            seen=f"the choices cost {number(meter.spent)} of {number(epsilon)}",
            ask="how many choices are there, and what may each of them cost?",
        )


def _read(answer: Any, p: dict) -> np.ndarray:
    """Return the pairs as places of columns, shape (columns - 1, 2), in order."""
    names = list(_NAMES[: np.ndim(p["counts"])])
    if answer is None:
        raise BadAnswer("it returns nothing", ask="does every path end in `return`?")
    try:
        pairs = [tuple(sorted(names.index(each) for each in pair)) for pair in answer]
    except (TypeError, ValueError):
        pairs = [()]
    if any(len(set(pair)) != 2 for pair in pairs):
        raise BadAnswer(
            "it is not a list of pairs of columns",
            seen=f"the columns are {names}, the first thing in your list is {_first(answer)}",
            ask="what does `choose` return, if the candidates are pairs of names?",
        )
    part = list(range(len(names)))
    for first, second in pairs:
        if part[first] == part[second]:
            raise BadAnswer(
                "the pairs form a cycle",
                seen=f"({names[first]}, {names[second]}) joins what was joined before",
                ask="which candidates are left, once two columns are joined?",
            )
        part = [part[first] if label == part[second] else label for label in part]
    if len(set(part)) > 1:
        raise BadAnswer(
            "the pairs do not join all columns",
            seen=f"there are {len(pairs)} pairs of {len(names)} columns",
            ask="how many pairs has a tree?",
        )
    return np.array(sorted(pairs))


def _first(answer: Any) -> str:
    try:
        return repr(next(iter(answer)))[:60]
    except (TypeError, StopIteration):
        return repr(answer)[:60]


@dataclass(frozen=True, kw_only=True)
class _MeteredTree(Claim):
    """A tree whose every look at the rows is billed, and moved by one row."""

    def cases(self, generator: np.random.Generator) -> list[dict]:
        """Return inputs: three at an epsilon that leaves no doubt, two with a small one."""
        drawn = [trees.random_counts(generator), trees.cycle_counts(generator)]
        drawn += [trees.bridge_counts(generator), trees.random_counts(generator)]
        drawn += [trees.unequal_counts(generator)]
        relations = ["add_remove", "replace_one", *generator.permutation(["add_remove"] * 2)]
        relations.append("replace_one")
        return [
            {
                "counts": counts.tolist(),
                "epsilon": _HUGE if place < 3 else round(float(generator.uniform(0.3, 2)), 2),
                "neighbors": str(relation),
                "meters": [],
            }
            for place, (counts, relation) in enumerate(zip(drawn, relations, strict=True))
        ]

    def _judge(self, open_door: OpenDoor) -> Result:
        cases = self.cases(fresh_generator())
        with open_door(cases) as door:
            for place, case in enumerate(cases):
                found = door.call(place)
                door.inspect(place)
                if case["epsilon"] == _HUGE:
                    _raise_if_not_best(found, case)
            for place in (3, 4):
                _raise_if_past_the_meter(door, place, cases[place])
            note = "your function prints, which is hidden here" if door.printed else ""
        return Result(self.name, self.established, len(cases), note)


def _raise_if_not_best(found: np.ndarray, case: dict) -> None:
    counts = np.array(case["counts"])
    best = np.array(sorted(tuple(sorted(pair)) for pair in trees.best_pairs(counts)))
    if np.array_equal(found, best):
        return
    worst = sorted(tuple(sorted(pair)) for pair in trees.best_pairs(counts, best=False))
    problem, ask = "the tree is not the one with the largest scores", "is your score the distance "
    ask += "of the task, and which candidates do you leave out after a choice?"
    if np.array_equal(found, worst):
        problem = "the weakest pairs are chosen"
        ask = "which pairs does independence describe worst? Those have the largest scores."
    raise BadAnswer(
        problem,
        seen=f"the best pairs are {_words(best)}, yours are {_words(found)}, at an epsilon that "
        "leaves no doubt",
        ask=ask,
        parameters=case,
    )


def _words(pairs: np.ndarray) -> str:
    return ", ".join(f"({_NAMES[first]}, {_NAMES[second]})" for first, second in pairs)


def _raise_if_past_the_meter(door: Door, place: int, case: dict) -> None:
    """Play the choices again, over other rows: the tree must be the same."""
    ((first,),) = door.replay(place, [{}], [5])
    played = list(case["meters"][0].chosen)
    change = {"played": played, "others": True}
    ((again,),) = door.replay(place, [change], [6])
    if first is None or again is None or not np.array_equal(first, again):
        problem, ask = PAST_THE_METER
        seen = "the same choices, with other rows behind the meter, give another tree"
        raise BadAnswer(problem, seen=seen, ask=ask, parameters=case)


CLAIM = _MeteredTree(
    name="choose_tree",
    repeats=False,  # a second look would see the same
    about=(
        "Check `choose_tree(choose, *, columns, epsilon, neighbors)`: pairs that form a tree.\n\n"
        "Every look at the rows goes through `choose(candidates, score, sensitivity=...,\n"
        "epsilon=...)`: it is billed, and each score is computed on neighbors, too."
    ),
    established="the best tree, private for epsilon: it saw the rows through the meter alone",
    arguments=_arguments,
    inspect=_inspect,
    read=_read,
    situation=lambda p: (
        f"{np.ndim(p['counts'])} columns, {np.sum(p['counts'])} rows, epsilon {p['epsilon']:g}, "
        f"{p['neighbors']}"
    ),
)
