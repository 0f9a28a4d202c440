"""Measures how many bits a second one room can still send another. Linux only.

Run as `python letters.py`. What is measured: a page of a library that nobody has read yet, which
the sender reads and the receiver finds to be fast; a page that both map, which the receiver's own
page table tells; and the core that both work on, whose time the sender takes or leaves.
"""

import contextlib
import json
import os
import tempfile
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from nbformat.v4 import new_code_cell, new_notebook

from autograder.execution.execute import Execute
from autograder.kernels import Limits, Zygote

BITS = 400
_WORDS = f"""
import json, mmap, os, random, struct, time
BITS = {BITS}
random.seed(7)
bits = [random.randrange(2) for _ in range(BITS)]  # both know them: only errors are counted
file = os.open("FILE", os.O_RDONLY)
BLOCK = 1 << 19  # more than the kernel reads ahead
AROUND = 1 << 16  # what it maps around a page
def wait(until):
    while time.time() < until: pass
"""
# By way: the sender's cell, the receiver's, and whether they work at the same time.
_WAYS = {
    "pages that are read later": (
        """
        for place, bit in enumerate(bits):
            if bit: os.pread(file, 1, place * BLOCK)
        """,
        """
        took = []
        for place in range(BITS):
            before = time.perf_counter()
            os.pread(file, 1, place * BLOCK)
            took.append(time.perf_counter() - before)
        seen = [time < 20e-6 for time in took]
        seconds = sum(took)
        """,
        False,
    ),
    "pages that both map": (
        """
        pages = mmap.mmap(file, BITS * AROUND, mmap.MAP_SHARED, mmap.PROT_READ)
        for place, bit in enumerate(bits):
            if bit: pages[place * AROUND]
        time.sleep(3)
        """,
        """
        time.sleep(1)
        pages = mmap.mmap(file, BITS * AROUND, mmap.MAP_SHARED, mmap.PROT_READ)
        (line,) = [line for line in open("/proc/self/maps") if "FILE" in line]
        before = time.perf_counter()
        for place in range(BITS): pages[place * AROUND]
        with open("/proc/self/pagemap", "rb") as table:
            table.seek((int(line.split("-")[0], 16) >> 12) * 8)
            words = struct.unpack(f"{BITS * 16}Q", table.read(BITS * 16 * 8))
        seen = [not word >> 56 & 1 for word in words[::16]]
        seconds = time.perf_counter() - before
        """,
        True,
    ),
    "the time of a core": (
        """
        start = int(time.time()) + 2
        for place, bit in enumerate(bits[:100]):
            if bit: wait(start + (place + 1) * 0.05)
            time.sleep(max(0, start + (place + 1) * 0.05 - time.time()))
        """,
        """
        start, seen, counts = int(time.time()) + 2, [], []
        time.sleep(max(0, start - time.time()))
        for place in range(100):
            count = 0
            while time.time() < start + (place + 1) * 0.05: count += 1
            counts.append(count)
        seen = [count < (max(counts) + min(counts)) / 2 for count in counts]
        seconds = 5.0
        """,
        True,
    ),
}
_TELL = """
wrong = sum(bit != each for bit, each in zip(bits, seen))
print(json.dumps([len(seen), wrong, seconds]))
"""


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="letters-", dir=Path.home()) as name:
        folder = Path(name)
        shared = folder / "library"
        shared.write_bytes(os.urandom(BITS << 19))
        shared.chmod(0o644)
        zygote = Zygote([], Limits(readable=(str(shared),)))
        with contextlib.closing(zygote):
            for way, (sender, receiver, together) in _WAYS.items():
                sent, wrong, seconds = _try(zygote, folder, sender, receiver, together)
                print(f"{way}: {sent} bits, {wrong} wrong, {sent / seconds:,.0f} a second")


def _try(zygote: Zygote, folder: Path, sender: str, receiver: str, together: bool) -> list:
    _forget(folder / "library")
    with ThreadPoolExecutor(2 if together else 1) as pool:
        first = pool.submit(_run, zygote, folder, "sender", textwrap.dedent(sender))
        second = pool.submit(_run, zygote, folder, "receiver", textwrap.dedent(receiver) + _TELL)
        first.result()
        return json.loads(second.result())


def _forget(path: Path) -> None:
    """Take a file out of memory, as a grader that has just been started finds it."""
    file = os.open(path, os.O_RDONLY)
    os.fsync(file)
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(file)


def _run(zygote: Zygote, folder: Path, name: str, code: str) -> str:
    (folder / name).mkdir(exist_ok=True)
    words = (_WORDS + code).replace("FILE", str(folder / "library"))
    notebook = new_notebook(cells=[new_code_cell(words)])
    step = Execute(zygote=zygote, core=min(os.sched_getaffinity(0)), timeout=60, allow_errors=True)
    step.preprocess(notebook, {"metadata": {"path": str(folder / name)}})
    outputs = notebook.cells[0].outputs
    return "".join(
        each.get("text") or f"{each.get('ename')}: {each.get('evalue')}" for each in outputs
    )


if __name__ == "__main__":
    main()
