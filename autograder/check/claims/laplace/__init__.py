"""Claims about the Laplace mechanism, and what its noise hides."""
