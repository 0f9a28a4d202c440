"""Make the site: the book, and beside it the chapters that run in the browser.

Run: python deploy/site/make.py [--pyodide ARCHIVE] [--open] [--out FOLDER]
"""

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import nbformat

sys.path.insert(0, str(Path(__file__).parent))
from answering import write_scripts
from executed import executed_chapters, readable
from front import front_page, tile
from lite import make_lite
from math_font import write_math_font
from policy import set_policies
from vendored import SiteError, vendor

from autograder.authoring.pair import BuildError

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
WORK = ROOT / "build" / "site"
EVIDENCE = ROOT / "build" / "study"  # long pages, where `make test-check` or `make messages` ran
NO_PYODIDE = (
    "No Pyodide archive was given: the pages are made without editors for answers.\n"
    "To have it, download Pyodide's full release archive and run: make site PYODIDE=FILE\n"
    "(FILE may also be a folder, or a wheel or zip that holds pyodide-lock.json.)"
)

_ICON = re.compile(r"\bfa-[\w-]+")
# It draws icons as pictures, of which the theme has none: its icons are letters of a font.
_ICON_SCRIPT = re.compile(r"<script[^>]*/fontawesome\.js[^>]*></script>\s*")
_ICON_RULE = re.compile(r"(?<=\})\.fa-[\w-]+(?:,\.fa-[\w-]+)*\{--fa:[^}]*\}")

# Pages without exercises.
NO_TILE = frozenset(path.stem for path in (ROOT / "course").glob("[0-9][0-9]_*.md"))
# Chapters whose number has changed: their old addresses lead to the new ones.
MOVED = {"16_audit": "17_audit", "17_where_next": "19_where_next"}
# Colours of a terminal, which no chapter prints: most of the sheet.
_TERMINAL_RULE = re.compile(r"div\.highlight \.-Color\[class[^{}]*\{[^}]*\}\s*")

CAN_RUN = (
    "- **Answer** each exercise where it stands. Your browser runs it, and the check says in a "
    "sentence what is wrong. Or open the whole notebook there."
)
CANNOT_RUN = "- Code does not run on these pages: they were made without Python for the browser."


def main() -> int:
    """Make the site in a folder; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pyodide", type=Path, help="Pyodide's full archive, for JupyterLite")
    parser.add_argument("--out", type=Path, default=WORK / "html", help="where the site goes")
    words = "with the answers, folded, and the library to read: for people who learn by themselves"
    parser.add_argument("--open", action="store_true", help=words)
    options = parser.parse_args()
    try:
        make(options.out, options.pyodide, answers=options.open)
    except (BuildError, SiteError) as error:
        print(f"cannot make the site: {error}", file=sys.stderr)
        return 1
    print(f"The site is in {options.out}. To look at it: python -m http.server -d {options.out}")
    return 0


def make(out: Path, pyodide: Path | None, *, answers: bool = False) -> None:
    """Write the whole site into `out`, with the answers and the readable library or without."""
    if pyodide is None:
        print(NO_PYODIDE)
    print("Running the chapters that changed.")
    notebooks = executed_chapters(ROOT, WORK / "executed")
    source = WORK / "src"
    shutil.rmtree(source, ignore_errors=True)
    for folder in ("static", "templates"):
        shutil.copytree(HERE / folder, source / folder)
    vendor(WORK / "vendored")
    if pyodide is not None:
        write_scripts(WORK / "page", source / "static" / "answer")
    shutil.copyfile(HERE / "conf.py", source / "conf.py")
    written = {
        each.stem: _write_page(each, source, can_run=pyodide is not None, answers=answers)
        for each in notebooks
    }
    tiles = [tile(name, page) for name, page in written.items() if name not in NO_TILE]
    pages = [*written, *add_evidence(EVIDENCE, source)]
    index = index_page(pages, front_page(tiles), can_run=pyodide is not None)
    (source / "index.md").write_text(index, "utf-8")
    print("Making the pages.")
    _sphinx(source, out)
    pages = [page.read_text("utf-8") for page in out.glob("*.html")]
    write_math_font(WORK / "vendored" / "stix.woff", pages, out / "_static" / "formulas.woff")
    shutil.copyfile(WORK / "vendored" / "stix.LICENSE", out / "_static" / "formulas.LICENSE")
    forward(out, MOVED)
    set_policies(out)
    if pyodide is not None:
        _copy_notebooks(written, out / "notebooks")
        print("Making the chapters that run in the browser.")
        make_lite(ROOT, pyodide, WORK / "lite", out / "lite", open_library=answers)


def _write_page(
    executed: Path, source: Path, *, can_run: bool, answers: bool
) -> nbformat.NotebookNode:
    notebook = nbformat.read(executed, as_version=4)
    given = ROOT / "release" / executed.stem / executed.name
    release = nbformat.read(given, as_version=4)
    page = readable(notebook, release, answers=answers, editors=can_run)
    if can_run:
        page.cells.insert(1, nbformat.v4.new_markdown_cell(_whole_notebook(executed.stem)))
    if can_run and executed.stem not in NO_TILE:
        page.cells.insert(2, nbformat.v4.new_markdown_cell(_answering(executed.stem)))
    nbformat.write(page, source / executed.name)
    return page


def _copy_notebooks(names: Iterable[str], target: Path) -> None:
    """Copy the chapters as students get them, into which a page puts a reader's answers."""
    target.mkdir(parents=True, exist_ok=True)
    for name in names:
        shutil.copyfile(ROOT / "release" / name / f"{name}.ipynb", target / f"{name}.ipynb")


