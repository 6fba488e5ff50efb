"""Plute in text: ``write`` and ``read``, one line a hand (docs/notation.md)."""

from domain.plute.notation_reader import read
from domain.plute.notation_writer import write

__all__ = ["read", "write"]
