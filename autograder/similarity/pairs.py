"""Pairs of students whose answers are alike, by copydetect's fingerprints.

Left out of the comparison: what everybody was given, and what many have written, as there are only
so many ways to write a short function (Schleimer, Wilkerson & Aiken, "Winnowing", 2003).
"""

import io
import itertools
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from copydetect import CodeFingerprint, compare_files

from autograder.course_folders.course import Course, GradingError
from autograder.similarity.alike_words import alike_in_words
from autograder.similarity.found import AlikePair, Similar, file_of
from autograder.similarity.own_code import Answers, answers, with_earlier

_GRAM, _WINDOW = 20, 4  # signs that a fingerprint is of, fingerprints of which one is kept
# Code in this share of the answers, and in those of so many students, is ignored.
_MANY, _FEWEST = 0.2, 3
_SHARE, _SIGNS = 0.3, 50  # of the answers' own text, and of it at least so many signs
_LINES = 12


def similar(
    chapter: str, *, root: Path, export: Path | None = None, earlier: Sequence[Path] = ()
) -> Similar:
    """Compare everybody's answers to a chapter; write reports/.similar_CHAPTER.json.

    Args:
      chapter: the assignment's name.
      root: the course's folder.
      export: a folder to write everybody's answers to, for JPlag or Dolos.
      earlier: folders of earlier terms, to compare with as well.

    Raises:
      GradingError: fewer than two students handed in, or the folder is not empty.
    """
    course = Course(root)
    with course.environment():
        given = answers(course, chapter)
    own = {course.root.resolve(), (course.root / "submitted").resolve()}
    if own & {each.resolve() for each in earlier}:
        raise GradingError(f"{course.root} is this course: --with takes another one's folder")
    if len(given.students) < 2 - bool(earlier):
        raise GradingError(
            f"{len(given.students)} handed in {chapter}: there are no two to compare"
        )
    if export:
        _export(given, export)
    if earlier:
        given = with_earlier(given, chapter, earlier)
    found = compared(given)
    path = file_of(course, chapter)
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(asdict(found)), "utf-8")
    return found


def compared(given: Answers) -> Similar:
    """Compare everybody with everybody, but for two of earlier terms."""
    # Two cells without an answer, one below the other, are no text that somebody wrote.
    texts = (given.given, given.unanswered)
    template = {each for text in texts for each in _print("given", text).hashes}
    first = {name: _print(name, text) for name, text in given.students.items()}
    having = Counter(each for found in first.values() for each in set(found.hashes))
    many = max(_FEWEST, _MANY * len(first))
    known = list(template | {each for each, number in having.items() if number >= many})
    prints = {name: _print(name, text, known) for name, text in given.students.items()}
    pairs = [
        _pair(prints[one], prints[other])
        for one, other in itertools.combinations(prints, 2)
        if not {one, other} <= given.earlier
    ]
    close = [pair for pair in pairs if pair]
    close += alike_in_words(given.words, "\n\n".join(given.given_words), given.earlier)
    close.sort(key=lambda pair: -pair.share)
    students = (first.keys() | given.words.keys()) - given.earlier
    return Similar(len(students), tuple(close), given.unread, len(given.earlier))


def _print(name: str, text: str, boilerplate: list | None = None) -> CodeFingerprint:
    return CodeFingerprint(
        f"{name}.py", _GRAM, _WINDOW, boilerplate, language="python", fp=io.StringIO(text)
    )


def _pair(one: CodeFingerprint, other: CodeFingerprint) -> AlikePair | None:
    """Return two students with the part of their text that is alike; None if it is small."""
    if not len(one.hashes) or not len(other.hashes):
        return None
    shared = set(one.hashes) & set(other.hashes)
    signs, _, slices = compare_files(one, other)
    share = len(shared) / min(len(set(one.hashes)), len(set(other.hashes)))
    if share < _SHARE or signs < _SIGNS:
        return None
    excerpts = (_longest(one.raw_code, slices[0]), _longest(other.raw_code, slices[1]))
    return AlikePair(one.filename[:-3], other.filename[:-3], round(share, 3), excerpts)


def _longest(code: str, slices) -> str:
    """Return the longest of the slices, whole lines of it."""
    if not len(slices) or not len(slices[0]):
        return ""
    start, end = max(zip(*slices, strict=True), key=lambda each: each[1] - each[0])
    begin = code.rfind("\n", 0, int(start)) + 1
    return "\n".join(code[begin : int(end)].splitlines()[:_LINES])


def _export(given: Answers, folder: Path) -> None:
    """Write one folder a student, and what everybody was given, for other programs."""
    if folder.exists() and any(folder.iterdir()):
        raise GradingError(f"{folder} is not empty: name a new folder")
    (folder / "given").mkdir(parents=True)
    (folder / "given" / "given.py").write_text(given.given, "utf-8")
    for student, code in given.students.items():
        place = folder / "students" / student
        place.mkdir(parents=True)
        (place / "answers.py").write_text(code, "utf-8")
