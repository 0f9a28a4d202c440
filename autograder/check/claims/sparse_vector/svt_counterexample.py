"""Break it: neighbors and an outcome that refute a wrong published form of the sparse vector."""

import math
from numbers import Real
from typing import Any

import numpy as np

from autograder.check.answers import BadAnswer, parts_of, shortened
from autograder.check.claims.selection._lists import (
    MARGIN,
    numbers_of,
    raise_unless_neighbors,
    short_of,
)
from autograder.check.claims.sparse_vector._published_variants import (
    MOST,
    VARIANTS,
    Variant,
    chance,
)
from autograder.check.counterexample import CounterexampleClaim
from autograder.check.words import number

# Below this the outcome is refused. A chance is right to 1e-12 relative and this much absolute.
_RAREST = 1e-15
_ERROR = 1e-18
_RELATIVE = 1e-12
_WIDEST = 300.0


def _cases(generator: np.random.Generator) -> list[dict]:
    """Return each of the four variants at a small and at a larger epsilon, with a threshold."""
    return [
        {
            "variant": variant,
            "epsilon": round(generator.uniform(*epsilons), 2),
            "threshold": int(generator.integers(-500, 500)),
        }
        for variant in VARIANTS
        for epsilons in ((0.2, 0.6), (2.5, 4.0))
    ]


def _verify(p: dict, answer: Any) -> None:
    """Raise BadAnswer unless the answer refutes the variant's claim at this epsilon."""
    epsilon, variant = p["epsilon"], VARIANTS[p["variant"]]
    first, second, outcome = parts_of(answer, "3 values", "answers, neighbor_answers, outcome")
    threshold = p["threshold"]
    first = [each - threshold for each in numbers_of(first, "answers", most=MOST)]
    second = [each - threshold for each in numbers_of(second, "neighbor_answers", most=MOST)]
    raise_unless_neighbors(first, second, "answers", zero=threshold)
    if max(map(abs, [*first, *second])) * epsilon > _WIDEST:
        raise BadAnswer(
            "an answer lies too far from the threshold to compute with",
            seen=f"the threshold is {threshold}, its noise has scale {number(2 / epsilon)}",
            ask="are there answers nearer to the threshold that show it?",
        )
    outcome = _outcome_of(outcome, variant, p["variant"], len(first))
    outcome = [each if isinstance(each, bool) else each - threshold for each in outcome]
    one, other = (chance(variant, each, outcome, epsilon) for each in (first, second))
    if one < _RAREST and other < _RAREST:
        raise _too_rare(one, other, variant)
    surely = (one - _ERROR) * (1 - _RELATIVE)
    if surely <= math.exp(epsilon + MARGIN) * (other + _ERROR) or one < _RAREST:
        released = not isinstance(outcome[-1], bool)
        raise _not_enough(epsilon, one, other, released=released)


def _too_rare(one: float, other: float, variant: Variant) -> BadAnswer:
    """Return the words for an outcome that comes on neither table, or hardly ever."""
    if one == other == 0 and not variant.answer_scale:
        return BadAnswer(
            "the outcome cannot come at all",
            seen="its chance is 0 on both tables",
            ask="which numbers does this form make noisy? If one answer is below and another "
            "above, which of the two must be larger then?",
        )
    return BadAnswer(
        "the outcome is too rare to compute with",
        seen=f"its chance is {number(one)}, and {number(other)} on the neighbor",
        ask="can fewer answers, or answers nearer to the threshold, show it?",
    )


def _not_enough(epsilon: float, one: float, other: float, *, released: bool) -> BadAnswer:
    """Return the words for an outcome whose ratio does not exceed exp(epsilon)."""
    seen = f"its chance is {number(one)}, and {number(other)} on the neighbor: "
    # Below the quadrature's error both numbers may be 0, and a ratio is none.
    seen += short_of(one / other, epsilon) if other else "too small to be sure of a ratio"
    if other > math.exp(epsilon + MARGIN) * (one + _ERROR):
        problem = "the two tables are the wrong way round"
        ask = "on which table is this outcome likelier? That one comes first."
    elif abs(one - other) < 1e-12:
        problem = "the outcome is equally likely on both tables"
        ask = "which answers must rise on the neighbor, and which must fall?"
    else:
        problem = "the outcome does not tell the two tables apart well enough"
        ask = "which answers should rise, and which fall? And would more of them help?"
        if released:
            ask = "which released number says most about where the noisy threshold was? And would "
            ask += "more answers help?"
    return BadAnswer(problem, seen=seen, ask=ask)


def _outcome_of(given: Any, variant: Variant, name: int, answers: int) -> list[bool | float]:
    """Return what the variant is supposed to say, or raise BadAnswer if it cannot say that."""
    listed = list(given) if isinstance(given, tuple | list | np.ndarray) else []
    said = [bool(each) if isinstance(each, np.bool_) else each for each in listed]
    seen = f"you gave {shortened(given)}"
    if not 1 <= len(said) <= answers:
        raise BadAnswer(
            "`outcome` should be a list, with one entry for each answer that was looked at",
            seen=seen,
            ask="what does this form say of the first answer, and of the next?",
        )
    above = [place for place, each in enumerate(said) if each is not False]
    kind = "the released number" if variant.releases else "True"
    strange = [place for place in above if not _is_above(said[place], variant)]
    if strange:
        raise BadAnswer(
            f"form {name} says False below, and {kind} above",
            seen=f"entry {strange[0]} of yours, counted from 0, is {shortened(said[strange[0]])}",
            ask="what does this form publish of an answer above the threshold? And which branch of "
            f"your code does {name} take?",
        )
    if variant.stops and above and above[0] + 1 < len(said):
        raise BadAnswer(
            f"form {name} stops at the first answer above",
            seen=f"entry {above[0]} of yours, counted from 0, is {kind}, and "
            f"{len(said) - 1 - above[0]} more follow",
            ask="what does it say of the answers after that?",
        )
    return said


def _is_above(said: Any, variant: Variant) -> bool:
    if not variant.releases:
        return said is True
    return isinstance(said, Real) and not isinstance(said, bool) and math.isfinite(said)


CLAIM = CounterexampleClaim(
    about=(
        "Check `svt_counterexample(variant, epsilon, *, threshold)`: refutes forms 3 to 6 of\n"
        "Lyu, Su & Li.\n"
        "\nThe function returns (answers, neighbor_answers, outcome). The sensitivity is 1,\n"
        "forms 3 and 4 stop at the first answer above. `answers` has at most 40 entries, none\n"
        "of which moves by more than 1. `outcome` is what is said of the first answers: False for\n"
        "below, True for above; in form 3, which releases it, the noisy number in place of\n"
        "True. It must be more than exp(epsilon) times as likely with `answers`."
    ),
    established="each wrong form says this more than exp(epsilon) times as often",
    cases=_cases,
    verify=_verify,
    situation=lambda p: f"form {p['variant']}, epsilon {p['epsilon']}, threshold {p['threshold']}",
)
