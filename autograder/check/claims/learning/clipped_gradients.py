"""Each person's own gradient of the logistic loss, shortened to an L2 norm."""

import numpy as np

from autograder.check.answers import BadAnswer, shortened
from autograder.check.claims.learning._reports import as_array
from autograder.check.claims.learning._training import clipped, gradients, labelled_rows
from autograder.check.function_claim import FunctionClaim
from autograder.check.wording.in_words import side_by_side
from autograder.check.words import counted


def clipped_gradients(theta, X, y, *, bound):
    """Each row's own gradient, shortened to L2 norm `bound` where it is longer, (n, d)."""
    return clipped(gradients(theta, X, y), bound)


def read(answer, given: dict) -> np.ndarray:
    """Return the gradients, a table of numbers; BadAnswer where one is not finite."""
    if answer is None:
        raise BadAnswer("it returns nothing", ask="does every path end in `return`?")
    array = as_array(answer, "the gradients").astype(float)
    if array.shape == given["theta"].shape and len(given["y"]) != 1:
        raise BadAnswer(
            "one gradient comes back, not one for each person",
            seen=f"it returned shape {array.shape}, wanted is {given['X'].shape}",
            ask="who adds up the gradients: this function, or the one that adds noise?",
        )
    if array.shape == given["X"].shape and not np.isfinite(array).all():
        bad = array[~np.isfinite(array).all(axis=1)]
        raise BadAnswer(
            "an entry is not a finite number",
            seen=f"it returned {shortened(bad)}",
            ask="what is the norm of a row of zeros, and what is exp of a large number?",
        )
    return array


_MOST_COLUMNS = 6


def with_its_row(wanted, came, given: dict) -> str:
    """Return the entry that differs, and the row of X that it belongs to, if it is short."""
    words, columns = side_by_side(wanted, came, given), given["X"].shape[1]
    if np.shape(came) != np.shape(wanted) or columns > _MOST_COLUMNS:
        return words
    wrong = ~np.isclose(came, wanted, rtol=1e-6, atol=1e-12).all(axis=1)
    place = int(np.argmax(wrong))
    row = [float(f"{each:.6g}") for each in given["X"][place]]
    return f"{words}; row {place} of X is {row}, and its y is {given['y'][place]:g}"


CLAIM = FunctionClaim(
    clipped_gradients,
    established="each person's own gradient, at most as long as the bound",
    absolute=1e-12,
    read=read,
    show=with_its_row,
    situation=lambda given: (
        f"{counted(len(given['y']), 'row')}, theta {given['theta'].tolist()}, "
        f"bound {given['bound']:.6g}"
    ),
)


@CLAIM.inputs
def eight(rng):
    """Some gradients above the bound, one little above it; zeros, one person, large scores."""
    for size, people, tight in (
        (0.0, 7, 0.5), (0.5, 9, 0.5), (1.0, 12, 0.3), (2.0, 8, 0.8),
        (1.0, 1, 0.4), (300.0, 40, 0.5), (1.0, 30, 0.996), (0.3, 5, 2.0),
    ):  # fmt: skip
        columns = 1 if people == 5 else int(rng.integers(2, 5))
        rows, labels = labelled_rows(rng, people=max(people, 2), columns=columns, size=1.5)
        X, y = np.array(rows)[:people], np.array(labels, dtype=float)[:people]
        if people > 1:
            X[-1] = 0.0
        theta = np.round(rng.normal(size=columns) * size, 2) + 0.0
        norms = np.linalg.norm(gradients(theta, X, y), axis=1)
        yield {"theta": theta, "X": X, "y": y, "bound": float(max(norms.max() * tight, 1e-3))}


@CLAIM.designed
def odd_tables(rng):
    """Whole numbers, one person, one column, and many of both."""
    for name, shape in {
        "rows of whole numbers": (12, 4),
        "one person": (1, 3),
        "one column": (9, 1),
        "one person, one column": (1, 1),
        "many columns": (40, 30),
    }.items():
        rows = rng.normal(size=shape) if "whole" not in name else rng.integers(-3, 4, size=shape)
        labels = rng.choice([-1, 1], shape[0])
        theta = np.round(rng.normal(size=shape[1]), 2)
        yield name, {"theta": theta, "X": rows, "y": labels, "bound": 0.6}


def l2(rows):
    return np.sqrt((rows**2).sum(axis=1, keepdims=True))


def scaled(factor):
    """Return a wrong answer that multiplies each gradient by factor(gradients, bound)."""

    def answer(theta, X, y, bound):
        rows = gradients(theta, X, y)
        return rows * factor(rows, bound)

    return answer


