"""Answers to chapter 04."""
# ruff: noqa: NPY002

import functools
import math
import random
from collections import Counter
from decimal import Decimal

import numpy as np
import pandas as pd
from scipy import stats

import dplib
from dplib import PureDP
from wrong_answers.derived import wrong_numbers
from wrong_answers.leaks import wrong_leaks

RIGHT, WRONG = {}, {}

GENERATOR = np.random.default_rng()
MOVED = {"add_remove": 1, "replace_one": 2}


# --- private_histogram ------------------------------------------------------------------------


def _noisy(count, change=lambda counts: counts, scale=None, draw=None, after=lambda noisy: noisy):
    """Return an answer that adds noise to its counts, and differs from a right one in one step."""
    scale = scale or (lambda epsilon, moved, counts: moved / epsilon)
    draw = draw or (lambda scale, size: GENERATOR.laplace(scale=scale, size=size))

    def answer(data, *, categories, epsilon, neighbors="add_remove", rng=None):
        counts = count(data, categories)
        noise = draw(scale(epsilon, MOVED[neighbors], counts), counts.shape)
        return after(change(counts) + noise)

    return answer


def _histogram(**changes):
    return _noisy(
        lambda values, known: values.value_counts().reindex(known, fill_value=0), **changes
    )


def histogram_by_hand(values, *, categories, epsilon, neighbors="add_remove"):
    scale = (1 if neighbors == "add_remove" else 2) / epsilon
    noisy = dict.fromkeys(categories, 0.0)
    for value in values:
        noisy[value] += 1
    for category in categories:
        sign = random.choice([-1, 1])
        noisy[category] += sign * random.expovariate(1 / scale)
    return noisy


def histogram_by_comparison(values, *, categories, epsilon, neighbors="add_remove", rng=None):
    rng = rng or np.random.default_rng()
    scale = MOVED[neighbors] / epsilon
    return [(values == each).sum() + rng.laplace(0, scale) for each in categories]


def histogram_by_categorical(values, *, categories, epsilon, neighbors="add_remove", rng=None):
    counts = pd.Categorical(values, categories=categories).value_counts()
    scale = MOVED[neighbors] / epsilon
    return counts + stats.laplace.rvs(scale=scale, size=len(counts))


def histogram_by_the_mechanism(values, *, categories, epsilon, neighbors="add_remove", rng=None):
    counts = values.value_counts().reindex(categories, fill_value=0)
    noisy = dplib.laplace_mechanism(counts, sensitivity=MOVED[neighbors], epsilon=epsilon, rng=rng)
    return pd.Series(noisy, index=categories)


def histogram_in_another_order(values, *, categories, epsilon, neighbors="add_remove", rng=None):
    # Labels say which count is which.
    order = sorted(categories)
    counts = np.array([np.count_nonzero(values == each) for each in order], dtype=float)
    counts += np.random.laplace(scale=MOVED[neighbors] / epsilon, size=len(order))
    return pd.Series(counts, index=order).to_frame()


def histogram_by_frequency(values, *, categories, epsilon, neighbors="add_remove", rng=None):
    """The labels stand as `value_counts` leaves them: the most frequent category first."""
    counts = values.value_counts().reindex(categories, fill_value=0).sort_values(ascending=False)
    scale = {"add_remove": 1, "replace_one": 2}[neighbors] / epsilon
    return counts + np.random.laplace(0, scale, len(counts))


def histogram_by_noisy_count(values, *, categories, epsilon, neighbors="add_remove", rng=None):
    """The order of what is released tells nothing new."""
    noisy = histogram_by_hand(values, categories=categories, epsilon=epsilon, neighbors=neighbors)
    return pd.Series(noisy).sort_values(ascending=False)


RIGHT["private_histogram"] = [
    histogram_by_noisy_count,
    _histogram(),
    histogram_by_hand,
    histogram_by_comparison,
    histogram_by_categorical,
    histogram_by_the_mechanism,
    histogram_in_another_order,
    _histogram(after=np.array),
]


def histogram_off_the_data(values, *, categories, epsilon, neighbors="add_remove", rng=None):
    counts = values.value_counts()
    return counts + np.random.laplace(scale=MOVED[neighbors] / epsilon, size=len(counts))


