"""How fast a class's feedback pages are made, beside `nbgrader generate_feedback`.

Run: python benchmarks/feedback.py [SUBMISSIONS] (60 if not said; about two minutes)

A class of the demo's students is graded once. Then both make everyone's page from the same graded
notebooks, in turn, on two cores, each as a program that starts from nothing: nbgrader with its own
settings, and the part of a grading run that makes the pages.
"""

import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from _figures import CORES, ROOT, figure, on_two_cores, seconds

CHAPTER = "03_laplace"
TARGET = 5.0


def graded(folder: Path, submissions: int) -> Path:
    """Return a course with this many graded submissions, and no page yet."""
    from autograder.demo.demo_class import make
    from autograder.demo.students import STUDENTS

    names = [name for name, who in STUDENTS.items() if not (who.unreadable or who.timed_out)]
    course = make(ROOT, folder / "course", names)
    for number, name in zip(range(len(names), submissions), itertools.cycle(names), strict=False):
        shutil.copytree(course / "submitted" / name, course / "submitted" / f"{name}_{number}")
    run([sys.executable, "-m", "autograder", "--root", str(course), "grade", CHAPTER], course)
    shutil.rmtree(course / "feedback")
    return course


def run(arguments: list[str], folder: Path) -> float:
    """Run a command in a folder, and return its seconds."""
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    how = {"cwd": folder, "env": os.environ | {"PATH": programs}}
    (taken,) = seconds(lambda: subprocess.run(arguments, **how, check=True, capture_output=True))
    return taken


def make_pages(root: Path) -> None:
    """Make everyone's page, as `autograder grade` does beside its grading."""
    from autograder.imports import import_quickly

    import_quickly()
    from autograder.course_folders.course import Course
    from autograder.feedback.pages import Feedback
    from autograder.feedback.workers import Pages

    course = Course(root)
    with course.environment():
        pages = Pages(Feedback(course, CHAPTER), CORES)
        students = sorted(path.parent.name for path in (root / "autograded").glob(f"*/{CHAPTER}"))
        for page in [pages.make(student) for student in students]:
            page.result()
        pages.close()


def written(course: Path) -> int:
    """Return how many pages there are."""
    return len(list((course / "feedback").glob(f"*/{CHAPTER}/{CHAPTER}.html")))


def main() -> None:
    if len(sys.argv) > 2:
        make_pages(Path(sys.argv[2]))
        return
    on_two_cores()
    submissions = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    with tempfile.TemporaryDirectory() as name:
        plain = graded(Path(name), submissions)
        ours = Path(shutil.copytree(plain, Path(name) / "ours"))
        (plain / "nbgrader_config.py").write_text("c = get_config()\n", "utf-8")
        theirs = run([sys.executable, "-m", "nbgrader", "generate_feedback", CHAPTER], plain)
        our = run([sys.executable, __file__, "0", str(ours)], ours)
        if not written(plain) == written(ours) == submissions:
            raise SystemExit(f"pages are missing: {written(plain)} and {written(ours)}")
    ratio = theirs / our
    print(f"{submissions} feedback pages, {CORES} cores: seconds")
    print(f"nbgrader generate_feedback {theirs:6.1f}")
    print(f"autograder                 {our:6.1f}")
    figure("feedback_ratio", ratio, TARGET, least=True)
    print(f"ratio={ratio:.1f}")


if __name__ == "__main__":
    main()
