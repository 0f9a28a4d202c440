"""A reader's own function: its releases beside the law that they should follow, live."""

import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from dplib.explore.parts.live import LiveFigure, explore_live
from dplib.explore.parts.words import amount
from dplib.plots.parts.releases import draw_choices, draw_releases

MOST, LEAST = 400, 20  # releases for one picture
SECONDS = 0.04  # for all of them, unless even the least number takes longer


class _Runs:
    """Releases of a reader's function at one stop, or the words on why there are none."""

    def __init__(self, run: Callable[[float], object], read: Callable) -> None:
        self._run, self._read = run, read
        self.releases: list = []
        self.words = ""

    def refresh(self, stop: float) -> list:
        """Return new releases."""
        self.releases, self.words, until = [], "", time.perf_counter() + SECONDS
        try:
            while len(self.releases) < MOST and (
                len(self.releases) < LEAST or time.perf_counter() < until
            ):
                self.releases.append(self._read(self._run(stop)))
        except NotImplementedError:
            self.words = "Your function is not written yet: this is the law for its releases."
        except Exception as error:  # a reader's code may raise anything, and is told what
            reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            self.words = f"Your function stopped with {reason}."
        if self.words:
            self.releases = []
        return self.releases


def explore_releases(
    run: Callable[[float], object],
    law: Callable[[float], object],
    *,
    exact: Callable[[float], float],
    stops: Sequence[float],
    start: float,
    x: str,
    name: str = "ε",
) -> LiveFigure:
    """Show numbers that a reader's function releases, beside their law, drawn anew at each move.

    Args:
      run: function of a stop: one release, a number.
      law: function of a stop: the law of a release, one of `dplib.plots.parts.laws`.
      exact: function of a stop: the answer without noise.
      stops, start, name: of the slider.
      x: what a release is, with its unit, in parentheses.
    """
    runs = _Runs(run, lambda given: float(np.asarray(given)))

    def draw(axes, stop):
        # The law of the first view stays as a ghost: the eye sees which of the two is wider.
        ghost = None if stop == start else (f"at {name} = {start:g}", law(start))
        draw_releases(axes[0], runs.refresh(stop), law(stop), x=x, ghost=ghost)

    def caption(stop):
        if runs.words:
            return runs.words
        away = np.abs(np.asarray(runs.releases) - exact(stop))
        half = law(stop).ppf(0.75) - law(stop).median()  # all laws here are symmetric
        return (
            f"With {name} = {stop:g}, half of your {len(away)} releases are within "
            f"{amount(float(np.median(away)))} of the exact answer; by the law it is "
            f"{amount(float(half))}."
        )

    return explore_live(draw, caption, sliders=[(name, stops, start)])


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

    def draw(axes, stop):
        draw_choices(axes[0], runs.refresh(stop), law(stop))

    def caption(stop):
        if runs.words:
            return runs.words
        chances = law(stop)
        likely = max(chances, key=chances.get)
        share = sum(each == likely for each in runs.releases) / len(runs.releases)
        return (
            f"With {name} = {stop:g}, {100 * share:.0f} % of your {len(runs.releases)} releases "
            f"are {likely}; by the law it is {amount(100 * chances[likely])} %."
        )

    return explore_live(draw, caption, sliders=[(name, stops, start)])
