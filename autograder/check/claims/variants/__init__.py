"""Claims about Renyi, zero-concentrated, and the way back to (epsilon, delta)."""
