"""French Tarot in text: ``write`` and ``read``, one line a deal (docs/notation.md)."""

from domain.french_tarot.notation.reader import read
from domain.french_tarot.notation.writer import write

__all__ = ["read", "write"]
