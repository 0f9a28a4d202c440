"""Claims about (epsilon, delta), Gaussian noise, and advanced composition."""
