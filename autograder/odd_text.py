"""Half of a surrogate pair in JSON, and the errors of a text that is not Python."""

import re

HALF_A_CHARACTER = re.compile(r"\\u[dD][89a-fA-F]")  # as JSON may write it
# What Python raises where it is to read one as code: it is none, or nested too deeply.
NO_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)
