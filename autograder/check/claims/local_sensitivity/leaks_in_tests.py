"""Find the leak: programs that test their data first, or make noise for the values they find."""

from autograder.check.leaks.kinds_with_delta import TESTS
from autograder.check.programs_claim import ProgramsClaim

CLAIM = ProgramsClaim("leaks_in_tests", TESTS, delta=0.01)
