"""How fast a survey of 32,563 people's Occupation is, against a loop over people and bits.

Both encode, perturb and aggregate by unary encoding, over the same 16 public categories at p = 3/4
and q = 1/4; the loop is the one a reader writes first, with one random number a bit. Both estimates
are compared with the exact counts. The last line is `unary_encoding_speedup measured=…`: the ratio
of the times.

Run as `python benchmarks/local.py`.
"""

from functools import partial

import numpy as np
from _figures import figure, seconds

from dplib.data import DOMAINS, fill_missing, load_adult
from dplib.local import aggregate, perturb, unary_encode
from dplib.survey import estimate_variance

P, Q = 0.75, 0.25
TARGET = 30


def loop(values, categories, rng) -> list[float]:
    """Survey person by person, bit by bit."""
    sums = [0] * len(categories)
    for value in values:
        bits = [1 if value == category else 0 for category in categories]
        for place, bit in enumerate(bits):
            sums[place] += 1 if rng.random() < (P if bit else Q) else 0
    return [(ones - len(values) * Q) / (P - Q) for ones in sums]


def vectorized(values, categories, rng) -> np.ndarray:
    """Survey everybody at once."""
    bits = unary_encode(values, categories=categories)
    return aggregate(perturb(bits, p=P, q=Q, rng=rng), p=P, q=Q)


def main() -> None:
    """Print both times, both worst errors in standard deviations, and the ratio."""
    categories = DOMAINS["Occupation"]
    values = fill_missing(load_adult())["Occupation"]
    exact = values.value_counts().reindex(categories).to_numpy()
    deviations = np.sqrt(estimate_variance(exact, people=len(values), p=P, q=Q))
    rng, best = np.random.default_rng(), {}
    for survey, repeats in ((vectorized, 20), (loop, 3)):
        best[survey] = min(seconds(partial(survey, values, categories, rng), repeats=repeats))
        worst = np.abs((np.asarray(survey(values, categories, rng)) - exact) / deviations).max()
        print(
            f"{survey.__name__:10} {best[survey] * 1000:8.1f} ms   "
            f"worst of 16 errors {worst:.1f} standard deviations"
        )
    figure("unary_encoding_speedup", best[loop] / best[vectorized], TARGET, least=True)


if __name__ == "__main__":
    main()
