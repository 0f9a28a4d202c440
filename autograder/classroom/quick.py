"""nbgrader's check of cell metadata, with its schema prepared once instead of at every cell."""

from __future__ import annotations

import contextlib
import types
from collections.abc import Iterator

import jsonschema
from nbgrader.nbgraderformat import common

__all__ = ["quick_schemas"]


@contextlib.contextmanager
def quick_schemas() -> Iterator[None]:
    """Let nbgrader's validation skip the check of the schema itself; verdicts stay the same."""
    validators: dict[str, jsonschema.protocols.Validator] = {}

    def validate(instance, schema) -> None:
        name = repr(schema)
        if name not in validators:
            kind = jsonschema.validators.validator_for(schema)
            kind.check_schema(schema)
            validators[name] = kind(schema)
        error = jsonschema.exceptions.best_match(validators[name].iter_errors(instance))
        if error is not None:
            raise error

    original = common.jsonschema
    common.jsonschema = types.SimpleNamespace(validate=validate)
    try:
        yield
    finally:
        common.jsonschema = original
