"""A JupyterHub on this machine, with accounts that live as long as the test."""

import os
import pwd
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from places import ROOT
from servers import first_answer, free_port

COURSE = "differential_privacy"
PASSWORD = "of the test"
PROXY = "configurable-http-proxy@5.3.0"
_OURS = "made by the test of the hub"


class CannotRunError(Exception):
    """This machine cannot run the test; the message says why."""


@contextmanager
def accounts(*names: str) -> Iterator[None]:
    """Make accounts on this machine, and remove them with all their files.

    What a run that was killed has left is made anew; anybody else's account is left alone.
    """
    if os.geteuid():
        raise CannotRunError("only root can make accounts")
    with ExitStack() as stack:
        for name in names:
            remove = ["userdel", "--remove", "--force", name]
            if _comment(name) == _OURS:
                subprocess.run(remove, capture_output=True)
            if _comment(name) is not None:
                raise CannotRunError(f"there is an account {name!r} already")
            subprocess.run(["useradd", "--create-home", "--comment", _OURS, name], check=True)
            stack.callback(subprocess.run, remove, capture_output=True)
        yield


def _comment(name: str) -> str | None:
    """Return what is said of an account; None if there is none."""
    try:
        return pwd.getpwnam(name).pw_gecos
    except KeyError:
        return None


def python_for_all(folder: Path) -> Path:
    """Return a Python that every account can run, with the packages of this one."""
    packages = next(path for path in sys.path if path.endswith("site-packages"))
    script = folder / "python3"
    # Jupyter's own files are found by the prefix of Python, which is another one there.
    program = _interpreter(folder)
    lines = f"""#!/bin/sh
        export LD_LIBRARY_PATH="{program.parent.parent}/lib"
        export PYTHONPATH="${{PYTHONPATH:+$PYTHONPATH:}}{packages}:{ROOT}"
        export JUPYTER_PATH="{sys.prefix}/share/jupyter"
        export JUPYTER_CONFIG_PATH="${{JUPYTER_CONFIG_PATH:-/nowhere}}:{sys.prefix}/etc/jupyter"
        exec "{program}" "$@"
    """
    script.write_text(textwrap.dedent(lines))
    script.chmod(0o755)
    if not _runs_for_all(script, "-c", "import nbgrader, zmq"):
        raise CannotRunError(f"other accounts cannot read {packages}")
    return script


def _interpreter(folder: Path) -> Path:
    """Return the Python behind this one, or a copy if it lies where other accounts cannot go."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    base = Path(sys.base_prefix)
    if _runs_for_all(base / "bin" / name, "--version"):
        return base / "bin" / name
    copied = folder / "python"
    (copied / "bin").mkdir(parents=True)
    shutil.copy(base / "bin" / name, copied / "bin")
    leave = shutil.ignore_patterns("site-packages", "test", "config-*", "__pycache__")
    shutil.copytree(base / "lib" / name, copied / "lib" / name, ignore=leave)
    for library in (base / "lib").glob("libpython*.so*"):
        shutil.copy(library, copied / "lib")
    return copied / "bin" / name


def _runs_for_all(*command: str | Path) -> bool:
    # The shell between them: until the first program starts, root's rights are still there.
    as_nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    run = [*as_nobody, "sh", "-c", 'exec "$0" "$@"', *map(str, command)]
    done = subprocess.run(run, capture_output=True, cwd="/")
    return done.returncode == 0


def proxy(folder: Path) -> Path:
    """Return JupyterHub's proxy; npm fetches it once."""
    home = ROOT / "build" / "hub"
    found = home / "node_modules" / ".bin" / "configurable-http-proxy"
    if not found.exists():
        if shutil.which("npm") is None:
            raise CannotRunError("npm is missing (apt-get install npm)")
        home.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--silent", "--no-audit", "--prefix", str(home), PROXY]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=300)
        except subprocess.SubprocessError as error:
            raise CannotRunError(f"npm cannot fetch {PROXY}: {error}") from error
    return found


def write_settings(folder: Path, python: Path) -> Path:
    """Write the hub's settings for a test: the course's own, with a password and other places."""
    programs = folder / "bin"
    programs.mkdir()
    # By name start: the hub its servers, JupyterLab its kernels, nbgrader its gradebook's program.
    for name, run in {
        "jupyterhub-singleuser": "-m jupyterhub.singleuser",
        "python": "",
        "alembic": "-m alembic",
    }.items():
        script = programs / name
        script.write_text(f'#!/bin/sh\nexec "{python}" {run} "$@"\n')
        script.chmod(0o755)
    ports = [free_port() for _ in range(3)]
    text = f"""
        __file__ = {str(ROOT / "deploy/hub/jupyterhub_config.py")!r}
        exec(compile(open(__file__).read(), __file__, "exec"))
        HERE = Path({str(folder / "config")!r})
        STUDENT_LIBRARY = Path({str(folder / "student")!r})
        c.JupyterHub.bind_url = "http://127.0.0.1:{ports[0]}"
        c.JupyterHub.hub_bind_url = "http://127.0.0.1:{ports[1]}"
        c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{ports[2]}"
        c.ConfigurableHTTPProxy.command = [{str(proxy(folder))!r}]
        c.JupyterHub.authenticator_class = "dummy"
        c.DummyAuthenticator.password = {PASSWORD!r}
        c.JupyterHub.db_url = "sqlite:///{folder}/hub.sqlite"
        c.JupyterHub.cookie_secret_file = "{folder}/cookie_secret"
        c.JupyterHub.pid_file = "{folder}/pid"
        c.Spawner.http_timeout = c.Spawner.start_timeout = 240
        c.Spawner.cmd = ["{programs}/jupyterhub-singleuser"]
        c.Spawner.environment = {{"PATH": "{programs}:/usr/local/bin:/usr/bin:/bin"}}
        c.Spawner.args = ["--LabApp.expose_app_in_browser=True"]
    """
    settings = folder / "jupyterhub_config.py"
    settings.write_text(textwrap.dedent(text))
    return settings


@contextmanager
def hub(settings: Path, python: Path) -> Iterator[str]:
    """Run JupyterHub; yield its address; end it and every server that it has started."""
    address = next(
        line.split('"')[1] for line in settings.read_text().splitlines() if "bind_url" in line
    )
    with (settings.parent / "hub.log").open("w") as log:
        command = [str(python), "-m", "jupyterhub", "--config", str(settings)]
        server = subprocess.Popen(
            command, cwd=settings.parent, stdout=log, stderr=log, start_new_session=True
        )
        try:
            _wait_for(server, address, settings.parent / "hub.log")
            yield address
        finally:
            server.terminate()
            server.wait(timeout=60)


def _wait_for(server: subprocess.Popen, address: str, log: Path) -> None:
    try:
        first_answer(f"{address}/hub/login", server)
    except TimeoutError as error:
        raise CannotRunError(f"JupyterHub did not start:\n{log.read_text()[-2000:]}") from error
