"""How long load_adult() takes, against pandas.read_csv of the same data uncompressed.

Run as `python benchmarks/data.py`.
"""

import tempfile
from pathlib import Path

import pandas as pd
from _figures import figure, seconds

from dplib.data import load_adult
from dplib.data.loading import FILE

REPEATS = 10  # of which the shortest counts: the first one warms the cache


def main() -> None:
    """Print both times and their ratio."""
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "adult.csv"
        load_adult().to_csv(plain, index=False)
        ours = min(seconds(lambda: load_adult(FILE), repeats=REPEATS))
        peer = min(seconds(lambda: pd.read_csv(plain), repeats=REPEATS))
    print(f"load_adult(), the first time       {ours * 1000:7.1f} ms")
    again = min(seconds(load_adult, repeats=REPEATS))
    print(f"load_adult(), again                {again * 1000:7.1f} ms")
    print(f"pandas.read_csv, uncompressed      {peer * 1000:7.1f} ms")
    print(f"ratio of the first and the peer    {ours / peer:7.2f}")
    figure("load_adult_seconds", ours, 0.3)


if __name__ == "__main__":
    main()
