"""Claims about attacks on mechanisms, and what they prove."""
