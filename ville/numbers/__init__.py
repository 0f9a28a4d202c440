"""The cells of laws of numbers, their rare events, and what is no law."""
