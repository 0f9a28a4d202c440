"""Answers to chapter 07's exercises, as data: wrong ones with the words that must name the mistake,
and right ones in many styles.

WRONG[exercise] is a list of (answer, fragment of the sentence); RIGHT[exercise] a list of answers.
"""
# ruff: noqa: NPY002

import math
import random
import statistics

import numpy as np
import pandas as pd

import dplib

GENERATOR = np.random.default_rng()
INFINITY = math.inf


def in_domain(values, lower, upper):
    return np.sort(np.clip(values, lower, upper))


def padded(values, lower, upper):
    return np.concatenate([[lower], in_domain(values, lower, upper), [upper]])


# --- local_sensitivity_median -----------------------------------------------------------------


def median_by_trying_all(values, *, lower, upper, neighbors="replace_one"):
    rows = [min(max(float(value), lower), upper) for value in values]
    tables = []
    for place in range(len(rows)):
        rest = rows[:place] + rows[place + 1 :]
        if neighbors == "replace_one":
            tables += [[*rest, lower], [*rest, upper]]
        else:
            tables.append(rest)
    if neighbors == "add_remove":
        tables += [[*rows, lower], [*rows, upper]]
    here = statistics.median(rows)
    return max(abs(statistics.median(table) - here) for table in tables)


def median_by_places(values, *, lower, upper, neighbors="replace_one"):
    rows = padded(values, lower, upper)
    size = len(rows) - 2
    left, right = (size + 1) // 2, size // 2 + 1
    here = (rows[left] + rows[right]) / 2
    if neighbors == "replace_one":
        others = (rows[left - 1] + rows[right - 1]) / 2, (rows[left + 1] + rows[right + 1]) / 2
    elif size % 2:
        others = (rows[left - 1] + rows[left]) / 2, (rows[left] + rows[left + 1]) / 2
    else:
        others = rows[left], rows[right]
    return max(abs(other - here) for other in others)


def median_moves(values, *, lower, upper, neighbors):
    """Return how far the median can move down and up."""
    rows, moves = list(np.clip(values, lower, upper)), []
    for place in range(len(rows)):
        rest = rows[:place] + rows[place + 1 :]
        ends = ([lower], [upper]) if neighbors == "replace_one" else ([],)
        moves += [np.median([*rest, *end]) - np.median(rows) for end in ends]
    if neighbors == "add_remove":
        moves += [np.median([*rows, end]) - np.median(rows) for end in (lower, upper)]
    return -min(moves), max(moves)


def of_moves(choose):
    """Return an answer that makes one number of both moves."""

    def answer(values, *, lower, upper, neighbors="replace_one"):
        return choose(*median_moves(values, lower=lower, upper=upper, neighbors=neighbors))

    return answer


def median_that_sorts_in_place(values, *, lower, upper, neighbors="replace_one"):
    values.sort()
    return median_by_places(values, lower=lower, upper=upper, neighbors=neighbors)


RIGHT_LOCAL_MEDIAN = [
    median_by_trying_all,
    median_by_places,
    of_moves(max),
    lambda values, *, lower, upper, neighbors="replace_one": np.array(
        [median_by_places(pd.Series(values), lower=lower, upper=upper, neighbors=neighbors)]
    ),
]

WRONG_LOCAL_MEDIAN = [
    (of_moves(lambda down, up: max(down, up) / 2), "the value is wrong at"),
    (of_moves(lambda down, up: max(down, up) + random.random()), "gives two answers"),
    (of_moves(lambda down, up: None), "returns nothing"),
    (of_moves(lambda down, up: (down, up)), "one number is wanted"),
    (median_that_sorts_in_place, "changes what it is given"),
    (
        lambda values, *, lower, upper, neighbors: dplib.local_sensitivity_median(
            values, lower=lower, upper=upper, neighbors=neighbors
        ),
        "the library's own version",
    ),
]


# --- local_sensitivity_at_distance ------------------------------------------------------------


