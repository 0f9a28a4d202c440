"""Find the leak: programs with a sum, a mean, or a rule for outliers."""

from autograder.check.leaks.kinds_of_sums import SUMS
from autograder.check.programs_claim import ProgramsClaim

CLAIM = ProgramsClaim("leaks_in_sums", SUMS)
