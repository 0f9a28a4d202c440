"""Slider of the chapter on de-identification."""

import functools

import numpy as np
import pandas as pd

from dplib.data import REFERENCE_DATE
from dplib.deidentification import generalize, reconstruct, reconstructed_share, unique_fraction
from dplib.explore.parts.frames import SliderFigure, explore_frames
from dplib.explore.parts.tables import first_name, require_columns
from dplib.explore.parts.words import counted, share
from dplib.plots.deidentification import (
    draw_birth_steps,
    draw_rebuilt,
    draw_reconstructed_shares,
    draw_unique_shares,
)

DAYS = (1, 2, 4, 7, 14, 30, 61, 91, 183, 365, 731, 1826, 3652, 7305, 14610, 36525)
DIGITS = (5, 4, 3, 0)
NOISES = (0, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)


def explore_uniqueness(table: pd.DataFrame) -> SliderFigure:
    """Show how many people date of birth and Zip single out, with a slider for the date of birth.

    The slider sets how coarse the date is: steps of so many days, counted back from
    `dplib.data.REFERENCE_DATE`. Left: the people of the first row's Zip on the time line. Right:
    the share of all people that is unique, for each number of Zip digits kept.

    Args:
      table: DataFrame with the columns DOB (text, month/day/year) and Zip (a whole number), one
        row a person.

    Raises:
      ValueError: table is not a DataFrame or has no rows, or lacks a column.
    """
    require_columns(table, ("DOB", "Zip"))
    born = pd.to_datetime(table["DOB"], format="%m/%d/%Y")
    days_old = (pd.Timestamp(REFERENCE_DATE) - born).dt.days
    zips = {digits: generalize(table[["Zip"]], depths={"Zip": 5 - digits}) for digits in DIGITS}
    street, name = days_old[table["Zip"] == table["Zip"].iloc[0]].to_numpy(), first_name(table)

    @functools.cache
    def shares(days):
        found = {
            digits: unique_fraction(
                known.assign(born=days_old // int(days)), quasi_identifiers=["born", "Zip"]
            )
            for digits, known in zips.items()
        }
        return pd.Series(found)

    def draw(axes, days):
        draw_birth_steps(axes[0], street, days=int(days), name=name.split()[0])
        draw_unique_shares(axes[1], shares(days))

    def caption(days):
        return (
            f"With dates of birth {_say_step(days)}, {share(shares(days)[5])} of {len(table):,} "
            f"people are unique with all 5 digits of the Zip, {share(shares(days)[0])} with none; "
            f"{_say_company(street // int(days), name)}."
        )

    slider = {"stops": DAYS, "start": 1, "name": "step", "written": _say_days}
    return explore_frames(draw, caption, **slider, panels=(1, 1))


def _say_step(days: float) -> str:
    return "to the day" if days == 1 else f"in steps of {_say_days(days)}"


def _say_days(days: float) -> str:
    """Return how long a step is, in years from a year on."""
    years = days / 365.25
    return counted(round(years), "year") if years > 0.99 else counted(days, "day")


def _say_company(steps: np.ndarray, name: str) -> str:
    """Return how many of the same Zip share the step of the first person."""
    others = np.count_nonzero(steps == steps[0]) - 1
    who = {0: "nobody", 1: "1 other"}.get(others, f"{others} others")
    share_it = "share" if others > 1 else "shares"
    return f"{who} of the same Zip {share_it} a step with {name}"


def explore_reconstruction(secret, *, questions: int = 300) -> SliderFigure:
    """Show which people's secrets are rebuilt from counts, with a slider for the counts' noise.

    Left: each person, Karrie first; a cross says that the attack is wrong. It asks the same
    questions at each stop, and the noise only grows. Right: the share that is right, of twenty
    such attacks.

    Args:
      secret: array of shape (n,) of 0 and 1: who has the secret.
      questions: number of counts published, each of a random half of the people, at least 1.

    Raises:
      ValueError: secret holds something else than 0 and 1, or questions is below 1.
    """
    rng = np.random.default_rng(1)  # the same figure for everybody
    found = {
        noise: reconstructed_share(
            secret, questions=questions, noise=noise, repetitions=20, rng=rng
        )
        for noise in NOISES
    }
    shares, truth = pd.Series(found), np.asarray(secret)
    majority = max(np.mean(truth), 1 - np.mean(truth))
    groups = rng.integers(0, 2, (questions, len(truth)))
    errors = rng.laplace(size=questions)

    def rebuilt(noise):
        return reconstruct(groups, groups @ truth + noise * errors)

    def draw(axes, noise):
        draw_rebuilt(axes[0], truth, rebuilt(noise), name="Karrie")
        draw_reconstructed_shares(axes[1], shares, noise=noise, majority=majority)

    def caption(noise):
        right = np.count_nonzero(rebuilt(noise) == truth)
        return (
            f"With {questions} counts and noise of scale {noise:g}, this attack is right for "
            f"{right} of {len(truth)} people. Twenty such attacks are right for "
            f"{share(shares[noise])} on average; the same answer for all is right for "
            f"{share(majority)}."
        )

    shown = {"stops": NOISES, "start": 1, "name": "noise (people)", "panels": (3, 2)}
    return explore_frames(draw, caption, **shown)
