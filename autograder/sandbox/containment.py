"""The instructor's settings for the containment of students' code."""

from dataclasses import fields

from traitlets import Bool, Float, Integer, List, Unicode
from traitlets.config import Configurable

from autograder.sandbox.availability import trial
from autograder.sandbox.limits import Limits

_USUAL = Limits()


def unavailable() -> str:
    """Return in one sentence why students' code cannot be contained on this machine; "" if it can.

    If not (macOS, Windows, most containers), kernels run in parallel as plain processes.
    """
    return trial(_USUAL)


class Containment(Configurable):
    """The settings `c.Containment....` of nbgrader_config.py."""

    contained = Bool(
        _USUAL.contained, help="Keep students' code from all files but its own, and the network."
    ).tag(config=True)
    memory_megabytes = Integer(
        _USUAL.memory_megabytes, min=64, help="Memory that a process may take."
    ).tag(config=True)
    seconds = Float(
        _USUAL.seconds, min=1, help="The longest that all cells of a notebook may run together."
    ).tag(config=True)
    output_megabytes = Float(
        _USUAL.output_megabytes, min=0.1, help="How much a notebook may print and show."
    ).tag(config=True)
    processes = Integer(
        _USUAL.processes, min=2, help="Processes and threads that a notebook may have at a time."
    ).tag(config=True)
    file_megabytes = Integer(
        _USUAL.file_megabytes, min=1, help="How much a notebook may write to files."
    ).tag(config=True)
    readable = List(
        Unicode(), help="Files and folders that students' code may read, beside Python."
    ).tag(config=True)
    hidden = List(
        Unicode(),
        help="Folders that are empty for students' code, wherever they lie: beside the course, the "
        "exchange and your home, which always are.",
    ).tag(config=True)

    def limits(self) -> Limits:
        """Return the settings as plain data."""
        values = {field.name: getattr(self, field.name) for field in fields(Limits)}
        folders = {name: tuple(getattr(self, name)) for name in ("readable", "hidden")}
        return Limits(**{**values, **folders})
