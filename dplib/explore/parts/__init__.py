"""What the sliders of all topics share."""
