"""Outlets: what of a player's wants notices, when each is due, and how it is served."""
