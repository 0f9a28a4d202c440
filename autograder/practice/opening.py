"""How a task opens: the question, whom it is about, and which values are clipped."""

import numpy as np

from autograder.practice.columns import conditions
from autograder.practice.exact import candidates, groups
from autograder.practice.task_plan import Plan

_PLURALS = {
    "Age": "ages",
    "Hours per week": "weekly working hours",
    "Education-Num": "levels of education",
    "Capital Loss": "capital losses",
}
_SINGULARS = {
    "Sex": "sex",
    "Target": "income group",
    "Race": "race",
    "Relationship": "place in the household",
    "Marital Status": "marital status",
}
NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven")
_PARTS_OF = {0.25: "a quarter of", 0.5: "half of", 0.75: "three quarters of"}
_QUANTILES = {0.25: "first quartile", 0.5: "median", 0.75: "third quartile"}


class Writer:
    """Writes one plan's text; chance decides between ways to say the same."""

    def __init__(self, plan: Plan, generator: np.random.Generator):
        self.plan, self._generator = plan, generator

    def one_of(self, *ways: str) -> str:
        return ways[int(self._generator.integers(len(ways)))]

    @property
    def budget(self) -> str:
        """What is shared, in words."""
        return {"gaussian": "ε and δ", "gaussian_rho": "ρ"}.get(self.plan.noise, "ε")

    def people(self) -> str:
        """Whom the question is about."""
        if self.plan.condition is None:
            return self.one_of("all people in the table", "all people")
        return f"the {self.those()}"

    def those(self) -> str:
        """Whom the condition leaves."""
        if self.plan.condition[0] == "Sex":
            value = self.plan.condition[2]
            return f"{'women' if value == 'Female' else 'men'} (`Sex` is `{value}`)"
        return f"people who {self.condition()}"

    def condition(self) -> str:
        """The condition after "people who"; for a group with the column that tells it."""
        name, sign, value = self.plan.condition
        words = dict(conditions())[self.plan.condition]
        return f"{words} (`{name}` is `{value}`)" if sign == "==" else words


