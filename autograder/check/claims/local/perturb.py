"""Perturbed bits: a 1 is reported as 1 with probability p, a 0 with probability q."""

import functools
from collections.abc import Callable, Iterator

import numpy as np

from autograder.check.claims.learning._reports import (
    bit_array,
    bits_of_shape,
    independent_bits,
    joined_bits,
)
from autograder.check.claims.local._crowd import Crowd, in_all
from autograder.check.mistakes import Mistake
from autograder.check.outcomes import OutcomeClaim

# p, q of the three settings: always 1 - p, q, p and 1 - q are four numbers far apart. With a
# small p and a large q it shows sooner if a 1 has a second chance: these are rarely drawn again.
_RANGES = (((0.72, 0.79), (0.4, 0.44)), ((0.3, 0.38), (0.14, 0.18)), ((0.6, 0.68), (0.15, 0.2)))
_BITS = (((0, 1, 0),), ((1, 0, 0),), ((1, 0, 0), (0, 0, 1)))
# Two crowds, one of ones and one of zeros, judged by how many of all their bits are true. There a p
# or a q that is a little off shows; in one crowd of both, the two could make up for each other.
_PEOPLE, _HIGH, _LOW = (700, 800), (0.55, 0.63), (0.005, 0.008)


def _parameters(generator: np.random.Generator) -> Iterator[dict]:
    """Return five settings: two of one person, one of two, two of a crowd; three categories."""
    for bits, (high, low) in zip(_BITS, _RANGES, strict=True):
        yield {
            "bits": [list(generator.permutation(row).tolist()) for row in bits],
            "p": round(generator.uniform(*high), 2),
            "q": round(generator.uniform(*low), 2),
        }
    for bit in (1, 0):
        bits = np.full((int(generator.integers(*_PEOPLE)), 3), bit)
        high, low = round(generator.uniform(*_HIGH), 3), round(generator.uniform(*_LOW), 4)
        yield _crowd(bits, high, low)


def _designed(generator: np.random.Generator) -> list[tuple[str, dict]]:
    """Return crowds with p and q near their ends, few or many categories, one person, many."""

    def bits(rows: int, columns: int) -> np.ndarray:
        return generator.integers(2, size=(rows, columns))

    near, nearer = generator.uniform(0.001, 0.004, 2).tolist()
    people = int(generator.integers(*_PEOPLE))
    ends = {"p near 1, q near 0": (1 - near, nearer), "p near 0": (0.01 + near, near / 4)}
    ends |= {"q near 1": (1 - near / 4, 0.99 - near), "p near q": (0.5 + near, 0.5 - nearer)}
    ends = {name: (round(p, 5), round(q, 5)) for name, (p, q) in ends.items()}
    shapes = {"one category": (people, 1), "two categories": (people, 2)}
    shapes |= {"many categories": (40, 60), "one person": (1, 24), "many people": (2_100, 3)}
    return [
        *((name, _crowd(bits(people, 3), *given)) for name, given in ends.items()),
        *((name, _crowd(bits(*shape), 0.72, 0.16)) for name, shape in shapes.items()),
        ("one bit that is 1", {"bits": [[1]], "p": 0.72, "q": 0.16}),
        ("one bit that is 0", {"bits": [[0]], "p": 0.72, "q": 0.16}),
    ]


def _crowd(bits: np.ndarray, p: float, q: float) -> dict:
    """Return a setting of which only the number of true bits is looked at."""
    given = {"bits": bits.tolist(), "p": p, "q": q}
    return given | {"crowd": Crowd(given["bits"], _groups(given, p, q))}


def _groups(parameters: dict, one: float, zero: float) -> list[tuple[int, float]]:
    """Return how many bits are 1 and how many are 0, and how likely each is reported truly."""
    bits = np.array(parameters["bits"])
    ones = int(bits.sum())
    return [(ones, one), (bits.size - ones, 1 - zero)]


