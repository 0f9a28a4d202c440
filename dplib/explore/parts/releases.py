"""A reader's own function: its releases beside the law that they should follow, live."""

import functools
import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from dplib.explore.parts.live import LiveFigure, explore_live
from dplib.explore.parts.words import amount, share
from dplib.plots.parts.releases import FEW, draw_choices, draw_releases, draw_whole, law_reach
from dplib.plots.parts.style import of_hundred

MOST, LEAST = 400, 20  # releases for one picture
SECONDS = 0.04  # for all of them, unless even the least number takes longer
_SLOW = 3  # times as long, where each release of a right function takes milliseconds


class _Runs:
    """Releases of a reader's function at one stop, or the words on why there are none.

    Those of a slow function are few. With `slow` they take longer, the first ones longest, and come
    to those that were made at this stop before: so they become many.
    """

    def __init__(self, run: Callable, read: Callable, *, slow: bool = False) -> None:
        self._run, self._read = run, read
        self._patience, self._kept = (3 * _SLOW, {}) if slow else (1, None)
        self.releases: list = []
        self.words = ""

    def refresh(self, stop: float) -> list:
        """Return new releases, or more of them."""
        self.words, new, until = "", [], time.perf_counter() + self._patience * SECONDS
        before = [] if self._kept is None else self._kept.setdefault(stop, [])
        try:
            while len(before) + len(new) < MOST and (
                len(new) < LEAST or time.perf_counter() < until
            ):
                new.append(self._read(self._run(stop)))
        except NotImplementedError:
            self.words = "Your function is not written yet: this is the law for its releases."
        except Exception as error:  # a reader's code may raise anything, and is told what
            reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            self.words = f"Your function stopped with {reason}."
        self.releases = [] if self.words else before + new
        if self._kept is not None:
            self._kept[stop], self._patience = self.releases, _SLOW
        return self.releases


_BREATHING = "density (each stop has its own scale)"  # as _Windows does


class Truth(NamedTuple):
    """An exact answer from 0 on that a mechanism's releases may not lie around, and its name."""

    name: str
    value: float


class _Windows:
    """The window of each law of a slider, and the law before it as its ghost.

    The laws of one slider differ by a factor of hundreds: in one window for all, most of them would
    be as thin as a line. In a window as wide as its law each would look the same. So a law that is
    8 times narrower gets a window that is 4 times narrower, and is drawn half as wide.
    """

    def __init__(self, law: Callable, stops: Sequence[float], name: str) -> None:
        self._law, self._name = law, name
        self._widest = max(law_reach(law(stop)) for stop in stops)
        self._now = self._before = None

    def width(self, stop: float) -> float:
        """Return how far the window reaches on both sides."""
        return 1.1 * self._widest * (law_reach(self._law(stop)) / self._widest) ** (2 / 3)

    def ghost(self, stop: float) -> tuple | None:
        """Return the name and the law of the stop where the slider stood before, if any."""
        if stop != self._now:
            self._before, self._now = self._now, stop
        before = self._before
        return None if before is None else (f"at {self._name} = {before:g}", self._law(before))


def explore_releases(
    run: Callable[[float], object],
    law: Callable[[float], object],
    *,
    exact: Callable[[float], str],
    stops: Sequence[float],
    start: float,
    x: str,
    name: str = "ε",
    truth: Truth | None = None,
) -> LiveFigure:
    """Show numbers that a reader's function releases, beside their law, drawn anew at each move.

    Args:
      run: function of a stop: one release, a number.
      law: function of a stop: the law of a release, one of `dplib.plots.parts.laws`.
      exact: function of a stop: the words for the answer without noise, in the law's middle.
      stops, start, name: of the slider.
      x: what a release is, with its unit, in parentheses.
      truth: where the law's middle is not the exact answer: the exact answer. A panel at the left
        shows how far from it the releases are.
    """
    runs, law = _Runs(run, _number), functools.cache(law)
    windows = _Windows(law, stops, name)

    def draw(axes, stop):
        seen = runs.refresh(stop)
        if truth is not None:
            draw_whole(axes[0], seen, truth=truth.value, x=x, y=f"dashed: {truth.name}")
        # Beside a panel that shows the move, the law before has no room and mostly is out of view.
        look = {"ghost": None if truth else windows.ghost(stop)}
        look["y"] = "density, magnified" if truth else _BREATHING
        draw_releases(axes[-1], seen, law(stop), x=x, window=windows.width(stop), **look)

    def caption(stop):
        if runs.words:
            return runs.words
        said = _say_releases(runs.releases, law(stop), exact(stop))
        more = f" The {truth.name} is {truth.value:,.10g}." if truth else ""
        return f"With {name} = {stop:,.10g}, {said}{more}"

    panels = (1,) if truth is None else (2, 3)
    return explore_live(draw, caption, sliders=[(name, stops, start)], panels=panels)


