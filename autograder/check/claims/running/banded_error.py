"""How far off running sums are where one person takes part several times, with banded noise."""

import numpy as np

from autograder.check.claims.learning._reports import numbers_of_shape
from autograder.check.function_claim import FunctionClaim


def banded_error(strategy, *, turns, apart, rho):
    """The mean squared error of each running sum, for one person with several turns, an array."""
    return of_parts(strategy, turns, apart, rho)


def moved(strategy, turns, apart):
    # Turns at least `apart` rounds from each other move different questions, so that the squares
    # of their columns add up; the earlier a column, the longer it is (Kalinin & Lampert 2024).
    columns = [np.asarray(strategy, dtype=float)[:, j] for j in range(0, len(strategy), apart)]
    return sum(column @ column for column in columns[:turns])


def weights(strategy):
    # A / R, column by column from the last one: R is lower triangular.
    strategy = np.asarray(strategy, dtype=float)
    left = np.tril(np.ones(strategy.shape))
    for j in reversed(range(len(strategy))):
        left[:, j] = (left[:, j] - left[:, j + 1 :] @ strategy[j + 1 :, j]) / strategy[j, j]
    return left


def of_parts(strategy, turns, apart, rho, *, square=moved, read=weights):
    return square(strategy, turns, apart) / (2 * rho) * (read(strategy) ** 2).sum(axis=1)


CLAIM = FunctionClaim(
    banded_error,
    established="the error of each running sum, for the person who moves the questions most",
    read=lambda answer, given: numbers_of_shape(answer, (len(given["strategy"]),), "the errors"),
    absolute=1e-12,
    situation=lambda given: (
        f"{len(given['strategy'])} rounds, first column "
        f"{[float(f'{each:.4g}') for each in given['strategy'][: given['apart'], 0]]}, "
        f"{given['turns']} turns, {given['apart']} rounds apart, rho {given['rho']}"
    ),
)


def toeplitz(column, rounds):
    """Return the lower triangular matrix with these numbers along its first diagonals."""
    column = np.pad(np.asarray(column, dtype=float), (0, rounds))[:rounds]
    lag = np.subtract.outer(np.arange(rounds), np.arange(rounds))
    return np.where(lag >= 0, column[np.maximum(lag, 0)], 0.0)


def column(rng, bands):
    """Return a first column: no entry is 1, and none is 0."""
    return np.round(rng.uniform(0.2, 0.8, bands) * np.append(2.0, np.ones(bands - 1)), 3)


@CLAIM.inputs
def seven(rng):
    """Turns that fill the rounds and such that do not, as many bands as rounds apart, and fewer."""
    for rounds, bands, turns, apart in (
        (5, 2, 2, 2), (9, 3, 2, 4), (12, 2, 3, 5), (11, 4, 2, 4), (20, 5, 3, 6), (8, 1, 3, 2),
        (8, 3, 7, 3),
    ):  # fmt: skip
        yield {
            "strategy": toeplitz(column(rng, bands), rounds),
            "turns": turns,
            "apart": apart,
            "rho": round(rng.uniform(0.05, 3), 3),
        }


@CLAIM.designed
def at_ends(rng):
    """One round, turns that nobody can take, a last turn whose column is cut off, whole numbers."""
    for name, rounds, bands, turns, apart in (
        ("one round", 1, 1, 1, 1),
        ("more turns than the rounds hold", 7, 2, 9, 3),
        ("one turn", 6, 3, 1, 3),
        ("rounds further apart than there are", 4, 2, 2, 10),
        ("a turn in every round", 6, 1, 6, 1),
        ("a last turn that is cut off", 7, 4, 2, 5),
    ):
        given = {"turns": turns, "apart": apart, "rho": round(rng.uniform(0.3, 0.9), 3)}
        yield name, {"strategy": toeplitz(column(rng, bands), rounds), **given}
    whole = toeplitz([2, 1], 5).astype(int)
    yield "whole numbers", {"strategy": whole, "turns": 2, "apart": 2, "rho": 0.7}


TURNS = "which questions does a first turn move, and which one `apart` rounds later? Do they meet?"
FIRST = "which columns are longest, and how near may two turns of one person be?"
READ = "L R must give the running sums: which L does that, and through which matrix goes the noise?"
NOISE = "which variance does Gaussian noise need for rho (chapter 9)?"


