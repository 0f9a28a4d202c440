"""Proves or refutes a counterexample against a program, exactly.

It is (table, neighbor, event). The event says of an output whether it belongs to a set. It is asked
once for each output that can come from either table, and is not told from which: so it is one set
for both tables, whatever it does.
"""

import math
from collections import Counter
from collections.abc import Callable
from numbers import Integral
from typing import Any

from autograder.check.answers import BadAnswer, shortened
from autograder.check.leaks.drawn_program import Program
from autograder.check.leaks.exact_law import OutputLaw, Rows, as_output, law
from autograder.check.leaks.vocabulary import MOST_ROWS, Words
from autograder.check.words import number

RAREST = (
    1e-3  # the least probability of an event: below it, the tails that are left out would count
)
_MARGIN = 1e-9  # of the ratio: rounding errors are far below it

# Takes an event and outputs: whether each is in the event, or the words of an error there.
AskedAt = Callable[[Callable, list], list[bool | str]]


def refuted(program: Program, answer: Any, asked_at: AskedAt) -> str:
    """Return in words how a counterexample refutes a program's epsilon.

    Raises:
      BadAnswer: it does not, with what it lacks.
    """
    table, neighbor, event = _parts(answer)
    table, neighbor = rows_of(program.words, table), rows_of(program.words, neighbor)
    raise_unless_neighbors(program.words, table, neighbor)
    if not callable(event):
        raise BadAnswer(
            "the event is not a function",
            seen=f"it is {shortened(event)}",
            ask="write `lambda output: ...`, which is True for the outputs that you mean.",
        )
    one, other = (law(program.text, rows, program.epsilon) for rows in (table, neighbor))
    inside = _inside(event, one, other, asked_at)
    p, q = (_chance(each, inside) for each in (one, other))
    bound = math.exp(program.epsilon) * (1 + _MARGIN)
    if p >= RAREST and p > bound * (q + other.lost) + program.delta * (1 + _MARGIN):
        return f"{number(p)} against {number(q)}"
    raise _short(program, inside, (p, q), (one.lost, other.lost))


def _chance(each: OutputLaw, inside: dict[Any, bool]) -> float:
    return math.fsum(chance for key, chance in each.items() if inside[key])


def _inside(
    event: Callable, one: OutputLaw, other: OutputLaw, asked_at: AskedAt
) -> dict[Any, bool]:
    """Return which outputs are in the event: each is asked once, and not told from which law."""
    keys = sorted({*one, *other}, key=repr)
    outputs = [as_output(key) for key in keys]
    came = asked_at(event, outputs)
    for output, said in zip(outputs, came, strict=True):
        if isinstance(said, str):
            raise BadAnswer(
                "the event stops with an error at an output that can come",
                seen=f"at {shortened(output)}: {said}",
                ask="which outputs can come at all? If the program raises a ValueError, the "
                "output is its text, `'ValueError: ...'`.",
            )
    return {key: bool(said) for key, said in zip(keys, came, strict=True)}


def _short(program: Program, inside: dict, chances: tuple, lost: tuple) -> BadAnswer:
    """Return what a counterexample lacks, whose tables are neighbors."""
    (p, q), bound = chances, math.exp(program.epsilon)
    seen, wanted = _compared(program, p, q)
    if not any(inside.values()):
        problem, said = "no output is in the event", f"{len(inside):,} outputs can come"
        ask = "run the program on both tables: is an output a number, a list, a dictionary, a text?"
    elif all(inside.values()):
        problem, said = "every output is in the event", "its probability is 1 on both tables"
        ask = "which outputs come more often from the first table?"
    elif max(p, q) < RAREST:
        problem, said = "the event is too rare", f"{seen}; it must be {RAREST:g} or more"
        ask = "can more outputs belong to it? Or can the tables be smaller?"
    elif q >= RAREST and q > bound * (p + lost[0]) + program.delta:
        problem, said = "the two tables stand in the wrong order", seen
        ask = "on which table is the event more likely? That one comes first."
    elif abs(p - q) < 1e-9:
        problem, said = "the event is equally likely on both tables", seen
        ask = "which line of the program sees the row in which the two tables differ?"
    elif q > p:
        problem, said = "the event is more likely on the neighbor", seen
        ask = "which outputs come more often from the first table? What does this row change?"
    elif p > 0.98 * (bound * q + program.delta):
        problem, said = "the event is as much more likely as was promised, and no more", wanted
        ask = "the noise allows that much. Does this row move another number of the output, which "
        ask += "the event could ask about too? Or does a line show what no noise covers?"
    else:
        problem, said = "the event does not tell the two tables apart well enough", wanted
        ask = "can one row change more than the noise is made for? Or is there nothing to find?"
    return BadAnswer(problem, seen=said, ask=ask)


