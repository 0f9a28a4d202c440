"""k-ary randomized response: the true code with probability p, else one of the others, evenly."""

import itertools
import math
from collections.abc import Callable, Iterator

import numpy as np
from scipy.special import expit

from autograder.check.claims.learning._reports import whole_array, whole_numbers_of_shape
from autograder.check.claims.local._crowd import Crowd, all_or_none, in_all
from autograder.check.claims.local._direct_reports import (
    Report,
    even_with,
    groups,
    moved_by,
    true_with,
    truth_of,
    without,
)
from autograder.check.designed import at_edges
from autograder.check.mistakes import Mistake, mistakes_by
from autograder.check.outcomes import OutcomeClaim

# Two people a setting, so that draws which they share can be seen; then one alone, and two that
# stand far apart in a crowd.
_SETTINGS = ((4, (0.4, 0.6)), (3, (0.75, 0.9)), (5, (1.3, 1.6)))
_APART, _CROWD = 1000, (1010, 1050)
# The last crowd is judged by how many reports are true.
_SIZES, _EPSILONS = (2, 7), (1.0, 1.6)


def _parameters(generator: np.random.Generator) -> Iterator[dict]:
    """Return six settings; two people have two codes, and one of them has the first or last.

    `codes` are those of the people that are looked at, `first` is the place of the first of them
    among `all_codes`; of a `crowd` the true reports are counted.
    """
    for place, (size, epsilons) in enumerate(_SETTINGS):
        end = 0 if place == 1 else size - 1
        codes = [end, int(generator.integers(1, size - 1))]
        codes = [codes[k] for k in generator.permutation(2)]
        epsilon = round(generator.uniform(*epsilons), 2)
        yield {"codes": codes, "domain_size": size, "epsilon": epsilon}
    many = int(generator.integers(21, 26))
    alone = {"codes": [int(generator.integers(many))], "domain_size": many}
    alone["epsilon"] = round(generator.uniform(2, 3), 2)
    yield alone
    size = int(generator.integers(4, 6))
    # Two of the codes are nobody's: a lie may show them all the same.
    held = generator.permutation(size)[2:]
    people = held[generator.integers(len(held), size=int(generator.integers(*_CROWD)))]
    first = int(generator.integers(10))
    seen = [int(people[place]) for place in (first, first + _APART)]
    epsilon = round(generator.uniform(2, 2.4), 2)
    far = {"codes": seen, "domain_size": size, "epsilon": epsilon}
    yield far | {"all_codes": people.tolist(), "first": first}
    size = int(generator.integers(*_SIZES))
    yield _crowd(_people(generator, size), size, round(generator.uniform(*_EPSILONS), 2))


def _designed(generator: np.random.Generator) -> Iterator[tuple[str, dict]]:
    """Return crowds at the edges of epsilon and of the domain's size, and people of one code."""
    for epsilon in at_edges("epsilon", generator):
        size = int(generator.integers(*_SIZES))
        yield f"epsilon {epsilon}", _crowd(_people(generator, size), size, epsilon)
    for size in (2, int(generator.integers(300, 400))):  # one byte holds 256 codes
        yield f"domain_size {size}", _crowd(_people(generator, size), size, 4.5)
        alone = {"codes": [int(generator.integers(size))], "domain_size": size, "epsilon": 2.5}
        yield f"one person, domain_size {size}", alone
    for code in (0, 5):
        people = np.full(int(generator.integers(*_CROWD)), code)
        yield f"all codes {code}", _crowd(people, 6, 1.4)


def _people(generator: np.random.Generator, size: int) -> np.ndarray:
    return generator.integers(size, size=int(generator.integers(*_CROWD)))


def _crowd(codes: np.ndarray, size: int, epsilon: float) -> dict:
    """Return a setting of which only the number of true reports is looked at."""
    given = {"codes": codes.tolist(), "domain_size": size, "epsilon": epsilon}
    return given | {"crowd": Crowd(given["codes"], groups(given, true_with(truth_of)))}


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    keywords = {name: parameters[name] for name in ("domain_size", "epsilon")}
    return (np.array(parameters.get("all_codes", parameters["codes"])),), keywords


def _outcome(answer, parameters: dict) -> tuple:
    people = len(parameters.get("all_codes", parameters["codes"]))
    if "crowd" in parameters:
        return parameters["crowd"].outcome(whole_array(answer, (people,), "the reports"))
    codes = whole_numbers_of_shape(answer, (people,), "the reports")
    first = parameters.get("first", 0)
    return codes if people < 3 else (codes[first], codes[first + _APART])


def _situation(parameters: dict) -> str:
    given = f"domain_size {parameters['domain_size']}, epsilon {parameters['epsilon']}"
    if "crowd" in parameters:
        return f"{len(parameters['codes']):,} people, {given}"
    given = f"codes {parameters['codes']}, {given}"
    all_codes = parameters.get("all_codes")
    return f"two people of {len(all_codes):,}, {given}" if all_codes else given


def _each(report: Report) -> Callable[[dict], dict]:
    """Return the law of all reports when each person draws their own."""

    def law(p):
        if "crowd" in p:
            return p["crowd"].law(in_all(groups(p, report)))
        chances = [report(code, p["domain_size"], p["epsilon"]) for code in p["codes"]]
        return {
            codes: math.prod(chance[code] for chance, code in zip(chances, codes, strict=True))
            for codes in _codes(p)
        }

    return law


def _codes(parameters: dict) -> list[tuple]:
    return list(
        itertools.product(range(parameters["domain_size"]), repeat=len(parameters["codes"]))
    )


