"""Le Plateau in text: reading a deal, and checking that it is a possible one (docs/notation.md).

A deal is a fact that only the text can tell; how many cards go where, and which, is for the rules to say.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from domain.cardplay.cards import TAROT_PACK, Card, in_deck_order
from domain.le_plateau import events as ev
from domain.le_plateau.board import Space
from domain.le_plateau.dealt import DealtPile
from domain.notation.deals import card_of, check_numbers, read_dealer
from domain.notation.lexer import Word, Words
from domain.notation.replay import Replay, unshuffled
from domain.table import Seat

RULE = "3. Decks and deals"
_BOARD_RULE = "2. The board"
_TALON = "talon"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a card can be dealt: the hand of a seat, or a numbered place in a pile of theirs or in the talon."""

    owner: str
    part: str = "hand"
    number: int = 0

    def __str__(self) -> str:
        if self.owner == _TALON:
            return f"the talon, card {self.number + 1}"
        of_seat = f"seat {self.owner}'s"
        return f"{of_seat} hand" if self.part == "hand" else f"the {self.part} card of {of_seat} pile {self.number + 1}"


def places(deal: ev.HandDealt) -> dict[Card, Place]:
    """Map each card of a deal to its place."""
    found = {card: Place(str(hand.seat)) for hand in deal.hands for card in hand.cards}
    for of_seat in deal.piles:
        for number, pile in enumerate(of_seat.piles):
            found[pile.top] = Place(str(of_seat.seat), "upper", number)
            found[pile.under] = Place(str(of_seat.seat), "lower", number)
    return found | {card: Place(_TALON, _TALON, number) for number, card in enumerate(deal.talon.cards)}


def read_deal(number: Word, replay: Replay, words: Words) -> list[ev.HandDealt]:
    """Read a deal, whose number is taken already, and record it."""
    dealer, seat = read_dealer(words, RULE)
    form, *more = replay.drawn(unshuffled(seat))
    told = _Deal(replay, words, form)
    told.check_numbers(number, dealer)
    board = told.read_board()
    told.read_cards()
    return replay.record([replace(told.event(), board=board), *more])


class _Deal:
    """A deal being read. ``form`` is the deal of an unshuffled deck, ``true`` the one that the seeds give, if known."""

    def __init__(self, replay: Replay, words: Words, form: ev.HandDealt) -> None:
        self._replay = replay
        self._words = words
        self._form = form
        self._true: ev.HandDealt | None = replay.drawn(replay.chance)[0] if replay.chance else None
        self._placed: dict[Card, Place] = {}

    @cached_property
    def _true_places(self) -> Mapping[Card, Place]:
        return places(self._true) if self._true else {}

    @cached_property
    def _in_play(self) -> Mapping[Card, Place]:
        return places(self._form)

    def check_numbers(self, number: Word, dealer: Word) -> None:
        """Refuse another number than the deal's, and another dealer than the one whose turn it is."""
        dealers = (self._form.dealer, self._true.dealer) if self._true else (self._form.dealer,)
        check_numbers(number, self._form.deal_number, dealer, dealers, self._replay.seats, RULE)

    def read_board(self) -> tuple[Space, ...]:
        """Read the tokens of the board; only a board at random must be written."""
        label = self._words.next
        if label.text.lower() == "board:":
            self._words.take()
            return self._read_tokens(self._fixed_board())
        if self._replay.options.board.startswith("random"):
            raise label.wrong("the board is at random here: write 'board:' and its 37 tokens", _BOARD_RULE)
        return self._form.board

    def _fixed_board(self) -> tuple[Space, ...] | None:
        """Give the board that must lie here, None where any will do."""
        board = self._replay.options.board
        if self._true:
            return self._true.board
        is_drawn = board == "random_deal" or (board == "random_game" and self._form.deal_number == 1)
        return None if is_drawn else self._form.board

    def _read_tokens(self, fixed: tuple[Space, ...] | None) -> tuple[Space, ...]:
        tokens: list[Space] = []
        for place in range(len(self._form.board)):
            word = self._words.take()
            token = word.text.upper()
            if token not in self._form.board:
                raise word.wrong(f"{word} is no token of this board; token {place + 1} of 37 belongs here", _BOARD_RULE)
            if token in tokens:
                raise word.wrong(f"{token} lies on the board already", _BOARD_RULE)
            if fixed and fixed[place] != token:
                raise word.wrong(f"{fixed[place]} lies here, not {token}", _BOARD_RULE)
            tokens.append(token)
        return tuple(tokens)

    def read_cards(self) -> None:
        """Read the hands, with two players the piles, and the talon, in any order, until every card has its place."""
        missing = {f"{hand.seat}:": hand.count for hand in self._form.hands}
        if self._form.talon.count:
            missing[f"{_TALON}:"] = self._form.talon.count
        while missing:
            label = self._words.take()
            count = missing.pop(label.text.lower(), None)
            if count is None:
                raise label.wrong(f"the deal goes on with {' or '.join(missing)} and cards, not with {label}", RULE)
            self._read_owner(label.text.lower().removesuffix(":"), count)

    def _read_owner(self, owner: str, count: int) -> None:
        piles = next((len(each.piles) for each in self._form.piles if str(each.seat) == owner), 0)
        for number in range(piles):
            upper, lower = self._words.take().cut("/")
            if lower is None:
                raise upper.wrong(f"pile {number + 1} of {piles} belongs here, as upper/lower, such as RH/T3", RULE)
            self._place(upper, Place(owner, "upper", number))
            self._place(lower, Place(owner, "lower", number))
        for number in range(count):
            word = self._words.take()
            if word.is_label or word.text == "":
                whose = "the talon" if owner == _TALON else f"seat {owner}"
                raise word.wrong(f"card {number + 1} of {count} of {whose} is missing: here stands {word}", RULE)
            self._place(word, Place(owner, _TALON, number) if owner == _TALON else Place(owner))

    def _place(self, word: Word, place: Place) -> None:
        card = card_of(word, TAROT_PACK, RULE)
        if card not in self._in_play:
            raise word.wrong(f"{card} is not in play in this game", RULE)
        if card in self._placed:
            raise word.wrong(f"{card} is dealt twice: it lies in {self._placed[card]}", RULE)
        true = self._true_places.get(card, place)
        if true != place:
            raise word.wrong(f"by the seeds {card} goes to {true}, not to {place}", RULE)
        self._placed[card] = place

    def event(self) -> ev.HandDealt:
        """Give the deal as it was read, on the board of its form."""
        return replace(
            self._form,
            hands=tuple(replace(hand, cards=in_deck_order(self._at(str(hand.seat)))) for hand in self._form.hands),
            piles=tuple(
                replace(each, piles=tuple(self._piles(each.seat, len(each.piles)))) for each in self._form.piles
            ),
            talon=replace(self._form.talon, cards=tuple(self._at(_TALON, _TALON))),
        )

    def _piles(self, seat: Seat, count: int) -> Iterator[DealtPile]:
        cards = {place: card for card, place in self._placed.items()}
        for number in range(count):
            yield DealtPile(cards[Place(str(seat), "upper", number)], cards[Place(str(seat), "lower", number)])

    def _at(self, owner: str, part: str = "hand") -> list[Card]:
        """List the cards of one place, as they were read."""
        return [card for card, place in self._placed.items() if (place.owner, place.part) == (owner, part)]
