"""A release of four tables at epsilon 1 for each person: part 1 of the capstone."""

from autograder.check.claims.release._publication import publication_of
from autograder.check.claims.release._release_claim import ReleaseClaim, arguments, inspect
from autograder.check.claims.release._targets import PLAIN

CLAIM = ReleaseClaim(
    name="publish_visits",
    repeats=False,  # five counties are one judgement
    about=(
        "Check `publish_visits(ask, *, epsilon)`: four tables of a county's visits.\n\n"
        "Every look at the rows is a question in words, `ask(by, cells=..., unit=..., bound=...,\n"
        'epsilon=..., value="1", each="sum")`, which is answered with Laplace noise and billed.\n'
        "The tables are scored by their errors and their intervals, in five counties."
    ),
    established="a release through the meter alone",
    targets=PLAIN,
    budget={"epsilon": 1.0},
    arguments=arguments,
    inspect=inspect,
    read=lambda answer, p: publication_of(answer, PLAIN),
    situation=lambda p: "a county of 4,000 people, epsilon 1",
)
