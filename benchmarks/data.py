"""How long load_adult() takes, against pandas.read_csv of the same data uncompressed.

Run as `python benchmarks/data.py`.
"""

import tempfile
import time
from pathlib import Path

import pandas as pd

from dplib.data import load_adult
from dplib.data.loading import FILE


def best_time(function, *, repeats: int = 9) -> float:
    """Return the shortest of `repeats` running times, in seconds; the first run warms the cache."""
    times = []
    for _ in range(repeats + 1):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times[1:])


def main() -> None:
    """Print both times and their ratio."""
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "adult.csv"
        load_adult().to_csv(plain, index=False)
        ours, peer = best_time(lambda: load_adult(FILE)), best_time(lambda: pd.read_csv(plain))
    print(f"load_adult(), the first time       {ours * 1000:7.1f} ms")
    print(f"load_adult(), again                {best_time(load_adult) * 1000:7.1f} ms")
    print(f"pandas.read_csv, uncompressed      {peer * 1000:7.1f} ms")
    print(f"ratio of the first and the peer    {ours / peer:7.2f}")
    verdict = "ok" if ours <= 0.3 else "short"
    print(f"load_adult_seconds measured={ours:.3f} target=0.300 {verdict}")


if __name__ == "__main__":
    main()
