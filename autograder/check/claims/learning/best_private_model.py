"""The best private model: it reaches rows only through a meter, and is scored on other people.

The meter bills each look and makes it private, so the model is private for (1, 1e-5) if nothing
goes past the meter. That is tested: see `_metered`.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from autograder.check.answers import BadAnswer
from autograder.check.claim import Claim, OpenDoor
from autograder.check.claims.approximate._gaussian_noise import exact_sigma
from autograder.check.claims.learning._metered import PAST_THE_METER, Meter
from autograder.check.claims.learning._training import weights_of
from autograder.check.door import Door, fresh_generator
from autograder.check.result import Result

_NAME = "best_private_model"
_PEOPLE = 10_000
# Where the points end, in accuracy above the majority's. Over splits and noise dplib's model gains
# 0.079 to 0.087.
_ALL_POINTS = 0.075
# The rows of the small case, and those that lie underneath when its releases are played again.
_FEW, _OTHERS, _COLUMNS = 150, 110, 4


def budget() -> float:
    """Return the rho of one Gaussian release that is (1, 1e-5)-private."""
    return 1 / (2 * exact_sigma(1.0, 1e-5) ** 2)


@lru_cache(maxsize=1)
def _everybody() -> tuple[np.ndarray, np.ndarray]:
    from dplib.data import load_features

    data = load_features()
    return np.vstack([data.X_train, data.X_test]), np.hstack([data.y_train, data.y_test])


def _split(seed: int, *, learn: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return rows and labels to learn from, or to judge by: people and columns are shuffled.

    So a theta that was found elsewhere, on these very people, is of no use.
    """
    X, y = _everybody()
    generator = np.random.default_rng(seed)
    order = generator.permutation(len(y))
    columns = np.append(0, 1 + generator.permutation(X.shape[1] - 1))
    people = order[:_PEOPLE] if learn else order[_PEOPLE:]
    return X[np.ix_(people, columns)], y[people]


def _rows(p: dict) -> tuple[np.ndarray, np.ndarray]:
    if not p["few"]:
        return _split(p["seed"], learn=True)
    # Other people, and another number of them, where releases are played again.
    seed, people = (p["seed"], _FEW) if not p.get("others") else (p["seed"] + 1, _OTHERS)
    generator = np.random.default_rng(seed)
    X = generator.uniform(size=(people, _COLUMNS))
    X[:, 0] = 1
    y = np.where(X[:, 1] - X[:, 2] + generator.normal(size=people) / 3 > 0, 1.0, -1.0)
    return X, y


def _arguments(p: dict) -> tuple[tuple, dict]:
    X, y = _rows(p)
    meter = Meter(X, y, budget(), p.get("played"), seed=p["seed"])
    for old in p["meters"]:
        old.forget()
    p["meters"][:] = [meter]
    p["tapes"].append(meter.tape)
    people = round(_PEOPLE if not p["few"] else _FEW, -2)
    return (meter,), {"columns": X.shape[1], "people": people, "rho": budget()}


def _inspect(positional: tuple, keywords: dict) -> None:
    if positional[0].refused:
        raise positional[0].refused


@dataclass(frozen=True, kw_only=True)
class _Metered(Claim):
    """A model whose every look at the rows is billed; its share is its accuracy's."""

    def cases(self, generator: np.random.Generator) -> list[dict]:
        """Return two inputs: a few rows of our own, and real ones, shuffled by a number."""
        seeds = [int(each) for each in generator.integers(2**31, size=2)]
        return [
            {"few": few, "seed": seed, "tapes": [], "meters": []}
            for few, seed in zip((1, 0), seeds, strict=True)
        ]

    def _judge(self, open_door: OpenDoor) -> Result:
        cases = self.cases(fresh_generator())
        with open_door(cases) as door:
            door.call(0)
            door.inspect(0)
            _raise_if_past_the_meter(door, cases[0])
            theta = door.call(1)
            door.inspect(1)
            note = "your function prints, which is hidden here" if door.printed else ""
        spent = sum(rho for *_, rho in cases[1]["tapes"][0])
        share, words = _score(theta, cases[1]["seed"], spent)
        words += f"; the bill was {spent / budget():.0%} of the budget"
        return Result(self.name, self.established, 2, "; ".join(filter(None, (words, note))), share)


def _raise_if_past_the_meter(door: Door, case: dict) -> None:
    """Play releases again, with other chance and over other rows: theta must be the same."""
    played: list = []
    case["tapes"].clear()
    ((first,),) = door.replay(0, [{}], [5])
    if first is None:
        raise BadAnswer(
            "it works once, and not a second time",
            ask="what does your function keep from one call to the next?",
        )
    played.extend(case["tapes"][0])
    again, other = (
        each
        for ((each,),) in (
            door.replay(0, [{"played": played, "others": others}], [6 - others])
            for others in (0, 1)
        )
    )
    if again is None or not np.array_equal(first, again):
        raise BadAnswer(
            "the same releases give two different thetas",
            ask="which line of yours hangs on more than what was released: on a random number of "
            "its own, or on something that `part` keeps of the rows that it saw?",
        )
    if other is None or not np.array_equal(first, other):
        problem, ask = PAST_THE_METER
        seen = "the same releases, with other rows behind the meter, give another theta"
        raise BadAnswer(problem, seen=seen, ask=ask)


def _score(theta: np.ndarray, seed: int, spent: float) -> tuple[float, str]:
    """Return the share of the points, and words; BadAnswer where it is none."""
    X, y = _split(seed, learn=False)
    right = float(np.mean(np.where(X @ theta > 0, 1, -1) == y))
    majority = max(float(np.mean(y > 0)), float(np.mean(y <= 0)))
    share = min(1.0, (right - majority) / _ALL_POINTS)
    if share <= 0:
        ask = "how large is the noise beside what you release: what would make it smaller? And "
        ask += "does theta follow from X, or from y alone?"
        if not spent:
            ask = "nothing was released: from what could your theta learn?"
        elif right < 1 / 2:
            ask = f"minus your theta is right for {1 - right:.1%}: in which direction do you step?"
        raise BadAnswer(
            "it is no better than always giving the majority's answer",
            seen=f"right for {right:.1%} of people it has not seen; "
            f"the majority's answer is right for {majority:.1%}",
            ask=ask,
        )
    words = f"{right:.1%} right on held-out people, {majority:.1%} by the majority's answer"
    return share, f"{words}: {share:.0%} of the points"


CLAIM = _Metered(
    name=_NAME,
    repeats=False,  # the score is that of one model
    about=(
        "Check `best_private_model(release, *, columns, people, rho)`: every look at the rows\n"
        "goes through `release` and is billed; the model is scored by its accuracy on people\n"
        "it has not seen, above that of the majority's answer."
    ),
    established="a model for (1, 1e-5): it saw the rows through the meter alone",
    arguments=_arguments,
    inspect=_inspect,
    read=lambda answer, p: weights_of(answer, _COLUMNS if p["few"] else 110),
    situation=lambda p: f"{_FEW if p['few'] else _PEOPLE} people, rho {budget():.4g}",
)
