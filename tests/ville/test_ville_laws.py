"""The laws: cells against independent computations, and what puts laws together."""

import itertools
import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from scipy import integrate, stats

from ville import laws
from ville.law import Impossible

# README.md states it: the relative error of a cell's probability.
CELL_ERROR = 1e-12
DRAWS = 100_000


def cells_of(law):
    cells = law.cells()
    return cells, cells.probabilities(law)


def in_decimals(places, tail):
    """Return a symmetric law's cells to 40 digits; `tail` gives Pr(X <= -distance)."""
    with localcontext() as context:
        context.prec = 40
        levels = [Decimal(0)]
        for place in places:
            below = tail(abs(Decimal(float(place))))
            levels.append(below if place < 0 else 1 - below)
        levels.append(Decimal(1))
        return np.array([float(b - a) for a, b in itertools.pairwise(levels)])


@pytest.mark.parametrize("scale", [0.3, 1.0, 7.0, 1e6])
def test_cells_of_laplace_noise_are_right_to_the_stated_error(scale):
    cells, found = cells_of(laws.laplace(scale))
    exact = in_decimals(cells._places, lambda far: (-far / Decimal(scale)).exp() / 2)
    assert found == pytest.approx(exact, rel=CELL_ERROR)


@pytest.mark.parametrize("scale", [0.2, 1.0, 3.0, 40.0])
def test_cells_of_discrete_laplace_noise_are_right_to_the_stated_error(scale):
    cells, found = cells_of(laws.discrete_laplace(scale))

    def tail(far):  # of whole numbers up to -far; the borders are half-integers
        first = int(far + Decimal("0.5"))
        return (-first / Decimal(scale)).exp() / (1 + (-1 / Decimal(scale)).exp())

    exact = in_decimals(cells._places, tail)
    assert found == pytest.approx(exact, rel=CELL_ERROR if scale > 0.2 else 1e-10)


@pytest.mark.parametrize("deviation", [0.7, 2.0, 30.0])
def test_cells_of_gaussian_noise_are_right_to_the_stated_error(deviation):
    for law, mass in [
        (laws.gaussian(deviation), lambda a, b: math.erfc(a) / 2 - math.erfc(b) / 2),
        (laws.discrete_gaussian(deviation), None),
    ]:
        cells, found = cells_of(law)
        if mass is None:
            places = np.arange(-3000, 3001)
            weights = [math.exp(-((k / deviation) ** 2) / 2) for k in places]
            total = math.fsum(weights)
            which = np.searchsorted(cells._places, places)
            exact = [
                math.fsum(w for w, cell in zip(weights, which, strict=True) if cell == k) / total
                for k in range(len(found))
            ]
        else:
            upper = cells._places[cells._places > 0] / deviation / math.sqrt(2)
            exact = [mass(a, b) for a, b in itertools.pairwise([*upper, math.inf])]
            found = found[-len(exact) :]
        assert found == pytest.approx(exact, rel=CELL_ERROR)


def test_the_staircase_agrees_with_its_density():
    sensitivity, epsilon, share = 2.0, 0.7, 0.3
    law = laws.staircase(sensitivity, epsilon, share)
    fall = math.exp(-epsilon)
    height = (1 - fall) / (2 * sensitivity * (share + fall * (1 - share)))

    def density(x):
        step, rest = divmod(abs(x), sensitivity)
        return height * math.exp(-epsilon * (step + (rest >= share * sensitivity)))

    edges = [0.0] + [k * sensitivity + part for k in range(4) for part in (0.6, 2.0)]
    for low, high in itertools.pairwise(edges):
        exact, _ = integrate.quad(density, low, high)
        for ends in ((low, high), (-high, -low)):
            assert np.diff(law.cdf(np.array(ends)))[0] == pytest.approx(exact, rel=1e-10)
    assert law.cdf(np.array([-1e9, 0.0, 1e9])) == pytest.approx([0, 0.5, 1])


