"""What the figures of all topics share."""
