"""Sample and aggregate: privacy for a function that nobody can analyse, run on separate chunks."""

import hashlib
from collections.abc import Callable
from numbers import Integral

import numpy as np

from dplib import _validate
from dplib._categories import category_codes
from dplib.laplace import laplace_mechanism

__all__ = [
    "aggregation_error",
    "assign_chunks",
    "best_chunks",
    "noisy_vote",
    "sample_and_aggregate",
]


def assign_chunks(labels, *, chunks, salt=0):
    """Return the chunk of each row, computed from the row's own label and nothing else.

    So a row that joins or leaves the table moves no other row to another chunk. Rows cut by
    position do move: with one row gone, every chunk after it starts one row later.

    Args:
      labels: one label a row, whole numbers or texts, n of them. A label belongs to its row: it
        must not be the row's position, or anything else that depends on the other rows.
      chunks: number of chunks, >= 1.
      salt: whole number >= 0, chosen without looking at the data: another salt, other chunks.

    Returns:
      int64 array of shape (n,) with entries from 0 to chunks - 1. To a reader who does not know the
      labels they look like independent uniform draws. Some chunks may be empty.

    Raises:
      ValueError: labels is empty or holds something else, or chunks or salt is out of range.

    Source: the hash is BLAKE2b (Aumasson, Neves, Wilcox-O'Hearn & Winnerlein 2013), keyed by salt.
    """
    count = _validate.whole("chunks", chunks)
    key = _validate.whole("salt", salt, least=0).to_bytes(8, "little")
    # As Python objects: in one numpy array the other labels would decide the type of this one.
    if np.ndim(labels) != 1 or not len(labels):
        raise ValueError(f"labels must have shape (n,) and not be empty, got {labels!r}")
    own = labels.tolist() if hasattr(labels, "tolist") else list(labels)
    return np.fromiter((_hash(label, key) % count for label in own), np.int64, len(own))


def _hash(label, key: bytes) -> int:
    """Return 64 bits that depend on the label and the key only."""
    if isinstance(label, bool) or not isinstance(label, Integral | str):
        raise ValueError(f"labels must hold whole numbers or texts, got {label!r}")
    text = label if isinstance(label, str) else str(int(label))
    return int.from_bytes(
        hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8, key=key).digest(),
        "little",
    )


def sample_and_aggregate(
    values, function: Callable, *, chunks, lower, upper, epsilon, labels=None, salt=0, rng=None
):
    """Release the mean of `function` over separate chunks, with epsilon-differential privacy.

    Nothing is asked of the function: one row lies in one chunk, so it moves one of the `chunks`
    clipped answers, and their mean by at most (upper - lower) / chunks. This holds for add_remove,
    and for replace_one if the new row has the label of the old one (else two chunks change, and the
    cost is 2 * epsilon). An empty chunk answers with the middle of the interval, so that the number
    of answers is always `chunks`: cutting n rows into pieces of ceil(n / chunks) gives fewer, and
    the noise is then too small (32,562 chunks asked of 32,563 rows are 16,282: half the noise).

    Args:
      values: one row a person: an array of shape (n, …), a Series or a DataFrame.
      function: takes some of the rows, in the form of `values`, and returns one number. NaN counts
        as the middle of the interval. It must not fail: an error stops the release, for all to see.
      chunks: number of chunks, public, >= 1.
      lower, upper: public ends, in the units of the answers, lower < upper; answers are clipped.
      epsilon: privacy cost spent by this release, > 0, without unit.
      labels: one for each row, as in `assign_chunks`. If None, each row draws its chunk with `rng`:
        the guarantee is the same.
      salt: as in `assign_chunks`.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      The noisy mean of the answers, a float. Its noise is more than
      (upper - lower) / (chunks * epsilon) * ln(1 / beta) with probability beta. What the function
      loses on fewer rows comes on top: see `best_chunks`.

    Raises:
      ValueError: an argument is out of range, values is empty, or an answer is not one number.

    Source: Nissim, Raskhodnikova & Smith (2007), with the mean as aggregation; Dwork & Roth (2014),
    on subsample and aggregate.
    """
    low, high = _validate.interval(lower, upper)
    count = _validate.whole("chunks", chunks)
    generator = _validate.generator(rng)
    rows = values if hasattr(values, "iloc") else np.asarray(values)
    if rows.ndim == 0 or len(rows) == 0:
        raise ValueError(f"values must hold at least one row, got shape {rows.shape}")
    if labels is None:
        assigned = generator.integers(count, size=len(rows))
    else:
        assigned = assign_chunks(labels, chunks=count, salt=salt)
    if len(assigned) != len(rows):
        raise ValueError(f"labels must be {len(rows)}, one a row, got {len(assigned)}")
    mean = _answers(rows, function, assigned, count, low, high).mean()
    return laplace_mechanism(mean, sensitivity=(high - low) / count, epsilon=epsilon, rng=generator)