def _one_shift(parameters: dict) -> dict:
    """One draw shifts everybody's code by as much."""
    if "crowd" in parameters:
        return _all_or_none(parameters)
    size, codes = parameters["domain_size"], parameters["codes"]
    law = dict.fromkeys(_codes(parameters), 0.0)
    for shift, chance in enumerate(true_with(truth_of)(0, size, parameters["epsilon"])):
        law[tuple((code + shift) % size for code in codes)] += chance
    return law


def _all_or_none(parameters: dict) -> dict:
    """All reports are true, or all are false."""
    truth = truth_of(parameters["domain_size"], parameters["epsilon"])
    return parameters["crowd"].law(all_or_none(len(parameters["codes"]), truth))


def _one_coin(parameters: dict) -> dict:
    """One coin decides whether all tell the truth; the false codes are drawn one by one."""
    if "crowd" in parameters:
        return _all_or_none(parameters)
    size = parameters["domain_size"]
    truth = truth_of(size, parameters["epsilon"])
    lies = _each(true_with(lambda size, epsilon: 0.0))(parameters)
    law = {codes: (1 - truth) * chance for codes, chance in lies.items()}
    law[tuple(parameters["codes"])] += truth
    return law


def _one_lie(parameters: dict) -> dict:
    """Everybody who lies reports one and the same code, drawn once from all but their own first."""
    size, codes = parameters["domain_size"], parameters["codes"]
    # Drawn from all k codes, for all people together; each lies with probability k * q.
    lie = size * (1 - truth_of(size, parameters["epsilon"])) / (size - 1)
    if "crowd" in parameters:
        people = np.bincount(codes, minlength=size).tolist()
        shares = [in_all([(own, 1.0), (len(codes) - own, 1 - lie)]) for own in people]
        return parameters["crowd"].law(np.mean(shares, axis=0))
    law = dict.fromkeys(_codes(parameters), 0.0)
    for common in range(size):
        for lies in itertools.product((False, True), repeat=len(codes)):
            chance = math.prod(lie if each else 1 - lie for each in lies) / size
            reports = (common if each else code for each, code in zip(lies, codes, strict=True))
            law[tuple(reports)] += chance
    return law


_PROBABILITY = "which p makes p / q = exp(epsilon), when p + (k - 1) * q = 1?"
_OTHERS = "when a report is false, which codes may it show, and how likely is each?"
_OWN = "does each person draw random numbers of their own?"

_MISTAKES = (
    *mistakes_by(
        lambda truth: _each(true_with(truth)),
        {
            "the number of categories is ignored": lambda size, epsilon: expit(epsilon),
            "k stands where k - 1 belongs": lambda size, epsilon: expit(epsilon - math.log(size)),
            "epsilon is ignored: truth has probability 3/4": (
                lambda size, epsilon: 0.75,
                "for which epsilon and which k is 3/4 right?",
            ),
            "epsilon is ignored: truth has probability 1/2": (
                lambda size, epsilon: 0.5,
                "for which epsilon is 1/2 right? What about the others?",
            ),
            "the reports do not depend on the codes": (
                lambda size, epsilon: 1 / size,
                "what can be estimated from reports that do not depend on the answers?",
            ),
            "half of epsilon is spent": lambda size, epsilon: truth_of(size, epsilon / 2),
            "twice epsilon is spent": lambda size, epsilon: truth_of(size, 2 * epsilon),
            "truth and lie are exchanged": (
                lambda size, epsilon: 1 - truth_of(size, epsilon),
                "which should be likelier, the truth or all lies together? It depends on k.",
            ),
            "the sign of epsilon is wrong": (
                lambda size, epsilon: truth_of(size, -epsilon),
                "which is the likeliest report of all?",
            ),
        },
        _PROBABILITY,
    ),
    *mistakes_by(
        _each,
        {
            "everybody tells the truth": (
                true_with(lambda size, epsilon: 1.0),
                "where does your code draw a random number, and does it change a report?",
                "no report ever differs from the true code",
            ),
            "a false report may be the true code": even_with(truth_of),
            "a false report may be the true code, and k is ignored": even_with(
                lambda size, epsilon: expit(epsilon)
            ),
            "a false report always shows the next code": (
                moved_by(lambda size: {1}),
                _OTHERS,
                "most codes never come from a person whose code is another",
            ),
            "a false report always shows a neighbor of the true code": moved_by(
                lambda size: {1, -1}
            ),
            "a false report never shows the code before the true one": moved_by(
                lambda size: {1, *range(1, size - 1)}
            ),
            "the last code is never a false report": (
                without(last=True),
                "which numbers can your call give? Is the end of a range in it?",
            ),
            "the first code is never a false report": (
                without(last=False),
                "which numbers can your call give? Codes start at 0.",
            ),
        },
        _OTHERS,
    ),
    Mistake("one draw shifts everybody's code", _one_shift, _OWN),
    Mistake("one coin decides who tells the truth", _one_coin, _OWN),
    Mistake("one random code stands for everybody's lies", _one_lie, _OWN),
)


CLAIM = OutcomeClaim(
    about=(
        "Check `direct_perturb(codes, *, domain_size, epsilon)`: each code is reported truthfully\n"
        "with probability p, else one of the other k - 1 codes, all equally likely."
    ),
    established="the true code with probability p, each other one with probability q",
    parameters=_parameters,
    designed=_designed,
    edge_work=0.04,
    arguments=_arguments,
    law=_each(true_with(truth_of)),
    outcome=_outcome,
    say=lambda outcome: outcome if isinstance(outcome, str) else f"the reports {list(outcome)}",
    entry=str,
    holds_many=lambda outcome: isinstance(outcome, str),  # of a crowd
    mistakes=_MISTAKES,
    situation=_situation,
)
