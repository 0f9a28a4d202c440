"""What a page has in place of Jupyter: it runs an answer and its check, and says what they show."""

import contextlib
import io
import json
import linecache
import sys
import time
import traceback
import types
from dataclasses import replace

import page_absent  # before what it stands for is imported
import page_cells

MOST_PRINTED = 20_000  # characters that a page shows of what one run prints
WARM = 0.3  # seconds of work: a cold binary gives a look a third of its draws
LOOP = "Stopped, because it ran for {:.0f} seconds. Is there a loop that does not end?"


class _Shown(io.TextIOBase):
    """Collects what is printed and displayed, in order."""

    def __init__(self) -> None:
        self.parts: list[dict] = []
        self.result = None  # of the check
        self._left = MOST_PRINTED

    def write(self, text: str) -> int:
        kept, self._left = text[: self._left], max(0, self._left - len(text))
        if kept and self.parts and "printed" in self.parts[-1]:
            self.parts[-1]["text"] += kept
        elif kept:
            self.parts.append({"text": kept, "printed": True})
        return len(text)

    def display(self, *things, raw: bool = False, **_) -> None:
        """Show each thing as HTML if it has some, else as text."""
        for thing in things:
            if isinstance(thing, checks.Result):
                self.result = thing
            html = thing.get("text/html") if raw else _html_of(thing)
            text = thing.get("text/plain", "") if raw else repr(thing)
            self.parts.append({"text": text[:MOST_PRINTED]} if html is None else {"html": html})


def _html_of(thing) -> str | None:
    as_html = None if isinstance(thing, type) else getattr(thing, "_repr_html_", None)
    return as_html() if as_html else None


_shown = _Shown()


def _display(*things, **settings) -> None:
    _shown.display(*things, **settings)


def _add_module(name: str, **names) -> types.ModuleType:
    module = sys.modules[name] = types.ModuleType(name)
    module.__dict__.update(names)
    return module


# The judge asks IPython whether somebody reads: here somebody does. The real one is 3 MB.
_ipython = _add_module("IPython", get_ipython=types.SimpleNamespace)
_ipython.display = _add_module("IPython.display", display=_display)

from autograder import check as checks  # noqa: E402
from autograder.check.claims import CLAIMS  # noqa: E402
from autograder.check.effort import SHORT, at_length  # noqa: E402

_names: dict = {}
_ran: list[tuple[str, str]] = []  # the cells above that have run, in order


def warm_up() -> None:
    """Do what only the first check would wait for. It is not noted as the reader's pass."""
    import numpy as np

    from dplib.data import load_adult

    def answer(value, *, sensitivity, epsilon):
        return value + np.random.default_rng().laplace(scale=sensitivity / epsilon)

    load_adult()
    with at_length("laplace_mechanism", replace(SHORT, work=WARM, patience=WARM)):
        CLAIMS["laplace_mechanism"].check(answer)
    page_absent.asked_for.clear()


def _run(name: str, code: str):
    """Run a cell; return the value of its last line, as a notebook has it."""
    file = f"<{name}>"
    linecache.cache[file] = (len(code), None, code.splitlines(True), file)
    body, last = page_cells.parted(code, file)
    exec(body, _names)
    return eval(last, _names) if last else None


def _run_above(cells: list[dict]) -> None:
    """Run the cells that have changed since they ran, and all that come after them."""
    wanted = [(cell["name"], cell["code"]) for cell in cells]
    if _ran != wanted[: len(_ran)]:
        _ran.clear()
    if not _ran:
        _names.clear()
        _names.update(__name__="__main__", display=_display)
    before = len(_shown.parts)
    for name, code in wanted[len(_ran) :]:
        try:
            _run(name, code)
        except BaseException as error:
            error.page_cell = name
            raise
        _ran.append((name, code))
    del _shown.parts[before:]  # the page shows what the cells above show


def ask(question: str) -> str:
    """Run an answer with the cells above that it needs, then its check if there is one.

    Args:
      question: JSON, as `Question` in messages.ts.

    Returns:
      JSON, as `Answer` there.
    """
    global _shown
    _shown = _Shown()
    page_absent.asked_for.clear()
    asked, began = json.loads(question), time.monotonic()
    with contextlib.redirect_stdout(_shown), contextlib.redirect_stderr(_shown):
        answer = _answer(asked, began)
    shown = [{key: part[key] for key in ("html", "text") if key in part} for part in _shown.parts]
    return json.dumps({"shown": shown, "wantsScipy": bool(page_absent.asked_for), **answer})


def _answer(asked: dict, began: float) -> dict:
    *above, own = asked["cells"]
    check = asked.get("check")
    try:
        _run_above(page_cells.needed(above, own["code"] + "\n" + (check["code"] if check else "")))
        value = _run(own["name"], own["code"])
        if not check:
            if value is not None:
                _shown.display(value)
            return {"kind": "ran", "text": ""}
        value = _run(check["name"], check["code"])
        return _judged(value)
    except checks.CheckFailure as failure:
        kind = "not yet" if failure._unanswered else "wrong"
        return {"kind": kind, "text": str(failure), "draws": failure.draws}
    except KeyboardInterrupt as error:
        text = LOOP.format(time.monotonic() - began)
        return {"kind": "stopped", "text": text, **_cell_of(error)}
    except BaseException as error:
        return {"kind": "failed", "text": _words_of(error), **_cell_of(error)}


def _judged(value) -> dict:
    """Return what a check's cell gave that raised nothing: its card, or its points."""
    if isinstance(value, checks.Result):
        _shown.display(value)
    share = _shown.result.share if _shown.result else 1.0
    kind = "right" if share > 0 else "wrong"
    draws = _shown.result.draws if _shown.result else 0
    return {"kind": kind, "text": "", "share": share, "draws": draws}


def _cell_of(error: BaseException) -> dict:
    return {"cell": error.page_cell} if hasattr(error, "page_cell") else {}


def _words_of(error: BaseException) -> str:
    """Return a traceback of the reader's own lines."""
    frames = traceback.extract_tb(error.__traceback__)
    # Without the marks below each line: on a narrow page they would stand below another one.
    own = [
        traceback.FrameSummary(each.filename, each.lineno, each.name, line=each.line)
        for each in frames
        if each.filename.startswith("<") and each.line
    ]
    return "".join(traceback.format_list(own) + traceback.format_exception_only(error)).rstrip()
