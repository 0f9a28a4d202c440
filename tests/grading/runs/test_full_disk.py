"""A full disk and a locked gradebook: a sentence now, and every record right the next time."""

import contextlib
import io
import os
import random
import shutil
import sqlite3
import subprocess
import threading
import time

import pytest
import toy
from rich.console import Console

from autograder.grading import GradingError, grade
from autograder.nbgrader.reasons import FULL, LOCKED

pytestmark = pytest.mark.load

# The moments are drawn anew each time the test is run. DISK_TIMES=3 fills the disk ten times.
TIMES = int(os.environ.get("DISK_TIMES", "1"))
STUDENTS = ("alice", "bob", "carol", "dave")
OPTIONS = {"workers": 2, "apart": False}


def make(root):
    toy.make(root)
    for student in STUDENTS:
        toy.submit(root, student, toy.answers())
    return root


def tried(root) -> tuple[list, str]:
    """Grade; return the outcomes, and the error if there is one instead."""
    try:
        return grade(toy.CHAPTER, root=root, console=Console(file=io.StringIO()), **OPTIONS), ""
    except GradingError as error:
        return [], str(error)


def mended(root) -> None:
    """The same command again gives everyone the right record."""
    outcomes, error = tried(root)
    assert [(each.student, each.score) for each in outcomes] == [(name, 8) for name in STUDENTS]
    assert not error
    assert not any("no feedback page" in each.status for each in outcomes)
    assert toy.sql(root, "pragma integrity_check") == [("ok",)]
    rows = toy.records(root)
    assert len(rows) == len({row[:2] for row in rows}) == 5 * len(STUDENTS)
    assert {path.name for path in (root / "autograded").iterdir()} == set(STUDENTS)


@pytest.fixture
def disk(tmp_path):
    """A file system of four megabytes."""
    mounted = tmp_path / "disk"
    mounted.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(mounted)]
    if os.geteuid() or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("only root may mount a small disk, and not everywhere")
    yield mounted
    subprocess.run(["umount", "-l", str(mounted)], check=True)


def fill(disk, kilobytes: int):
    """Leave only so much room; return the file that takes the rest."""
    filler, found = disk / "filler", os.statvfs(disk)
    filler.write_bytes(bytes(max(0, found.f_bavail * found.f_frsize - (kilobytes << 10))))
    return filler


def taken(disk) -> int:
    """Return how many kilobytes a class's grading takes."""
    root = make(disk / "course")
    before = os.statvfs(disk).f_bavail
    mended(root)
    after = os.statvfs(disk)
    shutil.rmtree(root)
    return (before - after.f_bavail) * after.f_frsize >> 10


def test_a_disk_that_is_full_sooner_or_later(disk, capfd):
    """It fills up before the first student, or in the middle of any step for one of them."""
    seed = random.SystemRandom().randrange(10**6)
    chance, said = random.Random(seed), set()
    needed = taken(disk)
    for room in [0, *(chance.randrange(needed // 4, needed) for _ in range(3 * TIMES))]:
        root = make(disk / "course")
        filler = fill(disk, room)
        outcomes, error = tried(root)
        where = f"seed {seed}, {room} kilobytes"
        assert error in ("", FULL), where
        assert bool(error) != bool(outcomes), where
        for outcome in outcomes:
            assert outcome.graded or outcome.notes == (FULL,), f"{where}: {outcome.status}"
            said |= {"graded"} if outcome.graded else set(outcome.notes)
        said |= {error} - {""}
        filler.unlink()
        mended(root)
        shutil.rmtree(root)
    assert FULL in said
    assert "Traceback" not in "".join(capfd.readouterr())


@contextlib.contextmanager
def locked(root, seconds: float, when=lambda: True):
    """Hold the gradebook for some seconds, from when something has come to pass."""
    held = threading.Event()

    def hold() -> None:
        while not when():
            time.sleep(0.01)
        database = sqlite3.connect(root / "gradebook.db", timeout=30, isolation_level=None)
        database.execute("begin exclusive")
        held.set()
        time.sleep(seconds)
        database.execute("rollback")
        database.close()

    thread = threading.Thread(target=hold)
    thread.start()
    yield held
    thread.join()


@pytest.fixture
def known(tmp_path):
    """A class whose gradebook is there; one student has been graded."""
    root = toy.make(tmp_path / "course")
    toy.submit(root, STUDENTS[0], toy.answers())
    tried(root)
    for student in STUDENTS[1:]:
        toy.submit(root, student, toy.answers())
    return root


def test_a_gradebook_locked_for_a_moment_is_waited_for(known):
    with locked(known, 2) as held:
        held.wait()
        outcomes, error = tried(known)
    assert not error
    assert all(outcome.graded for outcome in outcomes)
    mended(known)


def test_a_locked_gradebook_is_said_in_a_sentence(known, capfd):
    with locked(known, 15) as held:
        held.wait()
        outcomes, error = tried(known)
        assert (outcomes, error) == ([], LOCKED)
    assert "Traceback" not in "".join(capfd.readouterr())
    mended(known)


def test_a_gradebook_locked_in_the_middle(known, capfd):
    begun = known / "autograded" / STUDENTS[1]
    slow = "import time\ntime.sleep(1)\ndef half(x):\n    return x / 2"
    toy.submit(known, STUDENTS[-1], toy.answers(half=slow))  # graded when the lock is there
    with locked(known, 12, when=begun.exists):
        outcomes, error = tried(known)
    assert not error
    failed = [outcome for outcome in outcomes if not outcome.graded]
    assert failed
    assert all(outcome.notes == (LOCKED,) for outcome in failed)
    assert "Traceback" not in "".join(capfd.readouterr())
    mended(known)
