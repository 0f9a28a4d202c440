"""Finds students whose answers are alike beyond the template. The wording accuses nobody."""
