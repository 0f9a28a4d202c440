"""What the parts of a program are written with: names and numbers, drawn once for each program."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from autograder.check.leaks.fixed_chance import FixedChance

MOST_ROWS = 6  # of a table that an answer may give

# A place, a column with two categories, a column with whole numbers from 0 to a largest one.
_THEMES = (
    ("clinic", "ward", ("east", "west"), "visits", 9),
    ("library", "branch", ("hill", "port"), "loans", 8),
    ("gym", "plan", ("day", "year"), "hours", 7),
    ("ferry", "deck", ("lower", "upper"), "trips", 9),
    ("school", "form", ("first", "last"), "absences", 8),
    ("museum", "wing", ("new", "old"), "tours", 7),
)


@dataclass(frozen=True)
class Words:
    """The table of a program, and the numbers of its parts.

    Attributes:
      place: whose table it is.
      group, groups: the column of categories, and its two.
      number, top: the column of whole numbers, and the largest that it can have.
      relation: what neighbors are, "add_remove" or "replace_one".
      low, high: two thresholds for the numbers.
      cap: a bound for them.
      few: a small number.
      seed: a seed.
      phrasing: which of two ways of writing a part takes.
    """

    place: str
    group: str
    groups: tuple[str, str]
    number: str
    top: int
    relation: str
    low: int
    high: int
    cap: int
    few: int
    seed: int
    phrasing: int

    @property
    def added(self) -> bool:
        """Say whether neighbors differ by one row more or less."""
        return self.relation == "add_remove"

    @property
    def value(self) -> str:
        return f'row["{self.number}"]'

    @property
    def values(self) -> str:
        return f"[{self.value} for row in rows]"

    @property
    def largest(self) -> str:
        """Return the name of the constant that holds the largest number."""
        return f"MOST_{self.number.upper()}"

    def count(self, test: str = "", *, rows: str = "rows") -> str:
        """Return the code of a count of the rows whose number passes a test."""
        return f"sum({self.value} {test or f'>= {self.low}'} for row in {rows})"


@dataclass(frozen=True)
class ProgramPart:
    """A few lines that leave one result.

    Attributes:
      lines: the lines.
      constants: what they use, above the program.
      scales: of the noise that they draw, at most, in units of 1 / share.
    """

    lines: Sequence[str]
    constants: Sequence[str] = ()
    scales: Sequence[float] = (1,)


# A kind writes its part, or None where there is none for these neighbors. It is given the words,
# the share of epsilon as code, the name of the result, and whether the part leaks. The honest and
# the leaking part differ by a word or a line.
Kind = Callable[[Words, str, str, bool], ProgramPart | None]


def drawn_words(chance: FixedChance) -> Words:
    """Return names and numbers for one program."""
    low, high = sorted(chance.permuted(range(2, 6))[:2])
    return Words(
        *chance.pick(_THEMES),
        relation=chance.pick(("add_remove", "replace_one")),
        low=low,
        high=high,
        cap=chance.pick((2, 3)),
        few=chance.pick((2, 3)),
        seed=chance.pick(range(1, 3000)),
        phrasing=chance.pick((0, 1)),
    )
