"""Answers to chapter 05."""
# ruff: noqa: NPY002

import itertools
import math
import random

import numpy as np
import pandas as pd
from scipy import stats

import dplib
from wrong_answers.leaks import wrong_leaks

RIGHT, WRONG = {}, {}

GENERATOR = np.random.default_rng()


# --- contribution_sensitivity -----------------------------------------------------------------


def _sensitivity(added=lambda rows: np.abs(rows).max()):
    """Return an answer with a formula for rows that come, of what the rows add."""

    def answer(contribution, *, domain, neighbors):
        rows = np.array([contribution(value) for value in domain], dtype=float)
        return (added if neighbors == "add_remove" else np.ptp)(rows)

    return answer


def by_pairs(contribution, *, domain, neighbors):
    sums = [contribution(value) for value in domain]
    others = [0] if neighbors == "add_remove" else sums
    return max(abs(one - other) for one in sums for other in others)


def by_sorting(contribution, *, domain, neighbors):
    rows = sorted(map(contribution, domain))
    if neighbors == "replace_one":
        return rows[-1] - rows[0]
    return max(rows[-1], -rows[0])


def by_the_ends(contribution, *, domain, neighbors):
    rows = [contribution(min(domain)), contribution(max(domain))]
    return abs(rows[1] - rows[0]) if neighbors == "replace_one" else max(map(abs, rows))


def by_the_domain(contribution, *, domain, neighbors):
    values = np.array(domain)
    return np.ptp(values) if neighbors == "replace_one" else np.abs(values).max()


def by_sorting_in_place(contribution, *, domain, neighbors):
    domain.sort(key=contribution)
    rows = list(map(contribution, domain))
    return rows[-1] - rows[0] if neighbors == "replace_one" else max(rows[-1], -rows[0])


RIGHT["contribution_sensitivity"] = [
    by_pairs,
    by_sorting,
    _sensitivity(),
    lambda contribution, *, domain, neighbors: np.array(
        [by_pairs(contribution, domain=domain, neighbors=neighbors)]
    ),
]


def _first_top(rows):
    """Walk along the rows as long as they do not fall."""
    place = 0
    while place + 1 < len(rows) and rows[place + 1] >= rows[place]:
        place += 1
    return rows[place]


def by_climbing(contribution, *, domain, neighbors):
    """Look for one top and one bottom, from both ends of the sorted domain."""
    rows = [contribution(value) for value in sorted(domain)]
    fallen = [-row for row in rows]
    highest = max(map(_first_top, (rows, rows[::-1])))
    lowest = -max(map(_first_top, (fallen, fallen[::-1])))
    return highest - lowest if neighbors == "replace_one" else max(highest, -lowest)


WRONG["contribution_sensitivity"] = [
    (by_climbing, "many hills and valleys"),
    (by_the_ends, "only the smallest and the largest value"),
    (by_the_domain, "the values are compared"),
    (_sensitivity(lambda rows: 1.1 * np.abs(rows).max()), "the value is wrong at 8 of 16 inputs"),
    (by_sorting_in_place, "changes what it is given"),
]


# --- centered_mean ----------------------------------------------------------------------------


def _middle(lower, upper):
    return (lower + upper) / 2


def _mean(clip=np.clip, reach=None, split=2.0, draw=np.random.laplace, **other):
    """Return an answer that differs from a right one in one step.

    `center` is taken off each value (it may see the clipped ones), `back` is added to the quotient;
    `count` makes the noisy count, `guard` what is divided by, `after` what is returned.
    """
    reach = reach or (lambda lower, upper: (upper - lower) / 2)
    center = other.get("center", lambda lower, upper, clipped: _middle(lower, upper))
    back = other.get("back", lambda center: center)
    noisy_sum = other.get("total", lambda exact, scale: exact + draw(0, scale))
    noisy_count = other.get("count", lambda exact, scale, moved: exact + draw(0, scale))
    guard = other.get("guard", lambda count: max(count, 1))
    after = other.get("after", np.clip)

    def answer(values, *, lower, upper, epsilon, rng=None):
        clipped = clip(np.asarray(values), lower, upper)
        each = epsilon / split if not callable(split) else split(epsilon)
        moved, off = reach(lower, upper), center(lower, upper, clipped)
        total = noisy_sum((clipped - off).sum(), moved / each)
        count = noisy_count(len(clipped), 1 / each, moved)
        return after(back(off) + total / guard(count), lower, upper)

    return answer


