"""The pictures of a page: each is included once, however often the texts name it.

While text is laid out, a short address stands for a picture. So a picture of megabytes that the
text names a thousand times is copied and cleaned only once.
"""

import base64
import mimetypes
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from markupsafe import Markup

from autograder.feedback.pieces import piece

_LARGEST = 3_000_000  # bytes of a picture in a file
_MOST = 20_000_000  # characters of all pictures in a page
_KINDS = ("image/svg+xml", "image/png", "image/jpeg", "image/gif", "image/webp")
_ADDRESS = "data:image/png;picture,{}"
# Matches a tag as bleach writes it: a quoted value may hold any character but a quote.
_TAG = re.compile(r'<img(?: [a-z]+="[^"]*")*>')
_NAMED = re.compile(r' src="data:image/png;picture,([0-9]{1,6})"')
_ALT = re.compile(r' alt="([^"]*)"')


class Pictures:
    """The pictures of one page.

    Args:
      folder: the folder of files that a text may name; None leaves them out.
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
        """Return an address for a picture in the student's folder: links out are refused."""
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
        """Return HTML with each picture put in once; later places link to the first."""
        before: set[int] = set()

        def put_in(tag: re.Match) -> str:
            named = _NAMED.search(tag[0])
            number = int(named[1]) if named else -1
            if not 0 <= number < len(self._contents):
                return tag[0]
            content = self._contents[number]
            if content is None:
                return piece("missing_picture")
            if number in before:
                alt = _ALT.search(tag[0])
                same = Markup("The same picture as above: ") + Markup(alt[1]) if alt else ""
                return piece("picture_again", number, same or "The same picture")
            before.add(number)
            put = Markup(' id="picture-{}" src="{}"').format(number, content)
            return tag[0].replace(named[0], put, 1)

        return _TAG.sub(put_in, html)


def _only_base64(content: str) -> str:
    return re.sub(r"[^A-Za-z0-9+/=]", "", content)
