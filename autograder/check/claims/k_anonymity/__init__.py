"""Claims about crowds of people who look alike."""
