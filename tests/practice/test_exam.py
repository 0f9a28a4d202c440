"""Exams: each student's own tasks, judged by the instructor's key, in nbgrader's gradebook."""

import dataclasses
import re
import stat

import nbformat
import pytest
from nbgrader.api import Gradebook
from places import ROOT
from practice import exam_class
from practice.exam_class import hand_in, made_course, right
from practice.proof import answer
from rich.console import Console

from autograder import practice
from autograder.cli import main
from autograder.course_folders.course import GradingError
from autograder.course_folders.submitted_files import UnreadableError
from autograder.exam import key as keys
from autograder.exam import tasks
from autograder.exam.key import Key
from autograder.exam.new import new
from autograder.exam.notebook import MARK
from autograder.execution import verdicts
from autograder.gradebook_io.exports import export
from autograder.gradebook_io.roster import roster
from autograder.graded_notebook.marks import NOT_AS_IN_COURSE
from autograder.grading import grade
from autograder.grading.options import Options
from autograder.practice.program import program
from autograder.practice.task_mistakes import essence_of, mistakes
from autograder.regrade.preview import preview
from autograder.report.write import report

pytestmark = pytest.mark.long

CLASS = ["ada", "bob", "cyd", "dan"]
EXAM = "final"
SECRET = "5e" * 32


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course with an exam of two tasks, which everybody has handed in."""
    folder = tmp_path_factory.mktemp("exam")
    made_course(folder, CLASS)
    # A secret that is known, so that the tasks are: another one may give two of them that differ in
    # one part only, and then nothing is said of whose task an answer fits.
    keys.write(folder, Key(EXAM, SECRET, [(2, 4), (2, 5)], 5.0))
    new(EXAM, root=folder, students=folder / "roster.csv")
    _mark_anew(hand_in(folder, EXAM, "ada", right(folder, EXAM, "ada")))
    answers = right(folder, EXAM, "bob", "loops")
    (wrong, *_) = mistakes(exam_class.plans(folder, EXAM, "bob")[1])
    hand_in(folder, EXAM, "bob", answers | {1: program(wrong.plan, "task_2")})
    hand_in(folder, EXAM, "cyd", right(folder, EXAM, "ada"), "ada")
    path = hand_in(folder, EXAM, "dan", right(folder, EXAM, "dan"))
    _bring_parameters(path)
    hand_in(folder, EXAM, "eve", right(folder, EXAM, "ada"), "ada")
    return folder


def _mark_anew(path):
    """Give a notebook the mark of another course's exam."""
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata[MARK]["mark"] = "0" * 24
    nbformat.write(notebook, path)


def _bring_parameters(path):
    """Hand in a key, parameters in the notebook, and tests of one's own."""
    (path.parent / "final.json").write_text('{"secret": "00"}')
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata[MARK] |= {"tasks": ["always right"]}
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade"):
            cell.source = "print('passed')"
    nbformat.write(notebook, path)


@pytest.fixture(scope="module")
def outcomes(course):
    found = grade(EXAM, root=course, console=Console(quiet=True), workers=1)
    return {outcome.student: outcome for outcome in found}


def test_each_answer_is_judged_by_the_task_of_its_student(outcomes):
    scores = {name: outcome.score for name, outcome in outcomes.items()}
    assert scores == {"ada": 10, "bob": 5, "cyd": 0, "dan": 10, "eve": None}
    assert outcomes["bob"].points["task_2_test"] == 0
    assert not any(outcome.flagged for outcome in outcomes.values())
    # Nobody's cells are those of the notebook that nbgrader knows.
    assert not any(NOT_AS_IN_COURSE in outcome.status for outcome in outcomes.values())


def test_the_instructor_reads_whose_task_an_answer_fits(outcomes):
    words = outcomes["cyd"].status
    assert (
        "final.ipynb is the one that was handed out to ada; it is judged by the tasks of cyd"
        in (words)
    )
    assert "task_1 fits the task of ada: 10^9 times better than" in words
    assert "task_2 fits the task of ada" in words
    assert "Why, this cannot say" in words
    for name in ("ada", "bob", "dan"):
        assert "fits" not in outcomes[name].status


def test_a_notebook_of_another_course_is_judged_by_the_own_tasks(outcomes):
    words = outcomes["ada"].status
    assert "final.ipynb was not handed out in this exam; it is judged by the tasks of ada" in words


def test_an_exam_may_be_graded_again_in_a_copy(course, outcomes):
    quiet, how = Console(quiet=True), Options(workers=1)
    given = {"options": how, "students": ["bob"], "console": quiet}
    with preview(EXAM, root=course, **given) as found:
        assert found.scores == {"bob": (5, 5)}
        assert not found.changes


