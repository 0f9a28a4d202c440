"""Tests apart from the answers: the same points for honest work, none for what fools a test."""

import re
import sys

import nbformat
import pytest
import toy
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.utils import determine_grade, is_grade
from notebooks import BY_QUALITY, EXAMPLE, RELEASED_CHAPTERS, read
from places import ROOT
from wrong_answers import ZOO

from autograder import check
from autograder.execution.apart_execute import PARTS
from autograder.execution.execute import Execute
from autograder.execution.notebooks import lost_points
from autograder.kernels import Zygote
from autograder.sandbox import containment
from autograder.sandbox.limits import Limits

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(sys.platform != "linux", reason="forks of a warm process: Linux"),
]

SETUP = "import numpy as np\nimport pandas as pd\n"


@pytest.fixture
def points(judge):
    """Return what gives the points of a notebook's one test."""
    return lambda *cells, **given: judge(notebook(*cells), **given).points["test"]


def notebook(answer: str, test: str, setup: str = SETUP, most: float = 4):
    """A setup cell, a student's cell, and a test."""
    return new_notebook(
        cells=[
            new_code_cell(setup, metadata=toy.mark("setup")),
            new_code_cell(answer, metadata=toy.mark("answer", solution=True)),
            new_code_cell(test, metadata=toy.mark("test", points=most)),
        ]
    )


def plainly(zygote, folder, notebook) -> float:
    """Return nbgrader's points: answer and test in one kernel."""
    copy = nbformat.from_dict(notebook)
    done, _ = Execute(None, zygote, timeout=30).preprocess(
        copy, {"metadata": {"path": str(folder)}}
    )
    return determine_grade(next(filter(is_grade, done.cells)))[0]


# --- the points are nbgrader's ------------------------------------------------------------------

MOST = {"double_visible": 1, "double_hidden": 2, "half_visible": 1, "half_parts": 4}


def test_a_right_notebook_gets_all_points_and_an_empty_one_none(judge):
    assert judge(toy.answers()).points == MOST
    assert judge(toy.released()).points == dict.fromkeys(MOST, 0)


def test_partial_points_count(judge):
    found = judge(toy.answers(half="def half(x):\n    return 0.5 * min(x, 2)"))
    assert found.points == {**MOST, "half_visible": 0, "half_parts": 3}


@pytest.mark.parametrize(
    ("answer", "test", "expected"),
    [
        ("f = 3", "assert f == 3", 4),
        ("f = 3", "assert f == 4", 0),
        ("f = 3", "float(f)", 3),
        ("f = 3", "float(f);", 4),
        ("f = 3", "f + 40.0", None),  # nbgrader stops at more points than there are
        ("f = 3", "np.float64(f)", 4),  # as in nbgrader, to which this is no number
        ("f = 3", "import sys\nprint('!', file=sys.stderr)", 0),
        ("f = 3", "import warnings\nwarnings.warn('!')", 0),
        ("def f():\n    import warnings\n    warnings.warn('!')", "f()", 0),
        ("f = 3\n1 / 0", "assert f == 3", 4),
        ("%matplotlib inline\n!true\nf = 3\ndisplay(f)\nprint(f)", "assert f == 3", 4),
        ("f = 3", "%matplotlib inline\ndisplay(f)\nassert f == 3", 4),
        ("", "f", 0),
        ("f = 3", "# only words", 4),
        ("import math", "assert math.sqrt(4) == 2", 4),
        ("import asyncio\nawait asyncio.sleep(0)\nf = 3", "assert f == 3", 4),
        ("sum = max = lambda x: 7", "assert sum([1, 2]) == 3", 4),
    ],
)
def test_a_cell_counts_as_in_nbgrader(points, answer, test, expected):
    assert points(answer, test) == expected


def test_names_of_the_instructors_stay_theirs(points):
    hijack = "np = check = data = None\nplace = 5\ndef reference(x):\n    return 0"
    setup = SETUP + "data = [1, 2]\nplace = None\ndef reference(x):\n    return 2 * x"
    test = "assert np.sum(data) == 3 and reference(2) == 4 and place == 5"
    assert points(hijack, test, setup) == 4


