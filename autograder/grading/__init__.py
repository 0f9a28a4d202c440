"""Grades a class with nbgrader's own steps. It depends on nbgrader, and on no chapter.

The names of this package are imported at their first use: nbgrader alone takes a second.
"""

import importlib
from typing import Any

from autograder.imports import import_quickly

__all__ = ["GradingError", "Outcome", "grade"]

_MODULES = {
    "GradingError": "course_folders.course",
    "Outcome": "graded_notebook.outcome",
    "grade": "grading.run",
}


def __getattr__(name: str) -> Any:
    """Return one of this package's names from the module that makes it."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import_quickly()
    return getattr(importlib.import_module(f"autograder.{_MODULES[name]}"), name)
