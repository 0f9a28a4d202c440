"""The unbiased estimate of each category's count, from rows of perturbed bits."""

from __future__ import annotations

import numpy as np

from autograder.check.claims._reports import numbers_of_shape, people_of
from autograder.check.values import ValueMistake, ValuesClaim

__all__ = ["CLAIM"]


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return four inputs, each with an estimate below 0 and one above n."""
    cases = []
    for low, high in ((0.5, 0.6), (0.62, 0.7), (0.72, 0.8), (0.82, 0.9)):
        people, p = people_of(generator, 40, 300), round(generator.uniform(low, high), 2)
        q = round(p * generator.uniform(0.25, 0.6), 2)
        shares = generator.uniform(0.05, 0.95, size=int(generator.integers(3, 6)))
        # One category far below q, one far above p.
        shares[0], shares[-1] = 0.3 * q, 1 - 0.4 * (1 - p)
        supports = np.clip(np.round(shares * people), 1, people - 1).astype(int)
        cases.append({"people": people, "supports": supports.tolist(), "p": p, "q": q})
    return cases


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    people = parameters["people"]
    # 7919 is prime, and larger than n: all places come. Each column is shifted by some more.
    places = np.arange(people)[:, None] * 7919 + np.arange(len(parameters["supports"])) * 31
    reports = (places % people < parameters["supports"]).astype(np.int8)
    return (reports,), {"p": parameters["p"], "q": parameters["q"]}


def _supports(p: dict) -> np.ndarray:
    return np.array(p["supports"], dtype=float)


def _solved(p: dict, *, people: float | None = None) -> np.ndarray:
    # Wang, Blocki, Li & Jha (2017): E[support] = c * p + (n - c) * q, solved for c.
    people = p["people"] if people is None else people
    return (_supports(p) - people * p["q"]) / (p["p"] - p["q"])


_EXPECT = "how many reports have a 1 here, if c of n people are in the category? Solve for c."
_FREE = "may an unbiased estimate be below 0, or above n? What happens to its mean if it may not?"
_PEOPLE = "what is n: how many reports, or how many bits?"

_MISTAKES = (
    ValueMistake("ones are counted, nothing else", _supports, "which of the ones are false?"),
    ValueMistake(
        "p and q are exchanged",
        lambda p: (_supports(p) - p["people"] * p["p"]) / (p["q"] - p["p"]),
        _EXPECT,
    ),
    ValueMistake(
        "n * p is subtracted where n * q belongs",
        lambda p: (_supports(p) - p["people"] * p["p"]) / (p["p"] - p["q"]),
        _EXPECT,
    ),
    ValueMistake(
        "the division by p - q is missing",
        lambda p: _supports(p) - p["people"] * p["q"],
        _EXPECT,
    ),
    ValueMistake(
        "the false ones are not subtracted",
        lambda p: _supports(p) / (p["p"] - p["q"]),
        _EXPECT,
    ),
    ValueMistake("ones are divided by p", lambda p: _supports(p) / p["p"], _EXPECT),
    ValueMistake(
        "it divides by p, not by p - q",
        lambda p: (_supports(p) - p["people"] * p["q"]) / p["p"],
        _EXPECT,
    ),
    ValueMistake(
        "it divides by p + q, not by p - q",
        lambda p: (_supports(p) - p["people"] * p["q"]) / (p["p"] + p["q"]),
        _EXPECT,
    ),
    ValueMistake(
        "q is subtracted once, not once for each person",
        lambda p: _solved(p, people=1),
        "how many people could have reported a false 1?",
    ),
    ValueMistake(
        "n is the number of bits, not of people",
        lambda p: _solved(p, people=p["people"] * len(p["supports"])),
        _PEOPLE,
    ),
    ValueMistake(
        "n is the number of categories",
        lambda p: _solved(p, people=len(p["supports"])),
        _PEOPLE,
    ),
    ValueMistake(
        "n is the number of ones",
        lambda p: _solved(p, people=sum(p["supports"])),
        _PEOPLE,
    ),
    ValueMistake(
        "shares are returned, not counts",
        lambda p: _solved(p) / p["people"],
        "what does the docstring say: shares or numbers of people?",
    ),
    ValueMistake(
        "the estimates are kept between 0 and n",
        lambda p: np.clip(_solved(p), 0, p["people"]),
        _FREE,
    ),
    ValueMistake("negative estimates become 0", lambda p: np.maximum(_solved(p), 0), _FREE),
    ValueMistake(
        "the estimates are made to sum to n",
        lambda p: _solved(p) * p["people"] / _solved(p).sum(),
        "which of the estimates is unbiased after that? Leave them as they come.",
    ),
    ValueMistake(
        "the estimates are rounded",
        lambda p: np.round(_solved(p)),
        "what does rounding gain? Leave the estimates as they come.",
    ),
    ValueMistake(
        "people are added up, not categories",
        lambda p: (_arguments(p)[0][0].sum(axis=1) - p["people"] * p["q"]) / (p["p"] - p["q"]),
        "which axis is the person, which the category?",
    ),
    ValueMistake(
        "all categories are added up",
        lambda p: np.array([(sum(p["supports"]) - p["people"] * p["q"]) / (p["p"] - p["q"])]),
        "how many estimates must come back?",
    ),
)


CLAIM = ValuesClaim(
    name="aggregate",
    about=(
        "Check `aggregate(reports, *, p, q)`: the unbiased estimate of each category's count from\n"
        "rows of perturbed bits, shape (n, k)."
    ),
    established="the unbiased estimates, also where they are below 0 or above n",
    cases=_cases,
    arguments=_arguments,
    expected=_solved,
    mistakes=_MISTAKES,
    # Where the ones are as many as false ones are expected, the estimate is 0, and what comes is
    # what the additions have rounded: not the same in every order.
    absolute=1e-6,
    read=lambda answer, p: np.atleast_1d(
        numbers_of_shape(answer, (None,) * min(1, np.ndim(answer)), "the estimates")
    ),
    situation=lambda p: (
        f"{p['people']} people, {p['supports']} ones by category, p {p['p']}, q {p['q']}"
    ),
)
