"""Break it: pieces of ceil(size / chunks) rows are fewer than the chunks that the noise counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.check.counterexample import CounterexampleClaim
from autograder.check.door import BadAnswer, as_whole_number
from autograder.check.words import number

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return six sizes, odd and even, from a dozen rows to as many as in the census data."""
    ranges = ((6, 20), (20, 100), (100, 1000), (1000, 9000), (15_000, 20_000))
    odd = [2 * int(generator.integers(*each)) + 1 for each in ranges]
    return [{"size": size} for size in [*odd, 2 * int(generator.integers(10, 5000))]]


def _verify(parameters: dict, answer: Any) -> None:
    """Raise BadAnswer unless so many chunks cannot be made, by far."""
    size, asked = parameters["size"], int(answer)
    if not 1 <= asked <= size:
        raise BadAnswer(
            "a table has from 1 to size chunks",
            seen=f"you ask for {asked} chunks of {size} rows",
            ask="can there be more chunks than rows, if none is empty?",
        )
    rows = -(-size // asked)
    made = -(-size // rows)
    if 2 * asked >= 3 * made:
        return
    seen = (
        f"{asked} chunks are asked for: pieces of {rows} rows, so {made} of them; "
        f"the noise is too small by a factor of {number(asked / made)}, and 1.5 is needed"
    )
    if made == asked:
        problem = "so many chunks are really made"
        ask = "for which number of chunks is size / chunks just above a whole number?"
    else:
        problem = "the noise is hardly too small"
        ask = "at which size of the pieces does rounding up change most? What if it is 1.01?"
    raise BadAnswer(problem, seen=seen, ask=ask)


CLAIM = CounterexampleClaim(
    name="chunk_count_counterexample",
    about=(
        "Check `chunk_count_counterexample(size)`: a number of chunks that is not made.\n\n"
        "The function returns `chunks`, from 1 to size. A table of `size` rows is cut into pieces\n"
        "of ceil(size / chunks) rows. The noise counts on `chunks` answers; the pieces must be so\n"
        "few that it is too small by a factor of 1.5 or more."
    ),
    established="fewer chunks are made, and the noise is too small by 1.5 or more",
    cases=_cases,
    arguments=lambda p: ((p["size"],), {}),
    read=as_whole_number,
    verify=_verify,
    situation=lambda p: f"size {p['size']}",
)
