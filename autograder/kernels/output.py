"""The limit on a notebook's output, counted by its sender and again by its receiver.

The kernel counts so that endless printing costs the grader nothing and ends with a sentence that
says so. The grader counts because a student's code could undo the kernel's counting.
"""

SENTENCE = "\n[The output was cut here: the notebook has shown {:g} MB.]\n"
# Allowed to every cell, whatever the ones before it have shown: a test's result must arrive.
_OF_A_CELL = 1 << 17
# Allowed to every cell once the reserve is used up: a number, or an error's name.
_LEAST = 1 << 12
_MEGABYTE = 1 << 20


class Ration:
    """Bytes that a notebook's cells may send.

    Args:
      megabytes: for all of them together; as much again is kept for the cells that come later.
      slack: the factor on it: a receiver allows more than the sender sends.
    """

    def __init__(self, megabytes: float, slack: int = 1):
        self.megabytes = megabytes
        self._left = self._kept = megabytes * _MEGABYTE * slack
        self._slack = slack
        self._of_cell = self._needed = 0.0
        self.begin_cell()

    def begin_cell(self) -> None:
        """Allow the next cell its bytes."""
        kept = min(_OF_A_CELL * self._slack, self._kept)
        self._of_cell = max(self._left, kept)
        self._needed = max(kept, _LEAST * self._slack)

    @property
    def largest(self) -> float:
        """The bytes that may come at once."""
        return self._of_cell + self._needed

    def take(self, size: int) -> bool:
        """Take this many bytes, if they are there."""
        if size > self._of_cell:
            return False
        self._of_cell -= size
        self._kept -= max(size - self._left, 0)
        self._left = max(self._left - size, 0)
        return True

    def take_needed(self, size: int) -> bool:
        """Take bytes for a message that must not be left out; some are kept for it."""
        if self.take(size):
            return True
        if size > self._needed:
            return False
        self._needed -= size
        self._kept -= size
        return True
