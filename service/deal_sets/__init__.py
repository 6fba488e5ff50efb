"""Deal sets: the daily deals that everyone plays against the same bots, and their results."""
