"""Attacks by quantity. Each stops by itself: the machine survives a grader without limits."""

import functools

from attack import Attack, World
from class_under_attack import COURSE, WRONG, answers
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

_LOOP = "\nwhile True: pass\n"

_NO_END = """
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
while True:
    try:
        while True: pass
    except BaseException: pass
"""

_MEMORY = """
kept = []
for megabytes in range(500, 1001, 500):
    kept.append(bytearray(500_000_000))
    print("taken:", megabytes)
"""

_FORKS = """
import os
made = 0
try:
    for _ in range(300):
        if not os.fork():
            os.execvp("sleep", ["sleep", "15"])
        made += 1
except OSError as error:
    print(error)
print("processes:", made)
"""

_THREADS = """
import threading, time
threading.stack_size(1 << 18)
made = 0
try:
    for _ in range(500):
        threading.Thread(target=time.sleep, args=[5], daemon=True).start()
        made += 1
except RuntimeError as error:
    print(error)
print("threads:", made)
"""

# Where nothing is contained it ends before the next student's turn; in a room it does not.
# Plain nbgrader itself may get no turn on a machine that is so busy.
_STARVED = {"plain": "no score"}

_BUSY = """
import os, time
end = time.time() + (1000 if os.getcwd() == "/submission" else 4)
def busy():
    try:
        while time.time() < end: pass
    finally:
        os._exit(0)
made = 0
try:
    for _ in range(60):
        START
        made += 1
except (OSError, RuntimeError) as error:
    print(error)
print("busy:", made, flush=True)
while True: pass
"""
_BUSY_PROCESSES = _BUSY.replace("START", "os.fork() or busy()")
# Each in a session of its own: to Linux's scheduler, a group of its own.
_BUSY_SESSIONS = _BUSY.replace("START", "os.fork() or (os.setsid(), os.fork() or busy(), busy())")
_BUSY_THREADS = """
import threading, time
end = time.time() + 4
def busy():
    while time.time() < end: pass
threading.stack_size(1 << 18)
try:
    for _ in range(60):
        threading.Thread(target=busy, daemon=True).start()
except RuntimeError as error:
    print(error)
while True: pass
"""

_SLEEP = "\nimport time\ntime.sleep(10_000)\n"

_DISK = """
with open("big.bin", "wb") as file:
    for _ in range(20):
        file.write(b"x" * 10_000_000)
"""

_PRINT = """
for _ in range(40):
    print("x" * 1_000_000)
"""

_RESULT = """
from IPython.display import HTML, display
display(HTML("x" * 40_000_000))
"""

_ERROR = """
raise ValueError("x" * 20_000_000)
"""

_RECURSION = """
import sys
sys.setrecursionlimit(10**9)
class Deep:
    def __getattr__(self, name): return getattr(self, name + "x")
def deeper(pair): return deeper((pair,))
import functools
fall = functools.reduce(lambda inner, _: [inner], range(10**6), [])
repr(fall)
"""


def _size(world: World) -> str:
    path = world.path("autograded")
    megabytes = path.stat().st_size / 1e6 if path.exists() else 0
    return f"a notebook of {round(megabytes, -1):.0f} MB" if megabytes > 20 else ""


def _said(text: str, words: str, world: World) -> str:
    return words if text in world.outputs() else ""


def _big_file(world: World) -> str:
    path = world.path("autograded").with_name("big.bin")
    return "200 MB are left on the disk" if path.exists() and path.stat().st_size > 1e8 else ""


def _with(*cells: NotebookNode):
    def changed(notebook: NotebookNode) -> NotebookNode:
        notebook.cells += cells
        return notebook

    return changed


_SLOW = [new_code_cell("import time\ntime.sleep(4)\nprint('slept', 'on')") for _ in range(6)]


def _slept(world: World) -> str:
    slept = world.outputs().count("slept on")
    return f"its {slept} slow cells all take their time" if slept == len(_SLOW) else ""


_MARKDOWN = "[" * 60_000 + "](" * 60_000 + "\n" + "> " * 2_000 + "*a " * 60_000

