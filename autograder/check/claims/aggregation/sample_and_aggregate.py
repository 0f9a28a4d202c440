"""Sample and aggregate: the mean of clipped answers on separate chunks, with Laplace noise."""

import dataclasses
import math
from collections.abc import Callable

import numpy as np

from autograder.check.additive import AdditiveClaim
from autograder.check.answers import BadAnswer, as_number
from autograder.check.claims.aggregation import _wrong_centers as wrong
from autograder.check.claims.aggregation._chunk_answers import (
    arguments,
    called_without_rows,
    designed_settings,
    draw_settings,
    mean,
    middle,
    outcomes,
    situation,
    width,
)
from autograder.check.claims.aggregation._partition import PARTITION
from autograder.check.claims.laplace._laplace_noise import noise_mistakes
from autograder.check.mistakes import Mistake
from autograder.check.several import SeveralClaims
from ville.cells import edges_of, laplace_edges
from ville.distributions import Distribution as Law
from ville.distributions import clamped, laplace, laplace_sum


def _scale(p: dict) -> float:
    # One row lies in one chunk, and moves one of the clipped answers by at most the width.
    return width(p) / (p["chunks"] * p["epsilon"])


def _mixture(p: dict, parts: list[tuple[float, Law, float]]) -> Law:
    """Return the law of answer - exact for (chance, law of the noise, center of the answer)."""
    exact = p["exact"]
    shifted = [(chance, law, center - exact) for chance, law, center in parts]
    return lambda x: sum(chance * law(x - offset) for chance, law, offset in shifted)


def _law(
    p: dict,
    *,
    center: Callable = mean,
    scale: Callable = lambda p, answers: _scale(p),
    noise: Callable = laplace,
    chunks_by: str = "label",
) -> Law:
    """Return the law of answer - exact when the center, the scale, … are found in this way."""
    return _mixture(
        p,
        [
            (chance, noise(scale(p, answers)), center(p, answers))
            for chance, answers in outcomes(p, chunks_by)
        ],
    )


def _mistake(name: str, ask: str, *, seen: str = "", **how) -> Mistake:
    """Return a mistake that differs from the right way in what `how` says."""
    return Mistake(name, lambda p: _law(p, **how), ask, seen=seen)


def _spread(name: str, factor: Callable[[dict], float], ask: str) -> Mistake:
    """Return a mistake of the scale only: it is this many times the right one."""
    return _mistake(name, ask, scale=lambda p, answers: factor(p) * _scale(p))


def _release_clipped(p: dict) -> Law:
    return clamped(_law(p), p["lower"] - p["exact"], p["upper"] - p["exact"])


_MOVES = "how many of the answers can one row move, each by how much, and their mean?"
_CLIP = "how far may one chunk's answer move the mean, if the function answers 1,000,000?"
_EMPTY = "what does an empty chunk answer, and how many answers are there then?"
_NAN = "by the task, what does a chunk answer whose number is NaN?"
_PLACE = "one row leaves: into which chunks do the rows after it come?"

