"""A term of six students, from the class list to the returned pages, in commands.

In its middle an exercise comes, one goes, and points change. Their notebooks are as Colab and
VS Code write them, their names Hebrew, and with an emoji.
"""

import csv
import io
import json
import zipfile
from datetime import datetime

import nbformat
import pytest
import toy
import toy_course
from marks import mark, solved
from nbformat import NotebookNode

pytestmark = pytest.mark.long

CONFIG = toy.CONFIG.replace('"zero"', '"none"').replace("timeout = 3", "timeout = 60")
NUMBERS = {"noa": 701, "fox": 702, "cy": 703, "dee": 704, "eli": 705, "fay": 706}
NAMES = {"noa": "כהן, נועה", "fox": "Fuchs 🦊, Max", "cy": "Diaz, Cy", "dee": "O'Neil, Dee",
         "eli": "Ford, Eli", "fay": "Gray-Müller, Fay"}  # fmt: skip
WORDS = {name: f"Words of {name}." for name in NUMBERS}
QUESTION = "## In your own words\n\nWhat does a taxi ride tel?"


def exercise(name: str, value: int, points: int) -> str:
    answer = solved(f"def {name}():", f"return {value}")
    return (
        f"\n## About {name}\n"
        + toy_course.code_cell(name, answer, solution=True)
        + toy_course.code_cell(f"{name}_visible", f"assert {name}() == {value}", points=points)
    )


def written(question: str) -> str:
    made = json.dumps(mark("written", points=2, solution=True))
    return f"\n{question}\n\n+++ {made}\n\n*A model answer.*\n"


def text(*exercises: str, question: str = QUESTION) -> str:
    return toy_course.HEADER + "".join(exercises) + written(question)


TWO, HALF, THREE = exercise("two", 2, 3), exercise("half", 5, 1), exercise("three", 3, 4)


def answered(release: NotebookNode, student: str, **wrong: str) -> NotebookNode:
    """Return what a student hands in: right but for `wrong`, as their editor writes it."""
    notebook = nbformat.from_dict(json.loads(nbformat.writes(release)))
    right = {"two": 2, "half": 5, "three": 3}
    for cell in notebook.cells:
        name = toy.name(cell)
        if name in right:
            cell.source = f"def {name}():\n    return {wrong.get(name, right[name])}"
        elif name == "written":
            cell.source = WORDS[student]
    return EDITORS.get(student, lambda each: each)(notebook)


def colab(notebook: NotebookNode) -> NotebookNode:
    """Colab: an older format, its ids in the metadata of cells, and metadata of its own."""
    notebook.nbformat_minor = 0
    notebook.metadata |= {
        "colab": {"provenance": []},
        "kernelspec": {"name": "python3", "display_name": "Python 3"},
    }
    for number, cell in enumerate(notebook.cells):
        cell.metadata |= {"id": cell.pop("id"), "colab": {"base_uri": "x"}, "outputId": f"{number}"}
    return notebook


def vscode(notebook: NotebookNode) -> NotebookNode:
    notebook.metadata.pop("kernelspec", None)
    for number, cell in enumerate(notebook.cells):
        cell.id = f"vsc{number}"
        cell.metadata.vscode = {"languageId": "python"}
    return notebook


def split(notebook: NotebookNode) -> NotebookNode:
    """The answer in words is cut in two by JupyterLab's Split Cell."""
    first = toy.cell(notebook, "written")
    second = nbformat.from_dict(dict(first) | {"id": "second", "source": "And more of dee."})
    notebook.cells.insert(notebook.cells.index(first) + 1, second)
    return notebook


def replaced(notebook: NotebookNode) -> NotebookNode:
    """The cell for the words is deleted, and a new one stands in its place."""
    cell = toy.cell(notebook, "written")
    cell.metadata, cell.id = NotebookNode(), "new"
    return notebook


EDITORS = {"noa": colab, "fox": vscode, "dee": split, "eli": replaced}


def class_list() -> str:
    target = io.StringIO()
    rows = [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "01_toy (9001)"]]
    rows += [[NAMES[each], number, f"s{number}", each, "A", ""] for each, number in NUMBERS.items()]
    csv.writer(target).writerows(rows)
    return target.getvalue()