def move_of_mean(rows, lower, upper, *, leaves=True):
    """Return how far one row can move the mean of these rows by joining or leaving."""
    if not len(rows):
        return (upper - lower) / 2
    here = np.mean(rows)
    moves = [abs(np.mean([*rows, end]) - here) for end in (lower, upper)]
    if leaves and len(rows) > 1:
        moves += [abs(np.mean(np.delete(rows, place)) - here) for place in range(len(rows))]
    return max(moves)


def mean_by_tables(sides=(0, 1), leaves=True, always=None):
    """Return an answer that tries the tables without the largest, or the smallest, rows."""

    def answer(values, *, distance, lower, upper, neighbors="add_remove"):
        rows = in_domain(values, lower, upper)
        if (always or neighbors) == "replace_one":
            reach = max(upper - rows[0], rows[-1] - lower)
            return ((upper - lower) if distance else reach) / len(rows)
        if distance >= len(rows):
            return (upper - lower) / 2
        left = len(rows) - distance
        tables = [(rows[:left], rows[distance:])[side] for side in sides]
        if leaves and left > 1 and len(sides) == 2:
            # A table that spares the outermost row, which then leaves.
            tables.append(np.append(rows[: left - 1], rows[-1]))
            tables.append(np.append(rows[0], rows[distance + 1 :]))
        return max(move_of_mean(table, lower, upper, leaves=leaves) for table in tables)

    return answer


def mean_by_formula(values, *, distance, lower, upper, neighbors="add_remove"):
    rows, width = in_domain(values, lower, upper) - lower, upper - lower
    n = len(rows)
    if neighbors == "replace_one":
        return width / n if distance else max(width - rows[0], rows[-1]) / n
    if distance >= n:
        return width / 2
    m, best = n - distance, 0.0
    for side in (rows, width - rows[::-1]):
        best = max(best, (width - side[:m].mean()) / (m + 1))
        if m > 1:
            best = max(best, (side[-1] - side[: m - 1].mean()) / m)
    return best


def mean_by_number(formula):
    """Return an answer from formula(lower, upper, n, k)."""

    def answer(values, *, distance, lower, upper, neighbors="add_remove"):
        with np.errstate(all="ignore"):
            return formula(lower, upper, np.float64(len(values)), distance)

    return answer


def mean_at(place):
    def answer(values, *, distance, lower, upper, neighbors="add_remove"):
        limits = {"lower": lower, "upper": upper, "neighbors": neighbors}
        return mean_by_formula(values, distance=place(distance), **limits)

    return answer


RIGHT_AT_DISTANCE = [
    mean_by_tables(),
    mean_by_formula,
    mean_at(lambda k: np.int64(k)),
    lambda values, *, distance, lower, upper, neighbors="add_remove": [
        mean_by_formula(
            list(values), distance=distance, lower=lower, upper=upper, neighbors=neighbors
        )
    ],
]

