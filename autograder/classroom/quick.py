"""What is the same for each student's notebook, nbgrader does for each; here it is done once."""

from __future__ import annotations

import contextlib
import gc
import types
from collections.abc import Callable, Iterator

import jsonschema
from nbgrader.nbgraderformat import common

__all__ = ["quick", "quick_memory", "quick_schemas"]

_MOST = 10_000  # different cells' metadata to remember


@contextlib.contextmanager
def quick() -> Iterator[None]:
    """Grade as nbgrader does, with less work."""
    with quick_memory(), quick_schemas():
        yield


@contextlib.contextmanager
def quick_memory() -> Iterator[None]:
    """Let Python not look again and again for garbage in what was imported."""
    if gc.get_freeze_count():  # somebody else has seen to it, and will undo it
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@contextlib.contextmanager
def quick_schemas() -> Iterator[None]:
    """Let nbgrader's validation remember schemas, and what was valid; verdicts stay the same."""
    original = common.jsonschema
    common.jsonschema = types.SimpleNamespace(validate=_remembering())
    try:
        yield
    finally:
        common.jsonschema = original


def _remembering() -> Callable[[dict, dict], None]:
    """Return jsonschema's `validate`, with a memory."""
    validators: dict[str, jsonschema.protocols.Validator] = {}
    valid: set[tuple[str, str]] = set()

    def validate(instance: dict, schema: dict) -> None:
        name, text = repr(schema), repr(instance)
        if (name, text) in valid:
            return
        if name not in validators:
            kind = jsonschema.validators.validator_for(schema)
            kind.check_schema(schema)
            validators[name] = kind(schema)
        error = jsonschema.exceptions.best_match(validators[name].iter_errors(instance))
        if error is not None:
            raise error
        if len(valid) < _MOST:
            valid.add((name, text))

    return validate
