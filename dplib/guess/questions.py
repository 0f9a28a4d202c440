"""Three kinds of guess: a number, a choice, a mark on an axis."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from IPython.display import display

from dplib import _validate
from dplib.guess import asked, kept, page
from dplib.guess.scale import Scale, written


class Guess:
    """A question to the reader, and what the reader said.

    Attributes:
      question: as the reader reads it.
      said: the reader's guess: a number, or one of the options; None as long as there is none.
    """

    def __init__(
        self,
        question: str,
        *,
        accepts: Callable[[object], bool],
        words: Callable[[object], str],
        axis: Callable[[object], Scale | None],
    ) -> None:
        if not isinstance(question, str) or not question.strip():
            raise ValueError(f"question must be a sentence, got {question!r}")
        self.question, self._words, self._axis, self._accepts = question, words, axis, accepts
        before = None if _nobody_is_there() or _static() else kept.kept(question)
        self.said = before if accepts(before) else None
        self._asked: asked.Asked | None = None  # the widget, where there is one
        self._revealed: list[Callable[[], None]] = []

    def reveal(self, truth: object) -> None:
        """Show the truth beside the guess; folded away as long as there is no guess.

        Args:
          truth: a number, or one of the options.

        Raises:
          ValueError: the truth is none of these.
        """
        truth = truth.item() if hasattr(truth, "item") else truth
        if not self._accepts(truth):
            raise ValueError(f"truth must be an answer to the question, got {truth!r}")
        words = self._words(truth)
        saved = _Html(self._page(truth, None), f"It is {words}.")
        if self._asked is None:
            display(saved)
            return
        answer = asked.Answer(self._page(truth, self.said), saved.bundle())
        self._revealed.append(lambda: setattr(answer, "value", self._page(truth, self.said)))
        display(answer)
        if self.said is not None:
            self._asked.close_answer()

    def commit(self, value: object) -> str:
        """Keep a guess, show the truth if it is there already, and return what to tell the reader.

        Raises:
          ValueError: it is no answer to the question.
        """
        if not self._accepts(value):
            raise ValueError(f"value must be an answer to the question, got {value!r}")
        self.said = value
        kept.keep(self.question, value)
        for again in self._revealed:
            again()
        if self._revealed:
            self._asked.close_answer()
            return f"You said {self._words(value)}. The answer is below."
        return f"You said {self._words(value)}. Now run the next cell."

    def _ask(self, control: Callable[[], tuple], form: str) -> Guess:
        """Show the question: as a widget, or as a form on a page without a kernel."""
        if _static():
            display(_Html(page.form_page(self.question, form, name=self.question), self.question))
        elif not _nobody_is_there():
            self._asked = asked.Asked(self.question, *control(), self.commit)
            if self.said is not None:
                self._asked.say(f"You said {self._words(self.said)}.")
            display(self._asked)
        return self

    def _page(self, truth: object, said: object) -> str:
        """Return the answer in HTML, beside a guess or, without one, folded away."""
        scale = self._axis(truth)
        axis = page.axis_page(scale, truth, said) if scale else ""
        words = "" if said is None else self._words(said)
        return page.answer_page(self._words(truth), said=words, name=self.question, axis=axis)


class _Html:
    """HTML, with words for where there is none."""

    def __init__(self, page_: str, words: str) -> None:
        self._page, self._plain = page_, words

    def __repr__(self) -> str:
        return self._plain

    def bundle(self) -> dict[str, str]:
        """Return what is shown, by type; when a notebook is graded, the words alone."""
        plain = {"text/plain": self._plain}
        return plain if _nobody_is_there() else {"text/html": self._page, **plain}

    def _repr_mimebundle_(self, **kwargs):
        return self.bundle()


def number(
    question: str, *, unit: str = "", low: float | None = None, high: float | None = None
) -> Guess:
    """Ask for a number, and show where the guess is kept.

    Args:
      question: one sentence.
      unit: of the number, written after it.
      low, high: ends of the axis on which the truth is shown later; by default the axis begins
        at 0 and the truth stands in its middle.

    Returns:
      The guess: the cell that computes the truth ends with its `reveal(truth)`.

    Raises:
      ValueError: question is no sentence, or an end is no finite number.
    """
    for name, end in (("low", low), ("high", high)):
        if end is not None:
            _validate.number(name, end)

    def axis(truth: float) -> Scale:
        # A truth of 0, or one beyond an end of the axis, still has its place on it.
        first = min(2 * truth, 0) if low is None else min(low, truth)
        last = max(2 * truth, 0) if high is None else max(high, truth)
        return Scale(first, last if first < last else first + 1, unit=unit)

    given = Guess(question, accepts=_is_number, words=lambda it: written(it, unit), axis=axis)
    return given._ask(lambda: asked.number_control(unit, given.said), page.number_page(unit))


def choice(question: str, options: Sequence[str]) -> Guess:
    """Ask for one of several answers.

    Args:
      question: one sentence.
      options: two or more different answers.

    Returns:
      The guess: the cell that computes the truth ends with its `reveal(truth)`.

    Raises:
      ValueError: question is no sentence, or options are fewer than two, repeated or no text.
    """
    options = list(options)
    if len(set(options)) < max(2, len(options)) or not all(isinstance(o, str) for o in options):
        raise ValueError(f"options must be at least two different texts, got {options!r}")
    given = Guess(
        question,
        accepts=lambda it: isinstance(it, str) and it in options,
        words=lambda it: f"“{it}”",
        axis=lambda truth: None,
    )
    return given._ask(lambda: asked.choice_control(options, given.said), page.choice_page(options))


def mark(question: str, *, low: float, high: float, unit: str = "", log: bool = False) -> Guess:
    """Ask for a mark on an axis: a slider from low to high.

    Args:
      question: one sentence.
      low, high: ends of the axis, low < high.
      unit: of the number, written after it.
      log: whether the axis is logarithmic; then low must be positive.

    Returns:
      The guess: the cell that computes the truth ends with its `reveal(truth)`.

    Raises:
      ValueError: question is no sentence, or the axis is none.
    """
    scale = Scale(low, high, log, unit)
    given = Guess(
        question, accepts=_is_number, words=lambda it: written(it, unit), axis=lambda truth: scale
    )
    words = [written(stop, unit) for stop in scale.stops()]
    return given._ask(lambda: asked.mark_control(scale, words, given.said), page.mark_page(scale))


def _is_number(value: object) -> bool:
    try:
        _validate.number("value", value)
    except ValueError:
        return False
    return True


def _nobody_is_there() -> bool:
    """Return whether nbgrader runs the notebook: nobody is there to guess."""
    return bool(os.environ.get("NBGRADER_EXECUTION"))


def _static() -> bool:
    """Return whether this run makes a page without a kernel: its readers guess later."""
    return bool(os.environ.get("DPLIB_STATIC"))
