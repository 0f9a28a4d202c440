"""Payloads of hostile code, one a cell. As a program: runs all, contained and not, and reports.

Nothing outside the program's own folder and processes is harmed.
"""

import contextlib
import dataclasses
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from nbformat.v4 import new_code_cell, new_notebook

from autograder.execution.execute import Execute
from autograder.kernels import Limits, Zygote

SECRET = "the answers, and a token"
LIMITS = Limits(memory_megabytes=256, processes=20, file_megabytes=8, seconds=60)


@dataclass
class World:
    """What there is to harm."""

    home: Path  # of the instructor
    port: int
    name: str  # of a socket in no folder
    listeners: list[socket.socket]
    victim: subprocess.Popen
    nap: str  # seconds that nobody else sleeps

    def words(self) -> str:
        """Return a cell that tells a payload where all is."""
        known = {"HOME": str(self.home), "PORT": self.port, "NAME": self.name, "NAP": self.nap}
        return "\n".join(
            f"{name} = {value!r}" for name, value in {**known, "VICTIM": self.victim.pid}.items()
        )

    def called(self) -> bool:
        """Say whether anybody has connected."""
        for listener in self.listeners:
            with contextlib.suppress(BlockingIOError):
                listener.accept()[0].close()
                return True
        return False

    def sleeper(self) -> bool:
        """Say whether a process sleeps that long."""
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                if path.read_bytes().split(b"\0")[:2] == [b"sleep", self.nap.encode()]:
                    os.kill(int(path.parent.name), 9)
                    return True
        return False


Harm = Callable[[World, str], bool]


def says(words: str) -> Harm:
    return lambda world, text: words in text


# A file that every room sees, which nobody uses; and how to ask the kernel.
_SHARED_PAGES = """
import ctypes, importlib.util, mmap, os, pathlib, resource
from autograder.sandbox import seccomp
folder = pathlib.Path(importlib.util.find_spec("opendp").origin).parent / "lib"
shared, libc = os.open(next(folder.glob("*.so")), os.O_RDONLY), ctypes.CDLL(None)
place = ["x86_64", "aarch64"].index(os.uname().machine)
numbers = {name: ctypes.c_long(each[place]) for name, each in seccomp.REFUSED.items()}
call, libc.mmap.restype = libc.syscall, ctypes.c_void_p
pages = ctypes.c_void_p(libc.mmap(None, 4096, 1, 2, shared, ctypes.c_long(0)))
libc.preadv2.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_long, ctypes.c_int]
byte = ctypes.create_string_buffer(8)
iovec = (ctypes.c_size_t * 2)(ctypes.addressof(byte), 1)
os.pread(shared, 1, 0)
"""

