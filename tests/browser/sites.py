"""A folder of pages, served for a test, and a page that counts what it asks of other hosts."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from places import ROOT

SITE = ROOT / "build" / "site" / "html"  # where `make site` puts it
TYPES = {".mjs": "text/javascript", ".wasm": "application/wasm"}


class _Quiet(SimpleHTTPRequestHandler):
    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, **TYPES}  # noqa: RUF012

    def log_message(self, *words):
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on this machine; yield its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
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
