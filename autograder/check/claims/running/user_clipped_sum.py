"""The sum of what users add, each user's total shortened to a bound."""

import numpy as np

from autograder.check.claims.learning._reports import numbers_of_shape
from autograder.check.function_claim import FunctionClaim


def user_clipped_sum(users, rows, *, bound):
    """The sum over users of each user's total, shortened to L2 norm `bound`, shape (d,)."""
    return clipped(totals(users, rows), bound).sum(axis=0)


def totals(users, rows):
    """Return what each user's rows add up to, in the order in which users first come."""
    found = {}
    for user, row in zip(users.tolist(), np.asarray(rows, dtype=float), strict=True):
        found[user] = found.get(user, 0.0) + row
    return np.array(list(found.values()))


def clipped(rows, bound):
    return rows * np.minimum(1, bound / np.maximum(norms(rows), 1e-300))


def norms(rows):
    return np.sqrt((rows**2).sum(axis=1, keepdims=True))


CLAIM = FunctionClaim(
    user_clipped_sum,
    established="what each user adds in all, at most as long as the bound, added up",
    read=lambda answer, given: numbers_of_shape(answer, given["rows"].shape[1:], "the sum"),
    absolute=1e-9,
    situation=lambda given: (
        f"{len(given['users'])} rows of {len(set(given['users'].tolist()))} users, "
        f"bound {given['bound']:.4g}"
    ),
)


def table(rng, people, rows, columns):
    """Return users, shuffled, and rows: somebody has one row, and somebody has many."""
    users = np.concatenate([np.arange(people), rng.integers(0, max(1, people // 2), rows - people)])
    users = rng.permutation(np.arange(100, 100 + 7 * people, 7))[users]
    lean = rng.normal(size=columns)  # rows of one kind, so that totals are long
    return rng.permutation(users), np.round(rng.normal(size=(rows, columns)) + lean, 3)


@CLAIM.inputs
def six(rng):
    """Some totals above the bound and some below it; single rows, too."""
    for people, rows, columns in ((3, 8, 2), (5, 20, 3), (4, 30, 1), (9, 14, 4), (6, 40, 2)):
        users, values = table(rng, people, rows, columns)
        long = np.sort(norms(totals(users, values)).ravel())
        yield {"users": users, "rows": values, "bound": float(round(long[len(long) // 2] * 0.9, 4))}
    users, values = table(rng, 4, 12, 2)
    yield {"users": users, "rows": values / 50, "bound": 2.0}  # nobody is too long


@CLAIM.designed
def odd_tables(rng):
    """One user, one row each, names as text, whole numbers, rows that cancel."""
    _, values = table(rng, 3, 9, 3)
    yield "one user", {"users": np.full(9, 4), "rows": values, "bound": 1.5}
    yield "one row a user", {"users": np.arange(9), "rows": values, "bound": 0.7}
    names = np.array(["wren", "teal", "ibis"])[rng.integers(0, 3, 9)]
    yield "users with names", {"users": names, "rows": values, "bound": 1.5}
    whole = rng.integers(-4, 5, (9, 2)) * 2 + 1
    yield "rows of whole numbers", {
        "users": rng.integers(0, 3, 9), "rows": whole, "bound": 1.5
    }  # fmt: skip
    pair = np.array([[3.0, 4.0], [-3.0, -4.0]])
    yield "rows of one user that cancel", {"users": np.array([7, 7]), "rows": pair, "bound": 1.0}


WHO = "one user's rows come all at once, or not at all: how far may they move the sum together?"
WHEN = "what is shortened, and what is added up first?"
LONG = "how long may a total be, and what becomes of one that is short enough?"

for name, ask, answer in (
    (
        "each row is clipped, not what a user adds",
        WHO,
        lambda users, rows, bound: clipped(rows, bound).sum(axis=0),
    ),
    ("nothing is clipped", LONG, lambda users, rows, bound: rows.sum(axis=0)),
    (
        "the sum over everybody is clipped",
        WHEN,
        lambda users, rows, bound: clipped(rows.sum(axis=0, keepdims=True), bound)[0],
    ),
    (
        "each row is clipped, and then each user's total as well",
        "clipping a user's total is enough. What does clipping the rows change?",
        lambda users, rows, bound: clipped(totals(users, clipped(rows, bound)), bound).sum(axis=0),
    ),
    (
        "each row is clipped to the bound over the user's number of rows",
        "are many short rows that point in different ways longer than the bound together?",
        lambda users, rows, bound: sum(
            clipped(row[None], bound / (users == user).sum())[0]
            for user, row in zip(users, rows, strict=True)
        ),
    ),
    (
        "each user's mean is clipped, not the total",
        "is the user's total asked for, or the mean?",
        lambda users, rows, bound: clipped(
            np.array([rows[users == user].mean(axis=0) for user in set(users.tolist())]), bound
        ).sum(axis=0),
    ),
    (
        "only one row of each user is kept",
        "which of a user's rows count?",
        lambda users, rows, bound: clipped(rows[np.unique(users, return_index=True)[1]], bound).sum(
            axis=0
        ),
    ),
    (
        "the L1 norm is clipped, not the L2 norm",
        "how is the L2 norm computed?",
        lambda users, rows, bound: sum(
            total * min(1, bound / max(np.abs(total).sum(), 1e-300))
            for total in totals(users, rows)
        ),
    ),
    (
        "each entry is clipped by itself",
        "how long can a total be if each entry is at most the bound?",
        lambda users, rows, bound: np.clip(totals(users, rows), -bound, bound).sum(axis=0),
    ),
    (
        "short totals are made longer",
        LONG,
        lambda users, rows, bound: (
            totals(users, rows) * bound / np.maximum(norms(totals(users, rows)), 1e-300)
        ).sum(axis=0),
    ),
    (
        "long totals become zeros",
        LONG,
        lambda users, rows, bound: (
            totals(users, rows) * (norms(totals(users, rows)) <= bound)
        ).sum(axis=0),
    ),
    (
        "the sum is divided by the number of users",
        "who divides: this function, or the one that adds noise?",
        lambda users, rows, bound: clipped(totals(users, rows), bound).mean(axis=0),
    ),
    (
        "the sum is divided by the number of rows",
        "who divides: this function, or the one that adds noise?",
        lambda users, rows, bound: clipped(totals(users, rows), bound).sum(axis=0) / len(rows),
    ),
    (
        "the totals get the type of the rows",
        "which type of numbers has your result, if the rows are whole numbers?",
        lambda users, rows, bound: (
            clipped(totals(users, rows), bound).astype(rows.dtype).sum(axis=0)
        ),
    ),
    (
        "only neighboring rows of one user are taken together",
        "are the rows sorted by user?",
        lambda users, rows, bound: clipped(
            np.add.reduceat(
                rows.astype(float), np.flatnonzero(np.append(True, users[1:] != users[:-1]))
            ),
            bound,
        ).sum(axis=0),
    ),
):
    CLAIM.mistake(name, ask, answer)
