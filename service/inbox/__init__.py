"""Notices: what happened in all games of a player, in one log for each player."""
