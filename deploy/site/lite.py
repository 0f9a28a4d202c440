"""JupyterLite with what students get inside: the released chapters, the library, the checks."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
from answering import add_page_python
from distribution import cache_folder
from pyodide import add_pyodide, unpacked
from vendored import SiteError

from autograder.authoring.bundle import student_folder
from autograder.files import write_all

KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
PYTHON = {"name": "python", "display_name": "Python (Pyodide)", "language": "python"}
APPS = ("lab", "notebooks", "tree")  # a link from one notebook to another goes through the tree
# Of what is installed for JupyterLab, all that a notebook needs in the browser: what others add
# needs a server, and each is fetched at every opening, even one that is switched off.
WITH = ("@jupyter-widgets/jupyterlab-manager", "@jupyterlite/pyodide-kernel-extension")


def make_lite(
    root: Path, archive: Path, work: Path, out: Path, *, open_library: bool = False
) -> None:
    """Write a JupyterLite with every chapter that students get into `out`.

    Args:
      root: the course's folder.
      archive: a Pyodide distribution: its archive, or a folder.
      work: a folder for what is made on the way.
      out: an empty or missing folder.
      open_library: as in `bundle`: give the library and the checks as they are, to read.

    Raises:
      BuildError: a chapter cannot be built.
      SiteError: a part cannot be had, or JupyterLite's own build fails.
    """
    project = work / "project"
    shutil.rmtree(project, ignore_errors=True)
    runtime, files = project / "static" / "pyodide", project / "files"
    runtime.mkdir(parents=True)
    student = _student_folder(root, work / "student", open_library=open_library)
    packages = add_pyodide(student, unpacked(archive, work), runtime, cache_folder() / "compiled")
    add_page_python(runtime)
    # Folders as in release/: a chapter's link to the next one holds here too.
    for notebook in sorted(student.glob("chapters/*/*.ipynb")):
        shutil.copytree(notebook.parent, files / notebook.parent.name)
        _name_kernel(files / notebook.parent.name / notebook.name)
    _write(project / "jupyter-lite.json", _settings(packages))
    _build(project, out)


def _student_folder(root: Path, folder: Path, *, open_library: bool) -> Path:
    """Write what students get into a folder: a browser's user can read every file of it."""
    shutil.rmtree(folder, ignore_errors=True)
    files, _ = student_folder(root, open_library=open_library)
    write_all(folder, files)
    return folder


def _name_kernel(path: Path) -> None:
    """Name the kernel that is there: else a reader is asked to choose one."""
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata["kernelspec"] = PYTHON
    nbformat.write(notebook, path)


def _settings(packages: list[str]) -> dict:
    kernel = {"disablePyPIFallback": True, "loadPyodideOptions": {"packages": packages}}
    config = {
        "appName": "Privacy workbook",
        "litePluginSettings": {KERNEL: kernel},
        "exposeAppInBrowser": True,
    }
    return {"jupyter-lite-schema-version": 0, "jupyter-config-data": config}


def _write(path: Path, data: dict) -> None:
    path.write_text(json.dumps(data, indent=2), "utf-8")


def _build(project: Path, out: Path) -> None:
    shutil.rmtree(out, ignore_errors=True)
    command = [sys.executable, "-m", "jupyterlite_core", "build", "--no-sourcemaps", "--contents"]
    options = ["files", "--output-dir", str(out), *(f"--apps={name}" for name in APPS)]
    done = subprocess.run(
        [*command, *options], cwd=project, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SiteError(f"JupyterLite's build failed: {(done.stdout + done.stderr)[-1500:]}")
    _leave_out_extensions(out)


def _leave_out_extensions(out: Path) -> None:
    """Take out what the build has found on this machine and a notebook does not need."""
    settings = out / "jupyter-lite.json"
    data = json.loads(settings.read_text("utf-8"))
    found = data["jupyter-config-data"]["federated_extensions"]
    if missing := set(WITH) - {each["name"] for each in found}:
        raise SiteError(f"JupyterLite was built without {', '.join(sorted(missing))}")
    for each in found:
        if each["name"] not in WITH:
            shutil.rmtree(out / "extensions" / each["name"])
    data["jupyter-config-data"]["federated_extensions"] = [
        each for each in found if each["name"] in WITH
    ]
    _write(settings, data)