def histogram_with_gaps(values, *, categories, epsilon, neighbors="add_remove", rng=None):
    counts = values.value_counts().reindex(categories)
    return counts + np.random.laplace(scale=MOVED[neighbors] / epsilon, size=len(counts))


def histogram_by_alphabet(values, *, categories, epsilon, neighbors="add_remove", rng=None):
    counts = np.array([np.sum(values == each) for each in sorted(categories)])
    return counts + np.random.laplace(scale=MOVED[neighbors] / epsilon, size=len(counts))


def histogram_by_size(values, *, categories, epsilon, neighbors="add_remove", rng=None):
    counts = pd.Categorical(values, categories=categories).value_counts().sort_values()[::-1]
    return (counts + np.random.laplace(scale=MOVED[neighbors] / epsilon, size=5)).to_list()


def histogram_of_people_only(values, *, categories, epsilon, neighbors="add_remove", rng=None):
    counts = values.value_counts().reindex(categories, fill_value=0).astype(float)
    noise = np.random.laplace(scale=MOVED[neighbors] / epsilon, size=len(counts))
    return counts.where(counts == 0, counts + noise)


def histogram_with_texts(values, *, categories, epsilon, neighbors="add_remove", rng=None):
    counts = values.astype(str).value_counts().reindex(list(map(str, categories)), fill_value=0)
    return counts + np.random.laplace(scale=MOVED[neighbors] / epsilon, size=len(counts))


def histogram_that_writes(values, *, categories, epsilon, neighbors="add_remove", rng=None):
    categories.sort()
    return histogram_by_comparison(
        values, categories=categories, epsilon=epsilon, neighbors=neighbors
    )


def nothing_for_nobody(answer, nothing):
    """Return an answer that adds noise, but to a table without rows."""

    def careful(table, *, categories, **keywords):
        if len(table) == 0:
            return nothing(categories)
        return answer(table, categories=categories, **keywords)

    return careful


_LAPLACE = functools.partial(np.random.laplace, 0)

# Wrong in the same way for a histogram and a crosstab.
WRONG_COUNTS = [
    ({"scale": lambda epsilon, moved, counts: 1 / epsilon}, "replace_one is treated as add_rem"),
    ({"scale": lambda epsilon, moved, counts: 2 / epsilon}, "add_remove is treated as repl"),
    ({"scale": lambda epsilon, moved, counts: (3 - moved) / epsilon}, "are exchanged"),
    ({"scale": lambda epsilon, moved, counts: 2 * moved / epsilon}, "the noise is doubled"),
    ({"scale": lambda epsilon, moved, counts: moved / 2 / epsilon}, "the noise is halved"),
    (
        {"scale": lambda epsilon, moved, counts: moved**2 / epsilon},
        "a replaced row is counted twice",
    ),
    ({"scale": lambda epsilon, moved, counts: moved}, "epsilon is ignored"),
    ({"scale": lambda epsilon, moved, counts: 1}, "sensitivity and epsilon are ignored"),
    ({"scale": lambda epsilon, moved, counts: epsilon}, "epsilon is used as the scale"),
    ({"scale": lambda epsilon, moved, counts: moved * epsilon}, "epsilon multiplies"),
    ({"scale": lambda epsilon, moved, counts: moved / epsilon**2}, "epsilon is squared"),
    ({"scale": lambda epsilon, moved, counts: moved / min(epsilon, 1)}, "an epsilon above 1"),
    ({"draw": lambda scale, size: np.random.normal(scale=scale, size=size)}, "Gaussian, not"),
    ({"draw": lambda scale, size: abs(_LAPLACE(scale, size))}, "never negative"),
    ({"draw": lambda scale, size: _LAPLACE(scale / 2**0.5, size)}, "for the standard deviation"),
    ({"draw": lambda scale, size: _LAPLACE(1.25 * scale, size)}, "× what it must be"),
    ({"draw": lambda scale, size: _LAPLACE(scale)}, "depend on each other"),
    ({"draw": lambda scale, size: np.random.default_rng(1).laplace(0, scale, size)}, "same answer"),
    ({"draw": lambda scale, size: 0.0}, "no noise is added"),
    ({"after": lambda noisy: noisy.clip(lower=0)}, "negative counts become 0"),
    ({"after": lambda noisy: noisy.abs()}, "negative counts become positive"),
    ({"after": lambda noisy: noisy.round()}, "rounded to whole numbers"),
    ({"after": lambda noisy: noisy.astype(str)}, "the counts are not numbers"),
    (
        {"change": lambda counts: counts / counts.to_numpy().sum()},
        "the counts are missing, or divided",
    ),
    ({"change": lambda counts: 0 * counts}, "the counts are missing, or divided"),
]


