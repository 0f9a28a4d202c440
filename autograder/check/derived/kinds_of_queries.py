"""Questions about the sensitivity of a query that nobody has seen before.

The answer is a number with two neighbors that move the query so far. So at once it is proved that
the sensitivity is no smaller; whether it is larger is said where points are given.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from autograder.check.answers import BadAnswer, parts_of
from autograder.check.derived.question import DrawnQuestion, Misstep
from autograder.check.leaks.exact_law import Rows
from autograder.check.leaks.fixed_chance import FixedChance
from autograder.check.leaks.judged import raise_unless_neighbors, rows_of
from autograder.check.leaks.vocabulary import MOST_ROWS, Words, drawn_words
from autograder.check.words import number as in_words

_NEAR = 1e-3  # relative
_NEIGHBORS = {
    "add_remove": "one row more or less",
    "replace_one": "one row replaced by another, in its place",
}


@cache
def _made(source: str) -> Callable[[Rows], float]:
    """Return the `query` that a text of ours defines."""
    space: dict[str, Any] = {}
    exec(source, space)
    return space["query"]


@dataclass(frozen=True)
class QueryQuestion(DrawnQuestion):
    """A question about one query.

    Attributes:
      words: its table, and what neighbors are.
      source: the text of `query(rows)`.
    """

    words: Words
    source: str

    def query(self, rows: Rows) -> float:
        """Return the query's exact answer."""
        space: dict[str, Any] = {}
        exec(self.source, space)
        return space["query"](rows)

    def read(self, said: Any) -> float:
        """Return the number of an answer whose two tables move the query so far."""
        each = "number, table, neighbor"
        number, *tables = parts_of(said, "three things", each, ask=f"did you write `({each})`?")
        number = super().read(number)
        table, neighbor = (rows_of(self.words, rows) for rows in tables)
        raise_unless_neighbors(self.words, table, neighbor)
        moved = abs(self.query(table) - self.query(neighbor))
        if abs(moved - number) > _NEAR * max(moved, number):
            further = moved > number
            raise BadAnswer(
                f"your two tables move the query {'further' if further else 'less'} than you say",
                seen=f"they move it by {in_words(moved)}, and you say {in_words(number)}",
                ask="is the sensitivity smaller than what your own tables do?"
                if further
                else "which two neighbors move it as far as you say? Are there any?",
            )
        return number


def _question(
    w: Words, lines: list[str], answer: float, mistakes: dict[float, tuple[str, str]]
) -> QueryQuestion:
    body = "\n".join(f"    {line}" for line in lines)
    source = f"def query(rows):\n{body}\n"
    text = (
        f"Neighbors are `{w.relation}` ({_NEIGHBORS[w.relation]}). A table has at most {MOST_ROWS} "
        f'rows `{{"{w.group}": …, "{w.number}": …}}`, with {w.groups[0]!r} or {w.groups[1]!r}, and '
        f"a whole number from 0 to {w.top}.\n\n```python\n{source}```"
    )
    known = tuple(Misstep(float(value), *words) for value, words in mistakes.items())
    return QueryQuestion(text, float(answer), known, w, source)


_RELATION = "write down what one row does for these neighbors: does it come, or change?"
_BOTH = "can both parts of the query move in one direction at once?"


def difference(chance: FixedChance) -> QueryQuestion:
    """Those above a limit less those below it."""
    w = drawn_words(chance)
    lines = [
        f"many = {w.count(f'>= {w.high}')}",
        f"few = {w.count(f'< {w.low}')}",
        f"return {w.cap} * (many - few)",
    ]
    answer = w.cap * (1 if w.added else 2)
    return _question(w, lines, answer, {w.cap: ("a row that changes moves both counts", _BOTH)})


def largest_of_each(chance: FixedChance) -> QueryQuestion:
    """The largest number of each group, added up: one row is in one group."""
    w = drawn_words(chance)
    lines = [
        "total = 0",
        f"for {w.group} in {w.groups}:",
        f'    there = [{w.value} for row in rows if row["{w.group}"] == {w.group}]',
        "    total += max(there, default=0)",
        "return total",
    ]
    return _question(w, lines, w.top, {1: ("only one step of a number is looked at", _RELATION)})


def pairs(chance: FixedChance) -> QueryQuestion:
    """Pairs of people of one group: who comes makes a pair with each of the others."""
    w = drawn_words(chance)
    lines = [
        f"many = {{each: sum(row['{w.group}'] == each for row in rows) for each in {w.groups}}}",
        "return sum(n * (n - 1) // 2 for n in many.values())",
    ]
    others = "with how many of the others does one row make a pair, in a table as large as can be?"
    smaller = ("a larger group makes more pairs", others)
    return _question(w, lines, MOST_ROWS - 1, dict.fromkeys(range(1, MOST_ROWS - 1), smaller))


def without_largest(chance: FixedChance) -> QueryQuestion:
    """A sum without its largest number, in units of the draw."""
    w = drawn_words(chance)
    lines = [
        f"values = {w.values}",
        f"return {w.cap} * (sum(values) - max(values, default=0))",
    ]
    none = "the largest is left out: which number can a row then bring in?"
    known = {0: ("a row can move it", none), w.top: ("the factor is forgotten", none)}
    return _question(w, lines, w.cap * w.top, known)


def turns(chance: FixedChance) -> QueryQuestion:
    """How often the group differs from that of the row before."""
    w = drawn_words(chance)
    lines = [
        f'names = [row["{w.group}"] for row in rows]',
        "turns = sum(one != other for one, other in zip(names, names[1:]))",
        f"return {w.few} * turns",
    ]
    between = "what if the row stands between two others?"
    known = {w.few: ("a row inside has a neighbor on either side", between)}
    return _question(w, lines, 2 * w.few, known)


def signed(chance: FixedChance) -> QueryQuestion:
    """A sum of contributions of either sign."""
    w = drawn_words(chance)
    point = w.low + w.cap
    each = [value * (value - point) for value in range(w.top + 1)]
    answer = max(map(abs, each)) if w.added else max(each) - min(each)
    lines = [f"return sum(value * (value - {point}) for value in {w.values})"]
    known = {
        max(each) - min(each): ("a row that comes is compared with none", _RELATION),
        max(map(abs, each)): ("a row that changes may go from the least to the most", _RELATION),
    }
    return _question(w, lines, answer, known)


QUERIES: tuple[Callable[[FixedChance], QueryQuestion], ...] = (
    difference,
    largest_of_each,
    pairs,
    without_largest,
    turns,
    signed,
)
