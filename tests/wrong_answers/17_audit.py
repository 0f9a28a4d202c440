"""Answers to chapter 17."""

import itertools
import math
import random
from dataclasses import dataclass

import numpy as np
import pandas as pd
from library_copy import copy_of
from scipy import special, stats

import dplib
from dplib.floating_point import reachable_from
from wrong_answers.changes import given, then

RIGHT, WRONG = {}, {}


# --- epsilon_lower_bound ------------------------------------------------------------------------


def at_least(hits, draws, level):
    return special.betaincinv(hits, draws - hits + 1, level) if hits else 0.0


def at_most(hits, draws, level):
    return 1 - at_least(draws - hits, draws, level)


def hoeffding_at_least(hits, draws, level):
    return max(0.0, hits / draws - math.sqrt(math.log(1 / level) / (2 * draws)))


def log_at_least(hits, draws, level):
    """Chernoff's bound, by bisection: the smallest p under which so many hits are not too rare."""
    if hits == 0:
        return 0.0
    share, low, high = hits / draws, 0.0, hits / draws
    for _ in range(40):
        middle = (low + high) / 2
        first = share * math.log(share / middle) if middle else math.inf
        second = (1 - share) * math.log((1 - share) / (1 - middle)) if share < 1 else 0.0
        low, high = (middle, high) if draws * (first + second) > -math.log(level) else (low, middle)
    return low


def run_it(mechanism, data, times):
    return np.array([mechanism(data) for _ in range(times)], dtype=float)


def share(outputs, cut, sign):
    """Count the outputs on one side of a cut."""
    return int(np.sum(outputs >= cut) if sign > 0 else np.sum(outputs <= cut))


def all_events(outputs, number=40, signs=(1, -1), sides=(0, 1)):
    cuts = np.unique(np.quantile(np.concatenate(outputs), np.linspace(0, 1, number)))
    return [(cut, sign, side) for cut in cuts for sign in signs for side in sides]


def likely_loss(event, outputs, delta):
    """Return what an event promises: a ratio of shares, with a few hits added to both."""
    cut, sign, side = event
    hits = [share(each, cut, sign) for each in outputs]
    draws, room = len(outputs[0]), 2 * math.sqrt(max(hits) + 1)
    return math.log(max(hits[side] - room - delta * draws, 1e-9) / (hits[1 - side] + room))


def bound_of(
    mechanism,
    first,
    second,
    *,
    samples,
    delta=0.0,
    confidence=0.9,
    rng=None,
    split=True,
    lower=at_least,
    signs=(1, -1),
    sides=(0, 1),
    number=40,
    estimate=False,
    log=math.log,
):
    """The estimator of the chapter, with switches for its mistakes."""
    half = samples // 2
    runs = [run_it(mechanism, data, 2 * half) for data in (first, second)]
    choosing = [each[:half] for each in runs] if split else runs
    certifying = [each[half:] for each in runs] if split else runs
    event = max(
        all_events(choosing, number, signs, sides), key=lambda e: likely_loss(e, choosing, delta)
    )
    draws, level = len(certifying[0]), (1 - confidence) / 2
    hits = [share(each, *event[:2]) for each in certifying]
    likely, rare = hits[event[2]], hits[1 - event[2]]
    if estimate:
        return log(max(likely / draws - delta, 1e-9) / max(rare / draws, 1e-9))
    above = lower(likely, draws, level) - delta
    return max(0.0, log(above / (1 - lower(draws - rare, draws, level)))) if above > 0 else 0.0


def certified(event, outputs, delta, level):
    cut, sign, side = event
    hits, draws = [share(each, cut, sign) for each in outputs], len(outputs[0])
    low = at_least(hits[side], draws, level) - delta
    return math.log(low / at_most(hits[1 - side], draws, level)) if low > 0 else 0.0


def bound_by_best_certificate(
    mechanism, first, second, *, samples, delta=0.0, confidence=0.9, rng=None, events=40, parts=1
):
    """The best of many certificates, from the outputs that are also looked through."""
    outputs = [run_it(mechanism, data, samples) for data in (first, second)]
    level = (1 - confidence) / 2 / parts
    return max(
        0.0,
        *(certified(event, outputs, delta, level) for event in all_events(outputs, events)),
    )


