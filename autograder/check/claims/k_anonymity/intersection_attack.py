"""Crowds of several releases, laid over each other: whose secret is left alone."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from autograder.check.answers import BadAnswer
from autograder.check.claims.k_anonymity._released_crowds import JOBS, drawn, in_several_words
from autograder.check.function_claim import FunctionClaim
from autograder.check.words import counted

# The columns of each release. In the last one a column comes again beside a new one.
OFFICES = (
    "Age", "Age, Hours", "Age, Zip, Hours", "Zip, Age Hours", "Hours, Age Zip", "Hours, Age Hours",
)  # fmt: skip


def intersection_attack(known, releases, *, secret):
    """The secrets that all releases together leave alone, by person."""
    return found(known, releases, secret)


def found(known, releases, secret, *, fits=None, every=np.all, seen=set, join=set.__and__,
          empty=False, pick=None):  # fmt: skip
    """Return {label: secret}; the options are what a wrong answer does otherwise.

    Args:
      fits: says which values fit a range; `every` makes one of what it says of each column.
      seen: makes the secrets that are possible of those of the rows that fit.
      join: what becomes of the secrets possible so far and those of one more release.
      empty: whether a release in which no row fits leaves nothing possible.
      pick: one of several secrets that are left.
    """
    result, masks = {}, [fitting(known, each, fits or between, every) for each in releases]
    secrets = [release[secret].to_numpy() for release in releases]
    for place, label in enumerate(known.index):
        possible = None
        for mask, values in zip(masks, secrets, strict=True):
            here = seen(values[mask[place]])
            if here or empty:
                possible = here if possible is None else join(possible, here)
        if possible and (len(possible) == 1 or pick):
            result[label] = next(iter(possible)) if len(possible) == 1 else pick(possible)
    return result


def between(value, lowest, highest):
    return (lowest <= value) & (value <= highest)


def fitting(known, release, fits, every):
    """Return for each person and each row of a release whether all that is known fits."""
    masks = []
    for name in release.columns:
        if name.endswith(" from"):
            column = name.removesuffix(" from")
            lowest, highest = release[name].to_numpy(), release[f"{column} to"].to_numpy()
            masks.append(fits(known[column].to_numpy()[:, None], lowest, highest))
    return every(masks, axis=0)


def read(answer, given):
    """Return for each known person the number of their secret in the alphabet, -1 for none."""
    if isinstance(answer, pd.Series):
        answer = answer.to_dict()
    if not isinstance(answer, Mapping):
        raise BadAnswer(
            "a dictionary is wanted",
            seen="it returned " + ("nothing" if answer is None else type(answer).__name__),
            ask="which label belongs to which secret?",
        )
    labels = list(given["known"].index)
    unknown = [label for label in answer if label not in labels]
    if unknown:
        raise BadAnswer(
            "somebody is found who is not among the known people",
            seen=f"{unknown[0]!r} is no label of `known`",
            ask="what are the keys: labels of `known`, or of a release?",
        )
    odd = [value for value in answer.values() if value not in JOBS]
    if odd:
        raise BadAnswer(
            "what is said of somebody is none of the secrets",
            seen=f"one is {odd[0]!r:.60}",
            ask="who is left out of the answer? If one secret is left in a set, how do you take it "
            f"out? And is it read in the column that `secret` names, {given['secret']!r}?",
        )
    return np.array([JOBS.index(answer[label]) if label in answer else -1 for label in labels])


def told_apart(one, other, given):
    """Return a person about whom two answers differ, and what each says."""
    place = int(np.flatnonzero(one != other)[0])
    codes = one[place], other[place]
    said = ("nothing" if code < 0 else repr(JOBS[int(code)]) for code in codes)
    return repr(given["known"].index.tolist()[place]), *said


def show(wanted, came, given):
    label, right, yours = told_apart(wanted, came, given)
    return f"the answer should say {right} about {label}, yours says {yours}"


def in_turn(first, second, given):
    label, one, other = told_apart(first, second, given)
    return f"{one} about {label}", other


CLAIM = FunctionClaim(
    intersection_attack,
    established="whose secret is left alone by all releases together",
    read=read,
    show=show,
    in_turn=in_turn,
    situation=lambda given: (
        f"{len(given['known'])} known people, {counted(len(given['releases']), 'release')}"
    ),
)


@CLAIM.inputs
def six(rng):
    """One to three releases of one or two columns, with ties and people who are missing."""
    for offices in OFFICES:
        yield drawn(rng, offices)


@CLAIM.designed
def odd(rng):
    yield "names of several words", in_several_words(drawn(rng, OFFICES[4]))
    yield "the secret's column is in `known` too", drawn(rng, OFFICES[3], told=True)
    ages = rng.choice(range(20, 70), 3, False).tolist()
    known = pd.DataFrame({"Age": [*ages, ages[0] + 0.5], "Hours": [40, 20, 40, 0]})
    known.index = [7, 3, 0, 5]  # labels that are no places, one of them 0
    one = [(min(ages), max(ages), "nurse"), (min(ages), max(ages), "nurse")]
    exact = [(age, age, job) for age, job in zip(ages, JOBS, strict=False)]
    for name, offices in {
        "no release": [],
        "everybody alike": [one],
        "ranges of one number": [exact],
        "a release in which nobody is": [one, [(200, 300, "clerk")]],
        "one secret, and nobody in the release": [[(200, 300, "clerk")] * 2],
        "releases that contradict each other": [exact, [(0, 99, "welder")] * 2],
        "a third release after two that contradict": [exact, [(0, 99, "welder")], exact],
        "a release without rows": [exact, []],
    }.items():
        names = ["Age from", "Age to", "Job"]
        kinds = {"Age from": float, "Age to": float}  # also where there is no row to tell it
        tables = [pd.DataFrame(rows, columns=names).astype(kinds) for rows in offices]
        yield name, {"known": known, "releases": tables, "secret": "Job"}


def changed(**options):
    return lambda known, releases, secret: found(known, releases, secret, **options)


ENDS = "a range from 30 to 34 holds 30 and 34: does yours?"

CLAIM.mistake(
    "the secrets of the releases are put together, not intersected",
    "the person is in each crowd: which secrets can be theirs?",
    changed(join=set.__or__),
)
CLAIM.mistake(
    "only the first release is looked at",
    "on which pass through the loop do you stop?",
    lambda known, releases, secret: found(known, releases[:1], secret),
)


@CLAIM.mistake(
    "only the columns of the first release are compared",
    "which ranges does each of the releases show? Where does your code read their names?",
)
def columns_of_the_first(known, releases, secret):
    shown = set(releases[0]) if releases else set()
    endless = [
        {name: -np.inf if name.endswith(" from") else np.inf for name in {*each} - shown}
        for each in releases
    ]
    pairs = zip(releases, endless, strict=True)
    return found(known, [each.assign(**ends) for each, ends in pairs], secret)


CLAIM.mistake(
    "only the last release is looked at",
    "what becomes of the secrets that an earlier release has left?",
    lambda known, releases, secret: found(known, releases[-1:], secret),
)
for name, fits in {
    "the ends of a range are": lambda value, low, high: (low < value) & (value < high),
    "the upper end of a range is": lambda value, low, high: (low <= value) & (value < high),
    "the lower end of a range is": lambda value, low, high: (low < value) & (value <= high),
    "the lower end of a range, unless it is the upper one, is": lambda value, low, high: (
        ((low < value) | (low == high)) & (value <= high)
    ),
}.items():
    CLAIM.mistake(f"{name} left out", ENDS, changed(fits=fits))
CLAIM.mistake(
    "a release in which no row fits rules everything out",
    "if a person is missing from a release, what does it say of them?",
    changed(empty=True),
)
CLAIM.mistake(
    "everybody gets a secret, also those of whom several are possible",
    "of whom is the attacker certain?",
    changed(pick=min),
)
CLAIM.mistake(
    "only one column of a release is compared",
    "a row fits if all that is known lies in its ranges: how many columns has a release?",
    changed(every=lambda masks, axis: masks[0]),
)


CLAIM.mistake(
    "nobody is found",
    "print what is left for one person after each release: how many secrets, and when do you add "
    "the person?",
    lambda known, releases, secret: {},
)
CLAIM.mistake(
    "only the first release that has the person is looked at",
    "on which pass through the loop do you stop?",
    changed(join=lambda possible, here: possible),
)


@CLAIM.mistake(
    "each release is taken alone",
    "which secrets are left when all crowds of the person are laid over each other?",
)
def each_alone(known, releases, secret):
    alone = [found(known, [release], secret) for release in releases]
    return {label: value for each in alone for label, value in each.items()}


ROWS = "if two rows that fit say nurse, how many secrets are possible?"

CLAIM.mistake(
    "rows are counted, not different secrets",
    ROWS,
    changed(seen=list, join=lambda left, here: [each for each in left if each in here]),
)
CLAIM.mistake(
    "a release counts only for those whom one row alone fits",
    ROWS,
    changed(seen=lambda values: set(values) if len(values) == 1 else set()),
)
CLAIM.mistake(
    "the most frequent secret of the rows that fit is taken",
    "of whom is the attacker certain?",
    changed(seen=lambda values: set(pd.Series(values).value_counts().index[:1])),
)
CLAIM.mistake(
    "a row fits if one of its ranges does",
    "a row fits if all that is known lies in its ranges: how many columns has a release?",
    changed(every=np.any),
)
CLAIM.mistake(
    "known numbers are cut to whole ones",
    "is somebody of 30.7 in a range that ends at 30?",
    changed(fits=lambda value, lowest, highest: between(np.trunc(value), lowest, highest)),
)
