"""Canvas's own columns of chapters, as in "03_laplace (4711)": by the number Canvas finds them.

A class list from Canvas's gradebook has them in its first line. They are kept beside the course, so
that an export goes into the same column, and makes no second one.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from autograder.files import write_whole
from autograder.problem import Problem

_NUMBERED = re.compile(r"^(?P<name>.*\S) \(\d+\)$")


def columns(header: Sequence[str], chapters: Iterable[str]) -> dict[str, str]:
    """Return the columns of these chapters in the first line of a class list, by chapter."""
    wanted = {name.casefold(): name for name in chapters}
    found = ((column, _NUMBERED.match(column.strip())) for column in header)
    return {
        wanted[match["name"].casefold()]: column.strip()
        for column, match in found
        if match and match["name"].casefold() in wanted
    }


def kept(root: Path) -> dict[str, str]:
    """Return the columns that are kept, by chapter.

    Raises:
      Problem: the file is damaged.
    """
    path = _file(root)
    if not path.exists():
        return {}
    try:
        found = json.loads(path.read_text("utf-8"))
        return {str(name): str(column) for name, column in found.items()}
    except (ValueError, AttributeError) as error:
        raise Problem(f"{path} is damaged: remove it, and import the class list again") from error


def keep(root: Path, found: Mapping[str, str]) -> None:
    """Keep columns, beside those of other chapters."""
    if found:
        content = json.dumps({**kept(root), **found}, indent=1, sort_keys=True)
        write_whole(_file(root), f"{content}\n".encode())


def _file(root: Path) -> Path:
    return root / ".canvas_columns.json"
