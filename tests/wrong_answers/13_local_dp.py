"""Answers to chapter 13."""
# ruff: noqa: NPY002

import functools
import math
import random

import numpy as np
import pandas as pd
from scipy import stats

import dplib

RIGHT, WRONG = {}, {}

GENERATOR = np.random.default_rng()
LN_3 = math.log(3)


def truth_probability(epsilon, size=2):
    return math.exp(epsilon) / (math.exp(epsilon) + size - 1)


# --- randomized_response ----------------------------------------------------------------------


def respond(chance):
    """Return the answer whose reports are true with the probability that `chance` gives."""

    def answer(answers, *, epsilon=LN_3, rng=None):
        truth = np.random.random(len(answers)) < chance(epsilon)
        return np.where(truth, answers, ~answers)

    return answer


def respond_in_a_loop(answers, *, epsilon=LN_3, rng=None):
    reports = []
    for answer in answers:
        if random.random() < math.exp(epsilon) / (1 + math.exp(epsilon)):
            reports.append(answer)
        else:
            reports.append(not answer)
    return reports


def respond_with_two_coins(answers, *, epsilon=LN_3, rng=None):
    """A first coin keeps the truth; on tails a fair coin answers."""
    rng = rng or np.random.default_rng()
    keep = rng.random(len(answers)) < math.tanh(epsilon / 2)
    return np.where(keep, answers, rng.random(len(answers)) < 0.5)


def respond_two_fair_coins(answers, *, epsilon=LN_3, rng=None):
    keep = np.random.random(len(answers)) < 0.5
    return np.where(keep, answers, np.random.random(len(answers)) < 0.5)


def respond_with_fair_coin_on_lie(answers, *, epsilon=LN_3, rng=None):
    keep = np.random.random(len(answers)) < truth_probability(epsilon)
    return np.where(keep, answers, np.random.random(len(answers)) < 0.5)


def respond_one_coin(answers, *, epsilon=LN_3, rng=None):
    return answers if random.random() < truth_probability(epsilon) else ~answers


def respond_one_number(answers, *, epsilon=LN_3, rng=None):
    truth = truth_probability(epsilon)
    return random.random() < np.where(answers, truth, 1 - truth)


def respond_in_place(answers, *, epsilon=LN_3, rng=None):
    answers ^= np.random.random(len(answers)) > truth_probability(epsilon)
    return answers


def respond_seeded(answers, *, epsilon=LN_3, rng=None):
    rng = np.random.default_rng(13)
    return answers ^ (rng.random(len(answers)) > truth_probability(epsilon))


def respond_for_yes_only(answers, *, epsilon=LN_3, rng=None):
    return answers & (np.random.random(len(answers)) < truth_probability(epsilon))


def respond_for_no_only(answers, *, epsilon=LN_3, rng=None):
    return answers | (np.random.random(len(answers)) > truth_probability(epsilon))


RIGHT["randomized_response"] = [
    respond(truth_probability),
    respond_in_a_loop,
    respond_with_two_coins,
    lambda answers, *, epsilon, rng=None: (
        answers ^ (GENERATOR.random(answers.shape) * (1 + math.exp(epsilon)) < 1)
    ),
    lambda answers, *, epsilon, rng=None: pd.Series(
        [int(a) if stats.bernoulli.rvs(truth_probability(epsilon)) else 1 - int(a) for a in answers]
    ),
    lambda answers, *, epsilon, rng=None: (rng or GENERATOR).binomial(
        1, np.where(answers, 1, math.exp(-epsilon)) / (1 + math.exp(-epsilon))
    ),
]


def respond_to_a_crowd(coins):
    """The coins of the first so many people come again for the others."""

    def answer(answers, *, epsilon=LN_3, rng=None):
        draws = np.resize(np.random.random(coins), len(answers))
        return np.where(draws < truth_probability(epsilon), answers, ~answers)

    return answer


def respond_alone(answers, *, epsilon=LN_3, rng=None):
    return answers if len(answers) == 1 else respond(truth_probability)(answers, epsilon=epsilon)


