"""How a feedback page looks: light and dark, from a phone's width on. No font is fetched."""

from __future__ import annotations

from pygments.formatters import HtmlFormatter

__all__ = ["STYLE"]


def _code(style: str) -> str:
    """Return the colours of code."""
    return "\n".join(HtmlFormatter(style=style).get_token_style_defs(".highlight"))


_LIGHT = """
  --paper: #fff; --ink: #1d2329; --quiet: #59636e; --rule: #d5dade; --raised: #f8f9fa;
  --link: #005a94; --right: #00664b; --wrong: #a83a00; --waiting: #59636e; --note: #fff7e0;
"""
_DARK = """
  --paper: #14181c; --ink: #e6e9ec; --quiet: #a3adb7; --rule: #3a424a; --raised: #1e242a;
  --link: #7cc4f0; --right: #4cc9a0; --wrong: #f0a04b; --waiting: #a3adb7; --note: #2c2717;
"""

_ANSI = """
.ansi-black-fg { color: var(--ink); } .ansi-red-fg { color: #b3261e; }
.ansi-green-fg { color: #00664b; } .ansi-yellow-fg { color: #7a5a00; }
.ansi-blue-fg { color: #0b57a4; } .ansi-magenta-fg { color: #8a2a8f; }
.ansi-cyan-fg { color: #00606b; } .ansi-bold { font-weight: bold; }
.ansi-underline { text-decoration: underline; }
"""
_ANSI_DARK = """
.ansi-red-fg { color: #ff9d94; } .ansi-green-fg { color: #6fd6b0; }
.ansi-yellow-fg { color: #e5c365; } .ansi-blue-fg { color: #8ec5ff; }
.ansi-magenta-fg { color: #e3a3e8; } .ansi-cyan-fg { color: #78d3df; }
"""

_PAGE = """
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: break-word;
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
}
main { max-width: 54rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .6rem; }
h1 .kind { display: block; font-size: 1rem; font-weight: 400; color: var(--quiet); }
h2 {
  font-size: 1.4rem; margin: 2.4rem 0 .8rem; padding-top: .7rem;
  border-top: 1px solid var(--rule);
}
h3 { font-size: 1.25rem; margin: 1.8rem 0 .5rem; }
h4 { font-size: 1.1rem; margin: 1.5rem 0 .4rem; }
h5, h6 { font-size: 1rem; margin: 1.3rem 0 .3rem; }
p { margin: .5rem 0; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre { font: .9em/1.45 ui-monospace, "DejaVu Sans Mono", Consolas, monospace; }
.score { font-size: 1.2rem; margin: 0; }
.score strong { font-size: 2rem; }
.late { color: var(--wrong); }
.missing { font-style: italic; }
.unseen {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap;
}
.exercises { list-style: none; margin: 0; padding: 0; }
.exercises > li {
  display: grid; grid-template-columns: minmax(0, 1fr) auto; column-gap: 1rem;
  border-left: .3rem solid var(--shade); padding: .1rem 0 .1rem .9rem; margin: 0 0 .9rem;
}
.exercises > li > :not(h3, .line) { grid-column: 1 / -1; }
.exercises h3 { font-size: 1.05rem; margin: 0; }
.exercises .line { margin: 0; white-space: nowrap; }
.sign { display: inline-block; width: 1.1em; color: var(--shade); }
.points { font-variant-numeric: tabular-nums; margin-right: .6rem; }
.right { --shade: var(--right); } .wrong, .partly { --shade: var(--wrong); }
.waiting { --shade: var(--waiting); }
.remark { margin: .3rem 0 .6rem; max-width: 44rem; }
.remark p { margin: .25rem 0; }
.problem { font-weight: 600; }
.problem::first-letter { text-transform: uppercase; }
.ask { background: var(--raised); border-radius: .4rem; padding: .5rem .8rem; }
figure { margin: .6rem 0; }
figcaption { color: var(--quiet); font-size: .9rem; }
img { max-width: 100%; height: auto; background: #fff; border-radius: .3rem; }
.comment {
  background: var(--note); border-radius: .4rem; padding: .4rem .8rem; margin: .5rem 0;
}
.cell { margin: .8rem 0; }
.graded { border: 1px solid var(--rule); border-radius: .5rem; padding: 0 .8rem .6rem; }
.bar {
  display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: 0 -.8rem .6rem; padding: .4rem .8rem;
  background: var(--raised); border-radius: .5rem .5rem 0 0; font-size: .9rem;
}
.bar span:first-child { flex: 1 1 12rem; font-weight: 600; }
pre { overflow-x: auto; margin: .4rem 0; }
.source pre, .text pre { background: var(--raised); border-radius: .4rem; padding: .6rem .8rem; }
.output { margin: .4rem 0; padding-left: .8rem; }
pre.output { white-space: pre-wrap; overflow-wrap: anywhere; }
pre.problem { border-left: .2rem solid var(--wrong); font-weight: 400; }
.wide, .formula { display: block; overflow-x: auto; overflow-y: hidden; }
.formula { margin: .6rem 0; padding: .2rem 0; }
blockquote { margin: .6rem 0; padding-left: .9rem; border-left: .2rem solid var(--rule); }
table { border-collapse: collapse; font-size: .95rem; }
th, td { text-align: left; padding: .25rem .7rem .25rem 0; border-bottom: 1px solid var(--rule); }
.text > table { display: block; overflow-x: auto; }
@media (max-width: 36rem) {
  main { padding: 1rem .8rem 3rem; }
  h1 { font-size: 1.5rem; }
  .exercises > li { grid-template-columns: minmax(0, 1fr); }
  .exercises .line { white-space: normal; padding-left: 1.3em; }
}
@media print { .bar a { display: none; } .cell { break-inside: avoid; } }
"""

STYLE = f"""
:root {{ color-scheme: light dark;{_LIGHT}}}
@media not (prefers-color-scheme: dark) {{
{_code("default")}{_ANSI}
}}
@media (prefers-color-scheme: dark) {{
:root {{{_DARK}}}
{_code("github-dark")}{_ANSI_DARK}
}}
{_PAGE}"""
