"""Answers to chapter 05."""
# ruff: noqa: NPY002

import itertools
import math
import random
from statistics import NormalDist

import numpy as np
import pandas as pd
from scipy import stats

import dplib
from wrong_answers.derived import wrong_numbers
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


# --- count_interval ---------------------------------------------------------------------------


def _count(reach, cut=-math.inf):
    """Return an answer that goes as far as `reach` of epsilon and the level, on either side."""

    def answer(noisy, *, epsilon, level):
        far = reach(epsilon, level)
        return max(noisy - far, cut), noisy + far

    return answer


def reach_by_a_sum(epsilon, level):
    q, reach = math.exp(-epsilon), 0
    inside = none = (1 - q) / (1 + q)
    while inside < level:
        reach += 1
        inside += 2 * none * q**reach
    return reach


def reach_by_formula(epsilon, level):
    q = math.exp(-epsilon)
    return max(0, math.ceil(math.log((1 - level) * (1 + q) / 2, q) - 1))


def reach_not_whole(epsilon, level):
    return math.log(1 / (1 - level)) / epsilon


def _of_draws(epsilon, level):
    q = math.exp(-epsilon)
    noise = GENERATOR.geometric(1 - q, (2, 4000))
    return int(np.quantile(abs(noise[0] - noise[1]), level)) + 1


def count_to_one_side(noisy, *, epsilon, level):
    return 0, noisy + math.floor(math.log(1 / (2 * (1 - level))) / epsilon)


def count_around_nothing(noisy, *, epsilon, level):
    reach = reach_by_a_sum(epsilon, level)
    return -reach, reach


RIGHT["count_interval"] = [
    _count(reach_by_a_sum),
    _count(reach_by_formula),
    _count(reach_by_a_sum, cut=0),
    _count(lambda epsilon, level: math.ceil(reach_not_whole(epsilon, level))),
    lambda noisy, *, epsilon, level: np.array([-1, 1]) * reach_by_a_sum(epsilon, level) + noisy,
]

WRONG["count_interval"] = [
    (_count(reach_not_whole), "Laplace noise which is not whole"),
    (_count(lambda e, c: math.floor(reach_not_whole(e, c))), "Laplace noise which is not whole"),
    (_count(lambda e, c: 0), "the noise is forgotten"),
    (_count(lambda e, c: 1 / e), "the reach is the scale of the noise"),
    (_count(lambda e, c: reach_by_a_sum(e, 2 * c - 1)), "each side alone may miss as often"),
    (_count(lambda e, c: reach_not_whole(e, 2 * c - 1)), "each side alone may miss as often"),
    (_count(lambda e, c: _QUANTILE((1 + c) / 2) / e), "its scale for its deviation"),
    (_count(lambda e, c: math.log(1 / c) / e), "the level is taken for what may be missed"),
    (_count(lambda e, c: math.log(1 / (1 - c)) * e), "epsilon multiplies the reach"),
    (
        _count(lambda e, c: reach_by_a_sum(e, c) - 1),
        ("one person short", "the lower end lies above"),
    ),
    (_count(lambda e, c: reach_by_a_sum(e, c) / 2), "the width is taken for the reach"),
    (_count(lambda e, c: stats.norm.ppf((1 + c) / 2) * 2**0.5 / e), "taken to be normal"),
    (_count(lambda e, c: 1e6), "far too wide"),
    (_count(lambda e, c: -reach_by_a_sum(e, c)), "the lower end lies above"),
    (_count(lambda e, c: 0.9 * reach_by_a_sum(e, c)), "misses the exact count too often"),
    (count_to_one_side, "misses the exact count too often"),
    (count_around_nothing, "does not lie around the noisy count"),
    (lambda noisy, *, epsilon, level: reach_by_a_sum(epsilon, level), "two ends are wanted"),
    (_count(lambda e, c: math.inf), "not a finite number"),
]


# --- mean_interval ----------------------------------------------------------------------------


_QUANTILE = NormalDist().inv_cdf  # scipy's takes a hundred times as long


def _deviation(mean, square, reach, slack=0.0):
    return math.sqrt(min(max(square - mean**2 + slack, 0), reach**2))


def _normal(error, scale, level):
    return _QUANTILE((1 + level) / 2) * math.hypot(error, math.sqrt(2) * scale)


def _interval(half=_normal, slack=0.0, people_power=0.5, deviation=_deviation):
    """Return an answer with a half width of the sampling error, the scale and the level."""

    def answer(mean, square, *, people, reach, mean_scale, square_scale, level):
        error = deviation(mean, square, reach, slack * square_scale) / people**people_power
        far = half(error, mean_scale, level)
        return mean - far, mean + far

    return answer


