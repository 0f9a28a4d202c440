"""How fast a slider answers: ours against `interact` with inline matplotlib, in real Chromium.

Both draw the same figure at the same stops. A key press on the handle starts the clock; the first
animation frame after the picture has changed stops it. Then the handle is dragged, and every
picture that Chromium puts on its screen is looked at: one without ink is a blank frame. Third, a
figure with two sliders, which the kernel draws anew at each move: its latency is only told.

The last line is `median_ms=... p95_ms=... ratio=... blank=...`: the first two for our slider, the
ratio of the medians (theirs / ours), and our blank frames.

Run: python benchmarks/sliders.py
"""

import base64
import io
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

import numpy as np
from _figures import ROOT
from PIL import Image
from playwright.sync_api import TimeoutError as PlaywrightTimeout

sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "tests" / "browser"))
import labserver

PRESSES = 60
OURS = "from dplib.explore import explore_neighbors\n\nexplore_neighbors()"
LIVE = "from dplib.explore import explore_delta\n\nexplore_delta(epsilon=None)"
PEER = """%matplotlib inline
import matplotlib.pyplot as plt
from ipywidgets import SelectionSlider, interact

from dplib.explore.parts.frames import EPSILONS
from dplib.plots import draw_neighbor_densities, draw_neighbor_ratio


def show(epsilon):
    figure, axes = plt.subplots(1, 2, figsize=(5.6, 2.7), width_ratios=(3, 2))
    draw_neighbor_densities(axes[0], count_without=17449, epsilon=epsilon)
    draw_neighbor_ratio(axes[1], count_without=17449, epsilon=epsilon)
    plt.show()


interact(show, epsilon=SelectionSlider(options=EPSILONS, value=1.0));
"""
PICTURE = ".jp-OutputArea-output :is(img, figure svg):visible"
PROBE = """() => {
  const shown = each => each.checkVisibility()
    && (each.matches('svg') || (each.complete && each.naturalWidth));
  const seen = () => [...document.querySelectorAll('.jp-OutputArea-output :is(img, figure svg)')]
    .filter(shown).map(each => each.src ?? each.outerHTML)
    .map(text => text.length + text.slice(-80) + text.slice(text.length / 2).slice(0, 200)).join();
  let last = seen();
  window.probe = {pressed: null, changed: null};
  document.addEventListener('keydown', () => { probe.pressed ??= performance.now(); }, true);
  const look = () => {
    const now = seen();
    if (now && now !== last) {
      last = now;
      requestAnimationFrame(() => { probe.changed ??= performance.now(); });
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""


def latencies(page, *, turn: int = 15) -> np.ndarray:
    """Milliseconds from a key press to changed pixels, for each press that changed them.

    After `turn` presses to the left come as many to the right.
    """
    handle = page.locator(".noUi-handle").first
    handle.focus()
    page.evaluate(PROBE)
    found = []
    for press in range(PRESSES):
        page.evaluate("() => { probe.pressed = probe.changed = null; }")
        handle.press("ArrowLeft" if press // turn % 2 == 0 else "ArrowRight")
        try:
            page.wait_for_function("() => probe.pressed && probe.changed", timeout=5000)
        except PlaywrightTimeout:
            continue
        found.append(page.evaluate("() => probe.changed - probe.pressed"))
        page.wait_for_timeout(100)  # a reader's pace: one step has settled before the next
    return np.array(found)


def blank_frames(page) -> tuple[int, int]:
    """Drag the handle to the left; return how many frames were painted and how many were blank."""
    box = page.locator(".noUi-handle").first.bounding_box()
    picture = page.locator(PICTURE).first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    frames = []
    cast = page.context.new_cdp_session(page)

    def keep(event):
        frames.append(event["data"])
        cast.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    cast.on("Page.screencastFrame", keep)
    cast.send("Page.startScreencast", {"format": "png", "everyNthFrame": 1})
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(60):
        page.mouse.move(x - 4 * step, y)
        page.wait_for_timeout(16)
    page.mouse.up()
    page.wait_for_timeout(500)
    cast.send("Page.stopScreencast")
    ink = np.array([share_of_ink(frame, picture) for frame in frames])
    return len(ink), int((ink < np.median(ink) / 4).sum())


def share_of_ink(frame: str, box: dict) -> float:
    """Share of pixels in the picture's place that are not light."""
    left, top = box["x"], box["y"]
    place = (left, top, left + box["width"], top + box["height"])
    pixels = Image.open(io.BytesIO(base64.b64decode(frame))).convert("L").crop(place)
    return float((np.asarray(pixels) < 160).mean())


def measure(browser, address: str, notebook: str) -> tuple[np.ndarray, int, int]:
    """Return the latencies, the frames painted in a drag, and the blank ones among them."""
    with browser.new_context(viewport={"width": 1200, "height": 1000}) as context:
        page = labserver.open_and_run(context, address, notebook)
        page.locator(PICTURE).first.wait_for()
        return latencies(page), *blank_frames(page)


def measure_live(browser, address: str) -> np.ndarray:
    """Return the latencies of the figure that the kernel draws."""
    with browser.new_context(viewport={"width": 1200, "height": 1000}) as context:
        page = labserver.open_and_run(context, address, "live.ipynb")
        page.locator(".jp-OutputArea-output figure svg").first.wait_for()
        return latencies(page, turn=4)


def main() -> None:
    """Measure the sliders in one Chromium and print the table."""
    with ExitStack() as stack:
        browser = stack.enter_context(labserver.chromium())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for name, cell in (("ours", OURS), ("interact", PEER), ("live", LIVE)):
            labserver.write_notebook(folder / f"{name}.ipynb", cell)
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        address = stack.enter_context(labserver.jupyterlab(folder, home))
        results = {}
        for name in ("ours", "interact"):
            times, frames, blank = results[name] = measure(browser, address, f"{name}.ipynb")
            print(
                f"{name:9} median {np.median(times):5.0f} ms   p95 {np.percentile(times, 95):5.0f}"
                f" ms   presses {len(times)}/{PRESSES}   frames {frames}   blank {blank}"
            )
        live = measure_live(browser, address)
        print(
            f"live      median {np.median(live):5.0f} ms   p95 {np.percentile(live, 95):5.0f} ms"
            f"   presses {len(live)}/{PRESSES}   (two sliders, drawn by the kernel)"
        )
    (times, _, blank), (theirs, _, _) = results["ours"], results["interact"]
    print(
        f"median_ms={np.median(times):.1f} p95_ms={np.percentile(times, 95):.1f} "
        f"ratio={np.median(theirs) / np.median(times):.1f} blank={blank}"
    )


if __name__ == "__main__":
    main()
