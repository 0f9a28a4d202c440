"""A ledger of what was released about one data set, which refuses what would overspend."""

from dplib.composition import sequential_composition
from dplib.guarantees import ApproximateDP, Guarantee, PureDP, ZeroConcentratedDP

__all__ = ["BudgetExceededError", "PrivacyLedger"]


class BudgetExceededError(ValueError):
    """A release was refused: with it, the ledger's budget would be overspent. Nothing was spent."""


class PrivacyLedger:
    """Keeps account of what was released about one data set, and refuses what would overspend.

    Call `spend` before the release: when it raises, do not release.

    Args:
      budget: the most that all releases together may cost: pure, approximate or zero-concentrated.

    Raises:
      ValueError: budget is none of these.
    """

    def __init__(self, budget: PureDP | ApproximateDP | ZeroConcentratedDP):
        if not isinstance(budget, PureDP | ApproximateDP | ZeroConcentratedDP):
            raise ValueError(f"budget must be a guarantee with fixed numbers, got {budget!r}")
        self.budget = budget
        self._entries: list[tuple[str, Guarantee]] = []

    @property
    def entries(self) -> tuple[tuple[str, Guarantee], ...]:
        """What was spent, in order: label and guarantee."""
        return tuple(self._entries)

    @property
    def spent(self) -> Guarantee | None:
        """What all releases so far cost together; None before the first."""
        return sequential_composition(each for _, each in self._entries) if self._entries else None

    def spend(self, guarantee: Guarantee, label: str = "") -> Guarantee:
        """Write down one release and return what all cost together.

        Raises:
          BudgetExceededError: it would overspend. The ledger is unchanged.
          ValueError: it cannot be added to what was spent (see `sequential_composition`).
        """
        total = sequential_composition([*(each for _, each in self._entries), guarantee])
        if not _within(total, self.budget):
            name = f" for {label!r}" if label else ""
            raise BudgetExceededError(
                f"{guarantee}{name} refused: the total would be {total}, the budget is "
                f"{self.budget}"
            )
        self._entries.append((label, guarantee))
        return total


def _within(total: Guarantee, budget: Guarantee) -> bool:
    """Say whether `total` costs at most `budget`, up to a rounding of 1e-12."""
    if isinstance(budget, ApproximateDP) and not isinstance(total, PureDP | ApproximateDP):
        total = total.to_approximate(delta=budget.delta)
    if isinstance(budget, ZeroConcentratedDP) and isinstance(total, PureDP):
        total = total.to_zcdp()
    if isinstance(total, PureDP) and isinstance(budget, ApproximateDP):
        total = total.to_approximate(delta=budget.delta)
    if type(total) is not type(budget) or total.neighbors != budget.neighbors:
        raise ValueError(f"{total} cannot be compared with the budget {budget}")
    fields = [name for name in ("epsilon", "delta", "rho") if hasattr(budget, name)]
    return all(getattr(total, name) <= getattr(budget, name) * (1 + 1e-12) for name in fields)
