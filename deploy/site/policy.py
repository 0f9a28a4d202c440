"""What a page may load and run: its own files, and the scripts that were in it when it was made.

A page asks no other host for anything, and what a reader's code makes in it is no script. The
worker in which that code runs has the policy of its page.
"""

import base64
import hashlib
import re
from pathlib import Path

_INLINE = re.compile(r"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", re.DOTALL)
_BEGINS = "<head>"


def policy(page: str) -> str:
    """Return the content-security policy of a page, by its HTML."""
    digests = sorted({hashlib.sha256(text.encode()).digest() for text in _INLINE.findall(page)})
    hashes = " ".join(f"'sha256-{base64.b64encode(each).decode()}'" for each in digests)
    rules = {
        "default-src": "'none'",
        # Python for the browser is compiled by WebAssembly; no text becomes a script.
        "script-src": f"'self' 'wasm-unsafe-eval' {hashes}".strip(),
        "worker-src": "'self' blob:",
        "connect-src": "'self'",
        "style-src": "'self' 'unsafe-inline'",  # an editor's, and of pictures
        "img-src": "'self' data:",
        "font-src": "'self' data:",
        "base-uri": "'none'",
        "form-action": "'self'",  # the search
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def set_policies(folder: Path) -> None:
    """Write its policy into each page of a folder, before anything that it speaks of."""
    for path in sorted(folder.glob("*.html")):
        page = path.read_text("utf-8")
        rule = f'<meta http-equiv="Content-Security-Policy" content="{policy(page)}">'
        path.write_text(page.replace(_BEGINS, f"{_BEGINS}\n  {rule}", 1), "utf-8")
