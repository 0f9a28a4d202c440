"""Checks and rebuilds the messages that the grader takes from a kernel.

A student's code runs in the process that sends them, so it can send anything, and nbclient trusts
its kernels. So each message is built anew here, from the parts that nbclient reads. A message that
no kernel would send ends that kernel, and only its submission.
"""

import base64
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from autograder.odd_text import HALF_A_CHARACTER

_DEEPEST = 100  # nested lists; deeper nesting breaks other programs
_LARGEST = 2**31
_ALONE = re.compile("[\ud800-\udfff]")


class ForgedError(ValueError):
    """No kernel would send this."""


def read(body: bytes, current: str | None) -> dict | None:
    """Return a kernel's message as nbclient wants it; None if nothing is lost without it.

    Args:
      body: the message as it came, in JSON.
      current: the number of the request that is being answered.

    Raises:
      ForgedError: no kernel would send this.
    """
    try:
        text = body.decode("utf-8")
        message = _DECODER.decode(text)
        if HALF_A_CHARACTER.search(text):
            message = _whole(message)
        if message["parent_header"]["msg_id"] != current or message["msg_type"] not in _CONTENTS:
            return None
        return _as_kernel_sends(message)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ForgedError(f"{type(error).__name__}: {error}") from error


def _as_kernel_sends(message: dict) -> dict:
    kind, content = message["msg_type"], message["content"]
    checked = {name: check(content[name]) for name, check in _CONTENTS[kind].items()}
    if kind.startswith("comm"):
        _check_widget(checked["data"])
    transient = _plain(content.get("transient") or {})
    if "display_id" in transient:
        checked["transient"] = {"display_id": _text(transient["display_id"])}
    if kind == "execute_reply" and content["status"] == "error":
        checked |= {name: check(content[name]) for name, check in _CONTENTS["error"].items()}
    return {
        "msg_type": kind,
        "header": {"msg_type": kind},
        "parent_header": {"msg_id": message["parent_header"]["msg_id"]},
        "metadata": {},
        "content": checked,
        "buffers": [base64.b64decode(_text(part)) for part in message["buffers"]],
    }


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"not text: {type(value).__name__}")
    return value


def _texts(value: Any) -> list[str]:
    return [_text(part) for part in _list(value)]


def _list(value: Any) -> list:
    if not isinstance(value, list):
        raise TypeError(f"not a list: {type(value).__name__}")
    return value


def _one_of(*allowed: str) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if _text(value) not in allowed:
            raise ValueError(f"not one of {allowed}")
        return value

    return check


def _count(value: Any) -> int | None:
    if value is not None and (type(value) is not int or not 0 <= value < _LARGEST):
        raise ValueError("not a number of a cell")
    return value


def _plain(value: Any) -> dict:
    if not isinstance(value, dict):
        raise TypeError(f"not a dict: {type(value).__name__}")
    _check_depth(value, _DEEPEST)
    return value


def _check_depth(value: Any, left: int) -> None:
    if isinstance(value, dict | list):
        if not left:
            raise ValueError("too many lists in lists")
        for part in value.values() if isinstance(value, dict) else value:
            _check_depth(part, left - 1)


def _shown(value: Any) -> dict:
    """Return an output by its media types: as text, unless the type is JSON."""
    found = {}
    for kind, part in _plain(value).items():
        if isinstance(part, list) and not kind.endswith("json"):
            part = "".join(_texts(part))
        if isinstance(part, str) or kind.endswith("json"):
            found[kind] = part
    return found


def _check_widget(data: dict) -> None:
    """Check the parts of a widget's data that nbclient keeps in the notebook."""
    _plain(data.get("state", {}))
    for path in _list(data.get("buffer_paths") or []):
        if not all(isinstance(part, str | int) for part in _list(path)):
            raise TypeError("not the path of a buffer")


def _number(name: str) -> str:
    """Return "nan" for NaN and so on, as a kernel does: a notebook cannot hold the number."""
    return repr(float(name))


def _whole(value: Any) -> Any:
    """Return the value with lone surrogates replaced: they could not be written to a file."""
    if isinstance(value, str):
        return _ALONE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_whole(part) for part in value]
    if isinstance(value, dict):
        return {_whole(name): _whole(part) for name, part in value.items()}
    return value


_DECODER = json.JSONDecoder(parse_constant=_number)
_SHOWN = {"data": _shown, "metadata": _plain}
_COMM = {"comm_id": _text, "data": _plain}
# jupyter-client.readthedocs.io/en/stable/messaging.html
_CONTENTS: Mapping[str, Mapping[str, Callable[[Any], Any]]] = {
    "status": {"execution_state": _one_of("busy", "idle", "starting")},
    "execute_input": {"execution_count": _count},
    "stream": {"name": _one_of("stdout", "stderr"), "text": _text},
    "display_data": _SHOWN,
    "update_display_data": _SHOWN,
    "execute_result": {**_SHOWN, "execution_count": _count},
    "error": {"ename": _text, "evalue": _text, "traceback": _texts},
    "clear_output": {"wait": bool},
    "comm_open": {**_COMM, "target_name": _text},
    "comm_msg": _COMM,
    "comm_close": _COMM,
    "execute_reply": {"status": _one_of("ok", "error")},
}