def _answers(rows, function, assigned, count, low, high) -> np.ndarray:
    """Return one answer a chunk, each within the interval."""
    answers = np.full(count, (low + high) / 2)
    order = np.argsort(assigned, kind="stable")
    filled, starts = np.unique(assigned[order], return_index=True)
    select = rows.iloc if hasattr(rows, "iloc") else rows
    for chunk, places in zip(filled, np.split(order, starts[1:]), strict=True):
        answer = _one_number(function(select[places]))
        if not np.isnan(answer):
            answers[chunk] = answer
    return np.clip(answers, low, high)


def _one_number(answer) -> float:
    """Return the function's answer as a float; it may be infinite, or NaN."""
    array = np.asarray(answer)
    if array.ndim or array.dtype.kind not in "biuf":
        raise ValueError(f"function must return one number, got {answer!r}")
    return float(array)


def noisy_vote(votes, *, classes, epsilon, rng=None):
    """Release the class with the most votes after noise, with epsilon-differential privacy.

    Each vote comes from a model that was trained on a chunk of its own. A person is in one chunk,
    so they change one vote: one count falls by 1 and another rises by 1. That holds for add_remove
    if a model without rows votes too, and for replace_one if the new row goes into the same chunk.

    Args:
      votes: one class a model, at least one.
      classes: the public list of all classes, without repetitions.
      epsilon: privacy cost spent by this one question, > 0, without unit.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      One of the classes. One that leads by g votes loses to another with probability at most
      (2 + g * epsilon / 2) / 4 * exp(-g * epsilon / 2).

    Raises:
      ValueError: epsilon is out of range, votes is empty, or a vote is in no class.

    Source: Papernot, Abadi, Erlingsson, Goodfellow & Talwar (2017), PATE.
    """
    places = category_codes("votes", votes, classes)
    if not len(places):
        raise ValueError(f"votes must hold at least one vote, got {votes!r}")
    counts = np.bincount(places, minlength=len(classes))
    noisy = laplace_mechanism(counts, sensitivity=2, epsilon=epsilon, rng=rng)
    return classes[int(np.argmax(noisy))]


def aggregation_error(chunks, *, size, lower, upper, epsilon, bias: Callable):
    """Return the error that a public model foresees for `sample_and_aggregate`.

    Three parts: what the function loses on few rows; empty chunks, each off by at most half of the
    interval; and the noise. What n random rows lose against their population is left out: it hardly
    depends on the number of chunks.

    Args:
      chunks: number of chunks, >= 1; a whole number or an array of them.
      size: public number of rows, or a public guess of it, >= 1.
      lower, upper: public ends, in the units of the answers, lower < upper.
      epsilon: privacy cost of the release, > 0, without unit.
      bias: how far the function is off on average on so many rows, as a public guess: from an
        array of numbers of rows to an array in the units of the answers. `lambda rows: 3 / rows`
        suits smooth functions; a mean has none, `lambda rows: 0 * rows`.

    Returns:
      The root of the expected square of the error, of the shape of `chunks`.

    Raises:
      ValueError: an argument is out of range, or bias does not give one finite number for each.

    Source: the variance of Laplace noise, twice its squared scale; bias and noise add in squares.
    """
    counts = _validate.integer_array("chunks", chunks)
    if (counts < 1).any():
        raise ValueError(f"chunks must be at least 1, got {chunks!r}")
    people = _validate.whole("size", size)
    low, high = _validate.interval(lower, upper)
    loss = np.abs(_validate.finite_array("bias", bias(people / counts)))
    if loss.shape != counts.shape:
        raise ValueError(f"bias must give shape {counts.shape}, got {loss.shape}")
    # A row misses one chunk of k with probability 1 - 1/k, and all n rows with its n-th power.
    empty = (1 - 1 / counts) ** people
    scale = (high - low) / (counts * _validate.positive("epsilon", epsilon))
    error = np.sqrt((loss + empty * (high - low) / 2) ** 2 + 2 * scale**2)
    return _validate.like_input(error)


def best_chunks(size, *, lower, upper, epsilon, bias: Callable):
    """Return the number of chunks with the least error in the model of `aggregation_error`.

    Every argument is public, and so is the result: the data are not read. Many chunks mean little
    noise, few chunks mean many rows for each answer.

    Args:
      size: public number of rows, or a public guess of it, from 1 to 10 million.
      lower, upper, epsilon, bias: as in `aggregation_error`.

    Returns:
      A whole number from 1 to size.

    Raises:
      ValueError: an argument is out of range.

    Source: as for `aggregation_error`; every number of chunks is tried.
    """
    people = _validate.whole("size", size)
    if people > 10**7:
        raise ValueError(f"size must be at most 10 million, got {size!r}")
    counts = np.arange(1, people + 1)
    limits = {"lower": lower, "upper": upper, "epsilon": epsilon}
    error = aggregation_error(counts, size=people, **limits, bias=bias)
    return int(counts[error.argmin()])
