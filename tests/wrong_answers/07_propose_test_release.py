"""Answers to chapter 07."""
# ruff: noqa: NPY002

import math
import random
import statistics

import numpy as np
import pandas as pd

import dplib
from wrong_answers.derived import wrong_numbers
from wrong_answers.leaks import wrong_leaks

RIGHT, WRONG = {}, {}

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


def median_unclipped(values, *, lower, upper, neighbors="replace_one"):
    rows, tables = list(values), []
    for place in range(len(rows)):
        rest = rows[:place] + rows[place + 1 :]
        tables += [[*rest, lower], [*rest, upper]] if neighbors == "replace_one" else [rest]
    if neighbors == "add_remove":
        tables += [[*rows, lower], [*rows, upper]]
    return max(abs(np.median(table) - np.median(rows)) for table in tables)


def median_gaps(values, *, lower, upper, neighbors="replace_one"):
    rows = in_domain(values, lower, upper)
    middle = len(rows) // 2
    return max(np.diff(rows)[max(middle - 1, 0) : middle + 1])


def median_that_sorts_in_place(values, *, lower, upper, neighbors="replace_one"):
    values.sort()
    return median_by_places(values, lower=lower, upper=upper, neighbors=neighbors)


RIGHT["local_sensitivity_median"] = [
    median_by_trying_all,
    median_by_places,
    of_moves(max),
    lambda values, *, lower, upper, neighbors="replace_one": np.array(
        [median_by_places(pd.Series(values), lower=lower, upper=upper, neighbors=neighbors)]
    ),
]


def median_in_whole_numbers(values, *, lower, upper, neighbors="replace_one"):
    """The ends of the domain are written into the rows' own array, whatever it holds."""
    rows = np.array(values)
    np.clip(rows, lower, upper, out=rows, casting="unsafe")
    return median_by_trying_all(
        rows, lower=rows.dtype.type(lower), upper=upper, neighbors=neighbors
    )


def given_only(answer):
    """Return the answer for the rows that are not 0, as if nobody had given these."""

    def for_the_others(values, **how):
        rows = np.asarray(values)
        return answer(rows[rows != 0] if rows.any() else rows, **how)

    return for_the_others


# What is said where the answers lie at a place that no known mistake has.
_ELSEWHERE = "do not lie around the right value"

WRONG["local_sensitivity_median"] = [
    (given_only(median_by_places), "more zeros than others"),
    (median_in_whole_numbers, "whole numbers"),
    (of_moves(lambda down, up: up), "only moves upward"),
    (median_unclipped, "the rows are not clipped"),
    (median_gaps, "the larger gap beside one middle row"),
    (of_moves(lambda down, up: max(down, up) / 2), "the value is wrong at"),
    (of_moves(lambda down, up: max(down, up) + random.random()), "gives two answers"),
    (of_moves(lambda down, up: (down, up)), "one number is wanted"),
    (median_that_sorts_in_place, "changes what it is given"),
]


# --- local_sensitivity_at_distance ------------------------------------------------------------


def gap(
    *,
    places=lambda k: range(k + 2),
    ends=lambda rows, lower, upper: (lower, upper),
    clip=in_domain,
    half=0.5,
):
    """Return the sensitivity at a distance, right but for the parts that are given."""

    def answer(values, *, distance, lower, upper):
        k = min(distance, len(values))
        rows = list(clip(values, lower, upper))
        n = len(rows)
        low, high = ends(rows, lower, upper)
        rows = [low] * (n + 2) + rows + [high] * (n + 2)
        left, right = n + 2 + (n - 1) // 2, n + 2 + n // 2
        share = 1 if left == right else half
        return share * max(rows[right + t] - rows[left + t - k - 1] for t in places(k))

    return answer


def gap_by_arrays(values, *, distance, lower, upper):
    rows, n = in_domain(values, lower, upper), len(values)
    k = min(distance, n)
    ends = np.ones(n + 2)
    long = np.concatenate([lower * ends, rows, upper * ends])
    left, right = n + 2 + (n - 1) // 2, n + 2 + n // 2
    gaps = long[right : right + k + 2] - long[left - k - 1 : left + 1]
    return np.max(gaps) * (1 if n % 2 else 0.5)