WRONG["randomized_response"] = [
    (respond_to_a_crowd(1000), "the coins come again"),
    (respond_to_a_crowd(17), "the coins come again"),
    (respond_alone, "do not come as often"),
    (respond(lambda epsilon: truth_probability(min(epsilon, 5))), "at an edge"),
    (respond(lambda epsilon: truth_probability(max(epsilon, 0.1))), "do not come as often"),
    (respond(lambda epsilon: 1), "everybody tells the truth"),
    (respond(lambda epsilon: 0), "everybody lies"),
    (respond_two_fair_coins, "epsilon is ignored: truth has probability 3/4"),
    (respond(lambda epsilon: 0.5), "do not depend on the answers"),
    (respond(lambda epsilon: truth_probability(-epsilon)), "truth and lie are exchanged"),
    (respond_with_fair_coin_on_lie, "a fair coin answers"),
    (respond(lambda epsilon: truth_probability(epsilon / 2)), "half of epsilon"),
    (respond(lambda epsilon: truth_probability(2 * epsilon)), "twice epsilon"),
    (respond(lambda epsilon: truth_probability(epsilon / 3)), "shared among the people"),
    (respond(lambda epsilon: 1 - math.exp(-epsilon)), "1 - exp(-epsilon)"),
    (respond(lambda epsilon: epsilon / (1 + epsilon)), "epsilon / (1 + epsilon)"),
    (respond(lambda epsilon: 1 - math.exp(-epsilon) / 2), "exp(-epsilon) / 2"),
    (respond(lambda epsilon: 2**epsilon / (1 + 2**epsilon)), "a base other than e"),
    (respond_for_yes_only, "a no is always told truly"),
    (respond_for_no_only, "a yes is always told truly"),
    (respond_one_coin, "one draw decides for everybody"),
    (respond_one_number, "one random number is compared"),
    (
        lambda answers, *, epsilon, rng=None: (
            np.random.random(len(answers)) < truth_probability(epsilon)
        ),
        "everybody reports yes with the same probability",
    ),
    (respond_in_place, "changes what it is given"),
    (respond_seeded, "the same answer comes at every call"),
    (lambda answers, *, epsilon, rng=None: ["yes"] * len(answers), "an array of truth values"),
    (lambda answers, *, epsilon, rng=None: bool(answers[0]), "another shape"),
    (lambda answers, *, epsilon, rng=None: answers + np.random.laplace(size=3), "true or false"),
]


# --- perturb ----------------------------------------------------------------------------------


def flip(one, zero, draws=np.random.random):
    """Return the answer that reports 1 with the chance `one` for a 1 and `zero` for a 0."""

    def answer(bits, *, p, q, rng=None):
        return (draws(bits.shape) < np.where(bits == 1, one(p, q), zero(p, q))).astype(int)

    return answer


def right_p(p, q):
    return p


def right_q(p, q):
    return q


def perturb_in_loops(bits, *, p, q, rng=None):
    return [[int(random.random() < (p if bit else q)) for bit in row] for row in bits]


def perturb_in_two_steps(bits, *, p, q, rng=None):
    rng = np.random.default_rng() if rng is None else rng
    reports = bits.copy()
    ones = bits == 1
    reports[ones] = rng.random(ones.sum()) < p
    reports[~ones] = rng.random((~ones).sum()) < q
    return reports


def perturb_zeros_first(bits, *, p, q, rng=None):
    reports = bits.copy()
    reports[reports == 0] = np.random.random((reports == 0).sum()) < q
    reports[reports == 1] = np.random.random((reports == 1).sum()) < p
    return reports


def perturb_ones_first(bits, *, p, q, rng=None):
    reports = bits.copy()
    reports[reports == 1] = np.random.random((reports == 1).sum()) < p
    reports[reports == 0] = np.random.random((reports == 0).sum()) < q
    return reports


RIGHT["perturb"] = [
    flip(right_p, right_q),
    perturb_in_loops,
    perturb_in_two_steps,
    lambda bits, *, p, q, rng=None: (rng or GENERATOR).binomial(1, q + (p - q) * bits),
    lambda bits, *, p, q, rng=None: pd.DataFrame(np.random.random(bits.shape) < q + (p - q) * bits),
    lambda bits, *, p, q, rng=None: np.where(
        bits == 1, stats.bernoulli.rvs(p, size=bits.shape), stats.bernoulli.rvs(q, size=bits.shape)
    ),
]


