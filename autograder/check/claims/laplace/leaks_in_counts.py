"""Find the leak: programs with one noisy count."""

from autograder.check.leaks.kinds_of_counts import COUNTS
from autograder.check.programs_claim import ProgramsClaim

CLAIM = ProgramsClaim("leaks_in_counts", COUNTS)
