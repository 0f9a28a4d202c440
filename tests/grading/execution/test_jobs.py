"""Jobs: execution as a function of plain data, and its records: marks, reasons, opinions."""

import dataclasses
import json
import os
import pickle
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import nbformat
import psutil
import pytest
import toy
from nbformat.v4 import new_output
from rich.console import Console

from autograder.course_folders.course import Course
from autograder.course_folders.submissions import Submission, find
from autograder.execution import run_job, zygotes
from autograder.execution.execute import Execute, StoppedError
from autograder.execution.job import Done, Findings, Job, Settings
from autograder.execution.notebooks import Executed
from autograder.execution.verdicts import Runner, wrong_tests
from autograder.graded_notebook.outcome import Outcome
from autograder.grading import GradingError, grade, options
from autograder.nbgrader import reasons
from autograder.version import version

pytestmark = pytest.mark.long

TRAITS = Execute(timeout=20, iopub_timeout=2, shutdown_kernel="immediate").trait_values(config=True)
linux = pytest.mark.skipif(sys.platform != "linux", reason="kernels are forked on Linux")


@pytest.fixture
def closed(monkeypatch):
    """No process to fork from is there before, and a run ends its own, as a real one does."""
    zygotes.close()
    monkeypatch.setattr(run_job, "close", zygotes.close)
    # The tests of chapters keep one of their own.
    monkeypatch.setitem(globals(), "OTHERS", processes())
    yield
    zygotes.close()


def make(notebook, *, files=None, **settings) -> Job:
    """A job, as it arrives on another machine."""
    given = Settings(execute=TRAITS, **{"limits": None, **settings})
    made = Job({"toy": nbformat.writes(notebook)}, files or {}, given)
    return pickle.loads(pickle.dumps(made))


def result(done: Done, grade_id: str) -> str:
    """What a cell showed."""
    notebook = nbformat.reads(pickle.loads(pickle.dumps(done)).notebooks["toy"], as_version=4)
    cell = toy.cell(notebook, grade_id)
    return "".join(
        str(output.get("data", {}).get("text/plain") or output) for output in cell.outputs
    )


OTHERS: list[psutil.Process] = []


def processes() -> list[psutil.Process]:
    """Return the processes to fork from that a test has started."""
    children = [each for each in psutil.Process().children() if each not in OTHERS]
    return [each for each in children if "autograder.kernels.zygote" in each.cmdline()]


