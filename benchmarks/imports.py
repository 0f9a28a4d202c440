"""How long `import dplib` takes, against `import numpy, pandas`, each in a fresh process.

Run as `python benchmarks/imports.py`.
"""

import subprocess
import sys
from functools import partial

from _figures import figure, seconds

ROUNDS = 9


def main() -> None:
    """Print the ratio of the shortest times; the two take turns, so that a busy spell hits both."""
    taken: dict[str, list[float]] = {"import dplib": [], "import numpy, pandas": []}
    for _ in range(ROUNDS):
        for code, times in taken.items():
            program = [sys.executable, "-c", code]
            times += seconds(partial(subprocess.run, program, check=True))
    ours, peer = map(min, taken.values())
    figure("import_dplib", ours / peer, 1.3)


if __name__ == "__main__":
    main()
