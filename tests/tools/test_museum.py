"""The museum: what it does with draws; nothing is installed. Every exhibit is in its place."""

import ast
import math
import re
import shutil
import sys

import numpy as np
import pytest

from tools.museum import __main__ as museum
from tools.museum import judging
from tools.museum.environments import SAMPLERS, Environment, NotInstalled, Pythons, pinned
from tools.museum.exhibits import EXHIBITS, NEWEST, Exhibit, Mechanism, analytic_deviation, two_bits
from tools.museum.page import page
from tools.museum.peers import auditor_draws, chi_squared_draws, kolmogorov_smirnov_draws
from ville import laws

ALPHA = 1e-9
RNG = np.random.default_rng()
SUCCESS = -math.expm1(-1 / 3)
ALL = (*EXHIBITS, *NEWEST)


def exhibit(sampler="made.noise", **given) -> Exhibit:
    return Exhibit("opendp-0-14-1", sampler, "a call", lambda: laws.laplace(1), **given)


class Room(Environment):
    """An environment that needs no network: its sampler is a function of this process."""

    def make(self, folder, pythons):
        if self.packages == ("missing==1",):
            raise NotInstalled("pip said: no such package")

    def draw(self, folder, sampler, number, side=0, *, kept=False):
        return RNG.laplace(scale=2 if "wrong" in sampler else 1, size=number) + side


@pytest.fixture
def room(monkeypatch):
    def furnish(packages=("made==1",)):
        found = {"opendp-0-14-1": Room("opendp-0-14-1", "3.11", packages)}
        monkeypatch.setattr(judging, "pinned", lambda: found)

    furnish()
    return furnish


def test_every_package_is_pinned_by_name_and_version():
    packages = [package for each in pinned().values() for package in each.packages]
    assert packages and all(re.fullmatch(r"[a-z0-9.-]+==[0-9][0-9.]*", each) for each in packages)


@pytest.mark.parametrize("shown", ALL, ids=lambda shown: f"{shown.environment} {shown.sampler}")
def test_every_exhibit_has_its_environment_its_sampler_and_its_law(shown):
    assert shown.environment in pinned()
    module, function = shown.sampler.split(".")
    code = ast.parse((SAMPLERS / f"{module}.py").read_text("utf-8"), feature_version=(3, 8))
    named = {each.name: each for each in code.body if isinstance(each, ast.FunctionDef)}
    assert [each.arg for each in named[function].args.args] == ["number", "side"]
    law = shown.law()
    assert sum(law.cells().probabilities(law)) == pytest.approx(1)
    if isinstance(shown, Exhibit):
        assert shown.published and math.isfinite(shown.epsilon) and shown.seen(np.ones(3))


def test_a_wrong_law_is_found_beside_its_peers_and_a_right_one_passes(room, tmp_path):
    # A scale of 2: a mean of 95 draws, and more than 2,000 with probability below 1e-9.
    wrong = judging.judged(exhibit("made.wrong", draws=4_000, epsilon=1.0), tmp_path, Pythons())
    assert not wrong.result and wrong.rejected_after < 2_000
    assert wrong.kolmogorov_smirnov > wrong.rejected_after < wrong.chi_squared
    assert wrong.auditor is None  # noise that is too wide breaks no promise
    right = judging.judged(exhibit(draws=4_000, epsilon=1.0), tmp_path, Pythons())
    assert right.result and right.rejected_after is None
    assert right.kolmogorov_smirnov is right.chi_squared is right.auditor is None


def test_the_auditor_refutes_what_loses_too_much():
    # Scale 1/2 loses 2 at a shift of 1. Half-lines have odds of e^2: 20,000 draws show 1 easily.
    draws, neighbors = (RNG.laplace(scale=0.5, size=20_000) + side for side in (0, 1))
    found = auditor_draws(draws, neighbors, epsilon=1.0, delta=0.0, alpha=ALPHA)
    assert found and found < 10_000
    assert auditor_draws(draws, neighbors, epsilon=2.0, delta=0.0, alpha=ALPHA) is None


@pytest.mark.parametrize(
    ("law", "draws"),
    [
        (laws.discrete_laplace(3), lambda n: np.subtract(*RNG.geometric(SUCCESS, (2, n)))),
        (laws.clamped(laws.laplace(1), low=0), lambda n: np.maximum(RNG.laplace(size=n), 0)),
        (laws.laplace(1), lambda n: RNG.laplace(size=n)),
    ],
)
def test_the_peers_reject_no_right_draws(law, draws):
    # 50 numbers of draws are tried at 1e-9 each; the level is 1e-11 here, so that all stay below.
    made = draws(3_000)
    assert kolmogorov_smirnov_draws(made, law, 1e-11) is None
    assert chi_squared_draws(made, law, 1e-11) is None


