"""Answers to chapter 06."""

import math

import numpy as np
from scipy import optimize, special

import dplib
from wrong_answers.leaks import wrong_leaks

RIGHT, WRONG = {}, {}

GENERATOR = np.random.default_rng()
cdf = special.ndtr  # as stats.norm.cdf, which takes fifty times as long for one number


def exact_delta(sigma, l2_sensitivity, epsilon):
    half, shift = l2_sensitivity / (2 * sigma), epsilon * sigma / l2_sensitivity
    return cdf(half - shift) - math.exp(epsilon) * cdf(-half - shift)


def sigma_by_halving(l2_sensitivity, epsilon, delta, delta_of=exact_delta):
    low, high = 1e-3 * l2_sensitivity, 1e5 * l2_sensitivity
    for _ in range(100):
        middle = math.sqrt(low * high)
        if delta_of(middle, l2_sensitivity, epsilon) > delta:
            low = middle
        else:
            high = middle
    return high


KEPT = {}


def sigma(l2_sensitivity, epsilon, delta):
    """The right sigma, kept from call to call."""
    key = (l2_sensitivity, epsilon, delta)
    if key not in KEPT:
        KEPT[key] = sigma_by_halving(*key)
    return KEPT[key]


def classical(l2_sensitivity, epsilon, delta, number=1.25):
    return math.sqrt(2 * math.log(number / delta)) * l2_sensitivity / epsilon


def one_sided(l2_sensitivity, epsilon, delta):
    """The sigma with Pr(loss > epsilon) = delta."""
    key = ("first", l2_sensitivity, epsilon, delta)
    if key not in KEPT:
        KEPT[key] = sigma_by_halving(*key[1:], lambda s, d, e: cdf(d / (2 * s) - e * s / d))
    return KEPT[key]


def without_factor(l2_sensitivity, epsilon, delta):
    key = ("no factor", l2_sensitivity, epsilon, delta)
    if key not in KEPT:
        KEPT[key] = sigma_by_halving(
            *key[1:], lambda s, d, e: cdf(d / (2 * s) - e * s / d) - cdf(-d / (2 * s) - e * s / d)
        )
    return KEPT[key]


# --- vector_sensitivities ---------------------------------------------------------------------


def norms(rows, neighbors):
    """Both largest norms, by numpy."""
    rows = np.array(rows, dtype=float)
    if neighbors == "replace_one":
        rows = (rows[:, None, :] - rows[None, :, :]).reshape(-1, rows.shape[1])
    return tuple(np.linalg.norm(rows, order, axis=1).max() for order in (1, 2))


def vectors(choose=norms, then=lambda l1, l2: (l1, l2)):
    """Return an answer from all that the domain can add, and a last step."""

    def answer(contribution, *, domain, neighbors):
        return then(*choose([contribution(value) for value in domain], neighbors))

    return answer


def vectors_in_loops(contribution, *, domain, neighbors):
    l1 = l2 = 0
    for one in domain:
        others = domain if neighbors == "replace_one" else [None]
        for other in others:
            change = np.array(contribution(one), dtype=float)
            if other is not None:
                change = change - contribution(other)
            l1 = max(l1, sum(abs(part) for part in change))
            l2 = max(l2, math.sqrt(sum(part**2 for part in change)))
    return [l1, l2]


def vectors_by_dots(contribution, *, domain, neighbors):
    rows = np.array([contribution(value) for value in domain], dtype=float)
    changes = rows if neighbors == "add_remove" else np.vstack([rows - row for row in rows])
    return np.array(
        [np.abs(changes).sum(1).max(), np.einsum("ij,ij->i", changes, changes).max() ** 0.5]
    )


def by_entries(rows, neighbors):
    rows = np.array(rows, dtype=float)
    worst = np.ptp(rows, axis=0) if neighbors == "replace_one" else np.abs(rows).max(axis=0)
    return worst.sum(), np.sqrt((worst**2).sum())


def by_signed_sum(rows, neighbors):
    sums = np.array(rows, dtype=float).sum(axis=1)
    l1 = np.ptp(sums) if neighbors == "replace_one" else np.abs(sums).max()
    return l1, norms(rows, neighbors)[1]


def by_signs_kept(rows, neighbors):
    sums = np.array(rows, dtype=float).sum(axis=1)
    l1 = np.ptp(sums) if neighbors == "replace_one" else sums.max()
    return l1, norms(rows, neighbors)[1]


RIGHT["vector_sensitivities"] = [vectors(), vectors_in_loops, vectors_by_dots]