# --- the course itself ----------------------------------------------------------------------------


def marks(notebook):
    """Return a notebook's marked cells by grade_id."""
    return {toy.name(cell): cell for cell in notebook.cells if toy.name(cell)}


def automatic(notebook) -> dict[str, float]:
    """Return the points of the cells that the machine judges."""
    found = {name: cell.metadata.nbgrader for name, cell in marks(notebook).items()}
    return {
        name: mark.points for name, mark in found.items() if "visible" in name or "hidden" in name
    }


def each(names):
    """Run a test for each chapter: `make test` for the example alone."""
    return [pytest.param(each, marks=[pytest.mark.long] * (each != EXAMPLE)) for each in names]


@pytest.mark.parametrize("name", each(RELEASED_CHAPTERS))
def test_a_chapters_own_answers_get_all_points(judge, name):
    found = judge(read(name), source=read(name))
    wanted = automatic(read(name))
    assert found.points.keys() == wanted.keys()
    for test, most in wanted.items():
        least = BY_QUALITY.get(test.rpartition("_")[0], 1)
        assert least * most <= found.points[test] <= most, test


# Functions of numbers, a class, what trains for seconds, what asks black boxes.
@pytest.mark.parametrize(
    "name", each([EXAMPLE, "04_composition", "12_machine_learning", "17_audit"])
)
def test_a_chapter_that_nobody_answered_gets_no_points(judge, name):
    source, release = read(name), read(name, "release")
    for cell in source.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = marks(release)[toy.name(cell)].source
    found = judge(source, source=read(name)).points
    assert found == dict.fromkeys(found, 0)


# One in six exercises. The chapters' own right answers are judged above, so half as many are here.
WRONG = sorted(ZOO.right)[::6]
SAMPLE = [(each, "wrong") for each in WRONG] + [(each, "right") for each in WRONG[::2]]
# A look may miss a mistake that shows in some calls only; these show in every call.
PLAIN = {
    "above_threshold": "no noise at all",
    "private_count": "no noise is added",
    "private_survey": "nobody's report is changed",
}


@pytest.mark.long
@pytest.mark.parametrize(("exercise", "kind"), SAMPLE)
def test_an_answer_is_judged_as_in_one_process(judge, exercise, kind):
    # Right answers fail less than once in a billion runs. The wrong ones were found in all of 1,000
    # runs, or in all of the 60 to 400 that a minute allows.
    chapter = ZOO.chapter[exercise]
    path = str(ROOT / "tests/wrong_answers" / f"{chapter}.py")
    cells = marks(read(chapter))
    test = cells[f"{exercise}_visible"]
    variable = re.search(r"check\.\w+\((\w+)\)", test.source)[1]
    words = [mistake for _, mistake in ZOO.wrong[exercise]]
    first = words.index(PLAIN[exercise]) if exercise in PLAIN else 0
    place = "[0]" if kind == "right" else f"[{first}][0]"
    answer = cells[exercise]
    answer.source = "\n".join(
        [
            f"import runpy, sys\nsys.path.insert(0, {str(ROOT / 'tests')!r})",
            f"{variable} = runpy.run_path({path!r})[{kind.upper()!r}][{exercise!r}]{place}",
        ]
    )
    found = judge(new_notebook(cells=[cells["setup"], answer, test])).points
    share = getattr(check, exercise)(ZOO.right[exercise][0]).share if kind == "right" else 0
    points = test.metadata.nbgrader.points
    assert found[f"{exercise}_visible"] == pytest.approx(share * points, abs=points / 5)


# --- what crosses -------------------------------------------------------------------------------