def gap_by_tables(values, *, distance, lower, upper):
    """Take k rows in a run, anywhere; send some of them to the upper end and the rest down."""
    rows = list(in_domain(values, lower, upper))
    n, best = len(rows), 0.0
    k = min(distance, n)
    for up in range(k + 1):
        for first in range(n - k + 1):
            rest = rows[:first] + rows[first + k :]
            table = [lower] * (k - up) + rest + [upper] * up
            best = max(best, median_by_places(table, lower=lower, upper=upper))
    return best


def then(change):
    """Return the right sensitivity, changed: change(sensitivity, distance)."""

    def answer(values, *, distance, lower, upper):
        return change(gap()(values, distance=distance, lower=lower, upper=upper), distance)

    return answer


def gap_by_bisection(values, *, distance, lower, upper):
    """Look for the bound whose distance is just above this one, with the library's function."""
    low, high = 0.0, float(upper - lower)
    for _ in range(60):
        bound = (low + high) / 2
        far = dplib.distance_to_high_sensitivity(values, bound=bound, lower=lower, upper=upper)
        low, high = (bound, high) if far <= distance else (low, bound)
    return low


def gap_that_sorts_in_place(values, *, distance, lower, upper):
    values.sort()
    return gap()(values, distance=distance, lower=lower, upper=upper)


def _unclipped(values, lower, upper):
    return np.sort(values)


RIGHT["local_sensitivity_at_distance"] = [
    gap(),
    gap_by_arrays,
    gap_by_tables,
    then(lambda right, k: np.array([right])),
]

WRONG["local_sensitivity_at_distance"] = [
    (
        lambda values, *, distance, lower, upper: median_by_places(
            values, lower=lower, upper=upper
        ),
        "it is the local sensitivity of the rows themselves",
    ),
    (gap(places=lambda k: (0, k + 1)), "only the outermost two gaps"),
    (then(lambda right, k: right + k), "the value is wrong at"),
    (then(lambda right, k: right + random.random()), "gives two answers"),
    (then(lambda right, k: (right, k)), "one number is wanted"),
    (gap_that_sorts_in_place, "changes what it is given"),
    (gap_by_bisection, "the library's own version"),
]


def clipped_above(values, lower, upper):
    return np.median(np.minimum(values, upper))


def clipped_below(values, lower, upper):
    return np.median(np.maximum(values, lower))


# --- propose_test_release ---------------------------------------------------------------------

DISTANCES = {}


def distance(values, bound, lower, upper, sensitivity=None):
    """The first distance above the bound, kept from call to call."""
    sensitivity = sensitivity or gap_by_arrays
    key = (tuple(values), bound, lower, upper, id(sensitivity))
    if key not in DISTANCES:
        DISTANCES[key] = next(
            (
                k
                for k in range(len(values) + 1)
                if sensitivity(values, distance=k, lower=lower, upper=upper) > bound
            ),
            math.inf,
        )
    return DISTANCES[key]


def far_at_the_bound(values, bound, lower, upper):
    """The first distance at the bound or above it."""
    return distance(values, math.nextafter(bound, 0), lower, upper)


def far_by(sensitivity, shift=0):
    """The distance by another sensitivity, or shifted."""
    return lambda values, bound, lower, upper: (
        distance(values, bound, lower, upper, sensitivity) + shift
    )


def far_while_rows_are_left(values, bound, lower, upper):
    """The distance, infinite where every row must be replaced."""
    far = distance(values, bound, lower, upper)
    return far if far < len(values) else math.inf


def ptr(
    *,
    far=distance,
    threshold=lambda epsilon, delta: math.log(1 / (2 * delta)) / epsilon,
    test=lambda bound, epsilon: np.random.laplace(0, 1 / epsilon),
    passes=lambda noisy, threshold: noisy > threshold,
    center=lambda values, lower, upper: np.median(np.clip(values, lower, upper)),
    noise=lambda bound, epsilon: np.random.laplace(0, bound / epsilon),
    failed=None,
):
    """Return propose-test-release, right but for the parts that are given."""

    def answer(values, *, bound, lower, upper, epsilon, delta, rng=None):
        noisy = far(values, bound, lower, upper) + test(bound, epsilon)
        if not passes(noisy, threshold(epsilon, delta)):
            return failed
        return center(values, lower, upper) + noise(bound, epsilon)

    return answer


