"""Bets of their own kind, beside the likelihood ratios of the cells."""
