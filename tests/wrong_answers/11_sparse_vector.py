"""Answers to chapter 11."""
# ruff: noqa: NPY002

import math
import random

import numpy as np
import pandas as pd

import dplib
from wrong_answers.changes import then
from wrong_answers.cheats import sharp_now_and_then

RIGHT, WRONG = {}, {}

GENERATOR = np.random.default_rng()
ADULT = np.array([20, 30, 40] * 40)


def _lap(scale, size=None):
    return np.random.laplace(0, scale, size)


# --- above_threshold --------------------------------------------------------------------------


def _halved(monotone):
    return 2 if monotone else 1


def above(threshold_scale=2.0, answer_scale=4.0, unit=None, draw=_lap, nobody=lambda m: None):
    """An answer from the scales of its noise, in units that `unit` makes of (s, epsilon, m)."""
    unit = unit or (lambda sensitivity, epsilon, m: sensitivity / epsilon)

    def answer(answers, *, threshold, epsilon, sensitivity=1, monotone=False, rng=None):
        scale = unit(sensitivity, epsilon, len(answers))
        limit = threshold + (draw(threshold_scale * scale) if threshold_scale else 0)
        for index, exact in enumerate(answers):
            noise = draw(answer_scale * scale / _halved(monotone)) if answer_scale else 0
            if exact + noise >= limit:
                return index
        return nobody(len(answers))

    return answer


def above_at_once(choose):
    """An answer that draws all noise first: `choose` takes the noisy answers and the threshold."""

    def answer(answers, *, threshold, epsilon, sensitivity=1, monotone=False, rng=None):
        scale = sensitivity / epsilon
        return choose(
            np.asarray(answers) + _lap(4 * scale / _halved(monotone), len(answers)),
            threshold + _lap(2 * scale),
        )

    return answer


def _first_or_none(noisy, limit):
    found = np.flatnonzero(noisy >= limit)
    return int(found[0]) if len(found) else None


def _highest_or_none(noisy, limit):
    return int(noisy.argmax()) if noisy.max() >= limit else None


def above_with(factor):
    """An answer whose answers have noise of the scale `factor(monotone)` times s / epsilon."""

    def answer(answers, *, threshold, epsilon, sensitivity=1, monotone=False, rng=None):
        scale = factor(monotone) / 4
        return above(2, 4 * scale)(
            answers, threshold=threshold, epsilon=epsilon, sensitivity=sensitivity
        )

    return answer


def above_halving_the_threshold(answers, *, monotone=False, **given):
    return above(2 / _halved(monotone), 4)(answers, **given)


def above_without_the_last(answers, **given):
    return above()(answers[:-1], **given)


def above_cut_off(answers, *, threshold, epsilon, sensitivity=1, monotone=False, rng=None):
    limit = threshold + _lap(2 * sensitivity / epsilon)
    for index, exact in enumerate(answers):
        noise = np.clip(_lap(4 / _halved(monotone)), -20, 20) * sensitivity / epsilon
        if exact + noise >= limit:
            return index
    return None


def above_skipping(answers, *, threshold, epsilon, sensitivity=1, monotone=False, rng=None):
    limit = threshold + _lap(2 * sensitivity / epsilon)
    for index, exact in enumerate(answers):
        if exact < threshold - 30 * sensitivity / epsilon:
            continue
        if exact + _lap(4 * sensitivity / epsilon / _halved(monotone)) >= limit:
            return index
    return None


def above_redrawn(answers, *, threshold, epsilon, sensitivity=1, monotone=False, rng=None):
    scale = sensitivity / epsilon
    for index, exact in enumerate(answers):
        if exact + _lap(4 * scale / _halved(monotone)) > threshold + _lap(2 * scale):
            return index
    return None


def above_reused(answers, *, threshold, epsilon, sensitivity=1, monotone=False, rng=None):
    scale = sensitivity / epsilon
    limit, noise = threshold + _lap(2 * scale), _lap(4 * scale / _halved(monotone))
    for index, exact in enumerate(answers):
        if exact + noise > limit:
            return index
    return None


def above_by_library(answers, *, threshold, epsilon, sensitivity=1, monotone=False, rng=None):
    half = {"sensitivity": sensitivity, "epsilon": epsilon / 2}
    limit = dplib.laplace_mechanism(threshold, **half, rng=rng)
    for index, exact in enumerate(answers):
        noisy = dplib.laplace_mechanism(
            float(exact),
            sensitivity=2 * sensitivity / _halved(monotone),
            epsilon=epsilon / 2,
        )
        if noisy > limit:
            return index
    return None


