"""The verdict on draws and a law: it draws until the evidence or the budget decides."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ville.alternatives import Alternatives
from ville.bets.naming import SPEAKS, Explanation
from ville.bets.residues import Remainders, remainders_of
from ville.draws import Draws, numbers_of, outcomes_of, sampler_of
from ville.families import choice_families, number_families
from ville.joint import Joint, places_within
from ville.law import Impossible, Law, continuous
from ville.outcomes import Choice
from ville.process import Process, WrongDraw
from ville.require import level, whole
from ville.result import Departure, Result
from ville.trial import Trial

_FIRST_BATCH, _LARGEST_BATCH = 16, 200_000
# The next look comes after this share of draws more: the price of looking too late.
_GROWTH = 0.08
# After a rejection, up to this many times the draws may settle which mistake it was.
_NAMING_PATIENCE = 2
# Of draws of which so many came before, that is told, and not which law their few values have.
_HARDLY_DIFFER = 0.9

_WORDS = {
    "free": "the draws have another law",
    "whole repeats": "draws of several entries came again as a whole, {}",
    "repeats": "values come again, which have probability 0: {}",
    "dependence": "a draw depends on the one before",
    "lag": "a draw depends on the one {}",
    "residues": "some places come instead of others: {}",
    "rare": "what is rare comes too often: {}",
    "entries": "the entries of a draw depend on each other: {}",
}
# Of a joint law the entries are judged given those before.
_JOINT_WORDS = _WORDS | {
    "free": "entry {}, given those before it, has another law",
    "entries": "the entries of a draw depend on each other otherwise than they may: {}",
}

AnyLaw = Law | Choice


@dataclass(frozen=True)
class _Setting:
    """One way to draw: the arguments, the laws and the cells of each entry.

    Of a joint law each entry's level is judged in place of the entry.
    """

    given: dict[str, Any]
    laws: Sequence[AnyLaw | Joint]
    cells: Sequence[Any]
    rows: Sequence[np.ndarray]
    entries: bool  # whether a draw holds several
    joint: Joint | None = None
    within: np.random.Generator = field(default_factory=places_within)

    def judged(self, draws: np.ndarray) -> np.ndarray:
        return self.joint.levels(draws, self.within) if self.joint else draws

    def sort(self, draws: np.ndarray) -> tuple[np.ndarray | int, np.ndarray]:
        if not self.entries:
            return 0, self.cells[0].sort(draws)
        columns = [cells.sort(draws[:, k]) for k, cells in enumerate(self.cells)]
        return np.tile(np.arange(len(columns)), len(draws)), np.column_stack(columns).ravel()


def assert_follows(draws: Any, law: Any, **options: Any) -> Result:
    """Return what `follows` finds, or raise `ville.Departure`, an AssertionError with the words."""
    result = follows(draws, law, **options)
    if not result:
        raise Departure(result)
    return result


def follows(
    draws: Draws,
    law: AnyLaw | Joint | Sequence[AnyLaw] | Callable[..., Any],
    *,
    mistakes: Mapping[str, Any] | Callable[..., Mapping[str, Any]] | None = None,
    settings: Sequence[Mapping[str, Any]] | None = None,
    alpha: float = 1e-9,
    max_draws: int = 200_000,
    after: Result | None = None,
    repeats: bool = True,
) -> Result:
    """Say whether draws follow a law.

    Args:
      draws: a sampler, n -> n independent draws: an array of shape (n,), or (n, entries) if one
        draw holds several numbers, independent too. `ville.one_by_one` makes a sampler of a
        function of one draw. Or the draws themselves: then all of them are judged.
      law: one of `ville.laws`; a list of them for several independent entries, or a joint law.
      mistakes: laws that are known mistakes, by name: they are found sooner, and named.
      settings: arguments for several ways to draw, which are judged together. Then draws(n, ...),
        law(...) and mistakes(...) are functions of these arguments; mistakes(...) has the same
        names at each setting.
      alpha: draws that follow the law are rejected with probability at most this.
      max_draws: how many draws are judged at most, of all settings together.
      after: the result of earlier draws, which this run goes on from: the evidence of both is
        multiplied, and draws that follow the law fail in all runs together with probability at
        most alpha. A file keeps it (`pickle`) from one night to the next.
      repeats: whether values of a continuous law may not come again: False for draws from a grid
        that is coarse on purpose.

    Returns:
      The verdict with its evidence. It is False only for a rejection.

    Raises:
      ValueError: an argument is out of range, or the sampler's draws cannot be judged.
    """
    level("alpha", alpha)
    whole("max_draws", max_draws)
    if isinstance(draws, Law | Choice):
        raise ValueError(f"draws come first, then the law; got {draws!r} as draws")
    sampler, given_draws = sampler_of(draws, several=settings is not None)
    max_draws = given_draws or int(max_draws)
    places = [_setting(law, given) for given in _arguments(settings, max_draws)]
    trial = _trial(places, _catalogue(mistakes, settings, places), max_draws)
    if not repeats:
        trial = replace(trial, continuous=())
    return _judged(trial, sampler, alpha, max_draws, _known(after, places, alpha))


def _known(after: Result | None, places: Sequence[_Setting], alpha: float) -> float:
    """Return the log of the evidence that earlier draws have left."""
    if after is None:
        return 0.0
    if not isinstance(after, Result):
        raise ValueError(f"after must be a result of ville.follows, got {after!r}")
    laws = {_law_name(place) for place in places}
    if not after or after.law not in laws or after.alpha != alpha:
        raise ValueError(
            f"after must be a pass of the same law at the same alpha: it is of {after.law} at "
            f"{after.alpha:g}, {'a pass' if after else 'a failure'}"
        )
    return after.log_evidence


def one_by_one(function: Callable[..., Any]) -> Callable[..., list]:
    """Return the sampler that calls a function of one draw n times."""

    def sampler(number: int, **given: Any) -> list:
        return [function(**given) for _ in range(number)]

    return sampler


def _arguments(settings: Any, max_draws: int) -> list[dict[str, Any]]:
    """Return the arguments of each setting."""
    if settings is None:
        return [{}]
    if isinstance(settings, Mapping) or not all(isinstance(each, Mapping) for each in settings):
        raise ValueError(f"settings must be a list of dicts of arguments, got {settings!r}")
    if not 0 < len(settings) <= max_draws:
        raise ValueError(
            f"max_draws must be at least the number of settings, got {max_draws} draws "
            f"for {len(settings)} settings"
        )
    return [dict(each) for each in settings]


def _setting(law: Any, given: dict[str, Any]) -> _Setting:
    known = law is None or isinstance(law, Law | Choice | Joint | Sequence) or not callable(law)
    found = law if known or hasattr(law, "rvs") else law(**given)
    if isinstance(found, Joint):
        cells, known = found.cells(), found.known
        return _Setting(given, [found] * known, [cells] * known, [cells.null] * known, True, found)
    several = isinstance(found, Sequence) and not isinstance(found, str)
    laws = list(found) if several else [found]
    for each in laws:
        if not isinstance(each, Law | Choice):
            hint = "; ville.laws.from_scipy makes one of it" if hasattr(each, "rvs") else ""
            raise ValueError(
                f"law must be one of ville.laws, or a list of them; got {each!r}{hint}"
            )
    if not laws:
        raise ValueError("law must be one of ville.laws, or a list of at least one; got []")
    cells = [each.cells() for each in laws]
    return _Setting(given, laws, cells, [cell.null for cell in cells], several)


def _catalogue(mistakes: Any, settings: Any, places: Sequence[_Setting]) -> dict[str, list]:
    """Return the cell probabilities of each mistake, by row."""
    found: dict[str, list[np.ndarray]] = {}
    for number, place in enumerate(places):
        listed = mistakes(**place.given) if callable(mistakes) else mistakes or {}
        if not isinstance(listed, Mapping):
            raise ValueError(f"mistakes must be a dict, name: law; got {listed!r}")
        if number and listed.keys() != found.keys():
            raise ValueError(f"mistakes must have the same names at each setting: {list(listed)}")
        if listed and place.joint:
            raise ValueError(f"mistakes cannot be listed for {place.joint}: it is judged by levels")
        for name, law in listed.items():
            laws = law if isinstance(law, Sequence) else [law] * len(place.cells)
            if len(laws) != len(place.cells):
                raise ValueError(
                    f"mistakes must have a law for each of {len(place.cells)} entries, "
                    f"{name!r} has {len(laws)}"
                )
            pairs = zip(place.cells, laws, strict=True)
            found.setdefault(name, []).extend(cells.probabilities(each) for cells, each in pairs)
    return found


def _trial(places: Sequence[_Setting], catalogue: dict, max_draws: int) -> Trial:
    null = [row for place in places for row in place.rows]
    pairs = [pair for place in places for pair in zip(place.laws, place.cells, strict=True)]
    if any(place.joint for place in places):
        families = {}  # levels are no numbers that may be stretched or moved
    elif all(isinstance(law, Law) for law, _ in pairs):
        families = number_families(pairs, max_draws)
    else:
        families = choice_families(null)
    return Trial(
        places,
        Alternatives(null, catalogue),
        Alternatives(null, families),
        [continuous(place.laws) for place in places],
        events=[cells.events for place in places for cells in place.cells],
        slack=[cells.slack for place in places for cells in place.cells],
        lags=True,
        remainders=_remainders([law for law, _ in pairs]),
    )


def _remainders(laws: Sequence[AnyLaw]) -> list[Remainders | None]:
    """Return what residues need of each law; entries that share one have it computed once."""
    known = {id(law): remainders_of(law) for law in {id(law): law for law in laws}.values()}
    return [known[id(law)] for law in laws]


class _Never(Exception):
    """A draw came that the law at one setting never gives."""

    def __init__(self, place: int, words: str):
        self.place = place
        super().__init__(words)


def _judged(trial: Trial, sampler: Callable, alpha: float, max_draws: int, known: float) -> Result:
    """Draw and look until the evidence reaches 1 / alpha, or the draws are spent.

    `known` is the log of the evidence before the first draw.
    """
    process, found = Process(trial, certain=True), Explanation("")
    try:
        if _spend(process, sampler, -math.log(alpha) - known, max_draws):
            found = _explained(process)
    except _Never as never:
        found = Explanation("impossible", str(never), never.place)
    at_fault = trial.settings[found.setting]
    words = _JOINT_WORDS if at_fault.joint else _WORDS
    which = process.oddest_row(found.setting) if found.kind == "free" else found.name
    return Result(
        follows=not found.kind,
        law=_law_name(at_fault),
        alpha=alpha,
        draws=process.draws,
        log_evidence=process.total + known,
        path=tuple(process.path),
        kind=found.kind,
        mistake=words.get(found.kind, "{}").format(which),
        setting=at_fault.given if found.kind else {},
        _trial=trial,
        _laws=[pair for each in trial.settings for pair in zip(each.laws, each.cells, strict=True)],
        _counts=process.counts,
    )


def _explained(process: Process) -> Explanation:
    """Return the likeliest explanation; draws that hardly ever differ are told as such."""
    found, repeats = process.explanation(), process.repeats
    if found.kind not in ("free", "family") or not repeats or repeats.log_value() <= SPEAKS:
        return found
    alike = repeats.counts.sum() >= _HARDLY_DIFFER * process.draws
    return Explanation("repeats", *repeats.words()) if alike else found


def _law_name(place: _Setting) -> str:
    return "; ".join(dict.fromkeys(str(law) for law in place.laws))


def _spend(process: Process, sampler: Callable, bar: float, max_draws: int) -> bool:
    """Draw until the evidence reaches the bar or the draws are spent; say whether it did."""
    settings, decided_after = process.trial.settings, 0
    while process.draws < max_draws:
        wanted = min(max(_FIRST_BATCH, process.draws * _GROWTH), _LARGEST_BATCH)
        number = max(1, min(int(wanted), max_draws - process.draws) // len(settings))
        for place, setting in enumerate(settings):
            _take(process, place, _drawn(sampler, number, setting))
        process.look()
        decided_after = decided_after or (process.draws if process.largest >= bar else 0)
        patience = _NAMING_PATIENCE * decided_after
        if decided_after and (process.draws >= patience or not process.in_doubt()):
            break
    return decided_after > 0


def _take(process: Process, place: int, draws: np.ndarray) -> None:
    try:
        process.take(place, process.trial.settings[place].judged(draws))
    except Impossible as impossible:
        raise _Never(place, f"{impossible}: it never comes") from None
    except WrongDraw as wrong:
        label = process.trial.settings[place].cells[wrong.row].label(wrong.cell)
        raise _Never(place, f"{label} came, which the law never gives") from None


def _drawn(sampler: Callable, number: int, setting: _Setting) -> np.ndarray:
    """Return the next draws of a setting, of the right shape."""
    draws = sampler(number, **setting.given)
    if setting.joint:
        return setting.joint.read(draws, (number, setting.joint.entries))
    shape = (number, len(setting.laws)) if setting.entries else (number,)
    if all(isinstance(law, Law) for law in setting.laws):
        return numbers_of(draws, shape)
    return outcomes_of(draws, shape)
