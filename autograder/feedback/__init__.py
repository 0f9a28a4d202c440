"""The page that a student gets back."""
