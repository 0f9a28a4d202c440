"""How the report's page looks: light and dark, from a phone's width on. No font is fetched."""

STYLE = """
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #1d2329; --quiet: #59636e; --rule: #d5dade; --raised: #f4f6f8;
  --bar: #0072b2; --tint: #cfe5f3; --line: #c44e00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181c; --ink: #e6e9ec; --quiet: #a3adb7; --rule: #3a424a; --raised: #1e242a;
    --bar: #56b4e9; --tint: #1f4a66; --line: #f0a04b;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
}
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h1 .kind { display: block; font-size: 1rem; font-weight: 400; color: var(--quiet); }
h2 {
  font-size: 1.3rem; margin: 2.6rem 0 .7rem; padding-top: .7rem;
  border-top: 1px solid var(--rule);
}
h3 { font-size: 1.15rem; margin: 1.4rem 0 .4rem; overflow-wrap: anywhere; }
p { margin: .5rem 0; max-width: 44rem; }
.lead, .note, caption, figcaption, dt, summary { color: var(--quiet); }
.note, figcaption { font-size: .9rem; }
code, pre { font: .9em/1.45 ui-monospace, "DejaVu Sans Mono", Consolas, monospace; }
.tiles {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr));
  gap: .7rem; margin: 0 0 1rem;
}
.tiles div { background: var(--raised); border-radius: .5rem; padding: .6rem .9rem; }
.tiles dt { font-size: .9rem; }
.tiles dd { margin: 0; font-size: 1.7rem; font-variant-numeric: tabular-nums; }
figure { margin: 0; max-width: 36rem; }
svg { display: block; width: 100%; height: auto; }
.scroll { overflow-x: auto; margin: .5rem 0; }
.scroll:focus-visible, summary:focus-visible { outline: 2px solid var(--bar); outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; font-size: .95rem; }
caption { text-align: left; font-size: .9rem; padding-bottom: .3rem; }
th, td {
  text-align: left; vertical-align: top; padding: .4rem .7rem .4rem 0;
  border-bottom: 1px solid var(--rule);
}
thead th { font-weight: 600; vertical-align: bottom; }
tbody th { font-weight: 400; min-width: 7rem; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; }
td.number { white-space: nowrap; }
.number + :not(.number) { padding-left: .6rem; }
.bar {
  display: inline-block; min-width: 4.2rem; padding: 0 .3rem; border-radius: .2rem;
  background: linear-gradient(90deg, var(--tint) var(--share), var(--raised) var(--share));
}
summary { cursor: pointer; font-size: .9rem; }
pre {
  white-space: pre-wrap; overflow-wrap: anywhere; background: var(--raised);
  border-radius: .4rem; padding: .6rem .8rem; margin: .4rem 0;
}
@media (max-width: 36rem) {
  main { padding: 1rem .8rem 3rem; }
  h1 { font-size: 1.5rem; }
  table { font-size: .9rem; }
}
@media print { .scroll { overflow: visible; } }
"""