def mean_by_the_library(values, *, lower, upper, epsilon, rng=None):
    middle, reach = _middle(lower, upper), (upper - lower) / 2
    ends = {"lower": -reach, "upper": reach, "epsilon": epsilon / 2}
    total = dplib.private_sum(values - middle, rng=rng, **ends)
    count = dplib.laplace_mechanism(len(values), sensitivity=1, epsilon=epsilon / 2, rng=rng)
    return min(max(middle + total / max(count, 1.0), lower), upper)


def mean_by_count(values, *, lower, upper, epsilon, rng=None):
    table = pd.DataFrame({"value": values})
    exact = (table["value"].clip(lower, upper) - _middle(lower, upper)).sum()
    total = dplib.laplace_mechanism(exact, sensitivity=(upper - lower) / 2, epsilon=epsilon / 2)
    count = dplib.private_count(
        table, lambda rows: rows["value"] == rows["value"], epsilon=epsilon / 2
    )
    quotient = _middle(lower, upper) + total / np.maximum(count, 1)
    return np.array([np.clip(quotient, lower, upper)])


def mean_in_a_loop(values, *, lower, upper, epsilon):
    total, count, middle = 0.0, 0, (lower + upper) / 2
    for value in values:
        total += min(max(value, lower), upper) - middle
        count += 1
    total += random.choice([-1, 1]) * random.expovariate(epsilon / (upper - lower))
    count += random.choice([-1, 1]) * random.expovariate(epsilon / 2)
    return sorted([lower, middle + total / max(1, count), upper])[1]


def mean_of_a_unit_interval(values, *, lower, upper, epsilon):
    # Stretched so that the interval is [-1, 1]: then one person moves the sum by 1.
    reach, middle = (upper - lower) / 2, (lower + upper) / 2
    unit = np.clip((np.asarray(values) - middle) / reach, -1, 1)
    total = unit.sum() + np.random.laplace(scale=2 / epsilon)
    count = len(unit) + np.random.laplace(scale=2 / epsilon)
    return middle + reach * np.clip(total / max(count, 1), -1, 1)


def mean_in_shares(values, *, lower, upper, epsilon, rng=None):
    middle = _middle(lower, upper)
    moved = {"sum": (upper - lower) / 2, "count": 1}
    exact = {
        "sum": (np.clip(np.asarray(values), lower, upper) - middle).sum(),
        "count": len(values),
    }
    budget = {"sum": epsilon * 2 / 3, "count": epsilon / 3}
    noisy = {k: exact[k] + np.random.laplace(scale=moved[k] / budget[k]) for k in exact}
    return np.clip(middle + noisy["sum"] / max(1, noisy["count"]), lower, upper)


def _around(scale):
    """Return an answer that adds noise to the mean itself."""

    def answer(values, *, lower, upper, epsilon, rng=None):
        exact = values.clip(lower, upper).mean()
        noise = np.random.laplace(scale=scale(upper - lower) / len(values) / epsilon)
        return np.clip(exact + noise, lower, upper)

    return answer


def _outside_left_out(values, lower, upper):
    return values[(values >= lower) & (values <= upper)]


def _exact_if_not_positive(exact, scale, moved):
    noisy = exact + np.random.laplace(0, scale)
    return noisy if noisy > 0 else exact


def _zero(lower, upper, clipped):
    return 0.0


def _zero_if_inside(lower, upper, clipped):
    return 0.0 if lower <= 0 <= upper else _middle(lower, upper)


def mean_of_the_moved_values(values, *, lower, upper, epsilon, rng=None):
    """The library's mean, of the distances from the middle."""
    middle = _middle(lower, upper)
    ends = {"lower": lower - middle, "upper": upper - middle}
    mean = dplib.private_mean(values - middle, epsilon=epsilon, rng=rng, **ends)
    return np.clip(mean + middle, lower, upper)


RIGHT["centered_mean"] = [
    _mean(),
    mean_of_the_moved_values,
    mean_by_the_library,
    mean_by_count,
    mean_in_a_loop,
    mean_of_a_unit_interval,
    _mean(draw=lambda center, scale: stats.laplace.rvs(scale=scale)),
    _mean(draw=lambda center, scale: GENERATOR.laplace(scale=scale)),
]


