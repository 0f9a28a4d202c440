"""The pieces that a report's page is made of.

Every word that is not our own goes through `text`: cut, plain and escaped.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from autograder.printable import cut

__all__ = ["NAME", "more", "names", "person", "section", "table", "text"]

_CHARACTERS, NAME = 400, 80  # characters
_MOST = 30  # the most names to list; the rest is counted


def text(words: object, characters: int = _CHARACTERS, lines: int = 1) -> str:
    """Return words from outside as HTML: no markup, no endless text."""
    return html.escape(cut(str(words), characters, lines))


def section(title: str, body: str) -> str:
    """Return a part of the page under its heading."""
    return f"<section>\n<h2>{title}</h2>\n{body}\n</section>\n"


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of ready HTML; a head that begins with # is over numbers.

    The first cell of a row is its head.
    """
    kinds = [' class="number"' if head.startswith("#") else "" for head in heads]
    top = [
        f'<th scope="col"{kind}>{head.strip("#")}</th>'
        for head, kind in zip(heads, kinds, strict=True)
    ]
    lines = []
    for first, *others in rows:
        cells = [f"<td{kind}>{cell}</td>" for cell, kind in zip(others, kinds[1:], strict=True)]
        lines.append(f'<tr><th scope="row">{first}</th>{"".join(cells)}</tr>')
    # It can be scrolled sideways on a narrow screen, with the keyboard too.
    return (
        f'<div class="scroll" role="region" aria-label="{caption}" tabindex="0"><table>\n'
        f"<caption>{caption}</caption>\n<thead><tr>{''.join(top)}</tr></thead>\n"
        f"<tbody>\n{chr(10).join(lines)}\n</tbody>\n</table></div>\n"
    )


def more(left: int, where: str = "") -> str:
    """Return a line on what a list leaves out."""
    return f'<p class="note">And {left} more{where}.</p>' if left > 0 else ""


def names(students: Sequence[str]) -> str:
    """Return names, each in one piece, the first of them only."""
    shown = ", ".join(f"<bdi>{text(name, NAME)}</bdi>" for name in students[:_MOST])
    left = len(students) - _MOST
    return f"{shown} and {left} more" if left > 0 else shown


def person(student: str) -> str:
    """Return a name in one piece, whichever way it is written."""
    return f"<bdi>{text(student, NAME)}</bdi>"
