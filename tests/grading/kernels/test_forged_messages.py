"""Forged messages: whatever a kernel sends, the grader goes on, and only that kernel is lost."""

import asyncio
import base64
import contextlib
import json
import math
import socket
import struct
import threading

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_notebook

from autograder.execution.execute import Execute
from autograder.kernels import Limits, Zygote, messages, pipe
from autograder.kernels.manager import WarmClient, WarmKernelManager
from autograder.kernels.output import Ration

pytestmark = pytest.mark.long

LANGUAGE = {"name": "python"}


def message(kind, content, *, parent="1", **others):
    return {
        "msg_type": kind,
        "parent_header": {"msg_id": parent},
        "content": content,
        "buffers": [],
        **others,
    }


def frame(body) -> bytes:
    body = body if isinstance(body, bytes) else json.dumps(body).encode()
    return struct.pack("!I", len(body)) + body


def stream(text, name="stdout"):
    return message("stream", {"name": name, "text": text})


def result(text="42"):
    content = {"data": {"text/plain": text}, "metadata": {}, "execution_count": 1}
    return message("execute_result", content)


def status(state, **others):
    return message("status", {"execution_state": state}, **others)


REPLY = message("execute_reply", {"status": "ok"})
HONEST = [status("busy"), stream("hello\n"), result(), REPLY, status("idle")]


def numbered(answer: bytes, number: str) -> bytes:
    """Return what is written for request 1 as the answer to another."""
    assert len(number) == 1
    return answer.replace(b'"msg_id": "1"', b'"msg_id": "%b"' % number.encode())


class FakeZygote:
    """Forks kernels that send what they are given, once for each request."""

    def __init__(self, *answers: bytes, limits=None):
        self.answers, self.limits = answers, limits or Limits(output_megabytes=1)

    def ready(self):
        return {"language_info": LANGUAGE}

    def fork(self, *, folder, environment, core):
        ours, theirs = socket.socketpair()
        threading.Thread(target=self._serve, args=[theirs], daemon=True).start()
        return 0, ours

    def _serve(self, connection):
        with connection:
            for answer in self.answers:
                try:
                    number = pipe.receive(connection)["msg_id"]
                    connection.sendall(numbered(answer, number))
                except (EOFError, OSError):
                    return
            while True:  # it stays, and says nothing
                try:
                    pipe.receive(connection)
                except (EOFError, OSError):
                    return

    def interrupt(self, child):
        pass

    def kill(self, child):
        pass


def run(zygote, *sources, timeout=3, path="."):
    cells = [new_code_cell(source) for source in sources]
    notebook = new_notebook(cells=cells)
    step = Execute(zygote=zygote, timeout=timeout, iopub_timeout=1, allow_errors=True)
    step.preprocess(notebook, {"metadata": {"path": str(path)}})
    assert is_sound(notebook)
    return notebook


def is_sound(notebook) -> bool:
    """Say whether it can be written and read again."""
    text = nbformat.writes(notebook)
    text.encode("utf-8")
    json.loads(text, parse_constant=lambda name: 1 / 0)
    nbformat.validate(nbformat.reads(text, as_version=4))
    return True


def errors(notebook):
    return [[o.ename for o in cell.outputs if o.output_type == "error"] for cell in notebook.cells]


def all_of(*parts) -> bytes:
    return b"".join(frame(part) for part in parts)


def test_an_honest_kernel_is_believed():
    notebook = run(FakeZygote(all_of(*HONEST)), "1")
    assert [output.output_type for output in notebook.cells[0].outputs] == [
        "stream",
        "execute_result",
    ]


