"""What grading writes into an executed notebook, and what a reader finds there."""
