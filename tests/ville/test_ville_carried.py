"""What judges is in the version, and goes into a contained process."""

import shutil

from places import ROOT

from autograder import version
from autograder.sandbox.root import _OWN


def test_a_change_in_ville_is_another_version(monkeypatch, tmp_path):
    shutil.copytree(ROOT / "ville", tmp_path / "ville")
    monkeypatch.setitem(version._JUDGES, "ville", tmp_path / "ville")
    assert version.version.__wrapped__() == version.version()
    (tmp_path / "ville" / "evidence.py").write_text("# changed\n")
    assert version.version.__wrapped__() != version.version()


def test_contained_processes_get_it():
    assert "ville" in _OWN
