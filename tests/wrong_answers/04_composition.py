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


# --- private_crosstab -------------------------------------------------------------------------


def _pairs(table, categories):
    # As `_pairs_by_pandas`, in a tenth of the time.
    labels = [pd.Index(each, name=name) for name, each in categories.items()]
    places = np.array([each.get_indexer(table[each.name]) for each in labels], dtype=int)
    shape = tuple(map(len, labels))
    cells = np.ravel_multi_index(tuple(places[:, np.all(places >= 0, axis=0)]), shape)
    counts = np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)
    return pd.DataFrame(counts, index=labels[0], columns=labels[1])


def _crosstab(**changes):
    return _noisy(_pairs, **changes)


def _pairs_by_pandas(table, categories):
    (rows, row_labels), (columns, column_labels) = categories.items()
    counts = pd.crosstab(table[rows], table[columns])
    return counts.reindex(index=row_labels, columns=column_labels, fill_value=0)


def crosstab_by_hand(table, *, categories, epsilon, neighbors="add_remove"):
    one, other = categories
    noisy = pd.DataFrame(0.0, index=categories[one], columns=categories[other])
    for row in noisy.index:
        for column in noisy.columns:
            exact = ((table[one] == row) & (table[other] == column)).sum()
            sign = random.choice([-1, 1])
            size = random.expovariate(epsilon / (1 if neighbors == "add_remove" else 2))
            noisy.loc[row, column] = exact + sign * size
    return noisy


def crosstab_by_histograms(table, *, categories, epsilon, neighbors="add_remove", rng=None):
    # Everybody is in one column of the table: a histogram for each of them, as parts.
    (rows, row_labels), (columns, column_labels) = categories.items()
    return np.column_stack(
        [
            dplib.private_histogram(
                table.loc[table[columns] == column, rows],
                categories=row_labels,
                epsilon=epsilon,
                neighbors=neighbors,
                rng=rng,
            )
            for column in column_labels
        ]
    )


def crosstab_in_another_order(table, *, categories, epsilon, neighbors="add_remove", rng=None):
    exact = _pairs_by_pandas(table, categories)
    noisy = exact + np.random.laplace(scale=MOVED[neighbors] / epsilon, size=exact.shape)
    return noisy.sort_index().sort_index(axis=1)


def crosstab_by_group(table, *, categories, epsilon, neighbors="add_remove", rng=None):
    possible = pd.MultiIndex.from_product(categories.values(), names=list(categories))
    counts = table.groupby(list(categories)).size().reindex(possible, fill_value=0)
    noisy = counts + stats.laplace.rvs(scale=MOVED[neighbors] / epsilon, size=len(counts))
    return noisy.unstack()


RIGHT["private_crosstab"] = [
    _crosstab(),
    crosstab_by_hand,
    crosstab_by_histograms,
    crosstab_in_another_order,
    crosstab_by_group,
    _crosstab(after=np.array),
]


def crosstab_off_the_data(table, *, categories, epsilon, neighbors="add_remove", rng=None):
    counts = pd.crosstab(*(table[column] for column in categories))
    return counts + np.random.laplace(scale=MOVED[neighbors] / epsilon, size=counts.shape)


def crosstab_of_people_only(table, *, categories, epsilon, neighbors="add_remove", rng=None):
    counts = _pairs(table, categories)
    noisy = counts + np.random.laplace(scale=MOVED[neighbors] / epsilon, size=counts.shape)
    return noisy.where(counts > 0, 0.0)


def crosstab_that_writes(table, *, categories, epsilon, neighbors="add_remove", rng=None):
    table["one"] = 1
    return _crosstab()(table, categories=categories, epsilon=epsilon, neighbors=neighbors)


