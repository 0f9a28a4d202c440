"""Grades a class with nbgrader's own steps. It depends on nbgrader, and on no chapter.

The names of this package are imported at their first use: nbgrader alone takes a second.
"""

import importlib
import sys
import types

from autograder.imports import import_quickly

__all__ = ["GradingError", "Outcome", "grade"]


def _from(module: str, name: str) -> property:
    """Return an attribute of this package that is `name` of a module."""

    def get(_package):
        import_quickly()
        return getattr(importlib.import_module(f"autograder.{module}"), name)

    # Python sets a package's attribute to the module just imported: here `grade`, the function.
    return property(get, lambda _package, _module: None)


class _Package(types.ModuleType):
    GradingError = _from("nbgrader.course", "GradingError")
    Outcome = _from("graded_notebook.outcome", "Outcome")
    grade = _from("grading.grade", "grade")


sys.modules[__name__].__class__ = _Package
