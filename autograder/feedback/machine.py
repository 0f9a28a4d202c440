"""Takes out of an output what only the grader's machine has put there: pip's failure, and paths."""

import re

from nbconvert.filters import strip_ansi

# `…/lib/python3.11/site-packages/numpy/core.py`: the folders before it are the grader's, as are
# those before our packages. IPython colours a path: the letter before it may end a colour's code.
_PATH = re.compile(
    r"(\x1b\[[\d;]*m|(?<![\w.]))(?:~|/)[^\s\"'<>:\x1b]{0,300}/"
    r"(?=site-packages/|lib/python3\.\d+/|(?:dplib|ville|autograder)/[\w/]+\.py\b)"
)
_RETRY = re.compile(r"WARNING: Retrying \(")
_PIP = re.compile(r"\bpip/_(internal|vendor)\b|\bpip\._vendor\b")
_TRACEBACK = re.compile(r"(ERROR: Exception:|Traceback \(most recent call last\):)\s*")
_PIP_SPEAKS = re.compile(rf"Retrying \(|{_PIP.pattern}|ERROR: No matching distribution found")
_FAILED = "ERROR: No matching distribution found"
_LONGEST = 200_000  # characters that are looked at
_SAID = "pip could not install anything: there is no network while a notebook is graded"


def without_paths(text: str) -> str:
    """Return text in which no path says where the grader's Python lies."""
    return _PATH.sub(r"\1…/", text[:_LONGEST]) + text[_LONGEST:] if "/" in text else text


def without_pip(text: str) -> str:
    """Return an output without the retries and the traceback of a pip that found no network."""
    if not _PIP_SPEAKS.search(text[:_LONGEST]):
        return text
    kept, trace, failed = [], [], False
    for line in [*text.splitlines(), ""]:
        plain = strip_ansi(line)
        # A traceback: its head, indented lines, and the line with the error.
        if _TRACEBACK.fullmatch(plain) or (trace and plain.startswith((" ", "\t"))):
            trace.append(line)
            continue
        if trace and any(map(_PIP.search, [*trace, line])):
            failed, trace = True, []
            continue
        kept += [*trace, *([] if _RETRY.match(plain) else [line])]
        failed, trace = failed or plain.startswith(_FAILED), []
    return "\n".join([*kept[:-1], *([_SAID] if failed else [])])