def perturb_by_sign(bits, *, p, q, rng=None):
    """A 1 becomes -0.0, and a 0 stays 0.0."""
    keep = np.random.random(bits.shape) < np.where(bits == 1, p, 1 - q)
    return np.where(keep, bits * 1.0, np.where(bits == 1, -0.0, 1.0))


WRONG["perturb"] = [
    (perturb_by_sign, "zeros with a sign"),
    (lambda bits, *, p, q, rng=None: bits, "reported as they are"),
    (flip(right_q, right_p), "p and q are exchanged"),
    # Both rounded up to whole percents.
    (
        flip(lambda p, q: math.ceil(100 * p) / 100, lambda p, q: math.ceil(100 * q) / 100),
        "do not come as often as they should",
    ),
    # Both kept away from 0 and 1, as if someone divided by them.
    (
        flip(lambda p, q: min(max(p, 0.01), 0.99), lambda p, q: min(max(q, 0.002), 0.99)),
        "at an edge",
    ),
    (flip(right_p, lambda p, q: 1 - p), "a 0 becomes 1 with probability 1 - p"),
    (flip(lambda p, q: 1 - q, right_q), "a 1 stays 1 with probability 1 - q"),
    (flip(lambda p, q: 1 - p, right_q), "the probability that a 1 flips"),
    (flip(right_p, lambda p, q: 1 - q), "the probability that a 0 stays 0"),
    (flip(lambda p, q: 1 - p, lambda p, q: 1 - q), "both taken the wrong way round"),
    (flip(right_p, lambda p, q: 0), "zeros are never changed"),
    (flip(lambda p, q: 1, right_q), "ones are never changed"),
    (flip(right_p, right_p), "with probability p, whatever it was"),
    (flip(right_q, right_q), "with probability q, whatever it was"),
    (perturb_zeros_first, "flipped again"),
    (perturb_ones_first, "may still become 1 by q"),
    (
        flip(right_p, right_q, lambda shape: np.random.random((shape[0], 1))),
        "one random number decides the whole row",
    ),
    (flip(right_p, right_q, lambda shape: random.random()), "one random number decides all rows"),
    (
        flip(right_p, right_q, lambda shape: np.random.random(shape[1])),
        "share their random numbers",
    ),
    (flip(lambda p, q: (1 + p) / 2, lambda p, q: q / 2), "a fair coin decides"),
    (
        flip(right_p, right_q, lambda shape: np.random.default_rng(1).random(shape)),
        "the same answer comes",
    ),
    (
        lambda bits, *, p, q, rng=None: (np.random.random(bits.shape[1]) < p)[None, None],
        "another shape",
    ),
    (lambda bits, *, p, q, rng=None: bits + np.random.normal(size=bits.shape), "true or false"),
]


# --- aggregate --------------------------------------------------------------------------------


def solve(formula):
    """Return the answer with a formula in the ones by category, n, p and q."""

    def answer(reports, *, p, q):
        reports = np.asarray(reports)
        return formula(reports.sum(axis=0), len(reports), p, q)

    return answer


def aggregate_in_loops(reports, *, p, q):
    estimates = []
    for column in range(len(reports[0])):
        ones = sum(int(row[column]) for row in reports)
        estimates.append((ones - len(reports) * q) / (p - q))
    return estimates


def aggregate_over_the_reports(reports, *, p, q):
    """Write over the reports where their numbers are floats: there `astype` makes no copy."""
    cumulated = reports.astype(float, copy=False)
    np.cumsum(cumulated, axis=0, out=cumulated)
    return (cumulated[-1] - len(reports) * q) / (p - q)


RIGHT["aggregate"] = [
    solve(lambda ones, n, p, q: (ones - n * q) / (p - q)),
    aggregate_in_loops,
    lambda reports, *, p, q: pd.DataFrame(reports).sub(q).div(p - q).sum(),
    lambda reports, *, p, q: tuple(np.mean((reports - q) / (p - q), axis=0) * len(reports)),
]

WRONG["aggregate"] = [
    (
        lambda reports, *, p, q: np.squeeze(
            solve(lambda s, n, p, q: (s - n * q) / (p - q))(reports, p=p, q=q)
        ),
        "at an edge (one",
    ),
    (aggregate_over_the_reports, "changes what it is given"),
]


