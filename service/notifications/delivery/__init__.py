"""Destinations: the destinations of a player's notifications, when each is due, and how it is served."""
