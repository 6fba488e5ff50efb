"""Plateau in text: one action a line (docs/notation.md)."""