def by_the_largest(rows, neighbors):
    """Compare every row with the one that is largest by itself."""
    rows = np.array(rows, dtype=float)
    if neighbors == "replace_one":
        rows = rows - rows[np.argmax(np.abs(rows).sum(axis=1))]
    return norms(rows, "add_remove")


def vectors_of_several(contribution, *, domain, neighbors):
    if len(domain) == 1:
        raise ValueError("no pair")
    return vectors()(contribution, domain=domain, neighbors=neighbors)


WRONG["vector_sensitivities"] = [
    (vectors(by_the_largest), ("at an edge", "the value is wrong at", "L2 is taken for")),
    (vectors(by_entries), "each entry is taken at its largest"),
    (vectors(by_signed_sum), "without absolute values"),
    (vectors(by_signs_kept), "keep their signs"),
    (vectors(then=lambda l1, l2: (1.1 * l1, l2)), "the value is wrong at 10 of 10 inputs"),
    (vectors(then=lambda l1, l2: l1), "two numbers are wanted"),
    (vectors_of_several, "contribution [-3, 4], domain [only]"),
    (vectors(then=lambda l1, l2: (l1, math.nan)), "not a finite number"),
]


# --- least_miss_rate --------------------------------------------------------------------------


def by_sets(false_alarm_rate, *, epsilon, delta):
    # The promise for the set of alarms, and for the set without, with the tables in both roles.
    power = min(
        1.0,
        math.exp(epsilon) * false_alarm_rate + delta,
        1 - math.exp(-epsilon) * (1 - false_alarm_rate - delta),
    )
    return 1 - power


def by_search(false_alarm_rate, *, epsilon, delta):
    # The least rate that breaks no promise, by halving.
    low, high = 0.0, 1.0
    for _ in range(80):
        miss = (low + high) / 2
        kept = 1 - miss <= math.exp(epsilon) * false_alarm_rate + delta and (
            1 - false_alarm_rate <= math.exp(epsilon) * miss + delta
        )
        low, high = (low, miss) if kept else (miss, high)
    return high


def missed(formula):
    return lambda false_alarm_rate, *, epsilon, delta: formula(false_alarm_rate, epsilon, delta)


def both(alpha, e, d):
    return max(0, 1 - d - math.exp(e) * alpha, math.exp(-e) * (1 - d - alpha))


def by_program(false_alarm_rate, *, epsilon, delta):
    """Let a solver find the smallest rate; what it says is right up to its tolerance."""
    least = (
        1 - delta - math.exp(epsilon) * false_alarm_rate,
        math.exp(-epsilon) * (1 - delta - false_alarm_rate),
    )
    return optimize.linprog([1], A_ub=[[-1], [-1]], b_ub=np.negative(least)).fun


RIGHT["least_miss_rate"] = [
    by_sets,
    by_program,
    by_search,
    missed(both),
    missed(lambda alpha, e, d: np.array([np.max([0, 1 - d - np.exp(e) * alpha,
                                                 (1 - d - alpha) / np.exp(e)])])),
]  # fmt: skip

WRONG["least_miss_rate"] = [
    (missed(lambda a, e, d: max(0, 1 - d - math.exp(e) * a)), "that raise the alarm is used"),
    (
        missed(lambda a, e, d: max(0, 1 - d - math.exp(e) * a, math.exp(-e) * (1 - a) - d)),
        "delta is not divided",
    ),
    (missed(lambda a, e, d: 0.5), "the value is wrong"),
    (missed(lambda a, e, d: (a, e)), "one number is wanted"),
]


# --- analytic_gaussian_sigma ------------------------------------------------------------------


def sigma_by_brentq(*, l2_sensitivity, epsilon, delta):
    return optimize.brentq(
        lambda s: exact_delta(s, l2_sensitivity, epsilon) - delta,
        1e-3 * l2_sensitivity,
        1e6 * l2_sensitivity,
    )


def sigma_by_plain_halving(*, l2_sensitivity, epsilon, delta):
    low, high = 0.0, 1e9 * l2_sensitivity
    while high - low > 1e-7 * low:
        middle = (low + high) / 2
        too_little = dplib.gaussian_delta(
            sigma=middle, l2_sensitivity=l2_sensitivity, epsilon=epsilon
        )
        low, high = (middle, high) if too_little > delta else (low, middle)
    return high


def by_formula(formula):
    return lambda *, l2_sensitivity, epsilon, delta: formula(l2_sensitivity, epsilon, delta)


RIGHT["analytic_gaussian_sigma"] = [
    by_formula(sigma_by_halving),
    by_formula(lambda d, e, delta: np.float64(d * sigma_by_halving(1, e, delta))),
    sigma_by_brentq,
    sigma_by_plain_halving,
]

