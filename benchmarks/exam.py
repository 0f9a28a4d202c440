"""How long an exam takes to grade in which each student has tasks of their own.

Run: python benchmarks/exam.py [STUDENTS] (30 if not said; 300 take ten minutes of two free cores)

Everybody hands in four tasks, levels 2 to 4, and all is on: tests apart and feedback pages. Four
in five answers are right, in two styles. Of the wrong ones every fifth is the neighbor's answer to
their own task, the others have one of the task's mistakes. Two figures count: half of the CPU of
all processes, which is what two free cores need at least, and how many scores are not the ones that
the answers deserve.
"""

import sys
import tempfile
from pathlib import Path

from _figures import CORES, ROOT, figure
from classroom import begin, ours, show

sys.path += [str(ROOT), str(ROOT / "tests")]
from practice.exam_class import hand_in, made_course, plans, right

EXAM, POINTS = "final", 5
STUDENTS, MINUTES = 300, 10


def handed_in(folder: Path, students: list[str]) -> tuple[dict[str, float], set[str]]:
    """Hand in everybody's answers; return the scores that they deserve, and who copied."""
    from autograder.practice.program import program
    from autograder.practice.task_mistakes import mistakes

    deserved, copied = {}, set()
    for number, student in enumerate(students):
        answers = right(folder, EXAM, student, ("arrays", "loops")[number % 2])
        for task, plan in enumerate(plans(folder, EXAM, student)):
            turn = len(answers) * number + task
            if turn % 25 == 0:
                answers[task] = right(folder, EXAM, students[number - 1])[task]
                copied.add(student)
            elif turn % 5 == 0:
                known = mistakes(plan)
                wrong = known[turn // 5 % len(known)].plan
                answers[task] = program(wrong, f"task_{task + 1}")
        wrong = sum((len(answers) * number + task) % 5 == 0 for task in answers)
        deserved[student] = POINTS * (len(answers) - wrong)
        hand_in(folder, EXAM, student, answers)
    return deserved, copied


def scores(folder: Path) -> dict[str, float]:
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
        found = gradebook.assignment_submissions(EXAM)
        return {submission.student.id: submission.score for submission in found}


def main() -> None:
    from autograder.exam.new import new

    begin()
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    students = [f"student{place:03}" for place in range(number)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made_course(folder, students)
        new(EXAM, root=folder, students=folder / "roster.csv", points=POINTS)
        deserved, copied = handed_in(folder, students)
        spent = ours(folder, EXAM)
        came = scores(folder)
    wrong = [student for student, score in deserved.items() if came.get(student) != score]
    show(f"{number} students, {len(copied)} with a neighbor's answer", spent)
    show("  each", spent / number)
    minutes = spent.cpu / number * STUDENTS / CORES / 60
    figure(f"exam_minutes_for_{STUDENTS}", minutes, MINUTES)
    figure("exam_wrong_scores", len(wrong), 0)
    print(*wrong[:5])


if __name__ == "__main__":
    main()
