"""Find the leak: programs that cut the rows into chunks."""

from autograder.check.leaks.kinds_of_chunks import CHUNKS
from autograder.check.programs_claim import ProgramsClaim

CLAIM = ProgramsClaim("leaks_in_chunks", CHUNKS)
