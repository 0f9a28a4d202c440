"""Exports nbgrader's gradebook as a file for Canvas or Moodle.

`autograder export canvas`, or with nbgrader's own command:
`nbgrader export --exporter=autograder.gradebook_io.exports.CanvasExportPlugin --to=canvas.csv`.
Settings in nbgrader_config.py: `c.GradesExportPlugin.missing = "zero"`.
"""

import csv
from dataclasses import replace
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.plugins import ExportPlugin
from traitlets import Dict, Enum, Unicode

from autograder.course_folders.course import Course, left_out
from autograder.course_folders.submissions import find
from autograder.gradebook_io import canvas_columns
from autograder.gradebook_io.grades import Grade, ListedStudent, MarkBook, read
from autograder.nbgrader import class_list, reasons
from autograder.nbgrader.by_hand import renew_penalties
from autograder.nbgrader.stale import refuse_above, stale
from autograder.printable import in_spreadsheet


class GradesExportPlugin(ExportPlugin):
    """The base of the exports: which students, which chapters, and the score of no submission."""

    missing = Enum(
        ["empty", "zero"],
        default_value="empty",
        help="what to write where nothing was handed in: no grade, or 0 points",
    ).tag(config=True)

    titles = Dict(
        value_trait=Unicode(),
        key_trait=Unicode(),
        help="what a chapter is called in the other system, for example "
        '{"03_laplace": "Laplace (4711)"}; else it is called what it is called here',
    ).tag(config=True)

    default_name = ""

    def export(self, gradebook: Gradebook) -> MarkBook:
        """Write the file `to`; return what is in it.

        Raises:
          GradingError: the gradebook has no grade, or does not know a wanted chapter or student.
        """
        directory = self.parent.coursedir  # of whichever command exports: ours, or nbgrader's
        listed, without = class_list.read(Path(directory.root)), left_out(directory)
        grades = read(gradebook, self.assignment, self.student, listed, without)
        path = Path(self.to or self.default_name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(self.rows(grades))
        self.log.info("Exported %d students to %s", len(grades.students), path)
        return grades

    def rows(self, grades: MarkBook) -> list[list[str]]:
        """Return the lines of the file, the first one with the names of the columns."""
        raise NotImplementedError

    def title(self, chapter: str) -> str:
        """Return what the other system calls a chapter."""
        return in_spreadsheet(self.titles.get(chapter, chapter))


class CanvasExportPlugin(GradesExportPlugin):
    """The file for Canvas, at Grades → Import.

    Its columns and their order: lib/gradebook_importer.rb of https://github.com/instructure/canvas-lms.
    Canvas finds a student by ID, else by SIS User ID, else by SIS Login ID, else by name. It finds
    an assignment by the number in brackets after its name, else by its name; else it offers to make
    a new one with the points of the second line.
    """

    default_name = "canvas.csv"

    login = Enum(
        ["id", "email"], default_value="id", help="what of a student is the SIS Login ID"
    ).tag(config=True)

    def rows(self, grades: MarkBook) -> list[list[str]]:
        """Return the lines of the file."""
        titles = [self.title(name) for name in grades.chapters]
        header = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *titles]
        # Canvas itself writes the spaces.
        points = ["    Points Possible", "", "", "", "", *map(_number, grades.chapters.values())]
        return [header, points, *(self._row(grades, student) for student in grades.students)]

    def title(self, chapter: str) -> str:
        """Return the column of a chapter: the setting's, else the one that Canvas has."""
        ours = canvas_columns.kept(Path(self.parent.coursedir.root))
        return in_spreadsheet(self.titles.get(chapter) or ours.get(chapter, chapter))

    def _row(self, grades: MarkBook, student: ListedStudent) -> list[str]:
        name = ", ".join(filter(None, [student.last_name, student.first_name])) or student.id
        login = student.sis_login_id if self.login == "id" and student.sis_login_id else ""
        login = login or getattr(student, self.login)
        scores = [self._score(grades.grades.get((name, student.id))) for name in grades.chapters]
        ours = (name, student.lms_user_id, student.sis_user_id, login, student.section)
        known = [in_spreadsheet(text) for text in ours]
        return [*known, *scores]

    def _score(self, grade: Grade | None) -> str:
        if grade is None:
            return "0" if self.missing == "zero" else ""
        return _number(grade.score)


