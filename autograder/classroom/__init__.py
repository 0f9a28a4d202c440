"""Grade a class with nbgrader's own steps. Knows nbgrader and its folders; knows no chapter.

The process that kernels are forked from is a package below this one, and must not hold nbgrader: so
what is named here is imported when it is first asked for.
"""

from __future__ import annotations

import importlib
import sys
import types

from autograder.classroom.imports import import_quickly

__all__ = ["GradingError", "Outcome", "grade"]


def _from(module: str, name: str) -> property:
    """Return an attribute of this package that is `name` of one of its modules."""

    def get(_package):
        import_quickly()
        return getattr(importlib.import_module(f"{__name__}.{module}"), name)

    # Python sets a package's attribute to the module just imported: here `grade`, the function.
    return property(get, lambda _package, _module: None)


class _Package(types.ModuleType):
    GradingError = _from("course", "GradingError")
    Outcome = _from("outcome", "Outcome")
    grade = _from("grade", "grade")


sys.modules[__name__].__class__ = _Package
