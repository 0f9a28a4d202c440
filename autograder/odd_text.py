"""What a text from outside may be: half of a character, or no Python."""

import re

HALF_A_CHARACTER = re.compile(r"\\u[dD][89a-fA-F]")  # as JSON may write it
# What Python raises where it is to read one as code: it is none, or nested too deeply.
NO_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)
