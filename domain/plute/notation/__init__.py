"""Plute in text: ``write`` and ``read``, one line a hand (docs/notation.md)."""

from domain.plute.notation.reader import read
from domain.plute.notation.writer import write

__all__ = ["read", "write"]