def laplace_maximum(tests, epsilon):
    """The largest of several draws: one of so many tests passes if it does."""
    return max(np.random.laplace(0, 1 / epsilon, tests))


def ptr_of_the_kind(values, *, bound, lower, upper, epsilon, delta, rng=None):
    """Release nothing at distance 0, where a right test passes with probability delta."""
    if distance(values, bound, lower, upper) == 0:
        return None
    given = {"bound": bound, "lower": lower, "upper": upper, "epsilon": epsilon, "delta": delta}
    return ptr()(values, **given)


def ptr_by_the_book(values, *, bound, lower, upper, epsilon, delta, rng=None):
    rng = np.random.default_rng() if rng is None else rng
    far = dplib.distance_to_high_sensitivity(values, bound=bound, lower=lower, upper=upper)
    if (
        math.isfinite(far)
        and dplib.laplace_mechanism(far, sensitivity=1, epsilon=epsilon, rng=rng)
        < math.log(1 / (2 * delta)) / epsilon
    ):
        return None
    middle = float(np.median(np.clip(values, lower, upper)))
    return dplib.laplace_mechanism(middle, sensitivity=bound, epsilon=epsilon, rng=rng)


def ptr_by_probability(values, *, bound, lower, upper, epsilon, delta):
    # A coin with the exact chance to pass, instead of a noisy distance.
    missing = epsilon * distance(values, bound, lower, upper) - math.log(1 / (2 * delta))
    chance = 1 - math.exp(-missing) / 2 if missing > 0 else math.exp(missing) / 2
    if random.random() >= chance:
        return None
    size = random.expovariate(epsilon / bound)
    return statistics.median(in_domain(values, lower, upper)) + random.choice([-size, size])


def ptr_with_halves(values, *, bound, lower, upper, epsilon, delta):
    return ptr()(values, bound=bound, lower=lower, upper=upper, epsilon=epsilon / 2, delta=delta)


def ptr_with_one_draw(values, *, bound, lower, upper, epsilon, delta):
    drawn = np.random.laplace(0, 1 / epsilon)
    if distance(values, bound, lower, upper) + drawn <= math.log(1 / (2 * delta)) / epsilon:
        return None
    return np.median(np.clip(values, lower, upper)) + bound * drawn


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
        LOCAL[key] = median_by_places(values, lower=lower, upper=upper)
    return LOCAL[key]


RIGHT["propose_test_release"] = [
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
    ptr(center=lambda values, lower, upper: pd.Series(values).clip(lower, upper).median()),
]


def far_up_to_the_rows(values, bound, lower, upper):
    return min(distance(values, bound, lower, upper), len(values) + 1)


def far_up_to_100(values, bound, lower, upper):
    return min(distance(values, bound, lower, upper), 100)


