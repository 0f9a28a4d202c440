"""What a reader sees of a chapter, and what becomes of the points that a reader gives."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from autograder.course_folders.course import Course
from autograder.nbgrader.by_hand import renew_penalties
from autograder.problem import Problem
from autograder.reading.answers_to_read import AnswerToRead, ClassAnswers, RecordedPoints, by_key
from autograder.reading.readings import (
    ELSEWHERE,
    GivenPoints,
    Reading,
    ReadingLog,
    merged,
    standing,
)
from autograder.reading.rendered_answer import text_html
from autograder.reading.rubric import rubric

Place = tuple[str, str, str]  # student, notebook, cell
_LONGEST = 20_000  # characters of a comment
_NAME = 100  # characters of a reader's name


class NotTakenError(Problem):
    """Points that are not written; the message says why, and what to do."""


class Desk:
    """The reading of one chapter. Its methods read files and gradebook anew, as others write there.

    Raises:
      GradingError: nothing of the chapter is graded, or it has nothing to read.
    """

    def __init__(self, course: Course, chapter: str):
        self._course, self.chapter = course, chapter
        self._answers, self._log = ClassAnswers(course, chapter), ReadingLog(course, chapter)

    def questions(self) -> list[dict[str, Any]]:
        """Return the questions, each with its rubric, as HTML."""
        found = []
        for each in self._answers.questions:
            parts = rubric(each.rubric, each.most)
            where = {"cells": each.cells, "folder": each.folder}
            items = [{"points": i.points, "html": text_html(i.text, **where)} for i in parts.items]
            texts = {"asked": text_html(each.asked, **where)}
            texts["model"] = text_html(parts.model, **where)
            found.append({"cell": each.cell, "most": each.most, "items": items, **texts})
        return found

    def state(self, reader: str) -> dict[str, Any]:
        """Return where the reading stands, as `reader` may see it.

        Of an answer that this reader has not read, what others gave stays untold.
        """
        readings, recorded = self._readings(), self._answers.recorded()
        asked = enumerate(self._answers.questions)
        order = {(question.notebook, question.cell): place for place, question in asked}
        answers, by_reader = [], Counter()
        for each in self._answers.all():
            if each.answer not in recorded:
                continue
            those, points = readings[each.answer], recorded[each.answer]
            stands = standing(those, each.work)
            by_reader.update(name for name in stands.given if name != ELSEWHERE)
            told = _told(stands, points, _elsewhere(those, points), reader)
            told |= {"key": each.key, "work": each.work, "question": order[each.answer[1:]]}
            answers.append(told)
        comments = _comments(readings, recorded, order)
        return {"answers": answers, "comments": comments, "readers": dict(by_reader)}

    def html(self, key: str) -> str:
        """Return an answer as HTML.

        Raises:
          NotTakenError: there is no such answer.
        """
        return self._answer(key).html()

    def names(self) -> dict[str, str]:
        """Return whose each answer is, by its key."""
        return self._answers.names()

    def take(self, given: Mapping[str, Any]) -> None:
        """Write a reader's points and comment into the log, and into the gradebook.

        Args:
          given: key, work, sent, reader, points, comment, halves, decides, and in `saw` what the
            page showed of points that came by Formgrader or a table. What was taken already is
            written once more and counts once.

        Raises:
          NotTakenError: it does not fit the answer as it is now.
        """
        answer = self._answer(str(given.get("key")))
        with self._log.alone():
            readings = self._readings()[answer.answer]
            known = [each for each in readings if each.sent == given.get("sent")]
            if known:
                if known[0] is readings[-1]:
                    self._keep(known[0], standing(readings, answer.work).differ)
                return
            recorded = self._answers.recorded().get(answer.answer)
            if recorded is None:
                raise NotTakenError("the gradebook has no such answer any more")
            made = _reading(given, answer, self._most(answer))
            other = _unseen(given, made, _elsewhere(readings, recorded))
            if other:
                self._log.add(other)
            stands = standing([*readings, *filter(None, [other])], answer.work).with_reading(made)
            made = replace(made, kept=_kept(stands, recorded, made))
            self._log.add(made)
            self._keep(made, stands.differ)

    def close(self) -> None:
        """Take late penalties anew: points that were given now must not escape them."""
        renew_penalties(self._course, self.chapter)

    def _readings(self) -> defaultdict[Place, list[Reading]]:
        found = defaultdict(list)
        for each in self._log.read():
            found[each.answer].append(each)
        return found

    def _answer(self, key: str) -> AnswerToRead:
        found = by_key(self._answers.all()).get(key)
        if found is None:
            raise NotTakenError("there is no such answer any more")
        return found

    def _most(self, answer: AnswerToRead) -> float:
        cells = [(each.notebook, each.cell, each.most) for each in self._answers.questions]
        return next(most for *which, most in cells if which == [answer.notebook, answer.cell])

    def _keep(self, reading: Reading, differ: bool) -> None:
        student, notebook, cell = reading.answer
        which = (cell, notebook, self.chapter, student)
        with self._course.gradebook() as gradebook:
            grade, comment = gradebook.find_grade(*which), gradebook.find_comment(*which)
            grade.manual_score, said = reading.kept
            grade.needs_manual_grade = differ
            if (comment.manual_comment or "") != said:
                comment.manual_comment = said
            gradebook.db.commit()


def _elsewhere(readings: Sequence[Reading], recorded: RecordedPoints) -> dict[str, Any] | None:
    """Return the gradebook's points and comment where they are not the last reader's."""
    points, comment = readings[-1].kept if readings else (None, "")
    if (recorded.score, recorded.comment) == (points, comment):
        return None
    return {"points": recorded.score, "comment": recorded.comment}


def _told(
    stands: GivenPoints, recorded: RecordedPoints, elsewhere: dict | None, reader: str
) -> dict[str, Any]:
    """Return what is told to a reader of one answer."""
    mine = stands.given.get(reader)
    others = [each for name, each in stands.given.items() if name != reader]
    untouched = recorded.score is None and not stands.given
    if recorded.asks:
        state = "differ" if stands.differ else "waits" if recorded.score is None else "again"
    else:
        state = "blank" if untouched else "read"
    return {
        "state": state,
        "readBy": [each.reader for each in others if each.reader != ELSEWHERE],
        "mine": _plain(mine) if mine else None,
        "others": [_plain(each) for each in others] if mine else [],
        "before": stands.before.points if stands.before and not stands.given else None,
        "elsewhere": elsewhere,
        "score": recorded.score if mine or elsewhere else None,
    }


def _plain(reading: Reading) -> dict[str, Any]:
    return {
        "reader": reading.reader,
        "points": reading.points,
        "halves": list(reading.halves),
        "comment": reading.comment,
    }


def _comments(
    readings: Mapping[Place, Sequence[Reading]],
    recorded: Mapping[Place, RecordedPoints],
    order: Mapping[tuple[str, str], int],
) -> list[dict[str, Any]]:
    """Return the comments that were written to each question, the most used first."""
    used: Counter[tuple[int, str]] = Counter()
    for place, points in recorded.items():
        if place[1:] not in order:
            continue
        said = {each.comment for each in readings.get(place, ()) if each.comment}
        said = said or ({points.comment} - {""})
        used.update((order[place[1:]], each) for each in said)
    return [
        {"question": question, "text": text, "times": times}
        for (question, text), times in used.most_common()
    ]


def _reading(given: Mapping[str, Any], answer: AnswerToRead, most: float) -> Reading:
    """Return what a page has sent as a reading.

    Raises:
      NotTakenError: something of it is wrong.
    """
    if given.get("work") != answer.work:
        raise NotTakenError("the answer has changed since: load the page again, and read it")
    reader, sent = str(given.get("reader") or "").strip(), str(given.get("sent") or "")
    if not reader or len(reader) > _NAME or not sent or len(sent) > _NAME:
        raise NotTakenError("say who reads, in at most 100 letters")
    points, comment = given.get("points"), given.get("comment", "")
    number = isinstance(points, int | float) and not isinstance(points, bool)
    if not number or not math.isfinite(points) or not 0 <= points <= most:
        raise NotTakenError(f"{points} points for {answer.cell}, of {most:g}")
    if not isinstance(comment, str) or len(comment) > _LONGEST:
        raise NotTakenError(f"a comment has at most {_LONGEST:,} characters")
    halves = _whole_numbers(given.get("halves") or [])
    time = datetime.now(UTC).isoformat(timespec="seconds")
    decides = given.get("decides") is True
    words = comment.encode("utf-8", "replace").decode().strip()
    who = (sent, reader, *answer.answer, answer.work)
    return Reading(*who, float(points), words, halves, decides, time)


def _whole_numbers(given: Iterable) -> tuple[int, ...]:
    if not isinstance(given, list) or any(each not in (0, 1, 2) for each in given):
        raise NotTakenError("the items of the rubric are given by halves: 0, 1 or 2 of each")
    return tuple(map(int, given))


def _unseen(
    given: Mapping[str, Any], made: Reading, elsewhere: dict[str, Any] | None
) -> Reading | None:
    """Return points that came by Formgrader or a table while the page did not show them."""
    if elsewhere is None or elsewhere["points"] is None or given.get("saw") == elsewhere:
        return None
    kept = (elsewhere["points"], elsewhere["comment"])
    return replace(
        made, sent=f"before {made.sent}", reader=ELSEWHERE, points=kept[0], comment=kept[1],
        halves=(), decides=False, kept=kept,
    )  # fmt: skip


def _kept(stands: GivenPoints, recorded: RecordedPoints, made: Reading) -> tuple[float, str]:
    """Return the score and the comment for the gradebook: of readers who differ, the first's."""
    if stands.differ:
        first = next(iter(stands.given.values()))
        score = first.points if recorded.score is None else recorded.score
        return score, recorded.comment
    return made.points, merged([each.comment for each in stands.given.values()])
