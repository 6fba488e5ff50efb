"""Deal sets: deals that many players play, each at a table of their own, so that they can be compared."""
