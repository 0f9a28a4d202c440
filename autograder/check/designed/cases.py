"""Judges an answer without chance at designed inputs."""

from collections.abc import Sequence
from typing import Any

from autograder.check.answers import BadAnswer
from autograder.check.result import CheckFailure
from autograder.check.wording.in_words import side_by_side, with_edge

# What is special about an input, in words, and the arguments of the call by name.
NamedGiven = tuple[str, dict[str, Any]]

_PROBLEM = "it is right at ordinary inputs, and wrong at an edge"
_ASK = "follow your code with this input: which line was not made for it?"


def judge_designed(
    claim, open_door, named: Sequence[NamedGiven], ordinary: Sequence[dict], right: Sequence[Any]
) -> None:
    """Raise CheckFailure or BadAnswer if an answer is wrong at a designed input.

    Args:
      claim: a FunctionClaim.
      open_door: opens a door to the answer.
      named: the designed inputs.
      ordinary, right: the ordinary inputs, at which it is right, and the right values there.
    """
    cases = [given for _, given in named]
    names = {id(given): name for name, given in named}
    try:
        came = claim.asked(open_door, cases)
    except BadAnswer as bad:
        bad.seen = f"at an edge ({names[id(bad.parameters)]}): {bad.seen}"
        raise
    wanted, wrong = claim.right_and_wrong(cases, came)
    if not wrong:
        return
    claim.raise_if_it_remembers(open_door, cases, came, wanted, wrong)
    # A mistake that shows at ordinary inputs, too, is another one.
    known = claim.explaining(claim.explaining(claim.mistakes, cases, came), ordinary, right)[:1]
    problem, ask = (known[0].name, known[0].ask) if known else (_PROBLEM, _ASK)
    place = wrong[0]
    seen = (claim.show or side_by_side)(wanted[place], came[place], cases[place])
    seen = f"{with_edge(named[place][0], claim.situation(cases[place]))}: {seen}"
    raise CheckFailure(claim.name, problem, seen=seen, ask=ask)
