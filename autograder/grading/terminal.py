"""Printing to the terminal: student text arrives as plain text."""

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from autograder.printable import printable


def say(
    console: Console, words: object, *, style: str | None = None, wrapped: bool = False
) -> None:
    """Print one line: a name with line breaks stays on it.

    Args:
      wrapped: whether a long line is broken at the terminal's width.
    """
    console.print(
        printable(words), style=style, markup=False, highlight=False, soft_wrap=not wrapped
    )


def print_rows(
    console: Console,
    title: str,
    columns: Sequence[dict[str, Any]],
    rows: Iterable[tuple[Sequence[str], str | None]],
) -> None:
    """Print a table; a long word goes on in the next line, unless its column is to keep one line.

    Args:
      columns: the arguments of rich's `add_column`.
      rows: their cells, and their style.
    """
    table = Table(title=text(title), title_justify="left")
    for column in columns:
        overflow = "ellipsis" if column.get("no_wrap") else "fold"
        table.add_column(**column, overflow=overflow)
    for cells, style in rows:
        table.add_row(*map(text, cells), style=style)
    console.print(table)


def text(words: object) -> str:
    """Return words in one line for a part of the screen that takes rich's markup."""
    return escape(printable(words))
