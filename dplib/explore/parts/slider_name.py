"""The name and the value of a slider or a choice, for screen readers."""

from __future__ import annotations

import html
import json

__all__ = ["FIGURE", "named", "named_choice"]

FIGURE = "dplib-figure"  # the class of the box that holds a slider and its pictures

# ipywidgets gives the handle no name, and the place of the stop as its value in words. Its HTML
# runs no scripts, but it does run what an image is to do when it has loaded. The slider may be put
# on the page later than the image, so it is looked for until it is there.
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
_DOT = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACADs="  # one clear pixel


def named(name: str) -> str:
    """Return HTML that gives the slider of the same figure its name and its value in words.

    Args:
      name: what the slider sets, as it is written beside it.
    """
    return _run(_SCRIPT, name)


def named_choice(name: str) -> str:
    """Return HTML that gives the buttons of a choice in the same box their common name."""
    return _run(_GROUP, name)


def _run(script: str, name: str) -> str:
    script = script.replace("FIGURE", FIGURE).replace("NAME", json.dumps(name, ensure_ascii=False))
    script = " ".join(script.split())
    return f'<img alt="" hidden src="{_DOT}" onload="{html.escape(script)}">'
