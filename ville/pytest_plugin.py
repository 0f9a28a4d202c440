"""A thin plugin for pytest: one alpha for a session, a budget for the night, a report.

def test_noise(ville_follows, ville_rng):
    ville_follows(lambda n: ville_rng.laplace(scale=3, size=n), laws.laplace(scale=3))
"""

import itertools
import math
import secrets
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ville.picture import save_picture
from ville.result import Departure, Result
from ville.verdict import follows

_ALPHA = 1e-9
_PROPERTY = "ville"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("ville", "laws of randomized code")
    group.addoption(
        "--ville-alpha",
        type=float,
        default=_ALPHA,
        help="largest probability of any false alarm in the session (default: %(default)s)",
    )
    group.addoption("--ville-draws", type=int, help="draws for every check, for a nightly run")
    group.addoption("--ville-seed", type=int, help="draw again what a test that failed has drawn")
    group.addoption("--ville-pictures", metavar="DIR", help="save a picture of each failure there")


def pytest_collection_finish(session: pytest.Session) -> None:
    """Count the tests that share alpha."""
    users = [item for item in session.items if "ville_follows" in getattr(item, "fixturenames", ())]
    session.config.stash[_TESTS] = max(len(users), 1)


_TESTS, _SEED = pytest.StashKey[int](), pytest.StashKey[int]()


@pytest.fixture
def ville_follows(request: pytest.FixtureRequest) -> Callable[..., Result]:
    """Return `ville.assert_follows` with this test's part of the session's alpha.

    The k-th check of a test gets 6 / (pi * k)^2 of its part. Over all k this sums to 1 (Euler
    1735), and the ten-thousandth check of a test needs few draws more than its first.
    """
    option, stash = request.config.getoption, request.config.stash
    part, checks = option("--ville-alpha") / stash[_TESTS], itertools.count(1)

    def assert_follows(draws: Any, law: Any, **options: Any) -> Result:
        if "alpha" in options:
            raise ValueError(
                "alpha must not be given here: the checks of a session share --ville-alpha; "
                "ville.assert_follows takes one of its own"
            )
        if option("--ville-draws"):
            options["max_draws"] = option("--ville-draws")
        result = follows(draws, law, alpha=part * 6 / (math.pi * next(checks)) ** 2, **options)
        request.node.user_properties.append((_PROPERTY, str(result).splitlines()[0]))
        if result:
            return result
        if option("--ville-pictures"):
            name = request.node.name.replace("/", "_")
            save_picture(result, Path(option("--ville-pictures")) / f"{name}.png")
        raise Departure(result)

    return assert_follows


@pytest.fixture
def ville_rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """Return a generator of the test's own; a failure says with which seed it draws the same."""
    given = request.config.getoption("--ville-seed")
    seed = secrets.randbits(64) if given is None else given
    request.node.stash[_SEED] = seed
    return np.random.default_rng(seed)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Say the seed where a test fails that has drawn from `ville_rng`."""
    report = yield
    if report.when == "call" and report.failed and _SEED in item.stash:
        report.sections.append(("ville", f"the same draws again: --ville-seed={item.stash[_SEED]}"))
    return report


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say what was judged, and how sure that is."""
    reports = [each for kind in ("passed", "failed") for each in terminalreporter.getreports(kind)]
    said = [
        (each.nodeid, words)
        for each in reports
        if each.when == "call"
        for name, words in each.user_properties
        if name == _PROPERTY
    ]
    if not said:
        return
    alpha = config.getoption("--ville-alpha")
    terminalreporter.section("ville")
    for test, words in said:
        terminalreporter.write_line(f"{test}: {words}")
    terminalreporter.write_line(
        f"{len(said)} checks: right code fails any of them with probability {alpha:.2g} at most"
    )
