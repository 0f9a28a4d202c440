"""Put the rows in an order in which the occupations first appear as the course states."""

import numpy as np
import pandas as pd

from dplib.data.domains import DOMAINS, MISSING

#: Occupations in order of first appearance, with the row where each one starts.
#: Rows 0 to 4, 49 and 50 are given.
FIRST_ROWS = {
    "Adm-clerical": 0,
    "Exec-managerial": 1,
    "Handlers-cleaners": 2,
    "Prof-specialty": 4,
    "Other-service": 6,
    "Sales": 7,
    "Craft-repair": 9,
    "Transport-moving": 13,
    "Farming-fishing": 17,
    "Machine-op-inspct": 21,
    "Tech-support": 28,
    "Protective-serv": 37,
    "Baby": 50,
    "Armed-Forces": 167,
    "Priv-house-serv": 241,
}
GIVEN_ROWS = (0, 1, 2, 3, 4, 49, 50)


def occupation_order(occupation: pd.Series) -> np.ndarray:
    """Return an order of the rows in which the occupations first appear as in FIRST_ROWS.

    Rows are swapped only where they must be: each place takes the next later row that may stand
    there. The given rows stay.
    """
    kind = pd.Categorical(occupation, categories=DOMAINS["Occupation"])
    code = {label: place for place, label in enumerate(kind.categories)}
    starts = {row: code[label] for label, row in FIRST_ROWS.items()}
    order = np.arange(len(kind))
    seen = np.zeros(len(code), dtype=bool)
    seen[code[MISSING]] = True
    for place in range(max(starts) + 1):
        wanted = seen.copy()
        if place in starts:
            wanted[:] = False
            wanted[starts[place]] = seen[starts[place]] = True
        if place in GIVEN_ROWS:
            continue
        fits = wanted[kind.codes[order]]
        fits[:place] = False
        fits[list(GIVEN_ROWS)] = False
        other = int(np.argmax(fits))
        order[[place, other]] = order[[other, place]]
    return order
