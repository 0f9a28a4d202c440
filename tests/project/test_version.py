"""The version that stands with a score: it changes with what judges, and with nothing else."""

import functools
import io
import shutil
import token
import tokenize

import pytest

from autograder import version as version_module
from autograder.version import judging_code, judging_files, version

pytestmark = pytest.mark.quick


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """A copy of what judges; returns a function that changes a file and gives the new version."""
    folders = {}
    for name, folder in version_module._JUDGES.items():
        folders[name] = tmp_path / name
        shutil.copytree(folder, folders[name], ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(version_module, "_JUDGES", folders)
    # Each file is read once for all changes of the others.
    monkeypatch.setattr(version_module, "judging_code", functools.cache(judging_code))

    def changed(name, old="", new=""):
        path = tmp_path / name
        text = path.read_text("utf-8") if path.exists() else ""
        assert old in text
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.replace(old, new, 1) if old else text + new, "utf-8")
        return version.__wrapped__()

    return changed


@pytest.mark.slow
def test_a_copy_elsewhere_has_the_same_version(copied):
    assert version.__wrapped__() == version()


@pytest.mark.slow
def test_what_does_not_judge_changes_nothing(copied):
    for name, old, new in (
        ("dplib/laplace.py", "", "# a comment\n"),
        ("dplib/laplace.py", '"""Laplace noise', '"""About Laplace noise'),
        ("dplib/laplace.py", "\n\ndef ", "\n\n\n\n\ndef "),
        ("dplib/plots/laplace.py", "", "BLUE = 1\n"),
        ("dplib/explore/laplace.py", "", "STOPS = 1\n"),
        ("dplib/README.md", "", "A word.\n"),
    ):
        assert copied(name, old, new) == version(), name


@pytest.mark.slow
def test_what_judges_changes_it(copied):
    seen = {version()}
    for name, old, new in (
        ("dplib/laplace.py", "sensitivity=1,", "sensitivity=2,"),
        ("dplib/laplace.py", "", 'TEXT = "# a string"\n'),
        ("dplib/laplace.py", '"# a string"', '"# another"'),
        ("check/claims/laplace/private_count.py", "", "NUMBER = 1\n"),
        ("dplib/data/more.json", "", "1"),
        ("ville/judge.py", "", "ALPHA = 1\n"),
        ("ville/judge.py", "ALPHA = 1", "ALPHA = 2"),
    ):
        seen.add(copied(name, old, new))
    assert len(seen) == 8


@pytest.mark.slow
def test_a_part_has_a_version_of_its_own(copied):
    before, of_ville = version(), version("ville")
    assert before != of_ville
    assert copied("dplib/laplace.py", "sensitivity=1,", "sensitivity=2,") != before
    assert version.__wrapped__("ville") == of_ville
    copied("ville/judge.py", "", "ALPHA = 1\n")
    assert version.__wrapped__("ville") != of_ville


def tokens(text):
    """The tokens that count, by Python itself: no comment, no docstring, no layout."""
    layout = {token.NL, token.COMMENT, token.INDENT, token.DEDENT, token.ENCODING}
    found, begins = [], True
    for each in tokenize.generate_tokens(io.StringIO(text).readline):
        if each.type in layout:
            continue
        long = each.type == token.STRING and each.string.lstrip("r").startswith('"""')
        if begins and long:
            begins = None  # a docstring, with the end of its line
        elif begins is None:
            begins = True
        else:
            found.append((each.type, each.string))
            begins = each.type == token.NEWLINE
    return found


@pytest.mark.long
@pytest.mark.slow
def test_the_code_that_counts_is_what_python_reads():
    for name, path in judging_files():
        if path.suffix == ".py":
            text = path.read_text("utf-8")
            assert tokens(judging_code(text)) == tokens(text), name