def test_kolmogorov_smirnov_says_nothing_of_words():
    assert kolmogorov_smirnov_draws(np.zeros(50, dtype=int), laws.categorical([1.0]), ALPHA) is None


def test_the_analytic_deviation_is_the_least_that_keeps_the_promise():
    # Balle & Wang (2018), theorem 8, integrated: the mass by which one side exceeds the other.
    deviation = analytic_deviation(0.5, 1e-3)
    places = np.linspace(-60, 60, 400_001)
    density = np.exp(-((places / deviation) ** 2) / 2) / (deviation * math.sqrt(2 * math.pi))
    moved = np.exp(-(((places - 1) / deviation) ** 2) / 2) / (deviation * math.sqrt(2 * math.pi))
    excess = np.maximum(moved - math.exp(0.5) * density, 0).sum() * (places[1] - places[0])
    assert excess == pytest.approx(1e-3, rel=1e-4)


def test_two_bits_are_independent():
    law = two_bits(0.75, 0.25)
    shares = law.cells().probabilities(law)
    assert sorted(shares) == pytest.approx([1 / 16, 3 / 16, 3 / 16, 9 / 16])


def test_what_cannot_be_installed_is_said_loudly_and_on_the_page(
    room, tmp_path, monkeypatch, capsys
):
    room(packages=("missing==1",))
    monkeypatch.setattr(museum, "FOLDER", tmp_path / "museum")
    monkeypatch.setattr(museum, "PAGE", tmp_path / "museum.md")
    monkeypatch.setattr(museum, "ROOT", tmp_path)
    monkeypatch.setattr(museum, "EXHIBITS", (EXHIBITS[0],))
    monkeypatch.setattr(museum, "NEWEST", ())
    assert museum.main([]) == 1
    assert "NOT JUDGED HERE: opendp-0-14-1" in capsys.readouterr().out
    text = (tmp_path / "museum.md").read_text("utf-8")
    assert "What did not run on this machine" in text and "no such package" in text


def test_an_exhibit_that_passes_is_not_shown_as_a_bug(room, tmp_path):
    shown = EXHIBITS[0]
    passed = judging.judged(exhibit(draws=500, epsilon=1.0), tmp_path, Pythons())
    text = page([(shown, passed)])
    assert "Not reproduced here: 500 draws pass." in text and "Published" not in text


def test_a_newest_release_says_what_its_pass_is_worth(room, tmp_path):
    shown = NEWEST[0]
    found = judging.judged(
        Mechanism("opendp-0-14-1", "made.noise", "a call", lambda: laws.laplace(1), 500),
        tmp_path,
        Pythons(),
    )
    assert "passed. Found in 99 of 100 runs: a scale off by" in page([(shown, found)])


def test_a_python_is_found_by_its_version():
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert Pythons([sys.executable]).find(version) == sys.executable
    with pytest.raises(NotInstalled, match=r"no Python 2\.0"):
        Pythons([sys.executable]).find("2.0")


def test_draws_come_from_the_environment_and_its_last_words_if_it_fails(tmp_path, monkeypatch):
    samplers = tmp_path / "samplers"
    samplers.mkdir()
    shutil.copy(SAMPLERS / "draw.py", samplers)
    (samplers / "made.py").write_text(
        "def count(number, side):\n    return range(side, 9 + side)\n"
    )
    monkeypatch.setattr("tools.museum.environments.SAMPLERS", samplers)
    python = tmp_path / "room" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    room = Environment("room", "3.11", ())
    assert room.draw(tmp_path, "made.count", 3, side=1).tolist() == [1.0, 2.0, 3.0]
    (samplers / "made.py").unlink()
    assert room.draw(tmp_path, "made.count", 3, 1, kept=True).tolist() == [1.0, 2.0, 3.0]
    (samplers / "made.py").write_text("")
    with pytest.raises(NotInstalled, match="has no attribute 'other'"):
        room.draw(tmp_path, "made.other", 3)


def test_what_is_installed_is_not_installed_again(tmp_path):
    room = Environment("room", "2.0", ("made==1",))
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "installed.txt").write_text("made==1", "utf-8")
    room.make(tmp_path, Pythons())  # there is no Python 2.0: it would raise
    with pytest.raises(NotInstalled):
        Environment("room", "2.0", ("made==2",)).make(tmp_path, Pythons())
