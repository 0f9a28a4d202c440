"""Jinja templates for pages: what is put into one is escaped, unless it is marked as HTML."""

from collections.abc import Callable
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined


def environment(folder: Path, **filters: Callable) -> Environment:
    """Return what loads a folder's templates, and base.*; a style sheet is put in as it is."""
    made = Environment(
        loader=FileSystemLoader([folder, Path(__file__).parent]),
        autoescape=lambda name: name is None or not name.endswith(".css"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(filters)
    return made
