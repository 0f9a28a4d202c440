"""Runs one grader on one class, and records the effects of its attacks."""

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import class_under_attack as course
from attack import HONEST, TOKEN, VICTIM, Attack, Measured, Seen, World
from battery import BATTERY

HERE = Path(__file__).resolve().parent
SETTLE = 0.3  # seconds after the grader's end: what lives now has survived it

_SCORES = """
select submitted_assignment.student_id, sum(coalesce(grade.manual_score, grade.auto_score, 0)),
       count(coalesce(grade.manual_score, grade.auto_score))
from grade
join submitted_notebook on submitted_notebook.id = grade.notebook_id
join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id
join assignment on assignment.id = submitted_assignment.assignment_id
where assignment.name = ?
group by 1
"""


def main(request: Path) -> None:
    """Measure what the request says, and write what was seen to where it says."""
    wanted = json.loads(request.read_text("utf-8"))
    root, home = Path(wanted["root"]), Path(wanted["home"])
    heard = _listen(wanted["port"])
    measured, all_said = Measured(), ""
    attacks = [BATTERY[name] for name in wanted["attacks"]]
    for command in _commands(wanted["grader"], root, wanted["chapter"], attacks):
        finished, said = _run(command, root, home, wanted["seconds"])
        measured.finished &= finished
        all_said += said
    time.sleep(SETTLE)
    look = _look_ours if wanted["grader"] == "ours" else _look_plain
    for attack in attacks:
        world = World(root, home, attack.name, wanted["chapter"], bytes(heard), all_said)
        measured.seen[attack.name] = look(attack, world, measured)
    measured.write(Path(wanted["result"]))


def _commands(grader: str, root: Path, chapter: str, attacks: list[Attack]) -> list[list[str]]:
    if grader == "ours":
        return [[sys.executable, str(HERE / "our_grader.py"), str(root), chapter]]
    nbgrader = [sys.executable, "-m", "nbgrader"]
    commands = [[*nbgrader, "autograde", chapter]]
    if any(attack.feedback for attack in attacks):
        commands.append([*nbgrader, "generate_feedback", chapter])
    return commands


def _run(command: list[str], root: Path, home: Path, seconds: float) -> tuple[bool, str]:
    """Run a grader; return whether it came to its end in time, and what it printed."""
    environment = {**course.activated(), "HOME": str(home), "GRADERS_TOKEN": TOKEN}
    said = root.parent / "said.txt"
    with said.open("ab") as file:
        process = subprocess.Popen(
            command,
            cwd=root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            process.wait(timeout=seconds)
            finished = True
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            finished = False
    return finished, said.read_bytes()[-200_000:].decode("utf-8", "replace")


def _listen(port: int) -> bytearray:
    """Listen at this port of this machine; return what is heard, which grows."""
    heard, door = bytearray(), socket.create_server(("127.0.0.1", port))

    def serve() -> None:
        while True:
            connection, _ = door.accept()
            with connection:
                connection.settimeout(1)
                heard.extend(connection.recv(1000))

    threading.Thread(target=serve, daemon=True).start()
    return heard


def _look_plain(attack: Attack, world: World, measured: Measured) -> Seen:
    try:
        with sqlite3.connect(f"file:{world.root / 'gradebook.db'}?mode=ro", uri=True) as database:
            rows = database.execute(_SCORES, [world.chapter]).fetchall()
    except sqlite3.Error:
        return Seen(None, attack.harm(world), batch="the gradebook is destroyed")
    scores = {name: score for name, score, count in rows if count}
    graded = world.path("autograded").exists()
    return Seen(
        score=scores.get(attack.name) if graded else None,
        harm=_harm(attack, world, scores),
        batch=_batch(scores.get(VICTIM), measured.finished, world),
    )


def _look_ours(attack: Attack, world: World, measured: Measured) -> Seen:
    path = world.root.parent / "outcomes.json"
    outcomes = json.loads(path.read_text("utf-8")) if path.exists() else {}
    found = outcomes.get(attack.name, {"score": None, "reason": "no outcome"})
    scores = {name: outcome["score"] for name, outcome in outcomes.items()}
    measured.honest = [score for name, score in scores.items() if name in HONEST]
    return Seen(
        **found,
        harm=_harm(attack, world, scores),
        batch=_batch(scores.get(VICTIM), measured.finished, world),
    )


def _harm(attack: Attack, world: World, scores: dict[str, float]) -> str:
    stolen = scores.get(attack.friend_name) or 0
    friend = f"a friend, graded later, has {stolen:g} / {course.POINTS}" if stolen else ""
    return "; ".join(part for part in (attack.harm(world), friend) if part)


def _batch(victim: float | None, finished: bool, world: World) -> str:
    """Say what became of the honest student who comes last."""
    if not finished:
        return "grading never ends"
    if not world.path("submitted", VICTIM).exists():
        return "another student's work is gone"
    if victim is None or not world.path("autograded", VICTIM).exists():
        return "grading stops: the next student has no score"
    return "" if victim == course.POINTS else f"an honest student has {victim:g}"
