"""The name and the value of a slider or a choice, for screen readers."""

import html
import json

FIGURE = "dplib-figure"  # the class of the box that holds a slider and its pictures

# ipywidgets names neither the handle nor the buttons that move it, and gives the place of the stop
# as its value in words. Its HTML runs no scripts, but it does run what an image is to do when it
# has loaded. The slider may come later than the image, so it is looked for until it is there.
_SCRIPT = """
const image = this, name = NAME;
let frames = 0;
(function look() {
  const box = image.closest('.FIGURE'), handle = box?.querySelector('.noUi-handle');
  const shown = box?.querySelector('.widget-readout');
  if (!handle || !shown) { if (frames++ < 600) requestAnimationFrame(look); return; }
  const tell = () => {
    const words = name + ' = ' + shown.textContent;
    if (handle.getAttribute('aria-valuetext') !== words)
      handle.setAttribute('aria-valuetext', words);
  };
  handle.setAttribute('aria-label', name);
  box.querySelectorAll('.widget-play button').forEach((button, place) =>
    button.setAttribute('aria-label', ['Play or pause', 'To the start', 'Repeat'][place]));
  new MutationObserver(tell).observe(handle, {attributeFilter: ['aria-valuetext']});
  new MutationObserver(tell).observe(shown, {childList: true, characterData: true, subtree: true});
  tell();
})();
"""
# ipywidgets does not say that its buttons of a choice belong together.
_GROUP = """
const image = this, name = NAME;
let frames = 0;
(function look() {
  const group = image.closest('.FIGURE')?.querySelector('.widget-radio-box');
  if (!group) { if (frames++ < 600) requestAnimationFrame(look); return; }
  group.setAttribute('role', 'radiogroup');
  group.setAttribute('aria-label', name);
})();
"""
# The handle of ipywidgets is small and pale; a finger needs 24 pixels, an eye a contrast of 3.
_STYLE = """
.FIGURE .noUi-target { --ink: var(--jp-ui-font-color1, currentColor); height: 6px; border: 0;
  border-radius: 3px; background: #8a8f98; margin: 12px; }
.FIGURE .noUi-target .noUi-handle { width: 24px; height: 24px; top: -9px; right: -12px;
  border-radius: 50%; border: 3px solid var(--jp-layout-color0, #fff); background: #0072b2; }
.FIGURE .noUi-target .noUi-handle:focus-visible { outline: 3px solid #56b4e9; }
.FIGURE .widget-inline-hbox:has(.noUi-target) { height: auto; align-items: center; }
.FIGURE :is(.widget-label, .widget-readout) { font-size: 18px; font-weight: 600; height: auto; }
.FIGURE .widget-readout { min-width: 4.5em; }
@media (prefers-reduced-motion: reduce) { .FIGURE .widget-play { display: none; } }
"""
_DOT = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACADs="  # one clear pixel


def named(name: str) -> str:
    """Return HTML that gives the slider of the same figure its looks, its name and its value.

    Args:
      name: what the slider sets, as it is written beside it.
    """
    style = " ".join(_STYLE.replace("FIGURE", FIGURE).split())
    return f"<style>{style}</style>{_run(_SCRIPT, name)}"


def named_choice(name: str) -> str:
    """Return HTML that gives the buttons of a choice in the same box their common name."""
    return _run(_GROUP, name)


def _run(script: str, name: str) -> str:
    script = script.replace("FIGURE", FIGURE).replace("NAME", json.dumps(name, ensure_ascii=False))
    script = " ".join(script.split())
    return f'<img alt="" hidden src="{_DOT}" onload="{html.escape(script)}">'
