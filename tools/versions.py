"""Judge known answers with each minor release of numpy, pandas and scipy that the course allows.

Run: python -m tools.versions [oldest browser pandas==3.0 ...] [-- pytest's arguments]

Each set of releases gets an environment in build/versions: what is installed here, with these
packages in front of it. Without a name all sets are tried.
"""

import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "build" / "versions"
PACKAGES = ("numpy", "pandas", "scipy")
# What the Pyodide of the site has; its scipy 1.18 is for Pythons from 3.12 on.
BROWSER = {"numpy": "2.4.3", "pandas": "3.0.2"}
# The first right and the first wrong answer of each exercise, as far as they are soon judged.
TESTS = ("-q", "-n", "auto", "-m", "quick and not slow", "tests/test_wrong_answers.py")


def main(arguments: Sequence[str]) -> int:
    """Try the sets that are asked for; return the exit status."""
    names = [*arguments, "--"][: [*arguments, "--"].index("--")]
    tests = arguments[len(names) + 1 :] or TESTS
    sets = every_set()
    if unknown := set(names) - sets.keys():
        print(f"No set is called {', '.join(sorted(unknown))}: {', '.join(sets)}", file=sys.stderr)
        return 2
    failed = [name for name in names or sets if not tried(name, sets[name], tests)]
    print(f"These releases do not pass: {', '.join(failed)}" if failed else "All of them pass.")
    return bool(failed)


def every_set() -> dict[str, dict[str, str]]:
    """Return the releases to try, by the name of their set: one package's, or of several at once.

    A minor release is tried by its last one; what is installed here is left out, `make test` has
    it.
    """
    lowest = lower_bounds()
    # The last of each: pandas 2.2.0 itself does not go with numpy 2.
    oldest = {package: f"{bound}.*" for package, bound in lowest.items()}
    sets = {"oldest": oldest, "browser": BROWSER}
    for package, bound in lowest.items():
        for minor, release in minors(package, bound).items():
            sets[f"{package}=={minor}"] = {package: release}
    return sets


def lower_bounds() -> dict[str, str]:
    """Return the oldest minor releases that pyproject.toml allows."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    found = (re.fullmatch(r"(\w+)>=([\d.]+)", each) for each in project["dependencies"])
    return {each[1]: each[2] for each in found if each and each[1] in PACKAGES}


def minors(package: str, bound: str) -> dict[str, str]:
    """Return the last release of each minor one from a bound on, by the minor's number.

    Raises:
      RuntimeError: the package registry does not answer.
    """
    command = [sys.executable, "-m", "pip", "index", "versions", package]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    listed = re.search(r"Available versions: (.*)", done.stdout)
    if not listed:
        raise RuntimeError(f"which releases of {package} there are cannot be asked: {done.stderr}")
    found: dict[str, str] = {}
    for release in listed[1].split(", "):  # the newest comes first
        if re.fullmatch(r"[\d.]+", release) and _number(release) >= _number(bound):
            found.setdefault(".".join(release.split(".")[:2]), release)
    return found


def _number(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))


def tried(name: str, releases: Mapping[str, str], tests: Sequence[str]) -> bool:
    """Return whether the tests pass with these releases; print a line that says so."""
    here = {package: version(package) for package in PACKAGES}
    pins = [f"{package}=={release}" for package, release in {**here, **releases}.items()]
    print(f"== {name}: {' '.join(pins)}", flush=True)
    python = environment(name, pins)
    # Where its own packages lie is known to the environment alone; the project lies here.
    return python is not None and not subprocess.call([python, "-m", "pytest", *tests], cwd=ROOT)


def environment(name: str, pins: Sequence[str]) -> Path | None:
    """Return the Python of an environment with these packages; None if they cannot be had."""
    folder = PLACE / name
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, symlinks=True)
    own = next(folder.glob("lib/python*/site-packages"))
    (own / "installed_here.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    # With what they need: pandas 2 has other needs than the one that is installed here.
    quiet = ("--quiet", "--disable-pip-version-check", "--upgrade")
    command = [sys.executable, "-m", "pip", "install", *quiet, "--target", own, *pins]
    return None if subprocess.call(command) else python


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
