"""An import is light: what few need is loaded only by those who ask for it."""

import subprocess
import sys

import pytest

LIGHT = {
    "import dplib": (
        "IPython ipywidgets matplotlib scipy autograder nbgrader "
        "dplib.accounting dplib.outcome_laws dplib.samplers dplib.ranges.strategies"
    ),
    "from dplib import explore, plots; from autograder import check; explore.explore_posterior()": (
        "scipy.stats matplotlib.pyplot"
    ),
    "import autograder.cli as cli; cli._parser()": (
        "nbgrader numpy jupytext nbformat rich traitlets dplib"
    ),
    "from autograder import practice": (
        "nbgrader jupyter_client autograder.kernels matplotlib IPython"
    ),
    "import autograder.kernels.zygote": "nbgrader nbformat sqlalchemy jsonschema",
}


@pytest.mark.slow
@pytest.mark.parametrize(("statement", "heavy"), LIGHT.items())
def test_nothing_heavy_is_loaded(statement, heavy):
    code = f"import sys; {statement}; print(*{set(heavy.split())} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