def mean_of_a_series(values, *, lower, upper, epsilon, rng=None):
    return _mean()(values.to_numpy(), lower=lower, upper=upper, epsilon=epsilon)


def mean_that_writes(values, *, lower, upper, epsilon, rng=None):
    """Clip in place what is an array; a Series would be copied."""
    rows = (
        np.asarray(values, dtype=float)
        if isinstance(values, np.ndarray)
        else values.to_numpy(float, copy=True)
    )
    rows[rows < lower], rows[rows > upper] = lower, upper
    return _mean()(rows, lower=lower, upper=upper, epsilon=epsilon)


def mean_of_answers(values, *, lower, upper, epsilon, rng=None):
    """Take a 0 for the answer of somebody who gave none."""
    return _mean()(values[values != 0], lower=lower, upper=upper, epsilon=epsilon)


WRONG["centered_mean"] = [
    (mean_of_a_series, "it stops with AttributeError"),
    (mean_that_writes, "it changes what it is given"),
    (mean_of_answers, ("zeros ", "one far row among many", "all zero")),
    (_mean(split=1.0), "the budget is not split"),
    (_mean(guard=lambda count: count if count > 0 else 1), "between 0 and 1 is used as it is"),
    (mean_in_shares, "the sum gets more of epsilon than the count"),
    (
        _mean(
            total=lambda exact, scale: exact + np.random.laplace(0, scale * 3 / 2),
            count=lambda exact, scale, moved: exact + np.random.laplace(0, scale * 3 / 4),
        ),
        "the sum gets less of epsilon than the count",
    ),
    (_mean(count=lambda exact, scale, moved: exact), "the exact count is used"),
    (_around(lambda width: width / 2), "and the sum gets all of epsilon"),
    (
        _mean(center=_zero, reach=lambda lower, upper: max(abs(lower), abs(upper))),
        "the values are not centered",
    ),
    (
        _mean(
            center=_zero_if_inside,
            reach=lambda lower, upper: (
                max(-lower, upper) if lower <= 0 <= upper else (upper - lower) / 2
            ),
        ),
        "the values are measured from 0 where 0 is inside",
    ),
    (_mean(center=_zero), "and the noise is that of centered values"),
    (
        _mean(center=lambda lower, upper, clipped: lower, reach=lambda lower, upper: upper - lower),
        "measured from the lower bound",
    ),
    (
        _mean(center=lambda lower, upper, clipped: clipped.mean()),
        "measured from a place that the data choose: their mean",
    ),
    (
        _mean(center=lambda lower, upper, clipped: (clipped.min() + clipped.max()) / 2),
        "measured from a place that the data choose: between their ends",
    ),
    (_mean(back=lambda center: 0.0), "the middle is not added back"),
    (
        lambda values, *, lower, upper, epsilon, rng=None: _mean(
            total=lambda exact, scale: (
                exact + _middle(lower, upper) + np.random.laplace(scale=scale)
            ),
            back=lambda center: 0.0,
        )(values, lower=lower, upper=upper, epsilon=epsilon),
        "added to the sum, not to the quotient",
    ),
    (
        _mean(total=lambda exact, scale: exact),
        (
            *("the sum gets the noise of a count", "answers pile up at a border"),
            *("some answers repeat the one before", "do not follow the noisy ratio's law"),
        ),
    ),
    (_mean(reach=lambda lower, upper: upper - lower), "the sensitivity is the whole width"),
    (_mean(reach=lambda lower, upper: 1), "the sum gets the noise of a count"),
    (
        _mean(count=lambda exact, scale, moved: exact + np.random.laplace(0, moved * scale)),
        "the count gets the noise of the sum",
    ),
    (_mean(clip=lambda values, lower, upper: values), "the values are not clipped"),
    (_mean(clip=lambda values, lower, upper: np.minimum(values, upper)), "from above only"),
    (_mean(clip=lambda values, lower, upper: np.maximum(values, lower)), "from below only"),
    (_mean(clip=_outside_left_out), "values outside the bounds are left out"),
    (_mean(guard=lambda count: count), "a noisy count below 1 is used as it is"),
    (_mean(guard=lambda count: max(count, 1e-9)), "a noisy count below 1 counts as nearly 0"),
    (_mean(count=_exact_if_not_positive), "where the noisy one is not positive"),
    (_mean(guard=lambda count: max(abs(count), 1)), "a negative noisy count becomes positive"),
    (_mean(guard=lambda count: max(round(count), 1)), "the noisy count is rounded to a whole"),
    (_mean(split=4.0), "the noise is doubled"),
    (_mean(split=lambda epsilon: 1.0), "epsilon is ignored"),
    (_mean(split=lambda epsilon: 2 / epsilon), "epsilon multiplies"),
    (_mean(split=2.4), "spread is"),
    (_mean(draw=np.random.normal), "Gaussian, not Laplace"),
    (_mean(draw=lambda center, scale: np.random.laplace(0, scale / 2**0.5)), "standard deviation"),
    (_mean(draw=lambda center, scale: 0.0), "no noise is added"),
    (_mean(draw=lambda c, scale: np.random.default_rng(2).laplace(0, scale)), "the same answer"),
    (_mean(after=lambda ratio, lower, upper: ratio), "outside the bounds"),
    (_mean(after=lambda ratio, lower, upper: (ratio, lower)), "one number is wanted"),
    (
        lambda values, *, lower, upper, epsilon, rng=None: dplib.private_mean(
            values, lower=lower, upper=upper, epsilon=epsilon
        ),
        "the values are not centered",
    ),
]


