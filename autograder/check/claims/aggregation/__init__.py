"""Claims about sample and aggregate."""