def listed(items: list[str]) -> str:
    """Return "a, b and c"."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def opening(writer: Writer) -> str:
    """Return the first paragraph of a task."""
    make = {
        "count": _ask_count,
        "sum": _ask_sum,
        "sums": _ask_sum,
        "mean": _ask_mean,
        "histogram": _ask_histogram,
        "crosstab": _ask_crosstab,
        "most_common": _ask_most_common,
        "quantile": _ask_quantile,
        "answer": _ask_answer,
    }
    return make[writer.plan.question](writer)


def _ask_count(writer: Writer) -> str:
    those, condition = writer.those(), writer.condition()
    of_people = those.startswith("people")
    asked = f"how many {f'people {condition}' if of_people else f'{those} there are'}"
    return writer.one_of(
        f"How many {f'people {condition}' if of_people else f'{those} are there'}? "
        "Release the number with noise.",
        f"Release the number of {those}.",
        f"A newspaper wants to know {asked}. Give it a private count.",
        f"A city plans its services, and asks {asked}. Answer with a private count.",
    )


def _ask_sum(writer: Writer) -> str:
    plan, people = writer.plan, writer.people()
    plurals = [f"{_PLURALS[name]} (`{name}`)" for name in plan.columns]
    ranges = [f"[{low}, {high}]" for low, high in plan.bounds]
    if plan.question == "sum":
        return writer.one_of(
            f"Release the sum of the {plurals[0]} of {people}. "
            f"Every value is first clipped to {ranges[0]}.",
            f"What do the {plurals[0]} of {people} add up to? "
            f"Clip each value to {ranges[0]}, then take the sum.",
            f"Clip the {plurals[0]} of {people} to {ranges[0]}, and release the sum.",
        )
    number = NUMBER_WORDS[len(plurals)]
    pairs = [f"{plural} clipped to {each}" for plural, each in zip(plurals, ranges, strict=True)]
    order = ", then the ".join(pairs)
    return writer.one_of(
        f"Release {number} sums over {people}, in this order: the {order}.",
        f"Release the sums of {number} columns over {people}. In this order: the {order}.",
    )


def _ask_mean(writer: Writer) -> str:
    plan, people = writer.plan, writer.people()
    (low, high), name = plan.bounds[0], plan.columns[0]
    plural = f"{_PLURALS[name]} (`{name}`)"
    return writer.one_of(
        f"Release the mean of the {plural} of {people}, each clipped to [{low}, {high}], "
        "as a noisy sum over a noisy count.",
        f"What is the mean of the {plural} of {people}? Clip each value to [{low}, {high}], "
        "and divide a noisy sum by a noisy count.",
    )


def _ask_histogram(writer: Writer) -> str:
    name, people = writer.plan.columns[0], writer.people()
    whom = people if writer.plan.condition else "the people in the table"
    return writer.one_of(
        f"Release a histogram of `{name}` for {people}: how many there are in each group.",
        f"Count {people} by `{name}`, and release all counts.",
        f"How many of {whom} are in each group of `{name}`? Release a noisy count for each.",
    )


def _ask_crosstab(writer: Writer) -> str:
    (one, other), people = writer.plan.columns, writer.people()
    return writer.one_of(
        f"Release the table of `{one}` by `{other}` for {people}: one count for each pair.",
        f"Count {people} for each pair of `{one}` and `{other}`, and release all counts.",
    )


def _ask_most_common(writer: Writer) -> str:
    name, people = writer.plan.columns[0], writer.people()
    names = listed([f"`{each}`" for each in candidates(writer.plan)])
    return (
        writer.one_of(
            f"Which {_SINGULARS[name]} is the most common among {people}?",
            f"Choose the most common {_SINGULARS[name]} among {people}.",
        )
        + f" The candidates are the values of `{name}`: {names}. "
        + writer.one_of(
            "The score of a candidate is the number of its rows.",
            "A candidate scores as many points as it has rows.",
        )
    )


def _ask_quantile(writer: Writer) -> str:
    plan, people = writer.plan, writer.people()
    options = candidates(plan)
    which, plural = _QUANTILES[plan.quantile], _PLURALS[plan.columns[0]]
    steps = f"{options[0]}, {options[1]}, {options[2]}, …, {options[-1]}"
    return (
        writer.one_of(
            f"Choose the {which} of the {plural} (`{plan.columns[0]}`) of {people}.",
            f"What is the {which} of the {plural} (`{plan.columns[0]}`) of {people}?",
        )
        + f" The candidates are {steps}. The score of a candidate is minus the distance between "
        f"the number of smaller values and {_PARTS_OF[plan.quantile]} the number of all values."
    )


def _ask_answer(writer: Writer) -> str:
    plan = writer.plan
    if plan.condition is None:
        name = plan.columns[0]
        names = listed([f"`{each}`" for each in groups(plan)])
        return writer.one_of(
            f"A survey asks for each person's {_SINGULARS[name]}. Nobody trusts the survey, so "
            f"every answer is randomized before it is sent. The possible answers are {names}.",
            f"Each person's device reports its owner's {_SINGULARS[name]}, and randomizes the "
            f"answer before it is sent. The possible answers are {names}.",
        )
    words = dict(conditions())[plan.condition]
    verb, _, rest = words.partition(" ")
    rest = {"men": "a man", "women": "a woman"}.get(rest, rest)
    asked = f"{verb.capitalize()} you {rest}?" if verb in ("are", "have") else f"Do you {words}?"
    known = f" The honest answer is yes if `{plan.condition[0]}` is `{plan.condition[2]}`."
    return writer.one_of(
        f"A survey asks each person: *{asked}* The answer is randomized before it is sent.",
        f"*{asked}* Each person's own device randomizes the answer to this question.",
    ) + (known if plan.condition[1] == "==" else "")
