"""Which chapters students get: course/chapters.txt, and what follows from it for their pages."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from nbformat import NotebookNode

from autograder.authoring.pair import BuildError
from autograder.marked_cells import mark_on

_POINTS = re.compile(r"^In all: .*$", re.MULTILINE)
_ROW = re.compile(r"^\| \[\d\d (.+?)\]\((?:\w+/)?(\w+)\.md\)(.*)$")


def handed_out(root: Path, names: Sequence[str]) -> list[str]:
    """Return the names that course/chapters.txt lists, or all where there is no such file.

    Args:
      root: the project's folder.
      names: of all chapters and pages that have a text.

    Raises:
      BuildError: the list names a chapter that has no text, or nothing.
    """
    path = _path(root)
    if not path.exists():
        return list(names)
    listed = _listed(path)
    for name in listed:
        if name not in names:
            raise BuildError(f"{path}: there is no text of a chapter {name!r} in course/")
    if not listed:
        raise BuildError(f"{path} lists no chapter")
    return [name for name in names if name in listed]


def in_course(root: Path, names: Iterable[str]) -> list[str]:
    """Return those of some names that course/chapters.txt does not leave out, by name.

    Exams, and other courses' assignments, have no text in course/: no list leaves them out.
    """
    path = _path(root)
    listed = _listed(path) if path.exists() else None
    texts = {each.stem for each in path.parent.glob("[0-9]*")} if listed is not None else set()
    return sorted(name for name in names if name not in texts or name in listed)


def _listed(path: Path) -> list[str]:
    lines = [line.partition("#")[0].strip() for line in path.read_text("utf-8").splitlines()]
    return [line for line in lines if line]


def add(root: Path, name: str) -> list[Path]:
    """Add a new chapter at its place in the list; return the file, if there is one."""
    path = _path(root)
    if not path.exists():
        return []
    lines = path.read_text("utf-8").splitlines()
    later = [place for place, line in enumerate(lines) if re.match(r"#? *\d\d_", line)]
    later = [place for place in later if lines[place].lstrip("# ") > name] or [len(lines)]
    lines.insert(later[0], name)
    path.write_text("\n".join(lines) + "\n", "utf-8", newline="\n")
    return [path]


def _path(root: Path) -> Path:
    return root / "course" / "chapters.txt"


def without(notebook: NotebookNode, left_out: Collection[str]) -> bool:
    """Take what leads to chapters that students do not get out of a notebook; say if it changed.

    A page's rows about them go. In other text, a link becomes its words.
    """
    changed = False
    is_page = not any("nbgrader" in cell.metadata for cell in notebook.cells)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            text = _without_rows(cell.source, left_out) if is_page else cell.source
            text = _without_links(text, left_out)
            changed = changed or text != cell.source
            cell.source = text
    return changed


def _without_rows(text: str, left_out: Collection[str]) -> str:
    numbers = {name[:2] for name in left_out}
    kept = []
    for line in text.splitlines():
        row = re.match(r"\| (\d\d) |\d+\. \[.*\]\(\.\./(\d\d)_", line)
        if not (row and (row[1] or row[2]) in numbers):
            kept.append(line)
    if len(kept) == len(text.splitlines()):
        return text
    # Markdown numbers a list from its first line on: chapter 16 would be shown as 15.
    return "\n".join(re.sub(r"^(\d+)\. (?=\[.*\]\(\.\./\d\d_)", r"- \1 ", line) for line in kept)


def _without_links(text: str, left_out: Collection[str]) -> str:
    for name in left_out:
        text = re.sub(rf"\[([^\]]+)\]\(\.\./{name}/{name}\.ipynb\)", r"\1", text)
    return text


def syllabus(text: str, chapters: Mapping[str, NotebookNode], given: Collection[str]) -> str:
    """Return the syllabus of these chapters, for students.

    Args:
      text: course/README.md.
      chapters: the instructor's notebooks of the chapters that students get, by name.
      given: those that lie beside the syllabus: the others have no link.
    """
    lines = []
    for line in text.splitlines():
        row = _ROW.match(line)
        if not row:
            lines.append(line)
        elif row[2] in chapters:
            title = f"{row[2][:2]} {row[1]}"
            place = f"chapters/{row[2]}/{row[2]}.ipynb"
            lines.append(
                f"| [{title}]({place}){row[3]}" if row[2] in given else f"| {title}{row[3]}"
            )
    return _POINTS.sub(_points(chapters.values()), "\n".join(lines)) + "\n"


def _points(notebooks: Collection[NotebookNode]) -> str:
    marks = [mark_on(cell) for each in notebooks for cell in each.cells]
    graded = [mark for mark in marks if mark.get("grade")]
    by_hand = sum(mark["points"] for mark in graded if mark["solution"])
    total = sum(mark["points"] for mark in graded)
    return f"In all: {total:g} points, {by_hand:g} of them given by a person."


def glossary(text: str, chapters: Collection[str]) -> str:
    """Return the glossary of these chapters: docs/glossary.md without the rows of others."""
    numbers = {name[:2] for name in chapters}
    rows = ((line, re.match(r"\| (\d\d) \|", line)) for line in text.splitlines())
    return "\n".join(line for line, row in rows if not row or row[1] in numbers) + "\n"
