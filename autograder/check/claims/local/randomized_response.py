"""Randomized response: each yes or no is told truthfully with probability e^eps / (1 + e^eps)."""

import math
from collections.abc import Callable, Iterator

import numpy as np
from scipy.special import expit

from autograder.check.answers import BadAnswer
from autograder.check.claims.learning._reports import (
    bit_array,
    bits_of_shape,
    independent_bits,
    joined_bits,
    repeats_after,
)
from autograder.check.claims.local._crowd import Crowd, all_or_none, in_all
from autograder.check.designed import at_edges
from autograder.check.mistakes import Mistake, mistakes_by
from autograder.check.outcomes import OutcomeClaim
from autograder.check.signature import taking

# Three people in a setting: two of one answer and one of the other, in any order; then one alone.
_PEOPLE = 3
# Away from ln 3 = 1.10, where two coins are right, and from where two formulas agree.
_EPSILONS = ((0.35, 0.55), (0.7, 0.85), (1.35, 1.6), (2.1, 2.6))
# A crowd is judged by how many reports are true. There a small epsilon can be told from a larger
# one, and coins that come again.
_CROWD, _SMALL = (1120, 1200), (0.02, 0.05)


def _parameters(generator: np.random.Generator) -> list[dict]:
    settings = []
    for place, each in enumerate(_EPSILONS):
        answers = [place % 2 == 0] * _PEOPLE
        odd = int(generator.integers(_PEOPLE))
        answers[odd] = not answers[odd]
        settings.append({"answers": answers, "epsilon": round(generator.uniform(*each), 2)})
    alone = {"answers": [bool(generator.integers(2))], "epsilon": settings[0]["epsilon"]}
    small = round(generator.uniform(*_SMALL), 4)
    return [*settings, alone, _crowd(_answers(generator, 0.3), small)]


def _designed(generator: np.random.Generator) -> Iterator[tuple[str, dict]]:
    """Return crowds at the edges of epsilon, crowds of one mind, and very few or many people."""
    for epsilon in at_edges("epsilon", generator):
        yield f"epsilon {epsilon}", _crowd(_answers(generator, 0.5), epsilon)
    for name, share in (("all say yes", 1), ("all say no", 0), ("one of many says yes", 0.001)):
        yield name, _crowd(_answers(generator, share), 0.8)
    people = generator.random(int(generator.integers(5_000, 6_000))) < 0.5
    yield "more than 5,000 people", _crowd(people, 1.7)
    few = {"one yes": [True], "one no": [False], "two yes": [True] * 2, "two no": [False] * 2}
    yield from ((name, {"answers": each, "epsilon": 1.7}) for name, each in few.items())


def _answers(generator: np.random.Generator, share: float) -> np.ndarray:
    return generator.random(int(generator.integers(*_CROWD))) < share


def _crowd(answers: np.ndarray, epsilon: float) -> dict:
    """Return a setting of which only the number of true reports is looked at."""
    crowd = Crowd(answers, [(len(answers), expit(epsilon))])
    return {"answers": answers.tolist(), "epsilon": epsilon, "crowd": crowd}


def _drawn_alone(parameters: dict, true_yes: float, true_no: float) -> dict:
    """Return the law where each draws alone, from how likely yes and no are told truly."""
    if "crowd" not in parameters:
        return independent_bits(_reports(parameters, true_yes, true_no))
    yes = sum(parameters["answers"])
    groups = ((yes, true_yes), (len(parameters["answers"]) - yes, true_no))
    return parameters["crowd"].law(in_all(groups))


def _reports(parameters: dict, true_yes: float, true_no: float) -> list[float]:
    """Return each person's chance of a report of yes, from how likely yes and no are told truly."""
    return [true_yes if answer else 1 - true_no for answer in parameters["answers"]]


def _told(truth: Callable[[float], float]) -> Callable[[dict], dict]:
    """Return the law of the reports, from the probability of truth that epsilon gives."""

    def law(parameters):
        probability = truth(parameters["epsilon"])
        return _drawn_alone(parameters, probability, probability)

    return law


def _law(parameters: dict) -> dict:
    # Warner (1965): truth / lie = exp(epsilon).
    return _told(expit)(parameters)


def _one_sided(yes: Callable[[float], float], no: Callable[[float], float]):
    """Return the law when a yes and a no are told truly with different probabilities."""
    return lambda p: _drawn_alone(p, yes(p["epsilon"]), no(p["epsilon"]))


def _one_coin(parameters: dict) -> dict:
    """One draw decides for all: they all tell the truth, or they all lie."""
    truth, people = expit(parameters["epsilon"]), len(parameters["answers"])
    if "crowd" in parameters:
        return parameters["crowd"].law(all_or_none(people, truth))
    answers = tuple(int(answer) for answer in parameters["answers"])
    law = dict.fromkeys(independent_bits([0.5] * people), 0.0)
    law[answers] += truth
    law[tuple(1 - answer for answer in answers)] += 1 - truth
    return law


def _one_threshold(parameters: dict) -> dict:
    """One uniform draw is compared with each person's chance of a yes."""
    truth, people = expit(parameters["epsilon"]), len(parameters["answers"])
    if "crowd" not in parameters:
        return joined_bits(_reports(parameters, truth, truth))
    chances, yes = np.zeros(people + 1), sum(parameters["answers"])
    # Below 1 - truth all say yes, above truth all say no, and between them all tell the truth.
    chances[yes] += 1 - truth
    chances[people - yes] += 1 - truth
    chances[people] += 2 * truth - 1
    return parameters["crowd"].law(chances)


