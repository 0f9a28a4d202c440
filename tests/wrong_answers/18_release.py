"""Answers to the exercises on a release from start to end."""

import itertools
import math

import numpy as np

from dplib.release.visits import AGES, PLACES

WRONG, RIGHT = {}, {}

# --- bill_for_a_person ------------------------------------------------------------------------


def bill_by_branches(epsilon, *, unit, most_rows, most_days):
    if unit == "person":
        return epsilon
    if unit == "row":
        return epsilon * most_rows
    return epsilon * (most_days if most_days < most_rows else most_rows)


RIGHT["bill_for_a_person"] = [
    bill_by_branches,
    lambda epsilon, *, unit, most_rows, most_days: (
        epsilon * {"row": most_rows, "person": 1}.get(unit, min(most_rows, most_days))
    ),
    lambda epsilon, *, unit, most_rows, most_days: np.float64(epsilon) * np.min(
        {"row": [most_rows], "person": [1], "person-day": [most_rows, most_days]}[unit]
    ),
]  # fmt: skip
WRONG["bill_for_a_person"] = [
    (lambda epsilon, *, unit, most_rows, most_days: epsilon * most_days, "wrong at"),
    (lambda epsilon, *, unit, most_rows, most_days: most_rows, "wrong at"),
    (lambda epsilon, *, unit, most_rows, most_days: None, "it returns nothing"),
    (lambda epsilon, unit: epsilon, "cannot be called as the task says"),
    (
        lambda epsilon, *, unit, most_rows, most_days: (
            bill_by_branches(epsilon, unit=unit, most_rows=most_rows, most_days=most_days) ** 2
        ),
        "wrong at",
    ),
]

# --- interval_of_sum --------------------------------------------------------------------------


def interval(noisy, *, bound, epsilon, level, most_cut):
    """The room is the quantile of the noise's size."""
    room = -bound / epsilon * math.log1p(-level)
    return [noisy - room, (noisy + room) / (1 - most_cut)]


def interval_by_bisection(noisy, *, bound, epsilon, level, most_cut):
    scale, low, high = bound / epsilon, 0.0, 1e7
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if 1 - math.exp(-middle / scale) < level else (low, middle)
    return noisy - low, (noisy + low) / (1 - most_cut)


RIGHT["interval_of_sum"] = [
    interval,
    lambda noisy, **given: tuple(interval(noisy, **given)),
    lambda noisy, **given: np.array(interval(noisy, **given)),
]
WRONG["interval_of_sum"] = [
    (lambda noisy, **given: interval(noisy, **given)[::-1], "wrong at"),
    (lambda noisy, **given: noisy, "two ends are wanted"),
    (lambda noisy, **given: (noisy, None), "`high` is None"),
    (
        lambda noisy, *, bound, epsilon, level, most_cut: (
            noisy - 1.96 * math.sqrt(2) * bound / epsilon,
            (noisy + 1.96 * math.sqrt(2) * bound / epsilon) / (1 - most_cut),
        ),
        "wrong at",
    ),
    (lambda noisy, **given: interval(noisy, **given | {"most_cut": 0.1}), "wrong at"),
]

# --- publish_visits ---------------------------------------------------------------------------

PLACE = "'' if missing(place) else place.strip().title()"
PAID = "within(amount / (100 if day <= 120 else 1), 0, 500)"
STEPS = " else ".join(f"{k} if age < {top}" for k, top in enumerate(AGES[1:]))
GROUP = f"-1 if missing(age) else {STEPS} else -1"
QUESTIONS = {
    "people by place": {"by": PLACE, "cells": PLACES, "each": "any"},
    "visits by hour": {"by": "hour // 3", "cells": range(8)},
    "paid by quarter": {"by": "(day - 1) // 92", "cells": range(4), "value": PAID},
    "people by age": {"by": GROUP, "cells": range(6), "each": "any"},
}
SIZES = {name: len(list(each["cells"])) for name, each in QUESTIONS.items()}
EVEN = dict.fromkeys(QUESTIONS, 0.25)
SHARES = dict(zip(QUESTIONS, (0.3, 0.3, 0.25, 0.15), strict=True))
BOUNDS = dict(zip(QUESTIONS, (6, 100, 4000, 1), strict=True))
CUT = dict(zip(QUESTIONS, (0.03, 0.12, 0.12, 0), strict=True))
LOW = dict.fromkeys(QUESTIONS, 1)


def with_intervals(values, scale, *, cut=0.0, level=0.9):
    """Return values in the middle of what was cut off, and their intervals."""
    room = scale * math.log(1 / (1 - level))
    middle = values / (1 - cut / 2)
    return np.column_stack([middle, values - room, (values + room) / (1 - cut)])


def released(*, bounds=BOUNDS, shares=SHARES, cut=CUT, questions=QUESTIONS, unit="person"):
    """Return an answer that asks for each table once."""

    def answer(ask, *, epsilon):
        tables = {}
        for name, question in questions.items():
            cost, bound = shares[name] * epsilon, bounds[name]
            values = ask(**question, unit=unit, bound=bound, epsilon=cost)
            tables[name] = with_intervals(values, bound / cost, cut=cut.get(name, 0))
        return tables

    return answer


