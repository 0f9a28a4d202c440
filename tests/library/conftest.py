"""The fixtures of the library's tests."""

import pandas as pd
import pytest

from dplib.data import load_adult


@pytest.fixture(scope="module")
def adult() -> pd.DataFrame:
    """The census table, read anew for each file."""
    return load_adult()
