"""A survey in the local model, by the protocol of least variance for this domain and epsilon."""

import math
from collections.abc import Iterable, Iterator

import numpy as np

from autograder.check.claims.local._survey import (
    PROTOCOLS,
    best_protocol,
    direct_counts_law,
    direct_report,
    estimates_of,
    unary_support_law,
)
from autograder.check.claims.local._survey_words import supports_of
from autograder.check.designed import at_edges
from autograder.check.mistakes import Mistake
from autograder.check.outcomes import OutcomeClaim

_UNARY = "optimal unary encoding"
# Sizes, epsilons and true counts. Neither the size alone nor epsilon alone tells which is best.
_SETTINGS = (
    ((2, 2), (0.4, 0.6), (2, 1)),
    ((3, 3), (0.4, 0.6), (2, 1)),
    ((11, 12), (2.2, 2.5), (1, 1)),
    ((9, 10), (0.4, 0.6), (2, 1)),
    ((22, 24), (0.9, 1.1), (2,)),
)
_LARGEST_EPSILON = 29.0  # the library's functions, which an answer may call, take at most 30


def _parameters(generator: np.random.Generator) -> list[dict]:
    return _settings(generator, _SETTINGS)


def _designed(generator: np.random.Generator) -> list[tuple[str, dict]]:
    """Return settings with many people, with many categories, and at the edges of epsilon.

    A few of a hundred people may be treated differently.
    """
    many = tuple(generator.integers(30, 60, 4).tolist())
    kinds = {
        "more than 100 people": ((9, 10), (0.4, 0.6), many),
        "more than 100 categories": ((101, 110), (0.4, 0.6), (2,)),
    }
    for epsilon in at_edges("epsilon", generator):
        epsilon = min(epsilon, _LARGEST_EPSILON)
        kinds[f"epsilon {epsilon}"] = (9, 10), (epsilon, epsilon), (2, 1)
    return list(zip(kinds, _settings(generator, kinds.values()), strict=True))


def _settings(generator: np.random.Generator, kinds: Iterable) -> Iterator[dict]:
    for (low, high), epsilons, people in kinds:
        size = int(generator.integers(low, high + 1))
        epsilon = float(f"{generator.uniform(*epsilons):.3g}")
        counts = [0] * size
        for place, count in zip(generator.permutation(size), people, strict=False):
            counts[place] = count
        names = [f"{letter}{digit}" for letter in "KMPRT" for digit in range(2, 29)]
        yield {
            "categories": [names[k] for k in generator.permutation(len(names))[:size]],
            "size": size,
            "counts": counts,
            "epsilon": epsilon,
            "protocol": best_protocol(size, epsilon),
        }


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    pairs = zip(parameters["categories"], parameters["counts"], strict=True)
    values = [category for category, count in pairs for _ in range(count)]
    keywords = {"categories": list(parameters["categories"]), "epsilon": parameters["epsilon"]}
    return (values,), keywords


def _spending(factor: float):
    """Return the law when the reports spend another epsilon than the estimator assumes."""

    def law(parameters):
        ratio = math.exp(factor * parameters["epsilon"])
        return _reported(parameters, *PROTOCOLS[parameters["protocol"]](parameters["size"], ratio))

    return law


def _reported(parameters: dict, p: float, q: float):
    """Return the law of the supports when a category is reported with p, each other one with q."""
    if parameters["protocol"] == _UNARY:
        return unary_support_law(parameters["counts"], p, q)
    size = parameters["size"]
    return direct_counts_law([direct_report(code, size, p) for code in _codes(parameters)])


def _codes(parameters: dict) -> list[int]:
    return [code for code, count in enumerate(parameters["counts"]) for _ in range(count)]


def _as_two_categories(parameters: dict):
    """Return the law when each report, or each bit, is true by the rule for two categories."""
    truth = 1 / (1 + math.exp(-parameters["epsilon"]))
    return _reported(parameters, truth, 1 - truth)


def _own_again(parameters: dict):
    """Return the law when a false report may be the true category; for bits, a fair coin."""
    size, epsilon = parameters["size"], parameters["epsilon"]
    p, q = PROTOCOLS[parameters["protocol"]](size, math.exp(epsilon))
    if parameters["protocol"] == _UNARY:
        return _reported(parameters, (1 + p) / 2, q / 2)
    return _reported(parameters, p + (1 - p) / size, 0.0)


def _sorted(parameters: dict):
    """Return the law when the estimates come in alphabetical order of the categories."""
    order = np.argsort(parameters["categories"])
    counts = [parameters["counts"][place] for place in order]
    size, ratio = parameters["size"], math.exp(parameters["epsilon"])
    return _reported(
        parameters | {"counts": counts}, *PROTOCOLS[parameters["protocol"]](size, ratio)
    )


def _shared(parameters: dict):
    """Return the law when everybody has the same random numbers."""
    size, counts = parameters["size"], parameters["counts"]
    p, q = PROTOCOLS[parameters["protocol"]](size, math.exp(parameters["epsilon"]))
    people = sum(counts)
    if parameters["protocol"] == _UNARY:
        laws = []
        for count in counts:
            law = dict.fromkeys(range(people + 1), 0.0)
            # One uniform number a category: below q all report 1, between q and p the owners do.
            law[people] += q
            law[count] += p - q
            law[0] += 1 - p
            laws.append(law)
        return laws
    law = dict.fromkeys(direct_counts_law([[1.0] + [0.0] * (size - 1)] * people), 0.0)
    for shift, chance in enumerate(direct_report(0, size, p)):
        law[tuple(np.roll(counts, shift).tolist())] += chance
    return law


_SPENT = "with which p and q are the reports made, and with which are they put right?"

_MISTAKES = (
    Mistake(
        "nobody's report is changed",
        lambda p: _reported(p, 1.0, 0.0),
        "where does your code draw a random number, and does it change a report?",
        seen="the same numbers come at every call",
    ),
    Mistake("the reports spend twice epsilon", _spending(2.0), _SPENT),
    Mistake("the reports spend half of epsilon", _spending(0.5), _SPENT),
    Mistake(
        "the reports use the p and q of two categories",
        _as_two_categories,
        "how many categories are there, and what does that do to p and q?",
    ),
    Mistake(
        "a false report may be true by accident",
        _own_again,
        "with which probability does a report support its own category, all cases added up?",
    ),
    Mistake(
        "the estimates are in alphabetical order, not in the order of `categories`",
        _sorted,
        "to which category does the first of your estimates belong?",
    ),
    Mistake(
        "all people share their random numbers",
        _shared,
        "does each person draw numbers of their own?",
    ),
)


def _situation(parameters: dict) -> str:
    return (
        f"{parameters['size']} categories, {sum(parameters['counts'])} people, "
        f"epsilon {parameters['epsilon']}"
    )


def _outcome(answer, parameters: dict):
    return supports_of(estimates_of(answer, parameters["categories"]), parameters)


CLAIM = OutcomeClaim(
    about=(
        "Check `private_survey(values, *, categories, epsilon)`: the estimated count of each\n"
        "category, by the protocol (direct, or optimal unary) whose variances add up to less."
    ),
    established="the protocol of least variance, its reports and its unbiased estimates",
    parameters=_parameters,
    arguments=_arguments,
    law=_spending(1.0),
    outcome=_outcome,
    say=lambda support: (
        f"{support} ones" if isinstance(support, int) else f"reports by category {support}"
    ),
    mistakes=_MISTAKES,
    designed=_designed,
    outside=("size of 1",),
    situation=_situation,
)
