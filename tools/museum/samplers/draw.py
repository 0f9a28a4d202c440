"""Write the draws of a sampler to a file of doubles: draw.py MODULE FUNCTION NUMBER SIDE FILE."""

import importlib
import sys
from array import array


def main() -> None:
    module, function, number, side, file = sys.argv[1:]
    draws = getattr(importlib.import_module(module), function)(int(number), int(side))
    with open(file, "wb") as kept:  # noqa: PTH123
        array("d", list(draws)[: int(number)]).tofile(kept)


if __name__ == "__main__":
    main()
