"""Probabilities as integers, the same on any machine, and the probability that a hidden hand lacks a card."""

SURE = 1024
"""A probability of one; others are parts of it."""


def miss(count: int, may: int) -> int:
    """Return the chance that a seat with so many cards lacks a given one of the cards that it can hold, as bits."""
    places = may.bit_count()
    return SURE - min(SURE, count * SURE // places) if places else SURE