def bound_by_atoms(mechanism, first, second, *, samples, delta=0.0, confidence=0.9, rng=None):
    """Only single outputs are looked at: of continuous ones, none comes twice."""
    half = samples // 2
    runs = [run_it(mechanism, data, 2 * half) for data in (first, second)]
    shares = [pd.Series(each[:half].round(6)).value_counts() for each in runs]
    both = shares[0].index.union(shares[1].index)
    gap = shares[0].reindex(both).fillna(0) - shares[1].reindex(both).fillna(0)
    atom, side = gap.abs().idxmax(), int(gap[gap.abs().idxmax()] < 0)
    hits = [int(np.sum(each[half:].round(6) == atom)) for each in runs]
    level = (1 - confidence) / 2
    low = at_least(hits[side], half, level) - delta
    return max(0.0, math.log(low / at_most(hits[1 - side], half, level))) if low > 0 else 0.0


@dataclass
class Found:
    epsilon: float


def with_delta_last(mechanism, first, second, *, delta=0.0, **named):
    """Delta is taken off the logarithm, and not off the probability."""
    return max(0.0, bound_of(mechanism, first, second, **named) - delta)


def as_if_more(times):
    """Return how often an event comes at least, if each run counts as several."""
    return lambda hits, draws, level: at_least(times * hits, times * draws, level)


RIGHT["epsilon_lower_bound"] = [
    bound_of,
    given(bound_of, lower=log_at_least),
    then(bound_of, np.float64),
    then(bound_of, Found),
    copy_of(dplib.epsilon_lower_bound),
    lambda mechanism, first, second, **named: bound_of(mechanism, second, first, **named),
]


WRONG["epsilon_lower_bound"] = [
    (given(bound_of, split=False), "the same outputs choose the event"),
    (bound_by_best_certificate, "the same outputs choose the event"),
    # It holds, and is too loose for a rare event.
    (given(bound_of, lower=hoeffding_at_least), ("is too loose", "is not found")),
    (given(bound_of, estimate=True), "it is an estimate, not a lower bound"),
    (given(bound_of, lower=as_if_more(8)), "the interval counts more runs than there were"),
    (given(bound_of, lower=as_if_more(100)), "or its interval is far too short"),
    (given(bound_of, delta=0.0), "delta is"),
    (with_delta_last, "it is taken off in another place"),
    (given(bound_of, confidence=0.95), "the confidence is ignored"),
    (given(bound_of, log=lambda ratio: ratio), "the ratio is returned, not its logarithm"),
    (given(bound_of, log=math.log10), "the logarithm has base 10"),
    (given(bound_of, signs=(1,)), "a loss that low outputs show is not found"),
    (given(bound_of, signs=(-1,)), "a loss that high outputs show is not found"),
    (given(bound_of, sides=(0,)), "a loss that high outputs show is not found"),
    (given(bound_of, sides=(1,)), "a loss that low outputs show is not found"),
    (bound_by_atoms, "is not found"),
    (given(bound_of, samples=40), ("is not found", "runs more often than it may")),
    (lambda *given, **named: 0.0, "is not found"),
    (lambda *given, **named: 1.2, "the confidence is ignored"),
    (
        lambda mechanism, first, second, *, samples, **named: bound_of(
            mechanism, first, second, samples=2 * samples, **named
        ),
        "the mechanism runs more often than it may",
    ),
    (
        lambda mechanism, first, second, **named: bound_of(mechanism, 0, 1, **named),
        "another input",
    ),
    (lambda *given, **named: math.inf, "the bound is infinite"),
    (lambda *given, **named: math.nan, "not a finite number"),
    (lambda *given, **named: "1.3", "one number is wanted"),
]


# --- find_liars ---------------------------------------------------------------------------------


def losses(boxes, samples=4000):
    return [dplib.epsilon_lower_bound(box, 0, 1, samples=samples).epsilon for box in boxes]


def liars_by_audit(boxes):
    return np.argsort(losses(boxes))[-2:]


