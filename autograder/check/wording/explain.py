"""Writes the words of a verdict."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from autograder.check import coupling
from autograder.check.answers import BadAnswer, NotAnswered
from autograder.check.coupling import Exponents
from autograder.check.judge import Verdict
from autograder.check.result import CheckFailure
from autograder.check.wording.changed_laws import law_of_a_change
from autograder.check.wording.draws_together import (
    AGAIN,
    APART,
    depending_entries,
    of_draws_together,
)
from autograder.check.wording.entries import words_of_entries
from autograder.check.wording.loudest_outcome import family_fits
from autograder.check.wording.patterns import (
    noise_of,
    words_of_patterns,
    words_of_side,
    words_of_spread,
)
from autograder.check.wording.place import lie_elsewhere, place_or_spread, spread_right
from autograder.check.wording.reach import (
    WITHOUT,
    piles_up_unlike,
    words_of_domain,
    words_of_ends,
    words_of_exact,
    words_of_repeats,
)
from autograder.check.words import (
    FOLLOW,
    GUARANTEE,
    LOOKS,
    NO_NOISE,
    counted,
    numbers_apart,
)
from ville.trial import Trial

_GENERIC = {
    "spread": "print the scale at this input: is it the right one? If so, what else makes your "
    "answers wider, or narrower?",
    "factor": "the scale depends on {parameters} as it must: which constant stands before it? Or "
    "is the answer made of several noisy ones?",
    "others": "the scale depends on {parameters} as it must: does it depend on {others} as it "
    "must, too, and which constant stands before it?",
    "exponent": "write the scale down as a formula: which parameter stands in the numerator, which "
    "in the denominator, and how often?",
    "at edge": "at ordinary inputs your noise may be right: which line treats a very small or a "
    "very large value in another way?",
    "place": "print the value to which the noise is added, at this input: is it right? And what is "
    "the noise on average?",
    "nothing": f"{FOLLOW}which comparison keeps every answer back?",
    "shape": "do you draw from the law that the task asks for? And what happens to a draw then: is "
    "it cut, rounded, shared, put in another place?",
}
_PRIVACY = ("epsilon", "delta", "rho")
_NEARLY_0 = 1e-6
# What is said of a few answers whose noise is less than such a part of its scale.
HARDLY_ANY, HARDLY = "now and then an answer has hardly any noise", 1e-3


def bad_answer(claim, bad: BadAnswer) -> CheckFailure:
    """Return the words for an answer that broke a rule."""
    seen = bad.seen
    if bad.parameters is not None:
        situation = claim.situation(bad.parameters)
        seen = f"{situation}: {seen}" if seen else situation
    words = {"seen": seen, "sure": bad.sure, "ask": bad.ask}
    unanswered = isinstance(bad, NotAnswered)
    return CheckFailure(claim.name, bad.problem, **words, unanswered=unanswered)


def failure(claim, trial: Trial, verdict: Verdict, found: Exponents) -> CheckFailure:
    """Return the words for a failure that the evidence found; `found` is what coupling read."""
    parameters = trial.settings[verdict.setting].parameters
    noise = noise_of(claim, parameters, verdict.answers[verdict.setting])
    mistake = {each.name: each for each in claim.mistakes}.get(verdict.name)
    if mistake and _is_surely_another(claim, trial, verdict, mistake.law, found):
        mistake = None
    if mistake is None:
        problem, seen, ask = _generic(claim, trial, noise, verdict, found)
    else:
        problem, seen, ask = _named(mistake, verdict), mistake.seen, mistake.ask
        wanted, came = numbers_apart(claim.scale(parameters), claim.looks_like(noise))
        seen = seen.format(scale=wanted, looks=came)
    return CheckFailure(
        claim.name,
        problem,
        seen=f"{claim.situation(parameters)}: {seen or place_or_spread(claim, parameters, noise)}",
        sure=GUARANTEE.format(answers=counted(verdict.draws, "answer")),
        ask=ask,
        draws=verdict.draws,
    )


def _is_surely_another(claim, trial: Trial, verdict: Verdict, law_of: Callable, found) -> bool:
    """Say whether the likeliest mistake, after a few answers, is surely not the actual one."""
    parameters, answers = trial.settings[verdict.setting].parameters, verdict.answers
    if coupling.contradicts(found, law_of, parameters):
        return True
    given, exact = answers[verdict.setting], claim.exact(parameters)
    one = not claim.whole and np.size(exact) == 1
    if one and piles_up_unlike(given, float(exact), law_of(parameters), claim.ends(parameters)):
        return True
    return _lie_elsewhere(claim, trial, verdict, law_of)


def _lie_elsewhere(claim, trial: Trial, verdict: Verdict, law_of: Callable) -> bool:
    """Say whether most answers of a setting lie where a mistake's law has none.

    The evidence counts all that is far out as one: it cannot tell a shift of 100 from one of 1,000.
    """
    for setting, answers in zip(trial.settings, verdict.answers, strict=True):
        law, exact = law_of(setting.parameters), claim.exact(setting.parameters)
        if isinstance(law, Sequence) or not np.isfinite(answers).all():
            continue
        noise = answers - exact
        room = 1e-6 * (1 + np.abs(noise) + np.abs(exact))  # one value may have all the probability
        elsewhere = (law(noise + room) < _NEARLY_0) | (law(noise - room) > 1 - _NEARLY_0)
        if elsewhere.mean() > 1 / 2:
            return True
    return False


def _named(mistake, verdict: Verdict) -> str:
    """Return a mistake's name, as a fact only if nothing speaks for another one."""
    # A name that only goes on from the other one is no other mistake.
    if verdict.rival and mistake.name.startswith(verdict.rival):
        return f"{LOOKS} {verdict.rival}"
    if verdict.rival and not verdict.rival.startswith(mistake.name):
        return f"{LOOKS} {mistake.name}, or {verdict.rival}"
    return mistake.name if verdict.surely and not verdict.rival else f"{LOOKS} {mistake.name}"


