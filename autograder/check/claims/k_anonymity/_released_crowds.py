"""People with secrets, and releases that show them in crowds."""

import pandas as pd

JOBS = ("baker", "clerk", "driver", "farmer", "nurse", "teacher", "welder")
PEOPLE, MISSING = 40, 5


def drawn(rng, offices, *, told=False):
    """Return people and their releases; each office names its columns.

    If `told`, `known` has columns that no release shows: names, and the secret itself.
    """
    people = pd.DataFrame(
        {
            "Age": rng.integers(18, 70, PEOPLE),
            "Hours": rng.integers(5, 60, PEOPLE),
            "Zip": rng.integers(64_100, 64_130, PEOPLE),
        },
        index=[f"p{number}" for number in rng.permutation(PEOPLE) + 1],
    )
    jobs = pd.Series(rng.choice(JOBS, PEOPLE), index=people.index)
    releases = [release(rng, people, jobs, each.split()) for each in offices.split(", ")]
    more = {"Name": [f"person {number}" for number in range(PEOPLE)], "Job": jobs} if told else {}
    return {"known": people.assign(**more), "releases": releases, "secret": "Job"}


def in_several_words(given):
    """Return the same tables under names that have blanks, the secret's column too.

    Two begin and end with letters and words of "from" and "to": only the ending of a name counts.
    """
    words = {
        "Age": "to from Room",
        "Hours": "from home",
        "Zip": "Zip of farm to",
        "Job": "Last job",
    }
    ends = {f"{old} {end}": f"{new} {end}" for old, new in words.items() for end in ("from", "to")}
    names = words | ends
    return {
        "known": given["known"].rename(columns=names),
        "releases": [each.rename(columns=names) for each in given["releases"]],
        "secret": words[given["secret"]],
    }


def release(rng, people, jobs, columns):
    """Return crowds of two to four; those at both ends of the first column are missing."""
    there = people.sort_values(columns).iloc[MISSING:-MISSING]
    if len(columns) > 1:  # two halves by the second column, so that both columns matter
        upper = there[columns[1]] > there[columns[1]].median()
        there = there.assign(half=upper).sort_values(["half", columns[0]])
    rows, start = [], 0
    while start < len(there):
        crowd = there.iloc[start : start + int(rng.integers(2, 5))]
        start += len(crowd)
        ends = {}
        for column in columns:
            ends[f"{column} from"], ends[f"{column} to"] = crowd[column].min(), crowd[column].max()
        rows += [{**ends, "Job": jobs[label]} for label in crowd.index]
    order = rng.permutation(len(rows))
    return pd.DataFrame([rows[place] for place in order])
