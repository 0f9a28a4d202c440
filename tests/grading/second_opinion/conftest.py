"""The process that the answers and the tests of a second opinion are forked from."""

import pytest
from notebooks import CHAPTERS, read

from autograder.kernels import Zygote, imported
from autograder.second_opinion.case import ENTRIES


@pytest.fixture(scope="module")
def zygote():
    """With all that chapters import in memory."""
    modules = dict.fromkeys(module for name in CHAPTERS for module in imported([read(name)]))
    zygote = Zygote([*modules], None, ENTRIES)
    yield zygote
    zygote.close()
