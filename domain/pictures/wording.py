"""How a scene words cards, scores and seats: in letters for a terminal, in signs in a picture, in words to be spoken.

A player's name stands for the seat where one is known; it is set apart from the direction of the text around it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from domain.cardplay.cards import EXCUSE, TRUMPS, is_of_a_suit
from domain.pictures.shown import Shown
from domain.table import Seat

_AS_TEXT = "\N{VARIATION SELECTOR-15}"
_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_RANK_NAMES = {
    "V": "jack",
    "C": "knight",
    "D": "queen",
    "R": "king",
    "J": "jack",
    "Q": "queen",
    "K": "king",
    "A": "ace",
}


def signed(score: int) -> str:
    """Write a score with its sign."""
    return f"{score:+d}" if score else "0"


def with_sign(code: str) -> str:
    """Write a card with the sign of its suit, which no device shows as an emoji."""
    return f"{code[:-1]}{_SIGNS[code[-1]]}{_AS_TEXT}" if is_of_a_suit(code) else code


def in_words(code: str) -> str:
    """Put a card into words; a code that is no card is left as it is."""
    if is_of_a_suit(code):
        return f"{_RANK_NAMES.get(code[:-1], code[:-1])} of {SUIT_NAMES[code[-1]]}"
    if code in TRUMPS:
        return f"trump {code[1:]}"
    return "the Excuse" if code == EXCUSE else code


def _spoken_score(score: int) -> str:
    return f"minus {-score}" if score < 0 else str(score)


def _typeset_score(score: int) -> str:
    return signed(score).replace("-", "\N{MINUS SIGN}")


@dataclass(frozen=True, slots=True)
class Wording:
    """How to word a scene."""

    card: Callable[[str], str] = str
    score: Callable[[int], str] = signed
    between: str = " "
    shown: Shown = field(default_factory=Shown)

    def cards(self, codes: Iterable[str]) -> str:
        """Word several cards."""
        return self.between.join(map(self.card, codes))

    def name(self, seat: Seat) -> str:
        """Return the name of the player who sits there; empty if it is not known."""
        name = self.shown.names.get(seat)
        return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}" if name else ""

    def seat(self, seat: Seat) -> str:
        """Return who sits there: the player's name, or else the seat's number."""
        return self.name(seat) or f"seat {seat}"


WRITTEN = Wording()
"""For a terminal: ASCII, with the codes of the rules."""


def drawn(shown: Shown) -> Wording:
    """Return the wording of a picture."""
    return Wording(with_sign, shown=shown)


def spoken(shown: Shown) -> Wording:
    """Return the wording of a description that is read aloud."""
    return Wording(in_words, _spoken_score, ", ", shown)


def printed(shown: Shown) -> Wording:
    """Return the wording of a page that is both seen and read aloud."""
    return Wording(in_words, _typeset_score, ", ", shown)


def sentence(words: str) -> str:
    """Begin a sentence; a name keeps its own first letter."""
    return words[:1].upper() + words[1:]
