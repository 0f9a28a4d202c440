"""Claims made of several claims: each judges one property of the same answer, in order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from autograder.check.claim import Claim
from autograder.check.effort import at_length, of_parts, saw
from autograder.check.judge import ALPHA
from autograder.check.result import CheckFailure, Result
from autograder.check.shown.figure import held


@dataclass(frozen=True, kw_only=True)
class SeveralClaims:
    """One exercise that several claims judge together; the first that fails speaks.

    The parts bear the exercise's name. A right answer is failed with probability at most the sum of
    their levels, which may not exceed 1e-9: exact parts have none, statistical ones share it.

    Args:
      name, about, library: as in `Claim`.
      established: the text of a pass, in one line, in place of the parts' texts.
      parts: the claims.

    Raises:
      ValueError: the parts' levels add up to more than 1e-9.
    """

    name: str
    about: str = ""
    library: str = ""
    established: str
    parts: Sequence[Claim]

    def __post_init__(self):
        level = sum(getattr(part, "level", 0.0) for part in self.parts)
        if level > ALPHA * (1 + 1e-9):
            raise ValueError(f"parts must have levels that sum to at most {ALPHA}, got {level}")

    def check(self, function: Callable) -> Result:
        """Return what was established about an answer, or raise CheckFailure."""
        results = []
        for place, length in enumerate(of_parts(self.name, self.parts)):
            with at_length(self.name, length):
                results.append(self.parts[place].check(function))
            saw(self.name, place, results[-1].draws)
        notes = dict.fromkeys(result.note for result in results if result.note)
        return Result(
            self.name,
            self.established,
            sum(result.draws for result in results),
            "; ".join(notes),
            min(result.share for result in results),
            "; ".join(dict.fromkeys(result.worth for result in results if result.worth)),
            next((result.picture for result in results if result.picture), None),
            unjudged="; ".join(dict.fromkeys(each.unjudged for each in results if each.unjudged)),
        )

    def blind_spots(self) -> dict[str, float]:
        """Return the mistakes that a part cannot tell from a right answer."""
        return {name: rate for part in self.parts for name, rate in part.blind_spots().items()}

    @property
    def mistakes(self) -> list:
        """The catalogues of all parts."""
        return [mistake for part in self.parts for mistake in getattr(part, "mistakes", ())]


@dataclass(frozen=True, kw_only=True)
class EitherClaim:
    """One property that right answers have in one of several ways.

    A right answer is failed with probability at most its own way's level. The first claim speaks,
    unless others know the mistake by its name: then the one that took most answers to see it, for
    its way is the nearest. If they know it by different names, it is told as a guess.

    Args:
      ways: the claims, the most usual one first.
    """

    ways: Sequence[Claim]

    def check(self, function: Callable) -> Result:
        """Return what was established about an answer, or raise a claim's CheckFailure."""
        failures = []
        for way in self.ways:
            # Who passes in one way is not shown how another one failed.
            with held() as pictures:
                try:
                    return way.check(function)
                except CheckFailure as failure:
                    failures.append((failure, _name(way, failure), pictures))
        named = [each for each in failures if each[1]]
        failure, _, pictures = max(named, key=lambda each: each[0].draws, default=failures[0])
        if len({name for _, name, _ in named}) > 1:
            failure = failure.as_guess()
        for picture in pictures:
            picture.show()
        raise failure from None

    def blind_spots(self) -> dict[str, float]:
        """Return the mistakes that the first claim cannot tell from a right answer."""
        return self.ways[0].blind_spots()

    @property
    def level(self) -> float:
        """The largest probability with which a right answer is failed."""
        return max(getattr(way, "level", 0.0) for way in self.ways)

    @property
    def mistakes(self) -> list:
        """The catalogue of the first claim: the others' names are the same, or nearly."""
        return self.ways[0].mistakes


def _name(way: Claim, failure: CheckFailure) -> str:
    """Return the name by which a claim knows the mistake, as a fact or as a guess; else ""."""
    names = (each.name for each in getattr(way, "mistakes", ()))
    return next((name for name in names if name in failure.problem), "")
