"""The numbers of a chapter's exercises: they follow the order of the headings, also in the text."""

import re

_HEADING = re.compile(r"^### Exercise (\d+)", re.MULTILINE)
# “exercise 3”, “exercises 1 and 4”; not “exercise 3 of chapter 2”.
_MENTION = re.compile(
    r"\b[Ee]xercises? \d+(?:(?:, and |, | and )\d+(?! of chapter))*(?! of chapter)\b"
)


def renumbered(text: str) -> tuple[str, list[str]]:
    """Return a chapter's text with its exercises numbered from 1 on, and what names none of them.

    Where the text speaks of an exercise by its number, the number changes with it. If two headings
    have one number, nobody can say which is meant: then only the headings change.

    Args:
      text: of a chapter.

    Returns:
      The text, and the mentions of exercises that are not there (any more), as they stand.
    """
    old = _HEADING.findall(text)
    if len(set(old)) < len(old):
        places = iter(range(1, 1 + len(old)))
        return _HEADING.sub(lambda _: f"### Exercise {next(places)}", text), []
    new = {number: str(place) for place, number in enumerate(old, 1)}
    lost = [
        each[0] for each in _MENTION.finditer(text) if set(re.findall(r"\d+", each[0])) - set(old)
    ]

    def mention(found: re.Match) -> str:
        return re.sub(r"\d+", lambda number: new.get(number[0], number[0]), found[0])

    return (_MENTION.sub(mention, text) if old else text), (lost if old else [])
