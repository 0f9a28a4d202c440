"""`autograder COMMAND`: each command says what it is, starts at once, fails with a sentence."""

import importlib
import io
import os
import subprocess
import sys

import pytest
import toy_course
from places import ROOT

from autograder.authoring.build import build
from autograder.cli import main
from autograder.grading.options import Options
from autograder.problem import Problem

COMMANDS = [
    "build", "adopt", "bundle", "lab", "new-chapter", "new-exercise",
    "roster", "grade", "report", "export", "grade-demo",
]  # fmt: skip


@pytest.fixture
def toy(tmp_path):
    """A course of one small chapter, built."""
    toy_course.make(tmp_path)
    build(tmp_path)
    return tmp_path


def test_the_course_is_named_before_the_command(capsys):
    with pytest.raises(SystemExit):
        main(["export", "canvas", "--root", "course"])
    assert "--root stands before the command: autograder --root FOLDER" in capsys.readouterr().err


def test_assignments_of_any_name_are_near_too(toy, capsys):
    """Other courses number nothing, and an exam has a name of its own."""
    (toy / "source" / "final").mkdir()
    assert main(["--root", str(toy), "report", "finl"]) == 1
    assert "Is finl one of these? final\n" in capsys.readouterr().err


def test_the_help_names_every_command_and_each_has_its_own(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    said = capsys.readouterr().out
    assert ended.value.code == 0
    for command in COMMANDS:
        assert f"\n    {command}" in said
        with pytest.raises(SystemExit):
            main([command, "--help"])
        own = capsys.readouterr().out
        assert own.startswith(f"usage: autograder {command}") and ".\n" in own


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("1_toy", "Is 1_toy one of these? 01_toy\n"),
        ("1", "Is 1 one of these? 01_toy\n"),
        ("toy", "Is toy one of these? 01_toy\n"),
        ("17_toy", "Is 17_toy one of these? 01_toy\n"),
        ("01_tyo", "Is 01_tyo one of these? 01_toy\n"),
        ("12_other", "There are these chapters: 01_toy\n"),
    ],
)
@pytest.mark.parametrize("command", ["build", "adopt", "bundle", "grade", "report", "new-exercise"])
def test_a_wrong_chapter_is_told_with_the_names_near_it(toy, capsys, command, name, words):
    arguments = [name, "noise"] if command == "new-exercise" else [name]
    assert main(["--root", str(toy), command, *arguments]) == 1
    said = capsys.readouterr().err
    doing = "make the exercise" if command == "new-exercise" else command
    assert said.startswith(f"cannot {doing}: ") and said.endswith(words)


@pytest.mark.parametrize("command", ["build", "report"])
def test_a_folder_without_chapters_lists_none(tmp_path, capsys, command):
    assert main(["--root", str(tmp_path), command, "03_laplace"]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"cannot {command}: ") and "chapters: none" not in said
    assert command == "build" or f"{tmp_path} is no course: " in said


@pytest.mark.parametrize(
    ("command", "needs"),
    [("publish", "folder"), ("export", "system"), ("new-chapter", "name")],
)
def test_only_what_a_command_needs_is_asked_for(tmp_path, capsys, command, needs):
    with pytest.raises(SystemExit) as ended:
        main(["--root", str(tmp_path), command])
    assert ended.value.code == 2
    assert f"the following arguments are required: {needs}\n" in capsys.readouterr().err


def test_a_wrong_command_or_option_is_told(toy, capsys):
    for arguments in (["bild"], ["build", "--chek"], ["grade", "01_toy", "--workers", "none"]):
        with pytest.raises(SystemExit) as ended:
            main(["--root", str(toy), *arguments])
        assert ended.value.code == 2
    assert "none is no whole number from 1 on" in capsys.readouterr().err


def test_the_folder_may_be_named_from_here(toy, monkeypatch, capsys):
    monkeypatch.chdir(toy.parent)
    assert main(["--root", toy.name, "build", "--check"]) == 0
    assert "agree" in capsys.readouterr().out


class Asked(Problem):
    """Holds what a part was asked to do, and ends it there."""


@pytest.fixture
def asked(monkeypatch):
    """A function that runs a command, and returns what the part behind it was called with."""

    def run(module, name, *arguments):
        def part(*positional, **keywords):
            calls.append((positional, keywords))
            raise Asked("enough")

        calls = []
        monkeypatch.setattr(importlib.import_module(f"autograder.{module}"), name, part)
        assert main(["--root", "/", *arguments]) == 1
        ((positional, keywords),) = calls
        return positional, {str(key): value for key, value in keywords.items()}

    return run