def zipped(works: dict[str, NotebookNode], *, first: int, late: frozenset[str]) -> bytes:
    """Return Canvas's zip: each file has its number, the newer the higher."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for order, (student, notebook) in enumerate(works.items(), start=first):
            mark_of_late = "_LATE" if student in late else ""
            name = f"{student}{mark_of_late}_{NUMBERS[student]}_{order}_01_toy.ipynb"
            time = datetime(2027, 3, 2).timetuple()[:6]
            archive.writestr(zipfile.ZipInfo(name, time), json.dumps(notebook))
    return target.getvalue()


class Term:
    """The course and its commands."""

    def __init__(self, root, capsys):
        self.root, self._capsys = root, capsys
        toy_course.make(root)
        (root / "nbgrader_config.py").write_text(CONFIG)
        (root / "list.csv").write_text(class_list(), "utf-8")

    def run(self, *words: str, status: int = 0) -> str:
        assert toy.run(self.root, *words) == status, self._capsys.readouterr()
        return " ".join(self._capsys.readouterr().out.split())

    def build(self, chapter: str) -> str:
        toy_course.write(self.root, chapter)
        return self.run("build")

    def release(self) -> NotebookNode:
        return nbformat.read(toy_course.notebook(self.root, "release"), as_version=4)

    def collect(self, works: dict[str, NotebookNode], first: int, *late: str) -> str:
        (self.root / "work.zip").write_bytes(zipped(works, first=first, late=frozenset(late)))
        return self.run("collect", "canvas", str(self.root / "work.zip"), "--yes")

    def read(self, points: dict[str, float]) -> str:
        """Fill in the table of answers in words; return the page beside it."""
        self.run("read", toy.CHAPTER, "--table")
        table = self.root / "reports" / f"{toy.CHAPTER}-reading.csv"
        rows = list(csv.DictReader(io.StringIO(table.read_text("utf-8-sig"))))
        filled = io.StringIO()
        writer = csv.DictWriter(filled, rows[0])
        writer.writeheader()
        for row in rows:
            writer.writerow(row | {"points": points.get(row["student"], row["points"])})
        table.write_text(filled.getvalue(), "utf-8")
        self.run("read", toy.CHAPTER, "--points", str(table))
        return table.with_suffix(".html").read_text("utf-8")

    def exported(self) -> dict[str, float]:
        """Return the scores in Canvas's own column."""
        self.run("export", "canvas", "--output", str(self.root / "out.csv"))
        rows = csv.DictReader((self.root / "out.csv").open(encoding="utf-8"))
        found = {row["SIS Login ID"]: row["01_toy (9001)"] for row in rows}
        return {name: float(found[name]) for name in NUMBERS if found[name]}


def by_hand(root) -> dict[str, float]:
    return {student: hand for student, cell, _, hand, *_ in toy.records(root) if cell == "written"}


@pytest.fixture
def term(tmp_path, capsys):
    """The first half: released, handed in by five, one of them late, graded and read."""
    term = Term(tmp_path, capsys)
    term.build(text(TWO, HALF))
    assert "exports go into these columns: 01_toy (9001)" in term.run(
        "roster", str(tmp_path / "list.csv"), "--yes"
    )
    term.run("dates", "01_toy", "2027-03-01 22:00 UTC")
    first = term.release()
    works = {name: answered(first, name) for name in ("noa", "fox", "dee", "eli")}
    works["cy"] = answered(first, "cy", two="1")
    term.collect(works, 100, "fox")
    said = term.run("grade", toy.CHAPTER)
    assert "5 graded, 0 not graded" in said and "Nothing from: fay" in said
    page = term.read(dict.fromkeys(("noa", "fox", "cy", "dee", "eli"), 2))
    assert page.index(WORDS["dee"]) < page.index("And more of dee.")
    assert all(WORDS[name] in page for name in works)
    term.run("grade", toy.CHAPTER)
    return term


def test_a_term_in_which_exercises_come_and_go(term):
    old = term.release()
    assert term.exported() == {"noa": 6, "fox": 6, "cy": 3, "dee": 6, "eli": 6}
    # An exercise comes, its neighbour gives other points, and a typo is mended.
    said = term.build(
        text(TWO, exercise("half", 5, 2), THREE, question=QUESTION.replace("tel?", "tell?"))
    )
    assert "01_toy is graded already for some (new: three_visible)." in said
    term.collect({"cy": answered(old, "cy"), "fay": answered(term.release(), "fay")}, 200)
    said = term.run("grade", toy.CHAPTER)
    assert "New in 01_toy since the grading: three_visible." in said
    assert "of an earlier release, without three, three_visible" in said
    others = said.replace("were set right: written (missing)", "")  # eli's, said twice
    assert "were set right:" not in others
    said = term.run("grade", toy.CHAPTER, "--again", "--yes")
    assert "three_visible — → 0" in said.replace("│ ", "")
    term.read({"cy": 1, "fay": 2})
    term.run("grade", toy.CHAPTER)
    assert by_hand(term.root) == {
        "noa": 2, "fox": 2, "cy": 1, "dee": 2, "eli": 2, "fay": 2,
    }  # fmt: skip
    assert term.exported() == {"noa": 7, "fox": 7, "cy": 6, "dee": 7, "eli": 7, "fay": 11}
    # And one goes.
    term.build(text(exercise("half", 5, 2), THREE))
    term.run("grade", toy.CHAPTER, "--again", "--yes")
    said = term.run("grade", toy.CHAPTER)
    assert "late: a second or more after the date" in said
    assert term.exported() == {"noa": 4, "fox": 4, "cy": 3, "dee": 4, "eli": 4, "fay": 8}
    assert toy.sql(term.root, "select duedate from assignment") == [("2027-03-01 22:00:00.000000",)]
    term.run("report", toy.CHAPTER)
    term.run("return", "canvas", toy.CHAPTER)
    (pages,) = term.root.glob("reports/*.zip")
    with zipfile.ZipFile(pages) as archive:
        assert len(archive.namelist()) == len(NUMBERS)
    for name in NUMBERS:
        page = toy.page(term.root, name)
        assert ("not as in the course" in page) == (name == "eli")
