"""Setting up: uv where it can be had, pip otherwise, and this machine's registry with both."""

import re
import sys
import tomllib

import pytest
from packaging.requirements import Requirement

from tools import install

pytestmark = pytest.mark.quick


@pytest.fixture
def calls(monkeypatch, tmp_path):
    """What is started, in order; `fails` names the programs that fail."""
    started, fails = [], set()

    def run(command, variables=None, *, quietly=False):
        name = "pip" if command[: len(install.PIP)] == install.PIP else "uv"
        started.append((name, command[-1]))
        return name not in fails

    monkeypatch.setattr(install, "_runs", run)
    monkeypatch.setattr(install, "_pip_settings", dict)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    return started, fails, tmp_path


def program(folder):
    (folder / "uv").write_text("#!/bin/sh\n")
    (folder / "uv").chmod(0o755)


LOCK, COURSE = install.ROOT / "requirements-lab.lock", str(install.ROOT)


def test_uv_that_is_there_installs_all(calls):
    started, _, folder = calls
    program(folder)
    assert install.install(LOCK, compiled=False)
    assert started == [("uv", str(LOCK)), ("uv", COURSE)]


def test_without_uv_and_without_a_way_to_it_pip_does(calls, capsys):
    started, _, _ = calls
    assert install.install(LOCK, compiled=True)
    assert [name for name, _ in started] == ["pip", "pip", "pip"]  # the first asks for uv
    assert "Installing with pip: some minutes." in capsys.readouterr().out


def test_where_uv_fails_pip_does(calls, capsys):
    started, fails, folder = calls
    program(folder)
    fails.add("uv")
    assert install.install(LOCK, compiled=False)
    assert started == [("uv", str(LOCK)), ("pip", str(LOCK)), ("pip", COURSE)]
    assert "because uv could not" in capsys.readouterr().out


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-lab.lock"])
def test_the_course_is_built_with_the_setuptools_of_the_lock(calls, monkeypatch, lock):
    """Else pip and uv would fetch one more package, without a hash."""
    commands = []
    monkeypatch.setattr(
        install, "_runs", lambda command, *_, **how: commands.append(command) or True
    )
    program(calls[2])
    assert install.install(install.ROOT / lock, compiled=False)
    monkeypatch.setattr(install, "_with_uv", lambda *_, **how: False)
    assert install.install(install.ROOT / lock, compiled=False)
    of_course = [command for command in commands if COURSE in command]
    assert len(of_course) == 2
    assert all({"--no-build-isolation", "--no-deps"} <= set(command) for command in of_course)
    pins = (install.ROOT / lock).read_text("utf-8")
    (needed,) = tomllib.loads((install.ROOT / "pyproject.toml").read_text())["build-system"][
        "requires"
    ]
    (pinned,) = re.findall(r"^setuptools==(\S+)", pins, re.MULTILINE)
    assert pinned in Requirement(needed).specifier


def test_the_readme_builds_it_with_the_pinned_setuptools_too():
    lines = (install.ROOT / "README.md").read_text("utf-8").splitlines()
    assert all("--no-build-isolation" in line for line in lines if "pip install --no-deps" in line)


def test_where_both_fail_it_says_so(calls):
    _, fails, folder = calls
    program(folder)
    fails.update({"uv", "pip"})
    assert not install.install(LOCK, compiled=False)


def test_uv_is_told_what_pip_knows():
    pip = {"index-url": "file:///a", "find-links": "/b\n/c", "cert": "/d", "timeout": "9"}
    told = install.settings_for_uv(pip, {"SSL_CERT_FILE": "/mine"})
    assert told["UV_DEFAULT_INDEX"] == "file:///a" and told["UV_FIND_LINKS"] == "/b,/c"
    assert "SSL_CERT_FILE" not in told and "9" not in told.values()


@pytest.mark.slow
def test_pip_s_settings_are_read(monkeypatch, tmp_path):
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    (tmp_path / "pip.conf").write_text("[global]\nindex-url = file:///a\nfind-links = /b\n")
    monkeypatch.setenv("PIP_FIND_LINKS", "/c")
    found = install._pip_settings()
    assert (found["index-url"], found["find-links"]) == ("file:///a", "/c")


def test_another_folder_s_environment_is_left_alone(tmp_path):
    theirs, own = tmp_path / "theirs", tmp_path / "course" / ".venv"
    theirs.mkdir()
    own.parent.mkdir()
    own.symlink_to(theirs)
    assert f"is a link to {theirs}" in install.refusal(own, theirs)
    assert install.refusal(own, tmp_path / "elsewhere") == ""
    own.unlink()
    own.mkdir()
    assert install.refusal(own, own) == ""
