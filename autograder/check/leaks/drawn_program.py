"""A program that claims an epsilon, composed of one part or two, each honest or not.

Whether it leaks is drawn first, then how. At most one part leaks; a second one is as suspicious,
and honest. So no word tells.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.check.leaks.exact_law import Rows, sampled, values_of
from autograder.check.leaks.fixed_chance import FixedChance
from autograder.check.leaks.owner import chance_of
from autograder.check.leaks.vocabulary import Kind, ProgramPart, Words, drawn_words

_OUTS = ("heavy", "first_line", "table", "answer", "use", "level")
_SHARES = ((("epsilon", 1),), (("half", 2), ("half", 2)), (("third", 3), ("rest", 1.5)))
_MOST_OUTPUTS = 30_000  # of a law
_NEIGHBORS = {
    "add_remove": "one row more or less",
    "replace_one": "one row replaced by another",
}
# How many of three programs leak: never none, and who has found two does not know the third.
_HOW_MANY_LEAK = (1, 2, 2, 3)


@dataclass(frozen=True)
class Program:
    """One program: `program(rows)` runs it, with fresh noise.

    Attributes:
      text: its text, which defines `report(rows, epsilon)`.
      epsilon: what it is called with, and claims.
      delta: the probability with which it may fail, 0 for none.
      words: its table, and what neighbors are.
    """

    text: str
    epsilon: float
    delta: float
    words: Words

    def __call__(self, rows: Rows):
        """Return one output of `report(rows, epsilon)`, with fresh noise."""
        return sampled(self.text, rows, self.epsilon)

    def __repr__(self) -> str:
        return f"epsilon = {self.epsilon:g}\n\n{self.text}"


@dataclass(frozen=True)
class Drawn:
    """A program, with what tests and grading know of it.

    Attributes:
      program: the program.
      kinds: the names of its parts' kinds.
      leaks: whether it breaks its promise.
    """

    program: Program
    kinds: tuple[str, ...]
    leaks: bool


def three(
    name: str, kinds: Sequence[Kind], others: Sequence[Kind] = (), delta: float = 0.0
) -> list[Drawn]:
    """Return the three programs of a name: the same ones at every call.

    Args:
      name: whose they are. Capital letters and blanks around it do not matter.
      kinds: what leaks in a program, if something does.
      others: kinds of a second part, which is honest; none for programs of one part.
      delta: the probability with which each may fail, DELTA in its text; 0 for none.
    """
    chance = chance_of(name)
    many = chance.pick(_HOW_MANY_LEAK)
    leaking = chance.permuted(place < many for place in range(3))
    main = chance.permuted(kinds)[:3]
    return [
        drawn(chance, kind, others, delta, leaks=leaks)
        for kind, leaks in zip(main, leaking, strict=True)
    ]


def drawn(
    chance: FixedChance, kind: Kind, others: Sequence[Kind], delta: float = 0.0, *, leaks: bool
) -> Drawn:
    """Return a program with a part of this kind, which leaks or not, and maybe an honest one."""
    while True:
        words, kinds = drawn_words(chance), [kind]
        if others:
            kinds = chance.permuted([kind, chance.pick(others)])
        claim = _Claim.drawn(chance, len(kinds))
        twins = [claim.parts(words, kinds, kind if each else None) for each in (leaks, not leaks)]
        # Of two twins the larger law decides, so that nothing is told by what is drawn again.
        if len(set(kinds)) == len(kinds) and twins[0] and all(map(claim.is_short, twins)):
            names = tuple(each.__name__ for each in kinds)
            text = claim.text(words, twins[0], delta)
            return Drawn(Program(text, claim.epsilon, delta, words), names, leaks)


@dataclass(frozen=True)
class _Claim:
    """An epsilon, how it is shared out among the parts, and what they call their results."""

    epsilon: float
    shares: Sequence[tuple[str, float]]
    outs: Sequence[str]

    @classmethod
    def drawn(cls, chance: FixedChance, parts: int) -> "_Claim":
        shares = _SHARES[0] if parts == 1 else chance.pick(_SHARES[1:])
        epsilon = chance.pick((1.0, 1.5, 2.0) if parts == 1 else (3.0, 3.6, 4.2))
        return cls(epsilon, shares, chance.permuted(_OUTS)[:parts])

    def parts(self, w: Words, kinds: Sequence[Kind], leaking: Kind | None) -> list[ProgramPart]:
        """Return the parts; none, if one of them cannot be written for these neighbors."""
        parts = [
            kind(w, share, out, kind is leaking)
            for kind, (share, _), out in zip(kinds, self.shares, self.outs, strict=True)
        ]
        return parts if all(parts) else []

    def is_short(self, parts: Sequence[ProgramPart]) -> bool:
        """Say whether the law has few enough outputs to be computed, and asked about, soon."""
        scales = [
            scale * divisor / self.epsilon
            for part, (_, divisor) in zip(parts, self.shares, strict=False)
            for scale in part.scales
        ]
        return math.prod(values_of(scale) for scale in scales) <= _MOST_OUTPUTS

    def text(self, w: Words, parts: Sequence[ProgramPart], delta: float) -> str:
        """Return the text of the program."""
        divisors = {name: divisor for name, divisor in self.shares if name != "epsilon"}
        body = [f"{name} = epsilon / {divisor}" for name, divisor in divisors.items()]
        body += [line for part in parts for line in part.lines]
        whole = ", ".join(f'"{out}": {out}' for out in self.outs)
        body.append(f"return {self.outs[0] if len(parts) == 1 else f'{{{whole}}}'}")
        return _text(w, parts, body, delta)


def _text(w: Words, parts: Sequence[ProgramPart], body: Sequence[str], delta: float) -> str:
    constants = sorted({line for part in parts for line in part.constants})
    constants += [f"DELTA = {delta:g}"] if delta else []
    promise = "(epsilon, DELTA)" if delta else "epsilon"
    head = [
        "def report(rows, epsilon):",
        f'    """Figures of the {w.place}, {promise}-differentially private.',
        "",
        f"    Neighbors: {_NEIGHBORS[w.relation]} ({w.relation}). One row is one person.",
        '    """',
    ]
    above = [*constants, "", ""] if constants else []
    return "\n".join([*above, *head, *(f"    {line}" for line in body)]) + "\n"