def above_by_generator(answers, *, threshold, epsilon, sensitivity=1, monotone=False, rng=None):
    rng = np.random.default_rng() if rng is None else rng
    gaps = np.asarray(answers) - threshold - rng.laplace(scale=2 * sensitivity / epsilon)
    noise = rng.laplace(scale=4 * sensitivity / epsilon / _halved(monotone), size=gaps.shape)
    return next((index for index in range(len(gaps)) if gaps[index] + noise[index] > 0), None)


def above_by_random(answers, *, threshold, epsilon, sensitivity=1, monotone=False, rng=None):
    def draw(scale):
        return random.expovariate(1 / scale) - random.expovariate(1 / scale)

    limit = threshold + draw(2 * sensitivity / epsilon)
    for index in range(len(answers)):
        if answers[index] + draw(4 * sensitivity / epsilon / _halved(monotone)) >= limit:
            return np.int64(index)
    return None


def above_from_seed_text(answers, **settings):
    index = above()(answers, **settings)
    return random.randint(0, len(answers) - 1) if index is None else index


def above_seeding(answers, **settings):
    np.random.seed(11)
    return above()(answers, **settings)


def above_writing(answers, *, threshold, **settings):
    answers -= threshold
    return above()(answers, threshold=0, **settings)


class Where(int):
    """An index with room for notes."""


def above_with_notes(answers, **given):
    index = above()(answers, **given)
    if index is None:
        return None
    index = Where(index)
    index.exact = answers[index]
    return index


def above_in_size(answers, *, threshold, **settings):
    """A threshold is taken for a number of people, and so for one above 0."""
    return above()(answers, threshold=abs(threshold), **settings)


RIGHT["above_threshold"] = [
    above(),
    above_at_once(_first_or_none),
    above_by_library,
    above_by_generator,
    above_by_random,
    above(draw=lambda scale: GENERATOR.laplace(0, scale)),
]

WRONG["above_threshold"] = [
    (sharp_now_and_then(above()), "now and then noise is left out"),
    (above(4, 2), "are exchanged"),
    (above(1, 1), "both noises have scale"),
    (above(1, 2), "all noise is halved"),
    (above(4, 8), "all noise is doubled"),
    (above(2**0.5, 8**0.5), "taken for standard deviations"),
    (above(1, 4), "the threshold's noise is halved"),
    (above(4, 4), "as large as the answers'"),
    (above(2, 1), "the answers' noise has scale sensitivity / epsilon"),
    (above(2, 8), "the answers' noise is doubled"),
    (above(0, 4), "the threshold gets no noise"),
    (above(2, 0), "the answers get no noise"),
    (above(0, 0), "no noise at all"),
    (above(unit=lambda s, e, m: 1 / e), "the sensitivity is ignored"),
    (above(unit=lambda s, e, m: s), "epsilon is ignored"),
    (above(unit=lambda s, e, m: s * e), "epsilon multiplies"),
    (above(unit=lambda s, e, m: s * m / e), "divided among the answers"),
    (above(draw=np.random.exponential), "noise is never negative"),
    (above(draw=lambda scale: np.random.normal(0, scale)), "Gaussian noise"),
    (above_with(lambda monotone: 4), "monotone is ignored"),
    (above_with(lambda monotone: 2), "halved where they are not monotone"),
    (above_with(lambda monotone: 4 if monotone else 2), "the wrong way round"),
    (above_halving_the_threshold, "monotone halves the threshold's noise"),
    (above_without_the_last, "the last answer is never compared"),
    (above_cut_off, "far below the threshold is never found"),
    (above_skipping, "far below the threshold is never found"),
    (then(above(), lambda index: index or None), "index 0 comes back as None"),
    (above_redrawn, "drawn again for every answer"),
    (above_reused, "one draw of noise serves all"),
    (above_at_once(lambda noisy, limit: _first_or_none(-noisy, -limit)), "the first answer below"),
    (above_at_once(_highest_or_none), "the highest noisy answer"),
    (
        above_at_once(
            lambda noisy, limit: max(np.flatnonzero(noisy > limit).tolist(), default=None)
        ),
        "the last answer above",
    ),
    (above_from_seed_text, "a random index comes back"),
    (above(nobody=lambda m: m - 1), "the last index comes back"),
    (above(nobody=lambda m: 0), "index 0 comes back"),
    (above(nobody=lambda m: -1), "a negative index comes back"),
    (above(nobody=lambda m: m), "counted from 1"),
    (then(above(), lambda index: None if index is None else index + 1), "counted from 1"),
    (above_in_size, ("at an edge", "at every call", "as often as they should")),
    (above_with_notes, "carries more than its value"),
    (above_at_once(lambda noisy, limit: noisy[0]), "what comes back is no index"),
    (above_at_once(lambda noisy, limit: (noisy >= limit).tolist()), "one index is wanted, or None"),
    (above_at_once(lambda noisy, limit: np.flatnonzero(noisy > limit)), "one index is wanted"),
    (above_at_once(lambda noisy, limit: "index 0"), "an index is wanted, or None"),
    (above_at_once(lambda noisy, limit: bool(noisy[0] > limit)), "True or False comes back"),
    (above_writing, "changes what it is given"),
    (above_seeding, "np.random.seed is called inside"),
]


