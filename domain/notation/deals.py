"""Reading a deal of cards: its number, its dealer, and which card goes where (docs/notation.md).

Only the text can say which cards were dealt. The rules supply the form of the deal: how many cards go where.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar, cast

from domain.cardplay.cards import Card
from domain.notation.lexer import Lexer, Word
from domain.notation.replay import Replay, unshuffled
from domain.table import Seat


@dataclass(frozen=True, slots=True)
class CardCodes:
    """How the cards of a pack are written, ``listed`` in short; ``rule`` is the section of the rules on cards."""

    pack: Collection[Card]
    listed: str
    rule: str

    def read(self, word: Word) -> Card:
        """Read a card's code, in capital or small letters."""
        if word not in self:
            raise word.wrong(f"{word} is not a card; the cards are {self.listed}", self.rule)
        return word.text.upper()

    def __contains__(self, word: Word) -> bool:
        return word.text.upper() in self.pack


class Deal(Protocol):
    """The event of a deal."""

    @property
    def dealer(self) -> Seat:
        """Return the seat that deals."""


StateT = TypeVar("StateT")
DealT = TypeVar("DealT", bound=Deal)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a card is dealt: the label before the card, and the name of the place in messages.

    A ``joined`` card is written in one word with the card before it, after a slash.
    """

    label: str
    name: str
    joined: bool = False


def hand_of(seat: Seat) -> Place:
    """Return the place of the cards in a seat's hand."""
    return Place(str(seat), f"seat {seat}'s hand")


def by_place(placed: Mapping[Card, Place]) -> Mapping[Place, Sequence[Card]]:
    """Return the cards of each place, in the order of the text; places without cards have an empty list."""
    cards: defaultdict[Place, list[Card]] = defaultdict(list)
    for card, place in placed.items():
        cards[place].append(card)
    return cards


def _as_it_is(_replay: object, _lexer: Lexer, form: DealT, _true: DealT | None) -> DealT:
    return form


@dataclass(frozen=True, slots=True, kw_only=True)
class Deals(Generic[StateT, DealT]):
    """How the deals of a game are read; faults cite ``rule``.

    ``places`` maps each card of a deal to its place, in the order of the text. ``filled`` returns a deal with the cards
    that the text has for each place. ``read_setup`` reads what comes before the cards: it receives the form of the deal
    and, if the secret is known, the true deal. ``after_deal`` returns what follows from the deal, if anything does.
    """

    rule: str
    cards: CardCodes
    next_number: Callable[[StateT], int]
    places: Callable[[DealT], Mapping[Card, Place]]
    filled: Callable[[DealT, Mapping[Place, Sequence[Card]]], DealT]
    read_setup: Callable[[Replay[StateT], Lexer, DealT, DealT | None], DealT] = _as_it_is
    after_deal: Callable[[StateT, DealT], Sequence[object]] | None = None

    def read(self, number: Word, replay: Replay[StateT], lexer: Lexer) -> Sequence[object]:
        """Read a deal whose number is already read, and record it; return all events that follow."""
        dealer, seat = read_dealer(lexer, self.rule)
        first, *more = replay.drawn(unshuffled(seat))
        form = cast("DealT", first)
        true = cast("DealT", replay.drawn(replay.chance)[0]) if replay.chance else None
        dealers = (form.dealer, true.dealer) if true else (form.dealer,)
        check_numbers(number, self.next_number(replay.state), dealer, dealers, replay.seats, self.rule)
        form = self.read_setup(replay, lexer, form, true)
        placed = read_cards(lexer, self.places(form), self.places(true) if true else {}, self.cards, self.rule)
        deal = self.filled(form, by_place(placed))
        return replay.record([deal, *(self.after_deal(replay.state, deal) if self.after_deal else more)])


def read_dealer(lexer: Lexer, rule: str) -> tuple[Word, Seat]:
    """Read the dealer, such as ``d2``."""
    word = lexer.take()
    if not re.fullmatch("d[0-9]", word.text, re.IGNORECASE):
        raise word.wrong(f"the dealer is missing, such as d0: found {word}", rule)
    return word, int(word.text[1:])


def check_numbers(number: Word, next_number: int, dealer: Word, dealers: Sequence[Seat], seats: int, rule: str) -> None:
    """Reject a wrong number, and a dealer other than the one by the rules and, if known, by the seeds."""
    written = int(dealer.text[1:])
    if number.text != f"{next_number}.":
        raise number.wrong(f"deal {next_number} is next, not {number}", rule)
    if written >= seats:
        raise dealer.wrong(f"there is no seat {written} with {seats} players", rule)
    for true, by_the_seeds in zip(dealers, ("", "by the seeds "), strict=False):
        if written != true:
            raise dealer.wrong(f"{by_the_seeds}seat {true} deals, not seat {written}", rule)


def read_cards(
    lexer: Lexer, form: Mapping[Card, Place], true: Mapping[Card, Place], cards: CardCodes, rule: str
) -> dict[Card, Place]:
    """Read where each card goes: labels in any order, each with as many cards as go there.

    ``form`` is any possible deal, ``true`` the one by the seeds, empty where they are not known.
    """
    missing: dict[str, list[Place]] = {}
    for place in form.values():
        missing.setdefault(f"{place.label}:", []).append(place)
    placed: dict[Card, Place] = {}
    while missing:
        label = lexer.take()
        places = missing.pop(label.text.lower(), None)
        if places is None:
            raise label.wrong(f"{' or '.join(missing)} and its cards must come next, not {label}", rule)
        for word, place in _words_at(lexer, places, rule):
            card = cards.read(word)
            if card not in form:
                raise word.wrong(f"{card} is not in play in this game", rule)
            if card in placed:
                raise word.wrong(f"{card} is dealt twice: it already goes to {placed[card].name}", rule)
            if true.get(card, place) != place:
                raise word.wrong(f"by the seeds {card} goes to {true[card].name}, not to {place.name}", rule)
            placed[card] = place
    return placed


def _words_at(lexer: Lexer, places: Sequence[Place], rule: str) -> Iterator[tuple[Word, Place]]:
    """Take the words of the cards that go under one label, each with its place."""
    for number, place in enumerate(places):
        if place.joined:
            continue
        word = lexer.take()
        if word.is_label or not word.text:
            owner = f"seat {place.label}" if place.label.isdigit() else f"the {place.label}"
            raise word.wrong(f"card {number + 1} of {len(places)} of {owner} is missing: found {word}", rule)
        if number + 1 == len(places) or not places[number + 1].joined:
            yield word, place
            continue
        first, second = word.cut("/")
        if second is None:
            raise first.wrong("two cards must stand here, joined by a slash, such as RH/T3", rule)
        yield first, place
        yield second, places[number + 1]