class MoodleExportPlugin(GradesExportPlugin):
    """The file for Moodle, at Grades → Import → CSV file.

    Its columns: grade/import/csv/classes/load_data.php of https://github.com/moodle/moodle.
    Moodle finds a student by one of the columns, which is chosen at “Map from” and “Map to”:
    Username to username, ID number to useridnumber, or Email address to useremail. Each chapter has
    a grade and a feedback column. Import both: a feedback that comes alone removes the grade
    (https://docs.moodle.org/311/en/Grade_import, note 3).
    """

    default_name = "moodle.csv"

    def rows(self, grades: MarkBook) -> list[list[str]]:
        """Return the lines of the file."""
        header = ["Username", "First name", "Last name", "ID number", "Email address"]
        for chapter in grades.chapters:
            header += [f"{self.title(chapter)} (Real)", f"{self.title(chapter)} (Feedback)"]
        return [header, *(self._row(grades, student) for student in grades.students)]

    def _row(self, grades: MarkBook, student: ListedStudent) -> list[str]:
        names = ("id", "first_name", "last_name", "lms_user_id", "email")
        cells = [in_spreadsheet(getattr(student, name)) for name in names]
        for chapter in grades.chapters:
            cells += self._columns(grades.grades.get((chapter, student.id)))
        return cells

    def _columns(self, grade: Grade | None) -> list[str]:
        if grade is None:
            # Moodle writes "-" where there is no grade; an empty one would be 0 in a new column.
            return ["0" if self.missing == "zero" else "-", ""]
        return [_number(grade.score), in_spreadsheet("; ".join(grade.comments))]


_PLUGINS = {"canvas": CanvasExportPlugin, "moodle": MoodleExportPlugin}


def export(
    system: str,
    *,
    root: Path,
    chapters: tuple[str, ...] = (),
    path: Path,
    anyway: bool = False,
    **settings: str,
) -> MarkBook:
    """Write the gradebook's grades to `path`, for Canvas or Moodle.

    Args:
      system: "canvas" or "moodle".
      root: the course's folder.
      chapters: only these; all of them if empty.
      path: the file to write.
      anyway: write also marks above the most that a chapter gives.
      settings: of the plugin, instead of those of nbgrader_config.py.

    Raises:
      GradingError: there is no gradebook, no grade in it, it does not know a chapter, or somebody
        has more points than there are.
    """
    course = Course(root)
    with course.environment():
        course.refuse_without_gradebook()
        plugin = _PLUGINS[system](parent=course.app, to=str(path), **settings)
        plugin.assignment = list(chapters)
        renew_penalties(course, *chapters)
        if not anyway:
            refuse_above(course, chapters or _chapters(course))
        with course.gradebook() as gradebook:
            grades = plugin.export(gradebook)
        return _compared(course, grades)


def _chapters(course: Course) -> list[str]:
    with course.gradebook() as gradebook:
        return [each.name for each in gradebook.assignments]


def _compared(course: Course, grades: MarkBook) -> MarkBook:
    """Say whose work in submitted/ has no grade, or one of work, points or dates before."""
    ungraded, older, out_of_date = [], [], {}
    for chapter in grades.chapters:
        graded = sorted(student for name, student in grades.grades if name == chapter)
        if found := stale(course, chapter, graded):
            out_of_date[chapter] = found
        for each in find(course, chapter):
            if (chapter, each.student) not in grades.grades:
                ungraded.append(f"{chapter} of {each.student}")
            elif reasons.read(course, chapter, each):
                older.append(f"{chapter} of {each.student}")
    kept = {"ungraded": tuple(ungraded), "older": tuple(older), "stale": out_of_date}
    return replace(grades, **kept)


def _number(score: float) -> str:
    """Write points with a point, and without zeros at the end."""
    return f"{round(score, 4):.10g}"