def histogram_by_subtraction(values, *, categories, epsilon, neighbors="add_remove", rng=None):
    noisy = [
        (values == each).sum() + np.random.laplace(0, MOVED[neighbors] / epsilon)
        for each in categories[:-1]
    ]
    return [*noisy, len(values) - sum(noisy)]


WRONG["private_histogram"] = [
    (histogram_by_subtraction, "the last count is the number of people less the other noisy"),
    (histogram_by_frequency, "the order of the labels tells"),
    *((_histogram(**changes), words) for changes, words in WRONG_COUNTS),
    (
        _histogram(scale=lambda epsilon, moved, counts: moved * len(counts) / epsilon),
        "epsilon is divided among the cells",
    ),
    (
        _histogram(scale=lambda epsilon, moved, counts: counts.sum() / epsilon),
        "the number of rows is used",
    ),
    (histogram_off_the_data, "the categories are read off the data"),
    (histogram_with_gaps, "a count is not a finite number"),
    (histogram_by_alphabet, "the order of the alphabet"),
    (histogram_by_size, "the order of their size"),
    (histogram_of_people_only, "empty cells get no noise"),
    (
        nothing_for_nobody(_histogram(), lambda categories: pd.Series(0.0, index=categories)),
        "a table without rows gets no noise",
    ),
    (histogram_that_writes, "it changes what it is given"),
    (
        _histogram(scale=lambda epsilon, moved, counts: moved * np.sum(counts > 0) / epsilon),
        "divided among the cells that have people",
    ),
    (histogram_with_texts, "', '"),  # texts are quoted
    (
        lambda values, *, categories, epsilon, neighbors="": {"all": len(values)},
        "the labels are not the categories",
    ),
    (
        lambda values, *, categories, epsilon, neighbors="": np.random.laplace(size=3),
        "does not have the shape",
    ),
]


# --- privacy_ledger ---------------------------------------------------------------------------


class _Ledger:
    """A right ledger; the wrong ones below change a step."""

    def __init__(self, budget):
        self.budget, self.parts = budget, []

    @property
    def spent(self):
        total = sum(each.epsilon for each in self.parts)
        return PureDP(total, self.budget.neighbors) if self.parts else None

    def over(self, guarantee):
        total = math.fsum([each.epsilon for each in self.parts] + [guarantee.epsilon])
        return total > self.budget.epsilon * (1 + 1e-9)

    def spend(self, guarantee, label=""):
        if guarantee.neighbors != self.budget.neighbors:
            raise ValueError(f"{guarantee} is for other neighbors")
        if self.over(guarantee):
            raise ValueError(f"{label} would overspend")
        self.parts.append(guarantee)
        return self.spent


class LedgerOfGuarantees:
    def __init__(self, budget):
        self.budget = budget
        self.entries = []
        self.spent = None

    def spend(self, guarantee, label=""):
        total = dplib.sequential_composition([*self.entries, guarantee])
        if total.neighbors != self.budget.neighbors:
            raise ValueError("other neighbors")
        if total.epsilon > self.budget.epsilon * (1 + 1e-12):
            raise dplib.BudgetExceededError("no")
        self.entries.append(guarantee)
        self.spent = total
        return total


class LedgerOfWhatIsLeft:
    def __init__(self, budget):
        self.neighbors, self.first = budget.neighbors, budget.epsilon
        self.left = budget.epsilon

    @property
    def spent(self):
        if self.left == self.first:
            return None
        return PureDP(self.first - self.left, self.neighbors)

    def spend(self, guarantee, label=None):
        if guarantee.neighbors != self.neighbors:
            raise ValueError(guarantee)
        if not (guarantee.epsilon < self.left or math.isclose(guarantee.epsilon, self.left)):
            raise ValueError(f"only {self.left} is left")
        self.left = max(self.left - guarantee.epsilon, 0.0)
        return self.spent


class AcceptsOtherNeighbors(_Ledger):
    def spend(self, guarantee, label=""):
        return super().spend(PureDP(guarantee.epsilon, self.budget.neighbors))


