"""The words that a student reads: why an answer failed, what a pass is worth."""
