"""The axis on which a guess lies beside the truth, and numbers as a reader writes them."""

import math
from dataclasses import dataclass

from dplib import _validate

STOPS = 101  # places at which a mark can be put


@dataclass(frozen=True)
class Scale:
    """An axis from `low` to `high`, in equal steps or, if `log`, in equal factors.

    Attributes:
      low, high: the ends, low < high.
      log: whether the axis is logarithmic; then low is positive.
      unit: what is measured, written after each number; may be empty.
    """

    low: float
    high: float
    log: bool = False
    unit: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError unless low < high, and low > 0 on a logarithmic axis."""
        low, high = _validate.number("low", self.low), _validate.number("high", self.high)
        if low >= high:
            raise ValueError(f"low must be below high, got low {low!r} and high {high!r}")
        if self.log:
            _validate.positive("low", low)

    def place(self, value: float) -> float:
        """Return where a value lies, from 0 to 1; what lies outside is put at the nearer end."""
        low, high, here = self.low, self.high, min(max(value, self.low), self.high)
        if self.log:
            low, high, here = math.log(low), math.log(high), math.log(here)
        return (here - low) / (high - low)

    def stops(self) -> list[float]:
        """Return the places at which a mark can be put, in three digits, from low to high."""
        shares = [step / (STOPS - 1) for step in range(STOPS)]
        if self.log:
            between = [self.low * (self.high / self.low) ** share for share in shares]
        else:
            between = [self.low + (self.high - self.low) * share for share in shares]
        rounded = [float(f"{stop:.3g}") for stop in between[1:-1]]
        return sorted({float(self.low), *rounded, float(self.high)})


def written(value: float, unit: str = "") -> str:
    """Return a number with its unit: 17,450 people; 0.123; 62.5 %; 1 person."""
    exact = value == round(value) and abs(value) < 1e15
    number = f"{value:,.0f}" if exact or abs(value) >= 1000 else f"{value:.3g}"
    if number == "1":
        unit = "person" if unit == "people" else unit.removesuffix("s")
    return f"{number} {unit}".rstrip()


def parsed(text: str, unit: str = "") -> float:
    """Return the number that a reader typed, with or without thousands commas and its unit.

    Raises:
      ValueError: the text is no finite number.
    """
    plain = text.strip().removesuffix(unit).strip().replace(",", "").replace("−", "-")
    try:
        return _validate.number("text", float(plain))
    except ValueError:
        raise ValueError(f"text must be a number, got {text!r}") from None
