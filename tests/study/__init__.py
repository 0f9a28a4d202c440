"""The full study of the checks: `make test-check`. It can be stopped and goes on where it was."""
