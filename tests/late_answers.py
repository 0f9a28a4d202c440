# ruff: noqa: NPY002

"""Wrong answers that were written after the checks were frozen, by someone who had not read them.

LATE[exercise] is a list of answers. They are data for the study (`make test-check`): no claim may
be changed because of one, or it moves to `wrong_answers/` and a new one takes its place.

When first run, 141 of 146 were always rejected. The other five led to better inputs of five claims,
and are in `wrong_answers/` too; so what the study says of them now is no longer blind. Answers to
exercises that are gone went with them.
"""

import math
from functools import cache

import numpy as np
import pandas as pd
from scipy.special import expit

import dplib
from dplib import synthetic

LN3 = math.log(3)

# Each factory makes the right answer if it is called without arguments: an argument is a slip.


def _source(rng):
    return np.random.default_rng() if rng is None else rng


def _laplace(rng, scale, size=None):
    return _source(rng).laplace(scale=scale, size=size)


def _normal(rng, scale, size=None):
    return _source(rng).normal(scale=scale, size=size)


def _add(value, draw, rng, scale):
    exact = np.asarray(value, dtype=float)
    noisy = exact + draw(rng, scale, exact.shape)
    return noisy if exact.ndim else float(noisy)


def _laplace_answer(*, scale=lambda sensitivity, epsilon: sensitivity / epsilon, draw=_laplace):
    def answer(value, *, sensitivity, epsilon, rng=None):
        return _add(value, draw, rng, scale(sensitivity, epsilon))

    return answer


@cache
def _noise_kept(scale, size):
    return np.random.laplace(scale=scale, size=size)


def _rows_that_satisfy(table, predicate):
    return int(np.asarray(predicate(table)).sum())


def _count_answer(*, exact=_rows_that_satisfy, scale=lambda n, epsilon: 1 / epsilon, finish=float):
    def answer(table, predicate, *, epsilon, rng=None):
        return finish(exact(table, predicate) + _laplace(rng, scale(len(table), epsilon)))

    return answer


def _signed_geometric(rng, rate, size):
    sign = rng.choice([-1, 1], size=size)
    return sign * (rng.geometric(-np.expm1(-rate), size=size) - 1)


def _two_geometrics(rng, rate, size, failure=None):
    failure = failure or -np.expm1(-rate)
    return rng.geometric(failure, size=size) - rng.geometric(failure, size=size)


def _discrete_answer(*, noise=_two_geometrics, known=True):
    def answer(value, *, sensitivity, epsilon, rng=None):
        exact = np.asarray(value)
        drawn = noise(_source(rng), epsilon / (sensitivity if known else 1), exact.shape)
        noisy = exact.astype(np.int64) + np.asarray(drawn).astype(np.int64)
        return noisy if exact.ndim else int(noisy)

    return answer


def _moved(neighbors):
    return 2 if neighbors == "replace_one" else 1


def _moved_by(neighbors, columns):
    return _moved(neighbors)


def _cell_noise(rng, scale, counts):
    return _laplace(rng, scale, counts.shape)


def _cell_scale(epsilon, neighbors, shape):
    return _moved(neighbors) / epsilon


def _exact_cells(table, categories):
    places = [pd.Index(list(all_)).get_indexer(table[name]) for name, all_ in categories.items()]
    counts = np.zeros([len(list(values)) for values in categories.values()])
    np.add.at(counts, tuple(places), 1)
    return counts


def _histogram_answer(*, scale=_cell_scale, noise=_cell_noise, order=list):
    def answer(values, *, categories, epsilon, neighbors="add_remove", rng=None):
        column = pd.DataFrame({"value": pd.Series(values).to_numpy()})
        counts = _exact_cells(column, {"value": order(categories)})
        noisy = counts + noise(rng, scale(epsilon, neighbors, counts.shape), counts)
        return pd.Series(noisy, index=list(categories))

    return answer


def _crosstab_answer(*, scale=_cell_scale, noise=_cell_noise):
    def answer(table, *, categories, epsilon, neighbors="add_remove", rng=None):
        counts = _exact_cells(table, categories)
        noisy = counts + noise(rng, scale(epsilon, neighbors, counts.shape), counts)
        rows, columns = (list(values) for values in categories.values())
        return pd.DataFrame(noisy, index=rows, columns=columns)

    return answer