# --- choose_clipping_bound --------------------------------------------------------------------

MOVED = {"add_remove": 1, "replace_one": 2}


def _choose(counts=None, scale=None, draw=None, choose=None):
    """Return an answer that differs from a right one in one step."""
    scale = scale or (lambda epsilon, moved, size: moved / epsilon)
    draw = draw or (lambda scale, size: np.random.laplace(0, scale, size))
    counts = counts or _intervals
    choose = choose or _first

    def answer(values, *, candidates, epsilon, neighbors="add_remove", share=0.99, rng=None):
        exact = counts(np.asarray(values), candidates)
        noisy = exact + draw(scale(epsilon, MOVED[neighbors], len(exact)), len(exact))
        return candidates[choose(noisy, share, len(candidates))]

    return answer


def _intervals(values, candidates):
    return np.bincount(np.searchsorted(candidates, values), minlength=len(candidates) + 1)


def _first(noisy, share, size):
    enough = np.cumsum(noisy)[:size] >= share * np.sum(noisy)
    return int(np.argmax(enough)) if enough.any() else size - 1


def choose_in_a_loop(values, *, candidates, epsilon, neighbors="add_remove", share=0.99):
    ends = [-math.inf, *candidates, math.inf]
    noisy = []
    for low, high in itertools.pairwise(ends):
        exact = sum(1 for value in values if low < value <= high)
        size = random.expovariate(epsilon / MOVED[neighbors])
        noisy.append(exact + random.choice([-1, 1]) * size)
    below = 0.0
    for place, candidate in enumerate(candidates):
        below += noisy[place]
        if below >= share * sum(noisy):
            return candidate
    return candidates[-1]


def choose_by_histogram(
    values, *, candidates, epsilon, neighbors="add_remove", share=0.99, rng=None
):
    parts = pd.cut(values, [-np.inf, *candidates, np.inf], labels=range(len(candidates) + 1))
    noisy = dplib.private_histogram(
        parts.astype(int),
        categories=range(len(candidates) + 1),
        epsilon=epsilon,
        neighbors=neighbors,
        rng=rng,
    )
    for place, candidate in enumerate(candidates):
        if noisy.iloc[: place + 1].sum() / noisy.sum() >= share:
            return float(candidate)
    return float(candidates[-1])


def choose_by_differences(
    values, *, candidates, epsilon, neighbors="add_remove", share=0.99, rng=None
):
    rng = rng or np.random.default_rng()
    below = np.array([*((values <= each).sum() for each in candidates), len(values)], dtype=float)
    counts = np.diff(below, prepend=0.0)
    noisy = np.cumsum(counts + rng.laplace(scale=MOVED[neighbors] / epsilon, size=len(counts)))
    chosen = [c for c, each in zip(candidates, noisy, strict=False) if each >= share * noisy[-1]]
    return min([*chosen, candidates[-1]])


