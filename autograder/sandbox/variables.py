"""The environment variables of a contained process: only a few that programs need.

A grader's environment may hold keys, tokens, and the way to an agent that signs with them.
"""

from collections.abc import Mapping

from autograder.sandbox.limits import SCRATCH

# Draws what a class shares, such as the table that its releases are about. Only tests have it:
# whoever knows it could draw the table.
SEED_VARIABLE = "COURSE_SEED"
_NAMES = {
    SEED_VARIABLE,
    *("PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHASHSEED"),
    *("LANG", "LANGUAGE", "TZ", "NBGRADER_EXECUTION"),
}
_BEGINNINGS = ("LC_", "MPL")
_ENDINGS = ("_NUM_THREADS",)


def allowed(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that may go in."""
    return {
        name: value
        for name, value in environment.items()
        if name in _NAMES or name.startswith(_BEGINNINGS) or name.endswith(_ENDINGS)
    }


def inside(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables inside: those that are allowed, and the folders to write to."""
    places = dict.fromkeys(("HOME", "TMPDIR", "MPLCONFIGDIR"), SCRATCH)
    return {**allowed(environment), **places, "USER": "student", "LOGNAME": "student"}
