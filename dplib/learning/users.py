"""A person with many rows: what all of a user's rows add is clipped together."""

import numpy as np

from dplib import _validate
from dplib.learning.descent import clip_rows_l2


def user_clipped_sum(users, rows, *, bound):
    """Return the sum over users of what each adds in all, shortened to L2 norm `bound`.

    Under add_remove of a *user*, with all of the user's rows, its L2 sensitivity is `bound`.

    Args:
      users: whose each row is, n labels of any kind that can be compared.
      rows: shape (n, d), at least one.
      bound: the largest norm of one user's total, > 0.

    Returns:
      Shape (d,).

    Raises:
      ValueError: an argument has the wrong shape or is out of range.

    Source: McMahan, Ramage, Talwar & Zhang (2018), Learning differentially private recurrent
    language models.
    """
    rows = _validate.matrix("rows", rows)
    labels = np.asarray(users)
    if labels.shape != rows.shape[:1]:
        raise ValueError(
            f"users must have one label a row, shape {rows.shape[:1]}, got {labels.shape}"
        )
    # A total depends on its user alone, and is at most `bound` long: nobody else's term moves.
    names, whose = np.unique(labels, return_inverse=True)
    totals = np.zeros((len(names), rows.shape[1]))
    np.add.at(totals, whose, rows)
    return clip_rows_l2(totals, bound=bound).sum(axis=0)
