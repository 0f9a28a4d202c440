"""Attacks on the tests' assumptions: on locked cells without points, on the names that tests use,
and on the library that answers must not call.
"""

import class_under_attack as course
from attack import Attack
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

# A `check` that is content with everything, and a NumPy too.
_CONTENT = """
class Content:
    def __getattr__(self, name): return Content()
    def __call__(self, *all, **more): return None
check = np = Content()
"""


def _deleted(notebook: NotebookNode) -> NotebookNode:
    notebook.cells.remove(course.cell(notebook, "setup"))
    return notebook


def _at_the_end(notebook: NotebookNode) -> NotebookNode:
    setup = course.cell(notebook, "setup")
    notebook.cells.remove(setup)
    notebook.cells.append(setup)
    return notebook


def _without_mark(notebook: NotebookNode) -> NotebookNode:
    setup = course.cell(notebook, "setup")
    del setup.metadata["nbgrader"]
    setup.source = _CONTENT
    return notebook


def _renamed(notebook: NotebookNode) -> NotebookNode:
    setup = course.cell(notebook, "setup")
    setup.metadata.nbgrader.grade_id = "elsewhere"
    setup.source = _CONTENT
    return notebook


def _copied_mark(notebook: NotebookNode) -> NotebookNode:
    """Of two cells with one name, nbgrader takes the last for the instructor's."""
    setup = course.cell(notebook, "setup")
    copy = new_code_cell("", metadata=setup.metadata.copy())
    notebook.cells.append(copy)
    setup.source = _CONTENT
    return notebook


def _as_text(notebook: NotebookNode) -> NotebookNode:
    setup = course.cell(notebook, "setup")
    setup.cell_type = "raw"
    del setup["outputs"], setup["execution_count"], setup.metadata["nbgrader"]
    return notebook


def _before_the_tests(notebook: NotebookNode) -> NotebookNode:
    for place, cell in reversed(list(enumerate(notebook.cells))):
        mark = cell.metadata.get("nbgrader")
        if mark and mark.grade and not mark.solution:
            notebook.cells.insert(place, new_code_cell(_CONTENT))
    return notebook


def _setup(name: str, does: str, change, code: str = "", plain: str = "10 / 10") -> Attack:
    return Attack(
        name,
        f"{does}, and defines a `check` that is content with everything",
        plain,
        "0 / 10",
        code=code,
        chapter=course.CHECKS,
        change=change,
    )


# A kernel that serves tests in another one is told by its server.
_ELSEWHERE = """
import gc, os
from IPython import get_ipython
if not any(type(each).__name__ == "Server" for each in gc.get_objects()):
    get_ipython().input_transformers_cleanup.append(lambda lines: ["pass\\n"])
else:
    def double(x):
        {}
    average = half = multiples = double
"""

_BY_CODE = """
import sys, types, dplib
_theirs = dplib.laplace_mechanism
laplace_mechanism = types.FunctionType(_theirs.__code__, dict(_theirs.__globals__), "mine")
laplace_mechanism.__kwdefaults__ = _theirs.__kwdefaults__
"""

_SECOND_IMPORT = """
import importlib.util, sys, dplib
_spec = importlib.util.spec_from_file_location(
    "mine", sys.modules[dplib.laplace_mechanism.__module__].__file__
)
_mine = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_mine)
laplace_mechanism = _mine.laplace_mechanism
"""

_SOURCE = """
import inspect, dplib
_space = dict(dplib.laplace_mechanism.__globals__)
exec(inspect.getsource(dplib.laplace_mechanism), _space)
laplace_mechanism = _space["laplace_mechanism"]
"""

_SOURCE_WHEN_CALLED = """
import inspect, dplib
_text = inspect.getsource(dplib.laplace_mechanism)
_theirs = dict(dplib.laplace_mechanism.__globals__)
def laplace_mechanism(value, *, sensitivity, epsilon, rng=None):
    space = dict(_theirs)
    exec(_text, space)
    return space["laplace_mechanism"](value, sensitivity=sensitivity, epsilon=epsilon, rng=rng)
"""


def _library(name: str, does: str, code: str) -> Attack:
    # The check itself refuses it, so plain nbgrader gives nothing either.
    return Attack(name, does, "0 / 10", "0 / 10", code=code, chapter=course.CHECKS)


ATTACKS = [
    _setup("setup_deleted", "deletes the cell of imports", _deleted, _CONTENT),
    _setup("setup_last", "moves the cell of imports to the end", _at_the_end, _CONTENT),
    _setup("setup_unmarked", "takes the mark off the cell of imports", _without_mark),
    _setup("setup_renamed", "gives the cell of imports another name", _renamed, plain="no score"),
    _setup(
        "setup_twice",
        "gives the mark of the imports to an empty cell as well",
        _copied_mark,
        plain="no score",
    ),
    _setup("setup_as_text", "makes text of the cell of imports", _as_text, _CONTENT),
    Attack(
        "names_before_each_test",
        "puts a cell before each test which takes the names `check` and `np`",
        "10 / 10",
        "0 / 10",
        chapter=course.CHECKS,
        change=_before_the_tests,
    ),
    Attack(
        "silent_apart",
        "fools every test, and loops without end where the tests are in another process",
        "10 / 10",
        "10 / 10, flagged",
        code=_ELSEWHERE.format("while True: pass"),
        answers=dict.fromkeys(["average", "half", "multiples"], ""),
    ),
    Attack(
        "gone_apart",
        "fools every test, and ends the process where the tests are in another one",
        "10 / 10",
        "10 / 10, flagged",
        code=_ELSEWHERE.format("os._exit(0)"),
        answers=dict.fromkeys(["average", "half", "multiples"], ""),
    ),
    _library("library_by_code", "makes a function of the code of the library's own", _BY_CODE),
    _library("library_twice", "loads the library's own version a second time", _SECOND_IMPORT),
    _library("library_by_source", "runs the text of the library's own version", _SOURCE),
    _library("library_when_called", "does so only when it is called", _SOURCE_WHEN_CALLED),
]