ATTACKS = [
    Attack(
        "loop",
        "loops for ever",
        plain="0 / 10",
        ours="0 / 10 (timed out)",
        code=_LOOP,
    ),
    Attack(
        "loop_without_end",
        "loops for ever, and ignores Ctrl+C",
        plain="no score",
        ours="0 / 10 (timed out; not run)",
        code=_NO_END,
    ),
    Attack(
        "slow_cells",
        "has six cells that each take a little less than a cell may take",
        plain="its 6 slow cells all take their time; 0 / 10",
        ours="0 / 10 (timed out; not run)",
        change=_with(*_SLOW),
        harm=_slept,
    ),
    Attack(
        "memory",
        "takes 1,000 MB of memory (the limit here: 400)",
        plain="1,000 MB are taken; 0 / 10",
        ours="0 / 10 (out of memory)",
        code=_MEMORY,
        harm=functools.partial(_said, "taken: 1000", "1,000 MB are taken"),
    ),
    Attack(
        "processes",
        "starts 300 processes (the limit here: 40)",
        plain="300 processes are started; 0 / 10",
        ours="0 / 10",
        code=_FORKS,
        harm=functools.partial(_said, "processes: 300", "300 processes are started"),
        alone=True,
    ),
    Attack(
        "threads",
        "starts 500 threads (the limit here: 40)",
        plain="500 threads are started; 0 / 10",
        ours="0 / 10",
        code=_THREADS,
        harm=functools.partial(_said, "threads: 500", "500 threads are started"),
    ),
    Attack(
        "busy_processes",
        "keeps 60 processes busy (the limit here: 40)",
        plain="60 processes are busy; 0 / 10",
        ours="0 / 10 (timed out)",
        # There may be no time for the cells after the one that timed out.
        sometimes={**_STARVED, "ours": "0 / 10 (timed out; not run)"},
        code=_BUSY_PROCESSES,
        harm=functools.partial(_said, "busy: 60", "60 processes are busy"),
        alone=True,
    ),
    Attack(
        "busy_sessions",
        "keeps 120 processes busy, each pair in a session of its own",
        plain="120 processes are busy; 0 / 10",
        ours="0 / 10 (timed out; not run)",
        sometimes=_STARVED,
        code=_BUSY_SESSIONS,
        harm=functools.partial(_said, "busy: 60", "120 processes are busy"),
        alone=True,
    ),
    Attack(
        "busy_threads",
        "keeps 60 threads busy (the limit here: 40)",
        plain="0 / 10",
        ours="0 / 10 (timed out)",
        code=_BUSY_THREADS,
    ),
    Attack(
        "sleep",
        "sleeps for ever in every answer",
        plain="0 / 10",
        ours="0 / 10 (timed out; not run)",
        answers={name: WRONG[name] + _SLEEP for name in answers(COURSE)},
    ),
    Attack(
        "disk",
        "writes 200 MB to a file (the limit here: 20)",
        plain="200 MB are left on the disk; 0 / 10",
        ours="0 / 10",
        code=_DISK,
        harm=_big_file,
    ),
    Attack(
        "printing",
        "prints 40 MB (the limit here: 2)",
        plain="a notebook of 40 MB; 0 / 10",
        ours="0 / 10",
        code=_PRINT,
        harm=_size,
    ),
    Attack(
        "large_display",
        "shows 40 MB in one piece",
        plain="a notebook of 40 MB; 0 / 10",
        ours="0 / 10",
        code=_RESULT,
        harm=_size,
    ),
    Attack(
        "large_error",
        "raises an error that says 20 MB",
        plain="a notebook of 40 MB; 0 / 10",
        ours="0 / 10",
        code=_ERROR,
        harm=_size,
    ),
    Attack(
        "recursion",
        "recurses until Python crashes",
        plain="no score",
        ours="0 / 10 (kernel died; not run)",
        code=_RECURSION,
    ),
    Attack(
        "markdown",
        "writes text that takes a program very long to lay out",
        plain="grading never ends; 0 / 10",
        ours="0 / 10",
        change=_with(new_markdown_cell(_MARKDOWN)),
        feedback=True,
        alone=True,
        patience=20,
    ),
]
