"""The test of chance: whether it explains that a test passes in one process, and not in two.

A flag accuses a person, and tests and answers may be random: a model is trained anew each time, a
wrong answer was lucky once. So both ways are run again, each time in new processes. A cell is
confirmed only if two equal chances of passing would hardly ever give such counts: Fisher's exact
test, at three sample sizes, below 1e-6 in all.
"""

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from time import monotonic


@dataclass
class Tally:
    """The counts of how often a test gave its points.

    Attributes:
      given: in one process, as nbgrader runs it.
      of: how often it was run in one process.
      kept: in two processes.
      asked: how often it was run in two processes.
    """

    given: int = 0
    of: int = 0
    kept: int = 0
    asked: int = 0

    def add(self, *, apart: bool, passed: bool) -> None:
        """Count one run."""
        if apart:
            self.kept, self.asked = self.kept + passed, self.asked + 1
        else:
            self.given, self.of = self.given + passed, self.of + 1

    def words(self) -> str:
        """Return the counts in words."""
        return (
            f"it passed in {self.given} of {self.of} runs in one process, "
            f"in {self.kept} of {self.asked} apart"
        )


@dataclass(frozen=True)
class _Stage:
    """A number of runs of each kind, after which a cell is confirmed at `level`.

    Above `open_at` chance explains it; in between it is run again.
    """

    once: int
    apart: int
    level: float
    open_at: float


_STAGES = (
    _Stage(3, 3, 0.0, 0.2),
    _Stage(7, 24, 5e-7, 0.05),  # a run in two processes costs a third
    _Stage(20, 24, 2.5e-7, 0.01),
    _Stage(40, 40, 2.5e-7, 0.0),
)
_LEAST = 3  # runs of each kind that a slow notebook gets, whatever its time

Run = Callable[[], Mapping[str, bool]]  # whether each test gave its points


def by_chance(tally: Tally) -> float:
    """Return how likely equal chances split the passes this unevenly: Fisher (1935), section 21."""
    runs, passes = tally.of + tally.asked, tally.given + tally.kept
    most = min(passes, tally.of)
    ways = sum(
        math.comb(tally.of, k) * math.comb(tally.asked, passes - k)
        for k in range(tally.given, most + 1)
    )
    return ways / math.comb(runs, passes)


def confirmed(
    cells: Collection[str],
    tallies: dict[str, Tally],
    *,
    once: Run,
    apart: Run,
    seconds: float,
    sure: Collection[str] = (),
) -> list[str]:
    """Return the cells that pass in one process and not in two, beyond what chance explains.

    Args:
      cells: by grade_id.
      tallies: the counts so far; they are updated.
      once: runs the notebook again as nbgrader does.
      apart: runs it again in two processes.
      seconds: for how long. If the time ends first, a cell counts as confirmed when it had three or
      more runs of each kind and all runs of a kind said the same.
      sure: cells for which that few runs are enough: their failure is no matter of chance.
    """
    until, still, found = monotonic() + seconds, list(cells), []
    for stage in _STAGES:
        while still and _is_short(tallies[still[0]], stage):
            if monotonic() > until and _runs(tallies[still[0]]) >= _LEAST:
                return found + [name for name in still if _all_say_the_same(tallies[name])]
            _count(tallies, still, stage, once=once, apart=apart)
        chances = {name: by_chance(tallies[name]) for name in still}
        found += [
            name
            for name, chance in chances.items()
            if chance <= stage.level or (name in sure and _all_say_the_same(tallies[name]))
        ]
        still = [name for name in still if name not in found and chances[name] <= stage.open_at]
    return found


def _runs(tally: Tally) -> int:
    return min(tally.of, tally.asked)


def _is_short(tally: Tally, stage: _Stage) -> bool:
    return tally.of < stage.once or tally.asked < stage.apart


def _count(
    tallies: dict[str, Tally], cells: Collection[str], stage: _Stage, *, once: Run, apart: Run
) -> None:
    """Run the notebook once more, each way that is short of runs."""
    first = tallies[next(iter(cells))]
    short = ((apart, True, first.asked < stage.apart), (once, False, first.of < stage.once))
    for run, is_apart, is_short in short:
        if is_short:
            passed = run()
            for name in cells:
                tallies[name].add(apart=is_apart, passed=bool(passed.get(name)))


def _all_say_the_same(tally: Tally) -> bool:
    return tally.given == tally.of and not tally.kept
