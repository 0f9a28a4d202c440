"""The first page: an attack on one person of the table, and a tile for each chapter."""

import itertools
import json
import re
from dataclasses import dataclass
from pathlib import Path

import jinja2
from emblem import cut
from executed import CHECK
from nbformat import NotebookNode

from dplib.data import load_adult

HERE = Path(__file__).parent
PERSON = "Karrie Trusslove"
# What a neighbor may know of a person, and the columns that say so.
FACTS = {"the date of birth": "DOB", "the postal code": "Zip", "the employer": "Workclass"}
# A figure of the library, as dplib/plots/parts/ink.py draws it; the axis of a guess is none.
_PICTURE = re.compile(
    r'<svg role="img" aria-label="[^"]*"([^>]* stroke-linejoin="round".*?</svg>)', re.DOTALL
)
# A slider that shows the thing itself, not a reader's own function beside its law.
_SLIDER = re.compile(r"explore_\w+\((?!.*mechanism=)", re.DOTALL)
_DOTS = 1000


@dataclass(frozen=True)
class Tile:
    """A chapter on the first page.

    Attributes:
      name: of its page, without the ending.
      title, question: as the chapter opens.
      picture: the first figure of the chapter as SVG, of a slider if it has one, or empty.
      guesses: how many guesses the chapter asks for.
      exercises: how many of its exercises are checked on the page.
    """

    name: str
    title: str
    question: str
    picture: str
    guesses: int
    exercises: int


def tile(name: str, page: NotebookNode) -> Tile:
    """Return the tile of a chapter's page, with outputs."""
    opening = "\n".join(cell.source for cell in page.cells[:2] if cell.cell_type == "markdown")
    shown = [html for cell in page.cells for html in _html(cell)]
    sliders = [html for cell in page.cells if _SLIDER.search(cell.source) for html in _html(cell)]
    found = next((found for html in sliders + shown if (found := _PICTURE.search(html))), None)
    return Tile(
        name,
        re.search(r"^# +(.+)$", opening, re.MULTILINE)[1],
        re.search(r"^\*\*(.+)\*\*$", opening, re.MULTILINE)[1],
        cut(f'<svg aria-hidden="true"{found[1]}') if found else "",
        sum(html.count('class="dplib-guess"') for html in shown),
        sum(tag.startswith(CHECK) for cell in page.cells for tag in cell.metadata.get("tags", [])),
    )


def _html(cell: NotebookNode) -> list[str]:
    outputs = cell.get("outputs", [])
    return [output.data["text/html"] for output in outputs if "text/html" in output.get("data", {})]


def attack() -> dict[str, int]:
    """Return how many rows fit the person, by which facts are known: "101" for first and third."""
    table = load_adult()
    person = table[table["Name"] == PERSON].iloc[0]
    fits = [table[column] == person[column] for column in FACTS.values()]
    counts = {}
    for known in itertools.product((False, True), repeat=len(fits)):
        rows = table["Name"].notna()
        for fact, is_known in zip(fits, known, strict=True):
            rows &= fact | (not is_known)
        counts["".join("01"[each] for each in known)] = int(rows.sum())
    return counts


def front_page(tiles: list[Tile]) -> str:
    """Return the HTML of the attack and of the tiles."""
    person = load_adult().set_index("Name").loc[PERSON]
    earns = "more than" if person["Target"] == ">50K" else "at most"
    listed = person["Marital Status"].replace("-", " ").lower()
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    counts = attack()
    return environment.get_template("front.html.jinja").render(
        tiles=tiles,
        person=PERSON,
        facts=list(FACTS),
        counts=json.dumps(counts),
        everybody=counts["0" * len(FACTS)],
        dots=range(_DOTS),
        secret=f"{earns} 50,000 dollars a year, and is listed as {listed}",
    )
