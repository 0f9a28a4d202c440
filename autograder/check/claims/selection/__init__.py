"""Claims about choosing one of several candidates."""