def _generic(
    claim, trial: Trial, noise: np.ndarray, verdict: Verdict, found: Exponents
) -> tuple[str, str, str]:
    """Return the problem, the result and a question when no mistake in the catalogue fits."""
    if not noise.size:  # all that came is withheld
        where = "here" if claim.mistakes else "at an edge"
        seen = "some answers must be numbers"
        return f"nothing is released {where}", seen, _GENERIC["nothing"]
    return next(filter(None, _in_turn(claim, trial, noise, verdict, found)))


def _in_turn(
    claim, trial: Trial, noise: np.ndarray, verdict: Verdict, found: Exponents
) -> Iterator[tuple[str, str, str] | None]:
    """Yield what may be said, the surest first; None for what does not fit."""
    parameters = trial.settings[verdict.setting].parameters
    yield words_of_domain(claim, trial, verdict)
    yield _of_exponents(claim, parameters, noise, found)
    dependent = verdict.kind in ("entries", "dependence")
    exact = words_of_exact(claim, parameters, noise)  # no changed law explains them
    if not (exact or dependent) and (words := law_of_a_change(claim, trial, verdict)):
        yield words[0], place_or_spread(claim, parameters, noise), words[1]
    yield _of_entries(claim, parameters, verdict)
    yield None if dependent else _of_their_places(claim, trial, noise, verdict)
    if verdict.kind == "family":
        yield _of_family(claim, parameters, noise, verdict, found)
    yield of_draws_together(claim, parameters, verdict)
    yield exact
    yield words_of_spread(claim, trial, verdict)
    seen = place_or_spread(claim, parameters, noise)
    if claim.looks_like(noise) < HARDLY * claim.scale(parameters):
        yield "there is hardly any noise", seen, _GENERIC["spread"]
    ask = _GENERIC["place" if "around" in seen else "shape"]
    yield f"the answers do not follow the {claim.law_name} law of the task", seen, ask


def _of_exponents(
    claim, parameters: dict, noise: np.ndarray, found: Exponents
) -> tuple[str, str, str] | None:
    """Return the words for a scale that depends on a parameter in a wrong way."""
    exponent = coupling.sentence(found, claim.exponents)
    if not exponent or lie_elsewhere(claim, parameters, noise):
        return None
    here, ask = ("", "exponent") if claim.mistakes else ("here ", "at edge")
    return here + exponent, place_or_spread(claim, parameters, noise), _GENERIC[ask]


