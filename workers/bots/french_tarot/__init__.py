"""Bots for French Tarot."""
