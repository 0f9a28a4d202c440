"""The library as students get it: what an exercise asks for is out of sight, and all else works."""

import ast
import base64
import functools
import json
import os
import re
import subprocess
import sys
import zlib

import pytest
from notebooks import CHAPTERS, EXAMPLE, RELEASED_CHAPTERS, mark, read
from places import ROOT
from zipped import FOLDER, zipped

from autograder.authoring.bundle import student_folder
from autograder.authoring.sealed import sealed, without_body

pytestmark = pytest.mark.long

PACKED = re.compile(r'^    "(.*)"$', re.MULTILINE)
# Shorter lines stand in many texts: `return counts` is nobody's answer.
TELLING = 40
GONE = "you build "


@functools.cache
def folder(*chapters):
    """The files that students get with these chapters; with all of them if none is named."""
    if chapters:
        return student_folder(ROOT, chapters)[0]
    return {name.removeprefix(f"{FOLDER}/"): zipped().read(name) for name in zipped().namelist()}


@functools.cache
def answers(name):
    """The solutions of a chapter by exercise: cells of the instructor's notebook."""
    cells = [cell for cell in read(name).cells if cell.cell_type == "code"]
    return {mark(cell)["grade_id"]: cell.source for cell in cells if mark(cell).get("solution")}


def exercises(name):
    """The names of the functions and classes that a chapter asks for."""
    return [ast.parse(text).body[-1].name for text in answers(name).values()]


def telling_lines(text):
    """The longer lines of the functions in a text, without docstrings: what only an answer says."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            words = ast.get_docstring(node) is not None
            for line in node.body[words:]:
                found = ast.unparse(line).splitlines()
                yield from (each.strip() for each in found if len(each.strip()) >= TELLING)


def readable(files):
    """Everything that can be read in the files, one text."""
    return "\n".join(
        content.decode() for name, content in files.items() if not name.endswith(".gz")
    )


def unsealed(content):
    """The text that a sealed module unpacks."""
    return zlib.decompress(base64.b85decode("".join(PACKED.findall(content.decode())))).decode()


@pytest.mark.parametrize("name", RELEASED_CHAPTERS)
def test_no_line_of_an_answer_is_in_any_file(name):
    text = readable(folder())
    notebooks = " ".join(each for each in folder() if each.endswith(".ipynb"))
    assert name in notebooks
    wanted = [line for answer in answers(name).values() for line in telling_lines(answer)]
    given = "\n".join(cell.source for cell in read(name, "release").cells)
    assert [line for line in wanted if line in text and line not in given] == []


def test_no_line_of_the_library_s_own_answers_is_in_any_file():
    text = readable(folder())
    names = {each for name in CHAPTERS for each in exercises(name)}
    seen = 0
    for path in [*ROOT.glob("dplib/*.py"), *ROOT.glob("autograder/check/claims/*/*.py")]:
        for node in ast.parse(path.read_text("utf-8")).body:
            if getattr(node, "name", None) in names:
                for line in telling_lines(ast.unparse(node)):
                    seen += 1
                    assert line not in text, f"{path}: {line}"
    assert seen > 100


def written(files, place):
    """Write what students get."""
    for name, content in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(content)


def run(files, place, code):
    """Run Python with the student's library; return what it prints."""
    written(files, place)
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(place)},
        cwd=place,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


ASK = """
import inspect, json, dplib
from autograder.check.claims import CLAIMS
def text(function):
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        return ""
public = {name: getattr(dplib, name) for name in dplib.__all__}
found = {name: text(value) for name, value in public.items() if callable(value)}
found |= {"claim " + name: text(getattr(CLAIMS[name], "reference", None)) for name in CLAIMS}
helped = {name: len(inspect.getdoc(value) or "") for name, value in public.items()}
print(json.dumps([dplib.__file__, found, helped]))
"""


def test_python_shows_no_source_and_still_helps(tmp_path):
    place, found, helped = json.loads(run(folder(), tmp_path, ASK))
    assert place.startswith(str(tmp_path))
    asked = {name for each in CHAPTERS for name in exercises(each)}
    assert len(asked & found.keys()) > 50 and sum(name.startswith("claim ") for name in found) >= 4
    assert {name for name, text in found.items() if text} == set()
    assert all(helped[name] > 40 for name in asked & helped.keys())


def test_what_no_chapter_needs_is_not_even_packed():
    files = folder(EXAMPLE)
    trees = {
        name: ast.parse(unsealed(content))
        for name, content in files.items()
        if name.startswith("dplib/") and b"b85decode" in content
    }
    bodies = {node.name: node for tree in trees.values() for node in tree.body if is_named(node)}
    place = CHAPTERS.index(EXAMPLE)
    later = [each for name in CHAPTERS[place + 1 :] for each in exercises(name) if each in bodies]
    gone = [name for name in later if GONE in ast.unparse(bodies[name])]
    assert len(gone) >= 0.8 * len(later), sorted(set(later) - set(gone))
    for name in gone:
        assert len([node for node in bodies[name].body if not is_words(node)]) == 1
    # What came before stays, and so does what the chapter's own cells and sliders need.
    for name in (each for chapter in CHAPTERS[:place] for each in exercises(chapter)):
        assert name not in bodies or GONE not in ast.unparse(bodies[name])
    claims = {name.split("/")[-1].removesuffix(".py") for name in files if "/claims/" in name}
    assert set(answers(EXAMPLE)) <= claims
    others = {each for name in CHAPTERS if name != EXAMPLE for each in answers(name)}
    assert len(others & claims) <= 0.1 * len(others)


def test_the_instructor_can_give_the_library_to_read():
    files = student_folder(ROOT, [EXAMPLE], open_library=True)[0]
    for name in ("dplib/laplace.py", "autograder/check/claims/composition/plan_cost.py"):
        assert files[name] == (ROOT / name).read_bytes()


def is_named(node):
    return isinstance(node, ast.FunctionDef | ast.ClassDef)


def is_words(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def test_a_sealed_module_runs_and_says_where_it_stopped():
    text = (
        '"""Words."""\nfrom __future__ import annotations\nx = "secret" * 2\ndef f(): return 1 / 0'
    )
    made = sealed("a.b", ast.parse(text))
    assert "secret" not in made and max(map(len, made.splitlines())) < 120
    space = {"__name__": "a.b"}
    exec(made, space)
    assert space["x"] == "secretsecret" and space["__doc__"] == "Words."
    with pytest.raises(ZeroDivisionError) as error:
        space["f"]()
    assert str(error.traceback[-1].path) == "<a.b>"


def test_without_its_body_a_function_keeps_its_help():
    text = 'def f(a, *, b=2):\n    """Help."""\n    return a\n'
    text += 'class C:\n    """It."""\n    x = 1\ny = 3'
    space = {}
    tree = without_body(ast.parse(text), {"f": "build f", "C": "build C"})
    exec(compile(tree, "<t>", "exec"), space)
    assert space["f"].__doc__ == "Help." and space["f"].__kwdefaults__ == {"b": 2}
    assert space["C"].__doc__ == "It." and not hasattr(space["C"], "x") and space["y"] == 3
    for name in ("f", "C"):
        with pytest.raises(NotImplementedError, match=f"build {name}"):
            space[name](1)
