"""Claims about answers that leave the device already noisy."""
