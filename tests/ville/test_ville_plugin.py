"""The plugin for pytest: one alpha for a session, a report, a budget, a picture of a failure."""

import math
import re
import subprocess
import sys

import pytest

TESTS = """
import numpy as np
import pytest
from ville import laws

rng = np.random.default_rng()

@pytest.mark.parametrize("scale", [1.0, 2.0, 3.0])
def test_right(ville_follows, scale):
    for _ in range(2):
        result = ville_follows(lambda n: rng.laplace(scale=scale, size=n), laws.laplace(scale))
    print("alpha", result.alpha, "draws", result.draws)

def test_wrong(ville_follows):
    ville_follows(lambda n: rng.normal(size=n), laws.laplace(1.0))

def test_another():
    pass
"""
MANY = """
import numpy as np
import pytest
from ville import laws

def test_many(ville_follows):
    law, alphas = laws.categorical([0.5, 0.5]), []
    for _ in range(10_000):
        alphas.append(ville_follows(np.array([0, 1, 0, 1]), law).alpha)
    assert sum(alphas) <= 1e-9 and min(alphas) > 1e-18

def test_own_alpha(ville_follows):
    with pytest.raises(ValueError, match="--ville-alpha"):
        ville_follows(np.array([0, 1]), laws.categorical([0.5, 0.5]), alpha=0.5)
"""
SEEDED = """
from ville import laws

def test_wrong(ville_follows, ville_rng):
    draws = ville_rng.normal(size=3_000)
    print("first", draws[0])
    ville_follows(draws, laws.laplace(1.0))

def test_right(ville_follows, ville_rng):
    ville_follows(ville_rng.laplace(size=3_000), laws.laplace(1.0))
"""


def run(folder, *options, tests=TESTS):
    (folder / "test_noise.py").write_text(tests)
    command = [sys.executable, "-m", "pytest", "-p", "ville.pytest_plugin", "-s", *options]
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider", "test_noise.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout


def test_alpha_is_split_over_the_tests_that_use_it_and_reported(tmp_path):
    said = run(tmp_path, "--ville-draws", "3000", "--ville-alpha", "1e-6", "--ville-pictures", "p")
    assert "1 failed, 4 passed" in said
    # Four tests share it; the second check of one has 6 / (2 pi)^2 of its part.
    alphas = [float(each) for each in re.findall(r"alpha ([\d.e-]+) draws", said)]
    assert alphas == pytest.approx([1e-6 / 4 * 6 / (2 * math.pi) ** 2] * 3)
    assert re.findall(r"draws (\d+)", said) == ["3000"] * 3
    assert "7 checks: right code fails any of them with probability 1e-06 at most" in said
    assert "test_noise.py::test_wrong: draws do not follow Laplace(scale=1)" in said
    assert (tmp_path / "p" / "test_wrong.png").stat().st_size > 5_000


def test_it_is_silent_where_nobody_uses_it(tmp_path):
    assert "checks:" not in run(tmp_path, "-k", "another")


def test_a_failure_says_how_to_draw_the_same_again(tmp_path):
    said = run(tmp_path, tests=SEEDED)
    (seed,) = re.findall(r"the same draws again: --ville-seed=(\d+)", said)
    again = run(tmp_path, f"--ville-seed={seed}", tests=SEEDED)
    first = re.findall(r"first (\S+)", said)
    assert first and first == re.findall(r"first (\S+)", again)
    assert first != re.findall(r"first (\S+)", run(tmp_path, tests=SEEDED))


@pytest.mark.long
def test_ten_thousand_checks_do_not_use_up_alpha(tmp_path):
    said = run(tmp_path, tests=MANY)
    assert "2 passed" in said
    assert "10001 checks" in said.replace(",", "") or "10000 checks" in said.replace(",", "")
