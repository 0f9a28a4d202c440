"""A folder of pages, served for a test, and a page that counts what it asks of other hosts."""

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from places import ROOT

SITE = ROOT / "build" / "site" / "html"  # where `make site` puts it
SECONDS = 1000  # milliseconds in one
LONG = 180 * SECONDS  # a busy machine loads a Python in it
_WAIT = 0.05
TYPES = {".mjs": "text/javascript", ".wasm": "application/wasm"}


class _Quiet(SimpleHTTPRequestHandler):
    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, **TYPES}  # noqa: RUF012

    def __init__(self, *given, seen=None, **settings):
        self._seen = seen
        super().__init__(*given, **settings)

    def send_head(self):
        """Answer, and note the path and the bytes of what is sent."""
        file = super().send_head()
        if file and self._seen is not None:
            self._seen.append((self.path, os.fstat(file.fileno()).st_size))
        return file

    def log_message(self, *words):
        """Say nothing."""


@contextmanager
def served(folder: Path, seen: list[tuple[str, int]] | None = None) -> Iterator[str]:
    """Serve a folder on this machine; yield its address.

    Args:
      folder: of pages.
      seen: a list to which the path and the bytes of each file that is sent are added.
    """
    handler = partial(_Quiet, directory=str(folder), seen=seen)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def watch(page, address: str) -> list[str]:
    """Return a list to which the page's faults are added: other hosts, failures, errors."""
    faults: list[str] = []
    own = (address, "data:", "blob:", "about:")
    page.on("request", lambda r: r.url.startswith(own) or faults.append(f"asked for {r.url}"))
    page.on("response", lambda r: r.status < 400 or faults.append(f"{r.status} for {r.url}"))
    page.on("pageerror", lambda error: faults.append(f"stopped with {error}"))
    return faults


def wait_until(page, expression: str, argument=None):
    """Return a page's value as soon as it is true.

    Playwright's own wait makes a script of a text, which the policy of the site's pages forbids.
    """
    until = time.monotonic() + LONG / SECONDS
    while not (value := page.evaluate(expression, argument)):
        if time.monotonic() > until:
            raise TimeoutError(f"never true: {expression}")
        time.sleep(_WAIT)
    return value


def violations(page, axe: str, *, within: str = ":root") -> list[str]:
    """What axe finds on a page, or in some elements of it, by all its rules, in a line each."""
    page.evaluate(axe)
    run = "within => axe.run(document.querySelectorAll(within), {resultTypes: ['violations']})"
    found = page.evaluate(run, within)["violations"]
    return [
        f"{rule['id']} ({rule['help']}): {node['html'][:200]}"
        for rule in found
        for node in rule["nodes"]
    ]