# --- sparse -----------------------------------------------------------------------------------


def many(run, *, split=lambda epsilon, count, m: epsilon / count, limit=lambda count: count):
    """An answer that runs `run` again and again, on what follows."""

    def answer(answers, *, threshold, count, epsilon, sensitivity=1, rng=None):
        found, start = [], 0
        share = split(epsilon, count, len(answers))
        while start < len(answers) and len(found) < limit(count):
            index = run(
                answers[start:], threshold=threshold, epsilon=share, sensitivity=sensitivity
            )
            if index is None:
                break
            found.append(start + index)
            start += index + 1
        return found

    return answer


def sparse_in_one_loop(redraw=1.0, threshold_count=True, answer_count=True):
    """Return an answer that draws the threshold's noise anew with probability `redraw`."""

    def answer(answers, *, threshold, count, epsilon, sensitivity=1, rng=None):
        unit = sensitivity / epsilon
        first = 2 * unit * (count if threshold_count else 1)
        second = 4 * unit * (count if answer_count else 1)
        found, limit = [], threshold + _lap(first)
        for index, exact in enumerate(answers):
            if exact + _lap(second) >= limit:
                found.append(index)
                if len(found) == count:
                    break
                if np.random.random() < redraw:
                    limit = threshold + _lap(first)
        return found

    return answer


def sparse_relative(answers, *, threshold, count, epsilon, sensitivity=1, rng=None):
    found, rest = [], answers
    while len(rest) and len(found) < count:
        index = above()(rest, threshold=threshold, epsilon=epsilon / count, sensitivity=sensitivity)
        if index is None:
            break
        found.append(index)
        rest = rest[index + 1 :]
    return found


def sparse_again(answers, *, threshold, count, epsilon, sensitivity=1, rng=None):
    share = {"threshold": threshold, "epsilon": epsilon / count, "sensitivity": sensitivity}
    found = [above()(answers, **share) for _ in range(count)]
    return [index for index in found if index is not None]


in_one_loop = sparse_in_one_loop()


def sparse_of_the_library(answers, *, threshold, count, epsilon, sensitivity=1, rng=None):
    found, start = [], 0
    for _ in range(count):
        if start == len(answers):
            break
        index = dplib.above_threshold(
            answers[start:], threshold=threshold, epsilon=epsilon / count, sensitivity=sensitivity
        )
        if index is None:
            break
        found.append(start + index)
        start = found[-1] + 1
    return tuple(found)


def sparse_recursive(answers, *, threshold, count, epsilon, sensitivity=1, rng=None):
    if not count or not len(answers):
        return []
    share, keywords = epsilon / count, {"threshold": threshold, "sensitivity": sensitivity}
    index = above()(answers, epsilon=share, **keywords)
    if index is None:
        return []
    rest = sparse_recursive(
        answers[index + 1 :], count=count - 1, epsilon=epsilon - share, **keywords
    )
    return [index, *(index + 1 + other for other in rest)]


def sparse_in_place(answers, *, threshold, count, epsilon, sensitivity=1, rng=None):
    """The noisy answers are written into an array of the exact ones' type."""
    scale, found = count * sensitivity / epsilon, []
    noisy = np.array(answers)
    for index in range(len(noisy)):
        noisy[index] += _lap(4 * scale)
    limit = threshold + _lap(2 * scale)
    for index, each in enumerate(noisy):
        if each >= limit and len(found) < count:
            found.append(index)
            limit = threshold + _lap(2 * scale)
    return found


RIGHT["sparse"] = [
    many(above()),
    many(above_by_generator),
    in_one_loop,
    sparse_of_the_library,
    sparse_recursive,
    then(in_one_loop, np.array),
]


def sparse_for_those_above(answers, *, threshold, count, epsilon, sensitivity=1, rng=None):
    """The budget is shared out among the runs that there should be: a secret."""
    runs = int(np.clip((np.asarray(answers) >= threshold).sum(), 1, count))
    shared = {"epsilon": epsilon * count / runs, "sensitivity": sensitivity}
    return many(above())(answers, threshold=threshold, count=count, **shared)


