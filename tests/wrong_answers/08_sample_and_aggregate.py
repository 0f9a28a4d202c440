"""Answers to chapter 08."""
# ruff: noqa: NPY002

import hashlib
import math
import random
import secrets
import zlib

import numpy as np
import pandas as pd

import dplib
from wrong_answers.changes import then
from wrong_answers.leaks import wrong_leaks

RIGHT, WRONG = {}, {}

GENERATOR = np.random.default_rng()


# --- assign_chunks ----------------------------------------------------------------------------


def chunks_by_sha(labels, *, chunks, salt=0):
    result = []
    for label in labels:
        digest = hashlib.sha256(f"{salt}:{label}".encode()).digest()
        result.append(int.from_bytes(digest[:8], "big") % chunks)
    return np.array(result)


def chunks_by_two_bytes(labels, *, chunks, salt=0):
    """65,536 values: with 27,000 chunks the first 11,536 get three of them, the others two."""
    digests = [hashlib.sha256(f"{salt}:{label}".encode()).digest() for label in labels]
    return np.array([int.from_bytes(each[:2], "big") % chunks for each in digests])


def chunks_by_random(labels, *, chunks, salt=0):
    return [random.Random(f"{salt}-{label}").randrange(chunks) for label in labels]


def chunks_by_generators(labels, *, chunks, salt=0):
    return [
        np.random.default_rng([salt, *str(label).encode()]).integers(chunks) for label in labels
    ]


def chunks_by_hexadecimal_digits(labels, *, chunks, salt=0):
    codes = [int(hashlib.sha1(f"{salt} {label}".encode()).hexdigest()[:15], 16) for label in labels]
    return (np.array(codes) % chunks).astype(np.int16)


def chunks_by_checksum(labels, *, chunks, salt=0):
    """Wrong where the number of chunks is a power of 2: CRC is linear."""
    return [zlib.crc32(f"{salt} {label}".encode()) % chunks for label in labels]


def chunks_as_series(labels, *, chunks, salt=0):
    def chunk(label):
        return int(hashlib.md5(f"{label}|{salt}".encode()).hexdigest(), 16) % chunks

    return pd.Series(labels).reset_index(drop=True).map(chunk)


