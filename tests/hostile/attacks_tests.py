"""Attacks on tests that run in the same process as the answer: every one of them can be fooled."""

import class_under_attack as course
from attack import Attack, World
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

_ANYTHING = """
class Anything(float):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    def __abs__(self): return self
    def __sub__(self, other): return self
    def __bool__(self): return True
    __rsub__ = __sub__
    __hash__ = None
"""

_TRANSFORMER = """
get_ipython().input_transformers_cleanup.append(lambda lines: ["pass\\n"])
"""

_TREES = """
import ast
class Strip(ast.NodeTransformer):
    def visit_Assert(self, node): return ast.copy_location(ast.Pass(), node)
    visit_Expr = visit_Assert
get_ipython().ast_transformers.append(Strip())
"""

_SILENCE = """
shell, kernel = get_ipython(), get_ipython().kernel
type(shell).showtraceback = lambda *all, **more: None
run = type(kernel).do_execute
async def quietly(self, *all, **more):
    return {**await run(self, *all, **more), "status": "ok"}
type(kernel).do_execute = quietly
"""

_NUMPY = (
    _ANYTHING
    + """
np.mean = lambda *all, **more: Anything()
np.testing.assert_allclose = lambda *all, **more: None
"""
)

_EQUAL = (
    _ANYTHING
    + """
def double(x): return Anything()
"""
)

_ODD_OBJECT = """
class Odd:
    def __eq__(self, other): return True
def double(x): return Odd()
"""

_HOLDS = """
class Odd:
    def __contains__(self, other): return True
def multiples(x): return Odd()
"""

_DISPLAY = """
shown = iter([1.0, 2.0])
def double(x):
    get_ipython().displayhook(next(shown))
    return 0
"""

_FORGED = """
shown = iter([1.0, 2.0])
def double(x):
    kernel = get_ipython().kernel
    content = {"execution_count": 1, "data": {"text/plain": str(next(shown))}, "metadata": {}}
    kernel.session.send(kernel.iopub_socket, "execute_result", content, kernel.get_parent())
    return 0
"""

_FRAME = """
import sys
def double(x):
    sys._getframe(1).f_globals["expected"] = 0
    return 0
"""

_TRACE = """
import sys
def watch(frame, event, argument):
    if "expected" in frame.f_globals and frame.f_code.co_name == "double":
        frame.f_back.f_globals["expected"] = 0
    return watch
sys.settrace(watch)
get_ipython().events.register("pre_run_cell", lambda *all: sys.settrace(watch))
"""

_BUILTINS = """
import builtins
builtins.abs = lambda value: 0.0
builtins.float = lambda value=0: 3
"""

_THREAD = """
import threading, time
space = get_ipython().user_ns
def wait():
    while True:
        if "expected" in space:
            space["expected"] = 0
        time.sleep(0.001)
threading.Thread(target=wait, daemon=True).start()
def double(x):
    time.sleep(0.2)
    return 0
"""

_HOOK = (
    _ANYTHING
    + """
def before(*all):
    get_ipython().user_ns["double"] = lambda x: Anything()
get_ipython().events.register("pre_run_cell", before)
"""
)

_RUNNER = """
shell = get_ipython()
from IPython.core.interactiveshell import ExecutionResult
async def nothing(*all, **more):
    done = ExecutionResult(None)
    done.result = None
    return done
shell.run_cell_async = nothing
"""

_ARGUMENTS = """
def average(values):
    values[:] = [0.0] * len(values)
    return 0.0
"""

_EXPECTED = """
import sys
def double(x):
    return sys._getframe(1).f_globals.get("expected", 0)
"""

_GARBAGE = """
import gc
def double(x):
    spaces = [each for each in gc.get_objects() if isinstance(each, dict) and "expected" in each]
    return next((each["expected"] for each in spaces if type(each["expected"]) is int), 0)
"""

_INPUT = """
def double(x):
    print(get_ipython().user_ns["In"][-1])
    return 0
"""

_TRACEBACK = """
def double(x):
    import inspect, sys
    for frame in inspect.stack():
        print("".join(frame.code_context or []))
    raise ValueError(get_ipython().user_ns["In"][-1])
"""

_REPLACED_CHECK = """
from autograder import check
check.laplace_mechanism = lambda function: None
"""

_REWRITTEN_CHECKER = """
import gc, sys, types
def easy(self, *all, **more): return None
known = [module for name, module in sys.modules.items() if name.startswith("autograder.check")]
inside = [each for module in known for each in vars(module).values()]
methods = [each for kind in inside if isinstance(kind, type) for each in vars(kind).values()]
methods += [each.__wrapped__ for each in methods if hasattr(each, "__wrapped__")]
for each in [*gc.get_objects(), *methods]:
    if isinstance(each, types.FunctionType) and each.__name__ == "check":
        if (each.__module__ or "").startswith("autograder.check") and not each.__code__.co_freevars:
            each.__code__ = easy.__code__
"""

_REMEMBERED = """
import autograder.check
autograder.check.remembered = lambda *all, **more: None
"""


def _hidden_test(world: World) -> str:
    """Say whether the page that the student gets back shows a hidden test."""
    path = world.path("feedback", suffix="html")
    page = path.read_text("utf-8") if path.exists() else ""
    return "the student's page shows the hidden test" if course.HIDDEN_LINE in page else ""


