"""The page for reading, served on this machine to whoever has its address, token and all.

It is Jupyter's own server, tornado. Nothing of it runs what a student wrote: answers are cleaned as
on the student's page, and the page may run its own scripts alone, and ask this server alone.
"""

import hashlib
import hmac
import json
import mimetypes
import secrets
import socket
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pygments.formatters import HtmlFormatter
from sqlalchemy.exc import SQLAlchemyError
from tornado.httpserver import HTTPServer
from tornado.ioloop import IOLoop
from tornado.netutil import bind_sockets
from tornado.web import Application, HTTPError, RequestHandler

from autograder import page_templates
from autograder.feedback import student_page
from autograder.nbgrader.reasons import of_machine
from autograder.printable import first_line
from autograder.problem import Problem
from autograder.reading.desk import Desk, NotTakenError

HOST = "127.0.0.1"
_PAGE = Path(__file__).parent / "page"
_PORTS, _FIRST, _TRIED = 10_000, 20_000, 10
_MOST = 1_000_000  # bytes of one request
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class ReadingServer:
    """A server for one chapter's reading.

    Args:
      desk: the chapter.
      port: to listen at; 0 for one that is free. None: the chapter's own, or one near it. A browser
        keeps unsaved points for one address: a server that is started again should have it.

    Attributes:
      address: with the token that lets a browser in.

    Raises:
      Problem: the port is taken.
    """

    def __init__(self, desk: Desk, place: str, port: int | None = None):
        token = secrets.token_urlsafe(24)
        sockets = _bound(place) if port is None else _bound_to(port)
        number = sockets[0].getsockname()[1]
        self.address = f"http://{HOST}:{number}/?token={token}"
        shared = {"desk": desk, "token": token, "port": number}
        place_key = hashlib.sha256(place.encode("utf-8", "surrogateescape")).hexdigest()[:12]
        self._http = HTTPServer(
            Application(
                [
                    (r"/", _Door, shared),
                    (r"/api/questions", _Questions, {**shared, "place": place_key}),
                    (r"/api/state", _State, shared),
                    (r"/api/answer/([0-9a-f]{16})", _Answer, shared),
                    (r"/api/names", _WhoseAnswers, shared),
                    (r"/api/readings", _Readings, shared),
                    (r"/([a-z_]+\.(?:js|css|svg))", _File, shared),
                ],
                log_function=lambda _handler: None,
            ),
            max_body_size=_MOST,
        )
        self._http.add_sockets(sockets)

    def run(self, ready: Callable[[], object] = lambda: None) -> None:
        """Serve until the loop is stopped, as by Ctrl-C; call `ready` when a page would come."""
        loop = IOLoop.current()
        loop.add_callback(ready)
        loop.start()

    def close(self) -> None:
        """Listen no longer."""
        self._http.stop()


def _bound(place: str) -> list[socket.socket]:
    """Return the sockets of the place's own port, or of one near it if that is taken."""
    number = int(hashlib.sha256(place.encode("utf-8", "surrogateescape")).hexdigest(), 16)
    for more in range(_TRIED):
        try:
            return bind_sockets(_FIRST + (number + more) % _PORTS, HOST)
        except OSError:
            continue
    return bind_sockets(0, HOST)


def _bound_to(port: int) -> list[socket.socket]:
    try:
        return bind_sockets(port, HOST)
    except OSError as error:
        raise Problem(f"port {port} cannot be had ({error.strerror}): choose another") from error


