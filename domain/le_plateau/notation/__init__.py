"""Le Plateau in text: ``write`` and ``read``, one line a deal (docs/notation.md)."""

from domain.le_plateau.notation.reader import read
from domain.le_plateau.notation.writer import write

__all__ = ["read", "write"]