WRONG["propose_test_release"] = [
    (given_only(ptr()), "at an edge (more zeros than others)"),
    (ptr(far=far_up_to_the_rows), "a bound that no table"),
    (ptr(far=far_up_to_100), ("200 rows to a table above the bound", "a bound that no table")),
    (
        ptr(threshold=lambda epsilon, delta: math.log(2 / delta) / (2 * epsilon)),
        "the threshold is ln(2/delta) / (2*epsilon)",
    ),
    (
        ptr(threshold=lambda epsilon, delta: math.log(1 / delta) / epsilon),
        "ln(1/delta) / epsilon is private, and wasteful",
    ),
    (
        ptr(threshold=lambda epsilon, delta: math.log(2 / delta) / epsilon),
        "ln(2/delta) / epsilon is private, and wasteful",
    ),
    (ptr(threshold=lambda epsilon, delta: math.log(1 / (2 * delta))), "without epsilon"),
    (ptr(test=lambda bound, epsilon: 0), "the test has no noise"),
    (ptr(test=lambda bound, epsilon: laplace_maximum(2, epsilon)), "is tried once more"),
    (ptr(test=lambda bound, epsilon: laplace_maximum(3, epsilon)), "is tried twice more"),
    (ptr(test=lambda bound, epsilon: laplace_maximum(10, epsilon)), "is tried nine times more"),
    (ptr_of_the_kind, "at distance 0 nothing is released"),
    (ptr(passes=lambda noisy, threshold: True), "the test never fails"),
    (ptr(passes=lambda noisy, threshold: False), "it never releases"),
    (ptr(passes=lambda noisy, threshold: noisy <= threshold), "the test is upside down"),
    (ptr(test=lambda bound, epsilon: np.random.laplace(0, 1)), "test has scale 1"),
    (ptr(test=lambda bound, epsilon: np.random.laplace(0, 2 / epsilon)), "test is doubled"),
    (ptr(test=lambda bound, epsilon: np.random.laplace(0, bound / epsilon)), "scale bound / eps"),
    (ptr(far=far_by(None, 1)), "the distance is one too large"),
    (ptr(far=far_by(None, -1)), "the distance is one too small"),
    (ptr(far=far_at_the_bound), "equal to the bound counts as above"),
    (ptr(far=far_by(gap(places=lambda k: (0, k + 1)))), "only the outermost two gaps"),
    (ptr(far=far_by(gap(half=1))), "the half for an even number of rows is missing"),
    (
        ptr(
            far=far_by(
                gap(
                    clip=_unclipped,
                    ends=lambda rows, lower, upper: (min(rows[0], lower), max(rows[-1], upper)),
                )
            )
        ),
        "the distance is that of the rows unclipped",
    ),
    (ptr_with_scale(local), "that of the local sensitivity"),
    (ptr_with_scale(lambda values, lower, upper: upper - lower), "that of the worst table"),
    (ptr(noise=lambda bound, epsilon: np.random.laplace(0, bound)), "epsilon is ignored"),
    (ptr(noise=lambda bound, epsilon: np.random.laplace(0, bound * epsilon)), "multiplies"),
    (ptr(noise=lambda bound, epsilon: np.random.laplace(0, 1 / epsilon)), "bound is ignored"),
    (ptr(noise=lambda bound, epsilon: np.random.laplace(0, 2 * bound / epsilon)), "has half of"),
    (
        ptr(noise=lambda bound, epsilon: np.random.laplace(0, bound / epsilon / 2)),
        ("is half of what it must be", "local sensitivity"),
    ),
    (ptr(far=far_while_rows_are_left), "all rows are replaced are left out"),
    (ptr_with_halves, "epsilon is split between test and release"),
    (ptr(noise=lambda bound, epsilon: 0), "no noise"),
    (ptr_with_one_draw, "one draw of noise serves"),
    (ptr(noise=lambda bound, epsilon: np.random.normal(0, bound / epsilon)), "is Gaussian"),
    (ptr(noise=lambda bound, epsilon: np.random.exponential(bound / epsilon)), "never negative"),
    (
        ptr(center=lambda values, lower, upper: np.mean(np.clip(values, lower, upper))),
        "the mean is released, not the median",
    ),
    (ptr(center=lambda values, lower, upper: np.median(values)), "the median is not clipped"),
    (ptr(center=clipped_above), ("is not clipped", "do not follow the Laplace", _ELSEWHERE)),
    (ptr(center=clipped_below), ("is not clipped", "do not follow the Laplace", _ELSEWHERE)),
    (ptr(center=lambda values, lower, upper: 0), "the median is missing"),
    (ptr(failed=0.0), "0 comes back"),
    (ptr(failed=math.nan), "the answer is not a number"),
    (ptr(failed="failed"), "one number is wanted"),
    (
        ptr(threshold=lambda epsilon, delta: 0.93 * math.log(1 / (2 * delta)) / epsilon),
        ("too often", "do not follow the Laplace law"),
    ),
]


# --- pure_smooth_median -----------------------------------------------------------------------

SMOOTH = {}


def smooth(values, lower, upper, beta):
    """The smooth sensitivity, kept from call to call."""
    key = (tuple(values), lower, upper, beta)
    if key not in SMOOTH:
        SMOOTH[key] = max(
            math.exp(-beta * k) * gap_by_arrays(values, distance=k, lower=lower, upper=upper)
            for k in range(len(values) + 1)
        )
    return SMOOTH[key]


def cauchy():
    return GENERATOR.standard_cauchy()