class _Handler(RequestHandler):
    """Answers who has the token, and by its own address alone."""

    def initialize(self, desk: Desk, token: str, port: int) -> None:
        self.desk, self._token, self._port = desk, token, port

    def set_default_headers(self) -> None:
        self.clear_header("Server")
        for name, value in _HEADERS.items():
            self.set_header(name, value)

    def prepare(self) -> None:
        """Refuse other names of this machine (a page elsewhere may have one), and strangers."""
        own = {f"{HOST}:{self._port}", f"localhost:{self._port}"}
        origin = self.request.headers.get("Origin")
        if self.request.host not in own or origin not in (None, *(f"http://{h}" for h in own)):
            raise HTTPError(403)
        if not self._knows(self.get_cookie(self._cookie)) and not self._lets_in():
            raise HTTPError(403)

    @property
    def _cookie(self) -> str:
        return f"reading-{self._port}"  # browsers share cookies among the ports of a machine

    def _knows(self, given: str | None) -> bool:
        return hmac.compare_digest((given or "").encode(), self._token.encode())

    def _lets_in(self) -> bool:
        return False

    def say(self, value: Any) -> None:
        self.set_header("Content-Type", "application/json; charset=utf-8")
        self.write(json.dumps(value, ensure_ascii=True))

    def write_error(self, status_code: int, **named: Any) -> None:
        """Say in a sentence what is wrong; 409 for what will not be taken later either."""
        error = named.get("exc_info", (None, None, None))[1]
        said = _NOT_ALLOWED if status_code == 403 else "the server could not do it"
        if isinstance(error, NotTakenError):
            self.set_status(409)
            said = str(error)
        elif isinstance(error, Problem | OSError | SQLAlchemyError):
            self.set_status(503)
            said = of_machine(str(error)) or first_line(error)
        self.say({"problem": said})

    def log_exception(self, kind, value, trace) -> None:
        """Say nothing at the terminal of what the page is told."""
        if not isinstance(value, HTTPError | Problem | OSError | SQLAlchemyError):
            traceback.print_exception(kind, value, trace)


_NOT_ALLOWED = "open the address that `autograder read` has printed last, with its token"


class _Door(_Handler):
    """The page; with the token in its address it leaves a cookie, and takes the token away."""

    def _lets_in(self) -> bool:
        return self._knows(self.get_query_argument("token", None))

    def get(self) -> None:
        if self.get_query_argument("token", None) is not None:
            self.set_cookie(self._cookie, self._token, httponly=True, samesite="Strict")
            self.redirect("/")
            return
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.write((_PAGE / "index.html").read_bytes())

    def write_error(self, status_code: int, **named: Any) -> None:
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.write(_NOT_ALLOWED if status_code == 403 else "The page could not be made.")


class _File(_Handler):
    """A file of the page."""

    def get(self, name: str) -> None:
        path = _PAGE / name
        if name == "read.css":
            content = _style().encode()
        elif path.is_file():
            content = path.read_bytes()
        else:
            raise HTTPError(404)
        self.set_header("Content-Type", mimetypes.guess_type(name)[0] or "text/javascript")
        self.write(content)


def _style() -> str:
    """Return the style sheet: what all pages share, the student's page, and the reader's own."""
    shared = Path(page_templates.__file__).parent / "base.css"
    students = Path(student_page.__file__).parent / "page.css"
    sheets = [path.read_text("utf-8") for path in (shared, students, _PAGE / "read.css")]
    for style, scheme in (("default", "not (prefers-color-scheme: dark)"),
                          ("github-dark", "(prefers-color-scheme: dark)")):  # fmt: skip
        colours = HtmlFormatter(style=style).get_token_style_defs(".highlight")
        sheets.append("@media " + scheme + " {\n" + "\n".join(colours) + "\n}")
    return "\n".join(sheets)


class _Questions(_Handler):
    def initialize(self, place: str, **shared: Any) -> None:
        super().initialize(**shared)
        self._place = place

    def get(self) -> None:
        self.say(
            {
                "chapter": self.desk.chapter,
                "place": self._place,
                "questions": self.desk.questions(),
            }
        )


class _State(_Handler):
    def get(self) -> None:
        self.say(self.desk.state(self.get_query_argument("reader", "")))


class _Answer(_Handler):
    def get(self, key: str) -> None:
        self.say({"html": self.desk.html(key)})


class _WhoseAnswers(_Handler):
    def get(self) -> None:
        self.say(self.desk.names())


class _Readings(_Handler):
    def post(self) -> None:
        kind = self.request.headers.get("Content-Type", "")
        if kind.partition(";")[0] != "application/json":  # no form of another page sends this
            raise HTTPError(415)
        try:
            given = json.loads(self.request.body)
        except (ValueError, RecursionError) as error:
            raise HTTPError(400) from error
        if not isinstance(given, dict):
            raise HTTPError(400)
        self.desk.take(given)
        self.say(self.desk.state(str(given.get("reader"))))
