"""JupyterLite with the release notebooks, dplib and the checks inside."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
from pyodide import add_pyodide, unpacked
from vendored import SiteError

KERNEL = "@jupyterlite/pyodide-kernel-extension:kernel"
PYTHON = {"name": "python", "display_name": "Python (Pyodide)", "language": "python"}
APPS = ("lab", "notebooks", "tree")  # a link from one notebook to another goes through the tree
# What these add needs a server; and no other kernel is offered.
WITHOUT = ("@jupyter/nbgrader", "@jupyter-notebook/lab-extension", "jupyterlab-jupytext")


def make_lite(root: Path, archive: Path, work: Path, out: Path) -> None:
    """Write a JupyterLite with every release notebook into `out`.

    Args:
      root: the course's folder.
      archive: a Pyodide distribution: its archive, or a folder.
      work: a folder for what is made on the way.
      out: an empty or missing folder.

    Raises:
      SiteError: a part cannot be had, or JupyterLite's own build fails.
    """
    project = work / "project"
    shutil.rmtree(project, ignore_errors=True)
    runtime, files = project / "static" / "pyodide", project / "files"
    runtime.mkdir(parents=True)
    packages = add_pyodide(root, unpacked(archive, work), runtime)
    # Folders as in release/: a chapter's link to the next one holds here too.
    for notebook in sorted(root.glob("release/*/*.ipynb")):
        shutil.copytree(notebook.parent, files / notebook.parent.name)
        _name_kernel(files / notebook.parent.name / notebook.name)
    _write(project / "jupyter-lite.json", _settings(packages))
    _build(project, out)


def _name_kernel(path: Path) -> None:
    """Name the kernel that is there: else a reader is asked to choose one."""
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata["kernelspec"] = PYTHON
    nbformat.write(notebook, path)


def _settings(packages: list[str]) -> dict:
    kernel = {"disablePyPIFallback": True, "loadPyodideOptions": {"packages": packages}}
    config = {
        "appName": "Privacy workbook",
        "disabledExtensions": list(WITHOUT),
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