_MISTAKES = (
    _mistake(
        "an answer outside of the interval counts as the middle",
        "the interval is 0 to 6, say: what does clipping make of an answer of 1,000,000?",
        center=lambda p, answers: mean(
            p, np.where((answers < p["lower"]) | (answers > p["upper"]), middle(p), answers)
        ),
    ),
    _spread("the noise is not divided by the number of chunks", lambda p: p["chunks"], _MOVES),
    _spread(
        "the noise is divided by the number of rows, or of people",
        lambda p: p["chunks"] / p["rows"],
        "how many answers are averaged, one for each row or one for each chunk?",
    ),
    _spread(
        "the upper end is used for the width of the interval",
        lambda p: p["upper"] / width(p),
        "how far is it from the lower end to the upper one?",
    ),
    _spread("the noise is doubled", lambda p: 2, _MOVES),
    _spread("the noise is halved", lambda p: 0.5, _MOVES),
    _spread("the width of the interval is left out", lambda p: 1 / width(p), _MOVES),
    _spread(
        "epsilon is ignored",
        lambda p: p["epsilon"],
        "what should happen to the noise when less privacy may be lost?",
    ),
    _spread(
        "epsilon multiplies instead of divides",
        lambda p: p["epsilon"] ** 2,
        "does a larger epsilon mean more privacy or less?",
    ),
    _mistake(
        "no noise is added",
        "where does your code draw a random number, and is it added to the mean?",
        seen="the exact mean came, without noise",
        scale=lambda p, answers: 1e-9 * _scale(p),
    ),
    Mistake(
        "every chunk's answer gets noise of its own",
        lambda p: _law(p, noise=lambda scale: laplace_sum(scale, p["chunks"])),
        "what is released, the answers or their mean? How often is noise needed?",
    ),
    _mistake("the mean is clipped, not the answers", _CLIP, center=wrong.after_averaging),
    _mistake("the answers are not clipped", _CLIP, center=wrong.not_clipped),
    _mistake("rows are clipped, not the answers", _CLIP, center=wrong.rows_clipped),
    _mistake(
        "empty chunks are left out of the mean, or take over the others' answers",
        _EMPTY,
        center=wrong.left_out,
    ),
    _mistake(
        "only the chunks that have rows are counted",
        _EMPTY,
        center=wrong.left_out,
        scale=lambda p, answers: width(p) / (len(answers) * p["epsilon"]),
    ),
    *(
        _mistake(f"an empty chunk answers {words}", _EMPTY, center=wrong.empty_as(value))
        for words, value in {
            "0": lambda p: 0.0,
            "half of the width, which need not be the middle": lambda p: width(p) / 2,
            "with the lower end": lambda p: p["lower"],
            "with the upper end": lambda p: p["upper"],
        }.items()
    ),
    _mistake(
        "empty chunks and NaN count as the lower end",
        _EMPTY,
        center=wrong.missing_as(lambda p: p["lower"]),
    ),
    _mistake("NaN is left out of the mean", _NAN, center=wrong.nan_left_out),
    _mistake("NaN counts as 0", _NAN, center=wrong.nan_as(lambda p: 0.0)),
    _mistake("NaN counts as the lower end", _NAN, center=wrong.nan_as(lambda p: p["lower"])),
    _mistake("NaN counts as the upper end", _NAN, center=wrong.nan_as(lambda p: p["upper"])),
    _mistake("rows are cut into even pieces by their place", _PLACE, chunks_by="even"),
    _mistake(
        "rows are cut into pieces of ceil(n / chunks): too few chunks",
        _PLACE,
        center=wrong.left_out,
        chunks_by="ceil",
    ),
    _mistake(
        "rows with one label come to several chunks",
        "rows with one label belong to one person: into how many chunks may they go?",
        chunks_by="chance",
    ),
    Mistake(
        "without labels, the chunks are equally large",
        lambda p: _law(p, chunks_by="even" if p["kind"] == "no labels" else "label"),
        "call it twice: does each row draw its chunk anew? And may two of three rows share one?",
    ),
    _mistake(
        "the median of the answers is released",
        "how far can one answer move a median, and how far a mean?",
        center=wrong.median,
    ),
    _mistake(
        "the sum of the answers is released",
        "which statistic of the answers moves by (upper - lower) / chunks?",
        center=lambda p, answers: p["chunks"] * mean(p, answers),
        scale=lambda p, answers: p["chunks"] * _scale(p),
    ),
    _mistake(
        "the function is run on all rows at once",
        "how far can one row move the function of all rows?",
        center=wrong.all_rows,
    ),
    _mistake(
        "the answers that came decide the sensitivity",
        "who may know how far apart the answers are? Which width is public?",
        scale=wrong.seen_range,
    ),
    Mistake(
        "the noisy mean is clipped",
        _release_clipped,
        "what does this clipping do to the releases' average? It protects nobody.",
        seen="a release may lie beyond lower and upper, none of yours does",
    ),
    *(
        dataclasses.replace(
            each,
            law=lambda p, each=each: _mixture(
                p, [(chance, each.law(p), mean(p, answers)) for chance, answers in outcomes(p)]
            ),
        )
        for each in noise_mistakes(_scale, "(upper - lower) / (chunks * epsilon)")
    ),
)


def _edges(p: dict) -> np.ndarray:
    if p["kind"] == "no labels":
        return edges_of(_law(p), scale=_scale(p))
    return laplace_edges() * _scale(p)


def _raise_unless_function_is_used(positional: tuple, keywords: dict) -> None:
    """Raise BadAnswer if the function was never called, or called without rows."""
    with_rows, without_rows = positional[1].calls
    if without_rows:
        raise called_without_rows()
    if not with_rows:
        raise BadAnswer(
            "the function is never called",
            seen="each chunk's answer should be the function's",
            ask="does your code find the rows of a chunk? Rows and labels belong together by their "
            "place, whatever their index.",
        )


def _read(answer, parameters: dict) -> float:
    if parameters["kind"] == "not a number" and isinstance(answer, float) and math.isnan(answer):
        raise BadAnswer(
            "one chunk's NaN makes the whole release NaN",
            seen="the function gave NaN on one chunk, and a number on the others",
            ask=_NAN,
        )
    return as_number(answer)


_RELEASE = AdditiveClaim(
    about=(
        "Check `sample_and_aggregate(values, function, *, chunks, lower, upper, epsilon,\n"
        "labels=None, salt=0)`: the noisy mean of a function's clipped answers on chunks.\n\n"
        "Values are an array or a Series; all rows of a label are in one chunk; without\n"
        "labels each row draws its chunk; NaN and empty chunks count as the middle."
    ),
    established="the mean of clipped answers, with the noise that one changed answer asks for",
    law_name="Laplace",
    parameters=draw_settings,
    designed=designed_settings,
    arguments=arguments,
    read=_read,
    exact=lambda p: p["exact"],
    scale=_scale,
    law_at=_law,
    edges=_edges,
    mistakes=_MISTAKES,
    situation=situation,
    inspect=_raise_unless_function_is_used,
)

CLAIM = SeveralClaims(
    name=_RELEASE.name,
    about=_RELEASE.about,
    established=_RELEASE.established,
    parts=(_RELEASE, PARTITION),
)
