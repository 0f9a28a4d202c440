"""Counts of many groups and crowds of several releases: what they give away together."""

import math

import numpy as np
import pandas as pd
import pytest

from dplib.data import load_adult
from dplib.deidentification import (
    intersection_attack,
    publish_crowds,
    reconstruct,
    reconstructed_share,
)


def town(rng, people=40, questions=600):
    secret = rng.integers(0, 2, people)
    groups = rng.integers(0, 2, (questions, people))
    return secret, groups, groups @ secret


def test_exact_counts_are_rebuilt_without_an_error():
    secret, groups, counts = town(np.random.default_rng(1), questions=60)
    np.testing.assert_array_equal(reconstruct(groups, counts), secret)


def test_rounded_counts_are_rebuilt_as_an_independent_solver_does():
    secret, groups, counts = town(np.random.default_rng(2))
    rounded = 5 * np.round(counts / 5)
    ours = reconstruct(groups, rounded)
    assert np.mean(ours == secret) >= 0.95
    normal = np.linalg.solve(groups.T @ groups, groups.T @ rounded)
    np.testing.assert_array_equal(ours, normal > 0.5)


def test_the_same_answer_for_all_is_no_reconstruction():
    secret, groups, counts = town(np.random.default_rng(3))
    assert np.mean(np.zeros(40) == secret) < 0.95 <= np.mean(reconstruct(groups, counts) == secret)


def test_more_noise_leaves_less_and_no_noise_leaves_all():
    secret = [0, 1, 1, 0, 0, 0, 1, 0, 0, 0] * 3
    rng = np.random.default_rng(4)
    shares = [
        reconstructed_share(secret, questions=300, noise=noise, rng=rng) for noise in (0, 1, 4, 30)
    ]
    assert shares[0] == 1 and shares == sorted(shares, reverse=True) and shares[-1] < 0.65


@pytest.mark.parametrize(
    ("groups", "counts"),
    [([[1, 2]], [1]), ([[1, 0]], [1, 2]), ([1, 0], [1]), ([[1, 0]], ["a"]), ([[1, 0]], [math.nan])],
)
def test_bad_arguments_of_a_reconstruction_are_named(groups, counts):
    with pytest.raises(ValueError, match=r"groups|counts"):
        reconstruct(groups, counts)


@pytest.mark.parametrize(
    "wrong",
    [{"secret": [0, 2]}, {"questions": 0}, {"noise": -1}, {"repetitions": 0}, {"noise": math.inf}],
)
def test_bad_arguments_of_a_reconstructed_share_are_named(wrong):
    right = {"secret": [0, 1], "questions": 3, "noise": 1, "repetitions": 1}
    with pytest.raises(ValueError, match=next(iter(wrong))):
        reconstructed_share(**{**right, **wrong})


PAIRS = (["Age", "Zip"], ["Age", "Hours per week"], ["Age", "Education-Num"])


def offices(people, k=5):
    return [
        publish_crowds(people, quasi_identifiers=pair, secret="Occupation", k=k) for pair in PAIRS
    ]


def test_crowds_are_published_with_their_ranges_and_no_crowd_is_small():
    people = load_adult().head(300)
    for release, pair in zip(offices(people), PAIRS, strict=True):
        ends = [f"{column} {end}" for column in pair for end in ("from", "to")]
        assert list(release.columns) == [*ends, "Occupation"] and len(release) == 300
        assert release.groupby(ends).size().min() >= 5
        for column in pair:
            assert release[f"{column} from"].min() == people[column].min()
            assert release[f"{column} to"].max() == people[column].max()
            assert (release[f"{column} from"] <= release[f"{column} to"]).all()


def test_crowds_laid_over_each_other_tell_the_truth_and_more_than_each_alone():
    people = load_adult().head(300)
    people["Occupation"] = people["Occupation"].astype(object).fillna("Missing")
    releases = offices(people)
    alone = [len(intersection_attack(people, [each], secret="Occupation")) for each in releases]
    found = intersection_attack(people, releases, secret="Occupation")
    assert len(found) > 5 * max(alone)
    assert (found == people.loc[found.index, "Occupation"]).all()
    # By brute force, for one person: the rows of each release that fit, as sets.
    ada = people.iloc[0]
    left = set(people["Occupation"])
    for release, pair in zip(releases, PAIRS, strict=True):
        left &= {
            row["Occupation"]
            for _, row in release.iterrows()
            if all(row[f"{c} from"] <= ada[c] <= row[f"{c} to"] for c in pair)
        }
    assert (ada.name in found.index) == (len(left) == 1)


def test_a_release_without_a_fitting_row_says_nothing():
    known = pd.DataFrame({"Age": [30, 50]}, index=["Ada", "Ben"])
    young = pd.DataFrame({"Age from": [20, 20], "Age to": [40, 40], "Job": ["x", "x"]})
    nobody = young.assign(**{"Age from": 90, "Age to": 95, "Job": "y"})
    assert intersection_attack(known, [young, nobody], secret="Job").to_dict() == {"Ada": "x"}
    assert intersection_attack(known, [young, young.assign(Job="y")], secret="Job").empty


def test_bad_arguments_of_an_intersection_are_named():
    known = pd.DataFrame({"Age": [30]})
    release = pd.DataFrame({"Zip from": [1], "Zip to": [2], "Job": ["x"]})
    with pytest.raises(ValueError, match="known"):
        intersection_attack(known, [release], secret="Job")
    with pytest.raises(ValueError, match="secret"):
        intersection_attack(known, [release], secret="Pay")
    with pytest.raises(ValueError, match="secret"):
        publish_crowds(known, quasi_identifiers=["Age"], secret="Pay", k=1)
