"""What makes the files that the project ships; nobody who takes the course needs it."""
