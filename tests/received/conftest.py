"""What the tests of this folder share: one zip, unpacked and installed as README.md says."""

from pathlib import Path
from typing import NamedTuple

import pytest
from received.away import Away, without_project
from zipped import FOLDER, zipped

ALONE = ("--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")


class Student(NamedTuple):
    """Somebody who has unpacked and installed the zip of all chapters.

    Attributes:
      away: the environment.
      folder: what was unpacked.
    """

    away: Away
    folder: Path


@pytest.fixture(scope="session")
def away(tmp_path_factory):
    """An environment in which the project cannot be imported."""
    return without_project(tmp_path_factory.mktemp("away"))


@pytest.fixture
def away_alone(tmp_path):
    """An environment like `away`, into which something may be installed."""
    return without_project(tmp_path / "away")


@pytest.fixture(scope="session")
def student(tmp_path_factory):
    """A student who begins as README.md says; the packages are there already."""
    place = tmp_path_factory.mktemp("student")
    zipped().extractall(place)
    away = without_project(place / "away")
    # README.md's line, where nothing is fetched: what is needed is there.
    away.run("-m", "pip", "install", *ALONE, "-e", ".", cwd=place / FOLDER)
    return Student(away, place / FOLDER)