def test_files_go_in_and_only_notebooks_come_out(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    reads = "open('left', 'w').write('mine')\nopen('data/numbers.txt').read()"
    notebook = toy.answers(half_parts=reads)
    work = make(notebook, files={"data/numbers.txt": b"1 2 3"})
    done = run_job.run(work)
    assert result(done, "half_parts") == "'1 2 3'"
    assert done.notebooks.keys() == {"toy"}
    assert list(tmp_path.iterdir()) == []


@linux
def test_jobs_share_one_process_to_fork_from(closed):
    with ThreadPoolExecutor(3) as pool:
        jobs = [make(toy.answers(half_parts=str(number))) for number in range(6)]
        done = list(pool.map(run_job.run, jobs))
    assert [result(each, "half_parts") for each in done] == [str(number) for number in range(6)]
    assert len(processes()) == 1
    run_job.close()
    assert not processes()


@linux
def test_nothing_is_left_of_what_made_the_kernel_warm():
    looks = "import sys\nimport matplotlib.pyplot as plt\n"
    looks += "left = {'figure', 'axes', 'wrong'} & set(globals())\n"
    looks += "errors = [name for name in vars(sys) if name.startswith('last_')]\n"
    looks += "(left, errors, plt.get_fignums(), In[1:-1], Out, _, __, ___)"
    notebook, modules = toy.answers(half_parts=looks), ("matplotlib.pyplot",)
    warm, cold = (run_job.run(make(notebook, modules=modules, warm=each)) for each in (True, False))
    assert result(warm, "half_parts") == result(cold, "half_parts")
    assert result(warm, "half_parts").split()[:3] == ["(set(),", "[],", "[],"]


@linux
def test_what_a_cell_has_shown_outlives_its_kernel():
    shows = "from IPython.display import display\ndisplay('shown')\n__import__('os')._exit(1)\n"
    done = run_job.run(make(toy.answers(half=shows + "def half(x):\n    return x / 2")))
    assert "'shown'" in result(done, "half")
    assert "the kernel died in this cell" in result(done, "half")


@linux
def test_a_lost_process_is_replaced(closed):
    assert result(run_job.run(make(toy.answers())), "half_parts") == "4.0"
    (zygote,) = processes()
    zygote.send_signal(signal.SIGKILL)
    assert result(run_job.run(make(toy.answers())), "half_parts") == "4.0"


def dies(tmp_path, times: int):
    """An answer whose kernel ends, so many times."""
    tally = tmp_path / "tally"
    code = f"tally = __import__('pathlib').Path({str(tally)!r})\ncount = int(tally.read_text())\n"
    code += (
        f"tally.write_text(str(count + 1))\nif count < {times}:\n    __import__('os')._exit(1)\n"
    )
    tally.write_text("0")
    return toy.answers(half=code + "def half(x):\n    return x / 2"), tally


@pytest.mark.parametrize("warm", [pytest.param(True, marks=linux), False])
def test_a_kernel_that_dies_once_was_killed_from_outside(tmp_path, warm):
    notebook, tally = dies(tmp_path, 1)
    assert result(run_job.run(make(notebook, warm=warm)), "half_parts") == "4.0"
    assert tally.read_text() == "2"


@linux
def test_what_dies_twice_has_itself_to_blame(tmp_path):
    notebook, tally = dies(tmp_path, 99)
    done = run_job.run(make(notebook))
    assert "the kernel died in this cell" in result(done, "half")
    assert "not run" in result(done, "half_parts")
    assert result(done, "double_visible") == ""
    assert tally.read_text() == "2"


@linux
def test_who_died_when_the_machine_had_no_memory_is_to_be_run_alone(tmp_path, monkeypatch):
    counts = iter(range(9))
    monkeypatch.setattr(run_job, "_killed_for_memory", lambda: next(counts))
    notebook, tally = dies(tmp_path, 99)
    assert run_job.run(make(notebook)).starved
    assert tally.read_text() == "1"
    alone = run_job.run(dataclasses.replace(make(notebook), alone=True))
    assert not alone.starved
    assert "the kernel died in this cell" in result(alone, "half")


@linux
def test_the_machine_says_how_many_it_has_killed():
    assert run_job._COUNTS.read_text().count("oom_kill ") == 1


def test_who_stops_the_run_stops_the_instructors_answers_too():
    done = toy.answers()
    toy.cell(done, "double_visible").outputs = [new_output("error", ename="E", evalue="wrong")]
    own = {"toy": nbformat.writes(toy.source())}
    work = make(done, warm=False)
    work = dataclasses.replace(work, instructors=own, with_answers=frozenset(own))
    stop = Event()
    stop.set()
    with pytest.raises(StoppedError):
        wrong_tests(work, Executed({"toy": done}), Runner(stop=stop))


def test_other_checks_judge_nobody():
    with pytest.raises(run_job.VersionError, match=f"are {version()}, the grader's are older"):
        run_job.run(make(toy.answers(), checks="older"))


def test_without_execution_a_notebook_stays_as_it_is():
    work = Job({"toy": "{}"}, {}, Settings(execute=None))
    assert run_job.run(work).notebooks == {"toy": "{}"}


def test_where_code_cannot_be_contained_the_person_must_say_so(course, monkeypatch):
    monkeypatch.setattr(options, "unavailable", lambda: "this is a test")
    with pytest.raises(GradingError, match=r"cannot be contained here: this is a test\.\n.*--unc"):
        grade(toy.CHAPTER, root=course, force=True)
    (outcome,) = grade(toy.CHAPTER, root=course, force=True, contained=False)
    assert outcome.score == 8


def test_our_settings_are_not_lost_with_nbgraders_own_kernels(course):
    with pytest.raises(GradingError, match="cannot be contained here: kernels are not forked here"):
        grade(toy.CHAPTER, root=course, warm=False, force=True)


def read_mark(root) -> dict:
    path = toy.file_of(root, "autograded", "alice")
    return json.loads(path.read_text("utf-8"))["metadata"]["autograder"]


def test_the_checks_that_judged_are_noted(course):
    assert read_mark(course)["checks"] == version()


EQUALS_ALL = """
class Anything:
    def __eq__(self, other):
        return True
def double(x):
    return Anything()
"""


@linux
def test_what_passes_beside_the_answers_only_is_flagged(tmp_path, capsys):
    root = toy.make(tmp_path)
    toy.submit(root, "alice", toy.answers(double=EQUALS_ALL))
    toy.submit(root, "bob", toy.answers())
    for new in (True, False):  # it is said again when nothing is graded anew
        alice, bob = grade(toy.CHAPTER, root=root, console=Console(width=250))
        assert (alice.new, alice.score) == (new, 8)
        assert alice.flagged and not bob.flagged
        words = "FLAGGED: passed beside the answers, not apart: double_visible, double_hidden"
        assert words in capsys.readouterr().out
    assert read_mark(root)["apart"]["doubts"].keys() == {"double_visible", "double_hidden"}
    (outcome,) = grade(toy.CHAPTER, root=root, students=["alice"], force=True, apart=False)
    assert outcome.findings is None and not outcome.flagged


def test_where_nothing_is_new_no_kernel_is_made_ready(course, closed, monkeypatch):
    monkeypatch.setattr(zygotes, "Zygote", None)  # to start one would be an error
    (alice,) = grade(toy.CHAPTER, root=course)
    assert alice.score == 8 and not alice.new


def test_a_long_list_of_cells_to_look_at_is_cut():
    five = Findings(doubts=dict.fromkeys("abcde", "why"))
    words = "apart: a, b, c, d and 1 more (a: why)"
    assert Outcome("x", True, findings=five).status.endswith(words)
    four = Findings(doubts=dict.fromkeys("abcd", "why"))
    assert Outcome("x", True, findings=four).status.endswith("apart: a, b, c, d (a: why)")


def test_why_someone_was_not_graded_is_kept(course, closed):
    path = toy.submit(course, "bob", b" ")
    (_, outcome) = grade(toy.CHAPTER, root=course)
    assert not processes()  # a run leaves none
    found = Course(course)
    (alice, bob) = find(found, toy.CHAPTER)
    assert reasons.read(found, toy.CHAPTER, bob) == outcome.notes[0] == "01_toy.ipynb is empty"
    assert reasons.read(found, toy.CHAPTER, alice) == ""
    path.write_bytes(b"  ")  # handed in anew: that reason is not known to hold
    assert reasons.read(found, toy.CHAPTER, bob) == ""
    toy.submit(course, "bob", toy.answers())
    grade(toy.CHAPTER, root=course)
    assert reasons.read(found, toy.CHAPTER, Submission("bob", bob.folder)) == ""
    assert sorted(os.listdir(course / "autograded")) == ["alice", "bob"]  # noqa: PTH208
