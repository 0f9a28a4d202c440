"""Questions about tests before a release: thresholds, chances, bills, and small tables' medians."""

import math
from itertools import pairwise

from autograder.check.derived.question import DrawnQuestion, Misstep
from autograder.check.leaks.fixed_chance import FixedChance

_SCALES = (2, 2.5, 4, 5, 8, 10, 20)
_DELTAS = (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9)
_SIDES = "which part of a Laplace law lies above the threshold: one tail or two?"
_LAW = "which formula gives the chance that Laplace noise alone is above the threshold?"
_SCALE = "the noise has a scale: at how many scales does its tail become so small?"


def _power(delta: float) -> str:
    return f"$10^{{{round(math.log10(delta))}}}$"


def threshold(chance: FixedChance) -> DrawnQuestion:
    """A test of a number that one person moves by more than 1."""
    moved, epsilon = chance.pick((2, 3, 4)), chance.pick((0.1, 0.2, 0.25, 0.4, 0.5))
    delta, scale = chance.pick(_DELTAS), moved / epsilon
    text = (
        f"An office tests how far its table is from danger with a number $F$ that is 0 where the "
        f"table is unkind, and that one person changes by at most {moved}. The test is a Laplace "
        f"mechanism with ε = {epsilon}. It passes if the noisy number is above a threshold. "
        f"What is the smallest threshold with which an unkind table passes with probability "
        f"{_power(delta)} at most?"
    )
    moves = "how large is the noise of a Laplace mechanism for a number that moves so far?"
    log = math.log
    mistakes = (
        Misstep(scale * log(1 / delta), "the noise is taken to have one side", _SIDES),
        Misstep(scale * log(2 / delta), "the 2 stands on the wrong side", _SIDES),
        Misstep(log(1 / (2 * delta)) / epsilon, "the noise is made for a move of 1", moves),
        Misstep(log(1 / delta) / epsilon, "the noise is made for a move of 1", moves),
        Misstep(log(1 / (2 * delta)), "the scale is left out", _SCALE),
        Misstep(log(1 / (2 * delta)) * epsilon, "epsilon multiplies the threshold", _SCALE),
        Misstep(scale * log(2 / delta) / 2, "the tail is that of half the threshold", _SIDES),
    )
    return DrawnQuestion(text, scale * log(1 / (2 * delta)), mistakes, ask=_LAW)


def needed(chance: FixedChance) -> DrawnQuestion:
    """How far a table must be from danger for its test to pass nearly always."""
    scale, delta = chance.pick(_SCALES), chance.pick(_DELTAS)
    passes = chance.pick((0.9, 0.95, 0.99, 0.999))
    text = (
        f"A test adds Laplace noise of scale {scale} to a distance, and passes if the sum is above "
        f"the smallest threshold at which a table with distance 0 passes with probability "
        f"{_power(delta)}. How large must a distance be, for the test to pass with probability "
        f"{passes}? (Not rounded.)"
    )
    bar, fails = scale * math.log(1 / (2 * delta)), 1 - passes
    more = scale * math.log(1 / (2 * fails))
    half = "a distance at the threshold passes with which probability?"
    other = scale * math.log(1 / delta)
    mistakes = (
        Misstep(bar, "the distance is the threshold itself", half),
        Misstep(other, "the distance is the threshold itself, of noise with one side", half),
        Misstep(bar - more, "the noise is on the wrong side", half),
        Misstep(
            bar + scale * math.log(1 / fails),
            "one of two noises is taken to have one side",
            _SIDES,
        ),
        Misstep(other + scale * math.log(1 / fails), "the noise is taken to have one side", _SIDES),
        Misstep(more, "the threshold is left out", half),
        Misstep(bar / passes, "the threshold is divided by the probability", half),
    )
    return DrawnQuestion(text, bar + more, mistakes, ask=_LAW)


def wrong_threshold(chance: FixedChance) -> DrawnQuestion:
    """The price of a threshold that somebody made up."""
    scale = chance.pick(_SCALES)
    bar = round(scale * chance.pick((3, 4, 6, 7)) + chance.pick((0.5, 1, 1.5)), 1)
    text = (
        f"A colleague passes a table if its distance plus Laplace noise of scale {scale} is above "
        f"{bar:g}, because “that is rare enough”. With which δ must the release be published, "
        f"at least: how often does a table with distance 0 pass?"
    )
    tail = math.exp(-bar / scale)
    mistakes = (
        Misstep(tail, "both tails of the noise are counted", _SIDES),
        Misstep(2 * tail, "the 2 stands on the wrong side", _SIDES),
        Misstep(tail / 2 / scale, "the density is taken for a probability", _SIDES),
        Misstep(math.exp(-bar) / 2, "the scale is left out", _SCALE),
        Misstep(math.exp(-bar * scale) / 2, "the scale multiplies", _SCALE),
    )
    return DrawnQuestion(text, tail / 2, mistakes, ask=_LAW)


