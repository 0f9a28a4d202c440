"""Parts of programs around one noisy count."""

from autograder.check.leaks.vocabulary import MOST_ROWS, ProgramPart, Words


def seeded(w: Words, share: str, out: str, leaks: bool) -> ProgramPart:
    """A fixed seed: for the noise, or for which rows or which limit to take, which is honest."""
    if leaks:
        asked, seed, rows = f"shuffled(rows, seed={w.seed})", f", seed={w.seed + 1}", "asked"
        lines = [f"asked = {asked}"]
    elif w.added:
        lines, seed, rows = [f"limits = shuffled(range(2, 6), seed={w.seed})"], "", "rows"
    else:
        lines, seed, rows = [f"asked = shuffled(rows, seed={w.seed})[:{w.few}]"], "", "asked"
    test = ">= limits[0]" if w.added and not leaks else ""
    count = w.count(test, rows=rows)
    return ProgramPart([*lines, f"{out} = {count} + noise(1 / {share}{seed})"])


def tested(w: Words, share: str, out: str, leaks: bool) -> ProgramPart:
    """The answer is kept back if a number is small: the exact one, or the noisy one."""
    name = "count" if leaks else "noisy"
    lines = [f"count = {w.count()}", f"noisy = count + noise(1 / {share})"]
    if w.phrasing:
        return ProgramPart([*lines, f"{out} = noisy if {name} >= {w.few} else None"])
    return ProgramPart([*lines, f"if {name} <= 0:", "    noisy = 0", f"{out} = noisy"])


def redrawn(w: Words, share: str, out: str, leaks: bool) -> ProgramPart:
    """A negative number is replaced: by 0, or by a second try."""
    again = f"count + noise(1 / {share})" if leaks else "0"
    lines = [f"count = {w.count()}", f"noisy = count + noise(1 / {share})"]
    lines += ["if noisy < 0:", f"    noisy = {again}", f"{out} = noisy"]
    return ProgramPart(lines, scales=(1, 1) if leaks else (1,))


def capped(w: Words, share: str, out: str, leaks: bool) -> ProgramPart | None:
    """The noisy count is cut to what is possible: to the number of rows, or to a constant."""
    if leaks and not w.added:
        return None
    highest = "len(rows)" if leaks or not w.added else str(MOST_ROWS)
    lines = [f"highest = {highest}", f"noisy = {w.count()} + noise(1 / {share})"]
    if w.phrasing:
        return ProgramPart([*lines, f"{out} = clip(noisy, 0, highest)"])
    return ProgramPart([*lines, "if noisy > highest:", "    noisy = highest", f"{out} = noisy"])


def stepped(w: Words, share: str, out: str, leaks: bool) -> ProgramPart:
    """The noisy count is rounded: to a step that depends on the data, or on a constant."""
    widest = f"max([0, *{w.values}])" if leaks else w.largest
    lines = [
        f"step = 1 + {widest} // {w.few + 1}",
        f"noisy = {w.count()} + noise(1 / {share})",
        f"{out} = step * round(noisy / step)",
    ]
    return ProgramPart(lines, [] if leaks else [f"{w.largest} = {w.top}"])


def worded(w: Words, share: str, out: str, leaks: bool) -> ProgramPart:
    """An error tells what was wrong: with the data, or with a limit."""
    limit = f"max([0, *{w.values}])" if leaks else str(w.low)
    lines = [
        f"limit = {limit}",
        f"if limit > {w.largest} - {w.few}:",
        f'    raise ValueError(f"{{limit}} {w.number}: too many")',
        f"{out} = {w.count()} + noise(1 / {share})",
    ]
    return ProgramPart(lines, [f"{w.largest} = {w.top}"])


def averaged(w: Words, share: str, out: str, leaks: bool) -> ProgramPart | None:
    """The noisy count is divided by the number of rows, which may be as secret as the rows."""
    if leaks and not w.added:
        return None
    size = "max(1, len(rows))" if leaks or not w.added else str(MOST_ROWS)
    lines = [f"size = {size}", f"noisy = {w.count()} + noise(1 / {share})"]
    return ProgramPart([*lines, f"{out} = round(100 * noisy / size)"])


def doubled(w: Words, share: str, out: str, leaks: bool) -> ProgramPart:
    """Every row stands for two people: the count is doubled before the noise, or with it."""
    sign, many = ("", "2") if w.phrasing else ("-", "3")
    count, noise = w.count(), f"noise(1 / {share})"
    end = f"{sign}{many} * count + {noise}" if leaks else f"{sign}{many} * (count + {noise})"
    return ProgramPart([f"count = {count}", f"{out} = {end}"])


COUNTS = (seeded, tested, redrawn, capped, stepped, worded, averaged, doubled)