def test_grade_hands_on_every_option(asked):
    positional, plain = asked("grading.run", "grade", "grade", "03_laplace")
    assert positional == ("03_laplace",)
    assert plain["students"] is None and plain["verify"] == 0
    assert plain["options"] == Options()
    assert plain["options"].apart and plain["options"].contained
    options = "--student ann --student bob --force --workers 3 --cluster tcp://host:1 --verify 5"
    options = [*options.split(), "--beside", "--uncontained"]
    _, given = asked("grading.run", "grade", "grade", "03_laplace", *options)
    assert given["students"] == ["ann", "bob"] and given["verify"] == 5
    how = {"force": True, "workers": 3, "cluster": "tcp://host:1"}
    assert given["options"] == Options(**how, apart=False, contained=False)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says which cores are ours")
@pytest.mark.parametrize(
    ("module", "name", "again"),
    [("grading.run", "grade", []), ("regrade.preview", "again", ["--again"])],
)
def test_as_many_notebooks_run_as_a_container_has_cores(asked, monkeypatch, module, name, again):
    monkeypatch.setattr("os.sched_getaffinity", lambda _process: {0, 5, 7})
    monkeypatch.setattr("os.cpu_count", lambda: 64)
    _, keywords = asked(module, name, "grade", "03_laplace", *again)
    assert keywords["options"].workers == 3


@pytest.mark.parametrize(
    ("options", "terminal", "typed", "yes"),
    [
        (["--yes"], False, "", True),
        ([], False, "y", False),  # nobody is there to ask
        ([], True, "y\n", True),
        ([], True, "Yes\n", True),
        ([], True, "\n", False),
        ([], True, "no\n", False),
    ],
)
def test_grade_again_asks_before_it_writes(asked, monkeypatch, options, terminal, typed, yes):
    stdin = io.StringIO(typed)
    stdin.isatty = lambda: terminal
    monkeypatch.setattr(sys, "stdin", stdin)
    how = ["--workers", "2", "--uncontained", *options]
    positional, keywords = asked("regrade.preview", "again", "grade", "03_laplace", "--again", *how)
    assert positional == ("03_laplace",) and keywords["confirm"]() is yes
    assert keywords["options"].workers == 2 and not keywords["options"].contained


@pytest.mark.parametrize(
    "order",
    [
        "FOLDER 03_laplace 04_composition --address {}",
        "FOLDER --address {} 03_laplace 04_composition",
        "FOLDER 03_laplace --address {} 04_composition",
        "--address {} FOLDER 03_laplace 04_composition",
    ],
)
def test_a_chapter_may_stand_behind_an_option(asked, order):
    address = "https://github.com/someone/course"
    given = order.format(address).split()
    positional, keywords = asked("authoring.publish", "publish", "publish", *given)
    assert positional[1].name == "FOLDER" and keywords["address"] == address
    assert positional[2] == ["03_laplace", "04_composition"]


def test_what_belongs_to_no_command_is_told_by_its_name(toy, capsys):
    with pytest.raises(SystemExit):
        main(["--root", str(toy), "publish", "FOLDER", "--adress", "https://a", "01_toy"])
    assert "unknown argument: --adress" in capsys.readouterr().err


def test_yes_alone_is_a_mistake(toy, capsys):
    assert main(["--root", str(toy), "grade", "01_toy", "--yes"]) == 1
    assert "--yes goes with --again" in capsys.readouterr().err


def test_what_grade_again_does_not_do_is_refused(toy, capsys):
    assert main(["--root", str(toy), "grade", "01_toy", "--again", "--verify", "3"]) == 1
    assert "--verify compares" in capsys.readouterr().err


def test_a_stop_by_the_keyboard_is_no_traceback(toy, monkeypatch):
    def stop(*arguments, **keywords):
        raise KeyboardInterrupt

    monkeypatch.setattr("autograder.authoring.build.build", stop)
    assert main(["--root", str(toy), "build"]) == 130


def test_a_reader_who_stops_reading_is_no_traceback():
    """As in `autograder progress | head -1`."""
    nobody, written = os.pipe()
    os.close(nobody)
    with os.fdopen(written, "wb") as closed:
        ended = subprocess.run(
            [sys.executable, "-m", "autograder", "progress"],
            stdout=closed,
            stderr=subprocess.PIPE,
            cwd=ROOT,
        )
    assert ended.stderr == b""
