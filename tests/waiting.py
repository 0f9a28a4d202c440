"""Waiting for what another process does."""

import time
from collections.abc import Callable


def until(condition: Callable[[], bool]) -> None:
    """Wait until it holds. No number of seconds ends it: a busy machine fails no test."""
    while not condition():
        time.sleep(0.02)
