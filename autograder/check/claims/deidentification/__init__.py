"""Claims about names that are not enough, and tables that are joined."""