WRONG["sparse"] = [
    (
        sparse_in_one_loop(redraw=0, threshold_count=False),
        "one noisy threshold, of noise without the count, serves all runs",
    ),
    (sharp_now_and_then(many(above())), "now and then noise is left out"),
    (sparse_for_those_above, "never came"),
    (many(above(), split=lambda e, c, m: e), "epsilon is not divided by the count"),
    (many(above(), split=lambda e, c, m: e / c**2), "divided by the count twice"),
    (many(above(), split=lambda e, c, m: e / c**0.5), "the root of the count"),
    (many(above(), split=lambda e, c, m: e / m), "divided by the number of answers"),
    (many(above(), split=lambda e, c, m: e / c / 2), "all noise is doubled"),
    (many(above(2, 2)), "the answers' noise has scale 2, not 4"),
    (many(above(4, 2)), "are exchanged"),
    (many(above(1, 2)), "all noise is halved"),
    (many(above(0, 4)), "the threshold gets no noise"),
    (many(above(2, 0)), "the answers get no noise"),
    (many(above(0, 0)), "no noise at all"),
    (many(above(draw=lambda scale: np.random.normal(0, scale))), "Gaussian noise"),
    (many(above(unit=lambda s, e, m: 1 / e)), "the sensitivity is ignored"),
    (many(above(), split=lambda e, c, m: 1 / c), "epsilon is ignored"),
    (many(above_redrawn), "drawn again for every answer"),
    (many(above(), limit=lambda count: 1), "stops after the first index"),
    (many(above(), limit=lambda count: count - 1), "one index too early"),
    (many(above(), limit=lambda count: math.inf), "more than `count` indices"),
    (sparse_in_one_loop(redraw=0), "the noisy threshold is kept"),
    (sparse_in_one_loop(redraw=0.5), ("the noisy threshold is kept for some runs", "kept")),
    (sparse_in_one_loop(threshold_count=False), "threshold's noise is not multiplied by the count"),
    (sparse_in_one_loop(answer_count=False), "answers' noise is not multiplied by the count"),
    (sparse_relative, "the indices do not ascend"),
    (sparse_again, "the indices do not ascend"),
    (then(in_one_loop, lambda found: found[::-1]), "the indices do not ascend"),
    (then(in_one_loop, lambda found: [index + 1 for index in found]), "outside of the answers"),
    (then(in_one_loop, lambda found: found[0] if found else None), "a list of indices is wanted"),
    (then(in_one_loop, lambda found: found or None), "returns nothing"),
    (then(in_one_loop, lambda found: [100.5]), "a list of indices is wanted"),
    (sparse_in_place, "at an edge (whole numbers)"),
]


# --- auto_clipping_bound ----------------------------------------------------------------------


def bound(question, run=None, choose=None):
    """An answer from its question, a function of (values, candidate), for above threshold."""
    run = run or above()
    choose = choose or (lambda candidates, index: candidates[-1 if index is None else index])

    def answer(values, *, candidates, epsilon, rng=None):
        answers = np.array([float(question(values, each)) for each in candidates])
        return choose(candidates, run(answers, threshold=0, epsilon=epsilon))

    return answer


def _exceeding(values, candidate):
    return -np.sum(values > candidate)


def bound_of_the_library(values, *, candidates, epsilon, rng=None):
    answers = -(np.array(values)[:, None] > np.array(candidates)).sum(axis=0)
    index = dplib.above_threshold(answers, threshold=0, epsilon=epsilon, rng=rng)
    return candidates[index] if index is not None else candidates[-1]


def bound_by_loop(values, *, candidates, epsilon, rng=None):
    limit = _lap(2 / epsilon)
    for candidate in candidates:
        exceeding = sum(1 for value in values if value > candidate)
        if -exceeding + _lap(4 / epsilon) >= limit:
            return candidate
    return max(candidates)


def bound_sorted(values, *, candidates, epsilon, rng=None):
    ordered = np.sort(values)
    below = np.searchsorted(ordered, candidates, side="right")
    noisy = below - len(ordered) + GENERATOR.laplace(0, 4 / epsilon, len(candidates))
    found = np.flatnonzero(noisy > GENERATOR.laplace(0, 2 / epsilon))
    return np.asarray(candidates)[found[0] if found.size else -1]


def bound_of_the_sums(values, *, candidates, epsilon, rng=None):
    # The seeds' heuristic: go on while the clipped sum still grows.
    sums = [np.clip(values, 0, each).sum() for each in [*candidates, math.inf]]
    answers = -np.diff(sums)
    index = above()(answers, threshold=0, epsilon=epsilon)
    return candidates[-1 if index is None else index]


RIGHT["auto_clipping_bound"] = [
    bound(_exceeding),
    bound_of_the_library,
    bound_by_loop,
    bound_sorted,
    bound(lambda values, each: np.sum(values <= each) - len(values)),
]


def bound_among_every_tenth(values, *, candidates, epsilon, rng=None):
    few = candidates[::10] if len(candidates) > 100 else candidates
    return bound_by_loop(values, candidates=few, epsilon=epsilon)


