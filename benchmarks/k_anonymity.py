"""How fast k_anonymity is, beside one query for each row.

Run as `python benchmarks/k_anonymity.py`.

The peer asks DataFrame.query, for each row, how many rows agree with it. All 32,563 rows would take
minutes, so it is timed on 30 and its time a row is multiplied by the number of rows: it asks the
same question of the same table for each row.
"""

from statistics import median

from _figures import figure, seconds

from dplib.data import load_adult
from dplib.deidentification import k_anonymity

COLUMNS = ["Age", "Education", "Sex", "Zip"]
ASKED = 30
TARGET = 1e4


def smallest_group(table, rows) -> int:
    """Return the size of the smallest group that one of `rows` is in, by a query for each."""
    smallest = len(table)
    for row in rows[COLUMNS].to_dict("records"):
        question = " & ".join(f"`{column}` == {value!r}" for column, value in row.items())
        smallest = min(smallest, table.query(question).shape[0])
    return smallest


def main() -> None:
    """Print both times, their ratio, and whether it reaches the target."""
    table = load_adult()
    ours = median(seconds(lambda: k_anonymity(table, quasi_identifiers=COLUMNS), repeats=21))
    asked = table.head(ASKED)
    smallest_group(table, asked)
    a_row = median(seconds(lambda: smallest_group(table, asked), repeats=3)) / ASKED
    peer = a_row * len(table)
    if smallest_group(table[:200], table[:200]) != k_anonymity(
        table[:200], quasi_identifiers=COLUMNS
    ):
        raise SystemExit("the two disagree on the first 200 rows")
    print(f"k_anonymity, {len(table):,} rows, {len(COLUMNS)} columns    {ours * 1e3:10.2f} ms")
    print(f"a query for each row, from {ASKED} of the rows {peer:11.1f} s (extrapolated)")
    figure("k_anonymity_speed", peer / ours, TARGET, least=True)


if __name__ == "__main__":
    main()
