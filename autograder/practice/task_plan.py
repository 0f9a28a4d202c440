"""A task as its parts: what is asked, of whom, within which bounds, and how it is made private."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields

from autograder.practice.columns import GROUPS, NUMBERS, Condition

QUESTIONS = (
    "count",
    "sum",
    "mean",
    "histogram",
    "crosstab",
    "sums",
    "most_common",
    "quantile",
    "answer",
)
GAUSSIAN = ("gaussian", "gaussian_rho")
CHOICES = ("exponential_mechanism", "noisy_max", "permute_and_flip")
NOISES = ("laplace", "discrete_laplace", *GAUSSIAN, *CHOICES, "randomized_response")
GROUPED = ("histogram", "crosstab")
_AFTER = ("none", "clamp", "tens", "per_row", "bounds")
_SPLITS = {"whole": 0, "equal": 1, "share": 2, "each": 0, "two": 2}
_CLIPPED = ("sum", "sums", "mean")


@dataclass(frozen=True)
class Plan:
    """A task's parts.

    Attributes:
      question: one of QUESTIONS.
      columns: the columns asked for; none for a count.
      condition: which people count; None for all.
      bounds: (low, high) of each column that is clipped, or of a quantile's candidates.
      relation: "add_remove" or "replace_one".
      rows_each: how many rows one person has at most.
      noise: one of NOISES.
      split: how this release shares the budget: ("whole",), ("equal", releases), ("share", a, b)
        for a / b of it, ("each",) where every number gets an equal part, or ("two", a, b) where the
        sum gets a / b and the count the rest.
      after: what is done after the noise: "none", "clamp" at 0, rounding to "tens", division by the
        number of rows ("per_row"), or a cut to the "bounds".
      level: from 1 to 6.
      quantile: which one, for a quantile.
      slip: what is done wrong; "" in every task, set in its mistakes.
    """

    question: str
    columns: tuple[str, ...] = ()
    condition: Condition | None = None
    bounds: tuple[tuple[int, int], ...] = ()
    relation: str = "add_remove"
    rows_each: int = 1
    noise: str = "laplace"
    split: tuple = ("whole",)
    after: str = "none"
    level: int = 1
    quantile: float = 0.5
    slip: str = ""

    def parts(self) -> int:
        """Return the number of parts that a reader has to think about: its difficulty."""
        return sum(
            [
                self.condition is not None,
                bool(self.bounds),
                self.relation == "replace_one",
                self.rows_each > 1,
                self.noise != "laplace",
                self.split != ("whole",),
                self.after != "none",
                self.question not in ("count", "sum", "answer"),
            ]
        )

    def text(self) -> str:
        """Return the plan as one line, from which `Plan.read` makes it again."""
        plain = {f.name: f.default for f in fields(self)}
        given = {name: value for name, value in asdict(self).items() if value != plain[name]}
        return json.dumps(given, separators=(",", ":"))

    @classmethod
    def read(cls, text: str) -> Plan:
        """Return the plan that a line describes.

        Raises:
          ValueError: it describes none.
        """
        try:
            found = json.loads(text)
            plan = cls(**{name: _tuples(value) for name, value in found.items()})
        except (AttributeError, TypeError, ValueError) as error:
            raise ValueError(f"text must be a task's plan, got {text[:60]!r}") from error
        reason = refused(plan)
        if reason:
            raise ValueError(f"text must be the plan of a task: {reason}; got {text[:60]!r}")
        return plan


def _tuples(value):
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def refused(plan: Plan) -> str:
    """Return why the grammar has no such task, or "" if it has."""
    return next((why for rule in _RULES for why in [rule(plan)] if why), "")


def _unknown(plan: Plan) -> str:
    known = {
        "question": QUESTIONS,
        "relation": ("add_remove", "replace_one"),
        "noise": NOISES,
        "after": _AFTER,
        "level": range(1, 7),
        "rows_each": range(1, 6),
        "quantile": (0.25, 0.5, 0.75),
    }
    for name, choices in known.items():
        if getattr(plan, name) not in choices:
            return f"there is no {name.replace('_', ' ')} {getattr(plan, name)!r}"
    if not plan.split or _SPLITS.get(plan.split[0], -1) != len(plan.split) - 1:
        return f"there is no split {plan.split!r}"
    return "" if set(plan.columns) <= {*NUMBERS, *GROUPS} else "a column is none of the census"


def _noise(plan: Plan) -> str:
    chooses = plan.question in ("most_common", "quantile")
    if chooses != (plan.noise in CHOICES):
        return "a choice is made by a selection mechanism, and a number is not"
    if (plan.question == "answer") != (plan.noise == "randomized_response"):
        return "randomized response is for one person's answer, and that has no other noise"
    if plan.noise == "discrete_laplace" and plan.question == "mean":
        return "a quotient of two whole numbers is no whole number: two readings of the noise"
    return ""


def _after(plan: Plan) -> str:
    if plan.after == "none":
        return ""
    if plan.noise in CHOICES or plan.question == "answer":
        return "a choice is released as it is"
    if plan.after == "per_row" and plan.relation == "add_remove":
        return "the number of rows is not public when a person may be added or removed"
    if plan.after == "per_row" and plan.question not in ("count", "sum"):
        return "one number is divided by the number of rows, not several that depend on each other"
    if plan.after == "tens" and plan.noise == "discrete_laplace":
        return "a whole number that ends in 5 has two nearest tens"
    if (plan.after == "bounds") != (plan.question == "mean"):
        return "a mean is cut to its bounds, and nothing else is"
    if plan.after == "tens" and (plan.question in _CLIPPED or plan.noise == "gaussian"):
        return "its noise is so wide that rounding to tens cannot be told from none"
    return ""


def _split(plan: Plan) -> str:
    kind = plan.split[0]
    if (kind == "two") != (plan.question == "mean"):
        return "a mean is a sum and a count, which share the budget; nothing else is two releases"
    if kind == "each" and plan.question != "sums":
        return "a person is in one group only, so no budget need be divided among groups"
    if plan.question == "sums" and kind not in ("each", "whole"):
        return "several sums and a share of the budget: two readings of who gets what"
    if kind == "two" and 2 * plan.split[1] <= plan.split[2]:
        return "the wide noise of the sum hides whether the count has any"
    if kind == "two" and 4 * plan.split[1] >= 3 * plan.split[2]:
        return "the wide noise of the count hides how wide that of the sum is"
    if kind in ("share", "two") and not 0 < plan.split[1] < plan.split[2]:
        return f"a share lies between 0 and 1, not at {plan.split[1]}/{plan.split[2]}"
    return ""


def _bounds(plan: Plan) -> str:
    clipped = plan.question in _CLIPPED
    wanted = len(plan.columns) if clipped else int(plan.question == "quantile")
    if len(plan.bounds) != wanted:
        return "a sum needs bounds that are public, a count needs none"
    # In a mean the noise of the count hides some of the difference.
    most = 0.7 if plan.question == "mean" else 0.8
    for low, high in plan.bounds if clipped else ():
        if not 0 <= low < high:
            return f"bounds must be in order and not negative, not [{low}, {high}]"
        # A scale that is off by less than a fifth takes thousands of draws to see.
        if (high - low) / high > most:
            return "both relations give nearly the same noise: no check tells them apart"
    wide = plan.split[0] in ("equal", "share", "two") or plan.rows_each > 1
    if clipped and plan.noise == "gaussian" and wide:
        return "its noise is so wide that nobody sees whether the values were clipped"
    if plan.condition and plan.condition[0] in plan.columns and plan.question != "answer":
        return "a condition on the column that is asked for changes its bounds"
    return ""


def _people(plan: Plan) -> str:
    if plan.question == "answer" and (plan.rows_each > 1 or plan.relation == "add_remove"):
        return "one person's own answer has one row, and is replaced by another one"
    if plan.question == "mean" and plan.relation == "replace_one" and not plan.condition:
        return "the number of rows is public then: a noisy count and the count itself are two ways"
    if plan.question == "mean" and plan.relation == "replace_one":
        return "whoever is replaced may leave the condition: two readings of the sum's sensitivity"
    if plan.question in ("sum", "sums") and plan.relation == "replace_one" and plan.condition:
        return "whoever is replaced may leave the condition: two readings of the sum's sensitivity"
    return ""


_RULES = (_unknown, _noise, _after, _split, _bounds, _people)