def shares_of(box, count, samples, cuts):
    outputs = np.array([box(count) for _ in range(samples)])
    return np.array([[np.mean(outputs <= cut), np.mean(outputs >= cut)] for cut in cuts]).ravel()


def likely_losses(boxes, samples=3000, cuts=(-2.0, -1.0, -0.01, 0.0, 0.01, 0.99, 1.0, 1.01, 2, 3)):
    """Ratios of shares, held away from 0: no certificate, and good enough here."""
    found = []
    for box in boxes:
        at_0, at_1 = (shares_of(box, count, samples, cuts) + 0.01 for count in (0, 1))
        found.append(np.abs(np.log(at_0 / at_1)).max())
    return found


def liars_by_threshold(boxes):
    return {place for place, loss in enumerate(likely_losses(boxes)) if loss > 1.25}


def liars_by_series(boxes):
    return pd.Series(likely_losses(boxes)).nlargest(2).index


CUTS = (-0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5)


def by_score(score, samples=1500):
    """Accuse the two boxes with the largest score of their answers to the count 0 (and 1)."""

    def answer(boxes):
        def of(box):
            return score(*(np.array([box(count) for _ in range(samples)]) for count in (0, 1)))

        return sorted(range(len(boxes)), key=lambda place: of(boxes[place]))[-2:]

    return answer


def one_way(at_0, at_1, low=True, high=True, under=(0, 1)):
    """Return the largest log ratio by some of the events, likelier under some of the counts."""
    sides, found = (at_0, at_1), []
    for cut, side in itertools.product((-0.5, 0.0, 0.5, 1.0, 1.5), under):
        one, other = sides[side], sides[1 - side]
        events = [(one <= cut, other <= cut)] * low + [(one >= cut, other >= cut)] * high
        found += [np.log((a.mean() + 0.005) / (b.mean() + 0.005)) for a, b in events]
    return max(found)


def _far_from_laplace(at_0, at_1):
    return stats.kstest(at_0, stats.laplace.cdf).statistic


RIGHT["find_liars"] = [
    by_score(one_way, samples=4000),
    liars_by_audit,
    lambda boxes: tuple(int(place) for place in liars_by_audit(boxes)),
    lambda boxes: liars_by_threshold(boxes),
    lambda boxes: list(liars_by_series(boxes)),
    lambda boxes: np.argsort(likely_losses(boxes))[::-1][:2],
]

_NOT_FOUND = "the two liars are not found"
_SAME_TWO = "accuses the same two boxes"
_TWO_WANTED = "the places of two boxes are wanted"

WRONG["find_liars"] = [
    (by_score(_far_from_laplace), _NOT_FOUND),
    (by_score(lambda at_0, at_1: one_way(at_0, at_1, under=(0,))), _NOT_FOUND),
    (by_score(lambda at_0, at_1: one_way(at_0, at_1, under=(1,))), _NOT_FOUND),
    (by_score(lambda at_0, at_1: one_way(at_0, at_1, low=False)), _NOT_FOUND),
    (by_score(lambda at_0, at_1: one_way(at_0, at_1, high=False)), _NOT_FOUND),
    (by_score(lambda at_0, at_1: -at_0.std()), _NOT_FOUND),
    (by_score(lambda at_0, at_1: abs(at_0.mean())), _NOT_FOUND),
    (by_score(lambda at_0, at_1: abs(at_1.mean() - at_0.mean() - 1)), _NOT_FOUND),
    (by_score(lambda at_0, at_1: abs(at_1.mean() - at_0.mean())), _NOT_FOUND),
    (by_score(lambda at_0, at_1: np.mean(at_1 >= 4) / (np.mean(at_0 >= 4) + 0.01)), _NOT_FOUND),
    (by_score(lambda at_0, at_1: -len(np.unique(at_0))), _NOT_FOUND),
    (by_score(lambda at_0, at_1: stats.ks_2samp(at_0, at_1).statistic, samples=2), _NOT_FOUND),
    (by_score(lambda at_0, at_1: stats.wasserstein_distance(at_0, at_1)), _NOT_FOUND),
    (
        by_score(
            lambda at_0, at_1: max(abs(np.mean(at_0 <= cut) - np.mean(at_1 <= cut)) for cut in CUTS)
        ),
        _NOT_FOUND,
    ),
    # At 40 and 41 the careless box and the loaded coin lie no more.
    (
        lambda boxes: liars_by_audit([lambda count, box=box: box(count + 40) for box in boxes]),
        _NOT_FOUND,
    ),
    (lambda boxes: random.sample(range(6), 2), _NOT_FOUND),
    (lambda boxes: [0, 1], _SAME_TWO),
    (lambda boxes: [1, 2, 3], _TWO_WANTED),
    (lambda boxes: [4, 4], _TWO_WANTED),
    (lambda boxes: [5, 6], _TWO_WANTED),
    (lambda boxes: [-1, 2], _TWO_WANTED),
    (lambda boxes: 3, _TWO_WANTED),
    (lambda boxes: "0, 1", _TWO_WANTED),
    (lambda boxes: boxes[:2], "the places of two boxes are wanted"),
    (lambda boxes: [0.5, 1], "not a whole number"),
    (lambda boxes: boxes[0]() and [0, 1], "TypeError"),
]


