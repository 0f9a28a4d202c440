"""What the tests of figures draw on."""

import pytest
from matplotlib.figure import Figure


@pytest.fixture
def ax():
    """Axes of a new figure."""
    return Figure().subplots()