def _farthest(lower, upper):
    return max(abs(lower), abs(upper))


def _reach(lower, upper, neighbors):
    return upper - lower if neighbors == "replace_one" else _farthest(lower, upper)


def _clipped_sum(values, lower, upper):
    return np.clip(np.asarray(values, dtype=float), lower, upper).sum()


def _sum_answer(*, reach=_reach, finish=lambda noisy, n, lower, upper: noisy):
    def answer(values, *, lower, upper, epsilon, neighbors="add_remove", rng=None):
        noisy = _clipped_sum(values, lower, upper)
        noisy += _laplace(rng, reach(lower, upper, neighbors) / epsilon)
        return float(finish(noisy, len(values), lower, upper))

    return answer


def _least_sigma(sensitivity, epsilon, delta):
    return dplib.analytic_gaussian_sigma(l2_sensitivity=sensitivity, epsilon=epsilon, delta=delta)


def _classical_sigma(sensitivity, epsilon, delta):
    return math.sqrt(2 * math.log(1.25 / delta)) * sensitivity / epsilon


def _sigma_of_one_at_most(sensitivity, epsilon, delta):
    return _least_sigma(sensitivity, min(epsilon, 1), delta)


def _gaussian_answer(*, sigma=_least_sigma, draw=_normal):
    def answer(value, *, l2_sensitivity, epsilon, delta, rng=None):
        return _add(value, draw, rng, sigma(l2_sensitivity, epsilon, delta))

    return answer


def _test_threshold(epsilon, delta):
    return math.log(1 / (2 * delta)) / epsilon


def _propose_answer(*, threshold=_test_threshold, of_test=float, again=False):
    def answer(values, *, bound, lower, upper, epsilon, delta, rng=None):
        limits = {"bound": bound, "lower": lower, "upper": upper}
        distance = dplib.distance_to_high_sensitivity(values, **limits)
        noise = _laplace(rng, 1 / epsilon)
        if distance + of_test(noise) <= threshold(epsilon, delta):
            return None
        middle = np.median(np.clip(values, lower, upper))
        return float(middle + bound * (noise if again else _laplace(rng, 1 / epsilon)))

    return answer


def _chunks_of(size, labels, chunks, salt, rng):
    if labels is None:
        return _source(rng).integers(chunks, size=size)
    return np.asarray(dplib.assign_chunks(labels, chunks=chunks, salt=salt))


def _aggregate_answer(*, assign=_chunks_of, empty="middle", nan="middle", last=False, few=False):
    def answer(values, function, *, chunks, lower, upper, epsilon, labels=None, salt=0, rng=None):
        place = assign(len(values), labels, chunks, salt, rng)
        rows = values.iloc if hasattr(values, "iloc") else np.asarray(values)
        answers = []
        for chunk in range(chunks):
            chosen = np.flatnonzero(place == chunk)
            result = float(function(rows[chosen])) if len(chosen) else empty
            result = nan if pd.isna(result) and len(chosen) else result
            answers.append((lower + upper) / 2 if result == "middle" else result)
        answers = np.array([each for each in answers if each is not None])
        scale = (upper - lower) / (len(set(place.tolist())) if few else chunks) / epsilon
        mean = answers.mean() if last else np.clip(answers, lower, upper).mean()
        return float((np.clip(mean, lower, upper) if last else mean) + _laplace(rng, scale))

    return answer


def _in_equal_pieces(size, labels, chunks, salt, rng):
    if labels is None:
        return _source(rng).permutation(np.arange(size) % chunks)
    return _chunks_of(size, labels, chunks, salt, rng)


def _pick(candidates, exponents, rng, keep=0.0):
    weights = np.exp(exponents - exponents.max())
    weights[weights < keep] = 0
    return list(candidates)[_source(rng).choice(len(weights), p=weights / weights.sum())]


