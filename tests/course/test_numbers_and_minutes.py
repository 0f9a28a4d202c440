"""What each chapter promises: right numbers, guesses, honest minutes."""

import ast
import importlib.util
import re

import pytest
from notebooks import CHAPTERS, executed, mark, read
from places import ROOT

book = pytest.mark.parametrize("name", CHAPTERS)

NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?")
SECONDS_A_LINE, WORDS_A_LINE = 5, 12
MINUTES = {"★": 6, "★★": 15, "★★★": 35}


def texts(name: str) -> list[str]:
    """The text that a student reads: every Markdown cell but the answers and the sources."""
    cells = [c.source for c in read(name).cells if c.cell_type == "markdown" and not is_answer(c)]
    return [cell.split("**Sources.**")[0] for cell in cells]


def is_answer(cell) -> bool:
    return bool(mark(cell).get("solution"))


def quoted(text: str) -> list[str]:
    """The numbers of three digits and more in a text; not its years, names and code."""
    text = re.sub(r"```.*?```|`[^`\n]*`|\]\([^)]*\)|#+ .*", " ", text, flags=re.S)
    text = re.sub(r"\b(19|20)\d\d\b", " ", text)
    return [each for each in NUMBER.findall(text) if len(re.sub(r"\D|^0[.0]*", "", each)) >= 3]


def known(name: str) -> list[float]:
    """Every number that the chapter's cells hold or show, and its facts in tests/facts."""
    words = []
    for cell in executed(name).cells:
        if cell.cell_type == "code":
            words.append(cell.source)
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            words.append(output.get("text", ""))
            words += [data.get("text/plain", ""), re.sub("<[^>]*>", " ", data.get("text/html", ""))]
            words += re.findall(r'(?:alt|aria-label)="([^"]*)"', data.get("text/html", ""))
    found = [float(each.replace(",", "").rstrip(".")) for each in NUMBER.findall("\n".join(words))]
    return [*found, *facts(name)]


def facts(name: str) -> list[float]:
    """What a chapter's file in tests/facts computes; a chapter may do without one."""
    path = ROOT / "tests" / "facts" / f"{name}.py"
    if not path.exists():
        return []
    spec = importlib.util.spec_from_file_location(f"facts_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [float(each) for each in module.FACTS]


def is_rounded(text: str, values: list[float]) -> bool:
    """Whether a number in the text is one of the values, rounded to its digits."""
    plain = text.replace(",", "")
    mantissa, _, power = plain.partition("e")
    places = len(mantissa.partition(".")[2]) - int(power or 0)
    zeros = len(mantissa) - len(mantissa.rstrip("0")) if "." not in mantissa else 0
    step = 10.0 ** (max(0, zeros) - places)
    return any(abs(float(plain) - each) <= 0.5001 * step for each in values)


@book
def test_every_number_in_the_text_is_one_that_code_gives(name):
    values = known(name)
    wrong = [each for text in texts(name) for each in quoted(text) if not is_rounded(each, values)]
    assert not wrong, f"{name}: no cell and no fact gives {', '.join(wrong)}"


def test_a_wrong_number_is_seen():
    assert quoted("In 2014 (3.14 %), `f(1000)` gave 17,450 of 12; $e^{0.001}$ 1e-5") == [
        "3.14",
        "17,450",
    ]
    assert is_rounded("17,450", [17450]) and not is_rounded("17,451", [17450])
    assert is_rounded("2.72", [2.71828]) and not is_rounded("2.73", [2.71828])
    assert is_rounded("3,700", [3702]) and not is_rounded("3,702", [3700])


@book
def test_karrie_is_met_in_each_chapter(name):
    """The first page says so."""
    assert "Karrie" in "".join(texts(name))


@book
def test_there_is_no_metronome(name):
    begun = re.findall(r"(?:^|[.!?:]\s+)(Expect|We saw)\b", "\n\n".join(texts(name)), re.M)
    assert len(begun) <= 3


@book
def test_a_chapter_asks_for_four_to_eight_guesses_and_reveals_each(name):
    code = "\n".join(cell.source for cell in read(name).cells if cell.cell_type == "code")
    asked = re.findall(r"^(\w+) = guess\.(?:number|choice|mark)\(", code, re.M)
    assert 4 <= len(asked) == len(set(asked)) <= 8
    for each in asked:
        assert code.count(f"\n{each}.reveal(") == 1, each


@book
def test_no_cell_prints_what_it_reveals(name):
    """A number that a guess hides is not readable beside it."""
    for cell in executed(name).cells:
        if cell.cell_type == "code" and ".reveal(" in cell.source:
            printed = "".join(o.get("text", "") for o in cell.outputs)
            (shown,) = [o["data"]["text/plain"] for o in cell.outputs if "data" in o]
            truth = re.fullmatch(r"It is “?(.+?)”?\.", shown)[1]
            assert truth not in printed, cell.source


@book
def test_no_cell_builds_axes_or_is_wide(name):
    for cell in read(name).cells:
        if cell.cell_type == "code":
            assert "described_figure" not in cell.source and ".draw_" not in cell.source
            if not mark(cell).get("grade"):
                lines = outside_docstrings(cell.source)
                assert not [line for line in lines if len(line) > 72]


@book
def test_what_an_answer_may_take_for_granted_is_there_in_each_chapter(name):
    """An answer that is brought from another chapter finds its names."""
    first = next(cell.source for cell in read(name).cells if cell.cell_type == "code")
    assert "import math\n" in first
    assert "\nimport numpy as np\nimport pandas as pd\n" in first


def outside_docstrings(source: str) -> list[str]:
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node):
            here = node.body[0]
            for number in range(here.lineno - 1, here.end_lineno):
                lines[number] = ""
    return lines


@book
def test_the_minutes_are_counted(name):
    opening = re.search(
        r"takes about (\d+) minutes, the exercises about (\d+)", "".join(texts(name))
    )
    reading, answering = minutes(name)
    assert tuple(map(int, opening.groups())) == (reading, answering), (
        f"say so in the opening of course/{name}/{name}.md: takes about {reading} minutes, the "
        f"exercises about {answering}; and in its row in course/README.md"
    )


def minutes(name: str) -> tuple[int, int]:
    """Minutes for reading and for the exercises, each rounded to 5.

    A line, of text or of code, takes 5 seconds; an exercise goes by its stars.
    """
    words = sum(len(text.split()) for text in texts(name))
    code = sum(
        len(cell.source.splitlines())
        for cell in read(name).cells
        if cell.cell_type == "code" and not mark(cell)
    )
    reading = (words / WORDS_A_LINE + code) * SECONDS_A_LINE / 60
    stars = re.findall(r"^### Exercise \d+ (★+) ", "\n".join(texts(name)), re.M)
    answering = sum(MINUTES[each] for each in stars)
    return 5 * round(reading / 5), 5 * round(answering / 5)
