"""How long `import dplib` takes, against `import numpy, pandas`, each in a fresh process.

Run as `python benchmarks/imports.py`.
"""

import subprocess
import sys
import time

ROUNDS = 9


def seconds(code: str) -> float:
    """Return how long a fresh Python takes to run `code`."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - start


def main() -> None:
    """Print the ratio of the shortest times; the two take turns, so that a busy spell hits both."""
    pairs = [(seconds("import dplib"), seconds("import numpy, pandas")) for _ in range(ROUNDS)]
    ours, peer = (min(times) for times in zip(*pairs, strict=True))
    verdict = "ok" if ours / peer <= 1.3 else "short"
    print(f"import_dplib measured={ours / peer:.2f} target=1.30 {verdict}")


if __name__ == "__main__":
    main()