CROSSING = {
    "a generator, which goes on from where it was left": (
        "def f(rng):\n    return rng.random(2)",
        "a, b = np.random.default_rng(1), np.random.default_rng(1)\n"
        "assert np.array_equal(f(a), b.random(2)) and a.random() == b.random()",
    ),
    "a table": (
        "def f(table):\n    return table.groupby('x').sum()",
        "t = f(pd.DataFrame({'x': ['a', 'b', 'a'], 'y': [1, 2, 4]}))\n"
        "assert t.loc['a', 'y'] == 5 and t.index.name == 'x'",
    ),
    "a function that the answer calls": (
        "def f(g, n):\n    return [g(k) for k in range(n)]",
        "seen = []\ndef g(k):\n    seen.append(k)\n    return k * k\n"
        "assert f(g, 3) == [0, 1, 4] and seen == [0, 1, 2]",
    ),
    "an error of that function": (
        "def f(g):\n    try:\n        g()\n    except KeyError:\n        return 'caught'",
        "def g():\n    raise KeyError('a')\nassert f(g) == 'caught'",
    ),
    "an error of the answer": (
        "class Odd(ValueError):\n    pass\ndef f(x):\n    raise Odd('no')",
        "try:\n    f(1)\nexcept ValueError as error:\n    assert 'no' in str(error)\n"
        "else:\n    assert False",
    ),
    "a class and its objects": (
        "class Sum:\n    total = 0\n    def add(self, x):\n        self.total += x\n"
        "        return self",
        "assert Sum().add(2).add(3).total == 5",
    ),
    "an argument that is changed": (
        "def f(x, y):\n    x.sort()\n    y['c'] = 2 * y['a']",
        "x, y = [2, 1], pd.DataFrame({'a': [1]})\nf(x, y)\nassert x == [1, 2] and y['c'][0] == 2",
    ),
    "a figure": (
        "import matplotlib.pyplot as plt\n_, ax = plt.subplots()\nax.plot([1, 2], [3, 4])\n"
        "ax.set_xlabel('people')",
        "import matplotlib.axes\nassert isinstance(ax, matplotlib.axes.Axes)\n"
        "assert ax.get_xlabel() == 'people' and len(ax.lines) == 1\n"
        "assert list(ax.lines[0].get_ydata()) == [3, 4]",
    ),
    "None, sets, words, complex numbers, iterators": (
        "def f(x):\n    return None, {1, 2}, 'é', 2j, (k for k in range(3)), range(2)",
        "a, b, c, d, e, g = f(frozenset([1]))\n"
        "assert a is None and b == {1, 2} and (c, d, [*e], [*g]) == ('é', 2j, [0, 1, 2], [0, 1])",
    ),
}


@pytest.mark.parametrize("what", CROSSING)
def test_plain_data_crosses_and_much_else_can_be_asked_about(points, what):
    assert points(*CROSSING[what]) == 4


@pytest.mark.parametrize(
    ("answer", "test"),
    [
        ("class F:\n    def __lt__(self, other):\n        return True\nf = F()", "assert f < 3"),
        ("def f(x):\n    return object()", "assert f(1) == 3"),
        ("def f(x):\n    return x", "import inspect\nassert 'for' in inspect.getsource(f)"),
        ("def f(x):\n    return x", "f(open('/dev/null'))"),
    ],
)
def test_what_needs_more_than_plain_data_fails_apart(judge, answer, test):
    found = judge(notebook(answer, test))
    assert found.points == {"test": 0}
    assert lost_points(found.notebook)["test"].startswith("NotJudged: ")


# --- code that fools a test ---------------------------------------------------------------------

NO_NOISE = "def laplace_mechanism(value, sensitivity, epsilon, rng):\n    return value\n"
# As many a course writes it: visible, in one process with the answer.
NAIVE = """
rng = np.random.default_rng(5)
draws = np.array([laplace_mechanism(3.0, 1.0, 0.5, rng) for _ in range(300)])
np.testing.assert_allclose(np.mean(draws), 3.0, atol=1)
np.testing.assert_allclose(np.mean(np.abs(draws - 3)), 2.0, rtol=0.3)
"""
CHECK = "check.laplace_mechanism(laplace_mechanism)"
CHECKED = SETUP + "from autograder import check\n"