def _shared(parameters: dict, ones: int, bits: int) -> np.ndarray:
    """Return the law of the true reports among bits that share one uniform number."""
    p, q = parameters["p"], parameters["q"]
    law = np.zeros(bits + 1)
    # Below q all report 1, above p all report 0, and between them all tell the truth.
    law[ones] += q
    law[bits] += p - q
    law[bits - ones] += 1 - p
    return law


def _many_times(law: np.ndarray, times: int) -> np.ndarray:
    """Return the law of a sum of independent numbers that have one law."""
    size = (len(law) - 1) * times + 1
    found = np.fft.irfft(np.fft.rfft(law, size) ** times, size).clip(0)
    # A law that sums to one up to rounding does so less after many times.
    return found / found.sum()


def _arguments(parameters: dict) -> tuple[tuple, dict]:
    bits = np.array(parameters["bits"], dtype=np.int8)
    return (bits,), {"p": parameters["p"], "q": parameters["q"]}


def _chances(parameters: dict, one: float, zero: float) -> list[float]:
    """Return each bit's chance of being reported as 1."""
    return [one if bit else zero for row in parameters["bits"] for bit in row]


def _when(one: Callable[[float, float], float], zero: Callable[[float, float], float]):
    """Return the law when p and q give other chances for a 1, and for a 0."""

    def law(parameters):
        given = parameters["p"], parameters["q"]
        if "crowd" in parameters:
            groups = _groups(parameters, one(*given), zero(*given))
            return parameters["crowd"].law(in_all(groups))
        return independent_bits(_chances(parameters, one(*given), zero(*given)))

    return law


def _one_draw(parameters: dict) -> dict:
    """One uniform draw decides all bits."""
    if "crowd" in parameters:
        bits = np.array(parameters["bits"])
        return parameters["crowd"].law(_shared(parameters, int(bits.sum()), bits.size))
    return joined_bits(_chances(parameters, parameters["p"], parameters["q"]))


def _one_draw_a_row(parameters: dict) -> dict:
    """One uniform draw decides a person's bits."""
    if "crowd" in parameters:
        rows = parameters["bits"]
        chances = _shared(parameters, sum(rows[0]), len(rows[0]))
        return parameters["crowd"].law(_many_times(chances, len(rows)))
    law = {(): 1.0}
    for row in parameters["bits"]:
        chances = [parameters["p"] if bit else parameters["q"] for bit in row]
        law = {
            bits + more: probability * further
            for bits, probability in law.items()
            for more, further in joined_bits(chances).items()
        }
    return law


def _one_draw_a_column(parameters: dict) -> dict:
    """All people have the same draws, one for each category."""
    columns = list(zip(*parameters["bits"], strict=True))
    if "crowd" in parameters:
        chances = [_shared(parameters, sum(column), len(column)) for column in columns]
        return parameters["crowd"].law(functools.reduce(np.convolve, chances))
    law = {(): 1.0}
    for column in columns:
        chances = [parameters["p"] if bit else parameters["q"] for bit in column]
        law = {
            (*bits, more): probability * further
            for bits, probability in law.items()
            for more, further in joined_bits(chances).items()
        }
    return {
        tuple(bit for row in zip(*bits, strict=True) for bit in row): probability
        for bits, probability in law.items()
    }


_P, _Q = (lambda p, q: p), (lambda p, q: q)
_NOT_P, _NOT_Q = (lambda p, q: 1 - p), (lambda p, q: 1 - q)
_ONES = "follow one bit that is 1 through your code: when does it stay 1?"
_ZEROS = "follow one bit that is 0 through your code: when does it become 1?"
_DRAWS = "how many random numbers does a row of k bits need?"

