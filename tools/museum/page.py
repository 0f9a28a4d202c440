"""docs/museum.md: the page of what was found, and of what could not be installed."""

from collections.abc import Iterable

from tools.museum.environments import pinned
from tools.museum.exhibits import EXHIBITS, NEWEST, Exhibit, Mechanism
from tools.museum.judging import ALPHA, Found

_HEAD = """# The museum of released bugs

Made by `make museum`; do not edit. Each row is a release of a real library, installed from the
package registry in an environment of its own, as [pins.toml](../tools/museum/pins.toml) has it.
Its draws are judged by [`ville`](../ville/README.md) at level {alpha:g}, with no word about what
to look for. What is said holds for this version, this call and this machine. It says nothing
about other versions; mistakes of this kind happen to careful people.

The peers get the same draws and the same level: Kolmogorov–Smirnov, chi-squared on `ville`'s
cells, and an auditor who knows no law. The auditor chooses an event on half of the draws of two
neighbors, counts it on the other half, and compares a bound on epsilon (Clopper and Pearson 1934)
with the promise. A peer has to fix its number of draws first. The table shows the best number of
a ladder, chosen after the fact: nobody could have known it. `ville` stops by itself.

## Releases whose draws have another law
"""
_NEWEST = """
## The newest releases

The newest that the registry had when this page was made. "Passed" means what is said behind it,
and no more: the smallest departure that this many draws show in 99 of 100 runs.
"""
_LOOKED_AT = """
## What was looked at, and is not here

- **tmlt.core** needs Spark, **Opacus** needs PyTorch, **smartnoise-sql** and **smartnoise-synth**
  bring much with them: they were not installed.
- **diffprivlib**: issue 104 of its repository lists errors in models, in sensitivities and in the
  vector mechanism; none of them is a law that `ville.laws` has. The vector, Bingham, snapping,
  folded, bounded and discrete Gaussian mechanisms were not judged.
- **OpenDP 0.15.1**, issue 2911: noisy max costs more than it says, in zero-concentrated privacy.
  Its draws follow their law, so this judge cannot see it.
- **numpy** and **scipy**: issue 11443 of numpy, for example, tells of wrong draws of
  `hypergeometric` at very large arguments. They were not tried.
- Draws are judged by their cells: wrong low bits (Mironov 2012) pass.
"""


def page(found: Iterable[tuple[Mechanism, Found | str]]) -> str:
    """Return the page in Markdown from each exhibit's and each mechanism's findings."""
    findings = dict(found)
    parts = [_HEAD.format(alpha=ALPHA)]
    parts += [_exhibit(each, findings[each]) for each in EXHIBITS if _shown(findings.get(each))]
    rows = [_row(each, findings[each]) for each in NEWEST if _shown(findings.get(each))]
    parts += [_NEWEST, _table(("release", "mechanism", "draws", "found"), rows), _LOOKED_AT]
    missing = [(each, words) for each, words in findings.items() if isinstance(words, str)]
    if missing:
        lines = [f"- {_release(each)}, {each.call}: {words}" for each, words in missing]
        parts += ["\n## What did not run on this machine\n", "\n".join(lines) + "\n"]
    return "\n".join(parts)


def _shown(found: Found | str | None) -> bool:
    return isinstance(found, Found)


def _release(shown: Mechanism) -> str:
    return pinned()[shown.environment].packages[0].replace("==", " ")


def _exhibit(shown: Exhibit, found: Found) -> str:
    head = f"### {_release(shown)}: {shown.call}\n"
    if found.result:
        return f"{head}\nNot reproduced here: {found.made:,} draws pass.\n"
    said = found.result.mistake.rstrip(".")
    lines = [
        f"The law should be: {found.result.law}. Seen in {found.made:,} draws: {found.seen}.",
        f"Published: {shown.published}.",
        f"`ville` says: “{said}”.",
    ]
    ours = f"**{found.rejected_after:,}** ({1e3 * found.seconds:.0f} ms)"
    peers = (found.kolmogorov_smirnov, found.chi_squared, found.auditor)
    most = (found.made, found.made, 2 * found.made)
    cells = [_needed(n, made) for n, made in zip(peers, most, strict=True)]
    if not found.result.law.startswith(("L", "G", "d")):
        cells[0] = "for numbers only"
    head_row = ("draws until rejected: `ville`", "Kolmogorov–Smirnov", "chi-squared")
    promise = f"auditor of epsilon {shown.epsilon:.3g}" + (
        f", delta {shown.delta:g}" if shown.delta else ""
    )
    return f"{head}\n" + "\n".join(lines) + "\n\n" + _table((*head_row, promise), [(ours, *cells)])


def _needed(number: int | None, made: int) -> str:
    return f"{number:,}" if number else f"not in {made:,}"


def _row(shown: Mechanism, found: Found) -> tuple[str, ...]:
    if found.result:
        words = f"passed. {found.result.worth}"
    else:
        words = f"**rejected** after {found.rejected_after:,} draws: {found.result.mistake}"
    return _release(shown), f"{shown.call}: {found.result.law}", f"{found.made:,}", words


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(row) + " |" for row in (head, *rows)]
    lines.insert(1, "|" + "---|" * len(head))
    return "\n".join(lines) + "\n"