# --- membership_inference -----------------------------------------------------------------------


def attack(
    member_losses,
    other_losses,
    *,
    confidence,
    delta=0.0,
    rng=None,
    split=True,
    lower=at_least,
    better=1,
    parts=4,
    report="advantage",
):
    """The attack of the chapter, with switches for its mistakes."""
    members, others = np.asarray(member_losses, float), np.asarray(other_losses, float)
    choosing = (members[::2], others[::2]) if split else (members, others)
    judging = (members[1::2], others[1::2]) if split else (members, others)

    def hits(losses, cut):
        return int(np.sum(losses <= cut) if better > 0 else np.sum(losses > cut))

    def gain(cut):
        return hits(choosing[0], cut) / len(choosing[0]) - hits(choosing[1], cut) / len(choosing[1])

    cut = max(np.concatenate(choosing), key=gain)
    level = (1 - confidence) / parts
    pairs = [(hits(losses, cut), len(losses)) for losses in judging]
    shares = [hit / draws for hit, draws in pairs]
    lows = [lower(hit, draws, level) for hit, draws in pairs]
    highs = [1 - lower(draws - hit, draws, level) for hit, draws in pairs]
    found = shares[0] - shares[1], lows[0] - highs[1], highs[0] - lows[1]
    if report == "accuracy":
        found = [(1 + each) / 2 for each in found]
    if report == "members":
        found = shares[0], lows[0], highs[0]
    if report == "estimate":
        found = [found[0]] * 3
    if report == "exchanged":
        found = found[0], found[2], found[1]
    if report == "one sided":
        found = found[0], lows[0] - shares[1], highs[0] - shares[1]
    return float(cut), *found


@dataclass
class Attack:
    threshold: float
    advantage: float
    lower: float
    upper: float


def attack_at(threshold, below=np.less_equal):
    """Return an attack with a threshold of one half's losses, which then judges by `below`."""

    def answer(member_losses, other_losses, *, confidence, rng=None):
        members, others = (
            np.random.default_rng().permutation(each) for each in (member_losses, other_losses)
        )
        half = len(members) // 2
        cut = threshold(members[:half], others[:half])
        shares = [np.mean(below(each[half:], cut)) for each in (members, others)]
        room = 2 * math.sqrt(math.log(4 / (1 - confidence)) / (2 * half))
        gap = shares[0] - shares[1]
        return cut, gap, gap - room, gap + room

    return answer


def best_quantile(members, others):
    """Return the best of 60 quantiles of all losses."""
    cuts = np.quantile(np.concatenate([members, others]), np.linspace(0, 1, 60))
    return max(cuts, key=lambda cut: np.mean(members <= cut) - np.mean(others <= cut))


