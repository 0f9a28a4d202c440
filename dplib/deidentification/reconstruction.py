"""A secret column rebuilt from many counts: why exact answers run out."""

import numpy as np

from dplib import _validate


def reconstruct(groups, counts) -> np.ndarray:
    """Return who has a secret, guessed from how many people in each of many groups have it.

    The counts may be rounded or noisy. The share that is right falls with their error: with m
    random groups of half of the people, and errors of standard deviation s that have nothing to do
    with each other, an entry is off by about 2 * s / sqrt(m) before it is rounded to 0 or 1.

    Args:
      groups: array of shape (m, n), 1 where a person is in the group and 0 elsewhere.
      counts: array of shape (m,): for each group, about how many of its people have the secret.

    Returns:
      An array of shape (n,) of the whole numbers 0 and 1: least squares, rounded.

    Raises:
      ValueError: an argument has another shape, or groups hold something else than 0 and 1.

    Source: Dinur & Nissim (2003), section 4, with least squares in place of a linear program
    (Dwork, McSherry & Talwar 2007).
    """
    members = _validate.matrix("groups", groups)
    if not np.isin(members, (0, 1)).all():
        raise ValueError(f"groups must hold 0 and 1 only, got {np.unique(members)[:5]!r}")
    about = _validate.vector("counts", counts)
    if len(about) != len(members):
        raise ValueError(f"counts must have one number a group, got {len(about)}")
    best = np.linalg.lstsq(members, about, rcond=None)[0]
    return (best > 0.5).astype(int)


def reconstructed_share(secret, *, questions, noise, repetitions=40, rng=None) -> float:
    """Return the share of a secret column that `reconstruct` finds from noisy counts, on average.

    Args:
      secret: array of shape (n,) of 0 and 1: who has the secret.
      questions: number of counts published, each of a random half of the people, at least 1.
      noise: scale of the Laplace noise of each count, in people, >= 0; 0 publishes exact counts.
      repetitions: how often the attack is run, at least 1.
      rng: numpy Generator; a fresh one from the system's entropy if None.

    Returns:
      A share between 0 and 1, of the people and the repetitions.

    Raises:
      ValueError: an argument is out of range.
    """
    truth = _validate.integer_array("secret", secret)
    if truth.ndim != 1 or not np.isin(truth, (0, 1)).all():
        raise ValueError(f"secret must hold 0 and 1 in shape (n,), got {secret!r}")
    shape = (_validate.whole("questions", questions), len(truth))
    scale = _validate.number("noise", noise)
    if scale < 0:
        raise ValueError(f"noise must not be negative, got {noise!r}")
    generator = _validate.generator(rng)
    right = []
    for _ in range(_validate.whole("repetitions", repetitions)):
        groups = generator.integers(0, 2, shape)
        counts = groups @ truth + generator.laplace(scale=scale, size=len(groups))
        right.append(np.mean(reconstruct(groups, counts) == truth))
    return float(np.mean(right))
