"""A new chapter and a new exercise hold the rules of the house from their first minute."""

import os
import shutil
import subprocess
import sys

import pytest
import toy_course
from places import ROOT

from autograder.authoring.build import build, differences
from autograder.authoring.pair import BuildError
from autograder.authoring.scaffold import new_chapter, new_exercise

CHAPTER = "18_shuffled_answers"
NAMES = ["shuffle", "unshuffle", "mixed_noise", "crowd_size", "noisy_crowd"]


def run(project, *arguments):
    """Run Python in a project, with the project's own code."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(project), "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of this project with chapter 3 alone; then a new chapter, and a new exercise in 3."""
    folder = tmp_path_factory.mktemp("project")
    # With what is compiled: it counts as long as a text has its time, and a copy keeps that.
    for name in ("autograder", "dplib", "ville", "tests"):
        shutil.copytree(ROOT / name, folder / name)
    for top in ("course", "source"):  # students may not get chapter 3: release/ is made below
        shutil.copytree(ROOT / top / "03_laplace", folder / top / "03_laplace")
    for name in ("pyproject.toml", "nbgrader_config.py"):
        shutil.copy(ROOT / name, folder)
    commands = [
        ["new-chapter", CHAPTER, *NAMES[:3]],
        ["new-exercise", CHAPTER, NAMES[3]],
        ["new-exercise", CHAPTER, NAMES[4], "--noise"],
        ["new-exercise", "03_laplace", "noise_scale"],
        ["new-exercise", "03_laplace", "noisy_number", "--noise"],
    ]
    code = f"from autograder.cli import main; print(*map(main, {commands}))"
    done = run(folder, "-c", code)
    assert done.stdout.endswith("0 0 0 0 0\n"), done.stderr
    assert done.stdout.count("look for ✎") == len(commands)
    return folder


@pytest.mark.long
def test_it_holds_the_rules_passes_with_its_answers_and_fails_without(project):
    files = ["test_house_rules", "course/test_chapters", "course/test_numbers_and_minutes"]
    files += ["test_wrong_answers", "check/test_check_claims"]
    # The minutes are yet to be written, when the text is.
    words = f"({' or '.join([CHAPTER, *NAMES, 'noise_scale', 'noisy_number'])}) and not minutes"
    words += " and not shuffled_delta"  # a chapter has that one
    arguments = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", words]
    done = run(project, *arguments, *(f"tests/{name}.py" for name in files))
    assert done.returncode == 0, done.stdout[-3000:]


def test_it_is_formatted_and_in_step(project):
    claims = "autograder/check/claims"
    files = [f"{claims}/shuffled_answers/{name}.py" for name in ["__init__", *NAMES]]
    files += [f"{claims}/laplace/{name}.py" for name in ("noise_scale", "noisy_number")]
    files += [f"tests/wrong_answers/{name}.py" for name in (CHAPTER, "03_laplace")]
    for command in (["check"], ["format", "--check"]):
        done = run(project, "-m", "ruff", *command, *files)
        assert done.returncode == 0, done.stdout
    assert differences(project) == []


def test_an_empty_answer_is_told_so(project):
    code = "from autograder import check\ndef answer(sensitivity, *, epsilon):\n"
    code += "    raise NotImplementedError()\ncheck.shuffle(answer)"
    assert "○ shuffle: not answered yet" in run(project, "-c", code).stderr


def test_exercises_come_before_the_written_one_and_are_numbered(project):
    text = (project / "course" / "03_laplace" / "03_laplace.md").read_text("utf-8")
    titles = [line for line in text.splitlines() if line.startswith("### Exercise")]
    assert [line.split()[2] for line in titles] == [str(k) for k in range(1, len(titles) + 1)]
    words = ("`noise_scale`", "`noisy_number`", "read by a person")
    assert all(each in title for each, title in zip(words, titles[-3:], strict=True))


@pytest.fixture
def toy(tmp_path):
    """A project of one small chapter, with a place for claims."""
    toy_course.make(tmp_path)
    build(tmp_path)
    claims = tmp_path / "autograder" / "check" / "claims"
    (claims / "toys").mkdir(parents=True)
    (claims / "toys" / "known.py").write_text("")
    return tmp_path


def files(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("name", "exercises", "words"),
    [
        ("shuffling", [], "is no name for a chapter"),
        ("01_again", [], "01_toy has the number 01"),
        ("02_new", ["Noise"], "small letters"),
        ("02_new", ["class"], "small letters"),
        ("02_new", ["../noise"], "small letters"),
        ("02_new", ["known"], "is there already"),
        ("02_new", ["one", "one"], "given twice"),
        ("02_new", ["n" * 41], "longer than 40"),
    ],
)
def test_a_name_that_cannot_be_is_refused_and_nothing_is_written(toy, name, exercises, words):
    before = files(toy)
    with pytest.raises(BuildError, match=words):
        new_chapter(toy, name, exercises)
    assert files(toy) == before


def test_a_chapter_without_a_place_for_exercises_stays_as_it_was(toy):
    before = files(toy)
    with pytest.raises(BuildError, match="no heading “What goes wrong”"):
        new_exercise(toy, "01_toy", "noise")
    assert files(toy) == before


def test_what_cannot_be_built_leaves_everything_as_it_was(toy):
    toy_course.write(toy, toy_course.CHAPTER + "\n## 2 What goes wrong\n")
    build(toy)
    before = files(toy)
    with pytest.raises(BuildError, match="used twice"):
        new_exercise(toy, "01_toy", "two")
    assert files(toy) == before


def test_exercises_are_made_in_the_project_only(toy):
    shutil.rmtree(toy / "autograder" / "check" / "claims")
    with pytest.raises(BuildError, match="the project's own folder"):
        new_chapter(toy, "02_new")


def test_no_text_of_the_template_is_left_in_the_course():
    places = [*ROOT.glob("course/**/*.md"), *ROOT.glob("tests/wrong_answers/*.py")]
    places += ROOT.glob("autograder/check/claims/**/*.py")
    assert [path.name for path in places if "✎" in path.read_text("utf-8")] == []
