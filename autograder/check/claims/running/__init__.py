"""Claims about counts of ranges."""
