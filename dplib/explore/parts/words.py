"""Numbers as a reader writes them, for the sentences below the sliders."""

from dplib.plots.parts.style import of_hundred


def amount(number: float, *, digits: int = 2) -> str:
    """Return a number with so many digits that count: 0.13, 2.7, 22,000, 1e-5."""
    rounded = float(f"{number:.{digits}g}")
    if rounded >= 1000:
        return f"{rounded:,.0f}"
    return f"{rounded:g}".replace("e-0", "e-")


def label(stop: float) -> str:
    """Return a slider's stop as it stands beside it and in an address: 0.1, 1000000, 1e-5."""
    return f"{float(f'{stop:g}'):.10g}".replace("e-0", "e-")


def people(number: float) -> str:
    """Return a number of people, in two digits: 1 person, 0.5 people, 1,200 people."""
    words = amount(number)
    return f"{words} person" if words == "1" else f"{words} people"


def counted(number: float, one: str, many: str = "") -> str:
    """Return how many there are: 1 node, 1,200 nodes; `many` where an s does not make many."""
    return f"{number:,.10g} {one if number == 1 else many or f'{one}s'}"


def share(fraction: float) -> str:
    """Return a share in per cent, in two digits of what it is away from 0 and from 100."""
    written = of_hundred(100 * fraction)
    return written.replace("<", "less than").replace(">", "more than") + " %"
