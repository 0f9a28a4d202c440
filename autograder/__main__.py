"""`python -m autograder` runs `autograder` where the script is not on the path."""

import sys

from autograder.cli import main

sys.exit(main())