RIGHT["membership_inference"] = [
    attack,
    given(attack, lower=hoeffding_at_least),
    given(attack, lower=log_at_least),
    then(attack, np.array),
    then(attack, lambda found: Attack(*found)),
    then(
        attack,
        lambda found: dict(zip(("threshold", "advantage", "lower", "upper"), found, strict=True)),
    ),
    copy_of(dplib.membership_inference),
    attack_at(best_quantile),
]


def turned_round(found):
    """An attack that came out worse than guessing is told as its opposite."""
    cut, advantage, lower, upper = found
    return found if advantage >= 0 else (cut, -advantage, max(0.0, -upper), -lower)


def attack_counting_pairs(member_losses, other_losses, *, confidence, rng=None):
    """Every member is paired with every other, and each pair counts as a run."""

    def lower(hits, draws, level):
        return at_least(draws * hits, draws * draws, level)

    return attack(member_losses, other_losses, confidence=confidence, lower=lower)


WRONG["membership_inference"] = [
    (given(attack, split=False), "the same losses choose the threshold"),
    (attack_counting_pairs, "the intervals count more losses than there were"),
    (then(attack, turned_round), "what happens to an advantage that comes out negative?"),
    (given(attack, report="accuracy"), "the accuracy is returned"),
    (given(attack, report="members"), "the others who are called members are not counted"),
    (given(attack, report="estimate"), "no interval"),
    (given(attack, report="exchanged"), "do not enclose the advantage"),
    (given(attack, confidence=0.95), "the confidence is ignored"),
    (given(attack, better=-1), "the attack finds too little"),
    (given(attack, parts=1), "the bounds miss the true advantage"),
    # Yeom's threshold, and a multiple of it, is right for one law of losses and wrong for others.
    (attack_at(lambda members, others: 1.8 * members.mean()), "where the losses are skewed"),
    (
        attack_at(lambda members, others: (members.mean() + members.min()) / 2),
        "the attack finds too little",
    ),
    (attack_at(best_quantile, below=np.less), "where many losses are equal"),
    (
        lambda member_losses, other_losses, **named: attack(other_losses, member_losses, **named),
        "the attack finds too little",
    ),
    (
        lambda member_losses, other_losses, **named: attack(
            member_losses[:20], other_losses[:20], **named
        ),
        "the attack finds too little",
    ),
    (then(attack, lambda found: (0.0, 0.0, -1.0, 1.0)), "the confidence is ignored"),
    (then(attack, lambda found: (found[0], 0.5, 0.49, 0.51)), "the confidence is ignored"),
    (then(attack, lambda found: found[1:]), "four numbers are wanted"),
    (then(attack, lambda found: found[1]), "four numbers are wanted"),
    (lambda *given, **named: ("a", 1, 0, 1), "one number is wanted"),
    (
        lambda member_losses, other_losses, **named: (
            member_losses.sort() or attack(member_losses, other_losses, **named)
        ),
        "changes what it is given",
    ),
]


# --- identify_input -----------------------------------------------------------------------------


def noise_of(whole, scale, log=math.log):
    uniform = whole / 2**53
    if uniform >= 0.5:
        return -scale * log(2.0 - uniform - uniform)
    return scale * log(uniform + uniform)


def candidates(output, value, scale, steps):
    distance = (output - value) / scale
    tail = math.exp(-abs(distance)) / 2
    nearest = round(2**53 * (tail if distance < 0 else 1 - tail))
    return [k for k in range(nearest - steps, nearest + steps + 1) if 0 < k < 2**53]


def can_give(output, value, scale, steps=8, log=math.log):
    return any(
        value + noise_of(k, scale, log) == output for k in candidates(output, value, scale, steps)
    )


def identify(output, *, epsilon, can=can_give, both=None, swap=False, **options):
    able = [value for value in (0, 1) if can(output, value, 1 / epsilon, **options)]
    if len(able) == 2:
        return both
    return (1 - able[0] if swap else able[0]) if able else None


def identify_by_library(output, *, epsilon):
    able = [bool(reachable_from(output, value=value, epsilon=epsilon)) for value in (0, 1)]
    return None if all(able) else able.index(True)


def noise_subtracted(output, value, scale):
    """Subtracts, where the mechanism adds: the difference is rounded once more."""
    noise = output - value
    return any(noise_of(k, scale) == noise for k in candidates(output, value, scale, 8))