def _of_their_places(
    claim, trial: Trial, noise: np.ndarray, verdict: Verdict
) -> tuple[str, str, str] | None:
    """Return the words for where independent answers lie, or lie again, and where none does."""
    parameters = trial.settings[verdict.setting].parameters
    if words := words_of_ends(claim, parameters, noise):
        return words
    if words := words_of_repeats(claim, parameters, noise):
        return *words, AGAIN
    if words := words_of_patterns(claim, trial, verdict):
        return words
    if "repeats" not in verdict.kind and lie_elsewhere(claim, parameters, noise):
        seen = place_or_spread(claim, parameters, noise)
        return "the answers do not lie around the right value", seen, _GENERIC["place"]
    return words_of_side(claim, trial, verdict.answers)


def _of_family(
    claim, parameters: dict, noise: np.ndarray, verdict: Verdict, found: Exponents
) -> tuple[str, str, str] | None:
    """Return the words for the right law with another spread or place, or with hardly any noise."""
    spread = "spread" in verdict.name
    if spread and not spread_right(claim, parameters, noise):
        times = f"{claim.looks_like(noise) / claim.scale(parameters):.2g}"
        known = found.keys() == claim.exponents.keys() and found
        entering = " and ".join(name for name in found if claim.exponents[name])
        others = [name for name in _PRIVACY if name in parameters and name not in claim.exponents]
        ask = _GENERIC[("others" if others else "factor") if known else "spread"]
        ask = ask.format(parameters=entering, others=" and ".join(others))
        seen = place_or_spread(claim, parameters, noise)
        if "lie around" in seen:
            return "the answers do not lie around the right value", seen, _GENERIC["place"]
        return f"the spread is about {times} × what it must be", seen, ask
    if verdict.name.startswith(HARDLY_ANY):
        near = int(np.sum(np.abs(noise) <= HARDLY * claim.scale(parameters)))
        seen = f"{near:,} of {noise.size:,} {'is' if near == 1 else 'are'} exact, or nearly so"
        if 2 * near > noise.size:
            return "there is hardly any noise", seen, _GENERIC["spread"]
        without = 2 * np.sum(noise == 0) >= near
        return NO_NOISE if without else HARDLY_ANY, seen, WITHOUT
    if spread:
        return None
    return verdict.name, place_or_spread(claim, parameters, noise), _GENERIC["place"]


def _of_entries(claim, parameters: dict, verdict: Verdict) -> tuple[str, str, str] | None:
    """Return the words for entries that are unlike each other, if answers have several."""
    exact = claim.exact(parameters)
    if np.size(exact) < 2 or "repeats" in verdict.kind:
        return None
    answers = verdict.answers[verdict.setting]
    return words_of_entries(answers, exact, claim.looks_like, whole=claim.whole)


def _more(claim, verdict: Verdict) -> str:
    """Say that answers were asked for after the verdict, if so: their number is told too."""
    asked = verdict.kind in ("pattern", "equals") and claim.entry
    return ", before more were asked for to see why" if asked else ""


def outcome_failure(claim, trial: Trial, verdict: Verdict, came: str, generic: str) -> CheckFailure:
    """Return the words for outcomes of wrong frequencies; `generic` is a question for all."""
    setting = trial.settings[verdict.setting]
    mistake = {each.name: each for each in claim.mistakes}.get(verdict.name)
    if mistake is not None:
        problem, came, ask = _named(mistake, verdict), mistake.seen or came, mistake.ask
    elif verdict.kind == "entries":
        problem, came, ask = depending_entries(verdict.name)
    elif verdict.kind == "dependence":
        problem, came = "the draws depend on each other", "one tells something about the next one"
        ask = APART
    elif claim.mistakes and (words := law_of_a_change(claim, trial, verdict)):
        problem, ask = words
    elif verdict.kind == "equals":
        problem, ask = f"{claim.alike} do not come equally often", generic
    elif claim.mistakes and family_fits(claim, setting, verdict):  # at an edge it fits by accident
        hedge = "" if "as if" in verdict.name else f"{LOOKS} "
        # It fits all settings together, and a mistake may have the same effect.
        name = verdict.name.replace("choices are", "choices look").replace(", as", ", roughly as")
        problem, ask = f"{hedge}{name}", generic
        if "epsilon" not in setting.parameters:
            problem = problem.partition(", roughly as if epsilon")[0]
    else:
        problem, ask = "the answers do not come as often as they should", generic
    return CheckFailure(
        claim.name,
        problem,
        seen=f"{claim.situation(setting.parameters)}: {came}",
        sure=GUARANTEE.format(answers=counted(verdict.draws, "answer") + _more(claim, verdict)),
        ask=ask,
        draws=verdict.draws,
    )
