"""The pieces of a page, each a macro of `cells.html.jinja`."""

from pathlib import Path
from typing import Any

from autograder.page_templates import environment

_MACROS = environment(Path(__file__).parent).get_template("cells.html.jinja").module


def piece(name: str, *given: Any) -> str:
    """Return a piece of HTML; arguments are escaped, unless they are Markup."""
    # As a plain string: added to another string, Markup would escape that one.
    return str(getattr(_MACROS, name)(*given))
