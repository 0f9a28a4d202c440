"""Rows that keep each column's shares and those of stated pairs, for half of epsilon each."""

import itertools

from autograder.check.claims.synthetic import _pair_trees as trees
from autograder.check.claims.synthetic import _synthetic_rows as rows
from autograder.check.claims.synthetic._secrets import secrets_part
from autograder.check.claims.synthetic._synthetic_parts import budget_part, leak_part
from autograder.check.designed import at_edges
from autograder.check.function_claim import FunctionClaim
from autograder.check.several import SeveralClaims


def synthesize_from_pairs(
    table, *, categories, epsilon, pairs=None, size=None, neighbors="add_remove"
):
    """Rows that keep the shares of columns and of pairs."""
    return following(trees.of_tree)(
        table, categories=categories, epsilon=epsilon, pairs=pairs, size=size
    )


def following(law):
    """Return an answer without noise whose rows follow law(shares of the real rows, pairs)."""

    def answer(table, *, categories, epsilon, pairs=None, size):
        if not len(table):
            even = rows.even_shares(rows.counts_in(table, categories))
            return rows.rows_that_follow(even, categories, size)
        names = list(categories)
        chosen = pairs or itertools.pairwise(names)
        places = [(names.index(one), names.index(other)) for one, other in chosen]
        shares = rows.counts_in(table, categories) / len(table)
        return rows.rows_that_follow(law(shares, places), categories, size)

    return answer


TREE = FunctionClaim(
    synthesize_from_pairs,
    established="without noise, rows follow the tree of pairs",
    read=rows.shares_of,
    chance=True,
    absolute=rows.TOLERANCE,
    show=rows.show_shares,
    ask="in which order are your pairs taken, which column of each is drawn already, and from "
    "which side of its table do you read the other? And does a drawn value go back to the row that "
    "it was drawn for?",
    situation=lambda given: (
        f"{rows.noise_in_words(given)}, pairs {given.get('pairs', 'not given')}"
    ),
)


@TREE.inputs
def four(rng):
    """Settings without noise: pairs not given, and given in three other ways.

    In the last one no column of the first pair is the first column.
    """
    for pairs in (None, ((0, 2), (1, 2)), ((0, 1), (0, 2)), ((2, 1), (0, 2))):
        given = {} if pairs is None else {"pairs": pairs}
        yield rows.many_rows(trees.random_counts(rng), int(rng.integers(2**32)), **given)


@TREE.designed
def edges(rng):
    """A table without rows, a neighbor like any other; lists of one value, at any epsilon."""
    yield "no rows", rows.without_rows(rng)
    for epsilon in at_edges("epsilon", rng):
        yield "one value a column, one row", rows.of_one_value(rng, epsilon)


def from_the_first(shares, pairs):
    """Skip a pair whose first column is not drawn yet: its columns are drawn alone."""
    drawn, kept = {0}, []
    for one, other in pairs:
        if one in drawn:
            drawn.add(other)
            kept.append((one, other))
    return trees.of_tree(shares, kept)


TREE.mistake(
    "a pair whose first column is not drawn yet is skipped",
    "pairs may come in any order and either way round: which one waits for another?",
    following(from_the_first),
)
for name, ask, law in trees.ROW_MISTAKES:
    TREE.mistake(name, ask, following(law))

CLAIM = SeveralClaims(
    name=TREE.name,
    about=TREE.about,
    established="rows follow the pairs; marginals cost half a kind; nobody is given away",
    parts=(
        TREE,
        budget_part(TREE.name),
        leak_part(TREE.name),
        secrets_part(TREE.name),
    ),
)
