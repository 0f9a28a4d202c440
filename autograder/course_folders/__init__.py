"""A course's folders: their settings, and what students handed in."""