def bound_or_the_largest_value(values, *, candidates, epsilon, rng=None):
    """Where no candidate is found good, the largest value comes back."""
    found = bound(_exceeding)(values, candidates=[*candidates, math.inf], epsilon=epsilon)
    return found if found < math.inf else float(np.max(values))


def bound_by_halves(values, *, candidates, epsilon, rng=None):
    limit, first, last = _lap(2 / epsilon), 0, len(candidates) - 1
    while first < last:
        middle = (first + last) // 2
        if _exceeding(values, candidates[middle]) + _lap(4 / epsilon) >= limit:
            last = middle
        else:
            first = middle + 1
    return candidates[first]


WRONG["auto_clipping_bound"] = [
    (bound_by_halves, "the candidates are searched by halves"),
    (bound_or_the_largest_value, "a value of the table comes back, not a candidate"),
    (bound_among_every_tenth, "more than 100 candidates"),
    (bound(lambda values, each: -(np.floor(values) > each).sum()), "cut to whole numbers"),
    (
        bound(lambda values, each: -np.clip(values - each, 0, 1).sum()),
        "the growth of the clipped sum by 1",
    ),
    (bound(_exceeding, above(2, 2)), "the answers' noise has scale 2, not 4"),
    (bound(_exceeding, above(4, 2)), "are exchanged"),
    (bound(_exceeding, above(1, 2)), "all noise is halved"),
    (bound(_exceeding, above(0, 4)), "the threshold gets no noise"),
    (bound(_exceeding, above(2, 0)), "the answers get no noise"),
    (bound(_exceeding, above(0, 0)), "no noise at all"),
    (bound(_exceeding, above_redrawn), "drawn again for every answer"),
    (bound(_exceeding, above_reused), "one draw of noise serves all"),
    (bound(_exceeding, above(unit=lambda s, e, m: 1)), "epsilon is ignored"),
    (bound(_exceeding, above(unit=lambda s, e, m: m / e)), "divided among the candidates"),
    (bound(_exceeding, above_at_once(_highest_or_none)), "the highest noisy answer"),
    (bound(lambda values, each: -np.sum(values >= each)), "values equal to the bound"),
    (bound(lambda values, each: -np.mean(values > each)), "the share of values above"),
    (bound(lambda values, each: np.sum(values > each)), "without its sign"),
    (bound(lambda values, each: np.sum(values <= each)), "at or below is asked"),
    (bound_of_the_sums, "the clipped sums of two bounds"),
    (
        bound(_exceeding, choose=lambda c, i: c[-1 if i is None else max(0, i - 1)]),
        "the bound before",
    ),
    (
        bound(_exceeding, choose=lambda c, i: c[-1 if i is None else min(i + 1, len(c) - 1)]),
        "after",
    ),
    (bound(_exceeding, choose=lambda c, i: c[i or 0]), "the smallest bound comes back"),
    (bound(_exceeding, choose=lambda c, i: c[-1]), "the largest bound always"),
    (bound(_exceeding, choose=lambda c, i: i or 0), "the index comes back"),
    (bound(_exceeding, choose=lambda c, i: c[i]), "TypeError"),
    (lambda values, *, candidates, epsilon: max(values) + 0.017, "not one of the candidates"),
]


# --- auto_mean --------------------------------------------------------------------------------


def auto(shares=(1 / 3, 1 / 3, 1 / 3), *, find=None, unit=lambda b: b, clip=np.clip, count_noise=1):
    """An answer from the shares of epsilon for bound, sum and count."""
    find = find or bound_of_the_library

    def answer(values, *, candidates, epsilon, rng=None):
        limit = find(values, candidates=candidates, epsilon=shares[0] * epsilon)
        total = clip(values, 0, limit).sum() + _lap(unit(limit) / (shares[1] * epsilon))
        number = len(values) + count_noise * _lap(1 / (shares[2] * epsilon))
        return total / number

    return answer


def auto_of_the_library(values, *, candidates, epsilon, rng=None):
    limit = dplib.auto_clipping_bound(values, candidates=candidates, epsilon=epsilon / 3, rng=rng)
    return dplib.private_mean(values, lower=0, upper=limit, epsilon=2 * epsilon / 3, rng=rng)


def auto_in_parts(values, *, candidates, epsilon, rng=None):
    share = epsilon / 3
    limit = dplib.auto_clipping_bound(list(values), candidates=candidates, epsilon=share)
    total = dplib.private_sum(values, lower=0, upper=limit, epsilon=share)
    number = dplib.private_count(
        pd.DataFrame({"value": values}), lambda table: table["value"] >= 0, epsilon=share
    )
    return min(max(total / max(number, 1), 0), limit)


def auto_with_the_maximum(values, *, candidates, epsilon, rng=None):
    limit = values.max()
    total = values.sum() + _lap(3 * limit / epsilon)
    return total / (len(values) + _lap(3 / epsilon))