# --- optimal_unary_probabilities --------------------------------------------------------------

RIGHT["optimal_unary_probabilities"] = [
    lambda *, epsilon: (0.5, 1 / (math.exp(epsilon) + 1)),
    lambda *, epsilon: [1 / 2, np.exp(-epsilon) / (1 + np.exp(-epsilon))],
    lambda *, epsilon: np.array([0.5, stats.logistic.cdf(-epsilon)]),
]


def a_pair_that_costs_all(p, epsilon):
    return p, p / (math.exp(epsilon) * (1 - p) + p)


WRONG["optimal_unary_probabilities"] = [
    (lambda *, epsilon: a_pair_that_costs_all(0.51, epsilon), "their variance is not the least"),
    (lambda *, epsilon: (0.75, 0.25), "the value is wrong at 8 of 8"),
    (lambda *, epsilon: 0.5, "two numbers are wanted"),
    (lambda *, epsilon: dplib.optimal_unary_probabilities(epsilon=epsilon), "library's own"),
]


# --- direct_perturb ---------------------------------------------------------------------------


def lie_by_shift(codes, size, lies):
    shifts = np.random.randint(1, size, len(codes))
    return np.where(lies, (codes + shifts) % size, codes)


def tell(chance, lie=lie_by_shift):
    """Return the answer whose reports are true with the probability that `chance` gives."""

    def answer(codes, *, domain_size, epsilon, rng=None):
        lies = np.random.random(len(codes)) >= chance(epsilon, domain_size)
        return lie(codes, domain_size, lies)

    return answer


def direct_in_a_loop(codes, *, domain_size, epsilon, rng=None):
    reports = []
    for code in codes:
        others = [other for other in range(domain_size) if other != code]
        truth = truth_probability(epsilon, domain_size)
        reports.append(code if random.random() < truth else random.choice(others))
    return reports


def direct_by_choice(codes, *, domain_size, epsilon, rng=None):
    rng = np.random.default_rng() if rng is None else rng
    weights = np.ones((len(codes), domain_size))
    weights[np.arange(len(codes)), codes] = np.exp(epsilon)
    weights /= weights.sum(axis=1, keepdims=True)
    return np.array([rng.choice(domain_size, p=row) for row in weights])


def direct_by_even_lies(codes, *, domain_size, epsilon, rng=None):
    """With the probability k * q any code at all, the true one too."""
    even = domain_size / (math.exp(epsilon) + domain_size - 1)
    lies = GENERATOR.random(len(codes)) < even
    return np.where(lies, GENERATOR.integers(domain_size, size=len(codes)), codes)


def lie_by_any(codes, size, lies):
    return np.where(lies, np.random.randint(0, size, len(codes)), codes)


def lie_never_last(codes, size, lies):
    chosen = [random.choice([k for k in range(size - 1) if k != code]) for code in codes]
    return np.where(lies, chosen, codes)


def lie_never_first(codes, size, lies):
    chosen = [random.choice([k for k in range(1, size) if k != code]) for code in codes]
    return np.where(lies, chosen, codes)


def direct_one_shift(codes, *, domain_size, epsilon, rng=None):
    if random.random() < truth_probability(epsilon, domain_size):
        return codes
    return (codes + random.randint(1, domain_size - 1)) % domain_size


def direct_one_coin(codes, *, domain_size, epsilon, rng=None):
    truth = random.random() < truth_probability(epsilon, domain_size)
    return codes if truth else lie_by_shift(codes, domain_size, True)


def direct_one_lie(codes, *, domain_size, epsilon, rng=None):
    even = domain_size / (math.exp(epsilon) + domain_size - 1)
    return np.where(np.random.random(len(codes)) < even, random.randrange(domain_size), codes)


RIGHT["direct_perturb"] = [
    tell(truth_probability),
    direct_in_a_loop,
    direct_by_choice,
    direct_by_even_lies,
    lambda codes, *, domain_size, epsilon, rng=None: pd.Series(
        direct_in_a_loop(codes, domain_size=domain_size, epsilon=epsilon)
    ),
    lambda codes, *, domain_size, epsilon, rng=None: tuple(
        float(code) for code in direct_by_choice(codes, domain_size=domain_size, epsilon=epsilon)
    ),
]

