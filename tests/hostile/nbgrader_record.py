"""Keeps what plain nbgrader made of every attack, until an attack or nbgrader changes.

To measure it again all the same, remove the file.
"""

import hashlib
import json
import sys
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from attack import Measured
from battery import BATTERY

HERE = Path(__file__).resolve().parent
FILE = HERE / "nbgrader_record.json"
_DECIDING = (
    "attack*.py",
    "battery.py",
    "class_under_attack.py",
    "jail.py",
    "measure.py",
    "runs.py",
)
_PACKAGES = ("nbgrader", "nbclient", "nbconvert", "nbformat", "jupyter_client", "ipykernel")


def read() -> Measured | None:
    """Return what was measured; None if it was of other attacks, or of another nbgrader."""
    if not FILE.exists():
        return None
    found = json.loads(FILE.read_text("utf-8"))
    return Measured.of(found["measured"]) if found["of"] == _deciding() else None


def keep(measured: Measured) -> None:
    """Write down what was measured; not if something came otherwise than the table says."""
    if any(
        each.usual("plain", measured.seen[name].words()) != each.plain
        for name, each in BATTERY.items()
    ):
        return
    record = {"of": _deciding(), "measured": asdict(measured)}
    FILE.write_text(json.dumps(record, indent=1) + "\n", "utf-8")


def _deciding() -> dict[str, str]:
    """Return what decides a measurement: the texts of the battery, and the versions."""
    texts = sorted(path for pattern in _DECIDING for path in HERE.glob(pattern))
    text = hashlib.sha256(b"\0".join(path.read_bytes() for path in texts)).hexdigest()
    versions = {name: version(name) for name in _PACKAGES}
    return {"battery": text, "python": f"{sys.version_info[0]}.{sys.version_info[1]}", **versions}
