"""Advanced composition: what k releases cost together, by Dwork & Roth's theorem 3.20."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, as_number
from autograder.check.designed import at_edges
from autograder.check.function_claim import FunctionClaim

NEIGHBORS = ("add_remove", "replace_one")


def advanced_composition(guarantee, *, count, delta_prime):
    """An ApproximateDP with epsilon and delta by Dwork & Roth's theorem 3.20, and the neighbors of
    `guarantee`.
    """
    return total()(guarantee, count=count, delta_prime=delta_prime)


def total(epsilon=None, delta=None, neighbors=""):
    """Return an answer with another epsilon, delta or neighbors than the right ones.

    `epsilon` takes one release's epsilon, the count and delta_prime; `delta` its delta, and these.
    """

    def answer(guarantee, *, count, delta_prime):
        # Not dplib's ApproximateDP: in some wrong answers delta is 0.
        return SimpleNamespace(
            epsilon=(epsilon or both_terms)(guarantee.epsilon, count, delta_prime),
            delta=(delta or all_deltas)(getattr(guarantee, "delta", 0.0), count, delta_prime),
            neighbors=neighbors or guarantee.neighbors,
        )

    return answer


def root(epsilon, count, delta_prime):
    return epsilon * math.sqrt(2 * count * math.log(1 / delta_prime))


def both_terms(epsilon, count, delta_prime):
    # Dwork & Roth (2014), theorem 3.20.
    return root(epsilon, count, delta_prime) + count * epsilon * math.expm1(epsilon)


def all_deltas(delta, count, delta_prime):
    return count * delta + delta_prime


def read(answer: Any, given: dict) -> np.ndarray:
    """Return (epsilon, delta, place of the neighbors) of a guarantee."""
    if answer is None:
        raise BadAnswer("it returns nothing", ask="does every path end in `return`?")
    if not all(hasattr(answer, name) for name in ("epsilon", "delta", "neighbors")):
        raise BadAnswer(
            "an ApproximateDP is wanted",
            seen=f"it returned a {type(answer).__name__}",
            ask="what does the task say the function returns?",
        )
    neighbors = NEIGHBORS.index(answer.neighbors) if answer.neighbors in NEIGHBORS else -1
    return np.array([as_number(answer.epsilon), as_number(answer.delta), neighbors])


def show(wanted: np.ndarray, came: np.ndarray, given: dict) -> str:
    """Return the first of the three parts that is wrong, with what it should be."""
    for place, part in enumerate(("epsilon", "delta")):
        if not math.isclose(wanted[place], came[place], rel_tol=1e-6):
            return f"{part} should be {wanted[place]:.6g}, yours is {came[place]:.6g}"
    came_in = dict(enumerate(NEIGHBORS)).get(int(came[2]), "something else")
    return f'neighbors should be "{given["guarantee"].neighbors}", yours is "{came_in}"'


def situation(given: dict) -> str:
    guarantee = given["guarantee"]
    return (
        f"epsilon {guarantee.epsilon}, delta {getattr(guarantee, 'delta', 0):g}, "
        f"count {given['count']}, delta_prime {given['delta_prime']:g}"
    )


CLAIM = FunctionClaim(
    advanced_composition,
    established="the cost by the advanced theorem, both terms",
    read=read,
    show=show,
    situation=situation,
)


@CLAIM.designed
def far(rng):
    from dplib.guarantees import ApproximateDP, PureDP

    for epsilon in (*at_edges("epsilon", rng), 0.0003):
        for count in at_edges("count", rng):
            for delta_prime in at_edges("delta_prime", rng):
                name = f"epsilon {epsilon}, count {count}, delta_prime {delta_prime}"
                guarantee = PureDP(epsilon, "replace_one")
                if epsilon < 1:
                    guarantee = ApproximateDP(epsilon, 1e-12, "add_remove")
                given = {"count": count, "delta_prime": delta_prime}
                yield name, {"guarantee": guarantee, **given}


@CLAIM.inputs
def eight(rng):
    """Pure and approximate, both neighbors, epsilon small and large."""
    # Imported here: checks without guarantees do without the library.
    from dplib.guarantees import ApproximateDP, PureDP

    ranges = (
        ((0.02, 0.1), (100, 900), NEIGHBORS[0]),
        ((0.1, 0.4), (40, 300), NEIGHBORS[1]),
        ((0.4, 0.9), (10, 60), NEIGHBORS[0]),
        ((0.9, 1.6), (2, 9), NEIGHBORS[1]),
    )
    for epsilons, counts, neighbors in ranges:
        for pure in (True, False):
            epsilon = round(rng.uniform(*epsilons), 3)
            delta = float(f"{10 ** rng.uniform(-9, -6):.2g}")
            yield {
                "guarantee": PureDP(epsilon, neighbors)
                if pure
                else ApproximateDP(epsilon, delta, neighbors),
                "count": int(rng.integers(*counts)),
                "delta_prime": float(f"{10 ** rng.uniform(-7, -3):.2g}"),
            }


def second_term(factor):
    """Return a wrong total whose second term is count * epsilon * factor(epsilon)."""
    return total(lambda e, k, d: root(e, k, d) + k * e * factor(e))


def first_term(factor):
    """Return a wrong total whose first term is `factor` times the right one."""
    return total(lambda e, k, d: both_terms(e, k, d) + (factor - 1) * root(e, k, d))


SECOND = "the theorem has two terms: how does each of them grow with count?"
DELTAS = "which deltas are paid: those of the releases, and which one more?"

CLAIM.mistake(
    "this is the bound without the k*epsilon*(e^epsilon - 1) term",
    "for which epsilon and count is that term small enough to leave out?",
    total(root),
)
CLAIM.mistake(
    "the bound 2*epsilon*sqrt(2*k*ln(1/delta')) is used",
    "from which condition does that follow, and does it hold here?",
    total(lambda e, k, d: 2 * root(e, k, d)),
)
CLAIM.mistake(
    "the epsilons are added up",
    "that is sequential composition: what does the advanced theorem say?",
    total(lambda e, k, d: k * e),
)
CLAIM.mistake(
    "the smaller of two bounds is returned",
    "a good idea in practice; but what does the advanced theorem alone say here?",
    total(lambda e, k, d: min(both_terms(e, k, d), k * e)),
)
CLAIM.mistake(
    "e^epsilon stands where e^epsilon - 1 belongs",
    "releases with epsilon = 0 tell nothing: how large should this term be for them?",
    second_term(math.exp),
)
CLAIM.mistake(
    "e^epsilon - 1 is replaced by epsilon",
    "how large is e^epsilon - 1 at epsilon = 1?",
    second_term(lambda e: e),
)
CLAIM.mistake(
    "a later, sharper second term is used",
    "true, but which theorem is asked for here?",
    second_term(lambda e: math.tanh(e / 2)),
)
CLAIM.mistake(
    "the second term is that of concentrated privacy",
    "true for pure releases, but which theorem is asked for here?",
    second_term(lambda e: e / 2),
)
CLAIM.mistake(
    "the second term lacks the number of releases",
    SECOND,
    total(lambda e, k, d: root(e, k, d) + e * math.expm1(e)),
)
CLAIM.mistake(
    "the 2 under the root is missing",
    "write the formula on paper: what stands under the root?",
    first_term(math.sqrt(0.5)),
)
CLAIM.mistake(
    "the logarithm has base 10",
    "which logarithm undoes exp?",
    first_term(1 / math.sqrt(math.log(10))),
)


@CLAIM.mistake(
    "the whole delta of the total stands in the logarithm",
    "which of the deltas buys the theorem's smaller epsilon?",
)
def whole_delta(guarantee, *, count, delta_prime):
    answer = advanced_composition(guarantee, count=count, delta_prime=delta_prime)
    answer.epsilon = both_terms(guarantee.epsilon, count, answer.delta)
    return answer


CLAIM.mistake(
    "the logarithm holds the 1.25 of a Gaussian formula",
    "which number stands over delta_prime in this theorem's logarithm?",
    total(lambda e, k, d: both_terms(e, k, d / 1.25)),
)
CLAIM.mistake(
    "delta_prime is left out of delta", DELTAS, total(delta=lambda delta, k, d: k * delta)
)
CLAIM.mistake("only delta_prime is counted", DELTAS, total(delta=lambda delta, k, d: d))
CLAIM.mistake(
    "the delta of the releases is counted once", DELTAS, total(delta=lambda delta, k, d: delta + d)
)
CLAIM.mistake(
    "delta_prime is counted for every release",
    DELTAS,
    total(delta=lambda delta, k, d: k * (delta + d)),
)
CLAIM.mistake(
    "the neighbors of the guarantee are lost",
    "for which neighbors does the guarantee that came in hold?",
    total(neighbors="add_remove"),
)
