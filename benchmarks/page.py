"""How long answers on a page of the site take, in real Chromium: `make site PYODIDE=…` made it.

Cold, nothing is in the browser's cache; warm, Python's files are. Bytes are as the server sends
them, packed by none; a host that packs sends less, and what it would send is printed, too.

Run: python benchmarks/page.py [--folder FOLDER]
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from _figures import ROOT, figure

sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "tests" / "browser"))
import answers
import labserver
import sites

CHAPTER, NAME = "03_laplace", "laplace_mechanism"
RIGHT = """def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):
    rng = rng or np.random.default_rng()
    return value + rng.laplace(scale=sensitivity / epsilon)
"""
CHECKS, KEYS = 5, 100
PAGE_MEGABYTES, PYTHON_MEGABYTES = 1.0, 20.0  # before Run, and after it, packed
COLD, WARM, AGAIN, KEY, DRAWS = 20.0, 12.0, 2.0, 0.016, 5000  # seconds, and draws of a look
# From a key to the next frame that shows it.
TYPED = """async times => {
  const content = document.querySelector('.answer .cm-content'), took = [];
  content.focus();
  for (let i = 0; i < times; i++) {
    const began = performance.now();
    document.execCommand('insertText', false, 'x');
    took.push(performance.now() - began);
    await new Promise(requestAnimationFrame);
  }
  return took;
}"""


@contextmanager
def reader():
    """Start a Chromium with a cache on the disk, as a reader has it, and yield it."""
    if labserver.CHROMIUM is None:
        sys.exit(f"NOT MEASURED: {labserver.NO_CHROMIUM}")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as profile:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=labserver.CHROMIUM, args=labserver.CHROMIUM_FLAGS
        )
        try:
            yield context
        finally:
            context.close()


def visit(context, address: str, seen: list) -> tuple[int, int, float, list]:
    """Return a visit's bytes before and after the first check, its seconds, and the checks."""
    seen.clear()
    page = labserver.patient_page(context)
    page.goto(f"{address}/{CHAPTER}.html", wait_until="networkidle")
    before = sum(size for _, size in seen)
    answers.come_near(page)
    exercise = answers.Answered(page, NAME)
    began = time.perf_counter()
    kind = exercise.check(RIGHT)
    first = time.perf_counter() - began
    after = sum(size for _, size in seen) - before
    if kind != "right":
        sys.exit(f"the right answer is not right: {exercise.said()}")
    checks = []
    for _ in range(CHECKS):
        began = time.perf_counter()
        exercise.check()
        checks.append((time.perf_counter() - began, int(exercise.box.get_attribute("data-draws"))))
    keys = page.evaluate(TYPED, KEYS)
    page.close()
    return before, after, first, [checks, keys]


def packed(folder: Path) -> float:
    """Return the megabytes that a host sends that packs what is not packed."""
    files = json.loads(
        (folder / "lite" / "static" / "pyodide" / "page-files.json").read_text("utf-8")
    )
    return sum(size["sent"] for size in files["sizes"]["small"].values()) / 1e6


def main() -> int:
    """Measure; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=sites.SITE, help="where the site lies")
    folder = parser.parse_args().folder
    if not (folder / "notebooks" / f"{CHAPTER}.ipynb").exists():
        print(f"NOT MEASURED: no site with answers lies in {folder} (make site PYODIDE=FOLDER)")
        return 0
    seen: list[tuple[str, int]] = []
    with reader() as context, sites.served(folder, seen) as address:
        before, after, cold, _ = visit(context, address, seen)
        _, again, warm, (checks, keys) = visit(context, address, seen)
    print(f"page: {before / 1e3:,.0f} kB; then {after / 1e6:.1f} MB, warm {again / 1e6:.2f} MB")
    figure("page_megabytes", before / 1e6, PAGE_MEGABYTES)
    figure("page_python_megabytes", packed(folder), PYTHON_MEGABYTES)
    figure("page_first_check_cold_seconds", cold, COLD)
    figure("page_first_check_warm_seconds", warm, WARM)
    figure("page_next_check_seconds", statistics.median(took for took, _ in checks), AGAIN)
    figure("page_key_seconds", statistics.median(keys) / 1000, KEY)
    draws = statistics.median(draws for _, draws in checks)
    figure("page_draws", draws, DRAWS, least=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
