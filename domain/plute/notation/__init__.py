"""Plute in text, one line a hand (docs/notation.md)."""