def test_parameters_that_are_handed_in_are_not_read(outcomes):
    assert "final.json was handed in: it is not read" in outcomes["dan"].status
    assert "brings parameters of its own: they are not read" in outcomes["dan"].status


def test_who_is_not_in_the_exam_is_told_so_and_nothing_is_lost(course, outcomes):
    assert not outcomes["eve"].graded
    assert (
        "eve has no tasks in final: nothing is judged. To add students:" in outcomes["eve"].status
    )
    assert (course / "submitted" / "eve" / EXAM / f"{EXAM}.ipynb").exists()


@pytest.mark.parametrize("system", ["canvas", "moodle"])
def test_who_is_not_in_the_exam_has_no_points_in_an_export(
    course, outcomes, tmp_path, capsys, system
):
    path = tmp_path / f"{system}.csv"
    command = ["export", system, EXAM, "-o", str(path)]
    assert main(["--root", str(course), *command]) == 3
    said = capsys.readouterr().out
    assert "Handed in and not graded, here as if nothing had come: final of eve" in said
    assert "older marks" not in said and "To be read by a person" not in said
    assert "eve" not in path.read_text()  # as she is in no class list


def test_the_gradebook_the_pages_the_report_and_the_exports_have_it(course, outcomes, tmp_path):
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        assert gradebook.find_submission(EXAM, "bob").score == 5
    page = (course / "feedback" / "bob" / EXAM / f"{EXAM}.html").read_text()
    assert "fits the task" not in page
    written = report(EXAM, root=course)
    assert any("fits the task of ada" in path.read_text() for path in written)
    path = tmp_path / "moodle.csv"
    export("moodle", root=course, chapters=(EXAM,), path=path)
    assert "bob" in path.read_text()


def test_no_plan_reaches_what_a_student_sees(course, outcomes):
    for folder in ("autograded", "feedback"):
        for path in (course / folder).rglob("final.*"):
            assert "add_remove\\" not in path.read_text()
            assert '\\"question\\"' not in path.read_text()
            assert "practice.judge(" not in path.read_text()
    for path in (course / "exams" / EXAM).rglob("*.ipynb"):
        text = path.read_text()
        assert "question" not in text
        assert keys.read(course, EXAM).secret not in text


def test_the_key_is_the_instructor_s_alone(course):
    mode = stat.S_IMODE((course / "exams" / f"{EXAM}.json").stat().st_mode)
    assert mode == 0o600


def test_who_comes_later_gets_tasks_and_the_others_keep_theirs(tmp_path):
    made_course(tmp_path, CLASS[:2])
    new(EXAM, root=tmp_path, students=tmp_path / "roster.csv", tasks_of_each=1, levels=[1])
    before = {name: exam_class.plans(tmp_path, EXAM, name) for name in CLASS[:2]}
    (tmp_path / "roster.csv").write_text("id\nada\nzoe\n")
    made = new(EXAM, root=tmp_path, students=tmp_path / "roster.csv")
    assert made.added == ("zoe",)
    assert {name: exam_class.plans(tmp_path, EXAM, name) for name in CLASS[:2]} == before
    with pytest.raises(GradingError, match="leave out --tasks and --points to add students"):
        new(EXAM, root=tmp_path, students=tmp_path / "roster.csv", tasks_of_each=3, points=2)


def test_the_class_list_of_the_course_is_read(tmp_path):
    """As docs/practice.md has it."""
    made_course(tmp_path, ["ada", "zoé"])
    roster(tmp_path / "roster.csv", root=tmp_path).write()
    text = (ROOT / "docs" / "practice.md").read_text("utf-8")
    (command,) = re.findall(r"^autograder (exam new .*)", text, re.M)
    *words, listed = command.split()
    assert main(["--root", str(tmp_path), *words, str(tmp_path / listed)]) == 0
    assert keys.read(tmp_path, EXAM).students.keys() == {"ada", "zoé"}


