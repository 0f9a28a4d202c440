"""The version of the checks, recorded with each score: it changes when the judging changes."""

import functools
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

_TOP = Path(__file__).resolve().parent
# What judges. A folder that is not there has no files.
_JUDGES = {
    "check": _TOP / "check",
    "practice": _TOP / "practice",
    "apart": _TOP / "apart",
    "ville": _TOP.parent / "ville",
    "dplib": _TOP.parent / "dplib",
}
_SHOWS = {"dplib/plots", "dplib/explore", "dplib/guess"}  # what draws, and judges nothing
_DATA = {".gz", ".json"}

# A string in three quotes, a string in one, and a comment, as Python 3.11 reads them.
# They are matched from left to right, so that a quote in a comment opens no string.
# Python's own tokenizer takes five times as long, and its tokens differ between versions.
_LONG = r"""\"""(?:[^"\\]|\\.|"(?!""))*\"""|'''(?:[^'\\]|\\.|'(?!''))*'''"""
_SHORT = r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*\'"""
_WORDS = re.compile(rf"^[ \t]*[rR]?(?:{_LONG})[ \t]*$|({_LONG}|{_SHORT})|#[^\n]*", re.M | re.S)
_BLANK = re.compile(r"\s*\n")


def judging_code(text: str) -> str:
    """Return Python code without its comments, its docstrings and its empty lines."""
    return _BLANK.sub("\n", _WORDS.sub(r"\1", text))


def judging_files(*parts: str) -> Iterator[tuple[str, Path]]:
    """Yield the name and the place of every file that an answer's score may depend on.

    `parts` are the names of those that are asked about, as "ville"; all without it.
    """
    for label in parts or _JUDGES:
        folder = _JUDGES[label]
        for path in folder.rglob("*"):
            name = f"{label}/{path.relative_to(folder).as_posix()}"
            if "/".join(name.split("/")[:2]) in _SHOWS:
                continue
            if path.suffix in {".py", *_DATA} and path.is_file():
                yield name, path


@functools.cache
def version(*parts: str) -> str:
    """Return a short hash of what judges: the code and the data of the checks and the library.

    With `parts`, as "ville", of these alone. Comments, docstrings, figures and sliders do not
    count. Nothing is imported. Where the files are installed makes no difference, and neither does
    the version of Python.
    """
    digest = hashlib.sha256()
    for name, path in sorted(judging_files(*parts)):
        content = path.read_bytes()
        if path.suffix not in _DATA:
            content = judging_code(path.read_text("utf-8")).encode()
        digest.update(f"{name}\n{hashlib.sha256(content).hexdigest()}\n".encode())
    return digest.hexdigest()[:16]