WRONG["direct_perturb"] = [
    (tell(lambda epsilon, size: 1), "everybody tells the truth"),
    (tell(lambda epsilon, size: truth_probability(epsilon)), "number of categories is ignored"),
    (tell(lambda epsilon, size: truth_probability(epsilon, size + 1)), "k stands where k - 1"),
    (
        tell(lambda epsilon, size: truth_probability(max(epsilon, 0.1), size)),
        "at an edge",
    ),
    (tell(truth_probability, lie_by_any), "a false report may be the true code"),
    (
        tell(lambda epsilon, size: truth_probability(epsilon), lie_by_any),
        "true code, and k is ignored",
    ),
    (tell(lambda epsilon, size: 0.75), "truth has probability 3/4"),
    (tell(lambda epsilon, size: 0.5), "truth has probability 1/2"),
    (tell(lambda epsilon, size: 1 / size), "do not depend on the codes"),
    (tell(lambda epsilon, size: truth_probability(epsilon / 2, size)), "half of epsilon"),
    (tell(lambda epsilon, size: truth_probability(2 * epsilon, size)), "twice epsilon"),
    (tell(lambda epsilon, size: 1 - truth_probability(epsilon, size)), "truth and lie are exchang"),
    (tell(lambda epsilon, size: truth_probability(-epsilon, size)), "sign of epsilon"),
    (
        tell(truth_probability, lambda codes, size, lies: (codes + lies) % size),
        "always shows the next code",
    ),
    (tell(truth_probability, lie_never_last), "the last code is never"),
    (tell(truth_probability, lie_never_first), "the first code is never"),
    (direct_one_shift, "one draw shifts everybody"),
    (direct_one_coin, "one coin decides"),
    (direct_one_lie, "one random code stands"),
    (
        lambda codes, *, domain_size, epsilon, rng=None: codes + np.random.laplace(size=len(codes)),
        "must be whole numbers",
    ),
    (
        lambda codes, *, domain_size, epsilon, rng=None: codes + np.random.randint(0, domain_size),
        "what is not among the possible answers",
    ),
]


# --- private_survey ---------------------------------------------------------------------------


def direct_aggregate_in_a_loop(reports, *, domain_size, epsilon):
    ratio, estimates = math.exp(epsilon), []
    for category in range(domain_size):
        support = sum(1 for report in reports if report == category)
        estimates.append((support * (ratio + domain_size - 1) - len(reports)) / (ratio - 1))
    return estimates


def variances(size, epsilon):
    ratio = math.exp(epsilon)
    p, q = ratio / (ratio + size - 1), 1 / (ratio + size - 1)
    direct = (p * (1 - p) + (size - 1) * q * (1 - q)) / (p - q) ** 2
    unary = 1 + size * 4 * ratio / (ratio - 1) ** 2
    return direct, unary


def survey(use_direct, *, spend=1.0, draws=np.random.random, finish=lambda counts, n: counts):
    """Return the answer that takes direct encoding where `use_direct(size, epsilon)` says so."""

    def answer(values, *, categories, epsilon, rng=None):
        codes = np.array([categories.index(value) for value in values])
        size, n = len(categories), len(codes)
        if use_direct(size, epsilon):
            reports = direct_by_even_lies(codes, domain_size=size, epsilon=spend * epsilon)
            counts = direct_aggregate_in_a_loop(reports, domain_size=size, epsilon=epsilon)
        else:
            bits = np.eye(size)[codes]
            made = 1 / (1 + math.exp(spend * epsilon))
            reports = draws((n, size)) < np.where(bits == 1, 0.5, made)
            q = 1 / (1 + math.exp(epsilon))
            counts = (reports.sum(axis=0) - n * q) / (0.5 - q)
        return finish(pd.Series(counts, index=categories), n)

    return answer


def best_is_direct(size, epsilon):
    direct, unary = variances(size, epsilon)
    return direct < unary


