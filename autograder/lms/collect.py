"""`autograder collect`: from the zip of Canvas or Moodle to submitted/, with times."""

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePosixPath

from autograder.course_folders.course import Course, GradingError
from autograder.course_folders.known_chapters import strange
from autograder.files import write_all, write_whole
from autograder.gradebook_io.grades import ListedStudent, students_of
from autograder.lms.archive import entries
from autograder.lms.file_names import Sent, sender, sent
from autograder.lms.hand_in_times import Times, due_date, zone_of
from autograder.lms.handed_in import HandedIn, Understood, understood
from autograder.lms.replaced import Standing, digest, standing
from autograder.lms.which_notebook import chapter_of
from autograder.printable import counted, cut


@dataclass(frozen=True)
class Collection:
    """What a zip holds for a chapter, before it is written.

    Attributes:
      lines: by student, what was understood, in words.
      called: by student, how the lines call them.
      refused: what is not taken, and the mend.
      nothing: students of the class list who sent nothing.
      note: what to know of the times.
      standings: by student, what becomes of the work, and of other work that is there.
      write: writes it to submitted/STUDENT/CHAPTER/, and returns whose other work stays there.
      failed: by student, why the work could not be written; known when `write` has returned.
    """

    chapter: str
    handed_in: tuple[HandedIn, ...]
    lines: dict[str, str]
    called: dict[str, str]
    refused: tuple[str, ...]
    nothing: tuple[str, ...]
    note: str
    standings: Mapping[str, Standing]
    write: Callable[[], list[str]]
    failed: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        width = max((len(self.called[student]) for student in self.lines), default=0)
        rows = [f"{self.chapter}, from {counted(len(self.lines), 'student')}:"]
        rows += [
            f"  {self.called[student]:<{width}}  {cut(words, 300)}"
            for student, words in self.lines.items()
        ]
        rows += [self.note] if self.note else []
        rows += ["Not taken:", *(f"  {cut(each, 400)}" for each in self.refused)] * bool(
            self.refused
        )
        missing = ", ".join(self.called[student] for student in self.nothing)
        rows += [f"Nothing from: {missing}"] * bool(missing)
        return "\n".join(rows)


def collect(
    system: str,
    path: Path,
    *,
    root: Path,
    chapter: str | None = None,
    timezone: str | None = None,
    whose: Mapping[str, str] | None = None,
    replace: Sequence[str] = (),
) -> Collection:
    """Read the zip of all submissions; they can then be written to submitted/STUDENT/CHAPTER/.

    What was there is then kept in submitted/.before/, unless it is the same. It is replaced only by
    what is known to be newer, by the times or by the numbers that Canvas gives to files.

    Args:
      system: "canvas" or "moodle".
      path: the zip, or the folder into which it was unpacked.
      root: the course's folder.
      chapter: None takes the one that most notebooks are called after.
      timezone: of the times in the zip, as "Europe/Oslo"; None takes this machine's.
      whose: by the system's number in a file's name, the student who sent it.
      replace: the students whose work is taken also where it is not known which is newer.

    Raises:
      Problem: the zip cannot be read, there is no class list, it or the zip lacks someone of
        `whose` or `replace`, or the chapter is not clear.
    """
    course = Course(root)
    zone = zone_of(timezone)
    files = entries(path, lambda parts: sender(system, parts))
    with course.environment():
        students = _class_list(course)
        called = {each.id: each.called for each in students}
        if unknown := sorted(set((whose or {}).values()) - called.keys()):
            raise GradingError(f"{', '.join(unknown)} stands in no class list, as --whose names it")
        pieces = [piece for piece in (sent(system, entry) for entry in files) if piece]
        if not pieces and chapter is None:
            words = f"no file in {path} is named as {system.capitalize()} names it"
            raise GradingError(f"{words}: is it another system's zip?")
        _refuse_unused(pieces, whose or {})
        chapter, notebooks = chapter_of(course, chapter, (piece.path[-1] for piece in pieces))
        came = understood(system, files, students, notebooks, whose or {})
        _refuse_nobody(came.handed_in, replace)
        times = Times(system, due_date(course, chapter), zone, came.handed_in)
        return _collection(course, system, chapter, came, times, called, replace)


