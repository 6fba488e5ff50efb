"""Whole games as text: the header, the game as its ruleset writes it, and the result (docs/notation.md)."""
