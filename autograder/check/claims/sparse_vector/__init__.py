"""Claims about many questions, few answers."""