def lengths(strategy):
    return np.sqrt((np.asarray(strategy, dtype=float) ** 2).sum(axis=0))


for name, ask, square in (
    (
        "one turn is counted, not all",
        "one person comes several times: how far do all turns together move the questions?",
        lambda strategy, turns, apart: moved(strategy, 1, apart),
    ),
    (
        "the lengths of the columns are added up, not their squares",
        TURNS,
        lambda strategy, turns, apart: lengths(strategy)[::apart][:turns].sum() ** 2,
    ),
    (
        "turns times the longest column is taken, and then squared",
        TURNS,
        lambda strategy, turns, apart: (turns * lengths(strategy).max()) ** 2,
    ),
    (
        "every turn is counted as if it had the longest column",
        "how long is the column of a turn near the end, and how many turns fit?",
        lambda strategy, turns, apart: turns * lengths(strategy).max() ** 2,
    ),
    (
        "the turns are taken one after the other, not `apart` rounds from each other",
        FIRST,
        lambda strategy, turns, apart: (lengths(strategy)[:turns] ** 2).sum(),
    ),
    (
        "the last rounds are taken, not the first",
        FIRST,
        lambda strategy, turns, apart: (lengths(strategy)[::-1][::apart][:turns] ** 2).sum(),
    ),
    (
        "everybody moves at once: the whole matrix is taken",
        "in how many rounds is one person?",
        lambda strategy, turns, apart: (lengths(strategy) ** 2).sum(),
    ),
    (
        "all turns are counted that fit, not `turns` of them",
        "in how many rounds is one person at most?",
        lambda strategy, turns, apart: moved(strategy, len(strategy), apart),
    ),
    (
        "the columns are added up, the L1 length is taken",
        "which norm decides for Gaussian noise?",
        lambda strategy, turns, apart: np.abs(strategy)[:, ::apart][:, :turns].sum() ** 2,
    ),
    (
        "the sensitivity is not squared",
        NOISE,
        lambda strategy, turns, apart: np.sqrt(moved(strategy, turns, apart)),
    ),
    (
        "the sensitivity is taken as 1",
        "how far does one person move R g, if a gradient is at most 1 long?",
        lambda strategy, turns, apart: 1.0,
    ),
):
    CLAIM.mistake(
        name,
        ask,
        lambda strategy, turns, apart, rho, square=square: of_parts(
            strategy, turns, apart, rho, square=square
        ),
    )
for name, ask, read in (
    (
        "the error is that of one round's gradient, not of the running sums",
        READ,
        lambda strategy: np.linalg.inv(np.asarray(strategy, dtype=float)),
    ),
    ("the noise is added up as it is: L is taken as A", READ, lambda s: np.tril(np.ones(s.shape))),
    ("L is taken as R", READ, lambda strategy: np.asarray(strategy, dtype=float)),
    (
        "A is divided by R entry by entry",
        "is a matrix divided entry by entry?",
        lambda s: np.divide(np.tril(np.ones(s.shape)), s, out=np.zeros(s.shape), where=s != 0),
    ),
    (
        "the transpose of A / R is read: its columns, not its rows",
        "which numbers does one running sum read: a row of L, or a column?",
        lambda strategy: weights(strategy).T,
    ),
):
    CLAIM.mistake(
        name,
        ask,
        lambda strategy, turns, apart, rho, read=read: of_parts(
            strategy, turns, apart, rho, read=read
        ),
    )
for name, ask, change in (
    ("the root of the mean square is returned", "is the error asked for, or its square?", np.sqrt),
    ("the 2 of 2 rho is missing", NOISE, lambda errors: 2 * errors),
    ("one number for all sums: the largest", READ, lambda e: np.full(len(e), e.max())),
    ("one number for all sums: the mean", READ, lambda e: np.full(len(e), e.mean())),
):
    CLAIM.mistake(name, ask, then=change)
CLAIM.mistake("rho is ignored, as if it were 1/2", NOISE, given={"rho": 0.5})
CLAIM.mistake("rho is ignored, as if it were 1", NOISE, given={"rho": 1})
