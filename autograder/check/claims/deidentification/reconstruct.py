"""A secret column rebuilt from hundreds of rounded or noisy counts: at least 95 of 100 right."""

from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.counterexample import CounterexampleClaim
from autograder.check.signature import taking
from autograder.check.words import counted

_WANTED = 0.95
# (people, groups, share of the people in a group, share with the secret, how counts are made). By
# least squares an entry is off by s / sqrt(groups * q * (1 - q)), where s is the error of a count
# and q the share: at most 0.125 here, a quarter of what makes it wrong. Four wrong entries of 40,
# or more of more people, come with probability below 1e-10.
_TOWNS = (
    (40, 90, 0.5, 0.3, "exact"),
    (60, 700, 0.5, 0.25, "rounded to 5"),
    (50, 700, 0.5, 0.5, "rounded to 3"),
    (60, 900, 0.35, 0.75, "rounded to 5"),
    (80, 900, 0.5, 0.1, "noisy"),
)


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return five towns: exact, rounded and noisy counts; the secret rare, even and common."""
    return [_town(generator, *town) for town in _TOWNS]


def _town(generator, people: int, number: int, share: float, common: float, how: str) -> dict:
    secret = np.zeros(people, dtype=int)
    secret[: round(common * people)] = 1
    secret = generator.permutation(secret)
    groups = (generator.random((number, people)) < share).astype(int)
    counts = (groups @ secret).astype(float)
    if how.startswith("rounded"):
        base = int(how.split()[-1])
        counts = base * np.round(counts / base)
    elif how == "noisy":
        counts = counts + generator.laplace(scale=1.0, size=number)
    return {
        "groups": groups.tolist(),
        "counts": counts.tolist(),
        "secret": secret.tolist(),
        "how": how,
    }


def _verify(parameters: dict, answer: Any) -> None:
    """Raise BadAnswer unless at least 95 of 100 people have the right 0 or 1."""
    secret = np.array(parameters["secret"])
    given = _read(answer, len(secret))
    right = float(np.mean(given == secret))
    if right >= _WANTED:
        return
    problem, ask = _known(given, secret)
    raise BadAnswer(
        problem,
        seen=f"{round(right * len(secret))} of {len(secret)} people are right; "
        f"{int(np.ceil(_WANTED * len(secret)))} are wanted",
        ask=ask,
    )


def _read(answer: Any, people: int) -> np.ndarray:
    """Return the answer as zeros and ones, one for each person."""
    try:
        given = np.asarray(answer, dtype=float).reshape(-1)
    except (TypeError, ValueError):
        given = np.array([np.nan])
    if len(given) < people and np.isin(given, np.arange(2, people)).any():
        raise BadAnswer(
            "places of people came, a 0 or a 1 for each person is wanted",
            seen=f"there are {people} people, and {counted(len(given), 'number')} came",
            ask="which of your steps gives places, such as np.flatnonzero or np.argsort?",
        )
    if len(given) != people:
        raise BadAnswer(
            "one number for each person is wanted",
            seen=f"there are {people} people, and {counted(len(given), 'number')} came",
            ask="does `groups` have one row for each person, or one column?",
        )
    if not np.isin(given, (0, 1)).all():
        raise BadAnswer(
            "there is something else than zeros and ones",
            # All digits: 0.9999999999999993 would look like a 1.
            seen=f"one entry is {float(given[~np.isin(given, (0, 1))][0])!r}",
            ask="which of 0 and 1 is nearer to each entry?",
        )
    return given


def _known(given: np.ndarray, secret: np.ndarray) -> tuple[str, str]:
    """Return what is wrong, and a question."""
    if len(set(given.tolist())) == 1:
        return (
            f"everybody gets a {given[0]:.0f}",
            "each count is an equation in the unknown zeros and ones: what solves hundreds of "
            "them at once? If your code does: how large are the numbers that it cuts to 0 and 1?",
        )
    if np.mean(given != secret) >= _WANTED:
        return ("who has the secret and who has not are exchanged", "what does a 1 stand for?")
    for step in (-1, 1):
        if np.mean(np.roll(given, step)[1:-1] == secret[1:-1]) >= _WANTED:
            return (
                "each answer is about the person beside",
                "one unknown for each person: is there one more in your equations? Which of them "
                "belongs to the first person?",
            )
    return (
        "too few of the people are right",
        "do all counts have a say? Which solution comes nearest to them, where do you cut between "
        "0 and 1, and which of its numbers belongs to which person?",
    )


CLAIM = CounterexampleClaim(
    about=(
        "Check `reconstruct(groups, counts)`: who has a secret, rebuilt from counts of groups.\n\n"
        "`groups` has a row for each group and a column for each person, with a 1 where the\n"
        "person is in the group. The answer has a 0 or a 1 for each person; at least 95 of 100\n"
        "are right, in each of five towns."
    ),
    established="at least 95 of 100 secrets are right in each town",
    cases=_cases,
    arguments=taking("groups, counts", groups=np.array, counts=np.array),
    verify=_verify,
    situation=lambda p: f"{len(p['counts'])} counts of {len(p['secret'])} people, {p['how']}",
)
