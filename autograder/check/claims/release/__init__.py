"""Claims about a release from start to end: its unit, its intervals, its points by quality."""
