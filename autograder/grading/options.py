"""The options of a run, and the limits of students' code that follow from them."""

import contextlib
import dataclasses
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.exchange.default import Exchange

from autograder.course_folders.course import Course, GradingError
from autograder.sandbox.containment import Containment, unavailable
from autograder.sandbox.limits import Limits


def cores() -> int:
    """Return how many cores this process may use: less than there are in a container."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True)
class Options:
    """How to grade a class, chosen at the terminal.

    Attributes:
      force: grade graded submissions again. Scores that a person gave are kept, as in nbgrader.
      workers: how many notebooks run at the same time, >= 1; one for each core if not given.
      warm: fork kernels from one process that has imported everything (on Linux); False starts
        nbgrader's own, each of which imports anew.
      apart: run the tests out of the reach of the student's code; False runs them beside it, as
        nbgrader does.
      contained: keep students' code from everything but its own folder; False lets it do what you
        may do.
      cluster: the address of a Dask scheduler, to run notebooks on its machines; None for this one.
      feedback: make a page for each student, to send back.
      again: whether the work is known to be what was graded before.
    """

    force: bool = False
    workers: int = field(default_factory=cores)
    warm: bool = True
    apart: bool = True
    contained: bool = True
    cluster: str | None = None
    feedback: bool = True
    again: bool = False

    def __post_init__(self):
        if self.workers < 1:
            raise ValueError(f"workers must be at least 1, not {self.workers}")


def limits_of(course: Course, options: Options) -> Limits:
    """Return the limits of students' code; refuse to run it uncontained unless told to."""
    limits = Containment(parent=course.app).limits()
    if not options.contained:
        return dataclasses.replace(limits, contained=False)
    kept = private_folders(course)
    _refuse_to_show(kept, limits.readable)
    limits = dataclasses.replace(limits, hidden=(*limits.hidden, *map(str, kept.values())))
    # On a cluster, the workers say whether they can.
    if limits.contained and options.cluster is None and unavailable():
        raise uncontained(unavailable())
    return limits


def private_folders(course: Course) -> dict[str, Path]:
    """Return the folders that no student's code may see, by what they are."""
    exchange = Path(course.app.config.Exchange.get("root") or Exchange.root.default_value)
    found = {"the course": course.root.resolve(), "nbgrader's exchange": exchange.resolve()}
    with contextlib.suppress(RuntimeError):  # a service's user may have no home
        found["your home folder"] = Path.home().resolve()
    return found


def _refuse_to_show(kept: dict[str, Path], readable: Iterable[str]) -> None:
    """Raise GradingError for a folder to read in which the course lies, or the like."""
    for shown in map(Path, readable):
        for what, folder in kept.items():
            if folder.is_relative_to(shown.resolve()):
                raise GradingError(
                    f"c.Containment.readable shows {shown} to students' code, and {what} lies "
                    f"there ({folder}). Put what students' code may read into a folder of its own, "
                    "and name that"
                )


def uncontained(reason: str) -> GradingError:
    """Return the words for code that cannot be contained here, and what to do about it."""
    return GradingError(
        f"students' code cannot be contained here: {reason}.\nTo let it do whatever you may do, "
        "with all your files and the network, and grade all the same: --uncontained"
    )
