"""What a notebook shows of a verdict: the card of a pass, and the answers beside their law."""