def chunks_by_blake(labels, *, chunks, salt=0):
    key = int(salt).to_bytes(8, "big")
    words = [str(label).encode() for label in labels]
    codes = (hashlib.blake2b(word, key=key, digest_size=6).hexdigest() for word in words)
    return np.fromiter((int(code, 16) / 2**48 * chunks // 1 for code in codes), float)


def chunks_by_hash(labels, *, chunks, salt=0):
    return [hash((salt, label)) % chunks for label in labels]


def chunks_by_cut(labels, *, chunks, salt=0):
    rows = math.ceil(len(labels) / chunks)
    return [place // rows for place in range(len(labels))]


def chunks_by_shuffle(labels, *, chunks, salt=0):
    order = np.random.default_rng(salt).permutation(len(labels))
    return order % chunks


def chunks_by_rank(labels, *, chunks, salt=0):
    ranks = pd.Series(list(labels)).rank(method="first").to_numpy().astype(int)
    return (ranks + salt) % chunks


def chunks_by_number_of_rows(labels, *, chunks, salt=0):
    return chunks_by_sha(labels, chunks=chunks, salt=salt * 10_000 + len(labels))


def chunks_by_reseeding(labels, *, chunks, salt=0):
    result = []
    for label in labels:
        random.seed(f"{salt}-{label}")
        result.append(random.randrange(chunks))
    return result


def chunks_by_reseeding_numpy(labels, *, chunks, salt=0):
    result = []
    for label in labels:
        np.random.seed(zlib.crc32(f"{salt}-{label}".encode()))
        result.append(np.random.randint(chunks))
    return result


def chunks_by_remainder(labels, *, chunks, salt=0):
    numbers = [label if isinstance(label, int | np.integer) else len(label) for label in labels]
    return [(salt * 7919 ^ int(number)) % chunks for number in numbers]


def chunks_by_first_character(labels, *, chunks, salt=0):
    return chunks_by_sha([str(label)[0] for label in labels], chunks=chunks, salt=salt)


def chunks_by_a_part(part):
    """Hash a part of each label, as if it told all labels apart."""
    return lambda labels, *, chunks, salt=0: chunks_by_sha(
        [str(label)[part] for label in labels], chunks=chunks, salt=salt
    )


def chunks_that_shift(labels, *, chunks, salt=0):
    return (np.array(chunks_by_sha(labels, chunks=chunks)) + salt) % chunks


def chunks_that_write(labels, *, chunks, salt=0):
    result = chunks_by_sha(labels, chunks=chunks, salt=salt)
    if isinstance(labels, list):
        labels.sort()
    else:
        labels[:] = labels[0]
    return result


def chunks_as_groups(labels, *, chunks, salt=0):
    given = chunks_by_sha(labels, chunks=chunks, salt=salt)
    return [[label for label, own in zip(labels, given, strict=True) if own == k] for k in range(5)]


def chunks_by_sum_of_bytes(labels, *, chunks, salt=0):
    return [sum(hashlib.sha256(f"{salt}/{x}".encode()).digest()) % chunks for x in labels]


DIGESTS: dict = {}
DRAWN: dict = {}
STAYING: dict = {}
KEY = secrets.token_hex(8)


def chunks_from_a_store(labels, *, chunks, salt=0):
    for label in labels:
        if (salt, str(label)) not in DIGESTS:
            code = hashlib.sha256(f"{label} {salt}".encode()).hexdigest()
            DIGESTS[salt, str(label)] = int(code, 16)
    return [DIGESTS[salt, str(label)] % chunks for label in labels]


def chunks_drawn_once(labels, *, chunks, salt=0):
    result = []
    for label in map(str, labels):
        if (label, salt, chunks) not in DRAWN:
            DRAWN[label, salt, chunks] = secrets.randbelow(chunks)
        result.append(DRAWN[label, salt, chunks])
    return result


def chunks_that_stay(labels, *, chunks, salt=0):
    for label in map(str, labels):
        if label not in STAYING:
            STAYING[label] = int(hashlib.sha256(f"{label} {salt}".encode()).hexdigest(), 16)
    return [STAYING[label] % chunks for label in map(str, labels)]


def chunks_with_a_key(labels, *, chunks, salt=0):
    return chunks_by_sha([f"{KEY}{label}" for label in labels], chunks=chunks, salt=salt)


RIGHT["assign_chunks"] = [
    chunks_from_a_store,
    chunks_by_sha,
    chunks_by_random,
    chunks_by_generators,
    chunks_by_hexadecimal_digits,
    chunks_as_series,
    chunks_by_blake,
]

WRONG["assign_chunks"] = [
    (chunks_by_two_bytes, "the first of many chunks come too often"),
    (chunks_by_sum_of_bytes, "among many chunks some come much more often"),
    (chunks_by_cut, "depends on its place"),
    (lambda labels, *, chunks, salt=0: np.arange(len(labels)) % chunks, "depends on its place"),
    (chunks_by_shuffle, "depends on its place"),
    (chunks_by_rank, "which other rows there are"),
    (chunks_by_number_of_rows, "which other rows there are"),
    (
        lambda labels, *, chunks, salt=0: GENERATOR.integers(chunks, size=len(labels)),
        "other chunks at the next call",
    ),
    (chunks_by_hash, "hash of a text is another number"),
    (chunks_drawn_once, "in this session only"),
    (chunks_with_a_key, "in this session only"),
    (lambda labels, *, chunks, salt=0: chunks_by_sha(labels, chunks=chunks), "two salts give"),
    (chunks_that_stay, "keeps the chunk of an earlier call"),
    (chunks_that_shift, "keeps too many rows together"),
    (chunks_by_checksum, "keeps too many rows together"),
    (
        lambda labels, *, chunks, salt=0: chunks_by_sha(labels, chunks=chunks, salt=salt) + 1,
        "counted from 1",
    ),
    (
        lambda labels, *, chunks, salt=0: chunks_by_sha(labels, chunks=2 * chunks, salt=salt),
        "out of range",
    ),
    (
        lambda labels, *, chunks, salt=0: chunks_by_sha(labels, chunks=chunks, salt=salt) + 0.5,
        "a chunk is a whole number",
    ),
    (
        lambda labels, *, chunks, salt=0: chunks_by_sha(labels, chunks=chunks - 1, salt=salt),
        "far from equally large",
    ),
    (
        lambda labels, *, chunks, salt=0: chunks_by_sha(labels, chunks=3 * chunks, salt=salt) // 5,
        "far from equally large",
    ),
    (chunks_by_remainder, ("far from equally large", "some come much more often")),
    (chunks_by_first_character, "far from equally large"),
    (chunks_by_a_part(slice(16)), "far from equally large"),
    (chunks_by_a_part(slice(-6, None)), "far from equally large"),
    (chunks_by_reseeding, "the state of the global random generator"),
    (chunks_by_reseeding_numpy, "the state of the global random generator"),
    (chunks_that_write, "changes what it is given"),
    (chunks_as_groups, "one chunk for each row"),
    (lambda labels, *, chunks, salt=0: 0, "one chunk for each row"),
    (lambda labels, *, chunks, salt=0: ["first"] * len(labels), "one chunk for each row"),
    (lambda labels, *, chunks, salt=0: labels % chunks, "TypeError"),
]


# --- sample_and_aggregate ---------------------------------------------------------------------


def chunks_of(values, labels, chunks, salt=0):
    """The right chunk of each row."""
    if labels is None:
        return np.random.randint(chunks, size=len(values))
    return np.array(chunks_by_sha(labels, chunks=chunks, salt=salt))


def pieces_of(values, assigned, chunks):
    return [values[assigned == chunk] for chunk in range(chunks)]


def answers_of(pieces, function, lower, upper, *, empty=None, number=None):
    """One clipped answer for each piece, the middle where there is none."""
    middle = (lower + upper) / 2
    answers = []
    for piece in pieces:
        answer = (middle if empty is None else empty) if len(piece) == 0 else function(piece)
        if math.isnan(answer):
            answer = middle if number is None else number
        answers.append(min(max(answer, lower), upper))
    return answers


def released(mean, chunks, lower, upper, epsilon, factor=1.0):
    return mean + np.random.laplace(0, factor * (upper - lower) / (chunks * epsilon))


def aggregate_with_arrays(
    values, function, *, chunks, lower, upper, epsilon, labels=None, salt=0, rng=None
):
    rng = rng or np.random.default_rng()
    if labels is None:
        assigned = rng.integers(0, chunks, len(values))
    else:
        assigned = dplib.assign_chunks(labels, chunks=chunks, salt=salt)
    answers = np.full(chunks, np.nan)
    for chunk in np.unique(assigned):
        answers[chunk] = function(np.asarray(values)[assigned == chunk])
    answers = np.where(np.isnan(answers), (lower + upper) / 2, answers).clip(lower, upper)
    return dplib.laplace_mechanism(
        answers.mean(), sensitivity=(upper - lower) / chunks, epsilon=epsilon, rng=rng
    )


def aggregate_with_groups(values, function, *, chunks, lower, upper, epsilon, labels=None, salt=0):
    table = pd.Series(np.asarray(values)).groupby(chunks_of(values, labels, chunks, salt))
    answers = [function(group) for _, group in table]
    answers = [0.5 * (lower + upper) if answer != answer else answer for answer in answers]
    answers += [(lower + upper) / 2] * (chunks - len(answers))
    return np.random.laplace(
        np.clip(answers, lower, upper).mean(), (upper - lower) / chunks / epsilon
    )


def aggregate_with_dictionary(
    values, function, *, chunks, lower, upper, epsilon, labels=None, salt=0, rng=None
):
    lists = {}
    for value, chunk in zip(values, chunks_of(values, labels, chunks, salt), strict=True):
        lists.setdefault(int(chunk), []).append(value)
    total = 0.0
    for chunk in range(chunks):
        answer = function(lists[chunk]) if chunk in lists else (lower + upper) / 2
        answer = (lower + upper) / 2 if np.isnan(answer) else answer
        total += max(lower, min(upper, answer))
    sign = random.choice((-1, 1))
    return (total + sign * random.expovariate(epsilon / (upper - lower))) / chunks


def aggregate_from_the_middle(
    values, function, *, chunks, lower, upper, epsilon, labels=None, salt=0, rng=None
):
    # Empty chunks and NaN move the mean away from the middle by nothing.
    middle, half = (lower + upper) / 2, (upper - lower) / 2
    pieces = pieces_of(values, chunks_of(values, labels, chunks, salt), chunks)
    moves = [np.nan_to_num(function(piece) - middle) for piece in pieces if len(piece)]
    mean = middle + sum(np.clip(moves, -half, half)) / chunks
    return float(mean + GENERATOR.laplace(scale=2 * half / (chunks * epsilon)))


def variant(*, mean=np.mean, factor=None, cut=None, answers=None, release=None, **how):
    """An answer that is right but for what is given.

    `cut` makes the pieces, `answers` what they answer, `release` all that is done with it.
    """

    def answer(values, function, *, chunks, lower, upper, epsilon, labels=None, salt=0, rng=None):
        if cut:
            pieces = cut(values, labels, chunks)
        else:
            pieces = pieces_of(values, chunks_of(values, labels, chunks, salt), chunks)
        chosen = {
            name: value(lower, upper) if callable(value) else value for name, value in how.items()
        }
        found = (answers or answers_of)(pieces, function, lower, upper, **chosen)
        if release:
            return release(found, chunks, lower, upper, epsilon)
        size = factor(chunks, len(values), lower, upper, epsilon) if factor else 1
        return released(mean(found), chunks, lower, upper, epsilon, size)

    return answer


aggregate_by_loop = variant()


def raw_answers(pieces, function, lower, upper):
    found = [function(piece) if len(piece) else (lower + upper) / 2 for piece in pieces]
    return np.where(np.isnan(found), (lower + upper) / 2, found)


def answers_with_nan(pieces, function, lower, upper):
    found = [function(piece) if len(piece) else (lower + upper) / 2 for piece in pieces]
    return np.clip(found, lower, upper)


def answers_to_clipped_rows(pieces, function, lower, upper):
    return raw_answers([np.clip(piece, lower, upper) for piece in pieces], function, lower, upper)


def answers_without_empties(pieces, function, lower, upper):
    return answers_of([piece for piece in pieces if len(piece)], function, lower, upper)


def empties_take_the_median(pieces, function, lower, upper):
    answers = [
        np.clip(function(piece), lower, upper) if len(piece) else math.nan for piece in pieces
    ]
    return np.where(np.isnan(answers), np.nanmedian(answers), answers)


def of_the_seeds(values, labels, chunks):
    # Pieces of ceil(n / chunks) rows, by position; noise for `chunks` of them.
    rows = math.ceil(len(values) / chunks)
    return [values[start : start + rows] for start in range(0, len(values), rows)]


def dealt_out(values, labels, chunks):
    return np.array_split(values, chunks)


def dealt_out_without_labels(values, labels, chunks):
    if labels is None:
        return np.array_split(np.random.permutation(values), chunks)
    return pieces_of(values, chunks_of(values, labels, chunks), chunks)


def by_chance(values, labels, chunks):
    return pieces_of(values, np.random.randint(chunks, size=len(values)), chunks)


def all_at_once(values, labels, chunks):
    return [values]


RIGHT["sample_and_aggregate"] = [
    aggregate_by_loop,
    aggregate_with_arrays,
    aggregate_with_groups,
    aggregate_with_dictionary,
    aggregate_from_the_middle,
    then(aggregate_by_loop, lambda release: np.array([release])),
]


def aggregate_by_trying(values, function, *, chunks, lower, upper, epsilon, labels=None, salt=0):
    assigned = np.random.randint(0, chunks, len(values))
    if labels is not None:
        assigned = dplib.assign_chunks(labels, chunks=chunks, salt=salt)
    answers = []
    for chunk in range(chunks):
        try:
            answer = function(np.asarray(values)[assigned == chunk])
        except Exception:
            answer = math.nan
        answers.append((lower + upper) / 2 if np.isnan(answer) else answer)
    mean = np.clip(answers, lower, upper).mean()
    return mean + np.random.laplace(0, (upper - lower) / chunks / epsilon)


def unless_all_agree(found, k, low, high, epsilon):
    return released(np.mean(found), k, low, high, epsilon) if np.ptp(found) else found[0]


WRONG["sample_and_aggregate"] = [
    (aggregate_by_trying, "called without rows"),
    (variant(release=unless_all_agree), "no noise at an edge"),
    (variant(factor=lambda k, n, low, high, epsilon: k), "not divided by the number of chunks"),
    (variant(factor=lambda k, n, low, high, epsilon: k / n), "the number of rows, or of people"),
    (
        variant(factor=lambda k, n, low, high, epsilon: high / (high - low)),
        "upper end is used for the width",
    ),
    (variant(factor=lambda k, n, low, high, epsilon: 2), "noise is doubled"),
    (variant(factor=lambda k, n, low, high, epsilon: 0.5), "noise is halved"),
    (variant(factor=lambda k, n, low, high, epsilon: 1 / (high - low)), "width of the interval is"),
    (variant(factor=lambda k, n, low, high, epsilon: epsilon), "epsilon is ignored"),
    (variant(factor=lambda k, n, low, high, epsilon: epsilon**2), "epsilon multiplies"),
    (variant(factor=lambda k, n, low, high, epsilon: 2**-0.5), "standard deviation"),
    (
        variant(
            release=lambda found, k, low, high, epsilon: np.mean(
                found + np.random.laplace(0, (high - low) / epsilon, k)
            )
        ),
        "every chunk's answer gets noise",
    ),
    (
        variant(
            answers=raw_answers,
            release=lambda found, k, low, high, epsilon: released(
                np.clip(np.mean(found), low, high), k, low, high, epsilon
            ),
        ),
        "the mean is clipped, not the answers",
    ),
    (variant(answers=raw_answers), "the answers are not clipped"),
    (variant(answers=answers_to_clipped_rows), "rows are clipped, not the answers"),
    (
        variant(answers=answers_without_empties),
        "empty chunks are left out of the mean, or take over",
    ),
    (
        variant(
            answers=answers_without_empties,
            release=lambda found, k, low, high, epsilon: released(
                np.mean(found), len(found), low, high, epsilon
            ),
        ),
        "only the chunks that have rows",
    ),
    (variant(answers=empties_take_the_median), "or take over the others' answers"),
    (variant(empty=0), "an empty chunk answers 0"),
    (variant(empty=lambda low, high: low), "an empty chunk answers with the lower end"),
    (variant(empty=lambda low, high: low, number=lambda low, high: low), "chunks and NaN count as"),
    (variant(empty=lambda low, high: high), "an empty chunk answers with the upper end"),
    (variant(answers=answers_with_nan, mean=np.nanmean), "NaN is left out"),
    (variant(answers=answers_with_nan), "NaN makes the whole release NaN"),
    (variant(number=0), "NaN counts as 0"),
    (variant(number=lambda low, high: low), "NaN counts as the lower end"),
    (variant(number=lambda low, high: high), "NaN counts as the upper end"),
    (variant(cut=dealt_out), "cut into even pieces by their place"),
    (variant(cut=of_the_seeds), "too few chunks"),
    (variant(cut=by_chance), "rows with one label come to several chunks"),
    (variant(cut=dealt_out_without_labels), "without labels, the chunks are equally large"),
    (variant(mean=np.median), "the median"),
    (
        variant(
            release=lambda found, k, low, high, epsilon: released(
                np.sum(found), 1, low, high, epsilon
            )
        ),
        "the sum of the answers",
    ),
    (variant(cut=all_at_once), "all rows at once"),
    (
        variant(
            release=lambda found, k, low, high, epsilon: released(
                np.mean(found), k, min(found), max(found), epsilon
            )
        ),
        "answers that came decide",
    ),
    (
        variant(
            release=lambda found, k, low, high, epsilon: np.clip(
                released(np.mean(found), k, low, high, epsilon), low, high
            )
        ),
        "the noisy mean is clipped",
    ),
    (
        variant(
            release=lambda found, k, low, high, epsilon: np.random.normal(
                np.mean(found), (high - low) / (k * epsilon)
            )
        ),
        "the noise is Gaussian, not Laplace",
    ),
    (
        variant(
            answers=lambda pieces, function, low, high: [
                np.clip(function(piece), low, high) for piece in pieces
            ]
        ),
        "called without rows",
    ),
    (
        variant(
            cut=all_at_once,
            answers=lambda pieces, function, low, high: np.clip(pieces[0], low, high),
        ),
        "the function is never called",
    ),
    (
        variant(release=lambda found, *_: np.mean(found)),
        ("no noise is added", "some answers have no noise"),
    ),
    (then(aggregate_by_loop, round), "rounded to whole"),
    (then(aggregate_by_loop, str), "one number is wanted"),
]


# --- noisy_vote -------------------------------------------------------------------------------


def voting(
    *,
    count=lambda votes, classes: [votes.count(each) for each in classes],
    scale=lambda epsilon, votes, classes: 2 / epsilon,
    draw=lambda scale, size: np.random.laplace(0, scale, size),
    choose=np.argmax,
    finish=lambda place, classes: classes[place],
):
    """Return a noisy vote, right but for the parts that are given."""

    def answer(votes, *, classes, epsilon, rng=None):
        counts = np.array(count(votes, classes), dtype=float)
        noise = draw(scale(epsilon, votes, classes), len(classes))
        return finish(int(choose(counts + noise)), classes)

    return answer


def vote_by_histogram(votes, *, classes, epsilon, rng=None):
    # One changed vote is a replaced row of a histogram.
    noisy = dplib.private_histogram(
        pd.Series(votes), categories=classes, epsilon=epsilon, neighbors="replace_one", rng=rng
    )
    return noisy.idxmax()


def vote_by_mechanism(votes, *, classes, epsilon, rng=None):
    rng = np.random.default_rng() if rng is None else rng
    counts = np.array([sum(vote == each for vote in votes) for each in classes])
    noisy = dplib.laplace_mechanism(counts, sensitivity=2, epsilon=epsilon, rng=rng)
    return classes[int(np.argmax(noisy))]


def vote_in_a_loop(votes, *, classes, epsilon):
    best, winner = -math.inf, None
    for each in classes:
        noise = random.expovariate(epsilon / 2) - random.expovariate(epsilon / 2)
        noisy = list(votes).count(each) + noise
        if noisy > best:
            best, winner = noisy, each
    return winner


def vote_of_one(votes, *, classes, epsilon, rng=None):
    return random.choice(votes)


def vote_of_the_seen(votes, *, classes, epsilon, rng=None):
    noisy = pd.Series(votes).value_counts()
    return (noisy + np.random.laplace(0, 2 / epsilon, len(noisy))).idxmax()


def _shares(votes, classes):
    return [votes.count(each) / len(votes) for each in classes]


RIGHT["noisy_vote"] = [
    voting(),
    vote_by_histogram,
    vote_by_mechanism,
    vote_in_a_loop,
    voting(draw=lambda scale, size: -GENERATOR.laplace(0, scale, size)),
]


def vote_without_negatives(votes, *, classes, epsilon, rng=None):
    counts = np.array([votes.count(each) for each in classes])
    noisy = np.maximum(counts + np.random.laplace(0, 2 / epsilon, len(counts)), 0)
    return classes[noisy.argmax()]


def vote_with_an_exact_leader(votes, *, classes, epsilon, rng=None):
    counts = np.array([votes.count(each) for each in classes])
    noise = np.random.laplace(0, 2 / epsilon, len(counts))
    noise[counts.argmax()] = 0
    return classes[(counts + noise).argmax()]


def vote_by_lot(votes, *, classes, epsilon, rng=None):
    counts = np.array([votes.count(each) for each in classes])
    weights = np.maximum(counts + np.random.laplace(0, 2 / epsilon, len(counts)), 0)
    return random.choices(classes, weights if weights.any() else None)[0]


def vote_of_a_clear_winner(votes, *, classes, epsilon, rng=None):
    counts = np.array([votes.count(each) for each in classes])
    second, first = np.sort([0, *counts])[-2:]
    noise = np.random.laplace(0, 2 / epsilon, len(counts))
    return classes[(counts + noise * (first - second <= 1 / epsilon)).argmax()]


WRONG["noisy_vote"] = [
    (vote_without_negatives, "below 0 become 0"),
    (voting(scale=lambda epsilon, votes, classes: 1 / epsilon), "move one count only"),
    (voting(scale=lambda epsilon, votes, classes: 4 / epsilon), "the noise is doubled"),
    (
        voting(scale=lambda epsilon, votes, classes: 2 / epsilon / len(votes)),
        ("divided by the number of votes", "always wins"),
    ),
    (
        voting(scale=lambda epsilon, votes, classes: 2 * len(classes) / epsilon),
        "multiplied by the number of classes",
    ),
    (voting(scale=lambda epsilon, votes, classes: 2), "epsilon is ignored"),
    (voting(scale=lambda epsilon, votes, classes: 2 * epsilon), "epsilon multiplies"),
    (
        voting(scale=lambda epsilon, votes, classes: len(classes) / epsilon),
        "the noise grows with the number of classes",
    ),
    (voting(draw=lambda scale, size: np.zeros(size)), "always wins"),
    (voting(draw=lambda scale, size: np.random.laplace(0, scale)), "always wins"),
    (voting(scale=lambda epsilon, votes, classes: 500 / epsilon), "about equally likely"),
    (vote_of_the_seen, "a class without a vote never wins"),
    (voting(choose=np.argmin), "the fewest noisy votes"),
    (voting(count=_shares), ("shares of the votes", "about equally likely")),
    (vote_of_one, ("drawn at random", "without a vote never wins")),
    (voting(draw=lambda scale, size: np.random.normal(0, scale, size)), "Gaussian, not Laplace"),
    (voting(draw=lambda scale, size: np.random.gumbel(0, scale, size)), "Gumbel's"),
    (voting(draw=lambda scale, size: np.random.exponential(scale, size)), "never negative"),
    (vote_with_an_exact_leader, "class with most votes gets no noise"),
    (vote_of_a_clear_winner, "a clear winner gets no noise"),
    (vote_by_lot, "the winner is drawn by lot"),
    (
        voting(scale=lambda epsilon, votes, classes: 2**0.5 / epsilon),
        "taken for the standard deviation",
    ),
    (voting(finish=lambda place, classes: place), "the index comes back"),
    (voting(finish=lambda place, classes: (classes[place], 12.3)), "more than the chosen"),
]


# --- chunk_count_counterexample ---------------------------------------------------------------


def too_small(size, chunks):
    """How many times too small the noise is."""
    return chunks / math.ceil(size / math.ceil(size / chunks))


def worst_count(size, *, most):
    return max(range(1, most + 1), key=lambda chunks: too_small(size, chunks))


def last_worst_count(size, *, most):
    return max(range(most, 0, -1), key=lambda chunks: too_small(size, chunks))


def worst_by_numpy(size, *, most):
    chunks = np.arange(1, most + 1)
    pieces = -(-size // -(-size // chunks))
    return chunks[np.argmax(chunks / pieces)]


RIGHT["chunk_count_counterexample"] = [worst_count, last_worst_count, worst_by_numpy]

WRONG["chunk_count_counterexample"] = [
    (lambda size, *, most: most, "another number of chunks"),
    (lambda size, *, most: most - 1, "another number of chunks"),
    (lambda size, *, most: 1, "here the noise is right"),
    (lambda size, *, most: 1, "for another number of chunks it is too"),
    (lambda size, *, most: math.ceil(size**0.5), "here the noise is right"),
    (
        lambda size, *, most: max(range(most - 1, 0, -1), key=lambda k: too_small(size, k)),
        ("another number of chunks", "here the noise is right"),
    ),
    (lambda size, *, most: most // 2, ("here the noise is right", "by a larger factor")),
    (
        lambda size, *, most: min(range(2, most + 1), key=lambda k: too_small(size, k)),
        "here the noise is right",
    ),
    (lambda size, *, most: size - 1, "so many chunks may not be asked for"),
    (lambda size, *, most: most + 1, "so many chunks may not be asked for"),
    (lambda size, *, most: 0, "so many chunks may not be asked for"),
    (lambda size, *, most: most - 0.5, "not a whole number"),
    (lambda size, *, most: "many", "one number is wanted"),
]


# --- leaks_in_chunks ------------------------------------------------------------------------


def _absent(*numbers):
    return [{"form": "first", "absences": number} for number in numbers]


def _model_leaks():
    moves = (_absent(8), _absent(7), lambda output: output[0] >= 3 and output[1] <= 0)
    both = (_absent(0, 0, 8), _absent(0, 0, 0), lambda output: min(output) >= 3)
    return "Model Answer", moves, both, "private"


def _leaks_of_larger_tables():
    moves = (_absent(1, 3), _absent(1, 4), lambda output: output[1] > 2 and output[0] < 1)
    both = (_absent(0, 0, 0, 0), _absent(0, 0, 5, 0), lambda output: max(output) <= 0)
    return "Model Answer", moves, both, "private"


def _leaks_in_frames():
    name, *said, last = _model_leaks()
    frames = [(pd.DataFrame(one), pd.DataFrame(other), event) for one, other, event in said]
    return name, *frames, last


def _a_row_of_one_chunk():
    name, moves, _, last = _model_leaks()
    one = (_absent(0, 0, 0, 8), _absent(0, 0, 0, 0), lambda output: output[1] >= 3)
    return name, moves, one, last


def _a_vote_is_no_leak():
    name, moves, both, _ = _model_leaks()
    one, other = ([{"ward": "east", "visits": number}] for number in (2, 0))
    return name, moves, both, (one, other, lambda output: output >= 1)


RIGHT["leaks_in_chunks"] = [_model_leaks, _leaks_of_larger_tables, _leaks_in_frames]

WRONG["leaks_in_chunks"] = [
    *wrong_leaks("leaks_in_chunks", _model_leaks),
    (_a_row_of_one_chunk, "as much more likely as was promised, and no more"),
    (_a_vote_is_no_leak, "as much more likely as was promised, and no more"),
]
