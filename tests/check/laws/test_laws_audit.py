"""Chapter 17's claims: the truths that they rest on, against independent computations."""

import math

import numpy as np
import pytest
from scipy import stats
from wrong_answers import ZOO

from autograder.check.claims import CLAIMS
from autograder.check.claims.audit import epsilon_lower_bound, identify_input
from autograder.check.claims.audit import membership_inference as membership
from autograder.check.claims.audit._audited import Audited, loss_of
from autograder.check.claims.audit._boxes import KINDS, Box
from autograder.check.effort import LONG, at_length
from autograder.check.rates import RateClaim, _Ledger
from dplib.floating_point import reachable_from
from ville.certificate import certified_epsilon

RATES = [name for name, claim in CLAIMS.items() if isinstance(claim, RateClaim)]


# --- the evidence -----------------------------------------------------------------------------


def expected_evidence(share: float, rate: float, runs: int) -> float:
    """Return the mean of the evidence after some runs, each broken with probability `rate`."""
    total = 0.0
    for broken in range(runs + 1):
        ledger = _Ledger(share)
        ledger.runs, ledger.broken = runs, broken
        total += stats.binom.pmf(broken, runs, rate) * math.exp(ledger.log_evidence())
    return total


@pytest.mark.parametrize("share", [0.001, 0.02, 0.2, 0.6])
@pytest.mark.parametrize("runs", [1, 2, 7, 40])
def test_evidence_has_mean_one_at_the_allowed_share_and_less_below(share, runs):
    assert expected_evidence(share, share, runs) == pytest.approx(1, rel=1e-9)
    assert expected_evidence(share, share / 3, runs) < 1
    assert expected_evidence(share, min(1.0, 1.5 * share), runs) > 1


@pytest.mark.parametrize("name", RATES)
def test_every_run_is_looked_at_and_an_answer_that_always_errs_is_found(name):
    claim = CLAIMS[name]
    with at_length(name, LONG):  # some runs are made only where points are given
        runs = list(claim.runs(np.random.default_rng()))
    for requirement, rule in claim.requirements.items():
        ledger = _Ledger(rule.share)
        ledger.runs = ledger.broken = sum(requirement in run.requirements for run in runs)
        assert ledger.log_evidence() > -math.log(claim.level / len(claim.requirements))
    assert {each for run in runs for each in run.requirements} == set(claim.requirements)


# --- epsilon_lower_bound ----------------------------------------------------------------------

_KINDS = ("_NULL", "_COIN", "_LEAKY", "_HIGH", "_LOW", "_SHIFT")


def draw(kind: dict, size: int) -> list[np.ndarray]:
    mechanism = Audited(
        {
            **kind,
            "first": 4,
            "second": 5,
            "seed": np.random.default_rng().bit_generator.random_raw(),
        }
    )
    return [np.array([mechanism(data) for _ in range(size)]) for data in (4, 5)]


@pytest.mark.parametrize("name", _KINDS)
def test_the_losses_of_the_audited_mechanisms(name):
    kind = getattr(epsilon_lower_bound, name)
    size = 40_000
    outputs = draw(kind, size)
    cuts = np.unique(np.concatenate(outputs)) if "outputs" in kind else np.linspace(-4, 6, 41)
    above, below = -math.inf, -math.inf
    for cut in cuts:
        for sign in (1, -1):
            hits = [int(np.sum(sign * each >= sign * cut)) for each in outputs]
            for pair in (hits, hits[::-1]):
                bound = certified_epsilon(*pair, size, delta=kind["delta"], level=1e-9 / 200)
                above = max(above, bound)
                share = [each / size for each in pair]
                if min(share) > 0.01 and share[0] > kind["delta"]:
                    below = max(below, math.log((share[0] - kind["delta"]) / share[1]))
    # No certificate may exceed the loss: false alarm at most 1e-9. The estimate comes near it: each
    # logarithm is off by more than 0.4 with probability below 1e-9 (shares above 0.01 of 40,000:
    # relative deviation 0.05, eight of them).
    assert above <= loss_of(kind)
    assert below >= loss_of(kind) - 0.4


def test_a_loss_by_hand():
    leaky = epsilon_lower_bound._LEAKY
    # The output -3 is worth no more than delta; of the others, 0.44 against 0.36 says most.
    assert loss_of(leaky) == pytest.approx(math.log(0.44 / 0.36), abs=1e-12)
    assert loss_of({**leaky, "delta": 0.0}) == math.inf
    assert loss_of(epsilon_lower_bound._COIN) == pytest.approx(1, abs=1e-12)
    sharp = epsilon_lower_bound._SHARP
    assert loss_of(sharp) == pytest.approx(math.log(0.42 / 0.005), abs=1e-12)


def test_exact_intervals_reach_a_third_of_a_sharp_loss_and_hoeffding_s_do_not():
    sharp, half = epsilon_lower_bound._SHARP, epsilon_lower_bound._SHARP["samples"] // 2
    third, level = loss_of(sharp) / 3, (1 - sharp["confidence"]) / 2
    # So many come of the two events, but for a probability of 1e-3 each.
    likely, rare = stats.binom.ppf(1e-3, half, 0.42), stats.binom.ppf(1 - 1e-3, half, 0.005)
    low = stats.beta.ppf(level, likely, half - likely + 1)
    assert math.log(low / stats.beta.ppf(1 - level, rare + 1, half - rare)) > third
    # And as many the other way, for Hoeffding's inequality.
    likely, room = stats.binom.ppf(1 - 1e-3, half, 0.42), math.sqrt(-math.log(level) / (2 * half))
    assert math.log((likely / half - room) / (0 + room)) < third


