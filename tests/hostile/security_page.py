"""Writes docs/security.md: the words of `security.md`, and a table of what was measured."""

from collections.abc import Mapping
from pathlib import Path

from attack import Attack, Measured
from battery import BATTERY, GROUPS

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "security.md"
_WORDS = Path(__file__).with_name("security.md")
_PLACE = "<!-- the table -->\n"


def page(plain: Measured, ours: Measured) -> str:
    """Return the page."""
    return _page(
        {name: BATTERY[name].usual("plain", seen.words()) for name, seen in plain.seen.items()},
        {name: BATTERY[name].usual("ours", seen.words()) for name, seen in ours.seen.items()},
    )


def expected_page() -> str:
    """Return the page of a run in which everything came as it should."""
    attacks = [attack for group in GROUPS.values() for attack in group]
    return _page(
        {attack.name: attack.plain for attack in attacks},
        {attack.name: attack.ours for attack in attacks},
    )


def _page(plain: Mapping[str, str], ours: Mapping[str, str]) -> str:
    lines = []
    for title, attacks in GROUPS.items():
        lines += [f"### {title}", "", "| The submission … | plain nbgrader | `autograder grade` |"]
        lines += ["|---|---|---|"]
        lines += [_row(attack, plain[attack.name], ours[attack.name]) for attack in attacks]
        lines.append("")
    before, after = _WORDS.read_text("utf-8").split(_PLACE)
    return before + "\n".join(lines) + after


def _row(attack: Attack, plain: str, ours: str) -> str:
    cells = (f"{attack.does} (`{attack.name}`)", plain, ours)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