RIGHT["identify_input"] = [
    identify,
    given(identify, steps=3),
    given(identify, log=np.log),
    then(identify, lambda found: None if found is None else np.int64(found)),
    then(identify, lambda found: None if found is None else bool(found)),
    identify_by_library,
]

WRONG["identify_input"] = [
    (given(identify, steps=0), "enough whole numbers"),
    (given(identify, both=0), "names one input where both can give the output"),
    (given(identify, swap=True), "names an input that cannot give the output"),
    (
        given(identify, log=lambda x: float(np.log(np.float32(x)))),
        "identifies too few inputs",
    ),
    (lambda output, *, epsilon: round(min(max(output, 0), 1)), "names"),
    (lambda output, *, epsilon: int(output > 0.5), "names"),
    (lambda output, *, epsilon: 0, "names"),
    # It finds half of the outputs that tell.
    (then(identify, lambda found: found or None), "identifies too few inputs"),
    (
        # Right, as far as it goes: numbers so near 0 have bits that 1 + noise cannot have.
        lambda output, *, epsilon: 0 if abs(output) < 0.5 and (output * 2**53) % 1 else None,
        "identifies too few inputs",
    ),
    (given(identify, can=noise_subtracted), "names"),
    (lambda output, *, epsilon: output, "0, 1 or None is wanted"),
    (lambda output, *, epsilon: "0", "one number is wanted"),
    (lambda output, *, epsilon: (0, 1), "one number is wanted"),
    (lambda output: 0, "TypeError"),
]


# --- attack_epsilon -----------------------------------------------------------------------------


def certified_epsilon(true_positive_rate, false_positive_rate, *, delta):
    hit, alarm = true_positive_rate, false_positive_rate
    best = 0.0
    for likely, rare in ((hit, alarm), (alarm, hit), (1 - hit, 1 - alarm), (1 - alarm, 1 - hit)):
        if likely - delta > rare:
            best = max(best, math.log((likely - delta) / rare) if rare else math.inf)
    return best


def attack_by_arrays(true_positive_rate, false_positive_rate, *, delta):
    rates = np.array([true_positive_rate, false_positive_rate])
    pairs = np.concatenate([[rates, rates[::-1]], [1 - rates, 1 - rates[::-1]]])
    with np.errstate(all="ignore"):
        losses = np.log((pairs[:, 0] - delta) / pairs[:, 1])
    return max(0.0, np.nanmax(losses))


def attack_by_search(true_positive_rate, false_positive_rate, *, delta):
    """The least epsilon for which the misses are allowed, by halving."""

    def allowed(epsilon):
        hit, alarm = true_positive_rate, false_positive_rate
        pairs = ((hit, alarm), (alarm, hit), (1 - hit, 1 - alarm), (1 - alarm, 1 - hit))
        return all(likely <= math.exp(epsilon) * rare + delta for likely, rare in pairs)

    low, high = 0.0, 60.0
    if not allowed(high):
        return math.inf
    if allowed(0.0):
        return 0.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if allowed(middle) else (middle, high)
    return high


def sure_attack(hit, alarm, *, delta):
    """Return infinity wherever one event comes on one side only, whatever delta allows."""
    pairs = [(hit, alarm), (alarm, hit), (1 - hit, 1 - alarm), (1 - alarm, 1 - hit)]
    if any(often > rare == 0 for often, rare in pairs):
        return math.inf
    return certified_epsilon(hit, alarm, delta=delta)


RIGHT["attack_epsilon"] = [certified_epsilon, attack_by_arrays, attack_by_search]

WRONG["attack_epsilon"] = [
    (lambda *rates, delta: 1.01 * certified_epsilon(*rates, delta=delta), "wrong at"),
    (lambda hit, alarm, *, delta: math.log((hit - delta) / alarm), "stops with"),
    (lambda *rates, delta: min(certified_epsilon(*rates, delta=delta), 20.0), "wrong at"),
    (sure_attack, ("no false alarm", "no hit", "no miss", "every other a false alarm")),
]