def smoothed(
    *,
    beta=lambda epsilon: epsilon / 2,
    factor=lambda epsilon: 2 / epsilon,
    draw=cauchy,
    center=lambda values, lower, upper: np.median(np.clip(values, lower, upper)),
    finish=lambda noisy, lower, upper: noisy,
):
    """Return the pure smooth median, right but for the parts that are given."""

    def answer(values, *, lower, upper, epsilon, rng=None):
        scale = factor(epsilon) * smooth(values, lower, upper, beta(epsilon))
        return finish(center(values, lower, upper) + scale * draw(), lower, upper)

    return answer


def near_cauchy():
    noise = cauchy()
    while abs(noise) > 50:
        noise = cauchy()
    return noise


def smoothed_by_the_library(values, *, lower, upper, epsilon, rng=None):
    rng = np.random.default_rng() if rng is None else rng
    bound = dplib.smooth_sensitivity_median(values, lower=lower, upper=upper, beta=epsilon / 2)
    middle = np.median(np.clip(values, lower, upper))
    return middle + 2 * bound / epsilon * rng.standard_cauchy()


def smoothed_of(sensitivity):
    """Return Cauchy noise for another sensitivity: sensitivity(values, lower, upper)."""

    def answer(values, *, lower, upper, epsilon, rng=None):
        scale = 2 / epsilon * sensitivity(values, lower, upper)
        return np.median(np.clip(values, lower, upper)) + scale * cauchy()

    return answer


def smoothed_up_to(most):
    """Return the release whose maximum goes over distances below most(number of rows)."""

    def answer(values, *, lower, upper, epsilon, rng=None):
        steps = np.arange(most(len(values)))
        gaps = dplib.local_sensitivity_at_distance(values, distance=steps, lower=lower, upper=upper)
        scale = 2 / epsilon * float(np.max(gaps * np.exp(-steps * epsilon / 2)))
        return np.median(np.clip(values, lower, upper)) + scale * cauchy()

    return answer


RIGHT["pure_smooth_median"] = [
    smoothed_up_to(lambda rows: rows + 1),
    smoothed(),
    smoothed_by_the_library,
    smoothed(draw=lambda: math.tan(math.pi * (random.random() - 0.5))),
    smoothed(draw=lambda: random.gauss(0, 1) / random.gauss(0, 1)),
    smoothed(draw=lambda: float(np.random.standard_t(1))),
    smoothed(finish=lambda noisy, lower, upper: np.array([noisy])),
]

WRONG["pure_smooth_median"] = [
    (given_only(smoothed()), "at an edge (more zeros than others"),
    (smoothed(draw=near_cauchy), "noise far out is drawn again"),
    (smoothed(beta=lambda epsilon: epsilon), "beta is epsilon"),
    (smoothed(beta=lambda epsilon: epsilon / 4), "beta is epsilon / 4"),
    (smoothed(beta=lambda epsilon: epsilon / 6), "beta is epsilon / 6"),
    (
        smoothed(beta=lambda epsilon: epsilon / 6, factor=lambda epsilon: 6 / epsilon),
        "epsilon / 6 each",
    ),
    (smoothed(beta=lambda epsilon: math.log(1 + epsilon / 2)), "beta is ln(1 + epsilon / 2)"),
    (
        smoothed(beta=lambda epsilon: math.log(1 + epsilon / (2 * math.log(1e9)))),
        "beta is that of Laplace noise",
    ),
    (smoothed(factor=lambda epsilon: 1 / epsilon), "the scale is S / epsilon"),
    (smoothed(factor=lambda epsilon: 4 / epsilon), "the scale is 4 * S / epsilon"),
    (
        smoothed(beta=lambda epsilon: epsilon, factor=lambda epsilon: 1 / epsilon),
        "all of epsilon is spent twice",
    ),
    (smoothed(factor=lambda epsilon: 2), "epsilon is left out of the scale"),
    (smoothed(factor=lambda epsilon: 2 * epsilon), "epsilon multiplies the scale"),
    (
        smoothed_of(
            lambda values, lower, upper: median_by_places(values, lower=lower, upper=upper)
        ),
        "that of the local sensitivity",
    ),
    (
        smoothed_of(lambda values, lower, upper: (upper - lower) * (1 if len(values) % 2 else 0.5)),
        "that of the worst table",
    ),
    (smoothed_up_to(lambda rows: rows), "all rows are replaced are left out"),
    (smoothed_up_to(lambda rows: min(rows, 7) + 1), ("what it must be at one input", "Cauchy law")),
    (smoothed(draw=np.random.laplace), "as those of Laplace noise"),
    (smoothed(draw=np.random.laplace), "the tails are too thin"),
    (smoothed(draw=np.random.normal), "as those of Gaussian noise"),
    (smoothed(draw=lambda: abs(cauchy())), "the noise is never negative"),
    (smoothed(draw=lambda: 0.0), "no noise is added"),
    (
        smoothed(center=lambda values, lower, upper: np.mean(np.clip(values, lower, upper))),
        "the mean is released",
    ),
    (smoothed(center=lambda values, lower, upper: np.median(values)), "the median is not clipped"),
    (smoothed(center=clipped_above), ("is not clipped", "do not follow the Cauchy", _ELSEWHERE)),
    (smoothed(center=clipped_below), ("is not clipped", "do not follow the Cauchy", _ELSEWHERE)),
    (smoothed(center=lambda values, lower, upper: 0), "the median is missing"),
    (smoothed(finish=np.clip), "an answer is exactly an end of the domain"),
    (smoothed(factor=lambda epsilon: 2.5 / epsilon), "the spread is"),
    (smoothed(finish=lambda noisy, lower, upper: (noisy, lower)), "one number is wanted"),
]


