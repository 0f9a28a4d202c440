"""What each student handed in for a chapter, out of the files of a zip, and what is refused."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from autograder.course_folders.known_chapters import cells_of, damage, without_mark
from autograder.course_folders.submitted_notebook import encoding
from autograder.gradebook_io.grades import ListedStudent
from autograder.lms.archive import Entry, Quota, inner
from autograder.lms.file_names import Sent, owner, sent
from autograder.lms.which_notebook import plain_stem
from autograder.printable import cut
from autograder.problem import Problem

_NOTEBOOK = ".ipynb"
STAMP = "timestamp.txt"  # when it was handed in: written beside the files


@dataclass
class HandedIn:
    """One student's submission.

    Attributes:
      student: its folder's name.
      newest: the newest file of it, by which it is returned.
      files: by path in the student's folder.
      notes: what was understood, in words.
    """

    student: str
    newest: Sent
    files: dict[str, bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Understood:
    """What a zip holds.

    Attributes:
      handed_in: by student.
      refused: why the rest is refused.
      heard_of: the students of whom something came, or may have come.
    """

    handed_in: list[HandedIn]
    refused: list[str]
    heard_of: set[str]


def understood(
    system: str,
    entries: Iterable[Entry],
    students: Sequence[ListedStudent],
    notebooks: Mapping[str, set[str]],
    whose: Mapping[str, str],
) -> Understood:
    """Return what was handed in, by student, and why the rest is refused.

    Args:
      notebooks: the chapter's, by name, with the names of their cells.
      whose: by the system's number, the students whom the instructor has named.
    """
    theirs: dict[str, list[Sent]] = {}
    quotas: dict[str, Quota] = {}
    heard_of: set[str] = set()
    called = {each.id: each.called for each in students}
    refused: dict[str, None] = {}
    for entry in entries:
        piece = sent(system, entry)
        if piece is None:
            words = f"is not named as {system.capitalize()} names it: is it another system's zip?"
            refused[f"{'/'.join(entry.parts)} {words}"] = None
            continue
        owners, why = owner(system, piece, students, whose)
        heard_of.update(owners)
        if why:
            refused[f"{piece.name} ({piece.number}): {why}"] = None
            continue
        files, wrong = _unpacked(piece, quotas.setdefault(owners[0], Quota()))
        if wrong:
            refused[f"{called[owners[0]]}: {'/'.join(piece.path)}: {wrong}"] = None
        else:
            theirs.setdefault(owners[0], []).extend(files)
    found = []
    for student, pieces in sorted(theirs.items()):
        made, why = _of_student_or_why_not(student, pieces, notebooks)
        found += [made] if made else []
        refused |= dict.fromkeys([f"{called[student]}: {why}"] if why else [])
    return Understood(found, list(refused), heard_of)


def _of_student_or_why_not(
    student: str, pieces: Sequence[Sent], notebooks: Mapping[str, set[str]]
) -> tuple[HandedIn | None, str]:
    """Do as `_of_student`: whatever one student's files do, the others' are taken."""
    try:
        return _of_student(student, pieces, notebooks)
    except Exception as error:
        return None, f"what was sent cannot be read ({type(error).__name__}: {error})"


def _unpacked(piece: Sent, quota: Quota) -> tuple[list[Sent], str]:
    """Return a file, or the files in it if it is a zip; and why it is not taken, or ""."""
    if piece.entry.wrong or not piece.path[-1].lower().endswith(".zip"):
        return [piece], piece.entry.wrong
    try:
        files = inner(piece.entry, quota)
    except Problem as problem:
        return [], str(problem)
    if refused := [each for each in files if each.wrong]:
        return [], f"{cut('/'.join(refused[0].parts), 100)}: {refused[0].wrong}"
    parts = [(each, (*piece.path[:-1], *each.parts)) for each in files]
    time = piece.entry.time  # of sending, not of the file in it
    found = [replace(piece, path=path, entry=replace(each, time=time)) for each, path in parts]
    return found or [piece], ""


def _of_student(
    student: str, pieces: Sequence[Sent], notebooks: Mapping[str, set[str]]
) -> tuple[HandedIn | None, str]:
    """Return a student's submission, or None and why there is none."""
    candidates: dict[str, list[Sent]] = {}
    others = []
    for piece in pieces:
        name = _notebook(piece, notebooks)
        if name:
            candidates.setdefault(name, []).append(piece)
        elif not piece.path[-1].endswith(_NOTEBOOK):
            others.append(piece)
    if not candidates:
        there = ", ".join(sorted({piece.path[-1] for piece in pieces}))
        wanted = " or ".join(f"{name}.ipynb" for name in notebooks)
        return None, f"no notebook {wanted} (found {there}): ask for it"
    newest = {name: max(each, key=_age) for name, each in candidates.items()}
    made = HandedIn(student, max(newest.values(), key=_age))
    for name, piece in newest.items():
        made.files[name + _NOTEBOOK] = without_mark(piece.entry.content or b"")
        made.notes += _words(name, piece, candidates[name])
    folder = made.newest.path[:-1]
    for piece in sorted(others, key=_age):
        made.files["/".join(_beside(piece.path, folder))] = piece.entry.content or b""
    if clash := _both(made.files):
        return None, f"{clash} is both a file and a folder: ask for it again"
    helpers = [name for name in made.files if not name.endswith(_NOTEBOOK)]
    made.notes += [f"with {', '.join(helpers)}"] if helpers else []
    return made, ""


def _both(files: Iterable[str]) -> str:
    """Return a path that is a file and a folder too; "" if none is."""
    taken = {*files, STAMP}
    folders = {str(folder) for name in taken for folder in PurePosixPath(name).parents}
    return min(taken & folders, default="")


def _notebook(piece: Sent, notebooks: Mapping[str, set[str]]) -> str:
    """Return the name of the chapter's notebook that a file is, or ""."""
    file = PurePosixPath(piece.path[-1])
    if file.suffix.lower() != _NOTEBOOK:
        return ""
    stem = plain_stem(file.name)
    by_name = [name for name in notebooks if name.casefold() == stem]
    if by_name:
        return by_name[0]
    cells = cells_of(piece.entry.content or b"")
    shared = {name: len(cells & own) / max(len(own), 1) for name, own in notebooks.items()}
    likely = max(shared, key=shared.__getitem__)
    return likely if shared[likely] > 1 / 2 else ""


def _age(piece: Sent) -> tuple:
    """Return a sort key: later sent, later sorted. Canvas numbers files, browsers number names."""
    return piece.order, piece.entry.time, len(piece.path[-1]), piece.path[-1]


def _words(name: str, piece: Sent, candidates: Sequence[Sent]) -> list[str]:
    """Return what was understood of the names and the bytes of one notebook."""
    said = []
    own, given = f"{name}{_NOTEBOOK}", "/".join(piece.path)
    if given != own:
        said.append(f"was {given}")
    older = sorted({"/".join(each.path) for each in candidates if each is not piece})
    if older:
        said.append(f"the newest of {len(candidates)} counts, not {', '.join(older)}")
    plain = without_mark(piece.entry.content or b"")
    if piece.entry.content != plain:
        said.append("its byte order mark was taken off")
    wrong = "is empty" if not piece.entry.content else encoding(plain) or damage(plain)
    return [*said, f"it {wrong}: ask for it again"] if wrong else said


def _beside(path: tuple[str, ...], folder: tuple[str, ...]) -> tuple[str, ...]:
    """Return a helper file's path, seen from the notebook's folder."""
    inside = path[: len(folder)] == folder
    return path[len(folder) :] if inside else path
