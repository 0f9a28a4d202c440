"""What stands for modules that a page does not load: those that draw, and most of scipy.

The page has drawn what a chapter draws. Of scipy the page loads the functions that stand alone, and
where another one is called, that is noted: then the page starts a Python with all of scipy.
"""

import importlib.machinery
import sys
import types

DRAWN = ("dplib.plots", "dplib.explore", "dplib.guess")
asked_for: list[str] = []  # functions of scipy that were called and are not there


class Absent:
    """Stands for a function or class of scipy, and says that it is not there when it is called."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent(f"{self._name}.{name}")

    def __call__(self, *_, **__):
        asked_for.append(self._name)
        raise ImportError(f"{self._name} is not loaded")


class _Nothing:
    """What a drawing or a guess gives on a page, which has drawn or asked it already."""

    def reveal(self, *_, **__) -> None:
        """Say nothing."""


class _StandIn(types.ModuleType):
    """A module, all of whose names can be imported."""

    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        if self.__name__.startswith("scipy."):
            return Absent(f"{self.__name__}.{name}")
        return lambda *_, **__: _Nothing()


class Finder:
    """Finds the stand-in of a module that is not there."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """Return how a stand-in is made, for the names that have one."""
        is_drawn = name in DRAWN or name.startswith(tuple(f"{each}." for each in DRAWN))
        if not is_drawn and not name.startswith("scipy."):
            return None
        return importlib.machinery.ModuleSpec(name, Finder, is_package=True)

    @staticmethod
    def create_module(spec):
        """Return a module without code."""
        return _StandIn(spec.name)

    @staticmethod
    def exec_module(module) -> None:
        """Do nothing."""


sys.meta_path.append(Finder)  # last: whatever is there is found before