DEEP = "[" * 100_000 + "]" * 100_000
FORGED = {
    "not JSON": frame(b"{"),
    "not text": frame(b"\xff\xfe\x00"),
    "a list": frame([1]),
    "a number": frame(b"7"),
    "nothing": frame(b""),
    "four gigabytes to come": struct.pack("!I", 0xFFFFFFFF) + b"x" * 1000,
    "no content": frame({"msg_type": "stream", "parent_header": {"msg_id": "1"}, "buffers": []}),
    "content that is text": frame(message("stream", "text")),
    "a text that is a number": frame(stream(7)),
    "another stream": frame(stream("x", name="stdin")),
    "deeper than Python": frame(f'{{"content": {DEEP}}}'.encode()),
    "deep within": frame(
        message(
            "display_data",
            {"data": {"a/json": [[]]}, "metadata": json.loads('{"a":' * 200 + "1" + "}" * 200)},
        )
    ),
    "a number without end": frame(b'{"msg_type": ' + b"9" * 5000 + b"}"),
    "a cell's number that is text": frame(message("execute_input", {"execution_count": "7"})),
    "a state that is none": frame(status("dead")),
    "a widget's state that is a list": frame(
        message("comm_msg", {"comm_id": "1", "data": {"state": [1]}})
    ),
    "a buffer that is none": frame(
        message("comm_msg", {"comm_id": "1", "data": {"state": {}}}, buffers=["x"])
    ),
    "an error without a name": frame(message("error", {"evalue": "", "traceback": []})),
    "a reply without a status": frame(message("execute_reply", {})),
    "too much": b"".join(frame(stream("x" * 100_000)) for _ in range(40)),
    "too many": frame(status("busy")) * 60_000,
    "too much of what must arrive": b"".join(frame(result("x" * 10_000)) for _ in range(400)),
}


@pytest.mark.parametrize("name", FORGED)
def test_what_no_kernel_sends_ends_that_kernel(name):
    answer = frame(status("busy")) + FORGED[name] + all_of(*HONEST)
    notebook = run(FakeZygote(answer), "1", "2")
    assert errors(notebook) == [["DeadKernelError"], ["CellNotRun"]]


def test_what_breaks_nbclient_ends_that_kernel():
    content = {"comm_id": "1", "data": {}, "target_name": "jupyter.widget"}  # without its state
    notebook = run(FakeZygote(frame(message("comm_open", content)) + all_of(*HONEST)), "1", "2")
    assert errors(notebook)[1] == ["DeadKernelError"]


IGNORED = {
    "another request's": frame(
        stream("forged", name="stderr") | {"parent_header": {"msg_id": "9"}}
    ),
    "another's end": frame(status("idle", parent="9")),
    "another's answer": frame(message("execute_reply", {"status": "error"}, parent="8")),
    "of no type": frame(message("input_request", {"prompt": ""})),
}


@pytest.mark.parametrize("name", IGNORED)
def test_what_is_not_asked_for_is_not_heard(name):
    notebook = run(FakeZygote(IGNORED[name] + all_of(*HONEST)), "1")
    assert errors(notebook) == [[]]
    assert notebook.cells[0].outputs[0].text == "hello\n"


@pytest.mark.parametrize("sent", [b"", frame(status("busy")) + b"\0\0\1"])
def test_a_kernel_that_closes_its_socket_is_dead(sent):
    class Leaves(FakeZygote):
        def _serve(self, connection):
            with connection:
                pipe.receive(connection)
                connection.sendall(sent)

    assert errors(run(Leaves(), "1", "2")) == [["DeadKernelError"], ["CellNotRun"]]


@pytest.mark.parametrize(
    "answer",
    [b"", frame(status("busy")), all_of(*HONEST[:-1]), frame(REPLY), all_of(status("idle"))],
    ids=["silent", "busy", "no end", "only a reply", "only an end"],
)
def test_a_kernel_that_does_not_finish_runs_out_of_time(answer):
    (first, second) = errors(run(FakeZygote(answer), "1", "2", timeout=1))
    assert "CellTimeoutError" in first or "DeadKernelError" in first
    assert second


