"""Reads a table that a spreadsheet program has saved as CSV, whichever its country writes."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from autograder.course_folders.course import GradingError


def read(path: Path) -> tuple[list[str], Iterator[tuple[int, list[str]]]]:
    """Return the first line, and the others with their numbers, without empty lines.

    Args:
      path: a CSV file, as for `lines`.

    Raises:
      GradingError: it cannot be read, or is empty.
    """
    rows = lines(path)
    if not rows:
        raise GradingError(f"{path} is empty")
    return rows[0][1], iter(rows[1:])


def lines(path: Path) -> list[tuple[int, list[str]]]:
    """Return the lines with their numbers, without empty ones.

    Args:
      path: a CSV file, UTF-8, its cells separated by commas, semicolons or tabs.

    Raises:
      GradingError: it cannot be read.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")  # Excel writes a byte order mark
    except OSError as error:
        raise GradingError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        words = f"line {line} is not UTF-8; in Excel, save the file as “CSV UTF-8”"
        raise GradingError(f"{path}: {words}") from error
    first = text.partition("\n")[0]
    separator = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        return [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise GradingError(f"{path}: line {reader.line_num}: {error}") from error
