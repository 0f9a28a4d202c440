"""Formulas as MathML, which browsers lay out by themselves: no script, no fonts, no Tab stops."""

import html
import json
import re
import subprocess
from pathlib import Path

from sphinx.util.math import get_node_equation_number

KATEX = Path(__file__).parents[2] / "build" / "site" / "vendored" / "katex.js"
_FORMULA = re.compile(r'<(span|div) class="formula">(.*?)</\1>', re.DOTALL)
_PROGRAM = """
const katex = require(process.argv[1]);
const formulas = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(formulas.map(([tex, displayMode]) =>
  katex.renderToString(tex, { displayMode, output: "mathml", strict: false }))));
"""


def visit_inline(translator, node) -> None:
    """Write a formula within a line; `with_mathml` lays it out."""
    _write(translator, "span", node)


def visit_block(translator, node) -> None:
    """Write a formula on lines of its own."""
    if node["number"]:
        translator.body.append(f"({get_node_equation_number(translator, node)}) ")
    _write(translator, "div", node)


def _write(translator, element: str, node) -> None:
    from docutils.nodes import SkipNode

    text = html.escape(node.astext(), quote=False)
    translator.body.append(f'<{element} class="formula">{text}</{element}>')
    raise SkipNode


def with_mathml(body: str) -> str:
    """Return a page's body with each of its formulas in MathML.

    Raises:
      RuntimeError: a formula has a mistake; the message shows it.
    """
    found = list(_FORMULA.finditer(body))
    if not found:
        return body
    asked = [(html.unescape(each[2]), each[1] == "div") for each in found]
    command = ["node", "-e", _PROGRAM, str(KATEX)]
    done = subprocess.run(
        command, input=json.dumps(asked), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"a formula cannot be laid out: {done.stderr[-500:]}")
    made = iter(json.loads(done.stdout))
    return _FORMULA.sub(lambda each: f'<{each[1]} class="math">{next(made)}</{each[1]}>', body)