def auto_at_most_the_maximum(values, *, candidates, epsilon, rng=None):
    return min(auto()(values, candidates=candidates, epsilon=epsilon), max(values))


def auto_drawn_until(inside):
    """An answer that draws the sum's noise anew until its mean is inside."""

    def answer(values, *, candidates, epsilon, rng=None):
        limit = bound_of_the_library(values, candidates=candidates, epsilon=epsilon / 3)
        number = max(1, len(values) + _lap(3 / epsilon))
        while True:
            mean = (np.clip(values, 0, limit).sum() + _lap(3 * limit / epsilon)) / number
            if inside(mean, limit):
                return mean

    return answer


def auto_without_a_sign(values, *, candidates, epsilon, rng=None):
    return abs(auto()(values, candidates=candidates, epsilon=epsilon))


RIGHT["auto_mean"] = [
    auto(),
    auto(find=bound_by_loop),
    auto(find=bound_sorted, clip=lambda values, low, high: np.minimum(values, high)),
    auto_of_the_library,
    auto_in_parts,
]


def auto_with_one_draw(values, *, candidates, epsilon, rng=None):
    limit = bound_of_the_library(values, candidates=candidates, epsilon=epsilon / 3)
    noise = _lap(3 / epsilon)
    return (np.clip(values, 0, limit).sum() + limit * noise) / max(len(values) + noise, 1)


WRONG["auto_mean"] = [
    (auto((1, 1, 1)), "epsilon is not divided at all"),
    (auto((1 / 2, 1 / 4, 1 / 4)), "bound and mean get half of epsilon each"),
    (auto((1 / 3, 2 / 3, 2 / 3)), "sum and count each get all that the bound leaves"),
    (auto((1, 1 / 3, 1 / 3)), "the bound gets all of epsilon"),
    (auto((1, 1 / 2, 1 / 2)), "bound and mean get all of epsilon each"),
    (auto((1 / 3, 1 / 6, 1 / 6)), "the mean gets a third of epsilon"),
    (auto((1 / 3, 1 / 3, 1)), "the count gets all of epsilon"),
    (auto(count_noise=0), "the exact number of people is used"),
    (auto((1 / 3, 2 / 3, 1), count_noise=0), "the sum gets two thirds"),
    (auto_with_one_draw, "one draw of noise serves the sum and the count"),
    (auto(unit=lambda b: 1), "the sum gets the noise of a count"),
    (auto(clip=lambda values, low, high: values), "the values are not clipped"),
    (auto(find=lambda values, *, candidates, epsilon: candidates[-1]), "the largest candidate"),
    (auto(find=lambda values, *, candidates, epsilon: candidates[0]), "the smallest candidate"),
    (auto_with_the_maximum, "the largest value of the table"),
    (auto_at_most_the_maximum, ("all values equal", "values close to each other")),
    (auto_drawn_until(lambda mean, limit: 0 <= mean <= limit), ("all values 0", "every candidate")),
    (auto_drawn_until(lambda mean, limit: mean >= 0), "all values 0"),
    (auto_drawn_until(lambda mean, limit: mean <= limit), "all values above every candidate"),
    (auto_without_a_sign, "all values 0"),
    (lambda values, *, candidates, epsilon: float(np.mean(values)), "the same answer comes"),
    (lambda values, *, candidates, epsilon: [1.0, 2.0], "one number is wanted"),
    (lambda values, *, candidates, epsilon: math.nan, "not a finite number"),
]


# --- range_queries_above ----------------------------------------------------------------------


def ranges_by(
    inside=lambda values, low, high: (values >= low) & (values < high),
    *,
    find=in_one_loop,
    search=0.5,
    scale=lambda count, epsilon, found: 2 * count / epsilon,
    make=lambda found, pairs, numbers: {
        pairs[place]: number for place, number in zip(found, numbers, strict=True)
    },
    data=lambda values: values,
):
    """An answer from who is in a range, how ranges are found, and the noise of their numbers."""

    def answer(values, *, ranges, threshold, count, epsilon, rng=None):
        values = data(np.asarray(values))
        exact = np.array([float(np.sum(inside(values, low, high))) for low, high in ranges])
        found = list(find(exact, threshold=threshold, count=count, epsilon=search * epsilon))
        noise = _lap(scale(count, epsilon, len(found)), len(found))
        return make(found, ranges, (exact[found] + noise).tolist())

    return answer


def ranges_of_the_library(values, *, ranges, threshold, count, epsilon, rng=None):
    table = pd.DataFrame({"value": values})
    exact = [int(table["value"].between(*pair, inclusive="left").sum()) for pair in ranges]
    found = dplib.sparse(exact, threshold=threshold, count=count, epsilon=epsilon / 2, rng=rng)
    share = epsilon / 2 / count
    return {
        ranges[place]: dplib.laplace_mechanism(exact[place], sensitivity=1, epsilon=share, rng=rng)
        for place in found
    }


