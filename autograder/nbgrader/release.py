"""Refuses to release answers: nbgrader hands out whatever lies in release/.

Who tries a chapter in release/ itself leaves answers there, and *Release* without *Generate* would
give them to all students.
"""

from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.exchange.default import ExchangeReleaseAssignment
from nbgrader.preprocessors import ClearHiddenTests, ClearMarkScheme, ClearSolutions
from nbgrader.utils import compute_checksum, find_all_files, is_solution


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
            ClearSolutions(parent=self).begin_solution_delimeter,
            ClearHiddenTests(parent=self).begin_test_delimeter,
            ClearMarkScheme(parent=self).begin_mark_scheme_delimeter,
        )
        for position, cell in enumerate(nbformat.read(path, as_version=4).cells, start=1):
            if _is_answered(cell) or any(mark in cell.source for mark in marks):
                yield cell.metadata.get("nbgrader", {}).get("grade_id", f"cell {position}")


def _is_answered(cell: NotebookNode) -> bool:
    """Tell whether an answer's cell differs from what nbgrader has generated, or has pictures."""
    if not is_solution(cell):
        return False
    made = cell.metadata.nbgrader.get("checksum")
    return bool(cell.get("attachments")) or (made is not None and made != compute_checksum(cell))
