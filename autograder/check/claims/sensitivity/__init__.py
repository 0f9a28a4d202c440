"""Claims about how far one row can move a sum or a mean."""
