"""Le Plateau in text, hand by hand (docs/notation.md)."""
