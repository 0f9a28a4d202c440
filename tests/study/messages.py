"""Write build/study/messages.md: what the checks say to every wrong answer that we know.

`make messages` asks the checks, for some minutes; `make site` makes a page of it.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from places import ROOT
from rich.progress import track
from wrong_answers import ZOO, sentence

from autograder.version import version

PAGE = ROOT / "build" / "study" / "messages.md"
_TRIES = 10
HEAD = """\
# What the checks say

Every sentence that a check says to one of the {answers:,} wrong answers in `tests/wrong_answers/`
and in the claims, each once: {sentences:,} in all. In a notebook the numbers of the student's own
run stand between the first line and the question, as in the example of each exercise.
Made by `make messages`, of the version `{version}` of the checks.
"""


def main() -> None:
    """Collect the sentences and write the page."""
    said = dict(_said())
    parts, count = [], 0
    for name, texts in said.items():
        sentences = sorted({(_headline(text), _question(text)) for text in texts})
        count += len(sentences)
        parts.append(_exercise(name, texts[0], sentences))
    answers = sum(len(ZOO.all_wrong(name)) for name in ZOO.wrong)
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    head = HEAD.format(answers=answers, sentences=count, version=version())
    PAGE.write_text(head + "".join(parts), "utf-8")
    print(f"{PAGE.relative_to(ROOT)}: {count} sentences on {answers} wrong answers")


def _said() -> Iterator[tuple[str, list[str]]]:
    for name in track(list(ZOO.wrong), "Asking the checks"):
        yield name, [_asked(name, answer) for answer, _ in ZOO.all_wrong(name)]


def _asked(name: str, answer: Callable) -> str:
    """Return what the check says; on a busy machine it may run out of time: then ask again."""
    for _ in range(_TRIES - 1):
        with suppress(pytest.fail.Exception):
            return sentence(name, answer)
    return sentence(name, answer)


def _headline(text: str) -> str:
    """Return what is wrong, in the first line."""
    return text.splitlines()[0].partition(": ")[2]


def _question(text: str) -> str:
    """Return what the student is asked, which may go on for several lines."""
    joined = " ".join(line.strip() for line in text.splitlines())
    return joined.partition(" Try: ")[2]


def _exercise(name: str, example: str, sentences: list[tuple[str, str]]) -> str:
    rows = "".join(f"- {_plain(what)}.<br>*{_plain(ask)}*\n" for what, ask in sentences)
    chapter = ZOO.chapter[name]
    return f"\n## `{name}` ({chapter})\n\n```\n{example}\n```\n\n{rows}"


def _plain(words: str) -> str:
    """Return words in which Markdown finds nothing to do."""
    for mark in ("\\", "*", "_", "<", "[", "`", "|"):
        words = words.replace(mark, f"\\{mark}")
    return words


if __name__ == "__main__":
    main()
