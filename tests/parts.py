"""A part of the cases of each test that has very many: what one run of `.ci/run` takes of them.

    make test-answers PART=2/4

takes every fourth case, from the second on, of each test that has at least MANY, and all other
tests whole; with `--each` it takes every fourth test, whatever its cases. Four such runs, with
parts 1 to 4, are one whole run.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

# So many cases of one test are of one kind: a fault that only one of them finds may wait for the
# next run.
MANY = 12
WHOLE = (1, 1)


def part(text: str) -> tuple[int, int]:
    """Return which part of how many "2/4" means.

    Raises:
      ValueError: the text is not of this form, or there is no such part.
    """
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise ValueError(f"a part must be like 2/4, got {text!r}")
    return int(found[1]), int(found[2])


def left_out(names: Sequence[str], which: tuple[int, int]) -> set[int]:
    """Return the places of the tests that a run of this part leaves out.

    Args:
      names: the tests, in order: those of one name are cases of one test.
      which: which part of how many.
    """
    number, parts = which
    times, seen, out = Counter(names), defaultdict(int), set()
    for place, name in enumerate(names):
        if times[name] >= MANY and seen[name] % parts != number - 1:
            out.add(place)
        seen[name] += 1
    return out


def tests_of(items: Iterable, *, each: bool) -> list[str]:
    """Return the name of each collected case's test; one name for all, if each takes its turn."""
    return ["any" if each else item.nodeid.partition("[")[0] for item in items]