def choose_with_exact_count(values, *, candidates, epsilon, neighbors="add_remove", share=0.99):
    exact = _intervals(values, candidates)
    noisy = exact + np.random.laplace(scale=MOVED[neighbors] / epsilon, size=len(exact))
    enough = np.cumsum(noisy)[:-1] >= share * len(values)
    return candidates[int(np.argmax(enough)) if enough.any() else -1]


def choose_with_noisy_sums(values, *, candidates, epsilon, neighbors="add_remove", share=0.99):
    sums = np.cumsum(_intervals(values, candidates)).astype(float)
    sums += np.random.laplace(scale=MOVED[neighbors] / epsilon, size=len(sums))
    enough = sums[:-1] >= share * sums[-1]
    return candidates[int(np.argmax(enough)) if enough.any() else -1]


def _one_interval(noisy, share, size):
    enough = noisy[:size] >= share * noisy.sum()
    return int(np.argmax(enough)) if enough.any() else size - 1


def _by_bisection(noisy, share, size):
    place = np.searchsorted(np.cumsum(noisy)[:size], share * np.sum(noisy))
    return min(int(place), size - 1)


def choose_with_infinity(values, *, candidates, epsilon, neighbors="add_remove", share=0.99):
    candidates.append(math.inf)
    return candidates[-1]


def choose_above_0(values, *, candidates, epsilon, neighbors="add_remove", share=0.99):
    ends = [0, *candidates, math.inf]
    counts = [((low < values) & (values <= high)).sum() for low, high in itertools.pairwise(ends)]
    noisy = counts + np.random.laplace(0, MOVED[neighbors] / epsilon, len(counts))
    enough = np.cumsum(noisy)[:-1] >= share * noisy.sum()
    return candidates[int(enough.argmax())] if enough.any() else candidates[-1]


def choose_by_sums_that_never_fall(
    values, *, candidates, epsilon, neighbors="add_remove", share=0.99, rng=None
):
    noise = np.random.laplace(scale=MOVED[neighbors] / epsilon, size=len(candidates) + 1)
    sums = np.maximum.accumulate(np.cumsum(_intervals(values, candidates) + noise))
    enough = sums[:-1] >= share * sums[-1]
    return candidates[int(np.argmax(enough)) if enough.any() else -1]


RIGHT["choose_clipping_bound"] = [
    _choose(),
    choose_in_a_loop,
    choose_by_histogram,
    choose_by_differences,
    _choose(draw=lambda scale, size: stats.laplace.rvs(scale=scale, size=size)),
]


def choose_by_argmax_alone(values, *, candidates, epsilon, neighbors="add_remove", share=0.99):
    noise = np.random.laplace(scale=MOVED[neighbors] / epsilon, size=len(candidates) + 1)
    noisy = _intervals(values, candidates) + noise
    return candidates[int(np.argmax(np.cumsum(noisy)[:-1] >= share * noisy.sum()))]


