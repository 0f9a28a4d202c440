"""Where an answer's chance comes from."""
