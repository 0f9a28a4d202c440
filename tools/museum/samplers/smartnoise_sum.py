"""SmartNoise core: a sum of ten numbers in [0, 1], with analytic Gaussian noise."""

import tempfile
from pathlib import Path

import numpy as np
import opendp.smartnoise.core as smartnoise

AT_ONCE = 250  # releases of one analysis


def analytic_gaussian(number, side):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_text("value\n" + "0.0\n" * 9 + f"{side}.0\n")
        drawn = []
        while len(drawn) < number:
            drawn += _released(str(path))
    return drawn


def _released(path):
    with smartnoise.Analysis(protect_floating_point=False) as analysis:
        column = smartnoise.Dataset(path=path, column_names=["value"])["value"]
        sums = [
            smartnoise.dp_sum(
                data=smartnoise.to_float(column),
                mechanism="AnalyticGaussian",
                privacy_usage={"epsilon": 0.1, "delta": 1e-6},
                data_lower=0.0,
                data_upper=1.0,
                data_rows=10,
            )
            for _ in range(AT_ONCE)
        ]
        analysis.release()
    return [float(np.ravel(each.value)[0]) for each in sums]
