"""Where guesses are kept: one small file in the notebook's folder, and in memory."""

import json
from pathlib import Path

FILE = ".guesses.json"  # begins with a dot: no listing shows it; git and nbgrader leave it out

# What this kernel was told, for a folder in which nothing can be written.
_told: dict[str, object] = {}


def kept(question: str) -> object:
    """Return the guess that was kept for a question, or None."""
    return _told.get(question, _read().get(question))


def keep(question: str, value: object) -> None:
    """Keep a guess; where the file cannot be written, for as long as the kernel lives."""
    _told[question] = value
    try:
        words = json.dumps(_read() | _told, ensure_ascii=False, indent=1)
        Path(FILE).write_text(words, "utf-8")
    except (OSError, UnicodeError):
        pass


def _read() -> dict:
    """Return what the file holds; a file that is missing or damaged holds nothing."""
    try:
        found = json.loads(Path(FILE).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
