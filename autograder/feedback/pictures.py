"""The pictures that a page's texts name: each stands in the page once, however often it is named.

While text is laid out, a short address stands for a picture. So a picture of megabytes that is
named a thousand times is neither copied nor cleaned a thousand times.
"""

from __future__ import annotations

import base64
import mimetypes
import re
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

__all__ = ["Pictures"]

_LARGEST = 3_000_000  # bytes of a picture in a file
_MOST = 20_000_000  # characters of all pictures in a page
_KINDS = ("image/svg+xml", "image/png", "image/jpeg", "image/gif", "image/webp")
_ADDRESS = "data:image/png;picture,{}"
# Of a tag as bleach writes it: between quotes it may hold any sign but a quote.
_TAG = re.compile(r'<img(?: [a-z]+="[^"]*")*>')
_NAMED = re.compile(r' src="data:image/png;picture,([0-9]{1,6})"')
_ALT = re.compile(r' alt="([^"]*)"')
_MISSING = (
    '<span class="missing">A picture is missing here: the page would be too large. '
    "Your notebook has it.</span>"
)


class Pictures:
    """The pictures of one page.

    Args:
      folder: where the files lie that a text may name; None leaves them out.
      most: the most characters of all of them together.
    """

    def __init__(self, folder: Path | None = None, *, most: int = _MOST):
        self.folder, self._left = folder, most
        self._contents: list[str | None] = []  # None: there was no room for it
        self._numbers: dict[str, int] = {}

    def attached(self, attachment: Any) -> str:
        """Return an address for a cell's attachment; "" if it is no picture."""
        kinds = attachment if isinstance(attachment, Mapping) else {}
        kind = next((kind for kind in _KINDS if isinstance(kinds.get(kind), str)), None)
        return "" if kind is None else self._address(kinds[kind], kind)

    def of_file(self, name: str) -> str | None:
        """Return an address for a picture in the student's folder: no other file, no link out."""
        if self.folder is None:
            return None
        kind, _ = mimetypes.guess_type(name)
        try:
            path = (self.folder / name).resolve()
            inside = path.is_relative_to(self.folder.resolve()) and path.is_file()
            if not inside or kind not in _KINDS or path.stat().st_size > _LARGEST:
                return None
            key = str(path)
            if key in self._numbers:
                return _ADDRESS.format(self._numbers[key])
            return self._address(base64.b64encode(path.read_bytes()).decode(), kind, key)
        except (OSError, ValueError):
            return None

    def _address(self, content: str, kind: str, key: str | None = None) -> str:
        key = content if key is None else key
        if key not in self._numbers:
            self._numbers[key] = len(self._contents)
            room = len(content) <= self._left
            self._left -= len(content) if room else 0
            self._contents.append(f"data:{kind};base64,{_only_base64(content)}" if room else None)
        return _ADDRESS.format(self._numbers[key])

    def shown(self, html: str) -> str:
        """Return HTML with the pictures put in; from the second time on, a link to the first."""
        before: set[int] = set()

        def put_in(tag: re.Match) -> str:
            named = _NAMED.search(tag[0])
            number = int(named[1]) if named else -1
            if not 0 <= number < len(self._contents):
                return tag[0]
            content = self._contents[number]
            if content is None:
                return _MISSING
            if number in before:
                alt = _ALT.search(tag[0])
                words = f"The same picture as above: {alt[1]}" if alt else "The same picture"
                return f'<a href="#picture-{number}">{words}</a>'
            before.add(number)
            return tag[0].replace(named[0], f' id="picture-{number}" src="{escape(content)}"', 1)

        return _TAG.sub(put_in, html)


def _only_base64(content: str) -> str:
    return re.sub(r"[^A-Za-z0-9+/=]", "", content)