PAYLOADS: dict[str, tuple[str, Harm]] = {
    "read a file": ("print(open(f'{HOME}/secret').read())", says(SECRET)),
    "read by a link": (
        "import os\nos.symlink(f'{HOME}/secret', 'link')\nprint(open('link').read())",
        says(SECRET),
    ),
    "list a folder": ("import os\nprint(os.listdir(HOME))", says("gradebook.db")),
    "write the gradebook": (
        "open(f'{HOME}/gradebook.db', 'w').write('mine')",
        lambda world, text: (world.home / "gradebook.db").read_text() != "scores",
    ),
    "delete others' work": (
        "import shutil\nshutil.rmtree(f'{HOME}/other')",
        lambda world, text: not (world.home / "other").exists(),
    ),
    "change a library": (
        "open(f'{HOME}/library/module.py', 'a').write('evil = 1')",
        lambda world, text: (world.home / "library" / "module.py").read_text() != "good = 1\n",
    ),
    "use the network": (
        "import socket\nsocket.create_connection(('127.0.0.1', PORT))",
        lambda world, text: world.called(),
    ),
    "use a socket without a file": (
        "import socket\nsocket.socket(socket.AF_UNIX).connect('\\0' + NAME)",
        lambda world, text: world.called(),
    ),
    "reach the machine below": (
        "import socket\nprint('made', socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM) and 1)",
        says("made 1"),
    ),
    "kill the grader's processes": (
        "import os\nos.kill(VICTIM, 9)",
        lambda world, text: world.victim.wait() != 0 if _ends(world.victim) else False,
    ),
    "see other processes": (
        "import os\nprint('seen', os.path.exists(f'/proc/{VICTIM}'))",
        says("seen True"),
    ),
    "read the environment": (
        "import os\nprint(os.environ, open('/proc/self/environ').read())",
        says(SECRET),
    ),
    "read the parent's environment": (
        "import os\nfor pid in (1, os.getppid(), os.getpid()):\n"
        "    try:\n        print(open(f'/proc/{pid}/environ').read())\n"
        "    except OSError as error:\n        print(error)",
        says(SECRET),
    ),
    "share memory": (
        "open(f'/dev/shm/{NAME}', 'w').write('hello')",
        lambda world, text: _removed(Path("/dev/shm") / world.name),
    ),
    "leave a process behind": (
        "import subprocess\nsubprocess.Popen(['sleep', NAP], start_new_session=True)",
        lambda world, text: world.sleeper(),
    ),
    "start many processes": (
        "import os, time\nmade = 0\ntry:\n    for _ in range(60):\n"
        "        if not os.fork():\n            time.sleep(60)\n            os._exit(0)\n"
        "        made += 1\nexcept OSError as error:\n    print(error)\nprint('made', made)",
        says("made 60"),
    ),
    "take memory": ("x = bytearray(400 << 20)\nprint('taken', len(x))", says("taken")),
    "write a large file": (
        "import os\nwith open('large', 'wb') as file:\n    file.write(bytes(20 << 20))\n"
        "print('size', os.path.getsize('large'))",
        says(f"size {20 << 20}"),
    ),
    "fill what is caught of programs": (
        "import os\nfor _ in range(12):\n    os.write(1, b'x' * (1 << 20))\nprint('caught')",
        says("caught\n"),
    ),
    "write many files": (
        "for i in range(5):\n    open(f'part{i}', 'wb').write(bytes(4 << 20))\nprint('written')",
        says("written"),
    ),
    "hide memory in the kernel": (
        "from autograder.sandbox import seccomp\nimport ctypes, os\n"
        "place = ['x86_64', 'aarch64'].index(os.uname().machine)\n"
        "made = ctypes.CDLL(None).syscall(seccomp.REFUSED['memfd_create'][place], b'x', 0)\n"
        "print('made', made >= 0)",
        says("made True"),
    ),
    "make namespaces": (
        "import ctypes\nprint('made', ctypes.CDLL(None).unshare(0x10000000))",
        says("made 0"),
    ),
    "trace a process": (
        "import ctypes, os, signal, time\nchild = os.fork()\n"
        "if not child:\n    time.sleep(60)\n"
        "print('traced', ctypes.CDLL(None).ptrace(16, child, 0, 0))\nos.kill(child, 9)",
        says("traced 0"),
    ),
    "lock what another student sees": (
        "import fcntl, os\nfcntl.flock(open(os.__file__), fcntl.LOCK_EX)\nprint('locked')",
        says("locked\n"),
    ),
    "look who locks what": (
        "import fcntl, os\nprint('seen', fcntl.fcntl(open(os.__file__), 5, bytes(32)))",
        says("seen b"),
    ),
    "watch the libraries' files": (
        "import ctypes\nprint('watched', ctypes.CDLL(None).inotify_init() >= 0)",
        says("watched True"),
    ),
    "ask which pages are in memory": (
        f"{_SHARED_PAGES}window = (ctypes.c_ulonglong * 2)(0, 4096)\n"
        "asked = {\n"
        "    'preadv2': lambda: libc.preadv2(shared, iovec, 1, 0, 8) + 1,\n"  # RWF_NOWAIT
        "    'mincore': lambda: not call(numbers['mincore'], pages, 4096, bytes(8)),\n"
        "    'cachestat': lambda: not call(numbers['cachestat'], shared, window, bytes(64), 0),\n"
        "    'io_setup': lambda: not call(numbers['io_setup'], 8, (ctypes.c_ulong * 1)()),\n"
        "}\nprint({name: 'told' for name, way in asked.items() if way()})",
        says("told"),
    ),
    "take a shared page out of memory": (
        # A page that some process uses stays: of these, some are used by none.
        f"{_SHARED_PAGES}places = range(0, os.fstat(shared).st_size, 1 << 18)\n"
        "def read(): return [os.pread(shared, 1, place) for place in places]\n"
        "read()\nbefore = resource.getrusage(0).ru_inblock\n"
        "os.posix_fadvise(shared, 0, 0, os.POSIX_FADV_DONTNEED)\nread()\n"
        "print('read anew', resource.getrusage(0).ru_inblock > before)",
        says("read anew True"),
    ),
    "give hints that concern others": (
        # MADV_MERGEABLE (or, where the kernel cannot, a control of the process), COLD, PAGEOUT,
        # POPULATE_READ
        f"{_SHARED_PAGES}given = [not libc.madvise(pages, 4096, n) for n in (12, 20, 21, 22)]\n"
        "print('given', any(given) or not libc.prctl(67, 1, 0, 0, 0))",
        says("given True"),
    ),
    "choose its cores": (
        "import os\nprint('chosen', os.sched_setaffinity(0, os.sched_getaffinity(0)))",
        says("chosen None"),
    ),
    "outlive the grader": (
        "import ctypes\nprint('cleared', ctypes.CDLL(None).prctl(1, 0, 0, 0, 0))",
        says("cleared 0"),
    ),
    "become root by a program": (
        "print(open('/proc/self/status').read())",
        says("NoNewPrivs:\t0"),
    ),
    "take over descriptors": (
        "import os\nfor name in os.listdir('/proc/self/fd'):\n"
        "    try:\n        print('fd', os.readlink(f'/proc/self/fd/{name}'))\n"
        "    except OSError:\n        pass",
        lambda world, text: text.count("fd socket:") > _OWN_SOCKETS,
    ),
    "take a module's place": ("import colorsys", says("mine")),
}
# The kernel's own: to the grader, and the pair that asyncio wakes itself with.
_OWN_SOCKETS = 3