def test_a_kernel_that_does_not_listen_is_dead(monkeypatch):
    monkeypatch.setattr("autograder.kernels.manager._TO_SEND", 0.5)
    over = threading.Event()

    class Deaf(FakeZygote):
        def _serve(self, connection):
            number = pipe.receive(connection)["msg_id"]
            connection.sendall(numbered(all_of(*HONEST), number))
            over.wait()
            connection.close()

    notebook = run(Deaf(), "1", "#" + "x" * (2 << 20))
    over.set()
    assert errors(notebook) == [[], ["DeadKernelError"]]


def test_the_lone_half_of_a_character_and_a_number_that_is_none_can_be_written():
    body = json.dumps(stream("a\ud800b \U0001f600")).encode()
    data = b'{"text/plain": "x", "application/json": {"a": NaN, "b": [-Infinity]}}'
    shown = json.dumps(message("display_data", {"data": 0, "metadata": {}})).encode()
    answer = frame(body) + frame(shown.replace(b'"data": 0', b'"data": ' + data))
    notebook = run(FakeZygote(answer + all_of(*HONEST)), "1")
    assert notebook.cells[0].outputs[0].text == "a\ufffdb \U0001f600"
    assert notebook.cells[0].outputs[1].data["application/json"] == {"a": "nan", "b": ["-inf"]}


def test_a_widgets_buffers_arrive():
    data = {"state": {"_model_name": "M", "_model_module": "m", "_model_module_version": "1"}}
    data["buffer_paths"] = [["value"]]
    content = {"comm_id": "7", "data": data, "target_name": "jupyter.widget"}
    part = base64.b64encode(b"\0\1").decode()
    opened = frame(message("comm_open", content, buffers=[part]))
    notebook = run(FakeZygote(opened + all_of(*HONEST)), "1")
    (widgets,) = notebook.metadata.widgets.values()
    assert widgets["state"]["7"]["buffers"][0]["data"] == part


def test_what_a_real_process_writes_into_its_socket_ends_only_itself(tmp_path):
    find = (
        "import os, socket, gc\n"
        "(ours,) = [s for s in gc.get_objects() if type(s) is socket.socket and s.family == 1\n"
        "           and s.fileno() == get_ipython().kernel.session.connection.fileno()]\n"
    )
    zygote = Zygote([], Limits(output_megabytes=1))
    try:
        for act in (
            "ours.sendall(b'\\xff' * 50_000_000)",
            "os.close(ours.fileno())\nimport time\ntime.sleep(60)",
            "ours.shutdown(socket.SHUT_RDWR)\nimport time\ntime.sleep(60)",
            "get_ipython().kernel.session.ration.take = lambda size: True\nprint('x' * (9 << 20))",
        ):
            notebook = run(zygote, find + act, "2", timeout=5, path=tmp_path)
            assert errors(notebook) == [["DeadKernelError"], ["CellNotRun"]], act
        assert errors(run(zygote, "2", path=tmp_path)) == [[]]
    finally:
        zygote.close()


# Whatever it sends -------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda part: (
        st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=5), part, max_size=3)
    ),
    max_leaves=8,
)
WIDGET = {"state": {"_model_name": "OutputModel", "_model_module": "@jupyter-widgets/output"}}
KNOWN = [
    *HONEST,
    message(
        "display_data",
        {"data": {"image/png": "eA=="}, "metadata": {}, "transient": {"display_id": "d"}},
    ),
    message("update_display_data", {"data": {}, "metadata": {}, "transient": {"display_id": "d"}}),
    message("clear_output", {"wait": True}),
    message("error", {"ename": "E", "evalue": "e", "traceback": ["t"]}),
    message("comm_open", {"comm_id": "c", "data": WIDGET, "target_name": "jupyter.widget"}),
    message(
        "comm_msg",
        {
            "comm_id": "c",
            "data": {"method": "update", "state": {"msg_id": "1"}, "buffer_paths": [["x"]]},
        },
        buffers=["eA=="],
    ),
    message("comm_msg", {"comm_id": "c", "data": {"method": "custom", "content": {}}}),
    message("comm_close", {"comm_id": "c", "data": {}}),
]


