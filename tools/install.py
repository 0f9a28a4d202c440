"""Install the course into the environment of this Python: `python tools/install.py LOCK`.

uv takes a quarter of pip's time. Where it is not there already, pip fetches it. Where that cannot
be, or uv cannot install, pip does all. Only the standard library is used: nothing is there yet.
"""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UV_LOCK = ROOT / "requirements-uv.lock"
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
# Built with the setuptools that the lock pins: pip would fetch another one, without a hash.
COURSE = ["--no-deps", "--no-build-isolation", "--editable", str(ROOT)]
# What pip is told about this machine's registry, and uv's word for it.
SAME = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "cert": "SSL_CERT_FILE",
}


def install(lock: Path, *, compiled: bool) -> bool:
    """Install the packages that a lock pins, each with its hash, and then the course itself.

    Args:
      lock: the file of pins.
      compiled: whether to make all bytecode now, for accounts that may not write it later.

    Returns:
      Whether all is installed.
    """
    uv = _uv()
    if uv and _with_uv(uv, lock, compiled=compiled):
        return True
    print(f"Installing with pip{', because uv could not' if uv else ''}: some minutes.", flush=True)
    quiet = [*PIP, "install", "--quiet"]
    # The lock comes first, with every hash checked; the course second: pip takes no hash for it.
    return _runs([*quiet, "--require-hashes", "-r", str(lock)]) and _runs([*quiet, *COURSE])


def _uv() -> str | None:
    """Return the program uv: this machine's, or the one that pip could fetch."""
    own = str(Path(sys.executable).parent)
    path = os.pathsep.join([own, os.environ.get("PATH", "")])
    if not (found := shutil.which("uv", path=path)):
        fetch = [*PIP, "install", "--quiet", "--require-hashes", "-r", str(UV_LOCK)]
        if _runs([*fetch, "--retries", "1"], quietly=True):
            found = shutil.which("uv", path=path)
    return found


def _with_uv(uv: str, lock: Path, *, compiled: bool) -> bool:
    command = [uv, "pip", "install", "--quiet", "--python", sys.executable]
    compiling = ["--compile-bytecode"] if compiled else []
    variables = {**os.environ, **settings_for_uv(_pip_settings(), os.environ)}
    first = [*command, *compiling, "--require-hashes", "-r", str(lock)]
    return _runs(first, variables) and _runs([*command, *COURSE], variables)


def settings_for_uv(pip: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that tell uv what pip knows of this machine; uv does not read it.

    Args:
      pip: pip's settings, such as "index-url".
      given: the environment: what it tells uv already stays.
    """
    found = {SAME[name]: " ".join(value.split()) for name, value in pip.items() if name in SAME}
    if "UV_FIND_LINKS" in found:
        found["UV_FIND_LINKS"] = found["UV_FIND_LINKS"].replace(" ", ",")
    # As with pip, the best version of all registries: the hashes say that it is the right one.
    found["UV_INDEX_STRATEGY"] = "unsafe-best-match"
    found["UV_LINK_MODE"] = "copy"  # no warning where the cache is on another disk
    return {name: value for name, value in found.items() if name not in given}


def _pip_settings() -> dict[str, str]:
    """Return pip's settings by name; those of the environment win, as with pip."""
    done = subprocess.run([*PIP, "config", "list"], capture_output=True, text=True, check=False)
    pairs = [line.split("=", 1) for line in done.stdout.splitlines() if "=" in line]
    pairs.sort(key=lambda pair: pair[0].startswith(":env:"))
    return {name.partition(".")[2]: str(ast.literal_eval(value)) for name, value in pairs}


def _runs(
    command: list[str], variables: Mapping[str, str] | None = None, *, quietly: bool = False
) -> bool:
    hidden = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL} if quietly else {}
    return subprocess.run(command, env=variables, check=False, **hidden).returncode == 0


def refusal(environment: Path, used: Path) -> str:
    """Return why nothing is installed; "" if the environment is this folder's own.

    Args:
      environment: the folder .venv of the course.
      used: the environment of this Python.
    """
    if environment.is_symlink() and used.resolve() == environment.resolve():
        return (
            f"{environment} is a link to {environment.resolve()}, whose programs would then run "
            "this course: remove the link, then run the command again"
        )
    return ""


if __name__ == "__main__":
    if why := refusal(ROOT / ".venv", Path(sys.prefix)):
        sys.exit(why)
    sys.exit(not install(ROOT / sys.argv[1], compiled="--compiled" in sys.argv))
