"""Functions given to an answer that are made anew in the answer's process."""

from __future__ import annotations

from typing import Any


class RemadeArgument:
    """A callable argument that an answer calls too often to be asked across processes.

    If the answer lives in another process, it is made anew there, from its class and the plain data
    that it was first made from. The number of its calls comes back as `calls`.

    An answer that looks inside it may find this data, as it could in one process.
    """

    calls: Any = 0

    def __new__(cls, *given: Any) -> RemadeArgument:
        argument = super().__new__(cls)
        argument.__made_from = given
        return argument

    def __getnewargs__(self) -> tuple:
        return self.__made_from  # for copies


def made_from(argument: RemadeArgument) -> list:
    """Return the plain data that an argument was made from."""
    return list(argument.__getnewargs__())