def ranges_without_overlap(values, *, ranges, threshold, count, epsilon, rng=None):
    """Each value counts in the first range that holds it, and nowhere else."""
    left, exact = np.asarray(values), []
    for low, high in ranges:
        inside = (left >= low) & (left < high)
        exact.append(float(inside.sum()))
        left = left[~inside]
    found = many(above())(exact, threshold=threshold, count=count, epsilon=epsilon / 2)
    return {ranges[place]: exact[place] + _lap(2 * count / epsilon) for place in found}


def ranges_never_below(values, *, threshold, **settings):
    """A number that does not agree with what the search says is lifted to the threshold."""
    numbers = ranges_by()(values, threshold=threshold, **settings)
    return {pair: max(number, threshold) for pair, number in numbers.items()}


def ranges_by_histogram(values, *, ranges, threshold, count, epsilon, rng=None):
    plain = np.asarray(values).tolist()
    exact = [len([value for value in plain if low <= value < high]) for low, high in ranges]
    found = many(above())(exact, threshold=threshold, count=count, epsilon=epsilon / 2)
    released = {}
    for place in found:
        sign = 1 if random.random() < 0.5 else -1
        noise = sign * random.expovariate(epsilon / (2 * count))
        released[ranges[place]] = np.float64(exact[place] + noise)
    return released


def ranges_with_one_noise(values, *, count, epsilon, **settings):
    noise = _lap(2 * count / epsilon)
    unnoised = ranges_by(scale=lambda count, epsilon, found: 1e-300)
    exact = unnoised(values, count=count, epsilon=epsilon, **settings)
    return {pair: number + noise for pair, number in exact.items()}


RIGHT["range_queries_above"] = [
    ranges_by(),
    ranges_by(find=many(above_at_once(_first_or_none))),
    ranges_by(lambda values, low, high: ~((values < low) | (values >= high))),
    ranges_of_the_library,
    ranges_by_histogram,
]

WRONG["range_queries_above"] = [
    (
        lambda values, *, ranges, **law: {
            pair: noisy
            for pair, noisy in ranges_by()(values, ranges=ranges, **law).items()
            if ((values >= pair[0]) & (values < pair[1])).any()
        },
        "an empty range is never reported",
    ),
    (ranges_by(data=np.ceil), ("do not lie around the right values", "the ranges found")),
    (ranges_by(lambda v, low, high: np.isin(v, np.arange(low, high))), "the ranges found"),
    (ranges_never_below, "at an edge (numbers near the threshold)"),
    (ranges_without_overlap, "at an edge (ranges that overlap, whose ends are not whole)"),
    (ranges_by(lambda v, low, high: (v > low) & (v < high)), "the lower bound are left out"),
    (ranges_by(lambda v, low, high: (v >= low) & (v <= high)), "the upper bound are counted"),
    (ranges_by(lambda v, low, high: (v > low) & (v <= high)), "the lower bound is out, the upper"),
    (ranges_by(search=1), "epsilon is not halved for the search"),
    (ranges_by(search=0.25), "the search gets a quarter"),
    (
        ranges_by(find=many(above(), split=lambda epsilon, count, m: epsilon)),
        "the search does not divide epsilon by the count",
    ),
    (ranges_by(find=many(above(2, 2))), "the answers' noise has scale 2, not 4"),
    (ranges_by(find=many(above(0, 4))), "the threshold gets no noise"),
    (ranges_by(find=many(above(2, 0))), "the answers get no noise"),
    (ranges_by(find=many(above(0, 0))), "no noise at all"),
    (ranges_by(find=sparse_in_one_loop(redraw=0)), "the noisy threshold is kept"),
    (ranges_by(find=many(above(), limit=lambda count: 1)), "those that hold many"),
    (ranges_by(find=many(above(), limit=lambda count: math.inf)), "`count` indices come back"),
    (ranges_by(scale=lambda count, epsilon, found: count / epsilon), "not halved for the numbers"),
    (ranges_by(scale=lambda count, epsilon, found: 2 / epsilon), "does not know the count"),
    (ranges_by(scale=lambda count, epsilon, found: 1 / epsilon), "neither halved nor divided"),
    (ranges_by(scale=lambda count, epsilon, found: 4 * count / epsilon), "noise is doubled"),
    (ranges_by(scale=lambda count, epsilon, found: 8 * count / epsilon), "of the search"),
    (ranges_by(scale=lambda count, epsilon, found: 1e-300), "no noise is added"),
    (ranges_with_one_noise, "depend on each other"),
    (ranges_by(data=lambda values: ADULT), "those that hold many"),
    (
        ranges_by(make=lambda found, pairs, numbers: dict(zip(found, numbers, strict=True))),
        "keys are indices",
    ),
    (ranges_by(make=lambda found, pairs, numbers: numbers), "a dictionary is wanted"),
    (ranges_by(make=lambda found, pairs, numbers: {str(pairs[0]): 1.0}), "not one of the ranges"),
]


