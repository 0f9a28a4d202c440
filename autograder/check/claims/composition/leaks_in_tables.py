"""Find the leak: programs with several noisy counts, in two parts."""

from autograder.check.leaks.kinds_of_counts import COUNTS
from autograder.check.leaks.kinds_of_tables import TABLES
from autograder.check.programs_claim import ProgramsClaim

CLAIM = ProgramsClaim("leaks_in_tables", TABLES, (*COUNTS, *TABLES))
