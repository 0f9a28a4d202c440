"""Makes text from outside safe for a terminal and for a spreadsheet."""

import unicodedata
from collections.abc import Iterable

# A spreadsheet runs a cell that begins with one of these; the wide forms too, in some languages.
# https://owasp.org/www-community/attacks/CSV_Injection
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")

_BLANK = " \u00a0\u200b\ufeff"
_TURNS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Control characters, halves of characters, what is none, and other ends of a line.
_NO_TEXT = ("Cc", "Cs", "Cn", "Zl", "Zp")


def printable(text: object, *, lines: bool = False) -> str:
    """Return text with � for each sign that is no text or turns the direction of writing.

    Args:
      text: what is to be shown; anything else than a str is made one.
      lines: whether it may have several lines.
    """
    words = str(text)
    if words.isprintable():  # nearly all
        return words
    kept = "\n\t" if lines else ""
    return "".join(each if each in kept else _plain(each) for each in words)


def cut(text: str, characters: int, lines: int = 1) -> str:
    """Return `text` as plain characters, no longer than this; what was left out is marked by …."""
    kept = text[: characters + 1]  # first, so that no step meets a hundred megabytes
    rows = printable(kept, lines=True).splitlines()
    short = "\n".join(rows[:lines])[:characters].rstrip()
    whole = len(text) <= characters and len(rows) <= lines
    return short if whole else f"{short} …"


def first_line(said: object, otherwise: str = "") -> str:
    """Return the first line of an error, or of what it says; without one, its kind."""
    lines = str(said).strip().splitlines()
    return lines[0] if lines else otherwise or type(said).__name__


def counted(number: int, noun: str) -> str:
    """Return how many there are: 1 score, 1,200 scores."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def named(names: Iterable[str], most: int = 10) -> str:
    """Return some names in one line, and how many more there are."""
    names = list(names)
    left = len(names) - most
    return printable(", ".join(names[:most])) + (f" and {left} more" if left > 0 else "")


def in_spreadsheet(text: str) -> str:
    """Return text for a cell of a CSV file: one that begins with ' is shown, and never run."""
    words = printable(text)
    return f"'{words}" if words.lstrip(_BLANK).startswith(_FORMULA) else words


def _plain(character: str) -> str:
    no_text = character in _TURNS or unicodedata.category(character) in _NO_TEXT
    return "�" if no_text else character