def bill(chance: FixedChance) -> DrawnQuestion:
    """Several proposals, each with a test, and one release."""
    test, release = chance.permuted((0.05, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5))[:2]
    many = chance.pick((3, 4, 5, 6))
    text = (
        f"An office proposes {many} bounds, from the smallest to the largest. It tests one after "
        f"the other, each with ε = {test:g} and noise of its own, until a test passes; then it "
        f"releases the answer for that bound, with ε = {release:g}. It publishes which test has "
        f"passed. Which ε must it have in its budget?"
    )
    fails = "does a test that fails read the table? And how often is something released?"
    mistakes = (
        Misstep(test + release, "only the test that passes is paid for", fails),
        Misstep(many * (test + release), "a release is paid for with every test", fails),
        Misstep(many * test, "the release is left out", fails),
        Misstep(release, "the tests are left out", fails),
        Misstep(2 * many * test, "the release is taken to cost as much as a test", fails),
        Misstep(max(test, release), "only the dearest step counts", fails),
        Misstep((many - 1) * test + release, "the last test is left out", fails),
    )
    return DrawnQuestion(text, many * test + release, mistakes, ask=fails)


def _drawn_values(chance: FixedChance, many: int, top: int) -> list[int]:
    """Return different numbers below the top, sorted, no two gaps between them alike."""
    while True:
        values = sorted(chance.permuted(range(3, top - 3))[:many])
        ends = [0, *values, top]
        gaps = [after - before for before, after in pairwise(ends)]
        if len(set(gaps)) == len(gaps):
            return values


def second_largest(chance: FixedChance) -> DrawnQuestion:
    """The local sensitivity of a question that the chapter does not have."""
    top = chance.pick((60, 80, 90, 99))
    values = _drawn_values(chance, 6, top)
    third, second, first = values[-3:]
    text = (
        f"The question is the *second largest* of the values {', '.join(map(str, values))}. Values "
        f"lie from 0 to {top}, and neighbors are `replace_one`. What is its local sensitivity "
        f"at this table?"
    )
    both = "which row can go up, and which one can come down? The second largest moves both ways."
    mistakes = (
        Misstep(top, "that is the global sensitivity", "which of *these* rows do it?"),
        Misstep(top - second, "a row at the top becomes the largest, not the second", both),
        Misstep(top - first, "that is a move of the largest", both),
        Misstep(min(first - second, second - third), "only one of two ways is looked at", both),
        Misstep(first - third, "two moves are added up", both),
        Misstep(max(top - first, first - second), "that is a move of the largest", both),
        Misstep(second, "a row is left out, and the others with it", both),
    )
    return DrawnQuestion(text, float(max(first - second, second - third)), mistakes, ask=both)


def farther_median(chance: FixedChance) -> DrawnQuestion:
    """The local sensitivity of a small table's median, two replaced rows away."""
    top, many = chance.pick((60, 80, 90, 99)), 7
    values = _drawn_values(chance, many, top)
    away = 2
    ends = [0] * many + values + [top] * many
    middle = many + many // 2

    def gaps(steps: int) -> list[int]:
        """The gaps with the median at one end, or inside, that so many replaced rows leave."""
        return [ends[middle + t] - ends[middle + t - steps - 1] for t in range(steps + 2)]

    text = (
        f"What is the local sensitivity of the median at distance {away} of the values "
        f"{', '.join(map(str, values))}? Values lie from 0 to {top}, and neighbors are "
        f"`replace_one`."
    )
    place = (
        "write down the values in order. Which neighbors of the middle can be taken away, and how "
        "wide is the gap that is left?"
    )
    sides = (gaps(away)[0], gaps(away)[-1])
    mistakes = (
        Misstep(max(gaps(0)), "that is the local sensitivity at distance 0", place),
        Misstep(max(gaps(1)), "one row more may be replaced", place),
        Misstep(max(gaps(3)), "one row fewer may be replaced", place),
        Misstep(top, "that is the global sensitivity", place),
        Misstep(max(sides), "rows may go from both sides of the middle", place),
        Misstep(min(sides), "the other side leaves a wider gap", place),
    )
    return DrawnQuestion(text, float(max(gaps(away))), mistakes, ask=place)


TESTS = (threshold, needed, wrong_threshold, bill, second_largest, farther_median)
