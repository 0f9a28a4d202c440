"""Starts the measurements: each in the jail, several side by side."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import class_under_attack as course
from attack import HONEST, VICTIM, Attack, Measured

HERE = Path(__file__).resolve().parent
WORKERS = 2
_PLAIN_SECONDS, _OUR_SECONDS = 90, 300  # the longest that a grader may take
_GROUP = 16  # submissions that plain nbgrader grades one after the other


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        return door.getsockname()[1]


def plain(made: Path, folder: Path, attacks: Sequence[Attack], port: int) -> Measured:
    """Let plain nbgrader grade: those in a course of their own, and the others in groups."""
    jobs: list[list[Attack]] = [[attack] for attack in attacks if attack.alone]
    together: dict[tuple, list[Attack]] = {}
    for attack in attacks:
        if not attack.alone:
            together.setdefault((attack.chapter, attack.feedback), []).append(attack)
    for group in together.values():
        parts = -(-len(group) // _GROUP)
        jobs += [group[start::parts] for start in range(parts)]
    with ThreadPoolExecutor(WORKERS) as pool:
        longest_first = sorted(jobs, key=len, reverse=True)
        return _joined(
            pool.map(lambda job: _measure("plain", made, folder, job, port), longest_first)
        )


def ours(made: Path, folder: Path, attacks: Sequence[Attack], port: int) -> Measured:
    """Let `autograder grade` grade everyone together, a chapter after the other."""
    chapters = sorted({attack.chapter for attack in attacks})
    jobs = [[each for each in attacks if each.chapter == chapter] for chapter in chapters]
    return _joined(_measure("ours", made, folder, job, port) for job in jobs)


def _joined(parts: Iterable[Measured]) -> Measured:
    """Return several runs of one grader as one."""
    whole = Measured()
    for part in parts:
        whole.seen |= part.seen
        whole.honest += part.honest
        whole.finished &= part.finished
    return whole


def _measure(
    grader: str, made: Path, folder: Path, attacks: Sequence[Attack], port: int
) -> Measured:
    chapter, place = attacks[0].chapter, folder / f"{grader}_{attacks[0].name}"
    (place / "home").mkdir(parents=True)
    root = course.copy(made, place / "course")
    for student in [VICTIM] if grader == "plain" else HONEST:
        course.hand_in(root, student, chapter, course.right(root, chapter))
    for attack in attacks:
        attack.hand_in(root, port)
    usual = _OUR_SECONDS if grader == "ours" else attacks[0].patience or _PLAIN_SECONDS
    seconds = usual + 10 * len(attacks)
    request = {
        "grader": grader,
        "root": str(root),
        "home": str(place / "home"),
        "chapter": chapter,
        "attacks": [attack.name for attack in attacks],
        "seconds": seconds,
        "port": port,
        "result": str(place / "measured.json"),
    }
    (place / "request.json").write_text(json.dumps(request), "utf-8")
    _in_jail(place / "request.json", seconds + 60)
    return Measured.read(place / "measured.json")


def _in_jail(request: Path, seconds: float) -> None:
    command = [sys.executable, str(HERE / "jail.py"), str(request)]
    with (request.parent / "jail.txt").open("wb") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file, start_new_session=True)
        try:
            code = process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # the jail's first process ends with it
            process.wait()
            raise
    if code:
        raise RuntimeError((request.parent / "jail.txt").read_text())
