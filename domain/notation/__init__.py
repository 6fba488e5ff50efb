"""Games as text: the words of a text, its header, and how a text is played again (docs/notation.md)."""
