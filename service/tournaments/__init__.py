"""Tournaments: players with the right create them, others enter, and the dispatcher leads them from round to round."""