def survey_with_dplib(values, *, categories, epsilon, rng=None):
    size = len(categories)
    codes = dplib.direct_encode(values, categories=categories)
    if size < 3 * math.exp(epsilon) + 2:
        reports = dplib.direct_perturb(codes, domain_size=size, epsilon=epsilon, rng=rng)
        return dplib.direct_aggregate(reports, domain_size=size, epsilon=epsilon)
    p, q = dplib.optimal_unary_probabilities(epsilon=epsilon)
    bits = dplib.unary_encode(values, categories=categories)
    return dplib.aggregate(dplib.perturb(bits, p=p, q=q, rng=rng), p=p, q=q)


def survey_symmetric(values, *, categories, epsilon, rng=None):
    p = truth_probability(epsilon / 2)
    bits = dplib.unary_encode(values, categories=categories)
    return dplib.aggregate(dplib.perturb(bits, p=p, q=1 - p), p=p, q=1 - p)


def survey_of_two(values, *, categories, epsilon, rng=None):
    """Randomized response for each bit: twice epsilon is spent."""
    p = truth_probability(epsilon)
    bits = dplib.unary_encode(values, categories=categories)
    return dplib.aggregate(dplib.perturb(bits, p=p, q=1 - p), p=p, q=1 - p)


def survey_without_chance(values, *, categories, epsilon, rng=None):
    """True reports, put right as if they were perturbed."""
    counts = np.array([values.count(category) for category in categories])
    size, ratio, n = len(categories), math.exp(epsilon), len(values)
    if best_is_direct(size, epsilon):
        return (counts * (ratio + size - 1) - n) / (ratio - 1)
    return (counts - n / (1 + ratio)) / (0.5 - 1 / (1 + ratio))


def survey_exact(values, *, categories, epsilon, rng=None):
    return pd.Series(values).value_counts().reindex(categories, fill_value=0)


def survey_central(values, *, categories, epsilon, rng=None):
    counts = np.array([values.count(category) for category in categories])
    return counts + np.random.laplace(scale=1 / epsilon, size=len(counts))


def survey_raw(values, *, categories, epsilon, rng=None):
    codes = [categories.index(value) for value in values]
    reports = direct_in_a_loop(codes, domain_size=len(categories), epsilon=epsilon)
    return np.bincount(reports, minlength=len(categories))


def survey_of_most(values, *, categories, epsilon, rng=None):
    """One in fifty reports the truth."""
    true = len(values) // 50
    counts = survey(best_is_direct)(values[true:], categories=categories, epsilon=epsilon)
    return counts + [values[:true].count(category) for category in categories]


def survey_in_order(values, *, categories, epsilon, rng=None):
    counts = survey(best_is_direct)(values, categories=sorted(categories), epsilon=epsilon)
    return counts.to_numpy()


def survey_of_those_who_occur(values, *, categories, epsilon, rng=None):
    """All others get 0."""
    some = [each for each in categories if each in values]
    counts = survey(best_is_direct)(values, categories=some, epsilon=epsilon)
    return counts.reindex(categories, fill_value=0.0)


def survey_of_both(values, *, categories, epsilon, rng=None, equally=False):
    """Two reports a person, and the better estimate has more weight."""
    direct, unary = variances(len(categories), epsilon)
    part = 0.5 if equally else unary / (direct + unary)
    return part * survey(lambda *_: True)(values, categories=categories, epsilon=epsilon) + (
        1 - part
    ) * survey(lambda *_: False)(values, categories=categories, epsilon=epsilon)


def survey_with_bits(values, *, categories, epsilon, rng=None):
    """A bit for each of three or more, with p and q of direct encoding: some say yes twice."""
    size, n = len(categories), len(values)
    if size == 2:
        return survey(best_is_direct)(values, categories=categories, epsilon=epsilon)
    p, q = np.array([math.exp(epsilon), 1]) / (math.exp(epsilon) + size - 1)
    own = np.array([[value == category for category in categories] for value in values])
    bits = np.random.random((n, size)) < np.where(own, p, q)
    return (bits.sum(axis=0) - n * q) / (p - q)


RIGHT["private_survey"] = [
    survey(best_is_direct),
    survey_with_dplib,
    survey(best_is_direct, finish=lambda counts, n: list(counts)),
    survey(best_is_direct, finish=lambda counts, n: counts.to_dict()),
    survey(best_is_direct, finish=lambda counts, n: counts.sort_values()),
    survey(lambda size, epsilon: size < 3 * math.exp(epsilon) + 2),
]

