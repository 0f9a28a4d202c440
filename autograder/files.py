"""Files written in one step, so that whoever reads one finds it whole; many at once; their hash."""

import contextlib
import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path


@contextlib.contextmanager
def in_one_step(path: Path) -> Iterator[Path]:
    """Yield a file beside `path` to write to. It takes its place at the end, not after an error."""
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        yield unfinished
        unfinished.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        raise


def write_whole(path: Path, content: bytes, *, mode: int = 0o666) -> Path:
    """Write a file in one step; `mode` is who may read it, less what the system takes off."""
    with in_one_step(path) as unfinished:
        number = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
        with os.fdopen(number, "wb") as file:
            file.write(content)
    return path


def write_all(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder, by their paths in it."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def fingerprint_of(files: Iterable[tuple[str, bytes]]) -> str:
    """Return a hash of files, given in order by name and content."""
    whole = hashlib.sha256()
    for name, content in files:
        line = f"{name}\n{hashlib.sha256(content).hexdigest()}\n"
        whole.update(line.encode("utf-8", "surrogateescape"))
    return whole.hexdigest()