def _number(given) -> float:
    return float(np.asarray(given))


# By how much luck moves the middle of few releases: one part in so many.
_PARTS = (
    *("all of it", "a half", "a third", "a quarter", "a fifth"),
    *("a sixth", "a seventh", "an eighth", "a ninth", "a tenth"),
)


def _say_releases(releases: Sequence[float], law, exact: str) -> str:
    """Return how far off half of the releases are, and by the law; and whether luck explains it."""
    centre, count = law.median(), len(releases)
    away = float(np.median(np.abs(np.asarray(releases) - centre)))
    half = law.ppf(0.75) - centre  # all laws here are symmetric
    # The standard error of a median: 1 / (2 density sqrt(n)); sizes have twice the density.
    luck = 1 / (4 * float(law.pdf(centre + half)) * math.sqrt(count)) / half
    parts = max(1, round(1 / luck))
    few = f"; with so few, luck moves yours by {_PARTS[parts - 1]}" if parts <= len(_PARTS) else ""
    return (
        f"half of your {count} releases are within {amount(away)} of {exact}; by the law it is "
        f"{amount(float(half))}{few}."
    )


def explore_answers_or_none(
    run: Callable[[float], object],
    law: Callable[[float], object],
    chance: Callable[[float], float],
    *,
    exact: str,
    stops: Sequence[float],
    start: float,
    x: str,
    name: str,
) -> LiveFigure:
    """Show how often a reader's slow function answers, and its answers beside their law.

    Each drawing at a stop adds releases to those before it, up to MOST of them.

    Args:
      run: function of a stop: one release, a number, or None for no answer.
      law: function of a stop: the law of an answer, one of `dplib.plots.parts.laws`.
      chance: function of a stop: how likely it is that there is an answer.
      exact: the words for the answer without noise, in the law's middle.
      stops, start, name: of the slider.
      x: what an answer is, with its unit, in parentheses.
    """
    runs = _Runs(run, lambda given: None if given is None else _number(given), slow=True)
    windows = _Windows(law, stops, name)

    def draw(axes, stop):
        seen = [_NONE if each is None else _SOME for each in runs.refresh(stop)]
        draw_choices(axes[0], seen, {_SOME: chance(stop), _NONE: 1 - chance(stop)})
        answers = _given(runs)
        look = {"window": windows.width(stop), "y": "density; dashed: law"}
        draw_releases(axes[1], answers, law(stop), x=x, **look)
        axes[1].get_legend().remove()  # the key of the left panel is enough
        if seen and not answers:
            axes[1].text(0.03, 0.9, "no answer", transform=axes[1].transAxes, va="top")

    def caption(stop):
        if runs.words:
            return runs.words
        count, answers = len(runs.releases), _given(runs)
        first = (
            f"With {name} = {stop:,.10g}, your function answers in {len(answers)} of {count} runs; "
            f"by the law it is {share(chance(stop))}."
        )
        if not answers:
            return first
        said = _say_releases(answers, law(stop), exact)
        return f"{first} {said[0].upper()}{said[1:]}"

    return explore_live(draw, caption, sliders=[(name, stops, start)], panels=(2, 3))


_SOME, _NONE = "answer", "none"


def _given(runs: _Runs) -> list[float]:
    return [each for each in runs.releases if each is not None]


def explore_choices(
    run: Callable[[float], object],
    law: Callable[[float], Mapping],
    *,
    stops: Sequence[float],
    start: float,
    name: str = "ε",
) -> LiveFigure:
    """Show which outcomes a reader's function chooses, beside their law, drawn anew at each move.

    Args:
      run: function of a stop: one outcome.
      law: function of a stop: outcome: probability; the picture has one row for each.
      stops, start, name: of the slider.
    """
    runs = _Runs(run, lambda given: given.item() if isinstance(given, np.generic) else given)
    law = functools.cache(law)

    def draw(axes, stop):
        draw_choices(axes[0], runs.refresh(stop), law(stop))

    def caption(stop):
        if runs.words:
            return runs.words
        chances = law(stop)
        likely = max(chances, key=chances.get)
        count = len(runs.releases)
        part = sum(each == likely for each in runs.releases) / count
        # The standard error of a share.
        luck = 100 * math.sqrt(chances[likely] * (1 - chances[likely]) / count)
        few = count < FEW and luck >= 1
        return (
            f"With {name} = {stop:,.10g}, {100 * part:.0f} % of your {count} releases are "
            f"in the row “{likely}”; by the law it is {of_hundred(100 * chances[likely])} %"
            f"{f'; with so few, luck moves yours by {luck:.0f} points' if few else ''}."
        )

    return explore_live(draw, caption, sliders=[(name, stops, start)])
