"""A task's text, as a person would write it: each part has a few ways to be said."""

import math

import numpy as np

from autograder.practice.exact import candidates, exact, groups, truth
from autograder.practice.law import released
from autograder.practice.opening import NUMBER_WORDS, Writer, listed, opening
from autograder.practice.program import signature
from autograder.practice.task_plan import CHOICES, GAUSSIAN, GROUPED, Plan

_PEOPLE = 1000  # of the census, for a worked number

# How little noise is allowed, by how the budget is shared.
_ALLOWS = {"whole": "ε-differential privacy allows", "each": "each sum's part of ε allows"}
_PARTS = {3: "third", 4: "quarter", 5: "fifth"}


def describe(plan: Plan, name: str, generator: np.random.Generator) -> str:
    """Return a task's text as Markdown.

    Args:
      plan: the task's parts.
      name: of the function that is asked for.
      generator: decides between ways to say the same.
    """
    writer = Writer(plan, generator)
    if plan.question == "answer":
        middle = [_local_budget(writer), _noise(writer)]
    else:
        middle = [_relation(writer), _budget(writer), _noise(writer)]
    last = [_after(writer), _returned(writer), worked(plan)]
    paragraphs = [opening(writer), _joined(middle), _joined(last)]
    given = "value" if plan.question == "answer" else "people"
    what = (
        f"one person's `{_asked_column(plan)}`" if given == "value" else "a table like the census"
    )
    paragraphs.append(f"Write `{signature(plan, name)}`, where `{given}` is {what}.")
    return "\n\n".join(paragraphs)


def _joined(sentences: list[str]) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


def _asked_column(plan: Plan) -> str:
    return plan.condition[0] if plan.condition else plan.columns[0]


def _relation(writer: Writer) -> str:
    rows = writer.plan.rows_each
    if writer.plan.relation == "add_remove":
        if rows == 1:
            return writer.one_of(
                "Neighbors differ by one row, which is added or removed.",
                "A neighbor is the same table with one row more, or one row fewer.",
                "One person is one row, and neighbors are `add_remove`.",
            )
        return writer.one_of(
            f"A person has at most {NUMBER_WORDS[rows]} rows, and each row counts. In a "
            "neighboring table all rows of one person are added or removed.",
            f"Every row counts, and nobody has more than {NUMBER_WORDS[rows]}. Neighbors are "
            "`add_remove`: one person comes or goes, with all rows.",
        )
    if rows == 1:
        return writer.one_of(
            "Neighbors have equally many rows, and one row has other values.",
            "A neighbor is the same table with one row replaced by another.",
            "One person is one row, and neighbors are `replace_one`.",
        )
    return writer.one_of(
        f"A person has at most {NUMBER_WORDS[rows]} rows, and each row counts. In a neighboring "
        "table the rows of one person have other values; there are as many rows as before.",
        f"Every row counts, and nobody has more than {NUMBER_WORDS[rows]}. Neighbors are "
        "`replace_one`: all rows of one person may have other values.",
    )


def _share_words(a: int, b: int) -> str:
    part = _PARTS[b]
    return f"{'a' if a == 1 else NUMBER_WORDS[a]} {part}{'' if a == 1 else 's'}"


def _budget(writer: Writer) -> str:
    plan, budget = writer.plan, writer.budget
    kind, *numbers = plan.split
    if kind == "whole":
        return _one_scale(writer)
    if kind == "equal":
        number = NUMBER_WORDS[numbers[0]]
        return writer.one_of(
            f"This is one of {number} releases that share {budget} equally.",
            f"{number.capitalize()} releases about the same people share {budget} equally, and "
            "this is one of them.",
        ) + _also(_one_scale(writer))
    if kind == "each":
        return f"Each sum gets an equal part of {budget}, and noise of its own scale."
    words = _share_words(*numbers)
    of = budget.replace(" and ", " and of ")
    if kind == "two":
        return f"The sum gets {words} of {of}, and the count gets the rest."
    verb = "is" if numbers[0] == 1 else "are"
    return writer.one_of(
        f"{words.capitalize()} of {of} {verb} for this release; the rest is kept for later.",
        f"Spend {words} of {of} on this release, and keep the rest.",
    ) + _also(_one_scale(writer))


def _one_scale(writer: Writer) -> str:
    plan = writer.plan
    if plan.question not in (*GROUPED, "sums"):
        return ""
    noun = "sums" if plan.question == "sums" else "counts"
    return f"All {noun} are one release, with noise of one scale."


def _also(sentence: str) -> str:
    return f" {sentence}" if sentence else ""


def _local_budget(writer: Writer) -> str:
    kind, *numbers = writer.plan.split
    if kind == "whole":
        return ""
    if kind == "equal":
        number = NUMBER_WORDS[numbers[0]]
        return (
            f"Each person is asked {number} questions, which share ε equally. This is one of them."
        )
    words = _share_words(*numbers)
    return f"This answer may spend {words} of ε; the rest is for other questions."


