"""How fast the mechanisms are, each against a named peer in the same run.

`laplace_mechanism` on ten million values against numpy's `Generator.laplace`, as a ratio; on one
number, the microseconds it takes more than `Generator.laplace`, and how many times as long the
Laplace mechanisms of diffprivlib and OpenDP take. Then the exact discrete samplers on one number,
and the exact accountant against dp_accounting's, which is given as fine a grid.

A time is processor time, the best of several, so that other programs on the machine disturb little.
Each line NAME measured=… target=… ends in ok or short.

Run as `python benchmarks/mechanisms.py`.
"""

import time

import numpy as np
import opendp.prelude as opendp
from _figures import figure
from diffprivlib.mechanisms import Laplace
from dp_accounting.pld import privacy_loss_distribution

from dplib import laplace_mechanism
from dplib.accounting import LaplaceRelease, exact_epsilon
from dplib.samplers import exact_discrete_gaussian, exact_discrete_laplace

VALUES = 10**7


def best_times(*functions, number: int = 1, repeats: int = 15) -> list[float]:
    """Return the shortest time of each function, in seconds a call; they take turns."""
    times: list[list[float]] = [[] for _ in functions]
    for _ in range(repeats):
        for function, taken in zip(functions, times, strict=True):
            start = time.process_time()
            for _ in range(number):
                function()
            taken.append((time.process_time() - start) / number)
    return [min(taken) for taken in times]


def many_values(rng: np.random.Generator) -> None:
    values = np.arange(VALUES, dtype=float)
    ours, numpys = best_times(
        lambda: laplace_mechanism(values, sensitivity=1, epsilon=0.5, rng=rng),
        lambda: rng.laplace(scale=2.0, size=VALUES),
        repeats=12,
    )
    print(f"10^7 values: ours {ours * 1e3:.0f} ms, Generator.laplace {numpys * 1e3:.0f} ms")
    figure("laplace_mechanism_array_ratio", ours / numpys, 1.15)


def one_value(rng: np.random.Generator) -> None:
    opendp.enable_features("contrib")
    space = opendp.atom_domain(T=float, nan=False), opendp.absolute_distance(T=float)
    theirs = opendp.m.make_laplace(*space, scale=2.0)
    library = Laplace(epsilon=0.5, sensitivity=1.0)
    ours, numpys, diffprivlibs, opendps = best_times(
        lambda: laplace_mechanism(17.0, sensitivity=1, epsilon=0.5, rng=rng),
        lambda: rng.laplace(17.0, 2.0),
        lambda: library.randomise(17.0),
        lambda: theirs(17.0),
        number=3000,
    )
    print(
        f"one number, microseconds: ours {ours * 1e6:.1f}, Generator.laplace {numpys * 1e6:.1f}, "
        f"diffprivlib {diffprivlibs * 1e6:.1f}, OpenDP {opendps * 1e6:.1f}"
    )
    figure("laplace_mechanism_scalar_overhead_us", (ours - numpys) * 1e6, 6)
    figure("laplace_mechanism_against_diffprivlib", diffprivlibs / ours, 1, least=True)
    figure("laplace_mechanism_against_opendp", opendps / ours, 1, least=True)


def exact_samplers(rng: np.random.Generator) -> None:
    laplace, gaussian = best_times(
        lambda: exact_discrete_laplace(17, sensitivity=1, epsilon=0.5, rng=rng),
        lambda: exact_discrete_gaussian(17, l2_sensitivity=1, rho=0.02, rng=rng),
        number=3000,
    )
    figure("exact_discrete_laplace_scalar_us", laplace * 1e6, 40)
    figure("exact_discrete_gaussian_scalar_us", gaussian * 1e6, 40)


def accountant() -> None:
    def theirs() -> float:
        law = privacy_loss_distribution.from_laplace_mechanism(
            10.0, value_discretization_interval=2e-4
        )
        return law.self_compose(1000).get_epsilon_for_delta(1e-5)

    def ours() -> float:
        return exact_epsilon([LaplaceRelease(10.0, 1000)], delta=1e-5)

    our_time, their_time = best_times(ours, theirs, repeats=5)
    print(f"1000 Laplace releases: epsilon {ours():.6f}, dp_accounting {theirs():.6f}")
    figure("exact_epsilon_time_ratio", our_time / their_time, 1)


def main() -> None:
    """Print every figure."""
    rng = np.random.default_rng()
    many_values(rng)
    one_value(rng)
    exact_samplers(rng)
    accountant()


if __name__ == "__main__":
    main()
