"""Games of cards as text: what all that go deal by deal share in reading one (docs/notation.md).

How a deal is numbered, which cards go where, whose a label is, and how what a text says of an action's consequences is
compared with what the rules give.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from domain.notation.lexer import Word, Words
from domain.table import Seat

Card = str
Fact = TypeVar("Fact")


def seat_of(label: Word, seats: int) -> Seat:
    """Read the label of a seat."""
    digits = label.text[:-1]
    if digits not in map(str, range(seats)):
        raise label.wrong(f"{label} is no seat: they are 0: to {seats - 1}:")
    return int(digits)


def card_of(word: Word, pack: Iterable[Card], rule: str) -> Card:
    """Read a card's code."""
    card = word.text.upper()
    if card not in pack:
        raise word.wrong(f"{word} is no card", rule)
    return card


# -- a deal -------------------------------------------------------------------------------------------------------


def read_dealer(words: Words, rule: str) -> tuple[Word, Seat]:
    """Read who deals, such as ``d2``."""
    word = words.take()
    if not re.fullmatch("d[0-9]", word.text, re.IGNORECASE):
        raise word.wrong(f"the dealer is missing, such as d0; here stands {word}", rule)
    return word, int(word.text[1:])


def check_numbers(number: Word, next_number: int, dealer: Word, dealers: Sequence[Seat], seats: int, rule: str) -> None:
    """Refuse another number than the deal's, and another dealer than the one by the rules and, if known, the seeds."""
    told = int(dealer.text[1:])
    if number.text != f"{next_number}.":
        raise number.wrong(f"deal {next_number} is next, not {number}", rule)
    if told >= seats:
        raise dealer.wrong(f"there is no seat {told} with {seats} players", rule)
    for true, by_the_seeds in zip(dealers, ("", "by the seeds "), strict=False):
        if told != true:
            raise dealer.wrong(f"{by_the_seeds}seat {true} deals, not seat {told}", rule)


def read_cards(
    words: Words, sizes: Mapping[str, int], true: Mapping[Card, str], pack: Iterable[Card], rule: str
) -> dict[Card, str]:
    """Read where each card goes: a label and as many cards as belong there, in any order of the labels.

    ``true`` is where the seeds put each card, if they are known; places are seats, as digits, or have names.
    """
    missing = {f"{where}:": size for where, size in sizes.items() if size}
    placed: dict[Card, str] = {}
    while missing:
        label = words.take()
        count = missing.pop(label.text.lower(), None)
        if count is None:
            raise label.wrong(f"the deal goes on with {' or '.join(missing)} and cards, not with {label}", rule)
        where = label.text.lower().removesuffix(":")
        for number in range(count):
            word = words.take()
            if word.is_label or not word.text:
                message = f"card {number + 1} of {count} of {_named(where)} is missing: here stands {word}"
                raise word.wrong(message, rule)
            card = card_of(word, pack, rule)
            if card in placed:
                raise word.wrong(f"{card} is dealt twice: {_named(placed[card])} has it", rule)
            if true.get(card, where) != where:
                raise word.wrong(f"by the seeds {card} goes to {_named(true[card])}, not to {_named(where)}", rule)
            placed[card] = where
    return placed


def _named(where: str) -> str:
    return f"seat {where}" if where.isdigit() else f"the {where}"


# -- what has happened --------------------------------------------------------------------------------------------


class Consequences:
    """The events since the last action, less those that the text has named."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self.left: list[Any] = []

    def happened(self, events: Iterable[Any]) -> None:
        """Note what an action, or a deal, has brought about."""
        self.left = list(events)

    def pick(self, word: Word, kind: type[Fact] | tuple[type[Fact], ...], rule: str) -> Fact:
        """Give what has just happened of some kind; it can be named once."""
        fact = next((each for each in self.left if isinstance(each, kind)), None)
        if fact is None:
            raise word.wrong(f"{word} does not fit: nothing of that kind has just happened", rule)
        self.left.remove(fact)
        return fact

    def compare(self, true: Iterable[str], rule: str) -> None:
        """Compare words with what they must be, in any order."""
        left = list(true)
        for _ in range(len(left)):
            word = self._words.take()
            fitting = next((each for each in left if each.lower() == word.text.lower()), None)
            if fitting is None:
                raise word.wrong(f"{word} does not belong here; by the rules: {' '.join(left)}", rule)
            left.remove(fitting)

    def compare_in_order(self, true: Iterable[object], rule: str) -> None:
        """Compare words with what they must be, one after the other; a number may have its plus."""
        for each in true:
            said = self._words.take()
            if said.text.lower().removeprefix("+") != str(each):
                raise said.wrong(f"by the rules it is {each}, not {said}", rule)


def check_trick_number(word: Word, number: int, *, begins: bool, rule: str) -> None:
    """Compare the number of a trick that begins, such as ``#3``."""
    if not begins:
        raise word.wrong(f"no trick begins here: {word} does not fit", rule)
    if word.text != f"#{number}":
        raise word.wrong(f"trick #{number} begins here, not {word}", rule)