def _ends(process: subprocess.Popen) -> bool:
    try:
        process.wait(timeout=1)
    except subprocess.TimeoutExpired:
        return False
    return True


def _removed(path: Path) -> bool:
    """Say whether it was there."""
    there = path.exists()
    path.unlink(missing_ok=True)
    return there


def furnish(home: Path) -> None:
    """Put all in its place; what the last payload has left there goes."""
    shutil.rmtree(home, ignore_errors=True)
    for part in ("other", "library", "submission"):
        (home / part).mkdir(parents=True)
    (home / "secret").write_text(SECRET)
    (home / "gradebook.db").write_text("scores")
    (home / "library" / "module.py").write_text("good = 1\n")
    (home / "library" / "module.py").chmod(0o666)  # anybody may write to it, outside
    (home / "submission" / "colorsys.py").write_text("print('mine')")


@contextlib.contextmanager
def world(home: Path, number: int) -> Iterator[World]:
    furnish(home)
    name = f"autograder-{os.getpid()}-{number}"
    by_port, by_name = socket.socket(), socket.socket(socket.AF_UNIX)
    by_port.bind(("127.0.0.1", 0))
    by_name.bind("\0" + name)
    with by_port, by_name, subprocess.Popen(["sleep", "600"]) as victim:
        for listener in (by_port, by_name):
            listener.listen()
            listener.setblocking(False)
        nap = f"{600 + number}.{os.getpid()}"
        try:
            port = by_port.getsockname()[1]
            yield World(home, port, name, [by_port, by_name], victim, nap)
        finally:
            victim.kill()


def outputs(notebook) -> str:
    """Return all that the cells have shown, as text."""
    found = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            found.append(output.get("text") or output.get("evalue") or str(output.get("data")))
    return "\n".join(found)


def attempt(home: Path, number: int, source: str, zygote: Zygote, harm: Harm) -> tuple[bool, str]:
    """Run a payload; return whether it did its harm, and what it said."""
    with world(home, number) as there:
        notebook = new_notebook(cells=[new_code_cell(there.words()), new_code_cell(source)])
        resources = {"metadata": {"path": str(home / "submission")}}
        Execute(zygote=zygote, timeout=30, allow_errors=True).preprocess(notebook, resources)
        text = outputs(notebook)
        return harm(there, text), text


def main() -> None:
    home, results = Path.cwd() / "home", {}
    os.environ["AUTOGRADER_TOKEN"] = SECRET
    furnish(home)
    limits = dataclasses.replace(LIMITS, readable=(str(home / "library"),))
    for number, given in enumerate((limits, None)):
        zygote = Zygote([], given)
        for name, (source, harm) in PAYLOADS.items():
            result = attempt(home, len(PAYLOADS) * number + len(results), source, zygote, harm)
            results.setdefault(name, []).append(result)
        zygote.close()
    json.dump(results, sys.stdout)


if __name__ == "__main__":
    main()