# --- svt_counterexample -----------------------------------------------------------------------


def _raised(given, threshold):
    return given + threshold if isinstance(given, np.ndarray) else [x + threshold for x in given]


def refute_at_zero(variant, epsilon, *, threshold):
    """What passed when the threshold was always 0."""
    return {3: _third, 4: _fourth, 5: _fifth, 6: _sixth}[variant](epsilon)


def _third(epsilon, said=0.0, size=6):
    return [0.0] * size + [1.0], [1.0] * size + [0.0], [False] * size + [said]


def _fourth(epsilon, size=6):
    high = 2 / epsilon
    return [high] * size + [0.0], [high + 1] * size + [-1.0], [False] * size + [True]


def _fifth(epsilon):
    return [0.0, 1.0], [1.0, 0.0], [False, True]


def _sixth(epsilon, size=6):
    passed, found = [False] * size, [True] * size
    return [0.0] * size + [1.0] * size, [1.0] * size + [0.0] * size, passed + found


def refute(third=_third, fourth=_fourth, fifth=_fifth, sixth=_sixth):
    """An answer from four functions of epsilon, which take the threshold to be 0."""
    by_variant = {3: third, 4: fourth, 5: fifth, 6: sixth}

    def answer(variant, epsilon, *, threshold):
        first, second, outcome = by_variant[variant](epsilon)
        if variant == 3 and not isinstance(outcome[-1], bool):
            outcome = [*outcome[:-1], outcome[-1] + threshold]
        return _raised(first, threshold), _raised(second, threshold), outcome

    return answer


def _with_arrays(make):
    return lambda epsilon: tuple(
        np.array(each) if place < 2 else tuple(each) for place, each in enumerate(make(epsilon))
    )


RIGHT["svt_counterexample"] = [
    refute(),
    refute(*map(_with_arrays, (_third, _fourth, _fifth, _sixth))),
    refute(
        lambda epsilon: _third(epsilon, size=38),
        lambda epsilon: _fourth(epsilon, size=12),
        lambda epsilon: [[0, 0.5, 9], [1, -0.5, 9], np.array([False, True])],
        lambda epsilon: _sixth(epsilon, size=15),
    ),
]

WRONG["svt_counterexample"] = [
    (
        refute(
            *(
                lambda epsilon, make=make: (*make(epsilon)[1::-1], make(epsilon)[2])
                for make in (_third, _fourth, _fifth, _sixth)
            )
        ),
        "the wrong way round",
    ),
    (refute(third=lambda e: _third(e, size=1)), "equally likely"),
    (refute(fifth=lambda e: ([0, 1], [0.5, 0.5], [True, False])), "cannot come at all"),
    (
        refute(fourth=lambda e: ([0] * 30 + [-25 / e], [1] * 30 + [-25 / e], _fourth(e, 30)[2])),
        "up to rounding, and more is needed",
    ),
    (refute(third=lambda e: _third(e, said=30 / e)), "which released number"),
    (refute(fourth=lambda e: ([9.0], [8.0], [True])), "apart well enough"),
    (refute(fifth=lambda e: ([0, 1], [1, 1], [True, True])), "apart well enough"),
    (refute(sixth=lambda e: _sixth(e, size=1)), "apart well enough"),
    (refute(third=lambda e: _third(e, said=True)), "the released number above"),
    (refute(fourth=lambda e: (*_fourth(e)[:2], [True, False])), "stops at the first"),
    (refute(fifth=lambda e: ([0, 2], [2, 0], [False, True])), "not those of"),
    (refute(fifth=lambda e: ([0, 1], [0, 1], [False, True])), "the same"),
    (refute(fifth=lambda e: ([0, 1], [1], [False, True])), "differ in length"),
    (refute(fifth=lambda e: ([0], [1], [False, True])), "should be a list"),
    (refute(fifth=lambda e: ([0], [1], True)), "should be a list"),
    (refute(fifth=lambda e: ([0], [1], [1])), "says False below, and True above"),
    (refute(fifth=lambda e: ([1e9], [1e9 + 1], [True])), "too far from"),
    (refute(fourth=lambda e: ([-250 / e], [-250 / e - 1], [True])), "too rare"),
    (refute(fifth=lambda e: ([0] * 41, [1] * 41, [True])), "1 to 40 numbers"),
    (
        refute_at_zero,
        ("equally likely", "apart well enough", "too far from", "too rare", "the wrong way round"),
    ),
    (lambda variant, epsilon, *, threshold: ([0], [1]), "3 values are wanted"),
]
