"""Break it: pieces of ceil(size / chunks) rows are fewer than the chunks that the noise counts.

The worst number of chunks is asked for, among those up to a drawn one: no constant is right.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, as_whole_number
from autograder.check.counterexample import CounterexampleClaim
from autograder.check.words import counted, number


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return ten sizes, from a dozen rows to thousands, and how many chunks may be asked for.

    In eight neither the most chunks nor one below is the worst: then a loop is needed. In two only
    the most is: then the loop must reach it.
    """
    rows = (14, 40, 100, 300, 700, 1500, 4000, 9000)
    return [
        *(_case_inside(generator, least) for least in rows),
        *(_case_at_the_end(generator, least) for least in (30, 300)),
    ]


def _case_inside(generator: np.random.Generator, least: int) -> dict:
    while True:
        size = int(generator.integers(least, 2 * least))
        case = {"size": size, "most": int(generator.integers(size // 3, size))}
        if max(_factor(size, each) for each in (case["most"], case["most"] - 1)) < _worst(**case):
            return case


def _case_at_the_end(generator: np.random.Generator, least: int) -> dict:
    size, worst, ends = int(generator.integers(least, 2 * least)), Fraction(1), []
    for chunks in range(2, size):
        if _factor(size, chunks) > worst:
            worst = _factor(size, chunks)
            ends.append(chunks)
    return {"size": size, "most": int(generator.choice(ends))}


def _pieces(size: int, chunks: int) -> int:
    rows = -(-size // chunks)
    return -(-size // rows)


def _factor(size: int, chunks: int) -> Fraction:
    """Return how many times too small the noise is."""
    return Fraction(chunks, _pieces(size, chunks))


def _in_words(factor: Fraction) -> str:
    return "right" if factor == 1 else f"too small by a factor of {number(float(factor))}"


def _worst(size: int, most: int) -> Fraction:
    return max(_factor(size, chunks) for chunks in range(1, most + 1))


def _verify(parameters: dict, answer: Any) -> None:
    """Raise BadAnswer unless no other number of chunks makes the noise smaller."""
    size, most, asked = parameters["size"], parameters["most"], int(answer)
    if not 1 <= asked <= most:
        raise BadAnswer(
            "so many chunks may not be asked for",
            seen=f"you ask for {asked} chunks; from 1 to {most} are allowed",
            ask="between which two numbers must your answer lie?",
        )
    factor, worst = _factor(size, asked), _worst(size, most)
    if factor == worst:
        return
    seen = (
        f"{counted(asked, 'chunk')} asked for: pieces of {counted(-(-size // asked), 'row')}, so "
        f"{_pieces(size, asked)} of them; the noise is {_in_words(factor)}, and for another number "
        f"of chunks it is {_in_words(worst)}"
    )
    problem = "for another number of chunks the noise is too small by a larger factor"
    ask = "for each number of chunks: how many pieces are made? Where is the quotient largest?"
    if factor == 1:
        problem = "here the noise is right: as many pieces are made as chunks are asked for"
        other = next((each for each in range(2, most) if 1 < _factor(size, each) < worst), most)
        ask = f"{other} chunks asked for: how many rows has a piece, how many pieces are made, and "
        ask += "which quotient does your code find?"
    best = [chunks for chunks in range(1, most + 1) if _factor(size, chunks) == worst]
    if best == [most]:
        ask = f"up to {most} chunks may be asked for: is {most} among the numbers that you try?"
    elif asked + 1 in best:
        ask = "a list's first place is 0: which number of chunks stands there?"
    elif asked in [_pieces(size, chunks) for chunks in best]:
        ask = f"for which number of chunks are {asked} pieces made, and which of both is asked for?"
    raise BadAnswer(problem, seen=seen, ask=ask)


CLAIM = CounterexampleClaim(
    about=(
        "Check `chunk_count_counterexample(size, *, most)`: the worst number of chunks.\n\n"
        "The function returns `chunks`, from 1 to `most`. A table of `size` rows is cut into\n"
        "pieces of ceil(size / chunks) rows. The noise is that of `chunks` answers: no other\n"
        "number may make it too small by a larger factor."
    ),
    established="no other number of chunks makes the noise so small",
    cases=_cases,
    read=as_whole_number,
    verify=_verify,
    situation=lambda p: f"size {p['size']}, at most {p['most']} chunks",
)
