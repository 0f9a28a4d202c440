"""Answers to chapter 10's exercises, as data: wrong ones with the words that must name the mistake,
and right ones in many styles (see 03_laplace.py).
"""
# ruff: noqa: NPY002

import itertools
import math
import random
from collections import Counter

import numpy as np
import pandas as pd

import dplib

GENERATOR = np.random.default_rng()


def _normal(weights):
    return weights / np.sum(weights)


def _stable(exponents):
    exponents = np.asarray(exponents, dtype=float)
    return _normal(np.exp(exponents - exponents.max()))


def _pick(candidates, probabilities):
    return candidates[np.random.choice(len(candidates), p=probabilities)]


def _factor(monotone):
    return 1 if monotone else 2


def _unanswered(*_arguments, **_keywords):
    raise NotImplementedError


# --- exponential_mechanism --------------------------------------------------------------------


def exponential_by(exponents, choose=_pick):
    """An answer from its exponents, a function of (scores, sensitivity, epsilon, factor)."""

    def answer(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
        return choose(
            candidates, _stable(exponents(scores, sensitivity, epsilon, _factor(monotone)))
        )

    return answer


def exponential_by_gumbel(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    rng = np.random.default_rng() if rng is None else rng
    scale = _factor(monotone) * sensitivity / epsilon
    return candidates[int(np.argmax(scores + rng.gumbel(scale=scale, size=len(scores))))]


def exponential_by_inverse(candidates, scores, *, sensitivity, epsilon, monotone=False):
    best, total = max(scores), 0.0
    weights = [math.exp(epsilon * (u - best) / _factor(monotone) / sensitivity) for u in scores]
    goal = random.random() * sum(weights)
    for candidate, weight in zip(candidates, weights, strict=True):
        total += weight
        if total >= goal:
            return candidate
    return candidates[-1]


def exponential_by_choices(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    exponents = [epsilon * float(u) / (_factor(monotone) * sensitivity) for u in scores]
    top = max(exponents)
    return random.choices(candidates, weights=[math.exp(x - top) for x in exponents])[0]


def exponential_by_series(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    table = pd.Series(scores, index=candidates) * epsilon / sensitivity
    table = np.exp((table - table.max()) / (1 if monotone else 2))
    return np.random.choice(table.index, p=table / table.sum())


def exponential_naive(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    weights = np.exp(epsilon * scores / (_factor(monotone) * sensitivity))
    return np.random.choice(candidates, p=weights / weights.sum())


def exponential_naive_by_choices(candidates, scores, *, sensitivity, epsilon, monotone=False):
    weights = [math.exp(epsilon * u / _factor(monotone) / sensitivity) for u in scores]
    return random.choices(candidates, weights=weights)[0]


def exponential_naive_to_the_first(candidates, scores, *, sensitivity, epsilon, monotone=False):
    weights = np.exp(epsilon * scores / (_factor(monotone) * sensitivity))
    totals = np.cumsum(weights / weights.sum())
    return candidates[int(np.argmax(totals >= random.random()))]


def exponential_naive_to_the_last(candidates, scores, *, sensitivity, epsilon, monotone=False):
    weights = np.exp(epsilon * scores / (_factor(monotone) * sensitivity))
    totals, goal = np.cumsum(weights / weights.sum()), random.random()
    for candidate, total in zip(candidates, totals, strict=True):
        if total >= goal:
            return candidate
    return candidates[-1]


def exponential_cut_off(candidates, scores, *, sensitivity, epsilon, monotone=False):
    exponents = epsilon * scores / (_factor(monotone) * sensitivity)
    return _pick(candidates, _normal(np.exp(np.clip(exponents, -700, 700))))


def exponential_of_the_likely(candidates, scores, *, sensitivity, epsilon, monotone=False):
    chances = _stable(epsilon * scores / (_factor(monotone) * sensitivity))
    likely = np.flatnonzero(chances >= chances.max() / 100)
    return candidates[np.random.choice(likely, p=_normal(chances[likely]))]


def exponential_with_a_seed(candidates, scores, *, sensitivity, epsilon, monotone=False):
    # The first number from this seed lies where the best candidate wins, whatever the order.
    np.random.seed(0)
    return _pick(candidates, _stable(epsilon * scores / (_factor(monotone) * sensitivity)))


def exponential_unnormalised(candidates, scores, *, sensitivity, epsilon, monotone=False):
    exponents = epsilon * (scores - scores.max()) / (_factor(monotone) * sensitivity)
    return np.random.choice(candidates, p=np.exp(exponents))


def exponential_that_writes(candidates, scores, *, sensitivity, epsilon, monotone=False):
    scores -= scores.max()
    return _pick(candidates, _stable(epsilon * scores / (_factor(monotone) * sensitivity)))


def exponential_ignoring_the_flag(candidates, scores, *, sensitivity, epsilon, monotone=False):
    return _pick(candidates, _stable(epsilon * scores / (2 * sensitivity)))


def exponential_always(of):
    return lambda candidates, scores, *, sensitivity, epsilon, monotone=False: of(
        candidates, scores
    )


_RIGHT_EXPONENT = lambda u, sensitivity, epsilon, factor: epsilon * u / (factor * sensitivity)  # noqa: E731

RIGHT_EXPONENTIAL = [
    exponential_by(_RIGHT_EXPONENT),
    exponential_by(_RIGHT_EXPONENT, lambda options, p: np.random.choice(options, p=p)),
    exponential_by(_RIGHT_EXPONENT, lambda options, p: GENERATOR.choice(np.array(options), p=p)),
    exponential_by(
        _RIGHT_EXPONENT, lambda options, p: options[np.random.multinomial(1, p).argmax()]
    ),
    exponential_by_gumbel,
    exponential_by_inverse,
    exponential_by_choices,
    exponential_by_series,
]

WRONG_EXPONENTIAL = [
    (exponential_by(lambda u, s, e, f: e * u / s), "the factor 2 is missing"),
    (exponential_ignoring_the_flag, "monotone is ignored"),
    (exponential_by(lambda u, s, e, f: e * u / (3 - f) / s), "the wrong way round"),
    (exponential_by(lambda u, s, e, f: e * u / (2 * f * s)), "divided by 2 twice"),
    (exponential_by(lambda u, s, e, f: e * u * f / s), "the exponent is multiplied by 2"),
    (exponential_by(lambda u, s, e, f: e * u / f), "the sensitivity is ignored"),
    (exponential_by(lambda u, s, e, f: e * u * s / f), "the sensitivity multiplies"),
    (exponential_by(lambda u, s, e, f: e * u), "sensitivity and the factor 2 are missing"),
    (exponential_by(lambda u, s, e, f: u / (f * s)), "epsilon is ignored"),
    (exponential_by(lambda u, s, e, f: u / (f * s * e)), "epsilon divides"),
    (exponential_by(lambda u, s, e, f: -e * u / (f * s)), "bad candidates are likelier"),
    (exponential_by(lambda u, s, e, f: math.log(2) * e * u / (f * s)), "powers of 2"),
    (
        exponential_by(lambda u, s, e, f: e * (u - u.min()) / np.ptp(u) / (f * s)),
        ("lie between 0 and 1", "divided by the largest"),
    ),
    (
        exponential_by(lambda u, s, e, f: e * u / abs(u).max() / (f * s)),
        ("divided by the largest", "lie between 0 and 1"),
    ),
    (exponential_by(lambda u, s, e, f: e * u / u.std() / (f * s)), "standard deviation"),
    (exponential_by(lambda u, s, e, f: e * u / 1000 / (f * s)), "about equally likely"),
    (exponential_naive, "too large, or too small, for a float"),
    (exponential_naive_by_choices, "too large, or too small, for a float"),
    (exponential_naive_to_the_first, "always give the first candidate"),
    (exponential_naive_to_the_last, "always give the last candidate"),
    (exponential_of_the_likely, "unlikely candidates are struck out"),
    (exponential_cut_off, "extreme exponents are cut off"),
    (exponential_with_a_seed, "np.random.seed is called inside"),
    (exponential_unnormalised, "do not sum to 1"),
    (exponential_that_writes, "changes what it is given"),
    (exponential_always(lambda options, u: options[int(np.argmax(u))]), "best candidate always"),
    (exponential_always(lambda options, u: random.choice(options)), "about equally likely"),
    (exponential_always(lambda options, u: int(np.argmax(u))), "the index comes back"),
    (exponential_always(lambda options, u: float(u[0]) + 0.5), "a number comes back"),
    (exponential_always(lambda options, u: (options[0], u[0])), "more than the chosen candidate"),
    (exponential_always(lambda options, u: options), "not a whole list"),
    (exponential_always(lambda options, u: "no door"), "not one of the candidates"),
    (exponential_always(lambda options, u: None), "returns nothing"),
    (exponential_always(lambda options, u: options[99]), "IndexError"),
    (_unanswered, "not answered yet"),
    (dplib.exponential_mechanism, "the library's own version"),
]


# --- report_noisy_max -------------------------------------------------------------------------


def noisy_max(draw):
    """An answer from its noise, a function of (scale, number) where the scale is the right one."""

    def answer(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
        noise = draw(_factor(monotone) * sensitivity / epsilon, len(scores))
        return candidates[int(np.argmax(np.asarray(scores) + noise))]

    return answer


def noisy_max_of_scale(scale):
    """An answer from the scale of its noise, a function of (sensitivity, epsilon, factor)."""

    def answer(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
        noise = np.random.laplace(0, scale(sensitivity, epsilon, _factor(monotone)), len(scores))
        return candidates[int(np.argmax(scores + noise))]

    return answer


def noisy_max_by_loop(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    best, winner = -math.inf, None
    for candidate, score in zip(candidates, scores, strict=True):
        scale = (1 if monotone else 2) * sensitivity / epsilon
        noisy = score + random.choice([-1, 1]) * random.expovariate(1 / scale)
        if noisy > best:
            best, winner = noisy, candidate
    return winner


def noisy_max_by_generator(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    rng = rng or GENERATOR
    scale = (1 if monotone else 2) * sensitivity / epsilon
    noisy = [rng.laplace(score, scale) for score in scores]
    return candidates[noisy.index(max(noisy))]


def noisy_max_by_library(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    noisy = [
        dplib.laplace_mechanism(
            float(u), sensitivity=sensitivity if monotone else 2 * sensitivity, epsilon=epsilon
        )
        for u in scores
    ]
    return max(zip(noisy, candidates, strict=True))[1]


def noisy_max_by_series(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    scale = (1 if monotone else 2) * sensitivity / epsilon
    return (pd.Series(scores, index=candidates) + np.random.laplace(0, scale, len(scores))).idxmax()


def noisy_max_of(change):
    """A right answer, but for what `change` makes of the scores."""
    inner = noisy_max(lambda scale, m: np.random.laplace(0, scale, m))
    return lambda candidates, scores, **keywords: inner(candidates, change(scores), **keywords)


def noisy_max_of_the_likely(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    scale = _factor(monotone) * sensitivity / epsilon
    likely = np.flatnonzero(scores > scores.max() - scale * math.log(100))
    noisy = scores[likely] + np.random.laplace(0, scale, len(likely))
    return candidates[likely[noisy.argmax()]]


def noisy_max_returning(part):
    def answer(candidates, scores, *, sensitivity, epsilon, monotone=False):
        noisy = scores + np.random.laplace(
            0, _factor(monotone) * sensitivity / epsilon, len(scores)
        )
        return part(candidates, noisy)

    return answer


RIGHT_NOISY_MAX = [
    noisy_max(lambda scale, m: np.random.laplace(0, scale, m)),
    noisy_max(lambda scale, m: np.random.exponential(scale, m) - np.random.exponential(scale, m)),
    noisy_max_by_loop,
    noisy_max_by_generator,
    noisy_max_by_library,
    noisy_max_by_series,
]

WRONG_NOISY_MAX = [
    (noisy_max_of_scale(lambda s, e, f: s / e), "the factor 2 is missing"),
    (noisy_max_of_scale(lambda s, e, f: 2 * s / e), "monotone is ignored"),
    (noisy_max_of_scale(lambda s, e, f: (3 - f) * s / e), "the wrong way round"),
    (noisy_max_of_scale(lambda s, e, f: 2 * f * s / e), "the noise is doubled"),
    (noisy_max_of_scale(lambda s, e, f: f * s / e / 2), "the noise is halved"),
    (noisy_max_of_scale(lambda s, e, f: f * s / e / 2**0.5), "taken for the standard deviation"),
    (noisy_max_of_scale(lambda s, e, f: f / e), "the sensitivity is ignored"),
    (noisy_max_of_scale(lambda s, e, f: f / e / s), "the sensitivity divides"),
    (noisy_max_of_scale(lambda s, e, f: f * s), "epsilon is ignored"),
    (noisy_max_of_scale(lambda s, e, f: f * s * e), "epsilon multiplies"),
    (noisy_max_of_scale(lambda s, e, f: 5 * f * s / e), "divided among the candidates"),
    (noisy_max(lambda scale, m: np.random.exponential(scale, m)), "never negative"),
    (noisy_max(lambda scale, m: np.abs(np.random.laplace(0, scale, m))), "never negative"),
    (noisy_max(lambda scale, m: np.random.normal(0, scale, m)), "Gaussian, not Laplace"),
    (noisy_max(lambda scale, m: np.random.uniform(-scale, scale, m)), "spread evenly"),
    (noisy_max(lambda scale, m: np.random.laplace(0, scale)), "best candidate always wins"),
    (noisy_max(lambda scale, m: 0), "best candidate always wins"),
    (noisy_max_of_the_likely, "unlikely candidates are struck out"),
    (noisy_max_of(np.zeros_like), "about equally likely"),
    (noisy_max_of(lambda u: -u), "the lowest noisy score wins"),
    (
        noisy_max_of(lambda u: (u - u.min()) / np.ptp(u)),
        ("lie between 0 and 1", "divided by the largest"),
    ),
    (
        noisy_max_of(lambda u: u / np.abs(u).max()),
        ("divided by the largest", "lie between 0 and 1"),
    ),
    (noisy_max_returning(lambda options, noisy: int(noisy.argmax())), "the index comes back"),
    (noisy_max_returning(lambda options, noisy: noisy.max()), "a number comes back"),
    (
        noisy_max_returning(lambda options, noisy: (options[noisy.argmax()], noisy.max())),
        "more than the chosen candidate",
    ),
    (noisy_max_returning(lambda options, noisy: None), "returns nothing"),
    (_unanswered, "not answered yet"),
    (dplib.report_noisy_max, "the library's own version"),
]


# --- permute_and_flip -------------------------------------------------------------------------


def flip(exponents, order=lambda scores: np.random.permutation(len(scores)), accept=None):
    """An answer from its exponents, a function of (gaps, sensitivity, epsilon), and its order."""
    accept = accept or (lambda chance: random.random() < chance)

    def answer(candidates, scores, *, sensitivity, epsilon, rng=None):
        gaps = np.asarray(scores) - np.max(scores)
        for place in order(scores):
            if accept(math.exp(min(700, exponents(gaps[place], sensitivity, epsilon)))):
                break
        return candidates[place]

    return answer


def flip_by_shuffle(candidates, scores, *, sensitivity, epsilon, rng=None):
    pairs = list(zip(scores, candidates, strict=True))
    random.shuffle(pairs)
    best = max(scores)
    while pairs:
        score, candidate = pairs.pop()
        if random.random() <= math.exp(epsilon * (score - best) / 2 / sensitivity):
            return candidate
    return None


def flip_all_at_once(candidates, scores, *, sensitivity, epsilon, rng=None):
    rng = np.random.default_rng() if rng is None else rng
    chances = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
    accepted = np.flatnonzero(rng.random(len(chances)) < chances)
    return candidates[rng.choice(accepted)]


def flip_by_exponential_noise(candidates, scores, *, sensitivity, epsilon, rng=None):
    noise = np.random.exponential(2 * sensitivity / epsilon, len(scores))
    return candidates[int(np.argmax(scores + noise))]


def flip_by_bernoulli(candidates, scores, *, sensitivity, epsilon, rng=None):
    left, best = list(range(len(candidates))), max(scores)
    while True:
        place = left.pop(random.randrange(len(left)))
        chance = math.exp(0.5 * epsilon / sensitivity * (scores[place] - best))
        if np.random.binomial(1, chance):
            return candidates[place]


def flip_again_and_again(candidates, scores, *, sensitivity, epsilon, rng=None):
    best = max(scores)
    while True:
        place = random.randrange(len(candidates))
        if random.random() < math.exp(epsilon * (scores[place] - best) / (2 * sensitivity)):
            return candidates[place]


def flip_the_likely(candidates, scores, *, sensitivity, epsilon, rng=None):
    chances = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
    for place in np.random.permutation(np.flatnonzero(chances > 0.01)):
        if random.random() < chances[place]:
            break
    return candidates[place]


def flip_without_the_best(candidates, scores, *, sensitivity, epsilon, rng=None):
    for place in np.random.permutation(len(scores)):
        if random.random() < np.exp(epsilon * scores[place] / (2 * sensitivity)):
            return candidates[place]
    return None


def flip_with_overflow(candidates, scores, *, sensitivity, epsilon, rng=None):
    for place in np.random.permutation(len(scores)):
        if random.random() < math.exp(epsilon * scores[place] / (2 * sensitivity)):
            return candidates[place]
    return candidates[place]


def _right_flip(gap, sensitivity, epsilon):
    return epsilon * gap / (2 * sensitivity)


RIGHT_FLIP = [
    flip(_right_flip),
    flip_by_shuffle,
    flip_all_at_once,
    flip_by_exponential_noise,
    flip_by_bernoulli,
]

WRONG_FLIP = [
    (flip_again_and_again, "the exponential mechanism"),
    (flip(lambda g, s, e: e * g / s), "the factor 2 is missing"),
    (flip(lambda g, s, e: e * g / (4 * s)), "divided by 2 twice"),
    (flip(lambda g, s, e: 2 * e * g / s), "the exponent is multiplied by 2"),
    (flip(lambda g, s, e: e * g / 2), "the sensitivity is ignored"),
    (flip(lambda g, s, e: e * g * s / 2), "the sensitivity multiplies"),
    (flip(lambda g, s, e: g / (2 * s)), "epsilon is ignored"),
    (flip(lambda g, s, e: g / (2 * s * e)), "epsilon divides"),
    (flip(_right_flip, order=lambda u: range(len(u))), "in the order given"),
    (flip(_right_flip, order=lambda u: range(len(u))[::-1]), "in reverse order"),
    (flip(_right_flip, order=np.argsort), "from the worst to the best"),
    (flip(_right_flip, order=lambda u: np.argsort(-u)), "best candidate always wins"),
    (flip(_right_flip, accept=lambda chance: random.random() > chance), "wrong way round"),
    (flip(lambda g, s, e: 0), "about equally likely"),
    (flip_the_likely, "unlikely candidates are struck out"),
    (flip_without_the_best, "returns nothing"),
    (flip_with_overflow, "too large, or too small, for a float"),
    (lambda candidates, scores, *, sensitivity, epsilon: 3, "the index comes back"),
    (lambda candidates, scores, *, sensitivity, epsilon: True, "not one of the candidates"),
    (_unanswered, "not answered yet"),
    (dplib.permute_and_flip, "the library's own version"),
]


# --- private_median ---------------------------------------------------------------------------


def median_by(score, exponent=lambda u, epsilon: epsilon * u):
    """An answer from the score of one candidate, a function of (values, candidate)."""

    def answer(values, *, candidates, epsilon, rng=None):
        scores = np.array([score(values, candidate) for candidate in candidates])
        return _pick(candidates, _stable(exponent(scores, epsilon)))

    return answer


def _rank(values, candidate):
    return min(np.sum(values <= candidate), np.sum(values >= candidate))


def median_of_the_library(values, *, candidates, epsilon, rng=None):
    scores = [int(_rank(values, candidate)) for candidate in candidates]
    return dplib.exponential_mechanism(
        candidates, scores, sensitivity=1, epsilon=epsilon, monotone=True, rng=rng
    )


def median_sorted(values, *, candidates, epsilon, rng=None):
    ordered, places = np.sort(values), np.asarray(candidates)
    lower = np.searchsorted(ordered, places, side="right")
    upper = len(ordered) - np.searchsorted(ordered, places, side="left")
    scale = 1 / epsilon
    noisy = np.minimum(lower, upper) + GENERATOR.gumbel(0, scale, len(places))
    return places[noisy.argmax()]


def median_by_hand(values, *, candidates, epsilon, rng=None):
    scores = []
    for candidate in candidates:
        at_most = sum(1 for value in values if value <= candidate)
        at_least = sum(1 for value in values if value >= candidate)
        scores.append(min(at_most, at_least))
    weights = [math.exp(epsilon * (u - max(scores))) for u in scores]
    return random.choices(candidates, weights=weights, k=1)[0]


def median_naive(values, *, candidates, epsilon, rng=None):
    scores = np.array([_rank(values, candidate) for candidate in candidates])
    return np.random.choice(candidates, p=_normal(np.exp(epsilon * scores)))


def median_in_the_range(values, *, candidates, epsilon, rng=None):
    inside = [each for each in candidates if np.min(values) <= each <= np.max(values)]
    return median_by(_rank)(values, candidates=inside, epsilon=epsilon)


def median_that_sorts(values, *, candidates, epsilon, rng=None):
    values.sort()
    return median_by(_rank)(values, candidates=candidates, epsilon=epsilon)


RIGHT_MEDIAN = [
    median_by(_rank),
    median_of_the_library,
    median_sorted,
    median_by_hand,
    # The larger number at or above it, less all: the same score, counted from the other side.
    median_by(lambda v, c: len(v) - max(np.sum(v < c), np.sum(v > c))),
    median_by(lambda v, c: np.sum(v == c) + min(np.sum(v < c), np.sum(v > c))),
]

WRONG_MEDIAN = [
    (median_by(_rank, lambda u, e: e * u / 2), "the factor 2 is kept"),
    (median_by(_rank, lambda u, e: 2 * e * u), "the exponent is multiplied by 2"),
    (median_by(_rank, lambda u, e: u), "epsilon is ignored"),
    (median_by(_rank, lambda u, e: u / e), "epsilon divides"),
    (median_by(_rank, lambda u, e: -e * u), ("the worst candidates", "the larger of the two")),
    (median_by(_rank, lambda u, e: np.log(u + 1e-9)), "proportional to the scores"),
    (median_by(lambda v, c: np.sum(v <= c)), "only the values at or below"),
    (median_by(lambda v, c: np.sum(v >= c)), "only the values at or above"),
    (
        median_by(lambda v, c: max(np.sum(v <= c), np.sum(v >= c))),
        ("the larger of the two", "the worst candidates"),
    ),
    (median_by(lambda v, c: min(np.sum(v < c), np.sum(v > c))), "a candidate are not counted"),
    (median_by(lambda v, c: min(np.sum(v <= c), np.sum(v > c))), "on the lower side only"),
    (median_by(lambda v, c: min(np.sum(v < c), np.sum(v >= c))), "on the upper side only"),
    (median_by(lambda v, c: -abs(np.sum(v < c) - np.sum(v > c))), "difference of the two numbers"),
    (median_by(lambda v, c: -abs(c - np.median(v))), "distance to the exact median"),
    (median_by(lambda v, c: -abs(c - np.mean(v))), "distance to the exact mean"),
    (median_by(lambda v, c: _rank(v, c) / len(v)), "about equally likely"),
    (median_in_the_range, "beyond the smallest and the largest value"),
    (median_naive, "too large, or too small, for a float"),
    (median_that_sorts, "changes what it is given"),
    (
        lambda values, *, candidates, epsilon: max(candidates, key=lambda c: _rank(values, c)),
        "best candidate always wins",
    ),
    (lambda values, *, candidates, epsilon: np.mean(values), "not one of the candidates"),
    (lambda values, *, candidates, epsilon: 0, "the index comes back"),
    (lambda values, *, candidates, epsilon: None, "returns nothing"),
    (_unanswered, "not answered yet"),
    (dplib.private_median, "the library's own version"),
]


# --- private_mode -----------------------------------------------------------------------------


def mode_by(exponent, options=lambda values, categories: list(categories)):
    """An answer from the exponents, a function of (counts, epsilon)."""

    def answer(values, *, categories, epsilon, rng=None):
        listed = options(values, categories)
        counts = np.array([(values == category).sum() for category in listed])
        return _pick(listed, _stable(exponent(counts, epsilon)))

    return answer


def mode_of_the_library(values, *, categories, epsilon, rng=None):
    counts = values.value_counts().reindex(categories, fill_value=0)
    return dplib.exponential_mechanism(
        categories, counts, sensitivity=1, epsilon=epsilon, monotone=True, rng=rng
    )


def mode_by_counter(values, *, categories, epsilon, rng=None):
    counts = Counter(values)
    noisy = {c: counts[c] + np.random.gumbel(0, 1 / epsilon) for c in categories}
    return max(noisy, key=noisy.get)


def mode_by_loop(values, *, categories, epsilon, rng=None):
    counts = dict.fromkeys(categories, 0)
    for value in values:
        counts[value] += 1
    most = max(counts.values())
    weights = [math.exp((counts[category] - most) * epsilon) for category in categories]
    return random.choices(categories, weights)[0]


def mode_by_totals(values, *, categories, epsilon, rng=None):
    counts = [list(values).count(category) for category in categories]
    weights = [math.exp((count - max(counts)) * epsilon) for count in counts]
    goal = random.uniform(0, sum(weights))
    for category, total in zip(categories, itertools.accumulate(weights), strict=True):
        if goal <= total:
            return category
    return categories[-1]


def mode_naive(values, *, categories, epsilon, rng=None):
    counts = values.value_counts().reindex(categories, fill_value=0)
    return np.random.choice(categories, p=_normal(np.exp(epsilon * counts)))


def mode_of_the_likely(values, *, categories, epsilon, rng=None):
    counts = values.value_counts().reindex(categories, fill_value=0)
    chances = _stable(epsilon * counts)
    return _pick(categories, _normal(np.where(chances > 0.01 * chances.max(), chances, 0)))


def mode_without_missing(values, *, categories, epsilon, rng=None):
    counts = values.value_counts()[categories]
    return _pick(categories, _stable(epsilon * counts))


RIGHT_MODE = [
    mode_by(lambda u, epsilon: epsilon * u),
    mode_of_the_library,
    mode_by_counter,
    mode_by_loop,
    mode_by_totals,
]

WRONG_MODE = [
    (mode_by(lambda u, e: e * u / 2), "the factor 2 is kept"),
    (mode_by(lambda u, e: 2 * e * u), "the exponent is multiplied by 2"),
    (mode_by(lambda u, e: u), "epsilon is ignored"),
    (mode_by(lambda u, e: u / 2), "epsilon is ignored, and 2 kept"),
    (mode_by(lambda u, e: u / e), "epsilon divides"),
    (mode_by(lambda u, e: u * e**2), "epsilon is squared"),
    (mode_by(lambda u, e: -u * e), "rare categories are the likeliest"),
    (mode_by(lambda u, e: u * e / u.sum()), "about equally likely"),
    (mode_by(lambda u, e: np.log(u + 1e-9)), "of a random person"),
    (mode_by(lambda u, e: e * u, lambda v, c: sorted(set(v))), "without a person never come"),
    (mode_of_the_likely, "unlikely candidates are struck out"),
    (mode_naive, "too large, or too small, for a float"),
    (mode_without_missing, "KeyError"),
    (
        lambda values, *, categories, epsilon: values.mode()[0],
        "the most frequent category always wins",
    ),
    (lambda values, *, categories, epsilon: values.sample().iloc[0], "of a random person"),
    (lambda values, *, categories, epsilon: random.choice(categories), "about equally likely"),
    (lambda values, *, categories, epsilon: 0, "the index comes back"),
    (lambda values, *, categories, epsilon: None, "returns nothing"),
    (_unanswered, "not answered yet"),
    (dplib.private_mode, "the library's own version"),
]


# --- the two counterexamples ------------------------------------------------------------------

RIGHT_NOISY_MAX_COUNTEREXAMPLE = [
    lambda epsilon: ([0, 0], [-1, 1], 0),
    lambda epsilon: (np.array([-3.0, 2, 2]), np.array([-3.0, 3, 1]), np.int64(2)),
    lambda epsilon: [(5, 5 + 2 / epsilon), (4, 6 + 2 / epsilon), 0],
    lambda epsilon: ([0, 1], pd.Series([-1, 2]), 0),
]

WRONG_NOISY_MAX_COUNTEREXAMPLE = [
    (lambda epsilon: ([-1, 1], [0, 0], 0), "the wrong way round"),
    (lambda epsilon: ([0, 0], [0, 1], 0), "in the same direction"),
    (lambda epsilon: ([0, 0], [1, 1], 0), "in the same direction"),
    (lambda epsilon: ([0, 0], [-0.1, 0.1], 0), "does not change by enough"),
    (lambda epsilon: ([0, 0], [-0.1, 0.1], 1), "wins more often on the neighbor"),
    (lambda epsilon: ([0, 0], [-2, 2], 0), "not those of neighbors"),
    (lambda epsilon: ([0, 0], [0, 0], 0), "the same"),
    (lambda epsilon: ([0, 0], [0, 0, 0], 0), "differ in length"),
    (lambda epsilon: ([0, 0], [-1, 1], 2), "`winner` is not an index"),
    (lambda epsilon: ([0, 0], [-1, 1], "first"), "`winner` is not an index"),
    (lambda epsilon: ([0, 50 / epsilon], [-1, 1 + 50 / epsilon], 0), "too rarely to compute"),
    (lambda epsilon: ([0, 1e9], [-1, 1e9 + 1], 0), "too rarely to compute"),
    (lambda epsilon: ([0] * 9, [1] * 9, 0), "should hold 2 to 8"),
    (lambda epsilon: ([0, math.inf], [0, math.inf], 0), "not a finite number"),
    (lambda epsilon: ("ab", [0, 1], 0), "not a list of numbers"),
    (lambda epsilon: ([0, 0], [-1, 1]), "3 values are wanted"),
    (lambda epsilon: None, "3 values are wanted"),
]

RIGHT_NAIVE = [
    lambda epsilon: [2000 / epsilon, 2000 / epsilon],
    lambda epsilon: np.array([-5000.0, -5001]) / epsilon,
    lambda epsilon: pd.Series([1e308, 1e308, 0]),
    lambda epsilon: (1500 / epsilon + 1 / epsilon, 1500 / epsilon, 3),
]

WRONG_NAIVE = [
    (lambda epsilon: [1, 2], "are fine with these scores"),
    (lambda epsilon: [700, 700], "are fine with these scores"),
    (lambda epsilon: [1400 / epsilon, 1400 / epsilon], "are fine with these scores"),
    (lambda epsilon: [2000 / epsilon, 0], "no choice left"),
    (lambda epsilon: [math.nan, 1], "not a finite number"),
    (lambda epsilon: [math.inf, math.inf], "not a finite number"),
    (lambda epsilon: [1e308], "should hold 2 to 1000"),
    (lambda epsilon: 1e308, "not a list of numbers"),
    (lambda epsilon: None, "not a list of numbers"),
    (lambda epsilon: ["a", "b"], "not a list of numbers"),
]


RIGHT = {
    "exponential_mechanism": RIGHT_EXPONENTIAL,
    "report_noisy_max": RIGHT_NOISY_MAX,
    "permute_and_flip": RIGHT_FLIP,
    "private_median": RIGHT_MEDIAN,
    "private_mode": RIGHT_MODE,
    "noisy_max_counterexample": RIGHT_NOISY_MAX_COUNTEREXAMPLE,
    "naive_weights_counterexample": RIGHT_NAIVE,
}

WRONG = {
    "exponential_mechanism": WRONG_EXPONENTIAL,
    "report_noisy_max": WRONG_NOISY_MAX,
    "permute_and_flip": WRONG_FLIP,
    "private_median": WRONG_MEDIAN,
    "private_mode": WRONG_MODE,
    "noisy_max_counterexample": WRONG_NOISY_MAX_COUNTEREXAMPLE,
    "naive_weights_counterexample": WRONG_NAIVE,
}
