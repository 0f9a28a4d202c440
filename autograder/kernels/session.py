"""The session of a forked kernel: sends its messages and prints over one socket to the grader."""

import base64
import codecs
import contextlib
import io
import math
import os
import signal
import socket
import threading
from collections.abc import Iterator

from ipykernel.ipkernel import IPythonKernel
from jupyter_client.jsonutil import json_default
from jupyter_client.session import Session

from autograder.kernels import pipe
from autograder.kernels.output import SENTENCE, Ration

# Without these messages a cell would not end, or a test would have another score.
_NEEDED = {"status", "execute_input", "execute_reply", "execute_result", "error"}
_PART = 1 << 16  # of a text, in one message
# That a cell may have a handler for, which prints.
_OTHER_SIGNALS = {signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF, signal.SIGUSR1, signal.SIGUSR2}


class PipeSession(Session):
    """A session that sends a kernel's messages to the grader's socket."""

    connection: socket.socket | None = None
    ration = Ration(math.inf)
    _held, _ended = b"", False

    def use(self, connection: socket.socket, megabytes: float) -> None:
        """Send to this socket from now on, `megabytes` at most."""
        self.connection, self.ration = connection, Ration(megabytes)
        self._lock, self._process = threading.RLock(), os.getpid()
        self._cut: set[str] = set()

    def begin_cell(self) -> None:
        """Allow the next cell its bytes."""
        self.ration.begin_cell()
        self._cut, self._ended = set(), False

    def is_cut(self, name: str) -> bool:
        """Say whether all that is printed to this stream is dropped."""
        return name in self._cut

    def send(
        self,
        stream,
        msg_or_type,
        content=None,
        parent=None,
        ident=None,
        buffers=None,
        track=False,
        header=None,
        metadata=None,
    ):
        if isinstance(msg_or_type, dict):
            message, buffers = msg_or_type, buffers or msg_or_type.get("buffers")
        else:
            message = self.msg(msg_or_type, content, parent, header, metadata)
        # A process that the cell has forked sends nothing: two would write at the same time.
        if self.connection is not None and os.getpid() == self._process:
            self._pass_on(_plain(message, buffers))
        return message

    def _pass_on(self, message: dict) -> None:
        packed = pipe.packed(message, default=json_default)
        with self._lock, _uninterrupted():
            take = self.ration.take_needed if message["msg_type"] in _NEEDED else self.ration.take
            fits = take(len(packed)) or message["msg_type"] == "status"  # a cell's end is short
            self._held += packed if fits else self._cut_short(message)
            if not self._waits(message):
                packed, self._held = self._held, b""
                self.connection.sendall(packed)

    def _waits(self, message: dict) -> bool:
        """Say whether a message waits for the next: what a cell shows must survive its death."""
        kind, state = message["msg_type"], message["content"].get("execution_state")
        self._ended |= kind == "execute_reply"
        last = state == "idle" or len(self._held) > _PART
        return not last and (self._ended or state == "busy" or kind == "execute_input")

    def _cut_short(self, message: dict) -> bytes:
        """Return the notice sent in place of a message: once for each stream of a cell."""
        kind, words = message["msg_type"], SENTENCE.format(self.ration.megabytes)
        if kind in _NEEDED:
            name = str(message["content"].get("ename", "OutputTooLong"))[:100]
            content = {"ename": name, "evalue": words.strip(), "traceback": [words]}
            if kind == "execute_reply":
                content["status"] = message["content"]["status"]
            else:
                kind = "error"
        else:
            name = message["content"]["name"] if kind == "stream" else "stdout"
            if name in self._cut:
                return b""
            self._cut.add(name)
            kind, content = "stream", {"name": name, "text": words}
        packed = pipe.packed({**message, "msg_type": kind, "content": content, "buffers": []})
        self.ration.take_needed(len(packed))
        return packed


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """Delay interrupts: half a message would spoil all that follow."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list = []
    before = signal.signal(signal.SIGINT, lambda *arguments: came.append(arguments))
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, _OTHER_SIGNALS)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        if came and callable(before):
            before(*came[0])


def _plain(message: dict, buffers) -> dict:
    """Return the parts of a message that nbclient reads."""
    kind, content = message["header"]["msg_type"], message["content"]
    if kind == "execute_input":  # the grader knows what it has sent
        content = {"execution_count": content["execution_count"]}
    return {
        "msg_type": kind,
        "parent_header": {"msg_id": (message.get("parent_header") or {}).get("msg_id")},
        "content": content,
        "buffers": [base64.b64encode(bytes(buffer)).decode() for buffer in buffers or ()],
    }


class Stream(io.TextIOBase):
    """A child's sys.stdout or sys.stderr: what is written becomes stream messages."""

    encoding, errors = "UTF-8", "replace"

    def __init__(self, kernel: IPythonKernel, name: str, number: int):
        self._kernel, self._name, self._number = kernel, name, number
        self._kept: list[str] = []
        self._size, self._process = 0, os.getpid()

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text)}")
        self._kept.append(text)
        self._size += len(text)
        if self._size > _PART:
            self.flush()
        return len(text)

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._number

    def flush(self) -> None:
        # In one go: a signal's handler might print between two calls.
        kept, self._kept, self._size = self._kept, [], 0
        text = "".join(kept)
        if text:
            if os.getpid() == self._process:
                self.say(text, self._kernel.get_parent())
            else:  # in a process that a cell has forked: caught with the output of programs
                os.write(self._number, text.encode("utf-8", "replace"))

    @property
    def is_cut(self) -> bool:
        """Say whether what is written is dropped, until the next cell."""
        return self._kernel.session.is_cut(self._name)

    def say(self, text: str, parent: dict) -> None:
        """Send text in pieces, until it is cut."""
        for start in range(0, len(text), _PART):
            if self.is_cut:
                return
            content = {"name": self._name, "text": text[start : start + _PART]}
            self._kernel.session.send(None, "stream", content, parent)


class Captured:
    """The output of programs and C code, which write to a file descriptor."""

    def __init__(self, stream: Stream):
        self._stream, self._seen = stream, 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def send(self, parent: dict) -> None:
        """Send Python's buffered output, and what was written since the last time."""
        self._stream.flush()
        number = self._stream.fileno()
        with contextlib.suppress(OSError):
            end = os.lseek(number, 0, os.SEEK_END)
            start, self._seen = self._seen, end
            while start < end and not self._stream.is_cut:
                part = os.pread(number, min(end - start, _PART), start)
                start += len(part)
                self._stream.say(self._decoder.decode(part), parent)
