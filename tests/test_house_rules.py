"""The rules of course/STYLE.md and CONTRIBUTING.md that a machine can hold."""

import ast
import functools
import gc
import itertools
import re
import sys
from collections import Counter
from pathlib import Path

import pytest
from notebooks import CHAPTERS, NAMES, PAGES, mark
from notebooks import read as read_anew
from places import ROOT

pytestmark = pytest.mark.quick

OURS = ("dplib", "ville", "autograder", "tools")
PYTHON = [path for top in OURS for path in sorted((ROOT / top).rglob("*.py"))]
# dplib's layers: a module imports only from the rows above its own, or from its own row.
LAYERS = [
    "_validate _categories _word_size",
    "data guarantees",
    "laplace gaussian privacy_loss",
    "deidentification histograms sensitivity selection composition variants ledger "
    "local_sensitivity trade_off aggregation "
    "sparse_vector learning local survey shuffling synthetic synthetic_tree projection ranges "
    "release",
    "accounting outcome_laws samplers audit floating_point",
    "plots",
    "explore guess",
]
ROW = {name: row for row, names in enumerate(LAYERS) for name in names.split()}
# The same for the judge of laws.
VILLE = [
    "require distributions dirichlet alternatives naming draws",
    "cells certificate parts entries repeats events shape lags",
    "broken number_cells rare",
    "law evidence",
    "outcomes families residues",
    "joint trial",
    "process",
    "composition own_laws worth",
    "laws result",
    "verdict picture",
    "__init__",
    "pytest_plugin",
]
VILLE_MAY = {"pytest_plugin": {"pytest"}, "picture": {"matplotlib"}}
# Modules that hand out what others make.
FACADES = {"autograder/execution/run_job.py", "autograder/feedback/pages.py"}
FORBIDDEN = {"eps", "df", "df2", "sens", "delt"}
# What no reader should meet, in a notebook or in a message: short names, other spellings of the
# library's words, and words that belittle ("just above" is a place, and may stay).
UNWANTED = re.compile(
    r"\b(eps|df2?|sens|delt|neighbour\w*|randomised|simply|obviously|of course|trivial(ly)?"
    r"|just(?! (above|below)))\b",
    re.IGNORECASE,
)
# The grader's layers, as dplib's. `progress`, `check` and `practice` go to students: they know no
# grader.
ROOMS = [
    "problem printable files odd_text marked_cells page_templates version progress imports",
    "releases",
    "check",
    "practice",
    "authoring sandbox",
    "kernels",
    "apart",
    "execution",
    "graded_notebook",
    "course_folders",
    "nbgrader",
    "similarity",
    "feedback report gradebook_io",
    "exam reading",
    "grading lms",
    "demo regrade",
    "cli",
    "__main__",
]


MOST_FILES = 25  # in a folder of code
MOST_LINES = 500
read = functools.cache(read_anew)  # no rule changes a notebook


@functools.cache
def parsed() -> dict[Path, list[ast.AST]]:
    """Every node of each file's code.

    They are a million, and stay. While collections look at them, this takes three times as long,
    and so does what comes after it.
    """
    gc.disable()
    try:
        return {path: list(ast.walk(ast.parse(path.read_text("utf-8")))) for path in PYTHON}
    finally:
        gc.enable()
        gc.freeze()


def nodes(path: Path) -> list[ast.AST]:
    """Every node of a file's code; a function's own defaults and decorators too."""
    return parsed()[path]


def broken(rule) -> list[str]:
    """Where a rule does not hold: `rule` yields for each file what is wrong in it."""
    return [f"{path.relative_to(ROOT)}: {wrong}" for path in PYTHON for wrong in rule(path)]


def defined(path):
    """Every name that a file defines: variables, arguments, functions."""
    for node in nodes(path):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.FunctionDef):
            yield node.name


def test_the_words_are_spelled_out():
    assert broken(lambda path: FORBIDDEN.intersection(defined(path))) == []


def literals(nodes):
    """Every text in a piece of code that can be printed: all strings but docstrings."""
    with_docstring = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docstrings = {
        node.body[0].value
        for node in nodes
        if isinstance(node, with_docstring) and ast.get_docstring(node)
    }
    for node in nodes:
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and node not in docstrings:
            yield node.value


