"""Claims about models trained by noisy gradients."""