FOOLS = {
    "the points are shown from within": """
def laplace_mechanism(value, sensitivity, epsilon, rng):
    get_ipython().displayhook(4.0)
    return value
""",
    "numpy is patched, with a number that is any number": """
class Any(float):
    def __lt__(self, other): return True
    def __abs__(self): return self
    __sub__ = __rsub__ = lambda self, other: self
np.mean = lambda *given, **named: Any()
np.testing.assert_allclose = lambda *given, **named: None
""",
    "IPython reads another cell": """
get_ipython().input_transformers_cleanup.append(lambda lines: ["pass\\n"])
""",
    "IPython takes the statements out": """
import ast
class Strip(ast.NodeTransformer):
    def visit_Expr(self, node): return ast.copy_location(ast.Pass(), node)
get_ipython().ast_transformers.append(Strip())
""",
    "errors are silenced": """
type(get_ipython()).showtraceback = lambda *given, **named: None
import ipykernel.ipkernel
run = ipykernel.ipkernel.IPythonKernel.do_execute
async def do_execute(self, *given, **named):
    reply = await run(self, *given, **named)
    return {**reply, "status": "ok"}
ipykernel.ipkernel.IPythonKernel.do_execute = do_execute
""",
}
FOOLED_CHECKS = {
    "the check is replaced": "check.laplace_mechanism = lambda function: None",
    "its name is taken": "class check:\n    laplace_mechanism = print",
    "the judge is patched": """
import autograder.check.claim as claim
claim.StatisticalClaim._judge = lambda self, open_door: claim.Result("a", "b")
""",
    "errors are no errors": "import builtins\nbuiltins.AssertionError = int\n"
    "from autograder.check import claim\n"
    "claim.Claim.check = lambda self, function: claim.Result('a', 'b')",
    "the door draws in the answer's place": """
import autograder.check.door as door
def sample(self, place, number):
    p = self._settings[place]
    return p["value"] + np.random.laplace(0, p["sensitivity"] / p["epsilon"], number)
door.Door.sample = sample
door.Door.follows_the_clock = door.Door.gives_one_answer = lambda self, place: False
door.Door.raise_if_written = lambda self, place: None
""",
}


@pytest.mark.parametrize("fool", FOOLS)
def test_what_fools_a_naive_test_gets_nothing(zygote, points, tmp_path, fool):
    assert plainly(zygote, tmp_path, notebook(NO_NOISE, NAIVE)) == 0
    assert plainly(zygote, tmp_path, notebook(NO_NOISE + FOOLS[fool], NAIVE)) == 4
    assert points(NO_NOISE + FOOLS[fool], NAIVE) == 0


@pytest.mark.parametrize("fool", FOOLED_CHECKS)
def test_what_fools_a_check_gets_nothing(zygote, points, tmp_path, fool):
    answer = NO_NOISE.replace("sensitivity, epsilon, rng", "*, sensitivity, epsilon")
    assert plainly(zygote, tmp_path, notebook(answer, CHECK, CHECKED)) == 0
    assert plainly(zygote, tmp_path, notebook(answer + FOOLED_CHECKS[fool], CHECK, CHECKED)) == 4
    assert points(answer + FOOLED_CHECKS[fool], CHECK, CHECKED) == 0


def test_a_right_answer_passes_both(points):
    right = "def laplace_mechanism(value, sensitivity, epsilon, rng=np.random.default_rng()):\n"
    right += "    return value + rng.laplace(0, sensitivity / epsilon)"
    assert points(right, NAIVE) == 4
    assert points(right, CHECK, CHECKED) == 4


def test_contained_kernels_give_the_same(judge):
    if containment.unavailable():
        pytest.skip(containment.unavailable())
    zygote = Zygote(["numpy"], Limits(), PARTS)
    try:
        assert judge(toy.answers(), zygote=zygote).points == MOST
        spy = "import os\ndef f(path):\n    return sorted(os.listdir('.')), os.path.exists(path)"
        test = f"import os\nassert f({__file__!r}) == (['data', 'toy.ipynb'], False)\n"
        test += "assert not os.listdir('.')"
        found = judge(notebook(spy, test), zygote=zygote, files={"data": b""})
        assert found.points == {"test": 4}
    finally:
        zygote.close()