WRONG["choose_clipping_bound"] = [
    (choose_by_argmax_alone, "no candidate has the share, the first is returned"),
    (lambda values, *, candidates, epsilon, neighbors="add_remove", share=0.99: 1, "not among"),
    (choose_by_sums_that_never_fall, "nobody is above the first candidate"),
    (choose_above_0, "0 or below are in no interval"),
    (_choose(draw=lambda scale, size: 0.0), "no noise is added"),
    (choose_with_exact_count, "the exact number of people is used"),
    (choose_with_noisy_sums, "every sum gets noise of its own"),
    (_choose(scale=lambda epsilon, moved, size: size * moved / epsilon), "among the intervals"),
    (
        _choose(scale=lambda epsilon, moved, size: (size - 1) * moved / epsilon),
        "epsilon is divided among the",
    ),
    (_choose(scale=lambda epsilon, moved, size: 1 / epsilon), "replace_one is treated as add"),
    (_choose(scale=lambda epsilon, moved, size: 2 / epsilon), "add_remove is treated as repl"),
    (_choose(scale=lambda epsilon, moved, size: 2 * moved / epsilon), "the noise is doubled"),
    (_choose(scale=lambda epsilon, moved, size: moved / epsilon / 2), "the noise is halved"),
    (_choose(scale=lambda epsilon, moved, size: moved), "epsilon is ignored"),
    (_choose(scale=lambda epsilon, moved, size: moved * epsilon), "epsilon multiplies"),
    (_choose(draw=lambda scale, size: np.random.normal(0, scale, size)), "Gaussian, not Laplace"),
    (_choose(draw=lambda scale, size: np.random.laplace(0, scale)), "the same noise"),
    (
        _choose(counts=lambda values, candidates: _intervals(values, candidates)[:-1]),
        "people above the last candidate",
    ),
    (
        _choose(
            counts=lambda values, candidates: np.bincount(
                np.searchsorted(candidates, values, side="right"), minlength=len(candidates) + 1
            )
        ),
        "a value on a candidate is counted above it",
    ),
    (
        _choose(choose=lambda noisy, share, size: max(0, _first(noisy, share, size) - 1)),
        "the candidate below is returned",
    ),
    (
        _choose(choose=lambda noisy, share, size: min(size - 1, _first(noisy, share, size) + 1)),
        "the candidate above is returned",
    ),
    (
        _choose(choose=lambda noisy, share, size: _first(noisy, 1 - share, size)),
        "the first candidate is returned",
    ),
    (_choose(choose=lambda noisy, share, size: _first(noisy, 0.99, size)), "`share` is not used"),
    (_choose(choose=_one_interval), "each interval is looked at alone"),
    (
        _choose(choose=lambda noisy, share, size: _first(noisy.clip(0), share, size)),
        "negative noisy counts become 0",
    ),
    (
        _choose(choose=_by_bisection),
        ("a candidate is passed over", "negative noisy counts become 0"),
    ),
    (choose_with_infinity, "not among the candidates"),
    (_choose(choose=lambda noisy, share, size: size - 1), "the last candidate is returned"),
    (_choose(choose=lambda noisy, share, size: 0), "the first candidate is returned"),
    (
        lambda values, *, candidates, epsilon, neighbors="add_remove", share=0.99: values.max(),
        "not among the candidates",
    ),
    (
        lambda values, *, candidates, epsilon, neighbors="add_remove", share=0.99: (
            values.quantile(share) + np.random.laplace()
        ),
        "not among the candidates",
    ),
]


# --- leaks_in_sums ----------------------------------------------------------------------------


def _model_leaks():
    loans, hours = [{"branch": "hill", "loans": 2}], [{"plan": "day", "hours": 7}]
    few = [{"plan": "day", "hours": each} for each in (0, 0, 4, 4)]
    kept = (few, [*few, {"plan": "day", "hours": 0}], lambda output: output >= 6)
    mean = (loans, [], lambda output: output >= 0.3)
    return "Model Answer", mean, kept, (hours, [], lambda output: output >= 4)


def _leaks_of_larger_tables():
    loans = [{"branch": "port", "loans": 8}] * 3
    many = [{"plan": "day", "hours": each} for each in (0, 0, 0, 3, 3)]
    more = [{"plan": "year", "hours": each} for each in (4, 5, 4)]
    mean = (loans, loans[:2], lambda output: output >= 0.9)
    kept = (many[1:], many, lambda output: output > 5)
    return "Model Answer", mean, kept, (more, more[:2], lambda output: 12 <= output <= 16)


def _leaks_in_arrays():
    said = _model_leaks()
    tables = [(pd.DataFrame(one), pd.DataFrame(other), event) for one, other, event in said[1:]]
    return np.array([said[0], *[None] * 3], dtype=object)[0], *tables


def _too_small_a_row():
    name, mean, kept, _ = _model_leaks()
    hours = [{"plan": "day", "hours": 1}]
    return name, mean, kept, (hours, [], lambda output: 2 <= output <= 3)


def _the_last_called_private():
    return *_model_leaks()[:3], "private"


RIGHT["leaks_in_sums"] = [_model_leaks, _leaks_of_larger_tables, _leaks_in_arrays]

WRONG["leaks_in_sums"] = [
    *wrong_leaks("leaks_in_sums", _model_leaks),
    (_too_small_a_row, "as much more likely as was promised, and no more"),
    (_the_last_called_private, 'program 3: it is not "private"'),
]