def test_the_rarest_cell_is_as_likely_as_the_bound_on_rounding_needs():
    for law in (
        laws.laplace(2.0),
        laws.gaussian(1.0),
        laws.discrete_laplace(3.0),
        laws.discrete_laplace(1e5),
        laws.discrete_gaussian(20.0),
        laws.geometric(0.01),
        laws.uniform(-1, 4),
        laws.clamped(laws.laplace(1.0), -0.5, 3.0),
        laws.clamped(laws.discrete_laplace(3.0), -2, 5),
        laws.mixture([laws.point(0.0), laws.gaussian(1.0)], [0.4, 0.6]),
        laws.truncated(laws.laplace(3.0), -1, 10),
    ):
        _, found = cells_of(law)
        assert found.sum() == pytest.approx(1, abs=1e-12)
        assert found[found > 0].min() >= 1.9e-4, law
        assert len(found) >= 8, law


def far_from(draws, law) -> float:
    """How far shares of draws are from a law, in units of what happens once in 1e9 runs (DKW)."""
    places = np.concatenate([np.unique(draws)[:2_000], np.linspace(-20, 20, 801) + 1e-7])
    share = np.searchsorted(np.sort(draws), places, side="right") / len(draws)
    reach = math.sqrt(math.log(2e9) / (2 * len(draws)))
    return float(np.abs(share - law.cdf(places + 1e-9)).max() / reach)


def test_composed_laws_are_those_of_composed_draws():
    rng = np.random.default_rng()
    x, k = rng.laplace(scale=2, size=DRAWS), rng.geometric(0.2, size=DRAWS)
    coin = rng.random(DRAWS) < 0.3
    base, count = laws.laplace(2.0), laws.geometric(0.2)
    made = [
        (x + 1.5, laws.shifted(base, 1.5)),
        (k * 0.25 + 3, laws.shifted(laws.scaled(count, 0.25), 3)),
        (x * 3, laws.scaled(base, 3)),
        (np.clip(x, -1, 2), laws.clamped(base, -1, 2)),
        (np.maximum(x, 0) + 5, laws.shifted(laws.clamped(base, 0), 5)),
        (np.clip(k, 2, 9), laws.clamped(count, 2, 9)),
        (np.abs(x - 1) + 1, laws.folded(base, 1)),
        (np.abs(np.clip(x, -1, 2)), laws.folded(laws.clamped(base, -1, 2))),
        (np.abs(np.round(x)), laws.folded(laws.rounded(base))),
        (np.abs(k - 3.5) + 3.5, laws.folded(count, 3.5)),
        (np.round(x), laws.rounded(base)),
        (np.round(x / 0.5) * 0.5, laws.rounded(base, 0.5)),
        (x[(x > -1) & (x < 3)], laws.truncated(base, -1, 3)),
        (k[(k >= 3) & (k <= 8)], laws.truncated(count, 3, 8)),
        (np.where(coin, 0, x), laws.mixture([laws.point(0), base], [0.3, 0.7])),
        (np.where(coin, 0, k), laws.mixture([laws.point(0), count], [0.3, 0.7])),
    ]
    for draws, law in made:
        assert far_from(draws.astype(float), law) < 1, law
    assert far_from(x * 1.1, base) > 1


@pytest.mark.parametrize("scores", [[0.0], [3.0, 1.0, 2.5], list(range(9))])
def test_choices_agree_with_enumeration(scores):
    epsilon, sensitivity = 1.3, 2.0
    weights = [math.exp(epsilon * score / (2 * sensitivity)) for score in scores]
    exact = [weight / sum(weights) for weight in weights]
    found = laws.exponential_mechanism(scores, epsilon=epsilon, sensitivity=sensitivity)
    assert list(found.probabilities.values()) == pytest.approx(exact, rel=1e-13)
    heads = [weight / max(weights) for weight in weights]
    few = heads[:6]
    law = laws.permute_and_flip(scores[:6], epsilon=epsilon, sensitivity=sensitivity)
    heads = [head / max(few) for head in few]
    chances = np.zeros(len(heads))
    for order in itertools.permutations(range(len(heads))):
        left = 1.0
        for index in order:
            chances[index] += left * heads[index] / math.factorial(len(heads))
            left *= 1 - heads[index]
    assert list(law.probabilities.values()) == pytest.approx(chances, rel=1e-12)


