"""What the texts of all games share: words, facts, deals of cards, and playing a text again (docs/notation.md)."""
