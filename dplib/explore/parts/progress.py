"""A line in the notebook that says how far a drawing is. It appears after a second."""

import time
from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

_PATIENCE = 1.0  # seconds: what is done sooner needs no word
_PAUSE = 0.2  # seconds between two words

Item = TypeVar("Item")


class Progress(Generic[Item]):
    """Goes through items and shows how many are done; at the end it takes its line away.

    Args:
      doing: what is being done, in one word.
      items: what to go through.
    """

    def __init__(self, doing: str, items: Sequence[Item]) -> None:
        self._doing, self._items, self._line = doing, items, None

    def __iter__(self) -> Iterator[Item]:
        begun = said = time.monotonic()
        try:
            for done, item in enumerate(self._items):
                now = time.monotonic()
                if now - begun > _PATIENCE and now - said > _PAUSE:
                    self._say(f"{self._doing}: {done} of {len(self._items)}")
                    said = now
                yield item
        finally:
            if self._line:
                self._say("")

    def _say(self, words: str) -> None:
        """Show the words in the place of the ones before, where a notebook can show any."""
        from IPython import get_ipython
        from IPython.display import display

        if getattr(get_ipython(), "kernel", None) is None:
            return
        data = {"text/plain": words, "text/html": words}
        if self._line:
            self._line.update(data, raw=True)
        else:
            self._line = display(data, raw=True, display_id=True)
