"""Find the leak: programs that may fail with a small probability."""

from autograder.check.leaks.kinds_of_counts import redrawn
from autograder.check.leaks.kinds_of_tables import shared
from autograder.check.leaks.kinds_with_delta import DELTAS, trusted
from autograder.check.programs_claim import ProgramsClaim

CLAIM = ProgramsClaim("leaks_beyond_delta", (*DELTAS, trusted, shared, redrawn), delta=0.01)
