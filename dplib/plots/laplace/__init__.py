"""Figures of the Laplace mechanism, and of what an attacker believes after a release."""