def test_all_have_equally_hard_tasks_and_no_two_have_one_law():
    key = Key(EXAM, "5e" * 32, tasks.slots_of([2, 3, 4], 3, 1), 5.0)
    key = tasks.with_students(key, [f"student{number}" for number in range(40)])
    found = [tasks.plans_of(key, student) for student in key.students]
    for place, (level, parts) in enumerate(key.slots):
        assert {(plans[place].level, plans[place].parts()) for plans in found} == {(level, parts)}
        assert len({essence_of(plans[place]) for plans in found}) == len(found)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["grade", "midterm"], "midterm.json is missing, so nobody's tasks are known"),
        (["new", "a/b", "--students", "roster.csv"], "is no name for an exam"),
        (["new", "x", "--students", "nobody.csv"], "nobody.csv: No such file"),
        (["new", "x", "--students", "roster.csv", "--tasks", "0"], "at least one task, not 0"),
        (["new", "x", "--students", "roster.csv", "--levels", "7"], "levels are 1 to 6, not 7"),
        (["new", "x", "--students", "roster.csv", "--points", "0"], "points must lie between"),
        (["new", "03_laplace", "--students", "roster.csv"], "source/03_laplace is there"),
        (["grade", "final", "--verify", "1"], "leave out --verify"),
    ],
)
def test_wrong_use_is_met_with_a_sentence(tmp_path, capsys, monkeypatch, arguments, words):
    made_course(tmp_path, ["ada"])
    (tmp_path / "source" / "03_laplace").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    keys.write(tmp_path, Key("final", "5e" * 32, [(1, 2)], 5.0))
    assert main(["exam", *arguments]) == 1
    said = capsys.readouterr().err
    assert words in said
    assert said.startswith(f"cannot {'make' if arguments[0] == 'new' else 'grade'} the exam: ")


def test_tasks_stay_as_they_were_drawn_when_the_grammar_changes(tmp_path, monkeypatch):
    made_course(tmp_path, ["ada"])
    new(EXAM, root=tmp_path, students=tmp_path / "roster.csv", tasks_of_each=1, levels=[1])
    before = exam_class.plans(tmp_path, EXAM, "ada")
    handed_out = tmp_path / "exams" / EXAM / "ada" / EXAM / f"{EXAM}.ipynb"
    text = handed_out.read_text()
    monkeypatch.setattr(tasks, "drawn_plan", None)
    new(EXAM, root=tmp_path, students=tmp_path / "roster.csv")
    assert exam_class.plans(tmp_path, EXAM, "ada") == before
    assert handed_out.read_text() == text
    key = keys.read(tmp_path, EXAM)
    keys.write(tmp_path, dataclasses.replace(key, students={"ada": ['{"question":"median"}']}))
    with pytest.raises(GradingError, match="there is no question 'median'"):
        exam_class.plans(tmp_path, EXAM, "ada")


@pytest.mark.parametrize("text", ["{}", "[", '{"exam": 1, "secret": "zz", "slots": []}'])
def test_a_damaged_key_is_met_with_a_sentence(tmp_path, text):
    (tmp_path / "exams").mkdir()
    (tmp_path / "exams" / "final.json").write_text(text)
    with pytest.raises(GradingError, match="is no key of an exam"):
        keys.read(tmp_path, EXAM)


def test_a_test_that_was_not_replaced_gives_no_points():
    with pytest.raises(RuntimeError, match="is judged by `autograder exam grade`"):
        practice.not_judged_here("task_1")
    with pytest.raises(UnreadableError, match="zoe has no tasks in final"):
        tasks.plans_of(Key(EXAM, "5e" * 32, [(1, 2)], 5.0), "zoe")


def test_a_mistake_of_the_own_task_fits_nobody_s(tmp_path):
    key = Key(EXAM, "5e" * 32, [(2, 4)], 5.0)
    key = tasks.with_students(key, [f"student{number}" for number in range(12)])
    own, *others = [tasks.plans_of(key, student)[0] for student in key.students]
    texts = {f"student{k}": plan.text() for k, plan in enumerate(others)}
    for mistake in mistakes(own)[:4]:
        assert practice.fits(answer(mistake.plan), own.text(), texts) == ""
    assert practice.fits(answer(others[3], "loops"), own.text(), texts) == "student3"
    assert practice.fits(lambda people, *, epsilon: 1.0, own.text(), texts) == ""
    assert practice.fits(lambda: 1.0, own.text(), texts) == ""


def test_no_process_with_a_students_code_holds_a_plan(course, outcomes):
    """Every run of an exam is apart, and nobody's own tests are asked of the instructor first."""
    runs = []
    real = verdicts.executed

    def executed(job, zygote, stop, core, splits=None, hurried=None):
        runs.append(splits is not None)
        return real(job, zygote, stop, core, splits, hurried)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(verdicts, "executed", executed)
        how = Options(workers=1)
        given = {"options": how, "students": ["bob"], "console": Console(quiet=True)}
        with preview(EXAM, root=course, **given):
            assert runs == [True]
