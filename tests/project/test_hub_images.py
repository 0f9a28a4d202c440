"""The files that go into the images of a hub on a cluster, without Docker: no answers, no marks."""

import fnmatch
from pathlib import Path

import pytest
import yaml
from places import ROOT

pytestmark = pytest.mark.quick

HUB = ROOT / "deploy" / "hub"
STUDENTS, INSTRUCTOR = HUB / "students.Dockerfile", HUB / "instructor.Dockerfile"
# What may lie in a course's folder beside what is in git.
PRIVATE = (
    *("gradebook.db", "gradebook.db-wal", "class_list.csv", "extensions.csv", ".git/config"),
    *("course/03_laplace/03_laplace.md", "source/03_laplace/03_laplace.ipynb", "exams/key.json"),
    *("submitted/ann/03_laplace/03_laplace.ipynb", "autograded/ann/x.ipynb", "feedback/ann/x.html"),
    *("tests/wrong_answers/03_laplace.py", "release/x/x.ipynb", "build/study/messages.md"),
    *("nbgrader_config.py", "reports/x.csv", "downloaded/x.zip", ".venv/bin/python", "demo/x"),
)
OF_STUDENTS = ("build/hub/students/README.md", "build/hub/students/dplib/__init__.py")
OF_THE_GRADER = (
    "autograder/check/claims/laplace.py",
    "autograder/grading/run.py",
    "dplib/noise.py",
)
SETTINGS = ("student/jupyter_server_config.json", "instructor/nbgrader_config.py")
SHARED = ("requirements.lock", "pyproject.toml", "README.md", "LICENSE")


def copied(dockerfile: Path) -> list[tuple[list[str], str]]:
    """Return what each line copies from the folder, and to where."""
    lines = [line.split() for line in dockerfile.read_text("utf-8").splitlines()]
    return [(line[1:-1], line[-1]) for line in lines if line and line[0] in ("COPY", "ADD")]


def sent(name: str) -> bool:
    """Say whether Docker would see a file: the last pattern that fits it, or a folder, decides."""
    seen, path = True, Path(name)
    for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines():
        pattern = line.strip()
        if not pattern or pattern.startswith("#"):
            continue
        wanted = pattern.removeprefix("!")
        tried = [str(path), *map(str, path.parents[:-1])]
        inside = wanted.removeprefix("**/")
        fits = any(fnmatch.fnmatchcase(each, wanted) for each in tried)
        if wanted != inside:
            fits = any(fnmatch.fnmatchcase(part, inside) for part in path.parts)
        if fits:
            seen = pattern.startswith("!")
    return seen


def image(dockerfile: Path) -> set[str]:
    """Return which of a course's files, with all that may be private, go into an image."""
    settings = [f"deploy/hub/{name}" for name in SETTINGS]
    known = [*PRIVATE, *OF_STUDENTS, *OF_THE_GRADER, *settings, *SHARED]
    sources = [source for sources, _ in copied(dockerfile) for source in sources]
    return {
        name
        for name in known
        if sent(name) and any(Path(name).is_relative_to(source) for source in sources)
    }


def test_a_students_image_holds_what_publish_makes_and_no_answers():
    student, instructor = (f"deploy/hub/{name}" for name in SETTINGS)
    assert image(STUDENTS) == {*OF_STUDENTS, student, "requirements.lock"}
    assert image(INSTRUCTOR) == {*OF_THE_GRADER, instructor, *SHARED}


@pytest.mark.parametrize("dockerfile", [STUDENTS, INSTRUCTOR])
def test_nothing_private_is_sent_even_where_a_whole_folder_is_copied(dockerfile):
    assert not [name for name in PRIVATE if sent(name)]
    assert all(sent(name) for name in (*OF_STUDENTS, *OF_THE_GRADER, *SHARED))
    assert all(source != "." for sources, _ in copied(dockerfile) for source in sources)


def test_all_that_is_copied_is_there():
    sources = {
        source for each in (STUDENTS, INSTRUCTOR) for some, _ in copied(each) for source in some
    }
    missing = {source for source in sources if not (ROOT / source).exists()}
    assert missing <= {"build/hub/students"}  # made by `autograder publish`


def test_students_and_instructor_get_their_own_image_and_settings_and_share_no_folder():
    values = yaml.safe_load((HUB / "values.yaml").read_text("utf-8"))
    assert values["singleuser"]["image"]["name"].endswith("-students")
    assert "extraVolumes" not in values["singleuser"]["storage"]
    given: dict = {"c": type("c", (), {"Spawner": type("Spawner", (), {})})}
    exec(values["hub"]["extraConfig"]["course"], given)
    for name, part in (("ann", "student"), ("instructor", "instructor")):
        spawner = type("Spawner", (), {"user": type("User", (), {"name": name}), "image": ""})()
        spawner.environment = {}
        given["settings_for"](spawner)
        assert spawner.environment["JUPYTER_CONFIG_PATH"] == f"/opt/hub/{part}:/opt/hub"
        assert ("instructor" in spawner.image) == (part == "instructor")
        at = {target for _, target in copied(INSTRUCTOR if part == "instructor" else STUDENTS)}
        assert {f"/opt/hub/{part}", "/opt/hub/nbgrader_config.py"} <= at