def _exponential_answer(*, seen=lambda scores, sensitivity: scores, always=None, keep=0.0):
    def answer(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
        factor = 1 if (monotone if always is None else always) else 2
        scores = seen(np.asarray(scores, dtype=float), sensitivity)
        return _pick(candidates, epsilon * scores / (factor * sensitivity), rng, keep)

    return answer


def _noisy_max_answer(*, factor=lambda monotone: 1 if monotone else 2, noisy=None):
    def answer(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
        scores = np.asarray(scores, dtype=float)
        scale = factor(monotone) * sensitivity / epsilon
        seen = noisy(scores, scale, rng) if noisy else scores + _laplace(rng, scale, scores.shape)
        return list(candidates)[int(np.argmax(seen))]

    return answer


def _between_the_best_two(scores, scale, rng):
    seen = np.full(scores.shape, -np.inf)
    best = np.argsort(scores, kind="stable")[-2:]
    seen[best] = scores[best] + _laplace(rng, scale, len(best))
    return seen


def _median_answer(*, factor=1, equal=True, distance=False, inside=False):
    def answer(values, *, candidates, epsilon, rng=None):
        values, options = np.asarray(values, dtype=float), list(candidates)
        if inside and any(values.min() <= each <= values.max() for each in options):
            options = [each for each in options if values.min() <= each <= values.max()]
        column = np.array(options, dtype=float)[:, None]
        below, above = (values < column).sum(axis=1), (values > column).sum(axis=1)
        exact = len(values) - np.maximum(below, above) if equal else np.minimum(below, above)
        exact = -np.abs(column[:, 0] - np.median(values)) if distance else exact
        return _pick(options, epsilon * exact / factor, rng)

    return answer


def _flip_answer(*, factor=2, known=True, order=None, coins=None):
    def answer(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
        rng, scores = _source(rng), np.asarray(scores, dtype=float)
        gaps = scores - scores.max()
        unit = (1 if monotone else factor) * (sensitivity if known else 1)
        chances = np.exp(epsilon * gaps / unit)
        visited = order(rng, scores) if order else rng.permutation(len(scores))
        thrown = coins(rng, len(scores)) if coins else rng.random(len(scores))
        return list(candidates)[visited[int(np.argmax(thrown < chances[visited]))]]

    return answer


def _flip_with_replacement(candidates, scores, *, sensitivity, epsilon, monotone=False, rng=None):
    rng, scores = _source(rng), np.asarray(scores, dtype=float)
    unit = (1 if monotone else 2) * sensitivity
    chances = np.exp(epsilon * (scores - scores.max()) / unit)
    while True:
        place = int(rng.integers(len(scores)))
        if rng.random() < chances[place]:
            return list(candidates)[place]


def _above_answer(*, on_threshold=2, on_answers=4, anew=False, alike=False, known=True, none=None):
    def answer(answers, *, threshold, epsilon, sensitivity=1, monotone=False, rng=None):
        scale, shape = (sensitivity if known else 1) / epsilon, np.shape(answers)
        level = threshold + _laplace(rng, on_threshold * scale, shape if anew else None)
        wanted = on_answers * scale / (2 if monotone else 1)
        noise = _laplace(rng, wanted, None if alike else shape)
        above = np.asarray(answers) + noise >= level
        return int(above.argmax()) if above.any() else none

    return answer


def _sparse_answer(*, share=lambda epsilon, count: epsilon / count, step=1, more=0, keep=False):
    def answer(answers, *, threshold, count, epsilon, sensitivity=1, rng=None):
        answers = np.asarray(answers, dtype=float)
        scale, found, start = sensitivity / share(epsilon, count), [], 0
        level = threshold + _laplace(rng, 2 * scale)
        while len(found) < count + more and start < len(answers):
            above = answers[start:] + _laplace(rng, 4 * scale, len(answers) - start) >= level
            if not above.any():
                break
            found.append(start + int(above.argmax()))
            start = found[-1] + step
            level = level if keep else threshold + _laplace(rng, 2 * scale)
        return found

    return answer


def _bound_answer(*, above=np.greater, size=lambda values: 1, none=-1, shift=0):
    def answer(values, *, candidates, epsilon, rng=None):
        bounds = list(candidates)
        exceeding = np.array([above(values, bound).sum() for bound in bounds]) / size(values)
        index = dplib.above_threshold(-exceeding, threshold=0, epsilon=epsilon, rng=rng)
        return float(bounds[none if index is None else min(index + shift, len(bounds) - 1)])

    return answer


def _auto_mean_answer(*, shares=(3, 3, 3), clip_last=False, noise_last=False, again=False):
    def answer(values, *, candidates, epsilon, rng=None):
        rng, last = _source(rng), candidates[-1]
        rules = {"candidates": candidates, "epsilon": epsilon / shares[0], "rng": rng}
        bound = dplib.auto_clipping_bound(values, **rules)
        total = np.clip(values, 0, last if clip_last else bound).sum()
        bound = dplib.auto_clipping_bound(values, **rules) if again else bound
        total += _laplace(rng, (last if noise_last else bound) * shares[1] / epsilon)
        count = len(values) + (_laplace(rng, shares[2] / epsilon) if shares[2] else 0)
        return float(np.clip(total / max(count, 1), 0, bound))

    return answer


def _response_answer(*, lie=lambda epsilon: 1 / (1 + math.exp(epsilon)), alike=False, of_no=True):
    def answer(answers, *, epsilon=LN3, rng=None):
        truth = np.asarray(answers, dtype=bool)
        lies = _source(rng).random(None if alike else truth.shape) < lie(epsilon)
        return truth ^ (lies & (truth | of_no))

    return answer


def _perturb_answer(*, report):
    def answer(bits, *, p, q, rng=None):
        return np.asarray(report(np.asarray(bits), p, q, _source(rng))).astype(np.int8)

    return answer


def _ones_then_zeros(bits, p, q, rng):
    bits = bits.astype(int)
    bits[bits == 1] = rng.random((bits == 1).sum()) < p
    bits[bits == 0] = rng.random((bits == 0).sum()) < q
    return bits


def _direct_answer(*, weight=lambda k: k - 1, other=None, alike=False):
    def answer(codes, *, domain_size, epsilon, rng=None):
        rng, truth = _source(rng), np.asarray(codes)
        lie = weight(domain_size) / (math.exp(epsilon) + weight(domain_size))
        shift = rng.integers(1, domain_size, size=truth.shape)
        others = other(truth, domain_size, rng) if other else truth + shift
        lies = rng.random(None if alike else truth.shape) < lie
        return np.where(lies, others % domain_size, truth)

    return answer


def _marginal_answer(*, reach=_moved_by, noise=_two_geometrics, least=None):
    def answer(table, *, categories, epsilon, neighbors="add_remove", rng=None):
        counts = _exact_cells(table, categories)
        drawn = noise(_source(rng), epsilon / reach(neighbors, len(categories)), counts.shape)
        noisy = np.maximum((counts + drawn).astype(np.int64), -(2**60) if least is None else least)
        index = pd.MultiIndex.from_product(categories.values(), names=list(categories))
        index = index if len(categories) > 1 else index.get_level_values(0)
        return pd.Series(noisy.ravel(), index=index, name="count")

    return answer


def _synthesize_answer(*, kept=synthetic.shares, size_of=None, places=synthetic.spread):
    def answer(marginal, *, size=None, rng=None):
        counts = marginal.to_numpy(dtype=float)
        total = max(round(counts.sum()), 0) if size is None else size
        weights = kept(counts) if counts.sum() > 0 else np.ones(len(counts))
        number = size_of(counts, total) if size_of else total
        rows = places(weights / weights.sum(), number, _source(rng))
        return marginal.index[rows].to_frame(index=False)

    return answer


def _rounded(shares, size, rng):
    return rng.permutation(np.repeat(np.arange(len(shares)), np.round(shares * size).astype(int)))


def _publish_answer(*, parts=lambda d, kinds: (d, d), clip=np.clip, alike=False, inside=False):
    def answer(table, *, bounds=None, categories=None, epsilon, rng=None):
        rng, bounds, categories, released = _source(rng), bounds or {}, categories or {}, {}
        d = len(bounds) + len(categories)
        shares = parts(d, (len(bounds), len(categories), len(table.columns)))
        for column, (low, high) in bounds.items():
            scale = (high - low) * shares[0] / epsilon
            exact = clip(table[column].to_numpy(dtype=float), low, high)
            noisy = exact + rng.laplace(scale=scale, size=None if alike else len(table))
            released[column] = np.clip(noisy, low, high) if inside else noisy
        for column, values in categories.items():
            codes, k = pd.Index(list(values)).get_indexer(table[column]), len(values)
            codes = dplib.direct_perturb(codes, domain_size=k, epsilon=epsilon / shares[1], rng=rng)
            released[column] = pd.Index(list(values))[codes]
        return pd.DataFrame(released)

    return answer


def _shortened(rows, bound):
    return dplib.clip_rows_l2(rows, bound=bound)


def _rho(epsilon, delta, releases):
    return (math.sqrt(epsilon - math.log(delta)) - math.sqrt(-math.log(delta))) ** 2 / releases


def _sum_of_shortened(rows, bound):
    return _shortened(rows, bound).sum(axis=0)


def _descent_answer(*, sum_up=_sum_of_shortened, rho_of=_rho, exact_count=False):
    def answer(X, y, *, iterations, clipping_bound, epsilon, delta, learning_rate=1.0, rng=None):
        X, y, rng = np.asarray(X, dtype=float), np.asarray(y, dtype=float), _source(rng)
        theta = np.zeros(X.shape[1])
        rho = rho_of(epsilon, delta, iterations + 1)
        count = len(y) if exact_count else max(1.0, len(y) + rng.normal(scale=(2 * rho) ** -0.5))
        for _ in range(iterations):
            total = sum_up(-(y * expit(-y * (X @ theta)))[:, None] * X, clipping_bound)
            scale = clipping_bound / math.sqrt(2 * rho)
            total = total + rng.normal(scale=scale, size=len(theta))
            theta = theta - learning_rate * total / count
        return theta

    return answer


LATE: dict[str, list] = {
    "laplace_mechanism": [
        # "Outliers" of more than three scales are moved to three scales.
        _laplace_answer(draw=lambda rng, b, n: np.clip(_laplace(rng, b, n), -3 * b, 3 * b)),
        # Normal noise of the variance that Laplace noise would have.
        _laplace_answer(draw=lambda rng, b, n: _normal(rng, math.sqrt(2) * b, n)),
        # The sensitivity counts twice: once in a scale for 1, once more in front of it.
        _laplace_answer(scale=lambda sensitivity, epsilon: sensitivity * (sensitivity / epsilon)),
        # The noise is rounded to whole numbers, whatever its scale and whatever the value.
        _laplace_answer(draw=lambda rng, b, n: np.round(_laplace(rng, b, n))),
        # The noise is kept and used again, "so that nobody can average it away".
        _laplace_answer(draw=lambda rng, b, n: _noise_kept(b, n)),
    ],
    "private_count": [
        # No count is below 0, so a negative answer becomes 0.
        _count_answer(finish=lambda noisy: max(float(noisy), 0.0)),
        # Sensitivity 2, as for a histogram of which a replaced row moves two cells.
        _count_answer(scale=lambda n, epsilon: 2 / epsilon),
        # The noise of a share, 1 / (n * epsilon), on a count.
        _count_answer(scale=lambda n, epsilon: 1 / (max(n, 1) * epsilon)),
        # People with a missing value in any column are not counted.
        _count_answer(exact=lambda table, predicate: _rows_that_satisfy(table.dropna(), predicate)),
    ],
    "discrete_laplace": [
        # int() cuts Laplace noise off towards 0.
        _discrete_answer(noise=lambda rng, rate, size: np.trunc(rng.laplace(0, 1 / rate, size))),
        # floor() moves all noise down by a half on average.
        _discrete_answer(noise=lambda rng, rate, size: np.floor(rng.laplace(0, 1 / rate, size))),
        # A geometric size and a random sign: 0 comes from both signs, twice too often.
        _discrete_answer(noise=_signed_geometric),
        # 1 - exp(-rate) is replaced by the rate, as it is for a small one.
        _discrete_answer(
            noise=lambda rng, rate, size: _two_geometrics(rng, 0, size, min(rate, 1.0))
        ),
        # The sensitivity is an argument that nobody reads.
        _discrete_answer(known=False),
    ],
    "private_histogram": [
        # Empty categories have "nobody to hide": they stay exactly 0.
        _histogram_answer(noise=lambda rng, b, counts: _cell_noise(rng, b, counts) * (counts > 0)),
        # One noise for both neighbors.
        _histogram_answer(scale=lambda epsilon, neighbors, shape: 1 / epsilon),
        # The budget is shared among the categories, though everybody is in one only.
        _histogram_answer(scale=lambda epsilon, kind, shape: _moved(kind) * shape[0] / epsilon),
        # One draw for all cells: their differences are exact.
        _histogram_answer(noise=lambda rng, b, counts: _laplace(rng, b)),
        # Counted in the sorted order of the categories, labelled in the given one.
        _histogram_answer(order=lambda categories: sorted(categories, key=str)),
    ],
    "private_crosstab": [
        # pd.crosstab has the pairs that occur; the others are filled in with 0 after the noise.
        _crosstab_answer(noise=lambda rng, b, counts: _cell_noise(rng, b, counts) * (counts > 0)),
        # One noise for both neighbors.
        _crosstab_answer(scale=lambda epsilon, neighbors, shape: 1 / epsilon),
        # Two columns are taken for two questions with half of the budget each.
        _crosstab_answer(scale=lambda epsilon, neighbors, shape: 2 * _moved(neighbors) / epsilon),
        # The noise of the first row is used for all rows.
        _crosstab_answer(noise=lambda rng, b, counts: _laplace(rng, b, (1, counts.shape[1]))),
    ],
    "private_sum": [
        # The width of the interval, for both neighbors.
        _sum_answer(reach=lambda low, high, neighbors: high - low),
        # The larger end, for both neighbors.
        _sum_answer(reach=lambda low, high, neighbors: _farthest(low, high)),
        # "n values cannot add up to more than n * upper": the answer is clipped with the private n.
        _sum_answer(finish=lambda noisy, n, low, high: np.clip(noisy, n * low, n * high)),
        # Nobody there, nobody to hide: an empty table has exactly 0.
        _sum_answer(finish=lambda noisy, n, low, high: noisy if n else 0.0),
    ],
    "gaussian_mechanism": [
        # The classical formula instead of the least sigma.
        _gaussian_answer(sigma=_classical_sigma),
        # The variance is given as the scale.
        _gaussian_answer(draw=lambda rng, sigma, size: _normal(rng, sigma**2, size)),
        # The sensitivity is in sigma already, and is multiplied in once more.
        _gaussian_answer(sigma=lambda change, *budget: change * _least_sigma(change, *budget)),
        # Laplace noise of the same standard deviation.
        _gaussian_answer(draw=lambda rng, sigma, n: _laplace(rng, sigma / math.sqrt(2), n)),
        # "It is proved below 1 only": an epsilon above 1 counts as 1.
        _gaussian_answer(sigma=_sigma_of_one_at_most),
    ],
    "propose_test_release": [
        # The published threshold, which is about half as large.
        _propose_answer(threshold=lambda epsilon, delta: math.log(2 / delta) / (2 * epsilon)),
        # The test compares the exact distance.
        _propose_answer(of_test=lambda noise: 0),
        # The noise of the test only adds.
        _propose_answer(of_test=abs),
        # The draw of the test is used again for the release.
        _propose_answer(again=True),
    ],
    "sample_and_aggregate": [
        # Empty chunks are left out of the mean.
        _aggregate_answer(empty=None),
        # Answers that are NaN are left out of the mean.
        _aggregate_answer(nan=None),
        # An empty chunk answers 0, wherever the interval lies.
        _aggregate_answer(empty=0.0),
        # The mean is clipped, not the answers.
        _aggregate_answer(last=True),
        # The noise is divided by the number of chunks that have rows.
        _aggregate_answer(few=True),
        # Without labels the rows are dealt out by a shuffle, so all chunks are equally large.
        _aggregate_answer(assign=_in_equal_pieces),
    ],
    "exponential_mechanism": [
        # The 2 is always there.
        _exponential_answer(always=False),
        # The 2 is never there.
        _exponential_answer(always=True),
        # The sensitivity multiplies.
        _exponential_answer(seen=lambda scores, sensitivity: scores * sensitivity**2),
        # Against overflow the scores are divided by the largest one.
        _exponential_answer(seen=lambda scores, sensitivity: scores / (np.abs(scores).max() or 1)),
        # Candidates a hundred times less likely than the best one are struck out.
        _exponential_answer(keep=0.01),
    ],
    "report_noisy_max": [
        # The smaller scale for all scores.
        _noisy_max_answer(factor=lambda monotone: 1),
        # The larger scale for all scores.
        _noisy_max_answer(factor=lambda monotone: 2),
        # One draw for all scores: the best always wins.
        _noisy_max_answer(noisy=lambda scores, b, rng: scores + _laplace(rng, b)),
        # "The others cannot win anyway": noise for the best two only.
        _noisy_max_answer(noisy=_between_the_best_two),
        # Noisy scores are rounded, and of equal ones the first wins.
        _noisy_max_answer(
            noisy=lambda scores, b, rng: np.round((scores + _laplace(rng, b, scores.shape)) / b)
        ),
    ],
    "private_median": [
        # With the factor 2, though the score is monotone.
        _median_answer(factor=2),
        # Values equal to the candidate count on neither side.
        _median_answer(equal=False),
        # The distance from the exact median as score, as if it had sensitivity 1.
        _median_answer(distance=True),
        # Candidates beyond the smallest and the largest value are struck out.
        _median_answer(inside=True),
    ],
    "permute_and_flip": [
        # Without the factor 2.
        _flip_answer(factor=1),
        # Each time any candidate may come, also one that was refused: the exponential mechanism.
        _flip_with_replacement,
        # From the worst to the best.
        _flip_answer(order=lambda rng, scores: np.argsort(scores, kind="stable")),
        # One uniform number for all candidates.
        _flip_answer(coins=lambda rng, m: np.full(m, rng.random())),
        # The sensitivity is not used.
        _flip_answer(known=False),
    ],
    "above_threshold": [
        # The same noise, 2 / epsilon, for threshold and answers.
        _above_answer(on_answers=2),
        # The two scales are mixed up.
        _above_answer(on_threshold=4, on_answers=2),
        # The threshold's noise is drawn anew for each answer.
        _above_answer(anew=True),
        # One draw for all answers.
        _above_answer(alike=True),
        # The sensitivity is not used.
        _above_answer(known=False),
        # argmax gives 0 if nothing was found.
        _above_answer(none=0),
    ],
    "sparse": [
        # Every run spends the whole epsilon.
        _sparse_answer(share=lambda epsilon, count: epsilon),
        # The budget is shared by the root of the count.
        _sparse_answer(share=lambda epsilon, count: epsilon / math.sqrt(count)),
        # One answer is skipped after each that was found.
        _sparse_answer(step=2),
        # The loop ends one index too late.
        _sparse_answer(more=1),
        # The threshold keeps its noise in all runs.
        _sparse_answer(keep=True),
    ],
    "auto_clipping_bound": [
        # A value equal to the bound counts as above it.
        _bound_answer(above=np.greater_equal),
        # The smallest candidate if none was found good.
        _bound_answer(none=0),
        # The share of the values above the bound, with the sensitivity of a number.
        _bound_answer(size=len),
        # One candidate too high.
        _bound_answer(shift=1),
    ],
    "auto_mean": [
        # All three parts spend the whole epsilon.
        _auto_mean_answer(shares=(1, 1, 1)),
        # A half for the bound and a quarter for each of the others.
        _auto_mean_answer(shares=(2, 4, 4)),
        # The count is not noisy.
        _auto_mean_answer(shares=(3, 3, 0)),
        # The values are clipped to the largest candidate, the noise is for the bound.
        _auto_mean_answer(clip_last=True),
        # The values are clipped to the bound, the noise is for the largest candidate.
        _auto_mean_answer(noise_last=True),
        # The bound is drawn twice: once to clip, once for the noise.
        _auto_mean_answer(again=True),
    ],
    "randomized_response": [
        # The second coin of the form with two coins stays fair: half of the lies become true.
        _response_answer(lie=lambda epsilon: 1 / (1 + math.exp(epsilon)) / 2),
        # Always the two coins, whatever epsilon is.
        _response_answer(lie=lambda epsilon: 1 / 4),
        # A lie with probability exp(-epsilon): the ratio to the sum is forgotten.
        _response_answer(lie=lambda epsilon: math.exp(-epsilon)),
        # One coin for all people.
        _response_answer(alike=True),
        # Only a yes is embarrassing: a no is always reported as it is.
        _response_answer(of_no=False),
    ],
    "perturb": [
        # One uniform number for each row.
        _perturb_answer(
            report=lambda bits, p, q, rng: (
                rng.random((*bits.shape[:-1], 1)) < np.where(bits == 1, p, q)
            )
        ),
        # A 0 stays 0 with probability q.
        _perturb_answer(
            report=lambda bits, p, q, rng: rng.random(bits.shape) < np.where(bits == 1, p, 1 - q)
        ),
        # A bit is kept with probability p, whatever it is, else drawn with q.
        _perturb_answer(
            report=lambda bits, p, q, rng: np.where(
                rng.random(bits.shape) < p, bits, rng.random(bits.shape) < q
            )
        ),
        # First the ones, then the zeros, also those that were ones before.
        _perturb_answer(report=_ones_then_zeros),
    ],
    "direct_perturb": [
        # A lie is any code, the true one too.
        _direct_answer(other=lambda truth, k, rng: rng.integers(k, size=truth.shape)),
        # k instead of k - 1 in the denominator.
        _direct_answer(weight=lambda k: k),
        # The truth is as likely as with two categories, whatever k is.
        _direct_answer(weight=lambda k: 1),
        # A lie is always the next code.
        _direct_answer(other=lambda truth, k, rng: truth + 1),
        # One coin decides for all people whether they lie.
        _direct_answer(alike=True),
    ],
    "private_marginal": [
        # One noise for both neighbors.
        _marginal_answer(reach=lambda neighbors, d: 1),
        # The budget is shared among the columns.
        _marginal_answer(reach=lambda neighbors, d: d * _moved(neighbors)),
        # Negative counts become 0.
        _marginal_answer(least=0),
        # Rounded Laplace noise.
        _marginal_answer(noise=lambda rng, rate, size: np.round(rng.laplace(0, 1 / rate, size))),
    ],
    "synthesize": [
        # Negative counts become 0, and the others are not lowered: their shares shrink.
        _synthesize_answer(kept=lambda counts: np.maximum(counts, 0)),
        # Counts lose their sign.
        _synthesize_answer(kept=np.abs),
        # Each count is rounded: small shares vanish, and the size is missed.
        _synthesize_answer(places=_rounded),
        # Without a size, as many rows as the positive counts together.
        _synthesize_answer(size_of=lambda counts, total: round(np.maximum(counts, 0).sum())),
    ],
    "publish_records": [
        # Each attribute spends the whole epsilon.
        _publish_answer(parts=lambda d, kinds: (1, 1)),
        # The budget is shared among all columns of the table, also those that stay secret.
        _publish_answer(parts=lambda d, kinds: (kinds[2], kinds[2])),
        # Numbers share epsilon among themselves, and categories once more.
        _publish_answer(parts=lambda d, kinds: kinds[:2]),
        # Values are not clipped first.
        _publish_answer(clip=lambda values, low, high: values),
        # One draw for all rows of a column.
        _publish_answer(alike=True),
        # Noisy numbers are moved back into the bounds: their mean is biased.
        _publish_answer(inside=True),
    ],
    "noisy_gradient_descent": [
        # The mean gradient is clipped, not the gradient of each row.
        _descent_answer(
            sum_up=lambda rows, bound: _shortened(rows.mean(axis=0)[None], bound)[0] * len(rows)
        ),
        # Each entry is clipped, so a gradient may be sqrt(d) times as long.
        _descent_answer(sum_up=lambda rows, bound: np.clip(rows, -bound, bound).sum(axis=0)),
        # Every gradient gets the length of the bound, short ones too.
        _descent_answer(
            sum_up=lambda rows, bound: (
                rows * bound / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-12)
            ).sum(axis=0)
        ),
        # Each release spends the whole budget.
        _descent_answer(rho_of=lambda epsilon, delta, n: _rho(epsilon, delta, 1)),
        # Epsilon and delta are shared first, and each share is converted.
        _descent_answer(rho_of=lambda epsilon, delta, n: _rho(epsilon / n, delta / n, 1)),
        # The number of rows is not noisy.
        _descent_answer(exact_count=True),
    ],
}
