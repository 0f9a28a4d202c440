"""The page and the table on a class that an instructor gets."""
