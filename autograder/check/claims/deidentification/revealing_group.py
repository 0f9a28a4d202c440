"""Break it: means of groups, the small ones hidden, that reveal one person all the same."""

import math
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, as_number, parts_of
from autograder.check.claims.deidentification._tables import frame, listed
from autograder.check.counterexample import CounterexampleClaim

_LEAST = 5  # the publisher hides the mean of a smaller group
_ALL = "all"
_TOWNS = ("Alby", "Brook", "Cray", "Dunmere", "Eastley", "Fenwick", "Garth", "Holt", "Ilford")
_JOBS = ("baker", "nurse", "driver", "clerk", "teacher", "farmer", "painter")
# Sizes of the groups that are hidden in a town. One pay follows only where one group is hidden,
# and that group is one person.
_HIDDEN = ((1,), (3,), (1, 1), (), (2, 1), (4,))


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return five published tables, each of six towns of which exactly one gives a person away."""
    cases = []
    while len(cases) < 5:
        case = _case(generator)
        if _each_job_is_shown(case["pays"]):
            cases.append(case)
    return cases


def _each_job_is_shown(pays: dict) -> bool:
    """Say whether every job has a published mean: pandas leaves out a pivot's empty columns."""
    shown = {job for (_, job), group in pays.items() if len(group) >= _LEAST}
    return shown == {job for _, job in pays}


def _case(generator: np.random.Generator) -> dict:
    """Return a table of groups, and what the publisher keeps secret: the pay of every person."""
    towns = [str(town) for town in generator.permutation(_TOWNS)[: len(_HIDDEN)]]
    rows, pays = [], {}
    for place in generator.permutation(len(_HIDDEN)):
        groups = _groups(generator, _HIDDEN[place])
        pays |= {(towns[place], job): group for job, group in groups.items()}
        groups[_ALL] = [pay for group in groups.values() for pay in group]
        rows += [(towns[place], job, len(group), _mean(group)) for job, group in groups.items()]
    rows = [rows[place] for place in generator.permutation(len(rows))]
    names = ("Town", "Job", "People", "Mean pay")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    return {"table": {"columns": columns, "labels": list(range(len(rows)))}, "pays": pays}


def _groups(generator: np.random.Generator, hidden: tuple[int, ...]) -> dict[str, list[float]]:
    """Return the pay of every person of a town by job, in dollars and cents."""
    jobs = [str(job) for job in generator.permutation(_JOBS)]
    shown = generator.integers(_LEAST, 20, int(generator.integers(2, 5)))
    sizes = generator.permutation([*hidden, *shown])
    pays = [generator.integers(1_500_000, 9_500_000, size) / 100 for size in sizes]
    return {job: pay.tolist() for job, pay in zip(jobs, pays, strict=False)}


def _mean(group: list[float]) -> float | None:
    """Return the mean that is published, or None for a group that is hidden."""
    return sum(group) / len(group) if len(group) >= _LEAST else None


def _verify(parameters: dict, answer: Any) -> None:
    """Raise BadAnswer unless the answer names the one person given away, and their pay."""
    town, job, pay = _read(answer)
    people = parameters["pays"].get((town, job))
    if people is None:
        raise _no_such_group(parameters, town, job)
    if len(people) >= _LEAST:
        raise BadAnswer(
            "the mean of this group is published",
            seen=f"{job} in {town}: {len(people)} people",
            ask="whose mean is hidden, and can you still work it out?",
        )
    if len(people) > 1:
        raise BadAnswer(
            "the group is more than one person",
            seen=f"{job} in {town}: {len(people)} people, so a mean is nobody's pay",
            ask="in which hidden group is a mean the pay of one person?",
        )
    hidden = [
        name for name in parameters["pays"] if name[0] == town and _is_hidden(parameters, name)
    ]
    if len(hidden) > 1:
        raise BadAnswer(
            "another group of this town is hidden too",
            seen=f"in {town} the means of {listed([name for _, name in hidden])} are hidden, so "
            "only their sum can be known",
            ask="in which town is everybody else's pay accounted for?",
        )
    # Sums of whole numbers below 1e7, from means that are rounded once: off by less than 1e-8.
    if not math.isclose(pay, people[0], abs_tol=1e-3):
        raise _rounded_pay(town, job, pay, people[0]) or _wrong_pay(parameters, town, job, pay)


def _is_hidden(parameters: dict, name: tuple[str, str]) -> bool:
    return len(parameters["pays"][name]) < _LEAST


