"""How long JupyterLite takes to its first cell, and what it loads, in real Chromium.

The site that `make site PYODIDE=…` has made is opened in a browser that has kept nothing. The clock
starts with the request of a chapter, and stops when its first cell has run: the one that imports
the library, the checks, numpy and pandas, and reads the data. The bytes are those of the files, as
a server that does not compress sends them. On a busy machine the seconds say little: what the
browser worked is printed beside them.

Run: python benchmarks/lite.py [--folder FOLDER] [--runs 3]
"""

import argparse
import os
import sys
import time
from collections import defaultdict
from pathlib import Path

import numpy as np
from _figures import ROOT, figure

sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "tests" / "browser"))
import labserver
import sites

CHAPTER = "03_laplace"
SECONDS, MEGABYTES, REQUESTS = 12, 59, 180  # the latest second; no more than in version 0.1
FIRST = """async () => {
  const book = jupyterapp.shell.currentWidget.content;
  const place = book.widgets.findIndex(each => each.model.type === 'code');
  book.deselectAll();
  book.activeCellIndex = place;
  await jupyterapp.commands.execute('notebook:run-cell');
  return book.widgets[place].model.outputs.toJSON();
}"""


def worked() -> float:
    """Return the seconds that the programs which this one has started have worked, all together."""
    children, seconds = defaultdict(list), {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text("utf-8").rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        children[int(fields[1])].append(int(folder.name))
        seconds[int(folder.name)] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    waiting, total = children[os.getpid()], 0.0
    while waiting:
        process = waiting.pop()
        total += seconds[process]
        waiting += children[process]
    return total


def measure(browser, address: str, seen: list[tuple[str, int]]) -> tuple[float, float, int, int]:
    """Return seconds to the first cell's end and of work, and the bytes and requests until then."""
    seen.clear()
    with browser.new_context(viewport={"width": 1200, "height": 1000}) as context:
        page = labserver.patient_page(context)
        page.set_default_timeout(300_000)
        began, before = time.perf_counter(), worked()
        page.goto(f"{address}/lite/notebooks/index.html?path={CHAPTER}/{CHAPTER}.ipynb")
        labserver.wait_until(page, f"() => {labserver.KERNEL}")
        outputs = page.evaluate(FIRST)
        seconds, used = time.perf_counter() - began, worked() - before
        if outputs:
            raise RuntimeError(f"the first cell of {CHAPTER} should print nothing: {outputs}")
        return seconds, used, sum(size for _, size in seen), len(seen)


def main() -> int:
    """Measure the first cell; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=sites.SITE, help="where the site lies")
    parser.add_argument("--runs", type=int, default=3, help="how often it is opened")
    options = parser.parse_args()
    if not (options.folder / "lite").exists():
        print(f"NOT MEASURED: no JupyterLite lies in {options.folder} (make site PYODIDE=…)")
        return 0
    seen: list[tuple[str, int]] = []
    with labserver.chromium() as browser, sites.served(options.folder, seen) as address:
        found = [measure(browser, address, seen) for _ in range(options.runs)]
    for seconds, used, size, requests in found:
        print(
            f"first cell after {seconds:.1f} s ({used:.1f} s of work), {size / 1e6:.1f} MB in "
            f"{requests} requests, load {os.getloadavg()[0]:.1f}"
        )
    seconds, _, size, requests = np.median(found, axis=0)
    figure("lite_first_cell_seconds", seconds, SECONDS)
    figure("lite_megabytes", size / 1e6, MEGABYTES)
    figure("lite_requests", requests, REQUESTS, form=".0f")
    return 0


if __name__ == "__main__":
    sys.exit(main())
