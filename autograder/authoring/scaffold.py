"""Makes new chapters and exercises from one template that builds, with checks that pass and fail.

Every place that a person must fill in holds a ✎.
"""

import ast
import keyword
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograder.authoring.build import build, chapters, kept_on_failure
from autograder.authoring.chapter_list import add
from autograder.authoring.numbering import renumbered
from autograder.authoring.pair import BuildError, course_text, source_notebook

_TEMPLATE = Path(__file__).parent / "template"
_ANSWERS = '''"""Answers to chapter {number}'s exercises, as data, for the tests of its checks.

WRONG[exercise] is a list of (answer, words that must name the mistake), RIGHT[exercise] of answers.
"""

WRONG, RIGHT = {{}}, {{}}
'''
_BY_HAND = re.compile(r"^### Exercise \d+ .*read by a person", re.MULTILINE)
_WRONG_PART = re.compile(r"^## \d+ What goes wrong", re.MULTILINE)
_LEAST = 4  # exercises of a chapter


def new_chapter(root: Path, name: str, exercises: Sequence[str] = ()) -> list[Path]:
    """Write a chapter with all its parts, its exercises with claims and answers, and build it.

    Args:
      root: the project's folder.
      name: two digits and words, for example "18_shuffling".
      exercises: names of functions; four are made up if none is given.

    Returns:
      The files written.

    Raises:
      BuildError: a name is taken or cannot be used. Nothing has been written then.
    """
    if not re.fullmatch(r"\d\d(_[a-z0-9]+)+", name):
        raise BuildError(f"{name!r} is no name for a chapter: two digits and words, 18_shuffling")
    number, _, words = name.partition("_")
    taken = [path.stem for path in chapters(root) if path.stem.startswith(f"{number}_")]
    if taken:
        raise BuildError(f"{taken[0]} has the number {number}")
    exercises = exercises or [f"{words}_{k}" for k in range(1, _LEAST + 1)]
    text = (_TEMPLATE / "chapter.md").read_text("utf-8")
    text = text.replace(
        "# 0 Chapter title", f"# {int(number)} {words.replace('_', ' ').capitalize()}"
    )
    text = text.replace("default_rng(0)", f"default_rng({int(number)})")
    chapter_list = root / "course" / "chapters.txt"
    with kept_on_failure(chapter_list):
        path = root / "course" / name / f"{name}.md"
        return [*add(root, name), *_write(root, path, text, exercises)]


def new_exercise(root: Path, chapter: str, name: str, *, noise: bool = False) -> list[Path]:
    """Add an exercise with its claim and its answers to a chapter, and build it.

    It comes before the first exercise that a person grades, and the headings are numbered anew.

    Args:
      root: the project's folder.
      chapter: for example "03_laplace".
      name: the function that students write.
      noise: whether its answers are random: noise on a number, judged against its law.

    Returns:
      The files written or changed.

    Raises:
      BuildError: there is no such chapter, or the name is taken or cannot be used. Nothing has
        been written then.
    """
    (path,) = chapters(root, [chapter])
    return _write(root, path, path.read_text("utf-8"), [name], "noise_" if noise else "")


def _write(
    root: Path, path: Path, text: str, exercises: Sequence[str], kind: str = ""
) -> list[Path]:
    claims = root / "autograder" / "check" / "claims"
    topic = claims / _topic(claims, path.stem, text)
    answers = root / "tests" / "wrong_answers" / f"{path.stem}.py"
    _check_names(claims, exercises)
    made = {path: text, answers: _answers(answers, path.stem)}
    if not (topic / "__init__.py").exists():
        made[topic / "__init__.py"] = f'"""✎ Claims about {topic.name}."""\n'
    for name in exercises:
        made[path] = _with_exercise(path, made[path], _filled(f"{kind}exercise.md", name))
        made[topic / f"{name}.py"] = _filled(f"{kind}claim.py", name)
        made[answers] += _filled(f"{kind}answers.txt", name)
    made[answers] = _with_numpy(made[answers])
    with kept_on_failure(*made):
        for file, content in made.items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, "utf-8", newline="\n")
        # As JupyterLab would save it.
        path.write_text(course_text(source_notebook(path), path), "utf-8", newline="\n")
        return [*made, *build(root, [path.stem])]


def _check_names(claims: Path, exercises: Sequence[str]) -> None:
    if not claims.is_dir():
        raise BuildError(f"{claims} is missing: exercises are made in the project's own folder")
    for name, problem in _problems(claims, exercises):
        raise BuildError(f"{name!r} cannot be an exercise: {problem}")


def _problems(claims: Path, exercises: Sequence[str]) -> Iterator[tuple[str, str]]:
    for position, name in enumerate(exercises):
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
            yield name, "a Python name in small letters is needed, for example noisy_count"
        if len(name) > 40:
            yield name, "it is longer than 40 letters"
        for path in claims.glob(f"*/{name}.py"):
            yield name, f"{path} is there already"
        if name in exercises[:position]:
            yield name, "it is given twice"


def _topic(claims: Path, chapter: str, text: str) -> str:
    """Return the folder of the claims that a chapter calls; a new chapter's has its name."""
    called = re.findall(r"^check\.(\w+)\(", text, re.MULTILINE)
    topics = [path.parent.name for name in called for path in claims.glob(f"*/{name}.py")]
    return max(topics, key=topics.count, default=chapter.partition("_")[2])


def _answers(path: Path, chapter: str) -> str:
    """Return the text of a chapter's file of known answers, or the beginning of a new one."""
    if path.exists():
        return path.read_text("utf-8")
    return _ANSWERS.format(number=chapter[:2])


def _with_numpy(answers: str) -> str:
    """Return the text of known answers, with the import that its answers need."""
    if "np." not in answers or re.search("^import numpy as np$", answers, re.MULTILINE):
        return answers
    docstring = ast.parse(answers).body[0]
    lines = answers.splitlines(keepends=True)
    lines.insert(docstring.end_lineno, "\nimport numpy as np\n")
    return "".join(lines)


def _with_exercise(path: Path, text: str, exercise: str) -> str:
    """Return a chapter's text with one more exercise."""
    place = _BY_HAND.search(text) or _WRONG_PART.search(text)
    if place is None:
        raise BuildError(f"{path}: no heading “What goes wrong” to put the exercise before")
    before, after = text[: place.start()], text[place.start() :]
    return renumbered(f"{before}{exercise}\n{after}")[0]


def _filled(template: str, name: str) -> str:
    return (_TEMPLATE / template).read_text("utf-8").replace("exercise_name", name)
