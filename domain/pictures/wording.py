"""How a scene is worded: by the catalogues of a ruleset, with cards as codes, as signs or in words.

A player's name stands for the seat where one is known; it is set apart from the direction of the text around it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from domain.cardplay.cards import EXCUSE, TRUMPS, is_of_a_suit
from domain.pictures.shown import ALONE, Shown
from domain.sentences.catalogue import Catalogue, catalogue
from domain.sentences.message import (
    AtSeat,
    Card,
    Items,
    Message,
    Number,
    Parameter,
    Player,
    Score,
    Text,
    message,
    seat_number,
)
from domain.table import Seat

_AS_TEXT = "\N{VARIATION SELECTOR-15}"
_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def signed(score: int) -> str:
    """Write a score with its sign."""
    return f"{score:+d}" if score else "0"


def typeset(number: str) -> str:
    """Give a number the sign that is as wide as a plus."""
    return number.replace("-", "\N{MINUS SIGN}")


def _typeset_score(score: int) -> str:
    return typeset(signed(score))


def with_sign(code: str) -> str:
    """Write a card with the sign of its suit, which no device shows as an emoji."""
    return f"{code[:-1]}{_SIGNS[code[-1]]}{_AS_TEXT}" if is_of_a_suit(code) else code


@dataclass(frozen=True, slots=True)
class Style:
    """How to write cards and scores. Without ``card``, cards are in words, and lists are as sentences have them.

    ``addresses``: the reader is the viewer, and can be called "you".
    """

    card: Callable[[str], str] | None = None
    score: Callable[[int], str] = signed
    addresses: bool = False


WRITTEN = Style(card=str)
"""For a terminal: ASCII, with the codes of the rules."""
DRAWN = Style(card=with_sign)
"""For a picture."""
PRINTED = Style(score=_typeset_score, addresses=True)
"""For a page that is seen and read aloud."""


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a ruleset in one style, with what is shown beside the view."""

    words: Catalogue
    style: Style = WRITTEN
    shown: Shown = ALONE

    def say(self, message_id: str, /, **parameters: Parameter) -> str:
        """Put a message into words as they stand within a sentence."""
        return self.phrase(message(message_id, **parameters))

    def phrase(self, said: Message) -> str:
        """Put a message into words as they stand within a sentence."""
        return self.words.phrase(self._styled_message(said), self._who)

    def sentence(self, said: Message) -> str:
        """Put a message into words with a capital letter at the start; a name keeps its own."""
        return self.words.sentence(self._styled_message(said), self._who)

    def card(self, code: str) -> str:
        """Name a card, a piece or another thing in words."""
        return _card(self.words, code)

    def score(self, score: int) -> str:
        """Write a score."""
        return self.style.score(score)

    def name(self, seat: Seat) -> str:
        """Return the name of the player who sits there; empty if it is not known."""
        name = self.shown.names.get(seat)
        return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}" if name else ""

    def seat(self, seat: Seat) -> str:
        """Return who sits there: the player's name, or else the seat's number."""
        return self.name(seat) or self.say("seat", seat=seat_number(seat))

    def _who(self, who: AtSeat | Player) -> str | None:
        return self.name(who.value) or None if isinstance(who, AtSeat) else None

    def _styled_message(self, said: Message) -> Message:
        return Message(self._form(said), {name: self._styled(each) for name, each in said.parameters.items()})

    def _form(self, said: Message) -> str:
        """Return the entry that says a message: one about the viewer has a form that says "you", if there are words."""
        about = next((each.value for each in said.parameters.values() if isinstance(each, AtSeat)), None)
        to_viewer = f"{said.id}.you"
        return to_viewer if about is not None and about == self.shown.viewer and to_viewer in self.words else said.id

    def _styled(self, parameter: Parameter) -> Parameter:
        """Replace what this style words differently from a sentence."""
        match parameter:
            case Score(score):
                return Text(self.style.score(score))
            case Card(code) if self.style.card:
                return Text(self.style.card(code))
            case Items(items) if self.style.card:
                return Text(" ".join(self.say("list.one", item=item) for item in items))
            case Items(items):
                return Items(tuple(map(self._styled, items)))
            case Message():
                return self._styled_message(parameter)
            case _:
                return parameter


@lru_cache(4096)
def _card(words: Catalogue, code: str) -> str:
    """Put a card into words, once for all who look at it."""
    return words.phrase(_named(words, code))


def _named(words: Catalogue, code: str) -> Message:
    own = next((name for name in (f"name.{code}", f"card.{code}") if name in words), None)
    if own:
        return Message(own)
    if is_of_a_suit(code):
        rank, suit = Message(f"rank.{code[:-1]}"), Message(f"suit.{code[-1]}")
        return message("name.card", rank=rank, suit=suit)
    if code in TRUMPS:
        return message("name.trump", number=Number(TRUMPS.index(code) + 1))
    return Message("name.excuse") if code == EXCUSE else message("code", code=Text(code))


def wording(package: str, style: Style = WRITTEN, shown: Shown = ALONE) -> Wording:
    """Return the words of a ruleset's package, in the language that is to be shown."""
    return Wording(catalogue(package, shown.language), style, shown)