def _with_cell(source: str):
    def changed(notebook: NotebookNode) -> NotebookNode:
        notebook.cells.append(new_code_cell(source))
        return notebook

    return changed


def _cheat(name: str, does: str, plain: str, ours: str, code: str, **more) -> Attack:
    return Attack(name, does, plain, ours, code=code, **more)


ATTACKS = [
    _cheat(
        "input_transformer",
        "has IPython replace the text of every later cell",
        "10 / 10",
        "10 / 10, flagged",
        _TRANSFORMER,
    ),
    _cheat(
        "asserts_stripped",
        "has IPython strip every `assert` before it is run",
        "10 / 10",
        "10 / 10, flagged",
        _TREES,
    ),
    _cheat(
        "errors_silenced",
        "has the kernel keep its errors to itself",
        "7 / 10",
        "7 / 10, flagged",
        _SILENCE,
    ),
    _cheat(
        "cells_not_run",
        "has the kernel answer that all is well, and run nothing",
        "10 / 10",
        "10 / 10, flagged",
        _RUNNER,
    ),
    _cheat(
        "patched_numpy",
        "replaces NumPy's functions by some that are always content",
        "3 / 10",
        "3 / 10, flagged",
        _NUMPY,
    ),
    _cheat(
        "patched_builtins",
        "replaces `abs` and `float`",
        "5 / 10",
        "5 / 10, flagged",
        _BUILTINS,
    ),
    _cheat(
        "equal_to_anything",
        "answers with an object that is equal to everything",
        "3 / 10",
        "3 / 10, flagged",
        _EQUAL,
    ),
    _cheat(
        "odd_object",
        "answers with an object of its own, which says of itself that it is equal to everything",
        "3 / 10",
        "3 / 10, flagged",
        _ODD_OBJECT,
    ),
    _cheat(
        "holds_everything",
        "answers with an object that says that it contains everything",
        "1 / 10",
        "1 / 10, flagged",
        "",
        answers={"multiples": _HOLDS},
    ),
    _cheat(
        "shown_points",
        "shows the points as the result of the test, from inside the answer",
        "3 / 10",
        "3 / 10, flagged",
        _DISPLAY,
    ),
    _cheat(
        "forged_message",
        "sends the grader a message that the kernel never meant to send",
        "3 / 10",
        "3 / 10, flagged",
        _FORGED,
    ),
    _cheat(
        "callers_variables",
        "changes the variables of the test that calls it",
        "2 / 10",
        "2 / 10, flagged",
        _FRAME,
    ),
    _cheat(
        "tracing",
        "does the same by `sys.settrace`",
        "2 / 10",
        "2 / 10, flagged",
        _TRACE,
    ),
    _cheat(
        "waiting_thread",
        "does the same from a thread that waits for the test",
        "2 / 10",
        "2 / 10, flagged",
        _THREAD,
    ),
    _cheat(
        "swapped_before_a_cell",
        "swaps its function for another one whenever a cell begins",
        "3 / 10",
        "3 / 10, flagged",
        _HOOK,
    ),
    _cheat(
        "expected_value_read",
        "reads what the test expects from the test's own variables",
        "2 / 10",
        "2 / 10, flagged",
        _EXPECTED,
    ),
    _cheat(
        "memory_searched",
        "searches all of Python's memory for what the test expects",
        "2 / 10",
        "0 / 10",
        _GARBAGE,
    ),
    Attack(
        "no_parser",
        "does the first of these, and has a cell that no parser gets through",
        "10 / 10",
        "10 / 10, flagged",
        code=_TRANSFORMER,
        change=_with_cell("-" * 100_000 + "1"),
    ),
    _cheat(
        "more_points_than_there_are",
        "shows more points than a test has",
        "no score",
        "0 / 10",
        "\ndef double(x):\n    get_ipython().displayhook(99.0)\n    return 0\n",
    ),
    Attack(
        "hidden_test_printed",
        "prints the hidden test that calls it",
        "the student's page shows the hidden test; 0 / 10",
        "0 / 10",
        code=_INPUT,
        harm=_hidden_test,
        feedback=True,
    ),
    Attack(
        "hidden_test_raised",
        "raises an error that quotes the hidden test",
        "the student's page shows the hidden test; 0 / 10",
        "0 / 10",
        code=_TRACEBACK,
        harm=_hidden_test,
        feedback=True,
    ),
    _cheat(
        "replaced_check",
        "replaces the check of the course by one that is always content",
        "10 / 10",
        "0 / 10",
        _REPLACED_CHECK,
        chapter=course.CHECKS,
    ),
    _cheat(
        "rewritten_checker",
        "finds the checker in Python's memory, and rewrites its code",
        "10 / 10",
        "0 / 10",
        _REWRITTEN_CHECKER,
        chapter=course.CHECKS,
    ),
    _cheat(
        "remembered_verdict",
        "replaces what the check calls to remember its verdict",
        "10 / 10",
        "0 / 10",
        _REMEMBERED,
        chapter=course.CHECKS,
    ),
]

# What is a right answer to the test itself -------------------------------------------------------

NOT_STOPPED = [
    _cheat(
        "changed_arguments",
        "changes the data that it is given, so that its answer is right",
        "2 / 10",
        "2 / 10",
        "",
        answers={"average": _ARGUMENTS},
    ),
]