def by_norm(norm):
    """Return a wrong answer that clips by another norm."""
    return scaled(lambda rows, bound: np.minimum(1, bound / np.maximum(norm(rows), 1e-300)))


def with_slope(slope):
    """Return a wrong answer whose gradient is slope(score, label) * row."""
    return lambda theta, X, y, bound: clipped(slope(X @ theta, y)[:, None] * X, bound)


def sigmoid(score):
    return (1 + np.tanh(score / 2)) / 2


CHAIN = "differentiate ln(1 + exp(-m)) by m, then m = y * x.theta by theta: which factors come?"
LOSS = "which loss is asked for?"
ROW = "which number is compared with the bound, and for what: an entry, a row, or all rows?"
LONG = "how long may a row be, and what happens to a row that is short enough?"
NORM = "how is the L2 norm of a row computed?"

for name, ask, answer in (
    ("nothing is clipped", LONG, scaled(lambda rows, bound: 1.0)),
    (
        "rows are clipped, not their gradients",
        "the gradient is the row times a slope. Which of the two may be no longer than the bound?",
        lambda theta, X, y, bound: gradients(theta, clipped(X, bound), y),
    ),
    (
        "each entry is clipped by itself",
        "how long can a row be if each entry is at most the bound?",
        lambda theta, X, y, bound: np.clip(gradients(theta, X, y), -bound, bound),
    ),
    (
        "the L1 norm is clipped, not the L2 norm",
        NORM,
        by_norm(lambda rows: np.abs(rows).sum(axis=1, keepdims=True)),
    ),
    (
        "the largest entry is clipped, not the norm",
        NORM,
        by_norm(lambda rows: np.abs(rows).max(axis=1, keepdims=True)),
    ),
    ("the norm of all rows together is clipped", ROW, by_norm(np.linalg.norm)),
    (
        "all rows are shortened as much as the longest one",
        ROW,
        by_norm(lambda rows: l2(rows).max()),
    ),
    (
        "the square of the norm is compared with the bound",
        NORM,
        by_norm(lambda rows: l2(rows) ** 2),
    ),
    (
        "short rows are made longer",
        LONG,
        scaled(lambda rows, bound: bound / np.where(l2(rows) > 0, l2(rows), 1)),
    ),
    ("long rows become zeros", LONG, scaled(lambda rows, bound: l2(rows) <= bound)),
    ("rows are shortened to half the bound", LONG, by_norm(lambda rows: 2 * l2(rows))),
    (
        "rows are left that are a little too long",
        LONG,
        scaled(
            lambda rows, bound: np.where(
                l2(rows) > 1.01 * bound, bound / np.maximum(l2(rows), 1e-300), 1.0
            )
        ),
    ),
    (
        "each gradient is divided by the number of people",
        "who divides by the number of people: this function, or the one that adds up?",
        scaled(lambda rows, bound: np.minimum(1, bound / np.maximum(l2(rows), 1e-300)) / len(rows)),
    ),
    (
        "the sign is wrong: the loss would grow",
        "if you take a small step against your gradient, does the loss fall?",
        lambda theta, X, y, bound: -clipped_gradients(theta, X, y, bound=bound),
    ),
    (
        "the gradients get the type of X",
        "which type of numbers has your result, if X has whole numbers?",
        lambda theta, X, y, bound: clipped_gradients(theta, X, y, bound=bound).astype(X.dtype),
    ),
):
    CLAIM.mistake(name, ask, answer)
for name, ask, slope in (
    (
        "the formula for labels 0 and 1 is used",
        "which labels does this formula want, 0 and 1 or -1 and +1?",
        lambda score, label: sigmoid(score) - label,
    ),
    (
        "the labels are missing in the exponent",
        CHAIN,
        lambda score, label: -label * sigmoid(-score),
    ),
    ("the labels are missing before x", CHAIN, lambda score, label: -sigmoid(-label * score)),
    (
        "the exponent has the wrong sign",
        "a row that is judged right, and surely: is its gradient large or small?",
        lambda score, label: -label * sigmoid(label * score),
    ),
    (
        "every row counts in full: the factor 1 / (1 + exp(m)) is missing",
        CHAIN,
        lambda score, label: -label,
    ),
    ("it is the gradient of the squared error", LOSS, lambda score, label: score - label),
    (
        "it is the gradient of the hinge loss",
        LOSS,
        lambda score, label: -label * (label * score < 1),
    ),
    *(
        (
            f"scores are cut off at {most}",
            "how small is the slope of a row that is judged right, and surely?",
            lambda score, label, most=most: -label * sigmoid(-np.clip(label * score, -most, most)),
        )
        for most in (5, 10)
    ),
):
    CLAIM.mistake(name, ask, with_slope(slope))
