"""Who may ask the server of the reading page: whoever has the token, by the page's own address."""

import asyncio
import json
import threading
import urllib.error
import urllib.request

import class_to_read
import pytest
from class_to_read import CHAPTER, STUDENTS
from tornado.ioloop import IOLoop

from autograder.course_folders.course import Course
from autograder.problem import Problem
from autograder.reading.desk import Desk
from autograder.reading.reading_server import HOST, ReadingServer

pytestmark = pytest.mark.quick


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """The page's address; its server runs in a thread of its own."""
    root = class_to_read.make(tmp_path_factory.mktemp("served"), STUDENTS[:2])
    began, opened = threading.Event(), Course(root)
    known = {}

    def run():
        asyncio.set_event_loop(asyncio.new_event_loop())
        known["server"] = ReadingServer(Desk(opened, CHAPTER), "place", 0)
        known["loop"] = IOLoop.current()
        known["server"].run(began.set)

    with opened.environment():
        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        assert began.wait(60)
        yield known["server"].address
        known["loop"].add_callback(known["loop"].stop)
        thread.join()
        known["server"].close()


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *given):
        return None


def ask(address, path="/", body=None, **headers):
    """Return the status, the headers and the text that the server answers with."""
    base = address.split("/?")[0]
    asked = urllib.request.Request(
        base + path, body, {k.replace("_", "-"): v for k, v in headers.items()}
    )
    try:
        answer = urllib.request.build_opener(_Stay).open(asked, timeout=60)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        return answer.status, answer.headers, answer.read().decode()


@pytest.fixture(scope="module")
def cookie(served):
    """What a browser has that came with the token."""
    status, headers, _ = ask(served, "/?" + served.split("/?")[1])
    assert status == 302 and headers["Location"] == "/"
    given = headers["Set-Cookie"]
    assert "HttpOnly" in given and "SameSite=Strict" in given
    return given.split(";")[0]


PATHS = ["/", "/api/questions", "/api/state?reader=x", "/api/names", "/main.js", "/read.css"]


@pytest.mark.parametrize("path", PATHS)
def test_it_answers_who_has_the_token_alone(served, cookie, path):
    assert ask(served, path, Cookie=cookie)[0] == 200
    name = cookie.split("=")[0]
    for given in ({}, {"Cookie": f"{name}=wrong"}, {"Cookie": f"{name}="}):
        status, _, text = ask(served, path, **given)
        assert status == 403 and "Kim" not in text and "student" not in text
    assert ask(served, f"{path.split('?')[0]}?token=wrong")[0] == 403


@pytest.mark.parametrize("host", ["elsewhere.example", "127.0.0.1", "127.0.0.1:1"])
def test_another_name_of_this_machine_is_refused(served, cookie, host):
    assert ask(served, "/api/names", Cookie=cookie, Host=host)[0] == 403


def test_a_page_elsewhere_can_send_nothing(served, cookie):
    body = json.dumps({}).encode()
    json_type = "application/json"
    own = served.split("/?")[0]
    assert (
        ask(served, "/api/readings", body, Cookie=cookie, Content_Type=json_type, Origin=own)[0]
        == 409
    )
    for more in (
        {"Content_Type": "text/plain"},
        {"Content_Type": "application/x-www-form-urlencoded"},
        {"Content_Type": json_type, "Origin": "http://elsewhere.example"},
        {"Content_Type": json_type, "Origin": "null"},
    ):
        assert ask(served, "/api/readings", body, Cookie=cookie, **more)[0] in (403, 415)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b"[" * 100_000])
def test_what_is_no_reading_is_refused_and_the_server_goes_on(served, cookie, body):
    status = ask(served, "/api/readings", body, Cookie=cookie, Content_Type="application/json")[0]
    assert 400 <= status < 600
    assert ask(served, "/api/questions", Cookie=cookie)[0] == 200


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_the_policy(served, cookie, path):
    _, headers, _ = ask(served, path, Cookie=cookie)
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "script-src 'self';" in policy
    assert "unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert headers["Referrer-Policy"] == "no-referrer" and headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "path", ["/index.html", "/types.d.ts", "/../desk.py", "/%2e%2e/desk.py", "/x.js"]
)
def test_it_serves_the_pages_own_files_alone(served, cookie, path):
    assert ask(served, path, Cookie=cookie)[0] == 404


def test_a_port_that_is_taken_is_told(served):
    taken = int(served.split(":")[2].split("/")[0])
    with pytest.raises(Problem, match=f"port {taken} cannot be had"):
        ReadingServer(None, "place", taken)


def test_it_listens_on_this_machine_alone(served):
    assert served.startswith(f"http://{HOST}:") and HOST == "127.0.0.1"
