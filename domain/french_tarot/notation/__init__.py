"""French Tarot in text, deal by deal (docs/notation.md)."""
