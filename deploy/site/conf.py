"""Sphinx's settings for the book; `make site` writes the pages that it reads."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "deploy" / "site"))
import formulas

project = "Privacy workbook"
author = "the authors of the workbook"
copyright = "the authors; text under CC BY 4.0"

extensions = ["myst_nb"]
myst_enable_extensions = ["amsmath", "colon_fence", "dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "off"  # the notebooks come with their outputs
nb_code_prompt_show = "Show after trying"
nb_code_prompt_hide = "Hide"
nb_ipywidgets_js = {}  # sliders are native controls: dplib/explore/parts/page.py
html_math_renderer = "mathml"
suppress_warnings = ["myst.header", "mystnb.unknown_mime_type"]

html_theme = "pydata_sphinx_theme"
html_title = project
templates_path = ["templates"]
html_static_path = ["static"]
html_sidebars = {"**": ["chapters.html"]}
html_favicon = "static/icon.svg"
html_css_files = ["workbook.css"]
html_js_files = ["slider.js", "formulas.js", "guess.js", "front.js"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "navbar_align": "left",
    "navbar_center": [],
    "navbar_persistent": [],
    "navbar_end": ["search-button", "theme-switcher"],
    "secondary_sidebar_items": ["page-toc"],
    "show_prev_next": True,
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_toc_level": 2,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}


def setup(application):
    """Let Sphinx mend each page before it writes it."""
    application.add_html_math_renderer(
        "mathml", (formulas.visit_inline, None), (formulas.visit_block, None)
    )
    application.connect("html-page-context", _mended)


def _mended(application, page, template, context, doctree):
    """Leave out what a screen reader would read out without sense."""
    body = formulas.with_mathml(context.get("body") or "")
    # The corner of a table is no header of anything; pandas and Markdown write it as one.
    body = re.sub(r"<th([^>]*)>(?:<p></p>)?</th>", r"<td\1></td>", body)
    # The words on the button that unfolds an answer say what it does; this would replace them.
    toc = context.get("toc")
    if isinstance(toc, str):
        context["toc"] = _names_only(toc)
    if 'id="answering"' in body:
        application.add_js_file("answer/answer.js", type="module")
        application.add_css_file("answer/style.css")
    context["body"] = body.replace(' aria-label="Toggle hidden content"', "")


def _names_only(toc):
    """Return a page's list of contents without points, and with names that can be broken."""
    toc = re.sub(r" \(\d+ points?[^)<]*\)", "", toc)
    toc = re.sub(r"<code[^>]*>(.*?)</code>", r"\1", toc, flags=re.DOTALL)
    return re.sub(r"(?<=>)[^<]+", lambda text: text[0].replace("_", "_<wbr>"), toc)
