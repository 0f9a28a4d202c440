"""The verdict on draws and a law: it draws until the evidence or the budget decides."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ville.alternatives import Alternatives
from ville.families import choice_families, number_families
from ville.law import Impossible, Law, continuous
from ville.outcomes import Choice
from ville.process import Explanation, Process, Trial, WrongDraw
from ville.require import whole
from ville.result import Departure, Result

_FIRST_BATCH, _LARGEST_BATCH = 16, 200_000
# The next look comes after this share of draws more: the price of looking too late.
_GROWTH = 0.08
# After a rejection, up to this many times the draws may settle which mistake it was.
_NAMING_PATIENCE = 2

_WORDS = {
    "free": "the draws have another law",
    "whole repeats": "draws of several entries came again as a whole, {}",
    "repeats": "values come again, which have probability 0: {}",
    "dependence": "a draw depends on the one before",
    "entries": "the entries of a draw depend on each other: {}",
}

AnyLaw = Law | Choice


@dataclass(frozen=True)
class _Setting:
    """One way to draw: the arguments, the laws and the cells of each entry."""

    given: dict[str, Any]
    laws: Sequence[AnyLaw]
    cells: Sequence[Any]
    rows: Sequence[np.ndarray]
    entries: bool  # whether a draw holds several

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
    draws: Callable[..., Any] | Sequence,
    law: AnyLaw | Sequence[AnyLaw] | Callable[..., Any],
    *,
    mistakes: Mapping[str, Any] | Callable[..., Mapping[str, Any]] | None = None,
    settings: Sequence[Mapping[str, Any]] | None = None,
    alpha: float = 1e-9,
    max_draws: int = 200_000,
) -> Result:
    """Say whether draws follow a law.

    Args:
      draws: a sampler, n -> n independent draws: an array of shape (n,), or (n, entries) if one
        draw holds several numbers, independent too. `ville.one_by_one` makes a sampler of a
        function of one draw. Or the draws themselves: then all of them are judged.
      law: one of `ville.laws`; a list of them for several entries.
      mistakes: laws that are known mistakes, by name: they are found sooner, and named.
      settings: arguments for several ways to draw, which are judged together. Then draws(n, ...),
        law(...) and mistakes(...) are functions of these arguments; mistakes(...) has the same
        names at each setting.
      alpha: draws that follow the law are rejected with probability at most this.
      max_draws: how many draws are judged at most, of all settings together.

    Returns:
      The verdict with its evidence. It is False only for a rejection.

    Raises:
      ValueError: an argument is out of range, or the sampler's draws cannot be judged.
    """
    if not 0 < alpha < 1:
        raise ValueError(f"alpha must lie between 0 and 1, got {alpha!r}")
    whole("max_draws", max_draws)
    sampler, max_draws = _sampler(draws, settings, max_draws)
    places = [_setting(law, dict(given)) for given in settings or [{}]]
    trial = _trial(places, _catalogue(mistakes, settings, places), max_draws)
    return _judged(trial, sampler, alpha, max_draws)


def one_by_one(function: Callable[..., Any]) -> Callable[..., np.ndarray]:
    """Return the sampler that calls a function of one draw n times."""

    def sampler(number: int, **given: Any) -> np.ndarray:
        return np.array([function(**given) for _ in range(number)])

    return sampler


def _sampler(draws: Any, settings: Any, max_draws: int) -> tuple[Callable, int]:
    """Return the function for the next n draws at a setting, and how many there are at most."""
    if callable(draws):
        return draws, max_draws
    made = np.asarray(draws)
    if settings is not None or not len(made):
        raise ValueError("draws must be a sampler for several settings, and at least one draw")
    left = [made]

    def next_of(number: int) -> np.ndarray:
        batch, left[0] = left[0][:number], left[0][number:]
        return batch

    return next_of, len(made)


def _setting(law: Any, given: dict[str, Any]) -> _Setting:
    found = law if isinstance(law, Law | Choice | Sequence) else law(**given)
    laws = list(found) if isinstance(found, Sequence) else [found]
    for each in laws:
        if not isinstance(each, Law | Choice):
            raise ValueError(f"law must be one of ville.laws, or a list of them; got {each!r}")
    cells = [each.cells() for each in laws]
    rows = [cell.probabilities(each) for cell, each in zip(cells, laws, strict=True)]
    return _Setting(given, laws, cells, rows, isinstance(found, Sequence))


def _catalogue(mistakes: Any, settings: Any, places: Sequence[_Setting]) -> dict[str, list]:
    """Return the cell probabilities of each mistake, by row."""
    found: dict[str, list[np.ndarray]] = {}
    for number, place in enumerate(places):
        listed = mistakes(**place.given) if callable(mistakes) else mistakes or {}
        if number and listed.keys() != found.keys():
            raise ValueError(f"mistakes must have the same names at each setting: {list(listed)}")
        for name, law in listed.items():
            laws = law if isinstance(law, Sequence) else [law] * len(place.cells)
            pairs = zip(place.cells, laws, strict=True)
            found.setdefault(name, []).extend(cells.probabilities(each) for cells, each in pairs)
    return found


def _trial(places: Sequence[_Setting], catalogue: dict, max_draws: int) -> Trial:
    null = [row for place in places for row in place.rows]
    pairs = [pair for place in places for pair in zip(place.laws, place.cells, strict=True)]
    if all(isinstance(law, Law) for law, _ in pairs):
        families = number_families(pairs, max_draws)
    else:
        families = choice_families(null)
    smooth = [continuous(place.laws) for place in places]
    return Trial(places, Alternatives(null, catalogue), Alternatives(null, families), smooth)


class _Never(Exception):
    """A draw came that the law at one setting never gives."""

    def __init__(self, place: int, words: str):
        self.place = place
        super().__init__(words)


def _judged(trial: Trial, sampler: Callable, alpha: float, max_draws: int) -> Result:
    """Draw and look until the evidence reaches 1 / alpha, or the draws are spent."""
    process, found = Process(trial, certain=True), Explanation("")
    try:
        if _spend(process, sampler, -math.log(alpha), max_draws):
            found = process.explanation()
    except _Never as never:
        found = Explanation("impossible", str(never), never.place)
    at_fault = trial.settings[found.setting]
    return Result(
        follows=not found.kind,
        law="; ".join(dict.fromkeys(str(law) for law in at_fault.laws)),
        alpha=alpha,
        draws=process.draws,
        log_evidence=process.total,
        path=tuple(process.path),
        kind=found.kind,
        mistake=_WORDS.get(found.kind, "{}").format(found.name),
        setting=at_fault.given if found.kind else {},
        _trial=trial,
        _laws=[pair for each in trial.settings for pair in zip(each.laws, each.cells, strict=True)],
        _counts=process.counts,
    )


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
        process.take(place, draws)
    except Impossible as impossible:
        raise _Never(place, f"{impossible}: it never comes") from None
    except WrongDraw as wrong:
        label = process.trial.settings[place].cells[wrong.row].label(wrong.cell)
        raise _Never(place, f"{label} came, which the law never gives") from None


def _drawn(sampler: Callable, number: int, setting: _Setting) -> np.ndarray:
    """Return the next draws of a setting, of the right shape."""
    draws = np.asarray(sampler(number, **setting.given))
    wanted = (number, len(setting.laws)) if setting.entries else (number,)
    if draws.shape != wanted:
        raise ValueError(f"draws must come as an array of shape {wanted}, got {draws.shape}")
    if all(isinstance(law, Law) for law in setting.laws):
        return draws.astype(float, copy=False)
    return draws
