"""`python -m autograder` is `autograder`, for where its script is not on the path."""

import sys

from autograder.cli import main

sys.exit(main())
