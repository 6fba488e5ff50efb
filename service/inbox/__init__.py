"""Notices: what a player should hear of from all their games, in one log for each player."""
