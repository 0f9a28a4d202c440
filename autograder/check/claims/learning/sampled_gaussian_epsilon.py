"""What rounds of Gaussian noise on Poisson batches cost together, by their Rényi curve."""

import math
from functools import partial

from autograder.check.answers import BadAnswer, as_number
from autograder.check.claims.learning._training_cost import (
    epsilon_of_curve,
    log_moment,
    plain_epsilon,
)
from autograder.check.function_claim import FunctionClaim


def sampled_gaussian_epsilon(*, rate, sigma, rounds, delta):
    """The epsilon that all rounds cost together, at the best order from 2 to 256."""
    return by()(rate, sigma, rounds, delta)


def by(log_moments=log_moment, *, less=1, convert=epsilon_of_curve, **changed):
    """Return an answer with another sum, another divisor order - less, or another conversion."""

    def answer(rate, sigma, rounds, delta):
        def curve(order):
            return rounds * log_moments(order, rate, sigma, **changed) / (order - less)

        return convert(curve, delta)

    return answer


# A training that is asked for before two others that differ from it in one number. Its sigma is
# larger than that of an ordinary input of this rate.
BEFORE = {"rate": 0.004, "rounds": 900, "delta": 1e-6}


def _cost(answer, given):
    """Return the cost as a number; BadAnswer for that of the training that was asked for before."""
    if hasattr(answer, "to_approximate") or hasattr(answer, "epsilon"):
        raise BadAnswer(
            "a whole guarantee comes back, not its epsilon",
            seen=f"it returned {type(answer).__name__}",
            ask="what does the task say the function returns?",
        )
    cost = as_number(answer)
    after = given["rate"] == BEFORE["rate"] and 0.8 < given["sigma"] < 0.9
    earlier = sampled_gaussian_epsilon(sigma=given["sigma"], **BEFORE) if after else math.inf
    if after and given != given | BEFORE and math.isclose(cost, earlier, rel_tol=1e-9):
        asked = " and ".join(f"{name} {given[name]:g}" for name in ("rounds", "delta"))
        raise BadAnswer(
            "it remembers an earlier call",
            seen=f"{asked} cost as much as rounds {BEFORE['rounds']} and delta {BEFORE['delta']:g} "
            "cost before",
            ask="what does your function keep from call to call, and under which key?",
        )
    return cost


CLAIM = FunctionClaim(
    sampled_gaussian_epsilon,
    read=_cost,
    established="what all rounds on Poisson batches cost together",
    tolerance=1e-6,
    outside=("delta above 0.01",),
    ask="is one round at order 2 right, which can be done by hand? Is it right at order 100, too? "
    "What do four rounds cost? And which orders does your code try?",
)


@CLAIM.inputs
def six(rng):
    """Few rounds and many, rare batches and large ones; the best orders lie from 4 to about 100."""
    for rate, sigma, rounds, delta in (
        ((0.001, 0.005), (0.6, 0.8), (500, 2000), (-7, -5)),
        ((0.01, 0.03), (0.9, 1.3), (50, 200), (-6, -4)),
        ((0.05, 0.2), (2, 4), (100, 300), (-10, -8)),
        ((0.3, 0.6), (5, 9), (1, 2), (-4, -3)),
        ((0.002, 0.004), (1.5, 2.5), (5000, 9000), (-13, -11)),
        ((0.05, 0.1), (5, 6), (5, 9), (-6, -5)),
    ):
        yield {
            "rate": float(f"{rng.uniform(*rate):.2g}"),
            "sigma": round(rng.uniform(*sigma), 4),
            "rounds": int(rng.integers(*rounds)),
            "delta": float(f"{10 ** rng.uniform(*delta):.2g}"),
        }


@CLAIM.designed
def alike(rng):
    """Trainings that differ in one number from another one, and a costly one."""
    first = {"sigma": round(rng.uniform(0.81, 0.89), 2), **BEFORE}
    yield "a training", first
    yield "fewer rounds of the same kind", {**first, "rounds": int(rng.integers(600, 700))}
    yield "the same rounds, another delta", {**first, "delta": 1e-5}
    # The best order is the least one, 2.
    rate, rounds = round(rng.uniform(0.25, 0.35), 3), int(rng.integers(25, 36))
    yield "so much that order 2 is best", {
        "rate": rate, "sigma": 0.6, "rounds": rounds, "delta": 1e-3
    }  # fmt: skip


