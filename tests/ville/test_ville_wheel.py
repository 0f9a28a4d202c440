"""The wheel of ville alone: it installs beside numpy and scipy, and its README's example runs."""

import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from places import ROOT

README = (ROOT / "ville" / "README.md").read_text("utf-8")
NEEDED = ("numpy", "numpy.libs", "scipy", "scipy.libs")


def example() -> str:
    """The README's first block of code."""
    return re.search(r"```python\n(.*?)```", README, re.DOTALL)[1]


# What a user writes, with the types that it must have.
TYPED = """
import numpy as np
import ville
from ville import laws

rng = np.random.default_rng()


def noise(n: int, scale: float = 3.0) -> np.ndarray:
    return rng.laplace(scale=scale, size=n)


mistakes = laws.wrong_scales(laws.laplace, 3.0)
result = ville.assert_follows(noise, laws.laplace(scale=3.0), mistakes=mistakes, alpha=1e-6)
words: str = result.mistake
wider: float | None = result.worth.wider
joint = laws.chain(laws.laplace(1), lambda first: laws.laplace(2, center=first))
several: ville.Result = ville.follows(lambda n: np.zeros((n, 2)), joint, after=result)
settings = [{"scale": 1.0}, {"scale": 9.0}]
ville.follows(noise, laws.laplace, settings=settings)
ville.follows(noise(100), laws.laplace(3))
certificate: ville.Certificate = ville.audit(noise(100), noise(100), epsilon=1.0)
"""
WRONG_TYPE = "\nnumber: int = ville.follows(noise, laws.laplace(scale=3.0)).mistake\n"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, made as `make ville-wheel` makes it."""
    folder = tmp_path_factory.mktemp("ville")
    for name in ("Makefile", "ville", "deploy", "LICENSE"):
        (folder / name).symlink_to(ROOT / name)
    for name in ("requirements.lock", "pyproject.toml"):
        (folder / name).write_text("")
    command = ["make", "-o", "setup", "ville-wheel", f"BIN={Path(sys.executable).parent}"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (found,) = (folder / "dist").glob("ville-*.whl")
    return found


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """The Python of an empty environment with numpy, scipy and the wheel."""
    folder = tmp_path_factory.mktemp("empty")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    for name in NEEDED:
        source = Path(sysconfig.get_path("platlib")) / name
        if source.exists():
            (packages / name).symlink_to(source)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    return folder / "bin" / "python"


def run(python, *arguments, cwd):
    done = subprocess.run(
        [python, "-I", *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.long
def test_the_example_of_the_readme_runs_beside_numpy_and_scipy_alone(python, tmp_path):
    said = run(python, "-c", example(), cwd=tmp_path)
    assert "show no departure" in said and "Found in 99 of 100 runs" in said
    assert "the spread is 1." in said


def test_nothing_of_the_course_is_there(python, tmp_path):
    program = "import importlib.util as u; print([n for n in NAMES if u.find_spec(n)])"
    names = ["dplib", "autograder", "pandas", "matplotlib", "IPython"]
    said = run(python, "-c", program.replace("NAMES", str(names)), cwd=tmp_path)
    assert said.strip() == "[]"


def test_the_wheel_holds_the_package_its_readme_and_the_license(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = archive.read(next(n for n in names if n.endswith("METADATA"))).decode()
    code = {path.relative_to(ROOT).as_posix() for path in (ROOT / "ville").rglob("*.py")}
    assert code | {"ville/README.md"} <= set(names)
    assert any(name.endswith("LICENSE") for name in names)
    assert not any(name.startswith(("dplib", "autograder")) or "pycache" in name for name in names)
    assert "# ville" in metadata and "Requires-Dist: numpy" in metadata


def test_there_is_a_make_to_do_it():
    assert shutil.which("make")


@pytest.mark.long
def test_mypy_accepts_what_a_user_writes_and_sees_a_wrong_type(python, tmp_path):
    (tmp_path / "right.py").write_text(TYPED)
    (tmp_path / "wrong.py").write_text(TYPED + WRONG_TYPE)
    options = ["--strict", f"--python-executable={python}", f"--cache-dir={tmp_path / 'kept'}"]
    mypy = [sys.executable, "-I", "-m", "mypy", *options]
    for name, code in (("right.py", 0), ("wrong.py", 1)):
        done = subprocess.run(
            [*mypy, name], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, done.stdout + done.stderr
    assert '"str", variable has type "int"' in done.stdout