WRONG["analytic_gaussian_sigma"] = [
    (by_formula(classical), "classical formula is used"),
    (by_formula(one_sided), "chance of a loss above epsilon"),
    (by_formula(without_factor), "exp(epsilon) is missing"),
    (
        by_formula(lambda d, e, delta: 1.001 * sigma(d, e, delta)),
        ("the value is wrong at 12 of 12", "the value is nearly right"),
    ),
    (by_formula(lambda d, e, delta: math.inf), "not a finite number"),
]


# --- classical_sigma_counterexample -----------------------------------------------------------


def smallest_counterexample(delta):
    epsilon = 1.0
    while exact_delta(classical(1, epsilon, delta), 1, epsilon) <= 1.00001 * delta:
        epsilon *= 1.001
    return epsilon


def smallest_of_all(delta):
    return optimize.brentq(
        lambda epsilon: exact_delta(classical(1, epsilon, delta), 1, epsilon) / delta - 1,
        1.0,
        smallest_counterexample(delta),
        xtol=1e-14,
    )


def nearly_smallest(delta):
    return 1.008 * smallest_counterexample(delta)


def smallest_by_halving(delta):
    low, high = 1.0, 100.0
    while high > low + 1e-6:
        middle = (low + high) / 2
        fails = exact_delta(classical(1, middle, delta), 1, middle) > delta * 1.00001
        low, high = (low, middle) if fails else (middle, high)
    return high


RIGHT["classical_sigma_counterexample"] = [
    smallest_counterexample,
    nearly_smallest,
    smallest_by_halving,
    lambda delta: np.float64(smallest_by_halving(delta)),
    smallest_of_all,  # at the crossing itself rounding decides
]

WRONG["classical_sigma_counterexample"] = [
    (lambda delta: 700, "a smaller epsilon refutes the formula too"),
    (lambda delta: 20, "a smaller epsilon refutes the formula too"),
    (lambda delta: 10, "a smaller epsilon refutes the formula too"),
    (lambda delta: 1.05 * smallest_counterexample(delta), "a smaller epsilon refutes"),
    (lambda delta: math.ceil(smallest_counterexample(delta)), "how large are its steps"),
    (lambda delta: 0.97 * smallest_counterexample(delta), "the classical formula still holds"),
    (lambda delta: 0.995 * smallest_counterexample(delta), "which end do you return?"),
    (lambda delta: smallest_of_all(delta) * (1 - 5e-10), "which is, to eight digits, what"),
    (lambda delta: 0.5, "below epsilon 1 the classical formula is proved"),
    (lambda delta: delta, "below epsilon 1 the classical formula is proved"),
    (lambda delta: 2.0, "is this where your search ends"),
    (lambda delta: -1, "epsilon must be positive"),
    (lambda delta: 0, "epsilon must be positive"),
    (lambda delta: 1e6, "too large to compute with"),
    (lambda delta: math.inf, "not a finite number"),
    (lambda delta: "large", "one number is wanted"),
    (lambda delta: (20, delta), "one number is wanted"),
]


# --- leaks_beyond_delta ---------------------------------------------------------------------


def _model_leaks():
    two, five = [{"wing": "new", "tours": 2}], [{"wing": "new", "tours": 5}]
    cancels = (two, five, lambda output: output[0] - output[1] == 1)
    return "Model Answer", cancels, "private", "private"


def _leak_the_other_way():
    five, two = [{"wing": "old", "tours": 7}] * 3, [{"wing": "old", "tours": 3}]
    cancels = (five, [*five[:2], *two], lambda output: output[0] == output[1])
    return "Model answer", cancels, "private", "private"


def _leak_of_the_first_count():
    none, five = [{"wing": "new", "tours": 0}], [{"wing": "new", "tours": 2}]
    cancels = (five, none, lambda output: abs(output[0] - output[1]) > 0.5)
    return ["Model Answer", cancels, "private", "Private"]


def _within_delta():
    name, leak, *_ = _model_leaks()
    loans = [{"branch": "hill", "loans": 5}]
    return name, leak, "private", (loans, [], lambda output: output > 4)


def _as_promised():
    name, leak, *_ = _model_leaks()
    hours = [{"plan": "day", "hours": 2}]
    return name, leak, (hours, [], lambda output: output >= 1), "private"


RIGHT["leaks_beyond_delta"] = [_model_leaks, _leak_the_other_way, _leak_of_the_first_count]

WRONG["leaks_beyond_delta"] = [
    *wrong_leaks("leaks_beyond_delta", _model_leaks),
    (_within_delta, "does not tell the two tables apart well enough"),
    (_as_promised, "as much more likely as was promised, and no more"),
]
