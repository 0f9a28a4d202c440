"""The errors that a person can mend: every command prints their sentence, and no traceback."""

from __future__ import annotations


class Problem(Exception):
    """A command cannot go on; the message says why, and what to do."""
