"""The project's own code that students get: what their notebooks import, and all that this imports.

No list names it. An import counts at any place of a file, in a function too, and so does a module
that a chapter's text or the students' README.md names. Checks are loaded by their names, so a
notebook that calls `check.NAME` needs the claim of that name.
"""

import ast
import fnmatch
import functools
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from nbformat import NotebookNode

from autograder.authoring.pair import BuildError
from autograder.progress.chapters import CHECKED

STUDENT = Path(__file__).parent / "student"  # what lies at the top of the folder that students get
_PACKAGES = ("autograder", "dplib", "ville")
_CLAIMS = "autograder.check.claims"
_NAMED = re.compile(rf"\b(?:{'|'.join(_PACKAGES)})(?:\.\w+)+")
# Zips are made chapter by chapter, of the same texts.
_once = functools.lru_cache(maxsize=2048)


class _Import(NamedTuple):
    """A name that code imports.

    Attributes:
      name: with all packages that it lies in: `a.b.c`.
      is_module: false for the c of `from a.b import c`, which may be a module or not.
    """

    name: str
    is_module: bool = True


def student_code(
    root: Path, notebooks: Iterable[NotebookNode], checked: Iterable[NotebookNode]
) -> dict[str, bytes]:
    """Return the files of the library and of the checks that notebooks need, by name.

    Args:
      root: the project's folder.
      notebooks: the chapters whose imports count.
      checked: the chapters whose exercises' checks go along.

    Raises:
      BuildError: a module that is imported is missing.
    """
    cells = [cell for notebook in notebooks for cell in notebook.cells]
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    words = [cell.source for cell in cells if cell.cell_type != "code"]
    code += [path.read_text("utf-8") for path in sorted(STUDENT.glob("*.py"))]
    words += [path.read_text("utf-8") for path in sorted(STUDENT.glob("*.md"))]
    wanted = [each for text in code for each in _imports_of(text)]
    wanted += [_Import(name, False) for text in words for name in _NAMED.findall(text)]
    called = {name for each in checked for code in _code_of(each) for name in CHECKED.findall(code)}
    wanted += [_Import(name) for name in _claims(root, called)]
    return {
        file.relative_to(root).as_posix(): content
        for file, content in _with_data(root, _closure(root, wanted))
    }


def _code_of(notebook: NotebookNode) -> Iterator[str]:
    return (cell.source for cell in notebook.cells if cell.cell_type == "code")


@_once
def _imports_of(text: str) -> tuple[_Import, ...]:
    """Return what a text imports of the project; nothing if it is no Python, as a magic."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return ()
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [_Import(alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            members = [_Import(f"{node.module}.{alias.name}", False) for alias in node.names]
            found += [_Import(node.module), *members]
    return tuple(each for each in found if each.name.split(".")[0] in _PACKAGES)


def _claims(root: Path, exercises: Iterable[str]) -> Iterator[str]:
    """Yield the modules of exercises' claims."""
    folder = root.joinpath(*_CLAIMS.split("."))
    for name in sorted(exercises):
        yield from (f"{_CLAIMS}.{path.parent.name}.{name}" for path in folder.glob(f"*/{name}.py"))


def _closure(root: Path, wanted: Iterable[_Import]) -> list[Path]:
    """Return the files of these modules, of what they import, and of the packages around them."""
    files: dict[str, Path | None] = {}
    waiting = [(each, "a chapter") for each in wanted]
    while waiting:
        each, importer = waiting.pop()
        parts = each.name.split(".")
        for module in (".".join(parts[:count]) for count in range(1, len(parts) + 1)):
            if module not in files:
                files[module] = _file(root, module)
                if file := files[module]:
                    where = file.relative_to(root).as_posix()
                    waiting += [(one, where) for one in _imports_of(file.read_text("utf-8"))]
        if each.is_module and files[each.name] is None:
            words = f"{importer} imports {each.name}, which is missing"
            raise BuildError(f"{words}: a bundle needs the whole project")
    return [file for file in files.values() if file]


def _file(root: Path, module: str) -> Path | None:
    place = root.joinpath(*module.split("."))
    found = [each for each in (place / "__init__.py", place.with_suffix(".py")) if each.is_file()]
    return found[0] if found else None


def _with_data(root: Path, modules: Iterable[Path]) -> Iterator[tuple[Path, bytes]]:
    """Yield the modules, and the files of their packages that are no code and belong to them."""
    texts = {file: file.read_bytes() for file in modules}
    yield from texts.items()
    declared = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    for package, patterns in declared["tool"]["setuptools"]["package-data"].items():
        for file in sorted((root / package).rglob("*")):
            inside = file.relative_to(root / package).as_posix()
            if any(fnmatch.fnmatch(inside, each) for each in patterns) and _is_read(file, texts):
                yield file, file.read_bytes()


def _is_read(data: Path, texts: Mapping[Path, bytes]) -> bool:
    """Say whether a module beside a file names it, or people read it who read the package."""
    beside = [text for file, text in texts.items() if file.parent == data.parent]
    wanted = b"" if data.name == "README.md" else data.name.encode()
    return any(wanted in text for text in beside)
