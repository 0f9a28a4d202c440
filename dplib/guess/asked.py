"""The widget with which a reader commits to a guess."""

import html
from collections.abc import Callable, Mapping, Sequence

import ipywidgets as widgets

from dplib.explore.parts.slider_name import FIGURE, named, named_choice
from dplib.guess.scale import Scale, parsed
from dplib.plots.parts.style import ORANGE

_WIDE = {"width": "100%", "max_width": "560px"}
_WHOLE = {"description_width": "initial"}  # the description is not cut off


class Asked(widgets.VBox):
    """A question, something to answer it with, and a button.

    Args:
      question: as the reader reads it.
      control: where the reader answers.
      read: returns what was answered; raises ValueError, and its message tells the reader why.
      committed: called with the answer; returns the words shown beside the button.
    """

    def __init__(
        self,
        question: str,
        control: widgets.Widget,
        read: Callable[[], object],
        committed: Callable[[object], str],
    ) -> None:
        self.control, self._question = control, question
        self._read, self._committed = read, committed
        self.button = widgets.Button(description="Keep my guess", tooltip=question)
        self.status = widgets.HTML()
        self.button.on_click(lambda _: self.commit())
        if isinstance(control, widgets.Text):  # Enter, in a field of text
            control.on_msg(self._entered)
        words = f"<b>Your guess.</b> {html.escape(question)}"
        row = widgets.HBox([self.button, self.status])
        edge = f"4px solid {ORANGE}"
        layout = {"border_left": edge, "padding": "0 0 0 12px", "max_width": "100%"}
        asks = widgets.HTML(f'<div style="line-height:1.5">{words}</div>')
        super().__init__([asks, _spoken(control, question), row])
        for key, value in layout.items():
            setattr(self.layout, key, value)

    def commit(self) -> None:
        """Keep what is answered, or say what is missing."""
        try:
            self.say(self._committed(self._read()))
        except ValueError as error:
            self.say(str(error))

    def say(self, words: str) -> None:
        """Show words beside the button; a screen reader reads them out."""
        self.status.value = f'<span role="status">{html.escape(words)}</span>'

    def close_answer(self) -> None:
        """Let the guess stand: the truth is known now."""
        self.control.disabled = self.button.disabled = True

    def _entered(self, _widget, content: dict, _buffers) -> None:
        if content.get("event") == "submit":
            self.commit()

    def __repr__(self) -> str:
        return f"Your guess: {self._question}"

    def _repr_mimebundle_(self, **kwargs):
        """Return the widget, and the question for a page that cannot show it."""
        data = super()._repr_mimebundle_(**kwargs)
        data["text/plain"] = repr(self)
        return data


class Answer(widgets.HTML):
    """The truth beside the guess, on the screen; what a notebook saves of it is the truth alone.

    Args:
      page: HTML that is shown.
      saved: what is saved in the notebook, by type, for a page that cannot show the widget.
    """

    def __init__(self, page: str, saved: Mapping[str, str]) -> None:
        self._saved = dict(saved)
        super().__init__(page)

    def __repr__(self) -> str:
        return self._saved["text/plain"]

    def _repr_mimebundle_(self, **kwargs):
        return {**super()._repr_mimebundle_(**kwargs), **self._saved}


def number_control(unit: str, said: float | None) -> tuple[widgets.Text, Callable[[], float]]:
    """Return a field for a number, and how it is read."""
    field = widgets.Text(
        value="" if said is None else f"{said:g}",
        description=f"A number ({unit}):" if unit else "A number:",
        layout=widgets.Layout(width="auto", max_width="280px"),
        style=_WHOLE,
    )

    def read() -> float:
        try:
            return parsed(field.value, unit)
        except ValueError:
            raise ValueError("Write a number, for example 5.") from None

    return field, read


def choice_control(
    options: Sequence[str], said: str | None
) -> tuple[widgets.RadioButtons, Callable[[], str]]:
    """Return one button to choose for each option, and how they are read."""
    buttons = widgets.RadioButtons(
        options=list(options),
        value=said,
        description="",
        layout=widgets.Layout(width="max-content", max_width="100%"),
    )

    def read() -> str:
        if buttons.value is None:
            raise ValueError("Choose one first.")
        return buttons.value

    return buttons, read


def mark_control(
    scale: Scale, words: Sequence[str], said: float | None
) -> tuple[widgets.SelectionSlider, Callable[[], float]]:
    """Return a slider over the scale's stops, and how it is read."""
    stops = scale.stops()
    place = len(stops) // 2 if said not in stops else stops.index(said)
    slider = widgets.SelectionSlider(
        options=[(word, place) for place, word in enumerate(words)],
        index=place,
        description="",
        layout=widgets.Layout(**_WIDE),
    )
    return slider, lambda: stops[slider.index]


def _spoken(control: widgets.Widget, question: str) -> widgets.Widget:
    """Return the control in a box in which a screen reader hears what it is for."""
    if isinstance(control, widgets.SelectionSlider):
        name = named(question)
    elif isinstance(control, widgets.RadioButtons):
        name = named_choice(question)
    else:
        return control
    return widgets.VBox([control, widgets.HTML(name)]).add_class(FIGURE)