def _crosstab_of_texts(between):
    """Return an answer that makes one text of each pair, and counts the texts."""

    def answer(table, *, categories, epsilon, neighbors="add_remove", rng=None):
        (one, rows), (other, columns) = categories.items()
        pairs = zip(table[one], table[other], strict=True)
        seen = Counter(f"{row}{between}{column}" for row, column in pairs)
        cells = [[seen[f"{row}{between}{column}"] for column in columns] for row in rows]
        counts = np.array(cells)
        return counts + np.random.laplace(scale=MOVED[neighbors] / epsilon, size=counts.shape)

    return answer


WRONG["private_crosstab"] = [
    *(
        (_crosstab_of_texts(between), "pairs that look alike when joined")
        for between in ("", " ", "|", ", ")
    ),
    *((_crosstab(**changes), words) for changes, words in WRONG_COUNTS),
    (
        _crosstab(scale=lambda epsilon, moved, counts: moved * counts.size / epsilon),
        "epsilon is divided among the cells",
    ),
    (
        _crosstab(scale=lambda epsilon, moved, counts: moved * counts.shape[1] / epsilon),
        "among the rows of the table",
    ),
    (_crosstab(after=lambda noisy: noisy.T), "rows and columns are exchanged"),
    (_crosstab(after=lambda noisy: noisy.to_numpy().T), "does not have the shape"),
    (crosstab_off_the_data, "the categories are read off the data"),
    (crosstab_of_people_only, "empty cells get no noise"),
    (
        nothing_for_nobody(
            _crosstab(), lambda categories: np.zeros([len(each) for each in categories.values()])
        ),
        "a table without rows gets no noise",
    ),
    (crosstab_that_writes, "it changes what it is given"),
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


# --- averaging_attack -------------------------------------------------------------------------


def _by_normal_law(epsilon, quantile=2.3264, reserve=1.02):
    return math.ceil(reserve * quantile**2 * 2 / (0.5 * epsilon) ** 2) + 1


def averaging_by_search(epsilon):
    # Edgeworth's correction for the tails, and the normal law.
    def right(answers):
        reach = 0.5 * epsilon * math.sqrt(answers / 2)
        correction = (reach**3 - 3 * reach) / (8 * answers)
        return stats.norm.cdf(reach) - stats.norm.pdf(reach) * correction

    answers = max(1, math.floor(30 / epsilon**2))
    while right(answers) < 0.9901:
        answers += 1
    return answers


RIGHT["averaging_attack"] = [
    _by_normal_law,
    lambda epsilon: int(44.2 / epsilon**2) + 2,
    lambda epsilon: float(np.ceil(45 / epsilon**2) + 1),
    averaging_by_search,
    lambda epsilon: int(stats.norm.isf(0.0095) ** 2 * 8 / epsilon**2) + 2,
]

WRONG["averaging_attack"] = [
    (lambda epsilon: math.ceil(8 * 2.326**2 / epsilon**2), "is your reserve large enough?"),
    (lambda epsilon: _by_normal_law(epsilon) // 4, "to be nearer to the wrong one?"),
    (lambda epsilon: _by_normal_law(epsilon) // 2, "what is the variance of Laplace noise of sca"),
    (lambda epsilon: _by_normal_law(epsilon, reserve=1.2), "how large is your reserve?"),
    (lambda epsilon: _by_normal_law(epsilon, reserve=1) + 20, "how large is your reserve?"),
    (lambda epsilon: 2, "not enough"),
    (lambda epsilon: math.ceil(2 * math.log(50) / epsilon), "not enough"),
    (lambda epsilon: math.ceil(_by_normal_law(epsilon) ** 0.5), "not enough"),
    (lambda epsilon: _by_normal_law(epsilon, 1.96), "95 times in 100, or 99?"),
    (lambda epsilon: _by_normal_law(epsilon, 2.5758), "how many tails count?"),
    (lambda epsilon: math.ceil(800 / epsilon**2), "fewer answers are enough"),
    (lambda epsilon: 10**9, "fewer answers are enough"),
    (lambda epsilon: 2 ** math.ceil(math.log2(60 / epsilon**2)), "your number is a power of two"),
    (lambda epsilon: 10**300, "fewer answers are enough"),
    (lambda epsilon: 0, "not positive"),
    (lambda epsilon: 43.3 / epsilon**2, "not a whole number"),
    (lambda epsilon: 2.3264**2 * 2 / (0.5 * epsilon) ** 2, "not a whole number"),
    (lambda epsilon: "many", "one number is wanted"),
]


# --- category_counterexample ------------------------------------------------------------------


def _rare(values, categories):
    counts = values.value_counts().reindex(categories, fill_value=0)
    return counts.idxmin(), counts.min()


def counterexample_by_counts(values, *, categories):
    label, count = _rare(values, categories)
    if count == 0:
        return [*values, label], label
    return [value for value in values if value != label], label


def counterexample_as_series(values, *, categories):
    label, count = _rare(values, categories)
    if count == 0:
        return pd.concat([values, pd.Series([label])]), label
    return values[values != label], label


def counterexample_in_a_loop(values, *, categories):
    people = values.tolist()
    for category in categories:
        if category not in people:
            return np.array([*people, category]), category
        if people.count(category) == 1:
            people.remove(category)
            return people, category
    return None


RIGHT["category_counterexample"] = [
    counterexample_by_counts,
    counterexample_as_series,
    counterexample_in_a_loop,
    lambda values, *, categories: list(counterexample_by_counts(values, categories=categories)),
]


def counterexample_at_the_next_place(values, *, categories):
    """Overwrite the row that has the label len(values), if there is one."""
    label, count = _rare(values, categories)
    if count:
        return values[values != label], label
    neighbor = values.copy()
    neighbor.loc[len(values)] = label
    return neighbor, label


def counterexample_by_contains(values, *, categories):
    """Take every category that has the word in it for the category."""
    label = min(categories, key=lambda each: values.str.contains(each).sum())
    rest = values[~values.str.contains(label)]
    return (rest if len(rest) < len(values) else [*values, label]), label


def counterexample_in_small_letters(values, *, categories):
    return counterexample_by_counts(values.str.lower(), categories=[c.lower() for c in categories])


def counterexample_without_blanks(values, *, categories):
    return counterexample_by_counts(values.str.strip(), categories=[c.strip() for c in categories])


WRONG["category_counterexample"] = [
    (counterexample_in_small_letters, "a value is not among the categories"),
    (counterexample_without_blanks, "a value is not among the categories"),
    (counterexample_without_blanks, " people: '"),
    (counterexample_by_contains, ("not neighbors", "does not tell the two columns apart")),
    (counterexample_at_the_next_place, "not neighbors"),
    (lambda values, *, categories: (values, categories[0]), "equal to the first"),
    (
        lambda values, *, categories: ([*values, "Baby"], "Baby"),
        "a value is not among the categories",
    ),
    (
        lambda values, *, categories: (
            [value for value in values if value != values.mode()[0]],
            values.mode()[0],
        ),
        "not neighbors",
    ),
    (
        lambda values, *, categories: (
            [*values[values != values.mode()[0]], *values[values == values.mode()[0]][2:]],
            values.mode()[0],
        ),
        "not neighbors",
    ),
    (
        lambda values, *, categories: (values.tolist()[1:], values.mode()[0]),
        "does not tell the two columns apart",
    ),
    (
        lambda values, *, categories: ([*values, values[0]], values[0]),
        ("does not tell the two columns apart", "it stops with KeyError"),
    ),
    (lambda values, *, categories: (values.tolist() * 2, categories[0]), "not neighbors"),
    (lambda values, *, categories: categories[0], "two things are wanted"),
    (lambda values, *, categories: (values.value_counts().to_dict(), "a"), "not a column"),
    (lambda values, *, categories: (values.tolist()[1:], 0), "the label is not a word"),
]
