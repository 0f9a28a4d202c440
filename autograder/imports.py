"""A faster import of nbformat and nbgrader: without modules that nothing here uses."""

import sys

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
        import jsonschema  # noqa: F401
    finally:
        for name in hidden:
            del sys.modules[name]


def nbgrader(*arguments: str) -> list[str]:
    """Return the command that runs nbgrader as `python -m nbgrader` does, a second sooner."""
    code = "from autograder.imports import import_quickly; import_quickly(); "
    code += "from nbgrader.apps.nbgraderapp import main; main()"
    return [sys.executable, "-c", code, *arguments]