def _compared(program: Program, p: float, q: float) -> tuple[str, str]:
    """Return the two probabilities of an event in words, alone and with what was wanted."""
    seen = f"its probability is {number(p)} on the table and {number(q)} on the neighbor"
    bound = math.exp(program.epsilon)
    if program.delta:
        most = number(bound * q + program.delta)
        return seen, f"{seen}: the first must be more than exp(epsilon) q + DELTA = {most}"
    ratio = f"{number(p / q)} times as likely" if q else "impossible on the neighbor"
    return seen, f"{seen}: {ratio}; it must be more than {number(bound)} times as likely"


def _parts(answer: Any) -> list:
    if isinstance(answer, tuple | list) and len(answer) == 3:
        return list(answer)
    raise BadAnswer(
        'neither "private" nor three things',
        seen=f"you gave {shortened(answer)}",
        ask='does the program keep its promise? Then say "private". If not, give '
        "`(table, neighbor, event)`.",
    )


def rows_of(w: Words, rows: Any) -> Rows:
    """Return a table that an answer gave, with its own numbers; or raise BadAnswer."""
    if hasattr(rows, "to_dict"):
        rows = rows.to_dict("records")
    if not isinstance(rows, list | tuple) or len(rows) > MOST_ROWS:
        raise BadAnswer(
            f"a table is a list of at most {MOST_ROWS} rows",
            seen=f"you gave {shortened(rows)}",
            ask=f'write it as [{{"{w.group}": "{w.groups[0]}", "{w.number}": 3}}, ...]: how many '
            "rows do you need?",
        )
    for row in rows:
        known = isinstance(row, dict) and set(row) == {w.group, w.number}
        whole = known and isinstance(row[w.number], Integral)
        if not (whole and 0 <= row[w.number] <= w.top and row[w.group] in w.groups):
            raise BadAnswer(
                "a row is one that the table cannot have",
                seen=f"you gave {shortened(row)}",
                ask=f'what does a row hold? "{w.group}" is one of {w.groups}, "{w.number}" a '
                f"whole number from 0 to {w.top}.",
            )
    return [{w.group: str(row[w.group]), w.number: int(row[w.number])} for row in rows]


def raise_unless_neighbors(w: Words, table: Rows, neighbor: Rows) -> None:
    """Raise BadAnswer for two tables that are no neighbors."""
    if table == neighbor:
        raise BadAnswer(
            "the two tables are equal",
            seen=f"both have the same {len(table)} rows",
            ask="in which row do they differ?",
        )
    longer, shorter = sorted((table, neighbor), key=len, reverse=True)
    added = shorter in [longer[:k] + longer[k + 1 :] for k in range(len(longer))]
    differ = sum(one != other for one, other in zip(table, neighbor, strict=False))
    replaced = len(table) == len(neighbor) and differ == 1
    if added if w.added else replaced:
        return
    raise _no_neighbors(w, table, neighbor, other_kind=added or replaced)


def _no_neighbors(w: Words, table: Rows, neighbor: Rows, *, other_kind: bool):
    one, other = (Counter(tuple(sorted(row.items())) for row in rows) for rows in (table, neighbor))
    gone, new = (one - other).total(), (other - one).total()
    seen, relation = f"rows that are gone: {gone}, and new: {new}", w.relation
    if other_kind:
        problem, ask = "they are neighbors of the other kind", "which kind does its text name?"
        seen += f", and the text speaks of {relation}"
    elif gone + new <= 1 or gone == new == 1:
        problem = "the rows stand in another order"
        ask = "the order may matter: can the other rows stay where they are?"
    else:
        problem, ask = "the two tables are not neighbors", f"{relation}: how many rows may differ?"
    return BadAnswer(problem, seen=seen, ask=ask)
