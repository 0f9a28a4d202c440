"""Errors that the user can mend. A command prints their sentence and no traceback."""


class Problem(Exception):
    """A command cannot go on; the message says why, and what to do."""