def test_the_tests_are_not_seen(points):
    spy = "def f(x):\n    return repr(get_ipython().user_ns['In'])"
    assert points(spy, "assert 'secret' not in f(1)") == 4


def test_a_file_of_the_submission_takes_no_librarys_place(points):
    names = ("numpy", "json", "statistics")
    files = {f"{name}.py": b"raise SystemExit" for name in names}
    test = "import statistics\nassert f(2) == 2"
    assert points("def f(x):\n    return x", test, files=files) == 4


def test_the_tests_read_the_instructors_files_alone(points):
    files = {"given.py": b"right = 3", "own.py": b"right = 4"}
    answer, test = "f = 3", "import given\nassert f == given.right"
    assert points(answer, test, files=files, trusted=["given.py"]) == 4
    assert points(answer, test, files=files) == 0


# --- code that attacks ----------------------------------------------------------------------------

# The connection to the tests, found as a student's code could find it.
FIND = """
import gc, os, struct
from autograder.apart.server import Server
server = next(each for each in gc.get_objects() if type(each) is Server)
wire = server._connection.fileno()
def say(message):
    os.write(wire, message)
"""
ENDLESS = "def f(x):\n    while True:\n        pass"
IGNORES = """
def f(x):
    while True:
        try:
            while True: pass
        except BaseException: pass
"""
ATTACKS = {
    "loops in a cell": "while True:\n    pass",
    "loops in a call": ENDLESS,
    "loops and hears nothing": IGNORES,
    "ends": "import os\nos._exit(0)",
    "ends in a call": "import os\ndef f(x):\n    os._exit(0)",
    "exits in a call": "import sys\ndef f(x):\n    sys.exit(0)",
    "raises what ends a program": "def f(x):\n    raise KeyboardInterrupt",
    "kills itself": "import os\ndef f(x):\n    os.kill(os.getpid(), 9)",
    "closes its files": "import os\ndef f(x):\n    os.closerange(3, 100)",
    "leaves a child that holds the connection": "import os, time\ndef f(x):\n"
    "    if os.fork():\n        os._exit(0)\n    time.sleep(100)",
    "sends garbage": FIND + "def f(x):\n    say(b'garbage' * 100)",
    "sends points": FIND
    + """
from autograder.kernels import pipe
points = pipe.packed({"result": "4.0", "complained": False})
for number in range(3, 100):
    try:
        os.write(number, points)
    except OSError:
        pass
def f(x):
    say(points)
""",
    "claims a great length": FIND + "def f(x):\n    say(struct.pack('!i', 2**31 - 1))",
    "claims a greater length": FIND
    + "def f(x):\n    say(struct.pack('!i', -1) + struct.pack('!Q', 2**62))",
    "claims a length and is silent": FIND
    + "import time\ndef f(x):\n    say(struct.pack('!i', 10**6))\n    time.sleep(10**9)",
    "nests": FIND
    + """def f(x):
    body = b'[' * 10**6
    say(struct.pack('!i', len(body) + 4) + struct.pack('!I', len(body)) + body)
""",
    "sends too much": "def f(x):\n    return bytearray(3 * 10**8)",
    "holds itself": "def f(x):\n    x = []\n    x.append(x)\n    return x",
    "raises when it is looked at": "class F:\n    def __getattribute__(self, name):\n"
    "        raise SystemExit\n    __repr__ = None\nf = F()",
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_ends_and_gets_nothing(judge, attack):
    made = notebook("def g(x):\n    return x", "assert g(1) == 1")
    made.cells += [
        new_code_cell(ATTACKS[attack], metadata=toy.mark("attack", solution=True)),
        new_code_cell("assert f(1) == 2", metadata=toy.mark("last", points=4)),
    ]
    assert judge(made, seconds=1.0).points == {"test": 4, "last": 0}
