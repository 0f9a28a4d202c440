"""Settings of all tests: one thread, property tests without a time limit, groups for xdist."""

import contextlib
import gc
import os
import random
import re
import sys
from pathlib import Path

import parts
import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from autograder.check.wording import optional
from autograder.imports import import_quickly

# An error while words are looked for is an error here.
optional.STRICT = True

# Read when numpy is loaded, after this file. With two threads on two busy cores a matrix product
# can take thirty times as long as with one.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Before anything imports nbformat: each process of pytest saves a second and a half.
import_quickly()

# The same examples at every run, and no time limit for one: a busy machine fails no test.
settings.register_profile("project", deadline=None, derandomize=True)
settings.load_profile("project")
# Else examples are also made of the constants of whatever modules of ours a process has loaded by
# then, and xdist decides which: an example would come in one run and not in the next.
providers._get_local_constants = lambda: providers._local_constants

# dp_accounting brings a log of its own (absl), which closes the stream that it was given as soon as
# nbgrader sets up logging. Under pytest that stream is where all output goes. This one stays open.
with contextlib.suppress(ImportError):
    from absl import logging as absl_logging

    absl_logging.get_absl_handler().python_handler.stream = sys.__stderr__


def pytest_addoption(parser):
    parser.addoption("--chance", default="1", help="any word: the tests draw other numbers")
    parser.addoption(
        "--part", type=parts.part, default=parts.WHOLE, help="2/4: of tests with many cases a part"
    )
    parser.addoption("--each", action="store_true", help="with --part: of all tests a part")
    parser.addoption(
        "--as-root", type=parts.part, default=parts.WHOLE, help="2/4: a part of root's attacks"
    )
    parser.addoption("--runs", type=int, default=1, help="how often each right answer is checked")


# What chance decides follows from the name of a test (and of a file, when it is loaded): the same
# numbers at every run, on every machine, so that what passed passes again. How often a check sees a
# mistake is for `make test-check` to say: its numbers are always new.
GENERATORS = pytest.StashKey()


@contextlib.contextmanager
def _chance(config, name):
    import numpy.random  # draws a seed when it is loaded

    system = random.Random(f"{name} {config.option.chance}")
    # Here `secrets` reads its bytes, and numpy the seeds of its generators.
    original, random._urandom = random._urandom, system.randbytes
    random.seed(system.random())
    numpy.random.seed(system.getrandbits(32))  # noqa: NPY002
    try:
        yield
    finally:
        random._urandom = original


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report(collector):
    """Let the generators that a file makes when it is loaded have the same seeds at every run."""
    with _chance(collector.config, collector.nodeid):
        yield


@pytest.hookimpl(hookwrapper=True)
def pytest_collection(session):
    """Look for nothing to throw away while all is loaded: a sixth of that time."""
    gc.disable()
    yield
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Of tests with many cases take those of the part that is asked for."""
    out = parts.left_out(parts.tests_of(items, each=config.option.each), config.option.part)
    config.hook.pytest_deselected(items=[items[place] for place in out])
    items[:] = [item for place, item in enumerate(items) if place not in out]


def pytest_collection_finish(session):
    """Keep the states of the generators that files made when they were loaded."""
    from numpy.random import BitGenerator

    made = [each for each in gc.get_objects() if isinstance(each, BitGenerator)]
    session.stash[GENERATORS] = [(each, each.state) for each in made]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    """Let a test draw the same numbers at every run, whatever ran before it."""
    for generator, state in item.session.stash.get(GENERATORS, ()):
        generator.state = state
    group = item.get_closest_marker("xdist_group")
    # pytest-xdist adds the group to the name.
    name = item.nodeid.removesuffix(f"@{group.args[0]}" if group else "")
    with _chance(item.config, name):
        yield


def pytest_xdist_auto_num_workers(config):
    """One more than there are cores: many tests wait, for a limit of time or for a browser.

    Those of some marks wait for nothing, and each process more imports all the files once more.
    """
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count())
    return len(cores) + (not config.option.markexpr.startswith(("quick", "answers")))


def pytest_ignore_collect(collection_path, config):
    """Read no file, and no folder, in which no test is wanted: to import all takes long."""
    wanted = config.option.markexpr
    folder = collection_path.is_dir()
    files = collection_path.rglob("test_*.py") if folder else [collection_path]
    texts = [path.read_text("utf-8") for path in files if path.suffix == ".py"]
    return (texts and not any(_may_hold(wanted, text) for text in texts)) or None


def _may_hold(wanted: str, text: str) -> bool:
    """Say whether a file may hold a test of these marks: of one in a list, or of none in it."""
    marks = wanted.split(" and not ")[0].strip("()").split(" or ")
    if all(mark.isidentifier() for mark in marks):
        return any(f"mark.{mark}" in text for mark in marks)
    whole = re.search(r"^pytestmark = \[?\s*pytest\.mark\.(\w+)", text, re.MULTILINE)
    unwanted = re.fullmatch(r"not \(([\w ]+)\)", wanted)
    return not (whole and unwanted and whole[1] in unwanted[1].split(" or "))


# Files whose tests share nothing: any process may take any of them.
SPREAD = {"test_wrong_answers.py", "test_chapter.py"}
# Files that share with others what is slow to make: sliders' pictures, a class, the sealed library.
SHARED = {
    "test_feedback.py": "graded",
    "test_formgrader.py": "graded",
    "test_every_sentence.py": "sliders",
    "test_every_slider.py": "sliders",
    "test_sliders_chapters_01_to_08.py": "sliders",
    "test_sliders_chapters_from_09.py": "sliders",
    "test_sliders_laplace.py": "sliders",
    "test_bundle.py": "zip",
    "test_student_library.py": "zip",
    "test_site.py": "zip",
}


def pytest_make_parametrize_id(val):
    """Name a long text by its beginning: pytest-xdist sends each name to and fro, however long."""
    if isinstance(val, str | bytes) and len(val) > 200:
        return f"{val[:40]!r}..."
    return None


def pytest_itemcollected(item):
    """Keep tests that share something slow in one process (with `pytest -n`): a file, a chapter.

    Now: when all are collected, pytest-xdist reads the groups before any hook of this file.
    """
    given = item.callspec.params if hasattr(item, "callspec") else {}
    chapter = given.get("name")
    opened = item.path.name in ("test_lite.py", "test_answering.py")
    if opened and "chapter" in given:  # once for several tests
        item.add_marker(pytest.mark.xdist_group(f"{item.path.stem} {given['chapter']}"))
    elif chapter and item.path.parent.name == "course":
        item.add_marker(pytest.mark.xdist_group(f"chapter {chapter}"))
    elif item.path.name not in SPREAD:
        name = item.path.name
        item.add_marker(pytest.mark.xdist_group(SHARED.get(name, name)))


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's folder."""
    return Path(__file__).resolve().parent.parent
