"""Open the workbook in JupyterLab: `python start.py`. Other options go to JupyterLab.

`python start.py progress` says which exercises have passed.
"""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SETTINGS = "JUPYTER_CONFIG_PATH"
START = "00_start"  # the list of chapters, and how they work: opened first
# Nothing asks the network for news, and nbgrader's panels for teachers stay away; Validate stays.
SWITCHED_OFF = (
    "@jupyterlab/apputils-extension:announcements",
    "@jupyter/nbgrader:assignment-list",
    "@jupyter/nbgrader:course-list",
    "@jupyter/nbgrader:create-assignment",
    "@jupyter/nbgrader:formgrader",
    "@jupyter/nbgrader:menu",
)
NEEDED = ("jupyterlab", "nbgrader", "numpy", "pandas", "scipy", "matplotlib", "ipywidgets")


def main(arguments: list[str]) -> int:
    """Start JupyterLab on the chapters until it is closed, or say how far they are.

    Returns the exit status.
    """
    if arguments == ["progress"]:
        return say_progress()
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        print(f"Not installed here: {', '.join(missing)}. README.md says how to begin.")
        return 1
    chapters = HERE / "chapters"
    print("Opening JupyterLab in your browser. Close it with Ctrl+C, here.", flush=True)
    return open_lab(chapters, arguments, environment())


def say_progress() -> int:
    """Print a line for each chapter; return the exit status."""
    sys.path.insert(0, str(HERE))
    from autograder.progress import chapters, printed

    print(printed(chapters(HERE / "chapters")))
    return 0


def open_lab(chapters: Path, arguments: list[str], variables: dict[str, str]) -> int:
    """Run JupyterLab on a folder of chapters until it is closed; return its exit status."""
    # The chapters' matrices are small: a second thread would wait, and waiting takes a core, too.
    variables = {"OPENBLAS_NUM_THREADS": "1", **variables}
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={chapters}"]
    command.append("--LabApp.extension_manager=readonly")
    if (chapters / START).is_dir():
        command.append(f"--LabApp.default_url=/lab/tree/{START}/{START}.ipynb")
    # Which files were open is forgotten at the end: the next start begins with the list again.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        command.append(f"--LabApp.workspaces_dir={folder}/workspaces")
        settings = Path(folder, "labconfig", "page_config.json")
        settings.parent.mkdir()
        off = {"disabledExtensions": dict.fromkeys(SWITCHED_OFF, True)}
        settings.write_text(json.dumps(off), "utf-8")
        try:
            return subprocess.call(
                [*command, *arguments], env=first(variables, SETTINGS, Path(folder))
            )
        except KeyboardInterrupt:
            return 0


def environment() -> dict[str, str]:
    """Return the variables with which JupyterLab finds this folder's library and settings."""
    variables = dict(os.environ)
    for name, folder in {
        "PYTHONPATH": HERE,  # the library beside these chapters, whatever is installed
        "PATH": Path(sys.executable).parent,  # nbgrader starts programs by name
    }.items():
        variables = first(variables, name, folder)
    return variables


def first(variables: dict[str, str], name: str, folder: Path) -> dict[str, str]:
    """Return the variables with this folder before the others of one of them."""
    folders = os.pathsep.join(filter(None, [str(folder), variables.get(name, "")]))
    return variables | {name: folders}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
