"""Bots for Plute."""