def _added(error, scale, level):
    return _QUANTILE((1 + level) / 2) * error + scale * math.log(1 / (1 - level))


def _drawn(error, scale, level):
    both = GENERATOR.normal(0, error, 2000) + GENERATOR.laplace(0, scale, 2000)
    return np.quantile(abs(both), level)


def mean_within_bounds(mean, square, *, people, reach, mean_scale, square_scale, level):
    middle = min(max(mean, -reach), reach)
    variance = min(max(square - middle**2, 0), reach**2)
    deviation = math.sqrt(variance / people + 2 * mean_scale**2)
    far = _QUANTILE((1 + level) / 2) * deviation
    return np.clip([middle - far, middle + far], -reach, reach)


def _no_guard(mean, square, reach, slack):
    return math.sqrt(square - mean**2)


def around_the_middle(mean, square, *, people, reach, mean_scale, square_scale, level):
    far = _normal(_deviation(mean, square, reach) / people**0.5, mean_scale, level)
    return -far, far


RIGHT["mean_interval"] = [
    _interval(),
    _interval(slack=1.0),
    _interval(_added),
    _interval(_drawn),
    mean_within_bounds,
    # Valid, and so wide that they earn a part of the points.
    _interval(deviation=lambda mean, square, reach, slack: reach),
    _interval(lambda *given: 2 * _normal(*given)),
]

WRONG["mean_interval"] = [
    (_interval(lambda e, b, c: _QUANTILE((1 + c) / 2) * e, slack=2.0), "noise is forgotten"),
    (_interval(lambda e, b, c: b * math.log(1 / (1 - c))), "sampling is forgotten"),
    (_interval(lambda e, b, c: _normal(0, b, c)), "sampling is forgotten"),
    (_interval(lambda e, b, c: _normal(e, b, 2 * c - 1)), "each side alone may miss as often"),
    (
        _interval(lambda e, b, c: max(_normal(e, 0, c), b * math.log(1 / (1 - c)))),
        "only the larger of the two errors",
    ),
    (
        _interval(lambda e, b, c: _QUANTILE((1 + c) / 2) * math.hypot(e, b)),
        "the scale of the noise is taken for its deviation",
    ),
    (_interval(lambda e, b, c: _normal(e, b, c) / 2), "the width is taken for the reach"),
    (_interval(lambda e, b, c: math.hypot(e, 2**0.5 * b)), ("one deviation", "too often")),
    (_interval(people_power=0.0, slack=2.0), "far too wide"),
    (_interval(people_power=1.0), ("sampling is forgotten", "too often")),
    (_interval(lambda e, b, c: 0.0), "the interval has no width"),
    (_interval(lambda e, b, c: -_normal(e, b, c)), "the lower end lies above"),
    (_interval(lambda e, b, c: 1e9), "far too wide"),
    (_interval(deviation=_no_guard), "stops with ValueError"),
    (around_the_middle, "does not lie around the noisy mean"),
    (
        lambda mean, square, *, people, reach, mean_scale, square_scale, level: mean,
        "two ends are wanted",
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


# --- derive_sensitivities ---------------------------------------------------------------------


def _of_visits(*numbers):
    return [{"ward": "east", "visits": each} for each in numbers]


def _of_plans(names, hours=0):
    return [{"plan": each, "hours": hours} for each in names.split()]


def _derived():
    visits = 4, _of_visits(9), _of_visits(0)
    hours = 14, _of_plans("day", 7), []
    turned = 6, _of_plans("day day day"), _of_plans("day year day")
    return "Model Answer", visits, hours, turned


def _derived_in_larger_tables():
    visits = 4.0, _of_visits(0, 0, 1, 5), _of_visits(0, 0, 1, 0)
    hours = 14, pd.DataFrame(_of_plans("day year", 7)), pd.DataFrame(_of_plans("day", 7))
    turned = np.int64(6), _of_plans("year day day day"), _of_plans("year day year day")
    return ["model answer", visits, hours, turned]


def _two_of_three_derived():
    name, visits, hours, _ = _derived()
    return name, visits, hours, (3, _of_plans("day day"), _of_plans("day year"))


RIGHT["derive_sensitivities"] = [_derived, _derived_in_larger_tables, _two_of_three_derived]

WRONG["derive_sensitivities"] = wrong_numbers("derive_sensitivities", _derived)
