"""What goes out by nbgrader's exchange: chapters without answers, and feedback.

nbgrader hands out whatever lies in release/. Who tries a chapter there leaves answers in it, and
*Release* without *Generate* would give them to all students.
"""

import glob
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode
from nbgrader.exchange.default import ExchangeReleaseAssignment, ExchangeReleaseFeedback
from nbgrader.preprocessors import ClearHiddenTests, ClearMarkScheme, ClearSolutions
from nbgrader.utils import compute_checksum, find_all_files, is_solution
from traitlets.config import Config

from autograder.course_folders.submissions import FOR_EXCHANGE
from autograder.marked_cells import grade_id


class Release(ExchangeReleaseAssignment):
    """nbgrader's release to its exchange, after a look at what goes out."""

    def init_src(self) -> None:
        super().init_src()
        folder = Path(self.src_path)
        files = [Path(each) for each in find_all_files(self.src_path, self.coursedir.ignore)]
        found = {each: list(self._answers(each)) for each in files if each.suffix == ".ipynb"}
        wrong = [
            f"{path.relative_to(folder)}: {', '.join(cells)}"
            for path, cells in sorted(found.items())
            if cells
        ]
        if wrong:
            chapter = self.coursedir.assignment_id
            self.fail(
                f"Nothing was released: there are answers in {folder} ({'; '.join(wrong)}). "
                f"Make it anew: Generate in formgrader, or `nbgrader generate_assignment {chapter} "
                "--force`. What you wrote there is then lost."
            )

    def _answers(self, path: Path) -> Iterator[str]:
        """Yield the cells of a notebook that hold an answer, or a hidden test."""
        marks = (
            self._step(ClearSolutions).begin_solution_delimeter,
            self._step(ClearHiddenTests).begin_test_delimeter,
            self._step(ClearMarkScheme).begin_mark_scheme_delimeter,
        )
        for position, cell in enumerate(nbformat.read(path, as_version=4).cells, start=1):
            if _is_answered(cell) or any(mark in cell.source for mark in marks):
                yield grade_id(cell) or f"cell {position}"

    def _step(self, kind: type[Preprocessor]) -> Preprocessor:
        """Return a step of nbgrader with its own settings: others' make it warn."""
        return kind(config=Config({kind.__name__: self.config.get(kind.__name__, {})}))


def _is_answered(cell: NotebookNode) -> bool:
    """Tell whether an answer's cell differs from what nbgrader has generated, or has pictures."""
    if not is_solution(cell):
        return False
    made = cell.metadata.nbgrader.get("checksum")
    return bool(cell.get("attachments")) or (made is not None and made != compute_checksum(cell))


class ReleaseFeedback(ExchangeReleaseFeedback):
    """nbgrader's release of feedback, also where some work came in another way.

    nbgrader finds the student by two files of the exchange, and ends where they are missing: those
    who come after get nothing.
    """

    def copy_files(self) -> None:
        left = {student: folder for student, folder in self._folders() if not _is_known(folder)}
        before = self.coursedir.student_id_exclude
        self.coursedir.student_id_exclude = ",".join([*filter(None, [before]), *sorted(left)])
        try:
            super().copy_files()
        finally:
            self.coursedir.student_id_exclude = before
        for student, folder in sorted(left.items()):
            self.log.warning(
                f"Not released to {student}, whose work did not come by the exchange: send {folder}"
            )

    def _folders(self) -> Iterator[tuple[str, Path]]:
        """Yield each student with a folder of pages."""
        step, chapter = self.coursedir.feedback_directory, self.coursedir.assignment_id
        pattern = self.coursedir.format_path(step, "(?P<student>.*)", chapter, escape=True)
        for folder in glob.glob(self.src_path):  # noqa: PTH207
            found = re.fullmatch(pattern, folder, re.DOTALL)
            if found:
                yield found["student"], Path(folder)


def _is_known(folder: Path) -> bool:
    return all((folder / name).is_file() for name in FOR_EXCHANGE)
