"""Class lists into the gradebook, and marks out of it."""
