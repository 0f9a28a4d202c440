"""Run notebooks' cells in IPython, each in a fork; print the seconds of wall time and of CPU.

Run: python cells_alone.py CORES < notebooks.json (each notebook is the list of its cells)
"""

import contextlib
import io
import json
import os
import resource
import sys
import time

WARM_UP = 5  # notebooks, for imports and fonts


def now() -> tuple[float, float]:
    """Return the time, and the CPU of the forks that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter(), used.ru_utime + used.ru_stime


def run_all(shell, cells: list[str]) -> None:
    """Run cells in IPython; the figure must come out as a picture, and an error as its text."""
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in cells:
            shell.run_cell(cell)
    if "image/png" not in shell.display_pub.outputs[-1]["data"]:
        raise RuntimeError("no picture was drawn")


def main() -> None:
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
    from IPython.core.displaypub import CapturingDisplayPublisher
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    shell = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    shell.display_pub = CapturingDisplayPublisher()
    cores, notebooks = int(sys.argv[1]), json.load(sys.stdin)
    for cells in notebooks[:WARM_UP]:
        run_all(shell, cells)
        shell.reset()
    start = now()
    for number, cells in enumerate(notebooks):
        if number >= cores:
            os.wait()
        if not os.fork():
            run_all(shell, cells)
            os._exit(0)
    for _ in notebooks[:cores]:
        os.wait()
    print(*(end - begin for begin, end in zip(start, now(), strict=True)))


if __name__ == "__main__":
    main()
