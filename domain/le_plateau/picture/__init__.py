"""Le Plateau in pictures and in words, drawn from a view alone."""