class ReturnsNothing(_Ledger):
    def spend(self, guarantee, label=""):
        super().spend(guarantee)


class HoldsNumbers(_Ledger):
    @property
    def spent(self):
        return sum(each.epsilon for each in self.parts)


class NotAnswered:
    def __init__(self, budget):
        raise NotImplementedError


class SaysAddRemove(_Ledger):
    @property
    def spent(self):
        return PureDP(sum(each.epsilon for each in self.parts)) if self.parts else None


class TakesBackOnlyWhatOverspends(LedgerOfGuarantees):
    """Guarantees for different neighbors have no sum: the error comes before it is taken back."""

    def spend(self, guarantee, label=""):
        self.entries.append(guarantee)
        total = dplib.sequential_composition(self.entries)
        if (
            total.neighbors != self.budget.neighbors
            or total.epsilon > self.budget.epsilon * 1.000001
        ):
            self.entries.pop()
            raise ValueError(label)
        self.spent = total
        return total


RIGHT["privacy_ledger"] = [
    _Ledger,
    LedgerOfGuarantees,
    LedgerOfWhatIsLeft,
    type("Ledger", (_Ledger,), {}),
]


class AllowsOneNumber(_Ledger):
    """Lets the same excess through, whatever the budget is."""

    def over(self, guarantee):
        total = math.fsum([each.epsilon for each in self.parts] + [guarantee.epsilon])
        return total > self.budget.epsilon + 1e-10


class IsCloseOfNumpy(_Ledger):
    def over(self, guarantee):
        total = math.fsum([each.epsilon for each in self.parts] + [guarantee.epsilon])
        return total > self.budget.epsilon and not np.isclose(total, self.budget.epsilon)


class AddsDecimals(_Ledger):
    """Adds without a rounding error what has one already."""

    def over(self, guarantee):
        parts = [Decimal(repr(each.epsilon)) for each in [*self.parts, guarantee]]
        return sum(parts) > Decimal(repr(self.budget.epsilon))


class NeverBelowNothing(_Ledger):
    """What is left is never below 0, so a little more fits again and again."""

    def over(self, guarantee):
        left = max(self.budget.epsilon - math.fsum(each.epsilon for each in self.parts), 0.0)
        return guarantee.epsilon > left + 2e-6 * self.budget.epsilon


WRONG["privacy_ledger"] = [
    (NeverBelowNothing, "again and again"),
    (AddsDecimals, "that was computed"),
    (AllowsOneNumber, "a budget of another size"),
    (IsCloseOfNumpy, "a budget of another size"),
    (AcceptsOtherNeighbors, "a release for other neighbors is accepted"),
    (SaysAddRemove, "the sum is for other neighbors than its parts"),
    (TakesBackOnlyWhatOverspends, "after a release for other neighbors everything is refused"),
    (ReturnsNothing, "`spend` returns nothing"),
    (HoldsNumbers, "a guarantee is wanted"),
    (lambda budget: budget, "AttributeError"),
    (NotAnswered, "not answered yet"),
    (dplib.PrivacyLedger, "the library's own version"),
    (type("PrivacyLedger", (dplib.PrivacyLedger,), {}), "the library's own version"),
]


# --- plan_cost --------------------------------------------------------------------------------


def plan_in_a_loop(releases):
    spent = Counter()
    for districts, epsilon in releases:
        for district in districts:
            spent[district] += epsilon
    return spent.most_common(1)[0][1]


def plan_by_people(releases):
    """One person in each district: what touches them?"""
    people = {name for districts, _ in releases for name in districts}
    return max(sum(e for districts, e in releases if person in districts) for person in people)


def plan_by_table(releases):
    rows = [{"name": name, "spent": e} for districts, e in releases for name in districts]
    return pd.DataFrame(rows).groupby("name")["spent"].sum().max()


RIGHT["plan_cost"] = [plan_in_a_loop, plan_by_people, plan_by_table]


def plan_of_linked_releases(releases):
    """Add up all releases that overlap, also through others."""
    groups = []
    for districts, epsilon in releases:
        names, total = set(districts), epsilon
        for group in [each for each in groups if each[0] & names]:
            groups.remove(group)
            names, total = names | group[0], total + group[1]
        groups.append((names, total))
    return max(total for _, total in groups)