def _noise(writer: Writer) -> str:
    plan = writer.plan
    if plan.noise in CHOICES:
        return _selection(plan)
    if plan.noise in GAUSSIAN:
        return _gaussian(writer)
    allows = _ALLOWS.get(plan.split[0], "this part of ε allows")
    if plan.noise == "randomized_response":
        return writer.one_of(
            f"Use randomized response: the honest answer comes as often as {allows}, and all "
            "other answers are equally likely.",
            f"By randomized response, be honest as often as {allows}; otherwise return one of "
            "the other answers, all with the same probability.",
        )
    if plan.question == "mean":
        return "Both get Laplace noise, as little as their parts of ε allow."
    if plan.noise == "laplace":
        return writer.one_of(
            f"Add Laplace noise, as little as {allows}.",
            f"The noise is Laplace, of the smallest scale that {allows}.",
        )
    return (
        f"Add discrete Laplace noise of the smallest scale that {allows}: a whole number k "
        "comes with a probability proportional to exp(−|k| / scale)."
    )


def _gaussian(writer: Writer) -> str:
    plan = writer.plan
    whose = ""
    if plan.split[0] != "whole":
        owner = {"each": "each sum", "two": "each of the two"}.get(plan.split[0], "this release")
        whose = f", with the part of {writer.budget} that {owner} gets"
    if plan.noise == "gaussian_rho":
        return (
            "Add Gaussian noise for ρ-zero-concentrated differential privacy: its standard "
            f"deviation is the L2 sensitivity times √(1 / (2ρ)){whose}."
        )
    return (
        "Add Gaussian noise of the classical standard deviation: the L2 sensitivity times "
        f"√(2 ln(1.25 / δ)) / ε{whose}."
    )


def _selection(plan: Plan) -> str:
    """Return how a candidate is chosen."""
    noise = plan.noise
    spent = "" if plan.split[0] == "whole" else "ε is the part that this release may spend, and "
    last = f"Here {spent}the sensitivity is the largest change of one score between neighbors."
    if noise == "exponential_mechanism":
        how = "the exponential mechanism, with weights exp(ε × score / (2 × sensitivity))."
    elif noise == "noisy_max":
        how = (
            "report noisy max: every score gets Laplace noise of scale 2 × sensitivity / ε, "
            "and the candidate with the largest result wins."
        )
    else:
        how = (
            "permute-and-flip: go through the candidates in random order, and accept each with "
            "probability exp(ε × (score − best score) / (2 × sensitivity)); the first that is "
            "accepted is the answer."
        )
    return f"Choose by {how} {last}"


def _after(writer: Writer) -> str:
    plan = writer.plan
    several = plan.question in (*GROUPED, "sums")
    if plan.after == "clamp":
        what = "A noisy number below 0" if several else "An answer below 0"
        return writer.one_of(f"{what} becomes 0.", f"{what} is released as 0.")
    if plan.after == "tens":
        what = "every noisy number" if several else "the noisy number"
        return f"Round {what} to the nearest ten."
    if plan.after == "per_row":
        return writer.one_of(
            "Divide the noisy number by the number of rows in the table, which is public.",
            "The number of rows in the table is public: divide the noisy number by it.",
        )
    if plan.after == "bounds":
        low, high = plan.bounds[0]
        return (
            f"A noisy count below 1 counts as 1. Clip the quotient to [{low}, {high}], as each "
            "value was."
        )
    return ""


def _returned(writer: Writer) -> str:
    plan = writer.plan
    if plan.question == "histogram":
        return f"Return the list of the counts, in this order: {_listed(groups(plan))}."
    if plan.question == "crosstab":
        names = listed([f"`{one}`/`{other}`" for one, other in groups(plan)])
        return f"Return the list of the counts, in this order: {names}."
    if plan.question == "sums":
        return "Return the list of the sums."
    if plan.question == "answer":
        return "Return `True` or `False`." if plan.condition else "Return the answer as text."
    return "Return the candidate." if plan.noise in CHOICES else "Return one number."


def worked(plan: Plan) -> str:
    """Return a worked number: what the census gives without noise."""
    if plan.question == "answer":
        if plan.condition is None or plan.condition[1] == "==":
            return ""
        told = "`True`" if truth(plan, plan.condition[2]) else "`False`"
        return f"With `{plan.condition[2]}` the honest answer is {told}."
    from dplib.data import load_adult

    people = load_adult().iloc[:_PEOPLE]
    needed = [*plan.columns, *([plan.condition[0]] if plan.condition else [])]
    given = {"people": {name: people[name].to_numpy() for name in needed}}
    where = f"first {_PEOPLE:,} people of the census"
    if plan.noise in CHOICES:
        scores = exact(plan, given["people"])
        best = [candidates(plan)[place] for place in np.flatnonzero(scores == scores.max())]
        has = "have" if len(best) > 1 else "has"
        return f"Among the {where}, {_listed(best)} {has} the highest score."
    # Whole numbers may lie in the middle between two tens.
    rounded = plan.after == "tens"
    values = exact(plan, given["people"]) if rounded else released(plan, given)
    figures = listed([_figure(value) for value in values])
    before = "Before noise and rounding" if rounded else "Without noise"
    return f"{before}, the {where} give {figures}."


def _listed(names: list) -> str:
    return listed([f"`{each}`" for each in names])


def _figure(value: float) -> str:
    return f"{value:,.0f}" if math.isclose(value, round(value)) else f"{value:,.4g}"
