"""Tables that a slider is given."""

import pandas as pd


def require_columns(table, columns) -> None:
    """Raise ValueError unless `table` has rows and these columns."""
    if not isinstance(table, pd.DataFrame) or table.empty:
        raise ValueError("table must be a DataFrame with at least one row")
    lacking = [column for column in columns if column not in table.columns]
    if lacking:
        raise ValueError(f"table must have the columns {list(columns)}, it lacks {lacking}")


def first_name(table: pd.DataFrame) -> str:
    """Return the name of the person in the first row: "You" where the table holds no names."""
    return str(table["Name"].iloc[0]) if "Name" in table.columns else "You"
