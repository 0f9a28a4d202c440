"""What careless code makes of an argument is seen: each change of one is, at every draw of inputs.

Where the right function itself does not care, the change is listed with the reason.
"""

import warnings
from itertools import combinations

import numpy as np
import pytest

from autograder.check.claims import CLAIMS
from autograder.check.function_claim import FunctionClaim
from autograder.check.wording import changed_arguments

pytestmark = pytest.mark.long

DRAWS = 3
NO_ORDER = ("is sorted", "is turned round")
# Changes after which the right function gives the same, and why.
SAME = {
    "attack_epsilon: true_positive_rate and false_positive_rate are exchanged": "both ways count",
    "shuffled_delta: others_yes and others_no are exchanged": "the larger of two sides",
    "factorization_error: left loses the signs of its numbers": "lengths have no sign",
    "factorization_error: right loses the signs of its numbers": "lengths have no sign",
    "differencing_attack: group loses its first entry": "both totals lose it",
    "differencing_attack: group loses its last entry": "both totals lose it",
    "differencing_attack: group loses its zeros": "both totals lose it",
    "noisy_gradient_descent: epsilon is halved": "it is so large that there is no noise",
    "noisy_gradient_descent: epsilon is taken twice": "it is so large that there is no noise",
    "noisy_gradient_descent: epsilon is one too large": "it is so large that there is no noise",
    "noisy_gradient_descent: epsilon is one too small": "it is so large that there is no noise",
    "noisy_gradient_descent: epsilon and delta are exchanged": "both are so large",
    "local_sensitivity_median: lower counts as 1 where it is larger": "lower is often below 1",
    **{
        f"noisy_gradient_descent: {name} is rounded to {digits}": "the noise needs room"
        for name in ("clipping_bound", "learning_rate")
        for digits in ("one decimal", "two decimals")
    },
    **{
        f"noisy_gradient_descent: {one} and {other} are rounded to {digits}": "the noise needs room"
        for one, other in combinations(
            ("iterations", "clipping_bound", "epsilon", "delta", "learning_rate"), 2
        )
        for digits in ("one decimal", "two decimals")
        if "delta" not in (one, other)
    },
    **{
        f"synthesize_from_{way}: table loses its {which} row": "one row of a million is not seen"
        for way in ("pairs", "tree")
        for which in ("first", "last")
    },
}
DECIMALS = ("is rounded to one decimal", "is rounded to two decimals")


def parts():
    for name, claim in CLAIMS.items():
        for number, part in enumerate(getattr(claim, "parts", [claim])):
            if isinstance(part, FunctionClaim):
                yield pytest.param(name, part, id=f"{name}-{number}")


def same(one, other) -> bool:
    if hasattr(one, "equals"):
        return bool(one.equals(other))
    return np.array_equal(one, other) if isinstance(one, np.ndarray) else bool(one == other)


def seen(claim, cases, right, change) -> bool | None:
    """Say whether a change of an argument is seen at one of the inputs; None if it changes none."""
    altered = None
    for given, wanted in zip(cases, right, strict=True):
        try:
            changed = change(given)
            if all(same(changed[name], given[name]) for name in given):
                continue
            altered = False
            if not claim.close(claim.value(claim.reference, changed), wanted):
                return True
        except Exception:
            return True  # an answer that does so stops there
    return altered


def unseen(name, claim, seed):
    generator = np.random.default_rng(seed)
    cases = claim.cases(generator)
    every = [*cases, *(given for _, given in claim.designed_cases(generator))]
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        right = [claim.value(claim.reference, given) for given in every]
        for words, _, change in changed_arguments.changes(cases):
            found = seen(claim, every, right, change)
            has_decimals = any(
                isinstance(given[words.split()[0]], float) and given[words.split()[0]] % 1
                for given in every
            )
            if found is False or (found is None and has_decimals and words.endswith(DECIMALS)):
                yield f"{name}: {words}"


@pytest.mark.parametrize(("name", "claim"), list(parts()))
def test_what_becomes_of_an_argument_is_seen_at_every_draw(name, claim):
    found = {each for seed in range(DRAWS) for each in unseen(name, claim, seed)}
    assert {each for each in found if each not in SAME and not each.endswith(NO_ORDER)} == set()
