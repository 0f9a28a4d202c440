"""How heavy and how fast the site is that `make site` has made, in real Chromium.

A page is loaded over 10 Mbit a second by a processor four times as slow: what it weighs, when its
heading is seen, and when its first slider has changed the picture after a key. The clock starts
with the request. The folder is weighed as it would be published; `--build` makes it first, and
says how long that took.

Run: python benchmarks/site.py [--build] [--folder FOLDER]
"""

import argparse
import resource
import subprocess
import sys
import time
from pathlib import Path

from _figures import ROOT, figure

sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "tests" / "browser"))
import labserver
import sites

PAGES = ("01_deidentification", "03_laplace", "13_local_dp")
NETWORK = {
    "offline": False,
    "latency": 20,
    "uploadThroughput": 1.25e6,
    "downloadThroughput": 1.25e6,
}
SLOWER = 4
BYTES, HEADING = 1e6, 2.0  # the most a page may weigh, and the latest second of its heading
# Both clocks begin with the request of the page.
HEADING_SEEN = """() => {
  const look = () => document.querySelector('h1')?.getBoundingClientRect().height
    ? requestAnimationFrame(() => { window.headingSeen ??= performance.now(); })
    : requestAnimationFrame(look);
  look();
}"""
MOVED = """before => document.querySelector('.dplib-picture').innerHTML !== before
  && performance.now() / 1000"""


def measure(browser, address: str, name: str) -> tuple[int, float, float]:
    """Return the bytes of a page, and the seconds to its heading and to its slider's first move."""
    with browser.new_context(viewport={"width": 1200, "height": 900}) as context:
        page = labserver.patient_page(context)
        session, sizes = context.new_cdp_session(page), []
        session.on("Network.loadingFinished", lambda done: sizes.append(done["encodedDataLength"]))
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", NETWORK)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.add_init_script(f"({HEADING_SEEN})()")
        page.goto(f"{address}/{name}.html", wait_until="commit")
        control = page.locator("figure.dplib-slider input[type=range]").first
        control.wait_for()  # the script shows it
        before = page.locator(".dplib-picture").first.inner_html()
        control.press("ArrowRight")
        moved = sites.wait_until(page, MOVED, before)
        page.wait_for_load_state("networkidle")
        return int(sum(sizes)), page.evaluate("headingSeen") / 1000, moved


def build() -> None:
    """Make the site and say how long it took; chapters that have not changed do not run again."""
    began = time.perf_counter()
    subprocess.run([sys.executable, ROOT / "deploy" / "site" / "make.py"], check=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = used.ru_utime + used.ru_stime
    print(f"site_build seconds={time.perf_counter() - began:.0f} cpu_seconds={cpu:.0f}")


def weigh(folder: Path) -> None:
    """Print the size of the folder to publish, and what of it should not be there."""
    sizes = {path: path.stat().st_size for path in folder.rglob("*") if path.is_file()}
    left = sum(".doctrees" in path.parts for path in sizes)
    lite = sum(size for path, size in sizes.items() if "lite" in path.relative_to(folder).parts)
    print(
        f"site_folder megabytes={sum(sizes.values()) / 1e6:.1f} of_them_lite={lite / 1e6:.1f} "
        f"files={len(sizes)} doctrees={left}"
    )


def main() -> int:
    """Measure the site; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", action="store_true", help="make the site first")
    parser.add_argument("--folder", type=Path, default=sites.SITE, help="where the site lies")
    options = parser.parse_args()
    if options.build:
        build()
    if not (options.folder / "index.html").exists():
        print(f"NOT MEASURED: no site lies in {options.folder} (make site)")
        return 0
    weigh(options.folder)
    with labserver.chromium() as browser, sites.served(options.folder) as address:
        for name in PAGES:
            if not (options.folder / f"{name}.html").exists():
                print(f"NOT MEASURED: {name} is not on this site")
                continue
            sent, heading, moved = measure(browser, address, name)
            print(f"{name}: {sent / 1e3:,.0f} kB, first slider moves after {moved:.2f} s")
            figure(f"site_{name}_megabytes", sent / 1e6, BYTES / 1e6)
            figure(f"site_{name}_heading_seconds", heading, HEADING)
    return 0


if __name__ == "__main__":
    sys.exit(main())