SUM = "write the sum down for order 2, with its three terms: which is yours?"
ROUNDS = "Rényi divergences at one order add up over rounds. When do you convert?"
RATE = "most rounds do not see the person at all: where does the rate come into your sum?"
ORDER = "which orders do you try, and is the best one among them?"

SMALL = "this holds for small orders only. What does the whole sum give?"
DIVISOR = "how is a Rényi divergence defined: what stands before the logarithm?"

CLAIM.mistake(
    "the cost without sampling is multiplied by the rate",
    RATE,
    lambda rate, sigma, rounds, delta: (
        rate * epsilon_of_curve(lambda order: rounds * order / (2 * sigma**2), delta)
    ),
)
CLAIM.mistake("one round is counted, not all", ROUNDS, given={"rounds": 1})
for share, parts in (("the whole delta", lambda rounds: 1), ("its share of delta", int)):
    CLAIM.mistake(
        f"each round is converted with {share}, then the epsilons are added up",
        ROUNDS,
        lambda rate, sigma, rounds, delta, parts=parts: (
            rounds * by()(rate, sigma, 1, delta / parts(rounds))
        ),
    )
CLAIM.mistake(
    "delta is always 1e-5",
    "which delta does your conversion use, and which one is given?",
    given={"delta": 1e-5},
)
for name, ask, changed in (
    (
        "the rounds add up like their root",
        ROUNDS,
        lambda rate, sigma, rounds, delta: (rate, sigma, math.sqrt(rounds), delta),
    ),
    (
        "delta is shared out among the rounds",
        "delta enters once, when everything is converted: which delta?",
        lambda rate, sigma, rounds, delta: (rate, sigma, rounds, delta / rounds),
    ),
    (
        "rounds beyond 1 / rate cost nothing",
        "what does a round cost that may draw somebody who was drawn before?",
        lambda rate, sigma, rounds, delta: (rate, sigma, min(rounds, math.ceil(1 / rate)), delta),
    ),
    (
        "the rate and its opposite have changed places",
        RATE,
        lambda rate, sigma, rounds, delta: (1 - rate, sigma, rounds, delta),
    ),
    (
        "sigma stands where sigma squared belongs",
        "is sigma squared in your sum?",
        lambda rate, sigma, rounds, delta: (rate, math.sqrt(sigma), rounds, delta),
    ),
):
    CLAIM.mistake(name, ask, lambda changed=changed, **given: by()(*changed(**given)))
for name, ask, answer in (
    (
        "the rate is ignored: as if everybody were in each batch",
        RATE,
        by(lambda order, rate, sigma: order * (order - 1) / (2 * sigma**2)),
    ),
    *(
        (
            f"it is the approximation rate^2 * order / {words}, which is no bound here",
            SMALL,
            by(
                lambda order, rate, sigma, two=two: (order - 1) * order * rate**2 / (two * sigma**2)
            ),
        )
        for words, two in (("sigma^2", 1), ("(2 sigma^2)", 2))
    ),
    ("the exponent has k^2 in place of k^2 - k", SUM, by(power=lambda k: k * k / 2)),
    (
        "the exponent has k^2 - k over sigma^2, without the 2",
        SUM,
        by(power=lambda k: k * (k - 1)),
    ),
    ("the sum begins at k = 1", SUM, by(first=1)),
    ("the sum begins at k = 2", SUM, by(first=2)),
    ("the binomial coefficients are missing", SUM, by(choices=False)),
    ("the log is divided by the order, not by the order less 1", DIVISOR, by(less=0)),
    (
        "the log is not divided by the order less 1",
        DIVISOR,
        by(lambda order, *given: (order - 1) * log_moment(order, *given)),
    ),
    (
        "the sum itself is taken, not its logarithm",
        DIVISOR,
        by(lambda order, *given: math.exp(min(log_moment(order, *given), 700.0))),
    ),
    (
        "the conversion is the older one, ln(1/delta) / (order - 1)",
        "this is a bound too, a larger one. What does `dplib.RenyiDP(...).to_approximate` give?",
        by(convert=plain_epsilon),
    ),
    *(
        (
            f"the orders end at {many}",
            ORDER,
            by(convert=partial(epsilon_of_curve, orders=range(2, many + 1))),
        )
        for many in (16, 40)
    ),
    ("only order 2 is tried", ORDER, by(convert=partial(epsilon_of_curve, orders=(2,)))),
):
    CLAIM.mistake(name, ask, answer)