WRONG_AT_DISTANCE = [
    (mean_by_number(lambda low, high, n, k: 1.0), "the value is wrong at"),
    (mean_by_number(lambda low, high, n, k: None), "returns nothing"),
    (mean_by_number(lambda low, high, n, k: int(n) // 0), "ZeroDivisionError"),
    (
        lambda values, *, distance, lower, upper, neighbors: dplib.local_sensitivity_at_distance(
            values, distance=distance, lower=lower, upper=upper, neighbors=neighbors
        ),
        "the library's own version",
    ),
]


# --- distance_to_high_sensitivity -------------------------------------------------------------


def distance_by_steps(sensitivity=mean_by_formula, above=lambda moved, bound: moved > bound):
    """Return an answer that goes one edit further until the sensitivity is above the bound."""

    def answer(values, *, bound, lower, upper, neighbors="add_remove"):
        limits = {"lower": lower, "upper": upper, "neighbors": neighbors}
        for distance in range(len(values) + 1):
            if above(sensitivity(values, distance=distance, **limits), bound):
                return distance
        return math.inf

    return answer


def distance_by_the_library(values, *, bound, lower, upper, neighbors="add_remove"):
    steps = np.arange(len(values) + 1)
    curve = dplib.local_sensitivity_at_distance(
        values, distance=steps, lower=lower, upper=upper, neighbors=neighbors
    )
    above = np.flatnonzero(curve > bound)
    return above[0] if len(above) else np.inf


def then(change):
    """Return the right distance, changed: change(distance, number of rows)."""

    def answer(values, *, bound, lower, upper, neighbors="add_remove"):
        limits = {"bound": bound, "lower": lower, "upper": upper, "neighbors": neighbors}
        return change(distance_by_the_library(values, **limits), len(values))

    return answer


RIGHT_DISTANCE = [
    distance_by_steps(),
    distance_by_steps(mean_by_tables()),
    distance_by_the_library,
    then(lambda k, n: float(k)),
]

WRONG_DISTANCE = [
    (then(lambda k, n: k if k < math.inf else None), "returns nothing"),
    (then(lambda k, n: 7), "the value is wrong at"),
    (then(lambda k, n: k > 3), "one number is wanted"),
    (
        lambda values, *, bound, lower, upper, neighbors: dplib.distance_to_high_sensitivity(
            values, bound=bound, lower=lower, upper=upper, neighbors=neighbors
        ),
        "the library's own version",
    ),
]


# --- propose_test_release ---------------------------------------------------------------------

DISTANCES = {}


def distance(values, bound, lower, upper):
    """The right distance, kept from call to call."""
    key = (tuple(values), bound, lower, upper)
    if key not in DISTANCES:
        DISTANCES[key] = distance_by_the_library(values, bound=bound, lower=lower, upper=upper)
    return DISTANCES[key]


def by_formula(values, bound, reach, spare):
    """The first k with reach / (n - k + spare) above the bound."""
    return next(k for k in range(10**6) if reach / max(len(values) - k + spare, 1e-9) > bound)


def ptr(
    *,
    far=distance,
    threshold=lambda epsilon, delta: math.log(1 / (2 * delta)) / epsilon,
    test=lambda bound, epsilon: np.random.laplace(0, 1 / epsilon),
    passes=lambda noisy, threshold: noisy > threshold,
    center=lambda values, lower, upper: np.mean(np.clip(values, lower, upper)),
    noise=lambda bound, epsilon: np.random.laplace(0, bound / epsilon),
    failed=None,
):
    """Return propose-test-release, right but for the parts that are given."""

    def answer(values, *, bound, lower, upper, epsilon, delta, neighbors="add_remove", rng=None):
        noisy = far(values, bound, lower, upper) + test(bound, epsilon)
        if not passes(noisy, threshold(epsilon, delta)):
            return failed
        return center(values, lower, upper) + noise(bound, epsilon)

    return answer


def ptr_by_the_book(
    values, *, bound, lower, upper, epsilon, delta, neighbors="add_remove", rng=None
):
    rng = np.random.default_rng() if rng is None else rng
    far = dplib.distance_to_high_sensitivity(values, bound=bound, lower=lower, upper=upper)
    if (
        dplib.laplace_mechanism(far, sensitivity=1, epsilon=epsilon, rng=rng)
        < math.log(1 / (2 * delta)) / epsilon
    ):
        return None
    mean = np.clip(values, lower, upper).mean()
    return dplib.laplace_mechanism(mean, sensitivity=bound, epsilon=epsilon, rng=rng)


def ptr_by_probability(values, *, bound, lower, upper, epsilon, delta):
    # A coin with the exact chance to pass, instead of a noisy distance.
    missing = epsilon * distance(values, bound, lower, upper) - math.log(1 / (2 * delta))
    chance = 1 - math.exp(-missing) / 2 if missing > 0 else math.exp(missing) / 2
    if random.random() >= chance:
        return None
    size = random.expovariate(epsilon / bound)
    return np.clip(values, lower, upper).mean() + random.choice([-size, size])


def ptr_with_halves(values, *, bound, lower, upper, epsilon, delta):
    return ptr()(values, bound=bound, lower=lower, upper=upper, epsilon=epsilon / 2, delta=delta)


def ptr_with_one_draw(values, *, bound, lower, upper, epsilon, delta):
    drawn = np.random.laplace(0, 1 / epsilon)
    if distance(values, bound, lower, upper) + drawn <= math.log(1 / (2 * delta)) / epsilon:
        return None
    return np.mean(np.clip(values, lower, upper)) + bound * drawn


def ptr_with_scale(scale):
    """Return an answer whose release has another scale: scale(values, lower, upper)."""

    def answer(values, *, bound, lower, upper, epsilon, delta):
        given = ptr(noise=lambda b, e: np.random.laplace(0, scale(values, lower, upper) / e))
        return given(values, bound=bound, lower=lower, upper=upper, epsilon=epsilon, delta=delta)

    return answer


LOCAL = {}


def local(values, lower, upper):
    key = (tuple(values), lower, upper)
    if key not in LOCAL:
        LOCAL[key] = mean_by_formula(values, distance=0, lower=lower, upper=upper)
    return LOCAL[key]


def _clip_above(values, lower, upper):
    return np.mean(np.minimum(values, upper))


RIGHT_PTR = [
    ptr(),
    ptr_by_the_book,
    ptr_by_probability,
    ptr(
        test=lambda bound, epsilon: GENERATOR.exponential(1 / epsilon) * random.choice([-1, 1]),
        noise=lambda bound, epsilon: (
            (GENERATOR.exponential() - GENERATOR.exponential()) * bound / epsilon
        ),
    ),
    ptr(threshold=lambda epsilon, delta: -(math.log(2) + math.log(delta)) / epsilon),
    ptr(center=lambda values, lower, upper: pd.Series(values).clip(lower, upper).mean()),
]

WRONG_PTR = [
    (
        ptr(threshold=lambda epsilon, delta: math.log(2 / delta) / (2 * epsilon)),
        "the threshold is ln(2/delta) / (2*epsilon)",
    ),
    (ptr(threshold=lambda epsilon, delta: math.log(1 / delta) / epsilon), "is ln(1/delta)"),
    (ptr(threshold=lambda epsilon, delta: math.log(2 / delta) / epsilon), "is ln(2/delta) / eps"),
    (ptr(threshold=lambda epsilon, delta: math.log(1 / (2 * delta))), "without epsilon"),
    (ptr(test=lambda bound, epsilon: 0), "the test has no noise"),
    (ptr(passes=lambda noisy, threshold: True), "there is no test"),
    (ptr(passes=lambda noisy, threshold: False), "it never releases"),
    (ptr(passes=lambda noisy, threshold: noisy <= threshold), "the test is upside down"),
    (ptr(test=lambda bound, epsilon: np.random.laplace(0, 1)), "test has scale 1"),
    (ptr(test=lambda bound, epsilon: np.random.laplace(0, 2 / epsilon)), "test is doubled"),
    (ptr(test=lambda bound, epsilon: np.random.laplace(0, bound / epsilon)), "scale bound / eps"),
    (
        ptr(far=lambda values, bound, lower, upper: by_formula(values, bound, upper, 1)),
        "formula upper / (n - k + 1)",
    ),
    (
        ptr(far=lambda values, bound, lower, upper: by_formula(values, bound, upper - lower, 0)),
        "bound (upper - lower) / (n - k)",
    ),
    (ptr_with_scale(local), "that of the local sensitivity"),
    (ptr_with_scale(lambda values, lower, upper: upper - lower), "that of the whole interval"),
    (
        ptr_with_scale(lambda values, lower, upper: (upper - lower) / len(values)),
        "(upper - lower) / (n * epsilon)",
    ),
    (ptr(noise=lambda bound, epsilon: np.random.laplace(0, bound)), "epsilon is ignored"),
    (ptr(noise=lambda bound, epsilon: np.random.laplace(0, bound * epsilon)), "multiplies"),
    (ptr(noise=lambda bound, epsilon: np.random.laplace(0, 1 / epsilon)), "bound is ignored"),
    (ptr(noise=lambda bound, epsilon: np.random.laplace(0, 2 * bound / epsilon)), "has half of"),
    (
        ptr(noise=lambda bound, epsilon: np.random.laplace(0, bound / epsilon / 2)),
        ("has twice", "local sensitivity"),
    ),
    (ptr_with_halves, "epsilon is split between test and release"),
    (ptr(noise=lambda bound, epsilon: 0), "no noise"),
    (ptr_with_one_draw, "one draw of noise serves"),
    (ptr(noise=lambda bound, epsilon: np.random.normal(0, bound / epsilon)), "is Gaussian"),
    (ptr(noise=lambda bound, epsilon: np.random.exponential(bound / epsilon)), "never negative"),
    (ptr(center=lambda values, lower, upper: np.mean(values)), "the rows are not clipped"),
    (ptr(center=_clip_above), "clipped at the upper end only"),
    (
        ptr(center=lambda values, lower, upper: np.mean(np.maximum(values, lower))),
        "clipped at the lower end only",
    ),
    (ptr(center=lambda values, lower, upper: np.sum(np.clip(values, lower, upper))), "the sum"),
    (ptr(center=lambda values, lower, upper: 0), "the mean is missing"),
    (ptr(failed=0.0), "0 comes back"),
    (ptr(failed=math.nan), "the answer is not a number"),
    (ptr(failed="failed"), "one number is wanted"),
    (
        ptr(threshold=lambda epsilon, delta: 0.93 * math.log(1 / (2 * delta)) / epsilon),
        ("too often", "does not follow the Laplace law"),
    ),
    (
        lambda values, *, bound, lower, upper, epsilon, delta: dplib.propose_test_release(
            values, bound=bound, lower=lower, upper=upper, epsilon=epsilon, delta=delta
        ),
        "the library's own version",
    ),
]


# --- smooth_sensitivity_median ----------------------------------------------------------------


def smooth(
    *,
    weigh=lambda beta, k: math.exp(-beta * k),
    choose=max,
    most=None,
    places=lambda k: range(k + 2),
    ends=lambda rows, lower, upper: (lower, upper),
    clip=in_domain,
    half=0.5,
):
    """Return the smooth sensitivity of the median, right but for the parts that are given."""

    def answer(values, *, lower, upper, beta):
        rows = list(clip(values, lower, upper))
        n = len(rows)
        low, high = ends(rows, lower, upper)
        rows = [low] * (n + 1) + rows + [high] * (n + 1)
        left, right = n + 1 + (n - 1) // 2, n + 1 + n // 2
        share = 1 if left == right else half
        return choose(
            weigh(beta, k)
            * share
            * max(rows[right + t] - rows[left + t - k - 1] for t in places(k))
            for k in range((n if most is None else most) + 1)
        )

    return answer


def smooth_by_arrays(values, *, lower, upper, beta):
    rows, n = in_domain(values, lower, upper), len(values)
    ends = np.ones(n + 1)
    long = np.concatenate([lower * ends, rows, upper * ends])
    left, right = n + 1 + (n - 1) // 2, n + 1 + n // 2
    gaps = [
        np.max(long[right : right + k + 2] - long[left - k - 1 : left + 1]) for k in range(n + 1)
    ]
    return np.max(np.array(gaps) * np.exp(-beta * np.arange(n + 1))) * (1 if n % 2 else 0.5)


RIGHT_SMOOTH = [
    smooth(),
    smooth_by_arrays,
    smooth(choose=lambda weighted: np.array([max(weighted)])),
    lambda values, *, lower, upper, beta: smooth()(
        list(values), lower=lower, upper=upper, beta=beta
    ),
]

WRONG_SMOOTH = [
    (smooth(choose=lambda weighted: 1.02 * max(weighted)), "the value is wrong at 12 of 12 inputs"),
    (smooth(choose=lambda weighted: None), "returns nothing"),
    (smooth(choose=list), "one number is wanted"),
    (
        lambda values, *, lower, upper, beta: dplib.smooth_sensitivity_median(
            values, lower=lower, upper=upper, beta=beta
        ),
        "the library's own version",
    ),
]


# --- local_noise_counterexample ---------------------------------------------------------------

RIGHT_BREAK = [
    lambda epsilon, *, lower, upper: ([lower] * 3, [lower, lower, upper], lower, lower),
    lambda epsilon, *, lower, upper: (
        (upper,) * 3,
        (lower, upper, upper),
        upper - 1e-9,
        upper + 1e-9,
    ),
    lambda epsilon, *, lower, upper: (
        np.full(4, lower),
        pd.Series([lower, lower, lower, upper]),
        float(lower),
        lower,
    ),
    # With a little noise: the local sensitivity is 1e-3 here, and nearly the width there.
    lambda epsilon, *, lower, upper: (
        [lower, lower, lower + 1e-3],
        [lower, lower + 1e-3, upper],
        lower - 0.02,
        lower + 0.02,
    ),
]

WRONG_BREAK = [
    (
        lambda epsilon, *, lower, upper: ([lower] * 5, [*[lower] * 4, upper], lower, lower),
        "does not tell the two tables apart",
    ),
    (
        lambda epsilon, *, lower, upper: ([lower, lower, upper], [lower] * 3, lower, lower),
        "the two tables are in the wrong order",
    ),
    (
        lambda epsilon, *, lower, upper: ([lower] * 3, [lower, upper, upper], lower, lower),
        "the two tables are not neighbors",
    ),
    (
        lambda epsilon, *, lower, upper: ([lower] * 3, [lower] * 3, lower, lower),
        "the two tables are not neighbors",
    ),
    (
        lambda epsilon, *, lower, upper: ([lower] * 3, [lower] * 4, lower, lower),
        "the two tables are not neighbors",
    ),
    (
        lambda epsilon, *, lower, upper: ([lower] * 3, [lower, lower, upper + 1], lower, lower),
        "a row lies outside the domain",
    ),
    (
        lambda epsilon, *, lower, upper: ([lower] * 3, [lower, lower, upper], upper, lower),
        "the interval is empty",
    ),
    (
        lambda epsilon, *, lower, upper: (
            [lower] * 3,
            [lower, lower, upper],
            -INFINITY,
            INFINITY,
        ),
        "does not tell the two tables apart",
    ),
    (lambda epsilon, *, lower, upper: ([], [lower], lower, lower), "a table is a list"),
    (lambda epsilon, *, lower, upper: ("low", "high", 0, 1), "a table is a list"),
    (lambda epsilon, *, lower, upper: ([lower] * 3, [lower, lower, upper]), "four values"),
    (lambda epsilon, *, lower, upper: None, "four values are wanted"),
    (
        lambda epsilon, *, lower, upper: ([lower] * 3, [lower, lower, "x"], lower, lower),
        "one number is wanted",
    ),
]


RIGHT = {
    "local_sensitivity_median": RIGHT_LOCAL_MEDIAN,
    "local_sensitivity_at_distance": RIGHT_AT_DISTANCE,
    "distance_to_high_sensitivity": RIGHT_DISTANCE,
    "propose_test_release": RIGHT_PTR,
    "smooth_sensitivity_median": RIGHT_SMOOTH,
    "local_noise_counterexample": RIGHT_BREAK,
}

WRONG = {
    "local_sensitivity_median": WRONG_LOCAL_MEDIAN,
    "local_sensitivity_at_distance": WRONG_AT_DISTANCE,
    "distance_to_high_sensitivity": WRONG_DISTANCE,
    "propose_test_release": WRONG_PTR,
    "smooth_sensitivity_median": WRONG_SMOOTH,
    "local_noise_counterexample": WRONG_BREAK,
}
