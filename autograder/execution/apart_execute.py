"""Runs a notebook once: the student's cells in one kernel, the instructor's tests in another."""

import ast
import contextlib
import shutil
import tempfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nbclient.exceptions import DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell
from nbgrader.utils import determine_grade, is_grade, is_locked

from autograder.execution.execute import Execute
from autograder.kernels.two_kernels import PairManager
from autograder.marked_cells import grade_id, is_test
from autograder.sandbox.variables import SEED_VARIABLE

# The modules of the two kernels' parts.
PARTS = ("autograder.apart.answers_kernel", "autograder.apart.tests_kernel")


@dataclass(frozen=True)
class Split:
    """How a notebook's cells are split between two kernels.

    Locked cells run with the tests: they are the instructor's. Those that give no points, such as
    imports, run with the answers too. All other cells run with the answers alone.

    Attributes:
      answers: the names that tests may take from the answers; None for all names that they lack.
      before: by grade_id of a locked cell, cells of the instructor's that run with the tests before
        it, whatever the submission made of them.
      trusted: the instructor's files: the tests may read them.
      questions: by grade_id of a test: what to ask, with the tests, about an answer that fails it.
    """

    answers: Collection[str] | None = None
    before: Mapping[str, Sequence[NotebookNode]] = field(default_factory=dict)
    trusted: frozenset[str] = frozenset()
    questions: Mapping[str, str] = field(default_factory=dict)


class ApartExecute(Execute):
    """Execute, with the tests out of the answers' reach.

    Attributes:
      came: by grade_id of a test, what the question about its answer gave, as text.
    """

    def __init__(self, stop, zygote, core, split: Split, **settings):
        super().__init__(stop, zygote, core, **settings)
        self._split, self._changed = split, True
        self._count, self._folder = 0, ""
        self.came: dict[str, str] = {}

    def preprocess(self, nb, resources=None, km=None):
        with tempfile.TemporaryDirectory(prefix="autograder-", ignore_cleanup_errors=True) as name:
            self._folder = name
            for path in self._split.trusted:
                target = Path(name, path)
                target.parent.mkdir(parents=True, exist_ok=True)
                source = Path(resources["metadata"]["path"], path)
                shutil.copyfile(source, target, follow_symlinks=False)
            return super().preprocess(nb, resources, km)

    def create_kernel_manager(self):
        super().create_kernel_manager()
        given = {SEED_VARIABLE: str(self.course_seed)}
        self.km = self._warm = PairManager(self._zygote, self._core, PARTS, self._folder, given)
        return self.km

    def preprocess_cell(self, cell, resources, index):
        done = super().preprocess_cell(cell, resources, index)
        if index == len(self.nb.cells) - 1:
            self._ask()
        return done

    def execute_cell(self, cell, cell_index, **how):
        if cell.cell_type != "code" or not cell.source.strip():
            return super().execute_cell(cell, cell_index, **how)
        if is_locked(cell):
            for each in self._split.before.get(grade_id(cell), ()):
                self._in_tests(NotebookNode(each), cell_index)
        if is_locked(cell) and is_test(cell):
            made = self._in_tests(cell, cell_index, **how)
        else:
            made = super().execute_cell(cell, cell_index, **how)
            self._changed = True
            if is_locked(cell):
                self._in_tests(NotebookNode({**cell, "outputs": []}), cell_index)
        self.nb.cells[cell_index] = made
        self._number(made)
        return made

    def _in_tests(self, cell, cell_index, **how):
        answers, names = self.kc, self._split.answers
        answers.tests.given = {
            "changed": self._changed,
            "answers": None if names is None else sorted(names),
        }
        self.kc, self._changed = answers.tests, False
        try:
            made = super().execute_cell(cell, cell_index, **how)
        finally:
            self.kc, answers.current = answers, ""
        made.outputs = sorted(made.get("outputs", []), key=_is_result)
        if self._warm.lost:  # the test may have ended all the same: with an error
            raise DeadKernelError("the kernel died")
        return made

    def _number(self, cell) -> None:
        """Number the cells of the two kernels as those of one."""
        self._count += 1
        for each in (cell, *cell.outputs):
            if "execution_count" in each:
                each["execution_count"] = self._count

    def _ask(self) -> None:
        """Ask about the answers that have failed. No score depends on it."""
        tests = {grade_id(cell): place for place, cell in enumerate(self.nb.cells) if is_test(cell)}
        for name, question in self._split.questions.items():
            place = tests.get(name)
            if place is None or _gives_points(self.nb.cells[place]):
                continue
            kept = self.nb.cells[place]
            with contextlib.suppress(Exception):
                results = self._in_tests(new_code_cell(question), place).outputs
                found = [each.data["text/plain"] for each in results if "data" in each]
                self.came[name] = str(ast.literal_eval(found[-1])) if found else ""
            self.nb.cells[place] = kept


def _is_result(output: NotebookNode) -> bool:
    """Say whether an output is a cell's value: what calls have shown came before it in one kernel.

    The answers' kernel may show it later. nbgrader reads outputs in order: an error on stderr takes
    the points, if the value does not come first.
    """
    return output.output_type == "execute_result"


def _gives_points(cell: NotebookNode) -> bool:
    try:
        return is_grade(cell) and determine_grade(cell)[0] != 0
    except ValueError:  # more points than there are
        return True
