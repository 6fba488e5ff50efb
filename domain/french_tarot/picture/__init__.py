"""French Tarot in pictures and in words, made from a view alone."""