def unwanted(path):
    for text in literals(nodes(path)):
        if found := UNWANTED.search(text):
            yield f"{found[0]!r} in {text!r}"


def test_no_message_has_an_unwanted_word():
    assert broken(unwanted) == []


@pytest.mark.parametrize("name", NAMES)
def test_no_notebook_has_an_unwanted_word(name):
    for cell in read(name).cells:
        assert not UNWANTED.search(cell.source), cell.source


def test_unwanted_words_are_seen():
    code = 'def f():\n    """Of course."""\n    raise ValueError(f"eps is {1}, simply")'
    assert [bool(UNWANTED.search(text)) for text in literals(list(ast.walk(ast.parse(code))))] == [
        True,
        True,
    ]
    for text in ("neighbouring", "just built", "df = 1", "Simply add"):
        assert UNWANTED.search(text)
    assert not UNWANTED.search("just above epsilon: neighbors, adjust, offset, steps")


def test_only_tests_assert():
    def asserts(path):
        return (f"line {node.lineno}" for node in nodes(path) if isinstance(node, ast.Assert))

    assert broken(asserts) == []


def test_the_grader_lists_names_at_its_doors_only():
    """Elsewhere a name is public by having no underscore."""

    def lists(path):
        door = path.stem == "__init__" or path.relative_to(ROOT).parts[0] != "autograder"
        if not door and path.relative_to(ROOT).as_posix() not in FACADES:
            yield from {"__all__"}.intersection(defined(path))

    assert broken(lists) == []


def test_modules_and_functions_are_small():
    def large(path):
        if (lines := len(path.read_text("utf-8").splitlines())) > MOST_LINES:
            yield f"{lines} lines"
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef) and length(node) > 30:
                yield f"{node.name} has {length(node)} lines"

    assert broken(large) == []


