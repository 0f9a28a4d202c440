"""Parts of programs with sums and means: how far can one row move them?"""

from autograder.check.leaks.vocabulary import MOST_ROWS, ProgramPart, Words


def bounded(w: Words, share: str, out: str, leaks: bool) -> ProgramPart:
    """Values are cut at a bound: the largest of the data, or of a list."""
    top = f"max([1, *{w.values}])" if leaks else "max(BOUNDS)"
    lines = [
        f"top = {top}",
        f"capped = [min(value, top) for value in {w.values}]",
        f"{out} = sum(capped) + noise(top / {share})",
    ]
    constants = [] if leaks else [f"BOUNDS = (1, {w.cap - 1}, {w.cap})"]
    return ProgramPart(lines, constants, scales=(w.top if leaks else w.cap,))


def clipped(w: Words, share: str, out: str, leaks: bool) -> ProgramPart:
    """The values are clipped before the sum, or only the sum after the noise."""
    value = w.value if leaks else f"clip({w.value}, 0, {w.cap})"
    lines = [f"total = sum({value} for row in rows)", f"total = total + noise({w.cap} / {share})"]
    return ProgramPart([*lines, f"{out} = clip(total, 0, {w.cap * 20})"], scales=(w.cap,))


def divided(w: Words, share: str, out: str, leaks: bool) -> ProgramPart:
    """A mean: the noise is that of the sum, or of the mean, and then it is divided once more."""
    scale = f"{w.cap} / size" if leaks else f"{w.cap}"
    size = str(MOST_ROWS) if w.added else "max(1, len(rows))"
    lines = [f"size = {size}", f"total = sum(min({w.value}, {w.cap}) for row in rows)"]
    lines += [f"{out} = round((total + noise({scale} / {share})) / size, 2)"]
    return ProgramPart(lines, scales=(w.cap,))


def ranged(w: Words, share: str, out: str, leaks: bool) -> ProgramPart | None:
    """Values between two bounds: a replaced row moves the sum by their distance, a new one more."""
    if leaks and not w.added:
        return None
    low, high = w.few, w.few + w.cap - 1
    width = "high" if w.added and not leaks else "(high - low)"
    lines = [
        f"low, high = {low}, {high}",
        f"kept = [clip(value, low, high) for value in {w.values}]",
    ]
    return ProgramPart([*lines, f"{out} = sum(kept) + noise({width} / {share})"], scales=(high,))


def squared(w: Words, share: str, out: str, leaks: bool) -> ProgramPart:
    """A sum of squares, with the noise of a sum, or of squares."""
    power = "" if leaks else "**2"
    lines = [f"capped = [min(value, {w.cap}) for value in {w.values}]"]
    lines += [f"{out} = sum(v**2 for v in capped) + noise({w.cap}{power} / {share})"]
    return ProgramPart(lines, scales=(w.cap**2,))


def trimmed(w: Words, share: str, out: str, leaks: bool) -> ProgramPart:
    """Outliers are left out: by a rule that looks at all rows, or by a constant."""
    usual = f"sum({w.values}) / max(1, len(rows))" if leaks else str(w.low)
    lines = [
        f"usual = {usual}",
        f"kept = [value for value in {w.values} if value <= 2 * usual]",
    ]
    lines += [f"{out} = sum(min(v, {w.cap}) for v in kept) + noise({w.cap} / {share})"]
    return ProgramPart(lines, scales=(w.cap,))


SUMS = (bounded, clipped, divided, ranged, squared, trimmed)