_MISTAKES = (
    Mistake(
        "the bits are reported as they are",
        _when(lambda p, q: 1.0, lambda p, q: 0.0),
        "where does your code draw a random number, and does it change a bit?",
        seen="the report is always the true row",
    ),
    *(
        Mistake(name, _when(one, zero), ask)
        for name, one, zero, ask in (
            ("p and q are exchanged", _Q, _P, _ONES),
            ("a 0 becomes 1 with probability 1 - p", _P, _NOT_P, "what does q stand for?"),
            ("a 1 stays 1 with probability 1 - q", _NOT_Q, _Q, "what does p stand for?"),
            ("p is taken for the probability that a 1 flips", _NOT_P, _Q, _ONES),
            ("q is taken for the probability that a 0 stays 0", _P, _NOT_Q, _ZEROS),
            ("p and q are both taken the wrong way round", _NOT_P, _NOT_Q, _ONES),
            ("each bit is 1 with probability p, whatever it was", _P, _P, _ZEROS),
            ("each bit is 1 with probability q, whatever it was", _Q, _Q, _ONES),
            ("a p below 1/2 is replaced by 1 - p", lambda p, q: max(p, 1 - p), _Q, _ONES),
        )
    ),
    Mistake(
        "zeros are never changed",
        _when(lambda p, q: p, lambda p, q: 0.0),
        "what does a report of 1 show about a person, if a 0 never becomes 1?",
        seen="a 0 never becomes 1",
    ),
    Mistake(
        "ones are never changed",
        _when(lambda p, q: 1.0, lambda p, q: q),
        "what does a report of 0 show about a person, if a 1 never becomes 0?",
        seen="a 1 never becomes 0",
    ),
    Mistake(
        "a fair coin decides where a bit is not kept",
        _when(lambda p, q: (1 + p) / 2, lambda p, q: q / 2),
        "with which probability does a 1 stay 1, all cases added up?",
    ),
    Mistake(
        "a 1 that is not kept may still become 1 by q",
        _when(lambda p, q: p + (1 - p) * q, lambda p, q: q),
        "a 1 has one chance to stay 1: by p. What may q still change?",
    ),
    Mistake(
        "flipped zeros are flipped again, as ones",
        _when(lambda p, q: p, lambda p, q: q * p),
        "after your first step some zeros are ones: what does the second step do to them?",
    ),
    Mistake("one random number decides the whole row", _one_draw_a_row, _DRAWS),
    Mistake("one random number decides all rows", _one_draw, _DRAWS),
    Mistake(
        "all people share their random numbers",
        _one_draw_a_column,
        "does each person draw numbers of their own?",
        seen="the reports of one category are all true, or all ones, or all zeros",
    ),
)


def _outcome(answer, parameters: dict) -> tuple | str:
    shape = len(parameters["bits"]), len(parameters["bits"][0])
    if "crowd" not in parameters:
        return bits_of_shape(answer, shape, "the bits")
    return parameters["crowd"].outcome(bit_array(answer, shape, "the bits"))


def _situation(parameters: dict) -> str:
    bits = parameters["bits"]
    said = f"bits {bits}"
    if "crowd" in parameters:
        ones = np.sum(bits)
        are_1 = f"{ones:,} are 1" if ones > 1 else ("none is 1", "one is 1")[ones]
        said = f"{len(bits):,} people, {len(bits[0])} bits each, {are_1}"
    return f"{said}, p {parameters['p']}, q {parameters['q']}"


CLAIM = OutcomeClaim(
    about=(
        "Check `perturb(bits, *, p, q)`: each 1 is reported as 1 with probability p, each 0 with\n"
        "probability q, every bit by a draw of its own."
    ),
    established="a 1 stays 1 with probability p, a 0 becomes 1 with probability q, bit by bit",
    parameters=_parameters,
    designed=_designed,
    edge_work=0.04,
    arguments=_arguments,
    law=_when(lambda p, q: p, lambda p, q: q),
    outcome=_outcome,
    say=lambda outcome: outcome if isinstance(outcome, str) else f"the report {list(outcome)}",
    entry=str,
    holds_many=lambda outcome: isinstance(outcome, str),  # of a crowd
    mistakes=_MISTAKES,
    situation=_situation,
)
