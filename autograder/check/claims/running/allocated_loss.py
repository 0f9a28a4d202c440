"""What the noisy sums of one epoch say, where each person is in one batch at random."""

import math

import numpy as np

from autograder.check.function_claim import FunctionClaim


def allocated_loss(sums, *, sigma):
    """The log of how much likelier the sums are with the person than without."""
    return log_mean(losses(sums, sigma))


def losses(sums, sigma):
    """Return the loss in each batch, if it is known to be the person's."""
    # The log of the density of N(1, sigma^2) over that of N(0, sigma^2).
    return [(2 * float(x) - 1) / (2 * sigma**2) for x in sums]


def log_mean(logs):
    most = max(logs)
    return most + math.log(math.fsum(math.exp(each - most) for each in logs) / len(logs))


CLAIM = FunctionClaim(
    allocated_loss,
    established="the loss of a person who is in one batch, nobody knows in which",
    absolute=1e-9,
    situation=lambda given: (
        f"sums {[float(f'{x:.4g}') for x in given['sums'][:6]]}"
        f"{' and more' if len(given['sums']) > 6 else ''}, sigma {given['sigma']}"
    ),
    ask="with one batch, what is the loss? And with two batches that show the same sum?",
)


@CLAIM.inputs
def six(rng):
    """Epochs with the person and without, few batches and many, much noise and little."""
    for batches, sigma, with_person in (
        (2, 1.0, 1), (3, 0.7, 1), (5, 0.6, 0), (8, 1.5, 1), (40, 0.8, 1), (12, 2.5, 0),
    ):  # fmt: skip
        sigma = round(sigma * rng.uniform(0.85, 1.15), 3)
        sums = rng.normal(scale=sigma, size=batches)
        sums[1 + rng.integers(batches - 1)] += with_person
        yield {"sums": np.round(sums, 3), "sigma": sigma}


@CLAIM.designed
def at_edges(rng):
    """One batch, and so little noise that no float holds the ratio of the densities."""
    yield "one batch", {"sums": np.array([round(rng.uniform(0.1, 0.9), 3)]), "sigma": 1.3}
    for name, place in (("a sum that stands out", 1.0), ("no sum that stands out", 0.0)):
        sums = np.round(rng.normal(scale=0.01, size=6), 4)
        sums[3] += place
        yield f"hardly any noise, {name}", {"sums": sums, "sigma": 0.01}
    yield "whole numbers", {"sums": np.array([0, 1, 0, 2]), "sigma": 1.1}


CHANCE = "in which batch is the person, with which chance? Add up densities, and take the log last."
ONE = "the person is in one batch for certain. What would more batches say?"
PART = "write down the two densities of one sum, divide, and take the log: which is yours?"


def of_logs(change):
    return lambda sums, sigma: change(np.array(losses(sums, sigma)))


def poisson(logs):
    return float(np.sum(np.logaddexp(np.log1p(-1 / len(logs)), logs - np.log(len(logs)))))


for name, ask, change in (
    ("this is the loss of Poisson batches, not of one batch for each person", ONE, poisson),
    (
        "the losses are averaged, not the densities",
        CHANCE,
        lambda logs: logs.mean(),
    ),
    ("the losses are added up: as if the person were in every batch", ONE, lambda logs: logs.sum()),
    (
        "the largest sum is taken as the person's",
        "is the batch with the largest sum the person's, for certain?",
        lambda logs: logs.max(),
    ),
    (
        "the largest loss is taken, less the log of the number of batches",
        CHANCE,
        lambda logs: logs.max() - math.log(len(logs)),
    ),
    ("the first batch is taken as the person's", CHANCE, lambda logs: logs[0]),
    (
        "the densities are added up, not averaged",
        CHANCE,
        lambda logs: log_mean(logs.tolist()) + math.log(len(logs)),
    ),
    (
        "the ratio is upside down",
        "which density stands above the line: with the person, or without?",
        lambda logs: -log_mean(logs.tolist()),
    ),
    (
        "the ratio is returned, not its log",
        "what is the privacy loss: the ratio, or its log?",
        lambda logs: math.exp(min(log_mean(logs.tolist()), 700)),
    ),
    (
        "the size of the loss is returned",
        "may a loss be below 0?",
        lambda logs: abs(log_mean(logs.tolist())),
    ),
):
    CLAIM.mistake(name, ask, of_logs(change))
for name, part in (
    ("the 1 is missing in 2x - 1", lambda x, sigma: 2 * x / (2 * sigma**2)),
    ("the 2 of 2 sigma^2 is missing", lambda x, sigma: (2 * x - 1) / sigma**2),
    ("sigma is not squared", lambda x, sigma: (2 * x - 1) / (2 * sigma)),
    ("the sign of the 1 is wrong", lambda x, sigma: (2 * x + 1) / (2 * sigma**2)),
    ("the 2 before x is missing", lambda x, sigma: (x - 1) / (2 * sigma**2)),
    (
        "the density with the person is not divided by the one without",
        lambda x, sigma: -((x - 1) ** 2) / (2 * sigma**2),
    ),
    ("sigma is ignored", lambda x, sigma: (2 * x - 1) / 2),
):
    CLAIM.mistake(
        name,
        PART,
        lambda sums, sigma, part=part: log_mean([part(float(x), sigma) for x in sums]),
    )
