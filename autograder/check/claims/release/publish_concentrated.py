"""A release of three larger tables with Gaussian noise: part 2 of the capstone."""

from autograder.check.claims.release._publication import publication_of
from autograder.check.claims.release._release_claim import ReleaseClaim, arguments, inspect
from autograder.check.claims.release._targets import CONCENTRATED

CLAIM = ReleaseClaim(
    name="publish_concentrated",
    repeats=False,  # five counties are one judgement
    about=(
        "Check `publish_concentrated(ask, *, rho)`: three larger tables of a county's visits.\n\n"
        "Every look at the rows is a question in words, `ask(by, cells=..., unit=..., bound=...,\n"
        'rho=..., value="1", each="sum")`, which is answered with Gaussian noise and billed.\n'
        "The tables are scored by their errors and their intervals, in five counties."
    ),
    established="a release through the meter alone",
    targets=CONCENTRATED,
    budget={"rho": 0.1},
    arguments=arguments,
    inspect=inspect,
    read=lambda answer, p: publication_of(answer, CONCENTRATED),
    situation=lambda p: "a county of 4,000 people, rho 0.1",
)