def _collection(
    course: Course,
    system: str,
    chapter: str,
    came: Understood,
    times: Times,
    called: dict[str, str],
    replace: Sequence[str],
) -> Collection:
    record = collected(course, chapter)
    taken: list[HandedIn] = []
    refused, stand, lines = list(came.refused), {}, {}
    for each in came.handed_in:
        student = each.student
        try:
            stand[student] = _standing(course, chapter, each, times, record, replace)
            lines[student] = _line(course, chapter, each, times, stand[student])
            taken.append(each)
        except Exception as error:  # whatever one student's files do, the others' are taken
            words = f"cannot be understood ({type(error).__name__}: {error}): ask for it again"
            refused.append(f"{called[student]}: what was sent {words}")
    found = Collection(
        chapter,
        tuple(taken),
        lines,
        called,
        tuple(refused),
        tuple(sorted(called.keys() - came.heard_of)),
        times.note,
        stand,
        lambda: _write(course, system, found),
    )
    return found


def _line(course: Course, chapter: str, handed_in: HandedIn, times: Times, stand: Standing) -> str:
    """Return what was understood of a student's work, and what becomes of it, in words."""
    words = [times.of(handed_in)[1], stand.words, *handed_in.notes]
    for file, content in handed_in.files.items():
        path = PurePosixPath(file)
        said = strange(course, chapter, path.stem, content) if path.suffix == ".ipynb" else ""
        words += [f"{file} {said}: ask for it again"] if said else []
    return "; ".join(filter(None, words))


def _standing(
    course: Course,
    chapter: str,
    handed_in: HandedIn,
    times: Times,
    record: Mapping[str, dict],
    replace: Sequence[str],
) -> Standing:
    folder = course.folder("submitted", handed_in.student, chapter)
    noted = record.get(handed_in.student, {})
    return standing(folder, handed_in, times.of(handed_in)[0], noted, replace)


def collected(course: Course, chapter: str) -> dict[str, dict]:
    """Return by student how the names of files begin that go back, and to which system."""
    try:
        return json.loads(_record(course, chapter).read_text("utf-8"))
    except (OSError, ValueError):
        return {}


def _refuse_unused(pieces: Sequence[Sent], whose: Mapping[str, str]) -> None:
    """Raise GradingError for a number of `whose` that no file bears: it was typed wrong."""
    unused = sorted(whose.keys() - {piece.number for piece in pieces})
    if unused:
        raise GradingError(f"no file bears the number {', '.join(unused)}, as --whose names it")


def _refuse_nobody(handed_in: Sequence[HandedIn], replace: Sequence[str]) -> None:
    """Raise GradingError for a student of `replace` of whom nothing came."""
    nobody = sorted(set(replace) - {each.student for each in handed_in})
    if nobody:
        raise GradingError(f"nothing came from {', '.join(nobody)}, as --replace names it")


def _class_list(course: Course) -> tuple[ListedStudent, ...]:
    students: tuple[ListedStudent, ...] = ()
    if course.has_gradebook():
        with course.gradebook() as gradebook:
            students = students_of(gradebook)
    if not students:
        raise GradingError("there is no class list to match names with: autograder roster FILE.csv")
    return students


def _write(course: Course, system: str, found: Collection) -> list[str]:
    """Write all submissions, each in its place by one rename; return whose other work stays."""
    top = course.root / course.app.coursedir.submitted_directory
    before = top / ".before" / f"{datetime.now():%Y-%m-%d_%H%M%S}"
    record = collected(course, found.chapter)
    for each in found.handed_in:
        final = course.folder("submitted", each.student, found.chapter)
        stand = found.standings[each.student]
        mark = {"system": system, "prefix": each.newest.prefix}
        if not stand.stays:
            mark |= {"order": each.newest.order, "digest": digest(stand.files)}
        if stand.write:
            staged = top / ".collecting" / each.student
            try:
                _put(stand.files, final, staged=staged, before=before / each.student)
            except (OSError, ValueError) as error:
                found.failed[each.student] = str(error)
                continue
        record[each.student] = {**record.get(each.student, {}), **mark}
    shutil.rmtree(top / ".collecting", ignore_errors=True)
    _record(course, found.chapter).parent.mkdir(parents=True, exist_ok=True)
    write_whole(_record(course, found.chapter), json.dumps(record, indent=1).encode())
    return [student for student, stand in found.standings.items() if stand.stays]


def _put(files: Mapping[str, bytes], final: Path, *, staged: Path, before: Path) -> None:
    """Put files in their place by one rename; keep what was there."""
    shutil.rmtree(staged, ignore_errors=True)
    write_all(staged, files)
    if final.exists():
        before.mkdir(parents=True, exist_ok=True)
        final.rename(before / final.name)
    final.parent.mkdir(parents=True, exist_ok=True)
    staged.rename(final)


def _record(course: Course, chapter: str) -> Path:
    top = course.root / course.app.coursedir.submitted_directory
    return top / ".collected" / f"{chapter}.json"