def test_randomized_response_has_its_odds():
    law = laws.randomized_response("b", epsilon=1.5, outcomes=["a", "b", "c"]).probabilities
    assert law["b"] / law["a"] == pytest.approx(math.exp(1.5))
    assert sum(law.values()) == pytest.approx(1)


def test_laws_of_ones_own():
    _, right = cells_of(laws.laplace(2.0))
    for own in (
        laws.from_cdf(stats.laplace(scale=2).cdf),
        laws.from_quantiles(stats.laplace(scale=2).ppf),
    ):
        assert cells_of(own)[1] == pytest.approx(right, rel=1e-6)
    pmf = {k: 2.0 ** -(k + 1) for k in range(20)}
    pmf[19] *= 2
    cells, found = cells_of(laws.from_pmf(pmf))
    assert found[:5] == pytest.approx([0.5, 0.25, 0.125, 0.0625, 0.03125], rel=1e-12)
    assert cells.sort(np.array([0.0, 3.0])).tolist() == [0, 3]


def test_what_a_law_never_gives_is_refused():
    for law, wrong in [
        (laws.laplace(1.0), math.nan),
        (laws.laplace(1.0), math.inf),
        (laws.discrete_laplace(3.0), 0.5),
        (laws.discrete_laplace(3.0), 1 + 1e-12),
        (laws.uniform(0, 1), 1.25),
        (laws.geometric(0.5), 0.0),
        (laws.clamped(laws.laplace(1.0), 0), -0.1),
        (laws.scaled(laws.discrete_laplace(3.0), 0.1), 0.15),
        (laws.randomized_response(True, epsilon=1.0), 2),
        (laws.categorical({"a": 0.5, "b": 0.5}), "c"),
        (laws.categorical({"a": 0.5, "b": 0.5}), None),
    ]:
        with pytest.raises(Impossible):
            law.cells().sort(np.array([wrong]))
    places = np.arange(-400, 401) * 0.1 + 0.3
    laws.shifted(laws.scaled(laws.discrete_laplace(30.0), 0.1), 0.3).cells().sort(places)
    many = laws.categorical({"a": 0.5, None: 0.5}).cells().sort(np.array(["a", None], dtype=object))
    assert many.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: laws.laplace(0.0), "scale"),
        (lambda: laws.laplace(math.nan), "scale"),
        (lambda: laws.laplace(True), "scale"),
        (lambda: laws.gaussian(-1.0), "deviation"),
        (lambda: laws.discrete_gaussian(1e9), "deviation"),
        (lambda: laws.geometric(1.0), "success"),
        (lambda: laws.uniform(1, 1), "high - low"),
        (lambda: laws.staircase(1, 1, 2.0), "share_of_step"),
        (lambda: laws.exponential_mechanism([], epsilon=1, sensitivity=1), "scores"),
        (lambda: laws.permute_and_flip([1.0], epsilon=0, sensitivity=1), "epsilon"),
        (lambda: laws.randomized_response("c", epsilon=1, outcomes=["a", "b"]), "truth"),
        (lambda: laws.categorical([0.5, 0.6]), "probabilities"),
        (lambda: laws.clamped(laws.laplace(1), 2, 1), "low"),
        (lambda: laws.clamped(laws.geometric(0.5), 1.5), "low and high"),
        (lambda: laws.folded(laws.geometric(0.5), 0.3), "at"),
        (lambda: laws.mixture([laws.laplace(1), laws.geometric(0.5)], [0.5, 0.5]), "laws"),
        (lambda: laws.mixture([laws.laplace(1)], [0.5]), "weights"),
        (lambda: laws.wrong_scales(laws.laplace, 0), "scale"),
        (lambda: laws.point(math.inf), "place"),
        (lambda: laws.scaled(laws.laplace(1), -1), "by"),
    ],
)
def test_arguments_out_of_range_are_named(make, name):
    with pytest.raises(ValueError, match=name):
        make()