def _no_such_group(parameters: dict, town: Any, job: Any) -> BadAnswer:
    if job == _ALL:
        return BadAnswer(
            "the whole town is not one person",
            seen=f"it returned the group {job!r} of {town!r}",
            ask="whose pay is in the total of the town and in no published group?",
        )
    return BadAnswer(
        "there is no such group",
        seen=f"it returned {town!r}, {job!r}; the towns are "
        f"{listed(sorted({name for name, _ in parameters['pays']}))}",
        ask="which jobs does the table hold for this town?"
        if town in {name for name, _ in parameters["pays"]}
        else "does your function return town, job, pay, in this order?",
    )


def _rounded_pay(town: str, job: str, pay: float, right: float) -> BadAnswer | None:
    """Return the words for a pay that is off by less than a dollar."""
    off = abs(pay - right)
    if off >= 1:
        return None
    return BadAnswer(
        "the group is right, the pay is not exact",
        seen=f"{job} in {town}: you gave {pay:,.2f}, which is off by {off:.2g} dollars",
        ask="the pay is asked for to a thousandth: which of your steps rounds?",
    )


def _wrong_pay(parameters: dict, town: str, job: str, pay: float) -> BadAnswer:
    """Return the words for the right group and a wrong pay."""
    groups = [group for name, group in parameters["pays"].items() if name[0] == town]
    shown = [group for group in groups if len(group) >= _LEAST]
    everybody = [one for group in groups for one in group]
    others = [one for group in shown for one in group]
    total, mean, rest = sum(everybody), np.mean(everybody), np.mean(others)
    known = {
        "this is the mean of the town": mean,
        "this is the mean of the others": rest,
        "this is the pay of the whole town": total,
        "means are subtracted, not totals": mean - rest,
        "means are subtracted, not totals (one by one)": mean
        - sum(np.mean(each) for each in shown),
        "the other groups count as if they were of one size": (
            len(groups) * mean - sum(np.mean(each) for each in shown)
        ),
        "the sign is wrong": -(total - sum(others)),
        **_with_another_total(parameters, town),
    }
    problem = next(
        (words for words, value in known.items() if math.isclose(pay, value, rel_tol=1e-9)),
        "the group is right, the pay is not",
    )
    return BadAnswer(
        problem,
        seen=f"{job} in {town}: you gave {pay:,.2f}, which is not this person's pay",
        ask=_ANY_ORDER
        if problem.startswith(_OTHER_TOTAL)
        else "a mean times the number of people is a total: which totals do you know?",
    )


_OTHER_TOTAL = "another row is taken for the total of the town"
_ANY_ORDER = "The rows come in any order: how do you find the row with the total of a town?"


def _with_another_total(parameters: dict, town: str) -> dict[str, float]:
    """Return the pay that comes if the first or the last row of a town is taken for its total."""
    columns = parameters["table"]["columns"].values()
    totals = [
        people * mean
        for name, _, people, mean in zip(*columns, strict=True)
        if name == town and mean is not None
    ]
    pays = {"first": 2 * totals[0] - sum(totals), "last": 2 * totals[-1] - sum(totals)}
    return {f"{_OTHER_TOTAL}: the {place}": pay for place, pay in pays.items()}


def _read(answer: Any) -> tuple[Any, Any, float]:
    """Return town, job and pay, or raise BadAnswer."""
    parts = parts_of(answer, "three values", "town, job, pay", arrays=True)
    town, job, pay = parts
    if isinstance(pay, float) and math.isnan(pay):
        raise BadAnswer(
            "the pay is not a number",
            seen="it returned nan for the pay",
            ask="the mean of a hidden group is missing: into which of your sums does one go? "
            + _ANY_ORDER,
        )
    return str(town), str(job), as_number(pay)


def _situation(parameters: dict) -> str:
    rows, towns = len(parameters["table"]["labels"]), len({town for town, _ in parameters["pays"]})
    return f"a table of {rows} rows about {towns} towns"


CLAIM = CounterexampleClaim(
    about=(
        "Check `revealing_group(published)`: the one person whom published means give away.\n\n"
        "`published` has a row for each group, with the columns Town, Job, People and Mean pay,\n"
        "and one for each town with the job 'all'. The mean of a group of fewer than 5 people is\n"
        "missing. The function returns (town, job, pay): a group of one person, and what the\n"
        "published numbers say that this person earns."
    ),
    established="one person's pay follows from means that hide every small group",
    cases=_cases,
    arguments=lambda parameters: ((frame(parameters["table"]),), {}),
    verify=_verify,
    situation=_situation,
)
