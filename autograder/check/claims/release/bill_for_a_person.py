"""What a release costs one person, if its promise is made to another unit."""

from autograder.check.designed import at_edges
from autograder.check.function_claim import FunctionClaim


def bill_for_a_person(epsilon, *, unit, most_rows, most_days):
    """The epsilon that one person pays, if the promise of epsilon is made to a unit."""
    # Dwork & Roth (2014), theorem 2.2: a group of k pays k times epsilon.
    units = {"person": 1, "person-day": min(most_days, most_rows), "row": most_rows}
    return units[unit] * epsilon


CLAIM = FunctionClaim(
    bill_for_a_person,
    established="the bill of one person, for a promise to rows, to days and to persons",
)


@CLAIM.inputs
def nine(rng):
    """Each unit, with more rows than days, fewer, and as many."""
    for most_rows, most_days in ((300, 90), (40, 365), (25, 25)):
        for unit in ("row", "person-day", "person"):
            yield {
                "epsilon": round(float(rng.uniform(0.02, 2.5)), 3),
                "unit": unit,
                "most_rows": most_rows + int(rng.integers(0, 9)),
                "most_days": most_days,
            }


@CLAIM.designed
def edges(rng):
    for unit in ("row", "person-day", "person"):
        given = {"epsilon": round(float(rng.uniform(0.1, 2)), 2), "unit": unit}
        yield f"one row, unit {unit}", {**given, "most_rows": 1, "most_days": 365}
        yield f"one day, unit {unit}", {**given, "most_rows": 12, "most_days": 1}
    for epsilon in at_edges("epsilon", rng):
        given = {"epsilon": epsilon, "unit": "row", "most_rows": 7, "most_days": 7}
        yield f"epsilon {epsilon}", given


def of_units(units):
    """Return a function that multiplies epsilon by units(unit, most_rows, most_days)."""
    return lambda epsilon, *, unit, most_rows, most_days: (
        units(unit, most_rows, most_days) * epsilon
    )


CLAIM.mistake(
    "epsilon is returned, whatever the unit is",
    "if a row is the unit, for how much of a person with ten rows is the promise made?",
    of_units(lambda unit, rows, days: 1),
)
CLAIM.mistake(
    "every unit costs a person as much as a row",
    "if all that a person has comes or goes at once, how many units is that?",
    of_units(lambda unit, rows, days: rows),
)
CLAIM.mistake(
    "a day is counted although there is no row for it",
    "somebody with three rows: on how many days can they have been there?",
    of_units(lambda unit, rows, days: {"person": 1, "person-day": days, "row": rows}[unit]),
)
CLAIM.mistake(
    "a day costs as much as all rows of a person",
    "how many units is a person who comes twice on each day?",
    of_units(lambda unit, rows, days: {"person": 1, "person-day": rows, "row": rows}[unit]),
)
CLAIM.mistake(
    "epsilon is divided by the number of units",
    "does a promise for each row become stronger, or weaker, for somebody who has many?",
    lambda epsilon, *, unit, most_rows, most_days: (
        epsilon**2 / bill_for_a_person(epsilon, unit=unit, most_rows=most_rows, most_days=most_days)
    ),
)
