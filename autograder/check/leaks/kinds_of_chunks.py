"""Parts of programs that cut the rows into chunks: in how many chunks can one row be?"""

from autograder.check.leaks.vocabulary import ProgramPart, Words


def _by_position(w: Words, rows: str = "rows") -> str:
    """Return code for chunks of three rows, by position."""
    return f"chunks = [{rows}[:3], {rows}[3:]]"


def _by_content(w: Words) -> str:
    """Return code for chunks to which a row belongs by what stands in it."""
    return f"chunks = [[row for row in rows if {w.value} % 2 == k] for k in range(2)]"


def _largest(w: Words, out: str, share: str, scale: str) -> list[str]:
    """Return lines that release the largest value of each chunk, up to a cap."""
    return [
        f"{out} = []",
        "for chunk in chunks:",
        f"    most = max([0, *[min({w.value}, {w.cap}) for row in chunk]])",
        f"    {out}.append(most + noise({scale} / {share}))",
    ]


def positioned(w: Words, share: str, out: str, leaks: bool) -> ProgramPart | None:
    """Chunks by position: a row that leaves moves all that stand behind it."""
    if leaks and not w.added:
        return None
    chunks = _by_content(w) if w.added and not leaks else _by_position(w)
    lines = [chunks, *_largest(w, out, share, str(w.cap))]
    return ProgramPart(lines, scales=(w.cap, w.cap))


def sorted_first(w: Words, share: str, out: str, leaks: bool) -> ProgramPart | None:
    """The rows are sorted before they are cut, or in an order that is fixed."""
    if w.added:
        return None
    order = f"shuffled(rows, seed={w.seed})"
    if leaks:
        order = " + ".join(
            f"[row for row in rows if {w.value} {sign} {w.low}]" for sign in (">=", "<")
        )
    count = f'sum(row["{w.group}"] == "{w.groups[0]}" for row in chunk)'
    lines = [
        f"order = {order}",
        "chunks = [order[:3], order[3:]]",
        f"{out} = [{count} + noise(1 / {share}) for chunk in chunks]",
    ]
    return ProgramPart(lines, scales=(1, 1))


def overlapped(w: Words, share: str, out: str, leaks: bool) -> ProgramPart | None:
    """Chunks that share a row, or none."""
    if w.added:
        return None
    begin = 2 if leaks else 3
    lines = [f"chunks = [rows[:3], rows[{begin}:]]", *_largest(w, out, share, str(w.cap))]
    return ProgramPart(lines, scales=(w.cap, w.cap))


def voted(w: Words, share: str, out: str, leaks: bool) -> ProgramPart | None:
    """Each chunk has a vote, that of its first row: a row that leaves moves one vote, or all."""
    if leaks and not w.added:
        return None
    chunks = "chunks = [rows[k : k + 2] for k in range(0, len(rows), 2)]"
    vote = f'chunk[0]["{w.number}"] >= {w.low}'
    if w.added and not leaks:
        chunks, vote = _by_content(w), f"any({w.value} >= {w.low} for row in chunk)"
    lines = [chunks, f"votes = sum({vote} for chunk in chunks)"]
    return ProgramPart([*lines, f"{out} = votes + noise(1 / {share})"])


def replaced(w: Words, share: str, out: str, leaks: bool) -> ProgramPart | None:
    """Chunks by content: a row that is replaced may leave one chunk and join another."""
    if leaks and w.added:
        return None
    scale = f"2 * {w.cap}" if not leaks and not w.added else str(w.cap)
    lines = [_by_content(w), *_largest(w, out, share, scale)]
    return ProgramPart(lines, scales=(2 * w.cap, 2 * w.cap))


CHUNKS = (positioned, sorted_first, overlapped, voted, replaced)