WRONG["private_survey"] = [
    (survey_of_most, "more than 100 people"),
    (survey_in_order, "not in the order of `categories`"),
    (survey_of_those_who_occur, "an estimate of exactly 0 cannot come from"),
    (survey_of_both, "the estimates of two protocols are averaged"),
    (functools.partial(survey_of_both, equally=True), "of two protocols are averaged"),
    (survey_with_bits, "a report of direct encoding supports one category"),
    (
        survey(best_is_direct, finish=lambda counts, n: counts + (n - counts.sum()) / len(counts)),
        "the estimates are made to sum to n",
    ),
    (survey(lambda size, epsilon: True), "has less variance here than direct encoding"),
    (survey(lambda size, epsilon: False), "has less variance here than optimal unary"),
    (survey(lambda size, epsilon: size < 10.5), "has less variance here"),
    (survey(lambda size, epsilon: size > 3 * math.exp(epsilon) + 2), "has less variance here"),
    (survey(lambda size, epsilon: epsilon > 1.5), "has less variance here than optimal unary"),
    (survey_symmetric, "has less variance here than symmetric"),
    (survey(best_is_direct, spend=2.0), "twice epsilon"),
    (survey(best_is_direct, spend=0.5), "half of epsilon"),
    (survey_without_chance, "nobody's report is changed"),
    (survey_of_two, "the probabilities are those of twice epsilon"),
    (survey_exact, "people are counted, or their reports"),
    (survey_central, "these estimates cannot come from"),
    (survey_raw, "people are counted, or their reports"),
    (
        survey(best_is_direct, finish=lambda counts, n: np.maximum(counts, 0)),
        ("negative estimates become 0", "people are counted"),
    ),
    (survey(best_is_direct, finish=lambda counts, n: counts / n), "shares are returned"),
    (survey(best_is_direct, finish=lambda counts, n: counts.round()), "are rounded"),
    (
        survey(best_is_direct, finish=lambda counts, n: counts[counts > 0]),
        "the categories of the answer are not the public ones",
    ),
    (lambda values, *, categories, epsilon, rng=None: "daily", "must be an array of numbers"),
]


# --- daily_respondent -------------------------------------------------------------------------


