"""What a guess looks like in HTML: the answer everywhere, the question on a page without a kernel.

`deploy/site/static/guess.js` brings these parts to life by their classes and data attributes.
"""

import html
import json
from collections.abc import Sequence

from dplib.guess.scale import Scale, written
from dplib.plots.parts.style import ORANGE

_WIDTH, _HEIGHT, _EDGE = 360, 84, 20  # a telephone's width: no letter shrinks


def form_page(question: str, control: str, *, name: str) -> str:
    """Return a form that a script shows; without the script, the question alone.

    Args:
      question: as the reader reads it.
      control: HTML of what the reader fills in; its inputs are called "guess".
      name: under which the browser keeps the guess.
    """
    return (
        f'<div class="dplib-guess" data-name="{html.escape(name)}">'
        f'<form hidden><fieldset style="border:0;border-left:4px solid {ORANGE};'
        f'padding:0.2em 0 0.2em 0.8em;margin:0"><legend style="font-size:1em;float:none">'
        f"<strong>Your guess.</strong> {html.escape(question)}</legend>{control} "
        '<button type="submit">Keep my guess</button> <span role="status"></span>'
        "</fieldset></form>"
        f"<noscript><p><strong>Your guess.</strong> {html.escape(question)}</p></noscript></div>"
    )


def number_page(unit: str) -> str:
    """Return a field for a number."""
    label = f"A number ({html.escape(unit)})" if unit else "A number"
    return f'<label>{label} <input name="guess" type="number" step="any" required></label>'


def choice_page(options: Sequence[str]) -> str:
    """Return one button to choose for each option."""
    rows = (
        f'<label style="display:block"><input name="guess" type="radio" required '
        f'value="{html.escape(option)}"> {html.escape(option)}</label>'
        for option in options
    )
    return "".join(rows)


def mark_page(scale: Scale) -> str:
    """Return a slider over the scale; the script says its value in words."""
    stops = scale.stops()
    words = html.escape(json.dumps([written(stop, scale.unit) for stop in stops]))
    values = html.escape(json.dumps(stops))
    first, last = (html.escape(written(end, scale.unit)) for end in (scale.low, scale.high))
    # The ends stand under the ends, and what is chosen between them.
    return (
        f'<label class="dplib-mark" style="display:block;margin:0.4em 0">'
        f'<input name="guess" type="range" min="0" max="{len(stops) - 1}" step="1" '
        f'value="{len(stops) // 2}" data-stops="{values}" data-words="{words}" '
        f'aria-label="from {first} to {last}" style="width:100%;display:block">'
        f'<span style="display:flex;justify-content:space-between;gap:1em">'
        f'<span aria-hidden="true">{first}</span> <output style="font-weight:600"></output> '
        f'<span aria-hidden="true">{last}</span></span></label>'
    )


def answer_page(
    truth: str,
    *,
    said: str = "",
    name: str = "",
    axis: str = "",
) -> str:
    """Return the truth, beside the reader's guess if there is one, else folded away.

    Args:
      truth: in words: "18 people".
      said: the guess in words, or empty.
      name: under which a browser may have kept a guess.
      axis: a picture of both on one axis, from `axis_page`, or empty.
    """
    if said:
        same = said == truth
        words = f"You said {said}, and it is." if same else f"You said {said}, it is {truth}."
        return f'<div class="dplib-answer"><p>{html.escape(words)}</p>{axis}</div>'
    return (
        f'<details class="dplib-answer" data-name="{html.escape(name)}" '
        f'data-truth="{html.escape(truth)}"><summary>Show the answer (guess first)</summary>'
        f"<p>It is {html.escape(truth)}.</p>{axis}</details>"
    )


def axis_page(scale: Scale, truth: float, said: float | None) -> str:
    """Return a picture of the truth (dashed) and of what was said (a mark), on one axis."""
    words = f"An axis: it is {written(truth, scale.unit)}"
    words += f", you said {written(said, scale.unit)}." if said is not None else "."
    middle = _at(scale.place(truth))
    hidden = "" if said is not None else ' visibility="hidden"'
    at = _at(scale.place(said)) if said is not None else _EDGE
    parts = [
        f'<svg role="img" aria-label="{html.escape(words)}" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'style="width:100%;max-width:{_WIDTH}px;height:auto;display:block" '
        f'data-low="{scale.low!r}" data-high="{scale.high!r}" data-log="{int(scale.log)}" '
        f'data-unit="{html.escape(scale.unit)}" font-size="13" fill="currentColor">',
        f'<path d="M{_EDGE} 34H{_WIDTH - _EDGE}" stroke="currentColor"/>',
        _label(_EDGE, 80, written(scale.low), "start"),
        _label(_WIDTH - _EDGE, 80, written(scale.high, scale.unit), "end"),
        f'<path d="M{middle:g} 18V44" stroke="currentColor" stroke-width="3" '
        'stroke-dasharray="5 3"/>',
        _label(middle, 13, "truth", _anchor(middle)),
        f'<g class="yours" transform="translate({at:g})"{hidden}>',
        f'<path d="M0 36l-7 12h14z" fill="{ORANGE}"/>{_label(0, 63, "you", "middle")}</g></svg>',
    ]
    return "".join(parts)


def _at(place: float) -> float:
    return round(_EDGE + place * (_WIDTH - 2 * _EDGE), 1)


def _anchor(x: float) -> str:
    """Return how a label is put at x so that it stays inside."""
    return "start" if x < 2 * _EDGE else "end" if x > _WIDTH - 2 * _EDGE else "middle"


def _label(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:g}" y="{y}" text-anchor="{anchor}">{html.escape(text)}</text>'
