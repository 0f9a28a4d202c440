"""How long processes have waited for a processor: what a busy machine takes from them."""

from __future__ import annotations

from pathlib import Path

__all__ = ["has_children", "queued"]

_NANOSECONDS = 1e9


def queued(process: int) -> float:
    """Return the seconds that a process has been ready to run and did not; 0 if nobody knows."""
    try:
        words = Path(f"/proc/{process}/schedstat").read_text().split()
        return int(words[1]) / _NANOSECONDS
    except (OSError, ValueError, IndexError):
        return 0.0


def has_children(process: int) -> bool:
    """Say whether a process has started others, which it may be waiting for a processor with."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = path.read_text().rpartition(")")[2].split()[1]
        except (OSError, IndexError):  # it has just ended
            continue
        if parent == str(process):
            return True
    return False