def _outcome(answer, parameters: dict) -> tuple | str:
    people = len(parameters["answers"])
    if "crowd" not in parameters:
        return bits_of_shape(answer, (people,), "the reports")
    reports = bit_array(answer, (people,), "the reports")
    period = repeats_after(parameters["crowd"].are_true(reports))
    if period:
        raise BadAnswer(
            "the coins come again",
            seen=f"person {period + 1:,} of {people:,} has the luck of person 1, the next one that "
            "of person 2, and so on",
            ask="how many random numbers does your code draw for so many people?",
        )
    return parameters["crowd"].outcome(reports)


_ENTRY = {0: "no", 1: "yes"}


def _say(outcome: tuple | str) -> str:
    if isinstance(outcome, str):
        return outcome
    return f"the reports {[_ENTRY[bit] for bit in outcome]}"


_PROBABILITY = (
    "a person's report has the chances p (true) and 1 - p (false): which p has "
    "p / (1 - p) = exp(epsilon)?"
)
_COIN = "with the other probability, is the report false, or does a fair coin decide?"
_BOTH = "what does a report of yes show about a person, if only people who mean yes report it?"

_MISTAKES = (
    Mistake(
        "everybody tells the truth",
        _told(lambda epsilon: 1.0),
        "where does your code draw a random number, and does it change a report?",
        seen="no report ever differs from the true answer",
    ),
    Mistake(
        "everybody lies",
        _told(lambda epsilon: 0.0),
        "if everybody lies, what does an attacker learn? Where is the random number?",
        seen="every report is the opposite of the true answer",
    ),
    *mistakes_by(
        _told,
        {
            "epsilon is ignored: truth has probability 3/4": (
                lambda epsilon: 0.75,
                "for which epsilon is 3/4 right? What about the others?",
            ),
            "the reports do not depend on the answers": (
                lambda epsilon: 0.5,
                "what can be estimated from reports that do not depend on the answers?",
            ),
            "truth and lie are exchanged": (
                lambda epsilon: expit(-epsilon),
                "which should be likelier, the truth or a lie?",
            ),
            "a fair coin answers where a lie is due": (
                lambda epsilon: (1 + expit(epsilon)) / 2,
                _COIN,
            ),
            "half of epsilon is spent": lambda epsilon: expit(epsilon / 2),
            "twice epsilon is spent": lambda epsilon: expit(2 * epsilon),
            "an epsilon above 1 counts as 1": (
                lambda epsilon: expit(min(epsilon, 1)),
                "is there a largest epsilon in the task?",
            ),
            "epsilon is shared among the people": (
                lambda epsilon: expit(epsilon / _PEOPLE),
                "each report is about one person: how much may it cost that person?",
            ),
            "truth has probability 1 - exp(-epsilon)": lambda epsilon: -math.expm1(-epsilon),
            "truth has probability epsilon / (1 + epsilon)": lambda epsilon: (
                epsilon / (1 + epsilon)
            ),
            "a lie has probability 1 / (2 + epsilon)": lambda epsilon: 1 - 1 / (2 + epsilon),
            "a lie has probability exp(-epsilon) / 2": lambda epsilon: 1 - math.exp(-epsilon) / 2,
            "truth has a base other than e: 2 or 10": (
                lambda epsilon: 2**epsilon / (1 + 2**epsilon),
                "which function is exp(epsilon) in numpy?",
            ),
        },
        _PROBABILITY,
    ),
    Mistake(
        "a no is always told truly",
        _one_sided(expit, lambda epsilon: 1.0),
        _BOTH,
        seen="a report of yes never comes from a person whose answer is no",
    ),
    Mistake(
        "a yes is always told truly",
        _one_sided(lambda epsilon: 1.0, expit),
        "what does a report of no show about a person, if only people who mean no report it?",
        seen="a report of no never comes from a person whose answer is yes",
    ),
    Mistake(
        "one draw decides for everybody",
        _one_coin,
        "who draws the random number: each person, or one for all?",
        seen="all people tell the truth together, or lie together",
    ),
    Mistake(
        "one random number is compared for everybody",
        _one_threshold,
        "who draws the random number: each person, or one for all?",
    ),
    Mistake(
        "everybody reports yes with the same probability",
        _one_sided(expit, lambda epsilon: expit(-epsilon)),
        "does a report depend on the person's own answer?",
    ),
)


def _situation(parameters: dict) -> str:
    answers = parameters["answers"]
    if "crowd" in parameters:
        return f"{len(answers):,} people, {sum(answers)} mean yes, epsilon {parameters['epsilon']}"
    said = ["yes" if answer else "no" for answer in answers]
    return f"answers {said}, epsilon {parameters['epsilon']}"


CLAIM = OutcomeClaim(
    about=(
        "Check `randomized_response(answers, *, epsilon)`: every yes or no is reported truthfully\n"
        "with probability exp(epsilon) / (1 + exp(epsilon)), else the opposite."
    ),
    established="each report is true as often as epsilon allows, and each person draws alone",
    parameters=_parameters,
    designed=_designed,
    edge_work=0.04,
    arguments=taking("answers, *, epsilon", answers=np.array),
    law=_law,
    outcome=_outcome,
    say=_say,
    entry=lambda bit: repr(_ENTRY[bit]),
    holds_many=lambda outcome: isinstance(outcome, str),  # of a crowd
    mistakes=_MISTAKES,
    situation=_situation,
)
