"""Parts of programs that may fail with a small probability, DELTA: is it as small as promised?"""

from autograder.check.leaks.vocabulary import ProgramPart, Words


def _threshold(share: str, leaks: bool) -> str:
    """Return code for what one row may exceed: with probability DELTA, or far more often."""
    return f"log(1 / DELTA) / (2 * {share})" if leaks else f"log(1 / DELTA) / {share}"


def thresholded(w: Words, share: str, out: str, leaks: bool) -> ProgramPart | None:
    """Categories that occur are shown if their noisy count is above a threshold."""
    if not w.added:
        return None
    lines = [
        f"threshold = 1 + {_threshold(share, leaks)}",
        f"{out} = {{}}",
        f'for {w.group} in sorted({{row["{w.group}"] for row in rows}}):',
        f'    noisy = sum(row["{w.group}"] == {w.group} for row in rows) + noise(1 / {share})',
        "    if noisy > threshold:",
        f"        {out}[{w.group}] = noisy",
    ]
    return ProgramPart(lines, scales=(1, 1))


def cut(w: Words, share: str, out: str, leaks: bool) -> ProgramPart:
    """The noise is cut, so that no answer is far off: as far out as DELTA allows, or earlier."""
    lines = [
        f"furthest = {'' if leaks else '1 + '}{_threshold(share, leaks)}",
        f"z = clip(noise(1 / {share}), -round(furthest), round(furthest))",
        f"{out} = {w.count()} + z",
    ]
    return ProgramPart(lines)


def proposed(w: Words, share: str, out: str, leaks: bool) -> ProgramPart | None:
    """The exact winner is told if it is safe: by a noisy distance to a tie, or the exact one."""
    if not w.added:
        return None
    one, other = (f'sum(row["{w.group}"] == "{each}" for row in rows)' for each in w.groups)
    lines = [
        f"one = {one}",
        f"other = {other}",
        f"noisy = abs(one - other) + noise(1 / {share})",
        f"safe = {'abs(one - other)' if leaks else 'noisy'} > 1 + log(1 / DELTA) / {share}",
        f'winner = "{w.groups[0]}" if one >= other else "{w.groups[1]}"',
        f"{out} = [winner if safe else None, noisy]",
    ]
    return ProgramPart(lines)


def trusted(w: Words, share: str, out: str, leaks: bool) -> ProgramPart | None:
    """Whether anybody is above a limit is told, if the noisy distance to a change is large."""
    if not w.added:
        return None
    count = w.count()
    lines = [
        f"count = {count}",
        f"noisy = count + noise(1 / {share})",
        f"{out} = count > 0 if noisy > 1 + {_threshold(share, leaks)} else None",
    ]
    return ProgramPart(lines)


def local(w: Words, share: str, out: str, leaks: bool) -> ProgramPart:
    """The noise of a middle value: for the values that are there, or for all that could be."""
    width = "values[-1] - values[0]" if leaks else w.largest
    lines = [
        f"values = sorted([0, *{w.values}])",
        f"width = max(1, {width})",
        f"{out} = values[len(values) // 2] + noise(width / {share})",
    ]
    return ProgramPart(lines, [] if leaks else [f"{w.largest} = {w.top}"], scales=(w.top,))


def smoothed(w: Words, share: str, out: str, leaks: bool) -> ProgramPart:
    """The largest value, with noise for the gap below it, or for the largest that could be."""
    width = "values[-1] - values[-2]" if leaks else w.largest
    lines = [
        f"values = sorted([0, 0, *{w.values}])",
        f"width = {width}",
        f"{out} = values[-1] + noise((1 + width) / {share})",
    ]
    return ProgramPart(lines, [] if leaks else [f"{w.largest} = {w.top}"], scales=(w.top + 1,))


DELTAS = (thresholded, cut)
TESTS = (proposed, trusted, local, smoothed)