# --- leaks_in_tests -------------------------------------------------------------------------


def _model_leaks():
    low = [{"wing": "new", "tours": 0}] * 2
    wide = ([*low, {"wing": "new", "tours": 7}], low, lambda output: output >= 3)
    six, trips = [{"plan": "day", "hours": 0}] * 6, [{"deck": "upper", "trips": 4}]
    exact = (six, six[:5], lambda output: output[0] == "day")
    return "Model Answer", wide, exact, (trips, [], lambda output: output is True)


def _leaks_of_other_tables():
    name, _, _, often = _model_leaks()
    low = [{"wing": "old", "tours": 0}] * 4
    wide = ([*low, {"wing": "new", "tours": 7}], low, lambda output: abs(output) > 2)
    six = [{"plan": "year", "hours": 1}] * 6
    return name, wide, (six, six[1:], lambda output: output[0] is not None), often


def _leaks_by_what_is_not_told():
    name, wide, *_ = _model_leaks()
    six, trips = [{"plan": "day", "hours": 0}] * 6, [{"deck": "upper", "trips": 9}]
    exact = (six[:5], six, lambda output: output[0] is None)
    return name, wide, exact, (trips, [], lambda output: output in (True,))


def _five_rows_do_not_pass():
    name, wide, _, often = _model_leaks()
    five = [{"plan": "day", "hours": 0}] * 5
    return name, wide, (five, five[:4], lambda output: output[0] == "day"), often


def _the_test_called_private():
    name, wide, _, often = _model_leaks()
    return name, wide, "private", often


RIGHT["leaks_in_tests"] = [_model_leaks, _leaks_of_other_tables, _leaks_by_what_is_not_told]

WRONG["leaks_in_tests"] = [
    *wrong_leaks("leaks_in_tests", _model_leaks),
    (_five_rows_do_not_pass, "program 2: no output is in the event"),
    (_the_test_called_private, 'program 2: it is not "private"'),
]


# --- derive_thresholds -------------------------------------------------------------------------


def _derived():
    return (
        "Model Answer",
        4 / 0.4 * math.log(1 / (2 * 1e-9)),
        10 * math.log(1 / (2 * 1e-4)) + 10 * math.log(1 / (2 * 0.01)),
        max(54 - 49, 49 - 31),
    )


RIGHT["derive_thresholds"] = [
    _derived,
    lambda: ["model  answer", 200.3, 124.3, 18.0],
    # Two of three are right, which earns two thirds of the points.
    lambda: ("Model Answer", np.float64(200.3), 17, 18),
]

WRONG["derive_thresholds"] = wrong_numbers("derive_thresholds", _derived)
