"""Deal sets: the daily deals that everybody plays against the same bots, and their results."""
