"""Hints and analyses of bots."""