def paths(value, path=()):
    """Yield the way to each part of a message."""
    yield path
    if isinstance(value, dict | list):
        for name in value if isinstance(value, dict) else range(len(value)):
            yield from paths(value[name], (*path, name))


@st.composite
def spoiled(draw):
    """Draw a message of which some parts are something else, or are missing."""
    changed = json.loads(json.dumps(draw(st.sampled_from(KNOWN))))
    for _ in range(draw(st.integers(0, 2))):
        *way, last = draw(st.sampled_from([path for path in paths(changed) if path]))
        place = changed
        for name in way:
            place = place[name]
        if draw(st.booleans()):
            place[last] = draw(JSON | st.sampled_from(["", "d", "c", "1", {}, []]))
        elif isinstance(place, dict):
            del place[last]
    return changed


@given(st.lists(spoiled(), max_size=12))
def test_a_notebook_stays_sound_whatever_comes(sent):
    step = Execute(zygote=FakeZygote(), allow_errors=True)
    step.nb = new_notebook(cells=[new_code_cell("1")])
    step.reset_execution_trackers()
    lost = []

    class Client:
        def lose(self):
            lost.append(True)

    step.kc = Client()
    for each in sent:
        try:
            heard = messages.read(json.dumps(each).encode(), "1")
        except messages.ForgedError:
            break
        if heard and heard["msg_type"] != "execute_reply":
            try:
                step.process_message(heard, step.nb.cells[0], 0)
            except Exception as error:
                assert type(error).__name__ == "CellExecutionComplete"
        if lost:
            break
    step.set_widgets_metadata()
    assert is_sound(step.nb)


@given(st.lists(st.binary(max_size=40) | st.sampled_from([frame(m) for m in KNOWN]), max_size=8))
def test_a_client_takes_any_bytes(parts):
    async def talk():
        ours, theirs = socket.socketpair()
        with theirs:
            manager = WarmKernelManager(FakeZygote())
            manager._process = 1
            client = WarmClient(manager, ours)
            client.start_channels()
            client.current = "1"
            for part in parts:
                theirs.send(part)
                await asyncio.sleep(0)
                await asyncio.sleep(0)
            theirs.shutdown(socket.SHUT_WR)
            for _ in range(10):
                await asyncio.sleep(0)
            assert manager.lost
            assert len(client._unread) == 0
            client.stop_channels()

    asyncio.run(talk())


@given(st.binary())
def test_only_one_error_comes_of_any_bytes(body):
    with contextlib.suppress(messages.ForgedError):
        messages.read(body, "1")


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 300_000)), max_size=60))
def test_a_receiver_takes_all_that_an_honest_sender_may_send(sizes):
    sender, receiver = Ration(0.5), Ration(0.5, slack=2)
    for is_cell, size in sizes:
        if is_cell:
            sender.begin_cell()
            receiver.begin_cell()
        elif sender.take(size) or sender.take_needed(size // 100):
            assert receiver.largest >= size
            assert receiver.take_needed(size)


def test_all_cells_together_have_an_end():
    """A cell may always say a little; ten thousand of them may not say a gigabyte."""
    ration, taken = Ration(1), 0
    for _ in range(10_000):
        ration.begin_cell()
        least = 0
        while ration.take_needed(1000):
            least += 1000
        assert least >= 4000
        taken += least
    assert taken < 10_000 * 4096 + (3 << 20)


def test_a_cell_says_its_result_although_others_have_said_too_much():
    ration = Ration(1)
    while ration.take(1000):
        pass
    ration.begin_cell()
    assert ration.take_needed(100_000)


def test_what_may_come_has_an_end():
    ration, taken = Ration(1, slack=2), 0
    while ration.take_needed(1000):
        taken += 1000
    assert taken < 3 << 20
    assert not math.isinf(ration.largest)
