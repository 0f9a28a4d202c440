"""Mistakes, and catalogues of common ones of noise as tables: wrong scales, centres and laws.

A table gives the wrong scale, centre or law by the mistake's name:

    wrong_scales(laplace, {
        "epsilon is ignored": lambda p: p["sensitivity"],
        "the root is taken": (lambda p: (p["sensitivity"] / p["epsilon"]) ** 0.5, "which root?"),
    })

An entry's own question comes second; otherwise the table's (`ask`) is used. QUESTIONS has the
questions of mistakes that several claims share.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ville.distributions import clamped, folded

# The questions of mistakes that several claims share.
_MOVED = "what should happen to the noise when one person can change the answer by more?"
_LOSS = "does a larger epsilon mean more privacy or less?"
_LARGER = "which of sensitivity and epsilon should make the noise larger, and which smaller?"
_TWO = "which factor 2 in your code does the definition not have?"
_CENTRE = "what should the answers be on average, if the noise is 0 on average?"
_AVERAGE = "may a noisy answer be negative? And what happens to its average if it may not?"

QUESTIONS = {
    "the sensitivity is ignored": _MOVED,
    "the sensitivity is squared": "how often do you multiply by the sensitivity?",
    "epsilon is ignored": "what should happen to the noise when less privacy may be lost?",
    "epsilon is squared": "how often do you divide by epsilon?",
    "epsilon is used as the scale": _LOSS,
    "epsilon multiplies instead of divides": _LOSS,
    "an epsilon above 1 counts as 1": "is there a largest epsilon in the definition?",
    "sensitivity and epsilon are ignored": (
        "what does numpy's `scale` stand for, and what is it when you leave it out?"
    ),
    "the scale is upside down": _LARGER,
    "the noise is doubled": _TWO,
    "the noise is halved": _TWO,
    "the logarithm has base 10": "which logarithm undoes exp?",
    "the value is missing": "to what is the noise added?",
    "the value is added twice": _CENTRE,
    "the noise is multiplied by the value": (
        "is the noise added to the value, or multiplied with it?"
    ),
    "negative answers become 0": _AVERAGE,
    "the sign of the answer is lost": "what happens to an exact value below 0?",
    "the noise is never negative": "on which side of the exact answer may the noisy one lie?",
    "no noise is added": "where is a random number drawn?",
}


@dataclass(frozen=True)
class Mistake:
    """A misconception: its name in a few words, the law it gives, and a question that leads on.

    `law` takes a setting's parameters. It gives what the claim's own law is about: the law of
    (answer - exact answer), or that of the outcomes, in which those left out have probability 0;
    or a list with one for each entry of the answer. `seen` replaces the usual description of the
    answers; of noise it may use the fields {scale} and {looks}.
    """

    name: str
    law: Callable[[dict], Any]
    ask: str
    seen: str = ""


# So often the answer without chance comes, where a mistake says "now and then".
_NOW_AND_THEN = 1 / 30


def now_and_then(
    right: Callable[[dict], dict], exact: Callable[[dict], dict], *, name: str, seen: str
) -> Mistake:
    """Return the mistake of leaving chance out in a few of the calls.

    Args:
      right: the law of the outcomes; its outcomes are those of `exact` too.
      exact: their law without chance.
      name, seen: as for a mistake.
    """

    def law(p: dict) -> dict:
        chances, sure = right(p), exact(p)
        return {
            each: (1 - _NOW_AND_THEN) * chance + _NOW_AND_THEN * sure.get(each, 0.0)
            for each, chance in chances.items()
        }

    return Mistake(name, law, "is there a call in which no random number decides?", seen)


# What replaces the right one: alone, with a question, or with a question and the words for it.
Table = Mapping[str, Any]


def wrong_scales(law: Callable[[Any], Any], table: Table, ask: str = "") -> tuple[Mistake, ...]:
    """Return the mistakes of noise that has the right law, and another scale.

    Args:
      law: the law of a scale.
      table: what gives the scale from a setting's parameters, by the mistake's name.
      ask: the question where an entry has none.
    """
    return mistakes_by(lambda scale: lambda p: law(scale(p)), table, ask)


def wrong_centres(
    law: Callable[[Any, Any], Any], scale: Callable[[dict], Any], table: Table, ask: str = ""
) -> tuple[Mistake, ...]:
    """Return the mistakes of noise that lies around another place than 0.

    Args:
      law: the law of a scale and a centre.
      scale: the right scale, from a setting's parameters.
      table: what gives the centre from these, by the mistake's name.
      ask: the question where an entry has none.
    """
    return mistakes_by(lambda centre: lambda p: law(scale(p), centre(p)), table, ask)


def wrong_laws(scale: Callable[[dict], Any], table: Table, ask: str = "") -> tuple[Mistake, ...]:
    """Return the mistakes of noise that has another law, which depends on the right scale alone.

    Args:
      scale: the right scale, from a setting's parameters.
      table: what gives the law from a scale, by the mistake's name.
      ask: the question where an entry has none.
    """
    return mistakes_by(lambda law: lambda p: law(scale(p)), table, ask)


def value_mistakes(law: Callable[..., Any], scale: Callable[[dict], Any]) -> tuple[Mistake, ...]:
    """Return what goes wrong with the value that noise is added to, a setting's "value".

    Args:
      law: the law of a scale, and of a centre.
      scale: the right scale, from a setting's parameters.
    """
    ends = {"negative answers become 0": clamped, "the sign of the answer is lost": folded}
    times = {"the noise is multiplied by the value": lambda p: abs(p["value"]) * scale(p)}
    centres = {
        "the value is missing": lambda p: -p["value"],
        "the value is added twice": lambda p: p["value"],
    }
    return (
        *wrong_centres(law, scale, centres),
        *wrong_scales(law, times),
        *mistakes_by(lambda ended: lambda p: ended(law(scale(p)), -p["value"]), ends),
    )


def mistakes_by(
    law_of: Callable[[Any], Callable], table: Table, ask: str = ""
) -> tuple[Mistake, ...]:
    """Return the mistakes that differ in one thing that a claim's own law depends on.

    Args:
      law_of: makes the law from a setting's parameters and the wrong thing.
      table: the wrong thing, by the mistake's name.
      ask: the question where an entry has none.
    """
    return tuple(_mistake(name, entry, ask, law_of) for name, entry in table.items())


def _mistake(name: str, entry: Any, ask: str, law_of: Callable[[Callable], Callable]) -> Mistake:
    wrong, *words = entry if isinstance(entry, tuple) else (entry,)
    if not words:
        words = [ask or QUESTIONS.get(name, "")]
    if not words[0]:
        raise ValueError(f"mistake {name!r} must have a question: write (…, question)")
    return Mistake(name, law_of(wrong), *words)
