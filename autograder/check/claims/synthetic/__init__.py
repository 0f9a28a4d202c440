"""Claims about tables made of noisy marginals."""