def days_by_adding_up(epsilon):
    truth, days = truth_probability(epsilon), 1
    while True:
        right = 0.0
        for true in range(days // 2 + 1, days + 1):
            ways = math.lgamma(days + 1) - math.lgamma(true + 1) - math.lgamma(days - true + 1)
            right += math.exp(ways + true * math.log(truth) + (days - true) * math.log(1 - truth))
        if right >= 0.99:
            return days
        days += 2


def days_by_tail(epsilon, *, target=0.99, truth=truth_probability, ties=0.5, step=1):
    days = 1
    while True:
        right = stats.binom.sf(days // 2, days, truth(epsilon))
        if days % 2 == 0:
            right += ties * stats.binom.pmf(days // 2, days, truth(epsilon))
        if right >= target:
            return days
        days += step


RIGHT["daily_respondent"] = [
    days_by_adding_up,
    days_by_tail,
    lambda epsilon: float(days_by_tail(epsilon, step=2)),
    lambda epsilon: np.int64(days_by_tail(epsilon, ties=0.0)),
]

WRONG["daily_respondent"] = [
    (lambda epsilon: min(days_by_tail(epsilon), 541), "not sure enough yet"),
    (functools.partial(days_by_tail, ties=1.0), "a tie is counted as a right guess"),
    (functools.partial(days_by_tail, target=0.95), "not sure enough yet"),
    (functools.partial(days_by_tail, target=0.999), "fewer days are enough"),
    (lambda epsilon: days_by_tail(epsilon) + 2, "fewer days are enough"),
    (lambda epsilon: max(3, days_by_tail(epsilon)), "right 99.9"),
    (lambda epsilon: days_by_tail(epsilon) - 2, "not sure enough yet"),
    (lambda epsilon: 1, "not sure enough yet"),
    (lambda epsilon: 10**6, "fewer days are enough"),
    (lambda epsilon: 10**9, "fewer days are enough"),
    (lambda epsilon: math.ceil((stats.norm.ppf(0.99) / math.tanh(epsilon / 2)) ** 2), "enough"),
    (lambda epsilon: 1.5 * days_by_tail(epsilon), "a whole number, 1 or more"),
    (lambda epsilon: 0, "a whole number, 1 or more"),
    (lambda epsilon: math.nan, "not a finite number"),
    (lambda epsilon: "a year", "one number is wanted"),
]


# --- shuffled_delta ---------------------------------------------------------------------------


def shuffled_in_loops(others_yes, others_no, *, local_epsilon, epsilon):
    """Chance of each number of yes, one person after the other."""
    truth, ratio = truth_probability(local_epsilon), math.exp(epsilon)

    def law(people, chances=(1.0,)):
        for chance in people:
            more = [0.0] * (len(chances) + 1)
            for said, probability in enumerate(chances):
                more[said] += probability * (1 - chance)
                more[said + 1] += probability * chance
            chances = more
        return chances

    others = law([truth] * others_yes + [1 - truth] * others_no)
    pairs = list(zip(law([truth], others), law([1 - truth], others), strict=True))
    return max(
        sum(max(one - ratio * other, 0) for one, other in pairs),
        sum(max(other - ratio * one, 0) for one, other in pairs),
    )


def shuffled(others_yes, others_no, *, local_epsilon, epsilon, join=np.maximum, own=True):
    truth = truth_probability(local_epsilon)
    others = np.convolve(
        stats.binom.pmf(range(others_yes + 1), others_yes, truth),
        stats.binom.pmf(range(others_no + 1), others_no, 1 - truth),
    )
    coin = [1 - truth, truth] if own else [0, 1]
    one, other = np.convolve(others, coin), np.convolve(others, coin[::-1])
    ways = (one - math.exp(epsilon) * other, other - math.exp(epsilon) * one)
    return float(join(*(way[way > 0].sum() for way in ways)))


def shuffled_sampled(others_yes, others_no, *, local_epsilon, epsilon):
    truth = truth_probability(local_epsilon)
    shape = (2, 10_000)
    others = GENERATOR.binomial(others_yes, truth, shape)
    others += GENERATOR.binomial(others_no, 1 - truth, shape)
    own = GENERATOR.random(shape) < [[truth], [1 - truth]]
    laws = [np.bincount(each, minlength=others.max() + 2) / 10_000 for each in others + own]
    return float(np.maximum(laws[0] - math.exp(epsilon) * laws[1], 0).sum())


RIGHT["shuffled_delta"] = [
    shuffled_in_loops,
    shuffled,
    lambda others_yes, others_no, **law: np.float64(shuffled(others_yes, others_no, **law)),
]


def shuffled_or_normal(others_yes, others_no, *, local_epsilon, epsilon):
    """Of more than 100 others the number of yes is taken to be normal."""
    people, truth = others_yes + others_no, truth_probability(local_epsilon)
    if people <= 100:
        return shuffled(others_yes, others_no, local_epsilon=local_epsilon, epsilon=epsilon)
    center = others_yes * truth + others_no * (1 - truth)
    others = stats.norm.pdf(range(people + 1), center, math.sqrt(people * truth * (1 - truth)))
    one, other = (np.convolve(others, each) for each in ([1 - truth, truth], [truth, 1 - truth]))
    factor = math.exp(epsilon)
    return max(np.maximum(a - factor * b, 0).sum() for a, b in ((one, other), (other, one)))


WRONG["shuffled_delta"] = [
    (shuffled_or_normal, "from which number of others on is yours another?"),
    (functools.partial(shuffled, join=np.add), "both directions are added"),
    (functools.partial(shuffled, join=np.minimum), "the smaller direction"),
    (functools.partial(shuffled, own=False), "the person tells the truth, without a coin"),
    (shuffled_sampled, "the same input gives two answers"),
    (
        lambda others_yes, others_no, *, local_epsilon, epsilon: local_epsilon,
        "the value is wrong at 9 of 9",
    ),
    (
        lambda others_yes, others_no, **law: dplib.shuffled_delta(others_yes, others_no, **law),
        "library's own",
    ),
]