def add_evidence(folder: Path, source: Path) -> list[str]:
    """Copy the pages about the checks, as far as they were made; return their names."""
    made = sorted(folder.glob("*.md"))
    for page in made:
        shutil.copyfile(page, source / page.name)
    return [page.stem for page in made]


def forward(out: Path, moved: Mapping[str, str]) -> None:
    """Write a page at each old address that leads to the new one, if that is there.

    Args:
      out: the site's folder.
      moved: the new name of each page, by the old one.
    """
    for old, new in moved.items():
        if (out / f"{new}.html").exists():
            (out / f"{old}.html").write_text(
                '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
                "<title>This page has moved</title>"
                f'<meta http-equiv="refresh" content="0; url={new}.html"></head>\n'
                f'<body><p>This page has moved to <a href="{new}.html">{new}</a>.</p>'
                "</body></html>\n",
                "utf-8",
            )


def _whole_notebook(name: str) -> str:
    address = f"lite/notebooks/index.html?path={name}/{name}.ipynb"
    return f'<p class="whole-notebook"><a href="{address}">Open the whole notebook</a></p>'


def _answering(name: str) -> str:
    """Return where a page's script says how far a reader is; without a script nothing is there."""
    settings = f'data-chapter="{name}" data-python="lite/static/pyodide/"'
    return f'<div id="answering" {settings} hidden></div>'


def index_page(names: list[str], front: str, *, can_run: bool) -> str:
    """Return the text of the first page: an attack, what the book is, and its chapters."""
    text = (HERE / "index.md").read_text("utf-8")
    text = text.replace("FRONT", f"```{{raw}} html\n{front}\n```")
    text = text.replace("RUN", CAN_RUN if can_run else CANNOT_RUN)
    return text.replace("CHAPTERS", "\n".join(names))


def _sphinx(source: Path, out: Path) -> None:
    shutil.rmtree(out, ignore_errors=True)
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-b",
        "html",
        "-j",
        "auto",
        "-q",
        "-W",
        "--keep-going",
        "-d",  # what Sphinx keeps for itself is not for publishing
        str(WORK / "doctrees"),
    ]
    done = subprocess.run([*command, str(source), str(out)], check=False)
    if done.returncode:
        raise SiteError("Sphinx found what is written above")
    for unread in out.rglob("*.map"):  # for who develops the theme
        unread.unlink()
    _leave_out_icons(out)
    for sheet in out.glob("_static/mystnb.*.css"):
        sheet.write_text(_TERMINAL_RULE.sub("", sheet.read_text("utf-8")), "utf-8")


def _leave_out_icons(out: Path) -> None:
    """Take what draws no icon of a page out of the theme: a quarter of all that a page loads."""
    for page in out.glob("*.html"):
        page.write_text(_ICON_SCRIPT.sub("", page.read_text("utf-8")), "utf-8")
    for script in out.glob("_static/scripts/fontawesome.js*"):
        script.unlink()
    used = {name for page in out.glob("*.html") for name in _ICON.findall(page.read_text("utf-8"))}
    for sheet in out.glob("_static/styles/*.css"):
        rules = _ICON_RULE.sub(
            lambda rule: rule[0] if used.intersection(_ICON.findall(rule[0])) else "",
            sheet.read_text("utf-8"),
        )
        sheet.write_text(rules, "utf-8")


if __name__ == "__main__":
    sys.exit(main())