plain = released()


def rescaled(ask, *, epsilon):
    """Low bounds for the shapes, and two more looks for the sizes: one number each, bounds high."""
    low = BOUNDS | {"visits by hour": 40, "paid by quarter": 1600}
    shares = {name: 0.7 * share for name, share in SHARES.items()}
    tables = released(bounds=low, shares=shares)(ask, epsilon=epsilon)
    for name, value, bound in (("visits by hour", "1", 200), ("paid by quarter", PAID, 9000)):
        look = {"cells": [0], "value": value, "unit": "person", "bound": bound}
        (size,) = ask("0", **look, epsilon=0.15 * epsilon)
        values = tables[name][:, 0] * size / tables[name][:, 0].sum()
        room = 2.3 * low[name] / (shares[name] * epsilon)
        tables[name] = np.column_stack([values, 0.96 * values - room, 1.06 * values + room])
    return tables


def adaptive(ask, *, epsilon):
    """First sums at rising bounds: where the next adds little, the bound is high enough."""
    bounds, looks = (30, 60, 100, 150), []
    for bound in bounds:
        look = {"cells": [0], "unit": "person", "bound": bound, "epsilon": 0.05 * epsilon}
        looks.append(ask("0", **look)[0])
    grown = [then < 1.08 * now for now, then in itertools.pairwise(looks)]
    bound = bounds[grown.index(True)] if any(grown) else bounds[-1]
    high = BOUNDS | {"visits by hour": bound, "paid by quarter": 40 * bound}
    shares = {name: 0.8 * share for name, share in SHARES.items()}
    return released(bounds=high, shares=shares)(ask, epsilon=epsilon)


by_row = released(bounds=LOW | {"paid by quarter": 500}, shares=EVEN, unit="row", cut={})
nobody_cut = released(
    bounds=dict(zip(QUESTIONS, (12, 300, 150_000, 6), strict=True)), shares=EVEN, cut={}
)
one_visit = released(bounds=LOW | {"paid by quarter": 40}, shares=EVEN, cut={})
AS_TYPED = {
    "people by place": {"by": "place", "cells": PLACES, "each": "any"},
    "paid by quarter": QUESTIONS["paid by quarter"] | {"value": "0 if missing(amount) else amount"},
}
untidy = released(questions=QUESTIONS | AS_TYPED)


def no_width(ask, *, epsilon):
    """Values of a good answer, each with an interval of no width."""
    return {name: table[:, [0, 0, 0]] for name, table in plain(ask, epsilon=epsilon).items()}


def guessed(ask, *, epsilon):
    """No look at all: last year's rounded figures."""
    flat = dict(zip(QUESTIONS, (900.0, 7000.0, 5.5e5, 660.0), strict=True))
    return {name: np.tile([each, 0, 2 * each], (SIZES[name], 1)) for name, each in flat.items()}


def repeated(ask, *, epsilon):
    """The good answer twice, to average: the second asks for more than the budget."""
    first, second = plain(ask, epsilon=epsilon), plain(ask, epsilon=epsilon)
    return {name: (first[name] + second[name]) / 2 for name in first}


def asked_first(ask, *, epsilon, **question):
    """One more look for a hundredth of the budget, whose errors are caught; then a good answer."""
    look = {"by": "0", "cells": [0], "unit": "person", "bound": 1, "epsilon": epsilon / 100}
    try:
        ask(**look | question)
    except Exception:
        return guessed(ask, epsilon=epsilon)
    shares = {name: 0.99 * share for name, share in SHARES.items()}
    return released(shares=shares)(ask, epsilon=epsilon)


def with_look(**question):
    """Return an answer that has one more look."""
    return lambda ask, *, epsilon: asked_first(ask, epsilon=epsilon, **question)


def changed(then):
    """Return a good answer with its publication changed."""
    return lambda ask, *, epsilon: then(plain(ask, epsilon=epsilon))


def without(name):
    return lambda tables: {each: table for each, table in tables.items() if each != name}


def all_of_it_at_once(ask, *, epsilon):
    """Each table for the whole budget, and nothing told of it."""
    return released(shares=dict.fromkeys(QUESTIONS, 1.0))(ask, epsilon=epsilon)


def two_units(ask, *, epsilon):
    ask("0", cells=[0], unit="row", bound=1, epsilon=epsilon / 100)
    return plain(ask, epsilon=epsilon)


STOPS = "a question stops at somebody's row: the run ends, and nothing is published"
OVER = "the bill would be larger than the budget"

