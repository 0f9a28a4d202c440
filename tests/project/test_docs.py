"""The pages in Markdown: links lead somewhere, pictures are described, commands exist."""

import itertools
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from notebooks import CHAPTERS, NAMES, mark, read
from places import ROOT

from autograder import cli

# The chapters' own links are in tests/course/test_pages.py.
PAGES = sorted(
    path
    for pattern in (
        *("*.md", "docs/*.md", "course/[A-Z]*.md", "dplib/**/*.md"),
        *("tools/**/*.md", "ville/*.md"),
    )
    for path in ROOT.glob(pattern)
)
LINK = re.compile(r"(!?)\[([^\]]*)\]\(<?([^)\s>]+)>?\)")
SYLLABUS = (ROOT / "course" / "README.md").read_text("utf-8")


def each(pages):
    return pytest.mark.parametrize("page", pages, ids=lambda page: str(page.relative_to(ROOT)))


def prose(text: str) -> str:
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)


@cache
def anchors(page: Path) -> set[str]:
    """The names of a page's headings, as GitHub makes them."""
    found: dict[str, int] = {}
    for title in re.findall(r"^#+ +(.+?)\s*$", prose(page.read_text("utf-8")), re.M):
        name = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        found[name] = found.get(name, -1) + 1
        if found[name]:
            found[f"{name}-{found[name]}"] = 0
    return set(found)


def broken(page: Path, text: str) -> list[str]:
    """The links of a text that lead nowhere; those to other hosts are not followed."""
    bad = []
    for _, _, link in LINK.findall(prose(text)):
        if re.match(r"https?:|mailto:", link):
            continue
        place, _, name = unquote(link).partition("#")
        target = page.parent / place if place else page
        lost = name and target.suffix == ".md" and name not in anchors(target.resolve())
        if not target.exists() or lost:
            bad.append(link)
    return bad


@each(PAGES)
def test_every_link_leads_somewhere(page):
    assert broken(page, page.read_text("utf-8")) == []


def test_a_broken_link_is_seen():
    page = ROOT / "README.md"
    text = (
        "[a](docs/no_page.md) [b](docs/student.md#no-heading) [c](docs/student.md#answer) [d](#x)"
    )
    assert broken(page, text) == ["docs/no_page.md", "docs/student.md#no-heading", "#x"]


@each(PAGES)
def test_every_picture_is_described(page):
    text = page.read_text("utf-8")
    for picture, words, link in LINK.findall(prose(text)):
        assert not picture or len(words.split()) > 2, link
    for drawing in re.findall(r"^```mermaid\n(.*?)^```", text, re.S | re.M):
        assert re.search(r"accTitle: \w", drawing) and re.search(r"accDescr: \w", drawing)


@each(PAGES)
def test_headings_are_in_order(page):
    levels = [len(marks) for marks in re.findall(r"^(#+) ", prose(page.read_text("utf-8")), re.M)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))


@each(PAGES)
def test_every_command_exists(page):
    text = page.read_text("utf-8")
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for name in re.findall(r"(?:^|`)make ([a-z][a-z-]+)", text, re.M):
        assert re.search(rf"^{name}:", makefile, re.M), f"make {name}"
    for name in re.findall(r"(?:^|`)autograder ([a-z][a-z-]+)", text, re.M):
        with pytest.raises(SystemExit) as asked:
            cli.main([name, "--help"])
        assert asked.value.code == 0, f"autograder {name}"


def row(name: str) -> list[str]:
    """The syllabus's cells about one chapter: title, question, exercises, names, minutes."""
    lines = [line for line in SYLLABUS.splitlines() if f"/{name}.md)" in line]
    assert len(lines) == 1, f"{name} needs a row in course/README.md"
    return [cell.strip() for cell in lines[0].strip("|").split(" |")]


@pytest.mark.parametrize("name", CHAPTERS)
def test_the_syllabus_says_what_the_chapter_says(name):
    title, question, exercises, _, minutes = row(name)
    text = "\n".join(cell.source for cell in read(name).cells if cell.cell_type == "markdown")
    first = text.splitlines()[0].removeprefix("# ")
    assert title.startswith(f"[{int(first.split()[0]):02} {first.partition(' ')[2]}]")
    assert f"**{question}**" in text
    reading, answering = re.search(
        r"takes about (\d+) minutes, the exercises about (\d+)", text
    ).groups()
    assert minutes == f"{reading} + {answering}", (
        f"course/README.md, the row of {name}, last cell: {reading} + {answering}, as it opens"
    )
    stars = {name: stars for stars, name in re.findall(r"### Exercise \d+ (★+) `(\w+)`", text)}
    for given, exercise in re.findall(r"(★+) `(\w+)`", exercises):
        known = re.sub(r"(?<!^)(?=[A-Z])", "_", exercise).lower()
        assert stars.get(known) == given, exercise
    written, listed = (
        re.findall(r"### Exercise \d+ (★+) (.*?) \(", text),
        re.findall("★+", exercises),
    )
    assert sorted(each for each, _ in written) == sorted(listed), (
        f"course/README.md, the row of {name}: give each of these its stars and its name there: "
        f"{', '.join(f'{each} {words}' for each, words in written)}"
    )


def test_the_syllabus_has_every_page_and_adds_the_points_up():
    for name in NAMES:
        assert f"{name}.md)" in SYLLABUS
    cells = [
        mark(cell) for name in CHAPTERS for cell in read(name).cells if mark(cell).get("grade")
    ]
    points = sum(cell["points"] for cell in cells)
    by_hand = sum(cell["points"] for cell in cells if cell["solution"])
    sums = f"In all: {points} points, {by_hand} of them given by a person"
    assert sums in SYLLABUS, f"course/README.md, last line, must say: {sums}"


@pytest.mark.long
def test_every_warning_of_nbgrader_validate_is_announced(tmp_path):
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    made = new_notebook(cells=[new_code_cell("1")], metadata={"kernelspec": kernel})
    nbformat.write(made, tmp_path / "any.ipynb")
    command = [sys.executable, "-m", "nbgrader", "validate", "any.ipynb"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "Success" in run.stdout
    warnings = [line for line in run.stderr.splitlines() if "WARNING" in line]
    page = (ROOT / "docs" / "keeping-a-course.md").read_text("utf-8")
    announced = re.findall(r"\*([^*\n]+)\*", page.split("Lines of *WARNING*")[1].split("Then:")[0])
    assert warnings
    for line in warnings:
        assert any(words in line for words in announced), line
