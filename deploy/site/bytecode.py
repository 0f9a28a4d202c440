"""A zip of Python files as one of bytecode, by the Python of the browser: see compile.mjs."""

import importlib.util
import io
import re
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

# What nothing imports or reads: tests, what compilers and editors read, fonts for PostScript, and
# the words of other languages than Python.
_UNREAD = re.compile(
    r"/tests/|/sample_data/|/pdfcorefonts/|\.dist-info/(RECORD|licenses/)"
    r"|/pygments/lexers/(?!__init__|_mapping|python|special)"
    r"|\.(pyi|pxd|pxi|h|c|a|afm|tpl|f2py_f2cmap|rst)$"
)
_TIME = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip can hold
# Pyodide links every binary of a package when it unpacks the package: 8 s for scipy alone. Python
# finds a binary at its import, and links it then.
_LOADER, _LINKS_NOW = "pyodide/_package_loader.py", "def should_load_dynlib("
_LINK_AT_IMPORT = "\n\ndef should_load_dynlib(path):\n    return False\n"


def compiled(packed, folder: str, level: int = 0) -> bytes:
    """Return a zip with each .py as a .pyc in its place, and without what is never read.

    Args:
      packed: the zip, as the browser's bytes.
      folder: where its files will lie.
      level: 2 leaves docstrings out.
    """
    old, out = zipfile.ZipFile(io.BytesIO(packed.to_bytes())), io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
        for name in old.namelist():
            if not _UNREAD.search(f"/{name}") and not name.endswith("/"):
                place, content = _one(name, old.read(name), folder, level)
                new.writestr(zipfile.ZipInfo(place, _TIME), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _one(name: str, content: bytes, folder: str, level: int) -> tuple[str, bytes]:
    if not name.endswith(".py"):
        return name, content
    if name == _LOADER:
        if _LINKS_NOW not in content.decode():
            raise ValueError(f"{_LOADER} of this Pyodide has no {_LINKS_NOW}…)")
        content += _LINK_AT_IMPORT.encode()
    try:
        code = compile(content, f"{folder}/{name}", "exec", dont_inherit=True, optimize=level)
    except SyntaxError:  # a template, or of another version: it stays as it is
        return name, content
    # Whoever has this file has no source beside it: nothing is to be compared.
    return f"{name}c", _code_to_hash_pyc(code, importlib.util.source_hash(content), False)
