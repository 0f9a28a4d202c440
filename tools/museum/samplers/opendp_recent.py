"""OpenDP from 0.14 on."""

import opendp.prelude as dp

dp.enable_features("contrib")

CHUNK = 10_000
SCORES = ([0, 1, 2, 4], [1, 0, 3, 3])  # each score may change by 1


def _noise(make, element, number, side, scale):
    domain = dp.vector_domain(dp.atom_domain(T=element, nan=False if element is float else None))
    metric = dp.l2_distance(T=element) if make is dp.m.make_gaussian else dp.l1_distance(T=element)
    mechanism, drawn = make(domain, metric, scale=scale), []
    while len(drawn) < number:
        drawn += mechanism([element(side)] * CHUNK)
    return drawn


def discrete_laplace(number, side):
    return _noise(dp.m.make_laplace, int, number, side, 3.0)


def laplace(number, side):
    return _noise(dp.m.make_laplace, float, number, side, 3.0)


def discrete_gaussian(number, side):
    return _noise(dp.m.make_gaussian, int, number, side, 2.0)


def gaussian(number, side):
    return _noise(dp.m.make_gaussian, float, number, side, 2.0)


def randomized_response_bool(number, side):
    answer = dp.m.make_randomized_response_bool(prob=0.75)
    return [answer(side == 0) for _ in range(number)]


def randomized_response(number, side):
    answer = dp.m.make_randomized_response(categories=[0, 1, 2], prob=0.5)
    return [answer(side) for _ in range(number)]


def _chosen(make, number, side, **options):
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
    choose = make(*space, **options)
    return [choose(SCORES[side]) for _ in range(number)]


def report_noisy_max_gumbel(number, side):
    return _chosen(dp.m.make_report_noisy_max_gumbel, number, side, scale=2.0, optimize="max")


def noisy_max(number, side):
    return _chosen(dp.m.make_noisy_max, number, side, output_measure=dp.max_divergence(), scale=2.0)