def plan_by_boxes(releases):
    """Put separate releases into one box, and add up the boxes."""
    boxes = []
    for districts, epsilon in releases:
        for box in boxes:
            if not box["names"] & set(districts):
                box["names"] |= set(districts)
                box["epsilon"] = max(box["epsilon"], epsilon)
                break
        else:
            boxes.append({"names": set(districts), "epsilon": epsilon})
    return sum(box["epsilon"] for box in boxes)


def plan_with_shared_releases_for_all(releases):
    alone = Counter()
    for districts, epsilon in releases:
        if len(districts) == 1:
            alone[districts[0]] += epsilon
    return sum(e for d, e in releases if len(d) > 1) + max(alone.values(), default=0)


WRONG["plan_cost"] = [
    (plan_of_linked_releases, "overlap through others"),
    (plan_by_boxes, "paired off first"),
    (plan_with_shared_releases_for_all, "charged to everybody"),
    (lambda releases: sum(e * len(d) for d, e in releases), "the districts are added up"),
    (lambda releases: math.exp(plan_in_a_loop(releases)), "the value is wrong at"),
]


# --- leaks_in_tables --------------------------------------------------------------------------


def _model_leaks():
    tours = [{"wing": "new", "tours": 5}]
    new, old = [{"wing": "new", "tours": 0}], [{"wing": "old", "tours": 0}]
    in_all = (tours, [], lambda output: min(output["first_line"], *output["use"]) >= 1)
    moved = (new, old, lambda out: out["first_line"][0] >= 1 > out["first_line"][1])
    return "Model Answer", in_all, moved, "private"


def _leaks_among_others():
    rows = [{"wing": "old", "tours": 7}] * 4
    both = (rows, rows[:3], lambda out: min(out["first_line"], *out["use"]) >= 4)
    change = ([*rows[:3], {"wing": "new", "tours": 7}], rows)
    moved = (*change, lambda out: out["first_line"][0] >= 1 and out["first_line"][1] <= 3)
    return "MODEL ANSWER", both, moved, "PRIVATE"


def _leaks_with_smaller_events():
    tours = [{"wing": "new", "tours": 5}]
    new, old = [{"wing": "new", "tours": 0}], [{"wing": "old", "tours": 0}]
    in_all = (tours, [], lambda output: min(output["first_line"], *output["use"]) in (1, 2))
    moved = (new, old, lambda out: np.subtract(*out["first_line"]) in (1, 2, 3))
    return "Model Answer", in_all, moved, "private"


def _one_count_alone():
    name, _, *said = _model_leaks()
    tours = [{"wing": "new", "tours": 5}]
    return name, (tours, [], lambda output: output["use"][0] >= 1), *said


def _both_counts_alone():
    name, _, *said = _model_leaks()
    tours = [{"wing": "new", "tours": 5}]
    return name, (tours, [], lambda output: min(output["use"]) >= 1), *said


def _honest_part():
    name, _, *said = _model_leaks()
    tours = [{"wing": "new", "tours": 5}]
    return name, (tours, [], lambda output: output["first_line"] > 0), *said


def _called_private():
    name, _, *said = _model_leaks()
    return name, "private", *said


def _asked_for_a_count_that_is_not_there():
    name, first, (new, old, _), third = _model_leaks()
    return name, first, (new, old, lambda output: output["wing"] >= 1), third


RIGHT["leaks_in_tables"] = [_model_leaks, _leaks_among_others, _leaks_with_smaller_events]

WRONG["leaks_in_tables"] = [
    *wrong_leaks("leaks_in_tables", _model_leaks),
    (_one_count_alone, "does not tell the two tables apart well enough"),
    (_both_counts_alone, "as much more likely as was promised, and no more"),
    (_honest_part, "does not tell the two tables apart well enough"),
    (_called_private, 'program 1: it is not "private"'),
    (_asked_for_a_count_that_is_not_there, "program 2: the event stops with an error"),
]


# --- derive_prices -----------------------------------------------------------------------------


def _derived():
    return "Model Answer", 2 / 25 + 1 / 40, 2 / 25 + 1 / 4, 1 / 50


RIGHT["derive_prices"] = [
    _derived,
    lambda: ["model  answer", 0.105, 0.33, 0.02],
    # Two of three are right, which earns two thirds of the points.
    lambda: ("Model Answer", np.float64(0.105), 0.33, math.inf),
]

WRONG["derive_prices"] = wrong_numbers("derive_prices", _derived)
