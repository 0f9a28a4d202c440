"""What students get with all chapters, zipped once for the tests of it: sealing it takes long."""

import functools
import io
import tempfile
import zipfile
from pathlib import Path

from notebooks import RELEASED
from places import ROOT

from autograder.authoring.bundle import bundle

FOLDER = "privacy-workbook"


@functools.cache
def zipped() -> zipfile.ZipFile:
    """The zip of the whole course."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "b.zip")
        assert bundle(ROOT, path) == RELEASED
        return zipfile.ZipFile(io.BytesIO(path.read_bytes()))
