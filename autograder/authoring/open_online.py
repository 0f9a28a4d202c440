"""Links that open one published notebook on Colab or Binder, and the cell that lets it run there.

Binder installs what environment.yml names. Colab opens a notebook alone, with the usual packages
and nothing of the course: the notebook's first cell installs that.
"""

import re
from collections.abc import Mapping

import nbformat

from autograder.authoring.pair import BuildError

_BRANCH = "main"
_COLAB, _BINDER = "https://colab.research.google.com/github", "https://mybinder.org/v2/gh"
# --no-deps: Colab has the packages, and its own versions are better left alone.
_CELL = """\
# The course itself, where it is not installed yet (on Colab, for example).
import importlib.util

if importlib.util.find_spec("dplib") is None:
    %pip install --quiet --no-deps "git+{address}@{branch}"
"""
_SECTION = """
## Without installing anything

| chapter | opens in |
|---|---|
{rows}

Colab and Binder forget what you wrote: download the notebook before you leave (*File*,
*Download*). Both run on other people's machines. *Validate* is on Binder only; in Colab run the
cell below your answer.
"""


def raise_unless_installable(address: str) -> None:
    """Raise BuildError for an address that pip could not install from."""
    if not re.fullmatch(r"(https|file)://[\w./~@:-]+", address):
        raise BuildError(f"{address!r} is no address of a repository: https://…")


def with_links(files: Mapping[str, bytes], address: str) -> dict[str, bytes]:
    """Return published files with a first cell in each notebook, and links in README.md.

    Args:
      files: by name.
      address: of the public repository; Colab and Binder's links are made for one on GitHub.

    Raises:
      BuildError: the address is none that pip could install from.
    """
    raise_unless_installable(address)
    address = address.removesuffix("/").removesuffix(".git")
    made, rows = dict(files), []
    for name in sorted(files):
        if name.endswith(".ipynb"):
            made[name] = _with_first_cell(files[name], address)
            rows.append(_row(name, address))
    made["README.md"] = files["README.md"] + _SECTION.format(rows="\n".join(rows)).encode()
    return made


def _with_first_cell(content: bytes, address: str) -> bytes:
    notebook = nbformat.reads(content.decode(), as_version=4)
    source = _CELL.format(address=address, branch=_BRANCH).rstrip()
    notebook.cells.insert(0, nbformat.v4.new_code_cell(source, id="install-the-course"))
    return (nbformat.writes(notebook, version=nbformat.NO_CONVERT) + "\n").encode()


def _row(name: str, address: str) -> str:
    title = name.split("/")[-1].removesuffix(".ipynb")
    found = re.fullmatch(r"https://github\.com/([^/]+/[^/]+)", address)
    if not found:
        return f"| [{title}]({name}) | the address is not on GitHub: no link |"
    colab = f"{_COLAB}/{found[1]}/blob/{_BRANCH}/{name}"
    binder = f"{_BINDER}/{found[1]}/{_BRANCH}?urlpath=lab/tree/{name}"
    return f"| [{title}]({name}) | [Colab]({colab}), [Binder]({binder}) |"
