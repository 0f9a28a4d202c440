"""Parts of programs with several noisy counts: who pays for which?"""

from autograder.check.leaks.vocabulary import ProgramPart, Words


def shared(w: Words, share: str, out: str, leaks: bool) -> ProgramPart:
    """One draw of noise serves twice: for two counts, or for two forms of one count."""
    second = f"{w.count(f'>= {w.high}')} + z" if leaks else "2 * first"
    lines = [f"z = noise(1 / {share})", f"first = {w.count()} + z"]
    return ProgramPart([*lines, f"{out} = [first, {second}]"])


def rounds(w: Words, share: str, out: str, leaks: bool) -> ProgramPart | None:
    """A loop over the rows in pieces: their number tells how many rows there are."""
    if leaks and not w.added:
        return None
    loop = ["left = list(rows)", "while left:", "    piece, left = left[:3], left[3:]"]
    if not leaks and w.added:
        piece = f"[row for row in rows if {w.value} % 2 == start]"
        loop = ["for start in range(2):", f"    piece = {piece}"]
    count = f"len([0 for row in piece if {w.value} >= {w.low}])"
    lines = [f"{out} = []", *loop, f"    {out}.append({count} + noise(1 / {share}))"]
    return ProgramPart(lines, scales=(1, 1))


def categories(w: Words, share: str, out: str, leaks: bool) -> ProgramPart:
    """A count for each category: of a public list, or of those that occur."""
    name = f"{w.group.upper()}S"
    names = f'sorted({{row["{w.group}"] for row in rows}})' if leaks else f"sorted({name})"
    scale = 1 if w.added else 2
    lines = [
        f"{out} = {{}}",
        f"for {w.group} in {names}:",
        f'    count = sum(row["{w.group}"] == {w.group} for row in rows)',
        f"    {out}[{w.group}] = count + noise({scale} / {share})",
    ]
    return ProgramPart(lines, [] if leaks else [f"{name} = {w.groups}"], scales=(scale, scale))


def split(w: Words, share: str, out: str, leaks: bool) -> ProgramPart | None:
    """A histogram: a row that is replaced moves two of its counts."""
    if leaks and w.added:
        return None
    scale = 2 if not leaks and not w.added else 1
    cells = [
        f'    sum(row["{w.group}"] == "{each}" for row in rows) + noise({scale} / {share}),'
        for each in w.groups
    ]
    return ProgramPart([f"{out} = [", *cells, "]"], scales=(scale, scale))


def overlapping(w: Words, share: str, out: str, leaks: bool) -> ProgramPart:
    """Two counts at the whole epsilon, which is right where no row is in both of them."""
    test = f"< {w.low}" if w.added and not leaks else f">= {w.high}"
    scale = 2 if not leaks and not w.added else 1
    lines = [
        f"few = {w.count()} + noise({scale} / {share})",
        f"many = {w.count(test)} + noise({scale} / {share})",
    ]
    return ProgramPart([*lines, f"{out} = [few, many]"], scales=(scale, scale))


def remembered(w: Words, share: str, out: str, leaks: bool) -> ProgramPart:
    """A cache: an equal question gets the same answer, or an equal count does."""
    key = "count" if leaks else "limit"
    lines = [
        "known = {}",
        f"{out} = []",
        f"for limit in ({w.low}, {w.high}):",
        f"    count = {w.count('>= limit')}",
        f"    if {key} not in known:",
        f"        known[{key}] = count + noise(2 / {share})",
        f"    {out}.append(known[{key}])",
    ]
    return ProgramPart(lines, scales=(2, 2))


def ordered(w: Words, share: str, out: str, leaks: bool) -> ProgramPart:
    """A table in an order: of the exact counts, or of the noisy ones."""
    name, key = f"{w.group.upper()}S", "exact" if leaks else "noisy"
    scale = 1 if w.added else 2
    lines = [
        f'exact = {{each: sum(row["{w.group}"] == each for row in rows) for each in {name}}}',
        f"noisy = {{each: exact[each] + noise({scale} / {share}) for each in {name}}}",
        f"order = sorted({name}, key=lambda each: {key}[each])",
        f"{out} = [[each, noisy[each]] for each in order]",
    ]
    return ProgramPart(lines, [f"{name} = {w.groups}"], scales=(scale, scale))


TABLES = (shared, rounds, categories, split, overlapping, remembered, ordered)
