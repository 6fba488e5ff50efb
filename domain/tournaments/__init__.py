"""Tournaments: rounds of tables drawn by lot, whose players are compared by what the field made of the same deals."""
