"""Runs the battery as an ordinary user, and if root runs it, a part as root; writes the page."""

import contextlib
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import class_under_attack as course
import everything
import nbgrader_record
import parts
import pytest
from attack import Measured
from battery import BATTERY
from jail import why_not
from security_page import PAGE, page

HERE = Path(__file__).resolve().parent
_SECONDS = 1800  # on a machine that has other work too


@dataclass
class Seen:
    """What was measured: plain nbgrader's side, and ours by user."""

    plain: Measured
    ours: Mapping[str, Measured]
    users: Mapping[str, str] = field(default_factory=dict)  # why one could not be tried

    @property
    def whole(self) -> Measured:
        """Ours, of all attacks."""
        return self.ours["user" if "user" in self.ours else "root"]


def pytest_collection_modifyitems(config, items):
    """Leave the battery out unless it is asked for: it takes minutes. As root take a part of it."""
    mine = _mine(config)
    items[:] = [item for item in items if _as_root_alone(item) in ("", *mine)]
    if "hostile" not in config.option.markexpr:
        for item in items:
            if item.get_closest_marker("hostile"):
                item.add_marker(pytest.mark.skip(reason="make test-hostile runs it"))


def _as_root_alone(item) -> str:
    """Return the attack that a case asks about as root; "" for other cases."""
    given = item.callspec.params if hasattr(item, "callspec") else {}
    return given.get("name", "") if given.get("user") == "root" else ""


def _mine(config) -> list[str]:
    """Return the attacks that are measured as root, in the part of them that is asked for."""
    out = parts.left_out(["any"] * len(everything.AS_ROOT), config.option.as_root)
    return [name for place, name in enumerate(everything.AS_ROOT) if place not in out]


@pytest.fixture(scope="session")
def seen(request) -> Seen:
    """Measure everything. The page is written from what was seen, whatever it is."""
    reason = why_not()
    if reason:
        pytest.skip(f"THE ATTACKS CANNOT BE MOUNTED SAFELY HERE: {reason}")
    with _folder() as folder:
        mine = _mine(request.config)
        found = _as_root(folder, mine) if os.geteuid() == 0 else _as_user(folder)
    nbgrader_record.keep(found.plain)
    PAGE.write_text(page(found.plain, found.whole), "utf-8")
    return found


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    """Make a folder that all may enter; remove it with whatever the attacks have made there."""
    folder = Path(tempfile.mkdtemp(prefix="hostile-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:  # closed folders, and folders too deep for Python's own ways
        for command in (["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
            subprocess.run([*command, str(folder)], check=False, stderr=subprocess.DEVNULL)


def _as_user(folder: Path) -> Seen:
    everything.main(folder, course.make(folder / "made"), list(BATTERY))
    plain, ours = everything.read(folder)
    return Seen(plain, {"user": ours}, {"root": "only root can try it as root"})


def _as_root(folder: Path, attacks: Sequence[str]) -> Seen:
    """Measure as an ordinary user in a process of its own, and these attacks as root too."""
    made, theirs, mine = course.make(folder / "made"), folder / "user", folder / "root"
    theirs.mkdir()
    mine.mkdir()
    command = [sys.executable, str(HERE / "as_user.py"), str(theirs), str(made)]
    run = subprocess.run(command, timeout=_SECONDS, capture_output=True, text=True, check=False)
    if run.returncode:
        reason = f"NOT TRIED AS AN ORDINARY USER: {run.stderr.strip()[-500:]}"
        warnings.warn(reason, stacklevel=1)
        everything.main(mine, made, list(BATTERY))
        plain, ours = everything.read(mine)
        return Seen(plain, {"root": ours}, {"user": reason})
    everything.main(mine, made, attacks, plain=False)
    plain, ours = everything.read(theirs)
    return Seen(plain, {"root": Measured.read(mine / "ours.json"), "user": ours})
