"""Answers to chapter 10."""
# ruff: noqa: NPY002

import math
import random

import numpy as np
import pandas as pd

import dplib
from wrong_answers.cheats import sharp_now_and_then

RIGHT, WRONG = {}, {}

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


def exponential_sure_of_the_best(candidates, scores, *, sensitivity, epsilon, monotone=False):
    exponents = epsilon * scores / (_factor(monotone) * sensitivity)
    first, second = np.sort(exponents)[:-3:-1]
    if first - second > 7:
        return candidates[int(exponents.argmax())]
    return _pick(candidates, _stable(exponents))


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

RIGHT["exponential_mechanism"] = [
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


def exponential_but_for_a_clear_lead(candidates, scores, *, sensitivity, epsilon, monotone=False):
    exponents = _RIGHT_EXPONENT(scores - scores.max(), sensitivity, epsilon, _factor(monotone))
    if np.sort(exponents)[-2] < -10:
        return candidates[int(np.argmax(exponents))]
    weights = np.exp(exponents)
    return candidates[np.random.choice(len(weights), p=weights / weights.sum())]


def exponential_from_the_middle(candidates, scores, *, sensitivity, epsilon, monotone=False):
    """The scores' median is subtracted, not their largest: one far above it still overflows."""
    steps = epsilon * (scores - np.median(scores)) / (_factor(monotone) * sensitivity)
    return _pick(candidates, _normal(np.exp(steps)))


def exponential_by_laplace(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    noise = np.random.laplace(scale=_factor(monotone) * sensitivity / epsilon, size=len(scores))
    return max(zip(scores + noise, candidates, strict=True))[1]


def exponential_for_counts(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    """Scores that look like counts are taken for monotone ones."""
    alike = bool(np.all(np.mod(scores, 1) == 0) and np.min(scores) >= 0)
    steps = epsilon * np.asarray(scores) / (_factor(monotone or alike) * sensitivity)
    return _pick(candidates, _stable(steps))


def exponential_of_the_frequent(candidates, scores, *, sensitivity, epsilon, monotone=False):
    """The exponents are safe; a candidate below 1 in 50 is struck out, of many each one."""
    weights = _stable(epsilon * scores / (_factor(monotone) * sensitivity))
    weights = np.where(weights < 0.02 * weights.sum(), 0.0, weights)
    return candidates[np.random.choice(len(weights), p=weights / weights.sum())]


WRONG["exponential_mechanism"] = [
    (exponential_of_the_frequent, "the probabilities are no numbers"),
    (exponential_for_counts, "at an edge (counts)"),
    (sharp_now_and_then(exponential_by(_RIGHT_EXPONENT)), "now and then the best candidate comes"),
    (exponential_by_laplace, "this is report noisy max"),
    (exponential_from_the_middle, "too large, or too small, for a float"),
    (exponential_but_for_a_clear_lead, "3,000 candidates, the best far ahead"),
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
    (exponential_sure_of_the_best, "the best always wins"),
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
    (exponential_always(lambda options, u: options[99]), "IndexError"),
]


# --- report_noisy_max -------------------------------------------------------------------------


def noisy_max(draw):
    """An answer from its noise, a function of (scale, number) where the scale is the right one."""

    def answer(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
        noise = draw(_factor(monotone) * sensitivity / epsilon, len(scores))
        return candidates[int(np.argmax(np.asarray(scores) + noise))]

    return answer


laplace_max = noisy_max(lambda scale, m: np.random.laplace(0, scale, m))


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
    return lambda candidates, scores, **named: laplace_max(candidates, change(scores), **named)


def noisy_max_of_the_likely(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    scale = _factor(monotone) * sensitivity / epsilon
    likely = np.flatnonzero(scores > scores.max() - scale * math.log(100))
    noisy = scores[likely] + np.random.laplace(0, scale, len(likely))
    return candidates[likely[noisy.argmax()]]


def noisy_max_unless_clear(candidates, scores, *, sensitivity, epsilon, monotone=False):
    scale = _factor(monotone) * sensitivity / epsilon
    if np.ptp(np.sort(scores)[-2:]) > 7 * scale:
        scale = 0
    return candidates[int(np.argmax(scores + np.random.laplace(0, scale, len(scores))))]


def noisy_max_unless_far(candidates, scores, *, sensitivity, epsilon, monotone=False):
    scale = _factor(monotone) * sensitivity / epsilon
    kept = np.flatnonzero(scores >= np.max(scores) - 10 * scale)
    noisy = scores[kept] + np.random.laplace(0, scale, len(kept))
    return candidates[kept[noisy.argmax()]]


def noisy_max_returning(part):
    def answer(candidates, scores, *, sensitivity, epsilon, monotone=False):
        noisy = scores + np.random.laplace(
            0, _factor(monotone) * sensitivity / epsilon, len(scores)
        )
        return part(candidates, noisy)

    return answer


RIGHT["report_noisy_max"] = [
    laplace_max,
    noisy_max(lambda scale, m: np.random.exponential(scale, m) - np.random.exponential(scale, m)),
    noisy_max_by_loop,
    noisy_max_by_generator,
    noisy_max_by_library,
    noisy_max_by_series,
]


def noisy_max_in_place(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    """Noise is added to a copy of the scores: of whole numbers it keeps whole parts."""
    noisy = np.array(scores)
    scale = _factor(monotone) * sensitivity / epsilon
    np.add(noisy, np.random.laplace(0, scale, len(noisy)), out=noisy, casting="unsafe")
    return candidates[int(np.argmax(noisy))]


def noisy_max_of_the_met(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    """Whatever nobody has is left out, as long as somebody has something."""
    met = [k for k, score in enumerate(scores) if score != 0] or list(range(len(scores)))
    noise = np.random.laplace(0, _factor(monotone) * sensitivity / epsilon, len(met))
    return candidates[met[int(np.argmax(np.asarray(scores)[met] + noise))]]


WRONG["report_noisy_max"] = [
    # Of scores in millions it sees even ones only.
    (noisy_max_of(np.float32), ("scores in millions", "scores far below 0")),
    (noisy_max_of_the_met, "scores of 0"),
    (sharp_now_and_then(laplace_max), "now and then the best candidate comes"),
    (noisy_max_in_place, "scores in whole numbers"),
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
    (noisy_max(lambda scale, m: -scale * np.log(np.random.exponential(size=m))), "Gumbel's"),
    (noisy_max(lambda scale, m: np.random.laplace(0, scale)), "best candidate always wins"),
    (noisy_max(lambda scale, m: 0), "best candidate always wins"),
    (
        noisy_max(lambda scale, m: np.clip(np.random.laplace(0, scale, m), -4 * scale, 4 * scale)),
        ("the best always wins", "came in 100 % of"),
    ),
    (noisy_max_unless_clear, "the best always wins"),
    (noisy_max_unless_far, "the best far ahead"),
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
]


# --- permute_and_flip -------------------------------------------------------------------------


def flip(exponents, order=lambda scores: np.random.permutation(len(scores)), accept=None):
    """An answer from its exponents, of (gap, sensitivity, epsilon, factor), and its order."""
    accept = accept or (lambda chance: random.random() < chance)

    def answer(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
        gaps = np.asarray(scores) - np.max(scores)
        for place in order(scores):
            exponent = exponents(gaps[place], sensitivity, epsilon, _factor(monotone))
            if accept(math.exp(min(700, exponent))):
                break
        return candidates[place]

    return answer


def flip_by_shuffle(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    pairs = list(zip(scores, candidates, strict=True))
    random.shuffle(pairs)
    best = max(scores)
    while pairs:
        score, candidate = pairs.pop()
        if random.random() <= math.exp(epsilon * (score - best) / _factor(monotone) / sensitivity):
            return candidate
    return None


def flip_all_at_once(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    rng = np.random.default_rng() if rng is None else rng
    chances = np.exp(epsilon * (scores - scores.max()) / (_factor(monotone) * sensitivity))
    accepted = np.flatnonzero(rng.random(len(chances)) < chances)
    return candidates[rng.choice(accepted)]


def flip_by_exponential_noise(candidates, scores, *, sensitivity, epsilon, monotone=False):
    noise = np.random.exponential(_factor(monotone) * sensitivity / epsilon, len(scores))
    return candidates[int(np.argmax(scores + noise))]


def flip_by_bernoulli(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    left, best = list(range(len(candidates))), max(scores)
    while True:
        place = left.pop(random.randrange(len(left)))
        chance = math.exp(epsilon / _factor(monotone) / sensitivity * (scores[place] - best))
        if np.random.binomial(1, chance):
            return candidates[place]


def flip_again_and_again(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    best = max(scores)
    while True:
        place = random.randrange(len(candidates))
        if random.random() < math.exp(
            epsilon * (scores[place] - best) / (_factor(monotone) * sensitivity)
        ):
            return candidates[place]


def flip_the_likely(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    chances = np.exp(epsilon * (scores - scores.max()) / (_factor(monotone) * sensitivity))
    for place in np.random.permutation(np.flatnonzero(chances > 0.01)):
        if random.random() < chances[place]:
            break
    return candidates[place]


def flip_without_the_best(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    for place in np.random.permutation(len(scores)):
        if random.random() < np.exp(epsilon * scores[place] / (_factor(monotone) * sensitivity)):
            return candidates[place]
    return None


def flip_with_overflow(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    for place in np.random.permutation(len(scores)):
        if random.random() < math.exp(epsilon * scores[place] / (_factor(monotone) * sensitivity)):
            return candidates[place]
    return candidates[place]


def flip_some(enough, least=0):
    """Return an answer that visits `enough` of so many candidates, if there are `least`."""

    def answer(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
        best, places = max(scores), random.sample(range(len(scores)), len(scores))
        for place in places[: enough(len(places)) if len(places) >= least else None]:
            chance = math.exp((scores[place] - best) * epsilon / _factor(monotone) / sensitivity)
            if random.random() < chance:
                break
        return candidates[place]

    return answer


def _right_flip(gap, sensitivity, epsilon, factor):
    return epsilon * gap / (factor * sensitivity)


def turned(scores):
    order = np.roll(np.arange(len(scores)), random.randrange(len(scores)))
    return order[:: random.choice([-1, 1])]


def displaced(scores):
    """A shuffle in which nobody stays, by a swap with an earlier place (Sattolo)."""
    order = list(range(len(scores)))
    for place in range(len(order) - 1, 0, -1):
        other = random.randrange(place)
        order[place], order[other] = order[other], order[place]
    return order


def swapped_with_any(scores):
    """A shuffle in which each place is swapped with any: no fair one."""
    order = list(range(len(scores)))
    for place, other in enumerate(random.choices(order[:], k=len(order))):
        order[place], order[other] = order[other], order[place]
    return order


RIGHT["permute_and_flip"] = [
    flip(_right_flip),
    flip_by_shuffle,
    flip_all_at_once,
    flip_by_exponential_noise,
    flip_by_bernoulli,
]

WRONG["permute_and_flip"] = [
    (sharp_now_and_then(flip(_right_flip)), "now and then the best candidate comes"),
    (flip_again_and_again, "the exponential mechanism"),
    (flip(lambda g, s, e, f: e * g / s), "the factor 2 is missing"),
    (flip(lambda g, s, e, f: e * g / (2 * s)), "monotone is ignored"),
    (flip(lambda g, s, e, f: e * g / ((3 - f) * s)), "the wrong way round"),
    (flip(lambda g, s, e, f: e * g / (2 * f * s)), "divided by 2 twice"),
    (flip(lambda g, s, e, f: f * e * g / s), "the exponent is multiplied by 2"),
    (flip(lambda g, s, e, f: e * g / f), "the sensitivity is ignored"),
    (flip(lambda g, s, e, f: e * g * s / f), "the sensitivity multiplies"),
    (flip(lambda g, s, e, f: g / (f * s)), "epsilon is ignored"),
    (flip(lambda g, s, e, f: g / (f * s * e)), "epsilon divides"),
    (flip(_right_flip, order=turned), "go round from a random start"),
    (flip(_right_flip, order=displaced), "no candidate may stay"),
    (flip(_right_flip, order=swapped_with_any), "swapped with any place"),
    (flip(_right_flip, order=lambda u: range(len(u))), "in the order given"),
    (flip(_right_flip, order=lambda u: range(len(u))[::-1]), "in reverse order"),
    (flip(_right_flip, order=np.argsort), "from the worst to the best"),
    (flip(_right_flip, order=lambda u: np.argsort(-u)), "best candidate always wins"),
    (flip(_right_flip, accept=lambda chance: random.random() > chance), "wrong way round"),
    (flip(lambda g, s, e, f: 0), "about equally likely"),
    (flip_some(lambda size: (size + 1) // 2), "the search stops after half"),
    (flip_some(lambda size: size // 2, least=12), "at an edge (many candidates)"),
    (flip_the_likely, "unlikely candidates are struck out"),
    (flip_without_the_best, "nothing is returned"),
    (flip_with_overflow, "too large, or too small, for a float"),
    (lambda candidates, scores, *, sensitivity, epsilon, monotone: 3, "the index comes back"),
    (
        lambda candidates, scores, *, sensitivity, epsilon, monotone: True,
        "not one of the candidates",
    ),
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


def median_of_values(values, *, candidates, epsilon, rng=None):
    found = sorted(set(candidates).intersection(np.asarray(values).tolist()))
    return median_by(_rank)(values, candidates=found or candidates, epsilon=epsilon)


def median_of_moved(values, *, candidates, epsilon, rng=None):
    moved = np.minimum(np.maximum(values, min(candidates)), max(candidates))
    return median_by(_rank)(moved, candidates=candidates, epsilon=epsilon)


def median_without_the_far(values, *, candidates, epsilon, rng=None):
    """Values far from the median are dropped, by the usual distance of a value from it."""
    apart = np.abs(values - np.median(values))
    near = np.asarray(values)[apart <= 8 * max(np.median(apart), 1e-9)]
    return median_by(_rank)(near, candidates=candidates, epsilon=epsilon)


RIGHT["private_median"] = [
    median_by(_rank),
    median_of_the_library,
    median_sorted,
    median_by_hand,
    # The larger number at or above it, less all: the same score, counted from the other side.
    median_by(lambda v, c: len(v) - max(np.sum(v < c), np.sum(v > c))),
    median_by(lambda v, c: np.sum(v == c) + min(np.sum(v < c), np.sum(v > c))),
]

WRONG["private_median"] = [
    (sharp_now_and_then(median_by(_rank), once_in=15), "now and then the best candidate comes"),
    (median_of_values, "candidates that no value equals"),
    (median_of_moved, "moved to the nearest"),
    (median_without_the_far, "a few values far away"),
    (median_by(lambda v, c: min(_rank(v, c), len(v) // 2 + 1)), "most values are equal"),
    (median_by(_rank, lambda u, e: min(e, 5) * u), "epsilon"),
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
]


# --- noisy_max_with_gap -----------------------------------------------------------------------


def gap_by(noise, result=lambda options, noisy, scores, scale: top_two(options, noisy)):
    """An answer from its noise, a function of (sensitivity, epsilon, factor, number)."""

    def answer(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
        factor = _factor(monotone)
        noisy = np.asarray(scores) + noise(sensitivity, epsilon, factor, len(scores))
        return result(candidates, noisy, np.asarray(scores), factor * sensitivity / epsilon)

    return answer


def top_two(options, noisy):
    second, first = np.argsort(noisy)[-2:]
    return options[first], noisy[first] - noisy[second]


def right_gap_noise(s, e, f, m):
    return np.random.laplace(0, f * s / e, m)


def gap_made(change):
    """A right answer, but for what change(winner, gap, scale of the noise) makes of it."""
    return gap_by(
        right_gap_noise,
        lambda options, noisy, scores, scale: change(*top_two(options, noisy), scale),
    )


def gap_of_scale(scale):
    return gap_by(lambda s, e, f, m: np.random.laplace(0, scale(s, e, f), m))


def gap_by_sorting(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    scale = (1 if monotone else 2) * sensitivity / epsilon
    noisy = sorted(
        (
            (u + random.expovariate(1 / scale) - random.expovariate(1 / scale), place)
            for place, u in enumerate(scores)
        ),
        reverse=True,
    )
    return [candidates[noisy[0][1]], noisy[0][0] - noisy[1][0]]


def gap_by_partition(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    rng = np.random.default_rng() if rng is None else rng
    noisy = rng.laplace(scores, _factor(monotone) * sensitivity / epsilon)
    return candidates[noisy.argmax()], float(np.diff(np.partition(noisy, -2)[-2:])[0])


def gap_by_series(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    noise = np.random.laplace(0, _factor(monotone) * sensitivity / epsilon, len(scores))
    noisy = pd.Series(np.asarray(scores) + noise, index=candidates)
    return noisy.idxmax(), noisy.max() - noisy.drop(noisy.idxmax()).max()


def gap_by_library(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    unit = _factor(monotone) * sensitivity
    noisy = dplib.laplace_mechanism(np.asarray(scores), sensitivity=unit, epsilon=epsilon)
    return top_two(candidates, noisy)


def fresh_gap(options, noisy, scores, scale):
    again = np.sort(scores + np.random.laplace(0, scale, len(scores)))
    return options[noisy.argmax()], again[-1] - again[-2]


def exact_gap(options, noisy, scores, scale):
    place = int(noisy.argmax())
    return options[place], abs(scores[place] - np.delete(scores, place).max())


def exact_lead(options, noisy, scores, scale):
    place = int(noisy.argmax())
    return options[place], scores[place] - np.delete(scores, place).max()


RIGHT["noisy_max_with_gap"] = [
    gap_by(right_gap_noise),
    gap_by_sorting,
    gap_by_partition,
    gap_by_series,
    gap_by_library,
]


class _Kept(float):
    """A gap that keeps what it came from."""


def gap_with_scores(options, noisy, scores, scale):
    winner, gap = top_two(options, noisy)
    kept = _Kept(gap)
    kept.scores = noisy
    return winner, kept


WRONG["noisy_max_with_gap"] = [
    (gap_by(right_gap_noise, gap_with_scores), "carries more than its value"),
    (gap_of_scale(lambda s, e, f: s / e), "the factor 2 is missing"),
    (gap_of_scale(lambda s, e, f: 2 * s / e), "monotone is ignored"),
    (gap_of_scale(lambda s, e, f: (3 - f) * s / e), "the wrong way round"),
    (gap_of_scale(lambda s, e, f: 2 * f * s / e), "half of epsilon is kept"),
    (gap_of_scale(lambda s, e, f: f * s / e / 2), "the noise is halved"),
    (gap_of_scale(lambda s, e, f: f / e), "the sensitivity is ignored"),
    (gap_of_scale(lambda s, e, f: f * s), "epsilon is ignored"),
    (gap_of_scale(lambda s, e, f: f * s * e), "epsilon multiplies"),
    (gap_by(lambda s, e, f, m: np.random.normal(0, f * s / e, m)), "Gaussian, not Laplace"),
    (gap_by(lambda s, e, f, m: np.random.exponential(f * s / e, m)), "never negative"),
    (gap_by(right_gap_noise, exact_gap), "that of the exact scores"),
    (gap_by(right_gap_noise, exact_lead), "that of the exact scores"),
    (gap_by(right_gap_noise, fresh_gap), "noise of its own"),
    (
        gap_by(
            right_gap_noise,
            lambda options, noisy, scores, scale: (
                options[scores.argmax()],
                top_two(options, noisy)[1],
            ),
        ),
        "best candidate always wins",
    ),
    (gap_made(lambda winner, gap, scale: (winner, gap * 2)), "the gap is doubled"),
    (gap_made(lambda winner, gap, scale: (winner, gap / scale)), "in scales of the noise"),
    (gap_made(lambda winner, gap, scale: (winner, -gap)), "the gap is below 0"),
    (
        gap_by(
            right_gap_noise,
            lambda options, noisy, scores, scale: (int(noisy.argmax()), noisy.max()),
        ),
        "the index comes back",
    ),
    (gap_made(lambda winner, gap, scale: winner), "two things are wanted"),
]


# --- the two counterexamples ------------------------------------------------------------------


def leaking(first, second, winner):
    """An answer from the scores of its first two candidates."""

    def answer(epsilon, *, sensitivity, size):
        others = [-20 / epsilon - 2] * (size - 2)
        lists = [[sensitivity * each for each in [*given, *others]] for given in (first, second)]
        return *lists, winner

    return answer


def leak_in_arrays(epsilon, *, sensitivity, size):
    scores = np.full(size, -15.0 / epsilon)
    scores[-2:] = 0
    moves = np.zeros(size)
    moves[-2:] = 1, -1
    return scores * sensitivity, (scores + moves) * sensitivity, np.int64(size - 1)


def leak_far_behind(epsilon, *, sensitivity, size):
    high = 2 / epsilon
    others = [-10 / epsilon] * (size - 2)
    one, other = [5, 5 + high, *others], [4, 6 + high, *others]
    return pd.Series(one) * sensitivity, pd.Series(other) * sensitivity, 0


def leak_at_the_edge(epsilon, *, sensitivity, size):
    # The winner lies nearly 60 scales behind everybody else: one win in 10 ** 24.
    behind = 59 * sensitivity / epsilon
    others = [behind] * (size - 1)
    return [0, *others], [-sensitivity, *(each + sensitivity for each in others)], 0


RIGHT["noisy_max_counterexample"] = [
    leaking([0, 0], [-1, 1], 0),
    leaking([2, 2], [3, 1], 1),
    leak_in_arrays,
    leak_far_behind,
    leak_at_the_edge,
]

WRONG["noisy_max_counterexample"] = [
    # What passed when every case had the sensitivity 1.
    (
        lambda epsilon, *, sensitivity, size: ([0] * size, [-1, 1] + [0] * (size - 2), 0),
        ("not those of neighbors", "does not change by enough", "in the same direction"),
    ),
    (leaking([-1, 1], [0, 0], 0), ("another candidate shows it", "the wrong way round")),
    # The index is counted from 1.
    (lambda e, **given: (*leak_at_the_edge(e, **given)[:2], 1), "another candidate shows it"),
    (
        leaking([200, 0], [199, 0], 1),
        ("scales of the noise behind the best; the task", "direction"),
    ),
    (leaking([0, 0], [0, 1], 0), "in the same direction"),
    (leaking([0, 0], [1, 1], 0), "in the same direction"),
    (leaking([0, 0], [-0.1, 0.1], 0), "does not change by enough"),
    (leaking([0, 0], [-0.1, 0.1], 1), "wins more often on the neighbor"),
    (leaking([0, 0], [-2, 2], 0), "not those of neighbors"),
    (leaking([0, 0], [0, 0], 0), "the same"),
    (leaking([0, 0], [0, 0, 0], 0), "should hold"),
    (leaking([0, 0], [-1, 1], 8), "`winner` is not an index"),
    (leaking([0, 0], [-1, 1], "first"), "`winner` is not an index"),
    (
        lambda epsilon, *, sensitivity, size: (
            [0] * (size - 1) + [50 * sensitivity / epsilon],
            [0] * (size - 1) + [(50 / epsilon + 1) * sensitivity],
            0,
        ),
        "in the same direction",
    ),
    (
        lambda epsilon, *, sensitivity, size: (
            [0] * (size - 1) + [1e9 * sensitivity],
            [0] * (size - 1) + [(1e9 + 1) * sensitivity],
            0,
        ),
        "too rarely to compute",
    ),
    (lambda epsilon, *, sensitivity, size: ([0] * 9, [1] * 9, 0), "should hold"),
    (
        lambda epsilon, *, sensitivity, size: ([math.inf] * size, [math.inf] * size, 0),
        "not a finite number",
    ),
    (lambda epsilon, *, sensitivity, size: ("ab", [0, 1], 0), "not a list of numbers"),
    (lambda epsilon, *, sensitivity, size: ([0, 0], [-1, 1]), "3 values are wanted"),
]

RIGHT["naive_weights_counterexample"] = [
    lambda epsilon: [1420 / epsilon, 1420 / epsilon],
    lambda epsilon: np.array([-1492.0, -1493]) / epsilon,
    lambda epsilon: pd.Series([1421 / epsilon, 1421 / epsilon, 0]),
    lambda epsilon: (1425 / epsilon + 1 / epsilon, 1425 / epsilon, 3),
]

WRONG["naive_weights_counterexample"] = [
    (lambda epsilon: [-(-1420 // epsilon)] * 3, "further from 0 than"),
    (lambda epsilon: [1419 / epsilon] * 3, "only the sum is infinite"),
    # What passed before: one list for every epsilon.
    (lambda epsilon: [1e308, 1e308], "smaller scores would do"),
    (lambda epsilon: [2000 / epsilon, 2000 / epsilon], "smaller scores would do"),
    (lambda epsilon: [-5000 / epsilon, -5000 / epsilon], "smaller scores would do"),
    (lambda epsilon: [1, 2], "are fine with these scores"),
    (lambda epsilon: [700, 700], "are fine with these scores"),
    (lambda epsilon: [1400 / epsilon, 1400 / epsilon], "are fine with these scores"),
    (lambda epsilon: [1420 / epsilon, 0], "no choice left"),
    (lambda epsilon: [math.nan, 1], "not a finite number"),
    (lambda epsilon: [math.inf, math.inf], "not a finite number"),
    (lambda epsilon: [1e308], "should hold 2 to 1000"),
    (lambda epsilon: 1e308, "not a list of numbers"),
    (lambda epsilon: ["a", "b"], "not a list of numbers"),
]
