"""Where the project is, for tests and their tools. It imports nothing of ours."""

from pathlib import Path

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent
