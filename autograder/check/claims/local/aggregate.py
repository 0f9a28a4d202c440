"""The unbiased estimate of each category's count, from rows of perturbed bits."""

import numpy as np

from autograder.check.claims.learning._reports import few_people, numbers_of_shape, solved
from autograder.check.function_claim import FunctionClaim
from autograder.check.wording.in_words import side_by_side
from autograder.check.words import numbers_apart


def aggregate(reports, *, p, q):
    """The unbiased estimate of each category's count from rows of perturbed bits, shape (n, k)."""
    return solved(reports.sum(axis=0), len(reports), p, q)


def _estimates(answer, columns: int) -> np.ndarray:
    # A mistake that gives one number for all columns has a name; of one column it is no mistake
    # but that the number must come in an array.
    shape = (None,) * min(1, np.ndim(answer)) if columns > 1 else (1,)
    return np.atleast_1d(numbers_of_shape(answer, shape, "the estimates"))


def _in_people(wanted, came, given: dict) -> str:
    """Return the first estimate that differs; people are counted without exponents."""
    if np.shape(wanted) != np.shape(came):
        return side_by_side(wanted, came, given)
    differing = ~np.isclose(came, wanted, rtol=1e-6, atol=1e-6)
    place = int(np.argmax(differing))
    pair = numbers_apart(float(wanted[place]), float(came[place]))
    return f"entry {place} should be {pair[0]}, yours is {pair[1]}"


CLAIM = FunctionClaim(
    aggregate,
    show=_in_people,
    established="the unbiased estimates, also where they are below 0 or above n",
    # Where the ones are as many as false ones are expected, the estimate is 0, and what comes is
    # what the additions have rounded: not the same in every order.
    absolute=1e-6,
    read=lambda answer, given: _estimates(answer, columns=given["reports"].shape[1]),
    situation=lambda given: (
        f"{len(given['reports'])} people, {given['reports'].sum(axis=0).tolist()} ones by "
        f"category, p {given['p']}, q {given['q']}"
    ),
)


@CLAIM.inputs
def six(rng):
    """Each has an estimate below 0 and one above n; bits are short or long numbers, or floats.

    In the first one p and q add up to 1.
    """
    kinds = ["int64", *rng.permutation(["int8", "int64", "float64", "float64"]), "int8"]
    spans = ((0.7, 0.8), (0.5, 0.6), (0.62, 0.7), (0.72, 0.8), (0.82, 0.9), (0.3, 0.4))
    for place, ((low, high), kind) in enumerate(zip(spans, kinds, strict=True)):
        # Of so many people that short whole numbers cannot count them, in the last one.
        few = low > 0.4
        people = few_people(rng) if few else int(rng.integers(80_000, 90_000))
        p = round(rng.uniform(low, high), 4)
        q = round(p * rng.uniform(0.25, 0.6) if place else 1 - p, 4)
        shares = rng.uniform(0.05, 0.95, size=int(rng.integers(3, 6)))
        # One category far below q, one far above p.
        shares[0], shares[-1] = 0.3 * q, 1 - 0.4 * (1 - p)
        ones = np.clip(np.round(shares * people), 1, people - 1)
        columns = [rng.permutation(np.arange(people) < number) for number in ones]
        yield {"reports": np.column_stack(columns).astype(kind), "p": p, "q": q}


@CLAIM.designed
def few(rng):
    """One column, one person, or both; and columns without ones, or with nothing else."""
    given = {"p": round(rng.uniform(0.62, 0.7), 2), "q": round(rng.uniform(0.1, 0.3), 2)}
    for name, shape in {
        "one column": (30, 1),
        "one person": (1, 4),
        "one bit": (1, 1),
        "many columns": (30, 120),
    }.items():
        yield name, {"reports": rng.integers(2, size=shape), **given}
    for bit in (0, 1):
        yield f"all bits {bit}", {"reports": np.full((12, 3), bit), **given}


def by_ones(formula):
    """Return a wrong function of the ones by category, the number of people, p and q."""
    return lambda reports, p, q: formula(reports.sum(axis=0), len(reports), p, q)


EXPECT = "how many reports have a 1 here, if c of n people are in the category? Solve for c."
FREE = "may an unbiased estimate be below 0, or above n? What happens to its mean if it may not?"
PEOPLE = "what is n: how many reports, or how many bits?"

CLAIM.mistake(
    "ones are counted, nothing else",
    "which of the ones are false?",
    by_ones(lambda ones, n, p, q: ones),
)
for name, formula in (
    ("p and q are exchanged", lambda ones, n, p, q: solved(ones, n, q, p)),
    ("n * p is subtracted where n * q belongs", lambda ones, n, p, q: (ones - n * p) / (p - q)),
    ("the division by p - q is missing", lambda ones, n, p, q: ones - n * q),
    (
        "n less the ones stands where n belongs",
        lambda ones, n, p, q: (ones - (n - ones) * q) / (p - q),
    ),
    ("the false ones are not subtracted", lambda ones, n, p, q: ones / (p - q)),
    ("ones are divided by p", lambda ones, n, p, q: ones / p),
    ("it divides by p, not by p - q", lambda ones, n, p, q: (ones - n * q) / p),
    ("q is taken to be 1 - p", lambda ones, n, p, q: (ones - n * (1 - p)) / (2 * p - 1 or p - q)),
    ("it divides by p + q, not by p - q", lambda ones, n, p, q: (ones - n * q) / (p + q)),
):
    CLAIM.mistake(name, EXPECT, by_ones(formula))
CLAIM.mistake(
    "q is subtracted once, not once for each person",
    "how many people could have reported a false 1?",
    by_ones(lambda ones, n, p, q: solved(ones, 1, p, q)),
)
for name, counted in (
    ("n is the number of bits, not of people", lambda reports: reports.size),
    ("n is the number of categories", lambda reports: reports.shape[1]),
    ("n is the number of ones", lambda reports: reports.sum()),
):
    CLAIM.mistake(
        name,
        PEOPLE,
        lambda reports, p, q, counted=counted: solved(reports.sum(axis=0), counted(reports), p, q),
    )
CLAIM.mistake(
    "shares are returned, not counts",
    "what does the task say: shares or numbers of people?",
    by_ones(lambda ones, n, p, q: solved(ones, n, p, q) / n),
)
CLAIM.mistake(
    "the estimates are kept between 0 and n",
    FREE,
    by_ones(lambda ones, n, p, q: np.clip(solved(ones, n, p, q), 0, n)),
)
CLAIM.mistake("negative estimates become 0", FREE, then=lambda counts: np.maximum(counts, 0))
CLAIM.mistake(
    "estimates above n become n",
    FREE,
    by_ones(lambda ones, n, p, q: np.minimum(solved(ones, n, p, q), n)),
)
CLAIM.mistake(
    "the estimates are made to sum to n",
    "which of the estimates is unbiased after that? Leave them as they come.",
    by_ones(lambda ones, n, p, q: solved(ones, n, p, q) * n / solved(ones, n, p, q).sum()),
)
CLAIM.mistake(
    "the estimates are rounded",
    "what does rounding gain? Leave the estimates as they come.",
    then=np.round,
)
CLAIM.mistake(
    "each person's bits are added up, not each category's",
    "which axis is the person, which the category?",
    lambda reports, p, q: solved(reports.sum(axis=1), len(reports), p, q),
)
CLAIM.mistake(
    "all categories are added up",
    "how many estimates must come back?",
    lambda reports, p, q: solved(reports.sum(), len(reports), p, q),
)