def test_the_calm_mechanism_keeps_its_shares_in_every_part():
    probe = epsilon_lower_bound._PROBES[0]
    mechanism = Audited(probe)
    for data, share in ((0, 0.2689), (1, 0.7311)):
        outputs = np.array([mechanism(data) for _ in range(1000)])
        for part in (outputs[:500], outputs[500:], outputs):
            assert part.mean() == pytest.approx(share, abs=0.01)


# --- find_liars -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KINDS)
def test_honest_boxes_keep_the_promise_and_liars_do_not(name):
    size, made = 20_000, Box(name, np.random.default_rng().bit_generator.random_raw())
    outputs = [np.array([made(count) for _ in range(size)]) for count in (0, 1)]
    best = -math.inf
    for cut in (-2.0, -1.0, -0.01, 0.0, 0.01, 0.99, 1.0, 1.01, 2.0, 3.0):
        for sign in (1, -1):
            hits = [int(np.sum(sign * each >= sign * cut)) for each in outputs]
            for pair in (hits, hits[::-1]):
                best = max(best, certified_epsilon(*pair, size, delta=0, level=1e-9 / 40))
    # For honest boxes: false alarm at most 1e-9 by the certificate. For liars, whose losses on
    # these events are 1.8 and more: missed with probability below 1e-9 (40 deviations of 0.02).
    assert (best > 1) == KINDS[name].lies
    assert best <= KINDS[name].loss


def test_liars_lie_clearly():
    assert min(kind.loss for kind in KINDS.values() if kind.lies) >= 2
    assert max(kind.loss for kind in KINDS.values() if not kind.lies) == 1


def test_every_kind_of_box_takes_part():
    runs = list(CLAIMS["find_liars"].runs(np.random.default_rng()))
    seen = {kind for run in runs for kind in run.parameters["kinds"]}
    # A lying kind always does; an honest one is left out of 18 runs with probability 3e-7 each.
    assert {name for name, kind in KINDS.items() if kind.lies} <= seen
    for run in runs:
        assert sum(KINDS[kind].lies for kind in run.parameters["kinds"]) == 2
        assert len(run.parameters["kinds"]) == 6


# --- membership_inference ---------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["_NULL", "_SURE", "_CLEAR", "_SKEWED", "_TWO"])
def test_the_advantage_of_a_threshold(kind):
    size = 100_000
    seed = np.random.default_rng().bit_generator.random_raw()
    parameters = {
        **getattr(membership, kind),
        "unit": 0.7,
        "seed": seed,
        "calm": False,
        "size": size,
    }
    losses, _ = membership._arguments(parameters)
    for threshold in (0.1, 0.5, 0.7, 0.8, 1.0, 3.0):
        observed = np.mean(losses[0] <= threshold) - np.mean(losses[1] <= threshold)
        # Hoeffding (1963), for both shares: off by more than 0.022 with probability below 2e-41.
        assert membership.advantage_at(threshold, parameters) == pytest.approx(observed, abs=0.022)
    places = 0.7 * (np.linspace(0, 15, 20_001) ** parameters["power"])
    best = max(membership.advantage_at(place, parameters) for place in places)
    if parameters["ratio"] > 1 and not parameters["cut"]:
        assert membership._best(parameters) == pytest.approx(best, abs=1e-6)


# --- identify_input ---------------------------------------------------------------------------


def test_reachable_inputs_are_those_of_the_library():
    generator = np.random.default_rng()
    for epsilon in (0.3, 0.77, 1.0, 1.9):
        for value in (0, 1):
            for output in value + generator.laplace(scale=1 / epsilon, size=100):
                found = identify_input.inputs_of(output, epsilon)
                assert value in found
                both = [
                    bool(reachable_from(output, value=each, epsilon=epsilon)) for each in (0, 1)
                ]
                assert found == [each for each in (0, 1) if both[each]]


def test_some_outputs_tell_and_some_do_not():
    runs = CLAIMS["identify_input"].runs(np.random.default_rng())
    told = sum(len(run.parameters["inputs"]) == 1 for run in runs)
    # Measured: 0.81 of them. Fewer than 75 or all of 150: probability below 1e-12.
    assert 75 < told < 150


# --- right answers have room ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "requirement", "most"),
    [
        ("epsilon_lower_bound", "useful high", 0.01),
        ("epsilon_lower_bound", "useful low", 0.01),
        ("epsilon_lower_bound", "useful shifted", 0.01),
        ("epsilon_lower_bound", "valid noise only", 0.35),
        ("membership_inference", "useful", 0.01),
        ("membership_inference", "honest", 0.5),
        ("identify_input", "found", 0.0),
    ],
)
def test_the_library_stays_well_below_the_allowed_share(name, requirement, most):
    claim, answer = CLAIMS[name], ZOO.right[name][-1]
    if name == "epsilon_lower_bound":
        answer = ZOO.right[name][5]
    generator, broken, made = np.random.default_rng(), 0, 0
    while made < 100:
        for run in claim.runs(generator):
            if requirement in run.requirements and made < 100:
                positional, keywords = claim.arguments(run.parameters)
                given = claim.read(answer(*positional, **keywords), run.parameters)
                broken += claim.requirements[requirement].broken(run.parameters, given)
                made += 1
    # More than this many of 100 come with probability below 1e-9 at the measured rate `most`.
    assert broken <= stats.binom.isf(1e-9, made, most)
