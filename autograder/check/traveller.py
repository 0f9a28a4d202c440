"""Travellers: functions given to an answer, which are made anew in the answer's process."""

from __future__ import annotations

from typing import Any


class Traveller:
    """A callable argument that an answer calls too often to be asked across processes.

    If the answer lives in another process, the traveller is made anew there, from its class and the
    plain data that it was first made from. The number of its calls comes back as `calls`.

    An answer that looks inside it may find this data, as it could in one process.
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
