"""Functions that are handed to an answer, and go where the answer is."""

from __future__ import annotations

from typing import Any

__all__ = ["Traveller", "made_from"]


class Traveller:
    """A callable argument that an answer calls too often to be asked across processes.

    Where the answer lives in another process, it is made there anew: from its class, and from the
    plain data that it was first made from. How often it was called comes back, as `calls`.

    An answer that looks inside it may find what it was made from, there as in one process.
    """

    calls: Any = 0

    def __new__(cls, *given: Any) -> Traveller:
        traveller = super().__new__(cls)
        traveller.__made_from = given
        return traveller

    def __getnewargs__(self) -> tuple:
        return self.__made_from  # for copies


def made_from(traveller: Traveller) -> list:
    """Return the plain data that a traveller was made from."""
    return list(traveller.__getnewargs__())
