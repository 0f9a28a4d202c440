"""Rows from a tree of pairs that is chosen privately: a third of epsilon for each step."""

from autograder.check.claims.synthetic import _pair_trees as trees
from autograder.check.claims.synthetic import _synthetic_rows as rows
from autograder.check.claims.synthetic._secrets import secrets_part
from autograder.check.claims.synthetic._synthetic_parts import budget_part, leak_part
from autograder.check.designed import at_edges
from autograder.check.function_claim import FunctionClaim
from autograder.check.several import SeveralClaims


def synthesize_from_tree(table, *, categories, epsilon, size=None, neighbors="add_remove"):
    """Rows from a tree of pairs that is chosen privately."""
    return following(trees.of_tree)(table, categories=categories, epsilon=epsilon, size=size)


def following(law, **chosen):
    """Return an answer without noise whose rows follow law(shares of the real rows, best pairs)."""

    def answer(table, *, categories, epsilon, size):
        counts = rows.counts_in(table, categories)
        if not len(table):
            return rows.rows_that_follow(rows.even_shares(counts), categories, size)
        shares = law(counts / len(table), trees.best_pairs(counts, **chosen))
        return rows.rows_that_follow(shares, categories, size)

    return answer


def situation(given: dict) -> str:
    if not len(given["table"]):
        return "a table without rows"
    pairs = trees.best_pairs(rows.counts_in(given["table"], given["categories"]))
    return f"{rows.noise_in_words(given)}, the best pairs are {tuple(pairs)}"


TREE = FunctionClaim(
    synthesize_from_tree,
    established="without noise, rows follow the best tree",
    read=rows.shares_of,
    chance=True,
    absolute=rows.TOLERANCE,
    show=rows.show_shares,
    situation=situation,
    ask="do your rows follow the table alone, or these pairs? Print the pairs that you choose, and "
    "from which marginal each column comes. Does a drawn value go back to the row that it was "
    "drawn for?",
)


def _joined(pairs: list[tuple[int, int]]) -> bool:
    """Say whether the two best pairs have a column in common."""
    return len({*pairs[0], *pairs[1]}) == 3


@TREE.inputs
def six(rng):
    """Settings without noise: three whose best trees differ, two of four columns, a short column.

    In one the best pairs close a circle, in one the two best ones have no column in common.
    """
    for weakest in ((0, 1), (1, 2), (0, 2)):
        yield rows.many_rows(trees.random_counts(rng, weakest), int(rng.integers(2**32)))
    for drawn in (trees.circle_counts, trees.bridge_counts, trees.unequal_counts):
        yield rows.many_rows(drawn(rng), int(rng.integers(2**32)))


@TREE.designed
def edges(rng):
    """A table without rows, a neighbor like any other; lists of one value, at any epsilon."""
    yield "no rows", rows.without_rows(rng)
    for epsilon in at_edges("epsilon", rng):
        yield "one value a column, one row", rows.of_one_value(rng, epsilon)


TREE.mistake(
    "the weakest pairs are chosen",
    "which pairs gain most from being measured? Score them all, and take the best.",
    following(trees.of_tree, best=False),
)
TREE.mistake(
    "pairs are scored by another measure, as Cramer's V or a correlation",
    "it is a quotient: by how much may one row move it, and is its best tree the task's?",
    following(trees.of_tree, score=trees.cramers_v),
)
TREE.mistake(
    "the best pairs are chosen though they close a circle",
    "three pairs of three columns: which fourth column is left alone then?",
    following(lambda shares, pairs: trees.of_tree(shares, pairs[: 3 - _joined(pairs)])),
)
TREE.mistake(
    "two pieces of the tree are never joined",
    "two pairs without a common column: which third pair would close no circle?",
    following(lambda shares, pairs: trees.of_tree(shares, pairs[: 2 + _joined(pairs)])),
)
for name, ask, law in trees.ROW_MISTAKES:
    TREE.mistake(name, ask, following(law))

CLAIM = SeveralClaims(
    name=TREE.name,
    about=TREE.about,
    established="rows follow the best tree; marginals cost a third a kind; nobody is given away",
    parts=(
        TREE,
        budget_part(TREE.name, kinds=3, share="a third", usually_fitted=True),
        leak_part(TREE.name, chosen=True),
        secrets_part(TREE.name),
    ),
)
