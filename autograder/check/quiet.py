"""An answer's surroundings while it is called: what it prints is hidden, dplib's version is shut.

These contexts act beside the answer, in its own process.
"""

import contextlib
import io
import warnings
from collections.abc import Callable, Iterator

import numpy as np

from autograder.check.chance.replay import reached
from autograder.check.chance.seeds import global_generators_reseeded
from autograder.check.elsewhere import beside
from autograder.check.library import watched, without_library


class Sink(io.StringIO):
    """Takes what an answer prints and keeps none of it."""

    def __init__(self):
        super().__init__()
        self.used = False

    def write(self, text: str) -> int:
        self.used = True
        return len(text)


@beside
@contextlib.contextmanager
def looked_at(function: Callable, library: str) -> Iterator[None]:
    """Refuse copies of dplib's version."""
    with watched(library):
        yield


@beside
@contextlib.contextmanager
def quietly(function: Callable, shut: tuple[str, ...]) -> Iterator[Sink]:
    """Reseed the global generators, hide output and warnings, disable these functions of dplib."""
    sink, held = Sink(), list(reached(function))
    with (
        contextlib.redirect_stdout(sink),
        contextlib.redirect_stderr(sink),
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
        contextlib.ExitStack() as disabled,
        global_generators_reseeded(),
    ):
        for name in shut:
            disabled.enter_context(without_library(name, held))
        warnings.simplefilter("ignore")
        yield sink