def length(function: ast.FunctionDef) -> int:
    """Lines of a function's body, without its docstring."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0


def imported(path):
    """Modules that a file imports, in full."""
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@functools.cache
def made(path) -> set[str]:
    """Names that a module makes, at its top."""
    top = [
        node for node in nodes(path)[0].body if not isinstance(node, ast.Import | ast.ImportFrom)
    ]
    return {
        each.id if isinstance(each, ast.Name) else each.name
        for node in top
        for each in ast.walk(node)
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        or (isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store))
    }


def test_a_name_is_imported_from_the_module_that_makes_it():
    modules = {path.relative_to(ROOT).with_suffix("").as_posix().replace("/", "."): path
               for path in PYTHON if path.stem != "__init__"}  # fmt: skip

    def elsewhere(path):
        for node in nodes(path):
            if isinstance(node, ast.ImportFrom) and node.module in modules:
                names = {alias.name for alias in node.names}
                yield from names - made(modules[node.module])

    assert broken(elsewhere) == []


def test_a_topic_has_one_name():
    """Who knows a topic by its claims finds its figures, its sliders and its tests."""
    topics = {path.name for path in (ROOT / "autograder/check/claims").iterdir() if path.is_dir()}
    topics -= {"__pycache__"}
    for folder in ("plots", "explore"):
        parts = {path.stem for path in (ROOT / "dplib" / folder).iterdir()}
        assert parts - {"__init__", "__pycache__", "parts"} == topics
    tested = {path.stem for path in (ROOT / "tests" / "library").rglob("test_*.py")}
    assert {f"test_{topic}" for topic in topics} <= tested


def test_no_folder_is_too_full():
    files = [*PYTHON, *(ROOT / "tests").rglob("*.py"), *(ROOT / "benchmarks").glob("*.py")]
    count = Counter(path.parent.relative_to(ROOT).as_posix() for path in files)
    assert [folder for folder, files in count.items() if files > MOST_FILES] == []


def test_layers_of_dplib_import_downward_only():
    for path in sorted((ROOT / "dplib").rglob("*.py")):
        own = path.relative_to(ROOT / "dplib").parts[0].removesuffix(".py")
        if own == "__init__":
            continue
        assert own in ROW, f"dplib/{own}: give it a place in LAYERS"
        for module in imported(path):
            parts = module.split(".")
            assert parts[0] != "autograder"
            if parts[0] == "dplib" and len(parts) > 1 and parts[1] in ROW:
                assert ROW[parts[1]] <= ROW[own], f"{path}: {module}"
            assert parts[0] != "ipywidgets" or own in ("explore", "guess"), path
            assert parts[0] != "matplotlib" or own in ("plots", "explore"), path


def test_layers_of_ville_import_downward_only_and_nothing_else_of_ours():
    row = {name: row for row, names in enumerate(VILLE) for name in names.split()}
    for path in sorted((ROOT / "ville").rglob("*.py")):
        own = path.stem
        if own == "__init__" and path.parent != ROOT / "ville":
            continue
        assert own in row, f"{path}: give it a place in VILLE"
        for module in imported(path):
            first, _, rest = module.partition(".")
            assert first not in ("dplib", "autograder"), f"{path}: {module}"
            allowed = {"ville", "numpy", "scipy", *sys.stdlib_module_names}
            assert first in allowed | VILLE_MAY.get(path.stem, set()), f"{path}: {module}"
            others = [each for each in rest.split(".") if first == "ville" and each in row]
            assert all(row[other] < row[own] for other in others), f"{path}: {module}"


def test_rooms_of_the_grader_import_downward_only():
    row = {name: row for row, names in enumerate(ROOMS) for name in names.split()}
    for path in sorted((ROOT / "autograder").rglob("*.py")):
        own = path.relative_to(ROOT / "autograder").parts[0].removesuffix(".py")
        if own in ("__init__", "template"):
            continue
        assert own in row, f"autograder/{own}: give it a place in ROOMS"
        for module in imported(path):
            first, _, rest = module.partition(".")
            other = rest.split(".")[0]
            if first == "autograder" and other in row:
                # A row here is of equals that do not know each other; the command line does.
                assert other == own or row[other] < row[own], f"{path}: {module}"


def test_the_table_of_rooms_is_the_order_that_is_held():
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("| room |")[1].split("\n- ")[0]
    cells = [line.split("|")[1] for line in text.splitlines() if line.lstrip().startswith("| `")]
    listed = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
    row = {name: row for row, names in enumerate(ROOMS) for name in names.split()}
    assert set(listed) == row.keys() - {"__main__"}
    assert listed == sorted(listed, key=row.get)


PRODUCT = ("autograder", "dplib", "ville", "tools", "deploy", "benchmarks")
# Two classes still have each of these names, and users call them so. It only gets shorter.
TWICE = {"Event", "PrivacyLedger", "Result"}


def twice(names) -> set[str]:
    return {name for name, count in Counter(names).items() if count > 1}


def test_no_two_classes_have_one_name():
    ours = [path for path in PYTHON if path.relative_to(ROOT).parts[0] in PRODUCT]
    classes = [node for path in ours for node in nodes(path) if isinstance(node, ast.ClassDef)]
    assert twice(each.name for each in classes) == TWICE


def test_no_two_modules_of_the_grader_have_one_name():
    """But a command has the name of the room that it calls."""
    own = [path for path in PYTHON if path.is_relative_to(ROOT / "autograder")]
    rooms = [each for each in own if not {"cli", "template"} & set(each.parts)]
    assert twice(each.stem for each in rooms) == {"__init__"}


TAG = re.compile(r"</?[a-z][a-z0-9]*[ >]")


def test_no_f_string_of_the_grader_holds_markup():
    """What is put into a page is escaped: templates do it, and f-strings do not."""
    for path in sorted((ROOT / "autograder").rglob("*.py")):
        for node in nodes(path):
            if isinstance(node, ast.JoinedStr):
                parts = [part.value for part in node.values if isinstance(part, ast.Constant)]
                assert not any(map(TAG.search, parts)), f"{path}:{node.lineno}"


def test_checks_know_no_chapter():
    for path in sorted((ROOT / "autograder" / "check").rglob("*.py")):
        text = path.read_text("utf-8")
        assert not any(name in text for name in NAMES), path


def test_no_room_but_the_demo_works_with_one_chapter():
    def named(path):
        if path.relative_to(ROOT).parts[:2] != ("autograder", "demo"):
            yield from set(literals(nodes(path))) & set(CHAPTERS)

    assert broken(named) == []


def test_checks_know_no_nbgrader_and_grading_no_statistics():
    for path in sorted((ROOT / "autograder" / "check").rglob("*.py")):
        assert not any(module.startswith("nbgrader") for module in imported(path)), path
    for path in sorted((ROOT / "autograder").rglob("*.py")):
        room = path.relative_to(ROOT / "autograder").parts[0]
        # Two processes judge one answer: what passes between them is the check's.
        # An exam draws tasks, and judges none.
        if room not in ("check", "practice", "authoring", "apart", "exam"):
            statistics = ("scipy", "ville", "autograder.check", "autograder.practice", "dplib")
            assert not any(module.startswith(statistics) for module in imported(path)), path


@pytest.mark.parametrize("name", NAMES)
def test_a_cell_holds_one_idea(name):
    """Ten lines at most, outside the exercises and the one cell of imports."""
    for cell in read(name).cells:
        if cell.cell_type == "code" and not mark(cell):
            assert len(cell.source.splitlines()) <= 10, cell.source


@pytest.mark.parametrize("name", CHAPTERS)
def test_an_exercise_has_its_parts(name):
    cells = read(name).cells
    marks = {mark(cell)["grade_id"]: cell for cell in cells if mark(cell)}
    answers = [
        grade_id
        for grade_id, cell in marks.items()
        if cell.cell_type == "code" and mark(cell)["solution"]
    ]
    assert len(answers) >= 4
    for grade_id in answers:
        tree = ast.parse(marks[grade_id].source)
        (answer,) = (n for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef))
        # An exercise that asks for a class is marked in the way of functions: privacy_ledger.
        assert re.sub(r"(?<!^)(?=[A-Z])", "_", answer.name).lower() == grade_id
        assert ast.get_docstring(answer)
        for part in ("visible", "hidden"):
            test = marks[f"{grade_id}_{part}"]
            assert mark(test)["grade"] and mark(test)["locked"] and mark(test)["points"] > 0
            assert f"check.{grade_id}({answer.name})" in test.source
        # It asks nothing that the visible check, which each run of a chapter asks, does not.
        hidden = marks[f"{grade_id}_hidden"].source.split("\n")[1:]
        (_, asked, _) = hidden
        assert hidden[0] == "### BEGIN HIDDEN TESTS" and hidden[2] == "### END HIDDEN TESTS"
        assert re.sub(r"\.points\(\d+\)$", "", asked) in marks[f"{grade_id}_visible"].source


@pytest.mark.parametrize("name", CHAPTERS)
def test_the_text_before_an_answer_says_what_is_asked_and_what_it_is_worth(name):
    cells = read(name).cells
    for before, cell in itertools.pairwise(cells):
        grade_id = mark(cell).get("grade_id")
        if not (mark(cell).get("solution") and cell.cell_type == "code"):
            continue
        title = re.search(r"^### Exercise \d+ (★+) `(\w+)` \((\d+) points\)$", before.source, re.M)
        assert title and title[2] == grade_id, f"no heading for {grade_id}"
        assert "**A worked number.**" in before.source, grade_id
        points = sum(
            mark(test)["points"]
            for test in cells
            if mark(test).get("grade_id") in (f"{grade_id}_visible", f"{grade_id}_hidden")
        )
        assert points == int(title[3]), grade_id


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_has_its_parts_in_order(name):
    text = words(name)
    order = ["# ", "By the end you can", "minutes", "What goes wrong", "In production"]
    order += ["What you can do now", "What it does not give", "Sources"]
    places = [text.find(part) for part in order]
    assert -1 not in places and places == sorted(places)


@pytest.mark.parametrize("name", NAMES)
def test_headings_are_in_order(name):
    text = words(name)
    levels = [len(marks) for marks in re.findall(r"^(#+) ", without_code(text), re.M)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_nothing_to_answer(name):
    assert not any(mark(cell) for cell in read(name).cells)


def words(name: str) -> str:
    """The text of a notebook."""
    return "\n".join(cell.source for cell in read(name).cells if cell.cell_type == "markdown")


def without_code(text: str) -> str:
    return re.sub(r"```.*?```", "", text, flags=re.S)


@pytest.mark.parametrize("name", CHAPTERS)
def test_one_question_is_read_by_a_person(name):
    written = [
        cell
        for cell in read(name).cells
        if cell.cell_type == "markdown" and mark(cell).get("solution")
    ]
    assert written
    for cell in written:
        assert mark(cell)["grade"] and mark(cell)["points"] > 0
        assert "*Points.*" in cell.source, "a rubric"