RIGHT["publish_visits"] = [plain, rescaled, adaptive]
WRONG["publish_visits"] = [
    (repeated, OVER),
    (all_of_it_at_once, OVER),
    (guessed, "the tables say nothing about the county"),
    (with_look(by="place.strip()", cells=["Elm"]), STOPS),
    (with_look(value="1 / (amount - 9999999)"), STOPS),
    (with_look(value="amount"), STOPS),
    (with_look(by="note", cells=["file 000001"]), "the column `note` must not be used"),
    (with_look(value="person"), "the column `person` must not be used"),
    (with_look(value="open('rows')"), "the meter cannot take this question"),
    (with_look(each="max", value="age"), "an exact maximum is no answer"),
    (with_look(bound=None), "a look has no bound"),
    (with_look(bound=math.inf), "bound must be finite"),
    (changed(lambda tables: tables | {"largest amount": [[500, 500, 500]]}), "nobody asked for"),
    (changed(without("people by age")), "the table 'people by age' is missing"),
    (changed(lambda tables: [*tables.values()]), "a dictionary of tables"),
    (changed(lambda tables: {n: t[:, 0] for n, t in tables.items()}), "one row of three numbers"),
    (changed(lambda tables: {n: t * math.inf for n, t in tables.items()}), "no finite number"),
    (changed(lambda tables: {n: t[:, [0, 2, 1]] for n, t in tables.items()}), "before it begins"),
    (two_units, "two looks have different units"),
    (lambda ask, *, epsilon: None, "it returns nothing"),
]


# --- publish_concentrated ---------------------------------------------------------------------

PAIRS = [(place, block) for place in PLACES for block in range(8)]
PAIR = f"({PLACE}, hour // 3)"


def gaussian(values, sigma, *, cut=0.0, about=0.0, level=1.645):
    """Return values with intervals: for noise, for what was cut off, and for shapes that differ."""
    room, middle = level * sigma, values / (1 - cut / 2)
    low, high = values - room - about * np.abs(values), (values + room) / (1 - cut)
    return np.column_stack([middle, low, high + about * np.abs(values)])


def concentrated(*, bounds=(2.2, 30, 22), shares=(0.2, 0.5, 0.3), cuts=(0.04, 0.12, 0.06)):
    """Return an answer that asks for each table once, weeks one by one."""

    def answer(ask, *, rho):
        looks = [
            {"by": PLACE, "cells": PLACES, "each": "any"},
            {"by": PAIR, "cells": PAIRS},
            {"by": "(day - 1) // 7", "cells": range(53)},
        ]
        came, sigmas = [], []
        for look, bound, share in zip(looks, bounds, shares, strict=True):
            came.append(ask(**look, unit="person", bound=bound, rho=share * rho))
            sigmas.append(bound / math.sqrt(2 * share * rho))
        sums, spread = np.cumsum(came[2]), sigmas[2] * np.sqrt(np.arange(1, 54))
        return {
            "people by place": gaussian(came[0], sigmas[0], cut=cuts[0]),
            "visits by place and hour": gaussian(came[1], sigmas[1], cut=cuts[1], about=0.06),
            "visits until each week": gaussian(sums, spread, cut=cuts[2], about=0.015),
        }

    return answer


def by_a_tree(ask, *, rho):
    """Running sums from a tree: at most six nodes in each sum, and six bounds to pay for."""
    tables = concentrated(shares=(0.2, 0.45, 1e-6))(ask, rho=rho)
    each, values, sigmas = 0.345 * rho / 6, {}, {}
    for level in range(6):
        bound, cells = 22 * 1.25**level, range(-(-53 // 2**level))
        look = {"by": f"(day - 1) // 7 // {2**level}", "cells": cells, "unit": "person"}
        values[level] = ask(**look, bound=bound, rho=each)
        sigmas[level] = bound / math.sqrt(2 * each)
    sums, spread = [], []
    for weeks in range(1, 54):
        levels = [level for level in range(6) if weeks >> level & 1]
        sums.append(sum(values[level][(weeks >> level) - 1] for level in levels))
        spread.append(math.hypot(*(sigmas[level] for level in levels)))
    about = {"cut": 0.08, "about": 0.015}
    tables["visits until each week"] = gaussian(np.array(sums), np.array(spread), **about)
    return tables


RIGHT["publish_concentrated"] = [
    concentrated(),
    by_a_tree,
    concentrated(bounds=(2.5, 25, 20), shares=(0.15, 0.5, 0.35)),
]
WRONG["publish_concentrated"] = [
    (lambda ask, *, rho: concentrated()(ask, rho=2 * rho), OVER),
    (
        lambda ask, *, rho: ask("0", cells=[0], unit="person", bound=1, epsilon=1),
        "give rho, and nothing else",
    ),
    (lambda ask, *, rho: plain(ask, epsilon=rho), "give rho, and nothing else"),
    (
        lambda ask, *, rho: concentrated()(ask, rho=rho) | {"people by age": np.zeros((6, 3))},
        "nobody asked for",
    ),
    (
        lambda ask, *, rho: ask("place.strip()", cells=PLACES, unit="person", bound=1, rho=rho),
        STOPS,
    ),
]
