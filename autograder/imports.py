"""A faster nbformat and nbgrader: without modules and repeated checks that nothing here needs."""

import functools
import json
import sys
from typing import Any

# jsonschema imports these if they are installed, to check texts that a schema calls a "date-time",
# an "iri" and the like. Only a FormatChecker makes such checks, and nbformat and nbgrader use none.
# The first module takes a second: it builds a large grammar when imported.
_UNUSED = ("rfc3987_syntax", "isoduration", "rfc3986_validator")


def import_quickly() -> None:
    """Import jsonschema without its checks of formats, before nbformat imports it with them."""
    if "jsonschema" in sys.modules:
        return
    hidden = [name for name in _UNUSED if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # None: to Python, there is no such module
    try:
        import jsonschema
    finally:
        for name in hidden:
            del sys.modules[name]
    jsonschema.validate = functools.partial(_validate, jsonschema.validate)


def _validate(validate, instance: Any, schema: dict, *given, **named) -> None:
    """Validate as jsonschema does, but look only once whether a schema is a schema.

    nbgrader asks for each cell, always with its own schema, which is slower to check than the cell.
    """
    if given or named:
        validate(instance, schema, *given, **named)
        return
    from jsonschema.exceptions import best_match

    error = best_match(_validator(json.dumps(schema)).iter_errors(instance))
    if error is not None:
        raise error


@functools.cache
def _validator(schema: str) -> Any:
    from jsonschema.validators import validator_for

    parsed = json.loads(schema)
    kind = validator_for(parsed)
    kind.check_schema(parsed)
    return kind(parsed)


def nbgrader(*arguments: str) -> list[str]:
    """Return the command that runs nbgrader as `python -m nbgrader` does, a second sooner."""
    code = "from autograder.imports import import_quickly; import_quickly(); "
    code += "from nbgrader.apps.nbgraderapp import main; main()"
    return [sys.executable, "-c", code, *arguments]
