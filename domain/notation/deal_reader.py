"""Reading the text of a card game, deal by deal: one reader for all such games, each with its own grammar."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, Generic, NoReturn, TypeVar

from domain.cardplay.cards import Card
from domain.errors import IllegalAction
from domain.notation.deals import CardCodes, Deals
from domain.notation.facts import Consequences, Fact
from domain.notation.lexer import Lexer, NotationError, Word
from domain.notation.replay import Replay
from domain.phases import InPhase
from domain.sentences import message as msg
from domain.table import Seat

_NUMBER = re.compile("[0-9]{1,4}[.]")
_LIKE_A_CARD = re.compile("[A-Za-z0-9?]{1,3}")
"""The form of card codes, right, wrong or hidden: words that can follow the cards of an action are longer."""

StateT = TypeVar("StateT", bound=InPhase)


@dataclass(frozen=True, slots=True)
class Said:
    """An action as read, the words that name its cards, and the results that the text states for it.

    The last of the words is at fault where the rules refuse the action for none of its cards alone. ``surplus`` is the
    error of the first card too many, which is raised once what stands before it is found right.
    """

    action: object
    cards: Sequence[Word] = ()
    follows: Word | None = None
    surplus: NotationError | None = None


@dataclass(frozen=True, slots=True)
class PhaseGrammar(Generic[StateT]):
    """How to read the action of a phase (None for another word), what it must be, and the section of its rules.

    ``is_card`` is whether it is a card alone: then a word that does not fit is told which cards there are.
    """

    read: Callable[["DealReader[StateT]", Word], Said | None]
    wanted: str
    rule: str
    is_card: bool = False


def _winner(event: Any) -> Seat | None:
    return getattr(event, "winner", None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar(Generic[StateT]):
    """What a game adds to the shared reader.

    ``game`` and ``deal`` are what the game calls itself and its deals. ``facts`` are by the word that states them, or
    by its first sign (``#3``). ``result_of`` returns what can stand after ``=`` for an event: the winner of a trick, if
    nothing else can. ``cards_of`` returns the cards that a seat can name. ``story`` returns a sentence for an event
    that ends a deal, else an empty text. ``out_of_turn`` reads words that need not wait for a turn: each function
    receives the word, the label before it and its seat, and returns the events that follow.
    """

    game: str
    deal: str
    deals: Deals[StateT, Any]
    phases: Mapping[str, PhaseGrammar[StateT]]
    facts: Mapping[str, Fact[StateT]]
    cards_of: Callable[[StateT, Seat], Collection[Card]]
    story: Callable[[StateT, object], str]
    result_of: Callable[[object], object | None] = _winner
    out_of_turn: Mapping[str, Callable[["DealReader[StateT]", Word, Word | None, Seat | None], Sequence[object]]] = (
        field(default_factory=dict)
    )

    def read(self, replay: Replay[StateT], lexer: Lexer) -> None:
        """Read a game to its end, and play it again."""
        DealReader(self, replay, lexer).read()


def seat_of(label: Word, seats: int) -> Seat:
    """Read the label of a seat."""
    digits = label.text[:-1]
    if digits not in map(str, range(seats)):
        raise label.wrong(f"{label} is not a seat: seats are 0: to {seats - 1}:")
    return int(digits)


class DealReader(Generic[StateT]):
    """Reads entry after entry: a word with what belongs to it, perhaps after the label of a seat."""

    def __init__(self, grammar: Grammar[StateT], replay: Replay[StateT], lexer: Lexer) -> None:
        self.replay = replay
        self.lexer = lexer
        self._grammar = grammar
        self._since = Consequences(lexer)
        self._story = ""
        """How the last deal ended, until that has been reported."""

    @property
    def state(self) -> StateT:
        """Return the state of the game so far."""
        return self.replay.state

    def read(self) -> None:
        """Read a game to its end, and play it again."""
        while self.lexer.more:
            self._step()
        self._report()

    def take_card(self) -> tuple[Card, Word]:
        """Take a card; return its code and its word."""
        word = self.lexer.take()
        return self._cards.read(word), word

    def take_cards(self, number: int) -> tuple[tuple[Card, ...], list[Word]]:
        """Take a number of cards; return their codes and their words."""
        taken = [self.take_card() for _ in range(number)]
        return tuple(card for card, _ in taken), [word for _, word in taken]

    def cards_ahead(self) -> list[Word]:
        """Return the words that follow and name cards alone, up to the first that does not."""
        return [*takewhile(self._cards.__contains__, self.lexer.ahead())]

    def take_exactly(
        self, number: int, given: int, wrong: str, rule: str
    ) -> tuple[tuple[Card, ...], list[Word], NotationError | None]:
        """Take a number of cards where others are ``given``; raise at the first that is missing.

        Return their codes, their words, and the error of the first card too many.
        """
        fault = self.lexer.peek(min(given, number)).wrong(f"{wrong}, not {given}", rule)
        if given < number:
            raise fault
        return *self.take_cards(number), fault if given > number else None

    def take_cards_aside(
        self, number: int, rule: str, *, then_a_card: bool = False
    ) -> tuple[tuple[Card, ...], list[Word], NotationError | None]:
        """Take the cards that are laid aside, as ``take_exactly`` does.

        They are all the cards that follow, unless a card can be played right after them (``then_a_card``). A word that
        is like a card is read as one.
        """
        given = len(self.cards_ahead())
        if (given > number and then_a_card) or (given < number and self.is_like_a_card(given)):
            given = number
        return self.take_exactly(number, given, f"lay aside {number} cards", rule)

    def is_like_a_card(self, place: int) -> bool:
        """Return whether the word at a place among those ahead could be meant as a card, if it is not one already."""
        return _LIKE_A_CARD.fullmatch(self.lexer.peek(place).text) is not None

    def can_name(self, seat: Seat, word: Word) -> bool:
        """Return whether a word is a card that a seat can name now."""
        return word.text.upper() in self._grammar.cards_of(self.state, seat)

    def act(self, seat: Seat, word: Word, said: Said) -> Sequence[object]:
        """Play an action; return the events that follow, or raise at the word that is at fault."""
        try:
            events = self.replay.act(seat, said.action)
        except IllegalAction as refused:
            fault = self._culprit(word, said, seat, refused)
            raise fault.wrong(f"seat {seat}: {refused.message}", refused.rule) from refused
        if said.surplus is not None:
            raise said.surplus
        return events

    def wanted(self) -> str:
        """Return which seat must act, and how."""
        return f"seat {self.replay.turn} must {self._phase.wanted}"

    def _step(self) -> None:
        """Read one deal, one fact or one action."""
        label = self.lexer.take() if self.lexer.next.is_label else None
        seat = None if label is None else seat_of(label, self.replay.seats)
        word = self.lexer.take()
        if _NUMBER.fullmatch(word.text):
            self._deal(word, label)
        elif fact := self._fact(word):
            owner = fact(self._since, word, self.state)
            if label is not None and seat != owner:
                raise label.wrong(
                    "this belongs to no seat: leave the seat out" if owner is None else f"this belongs to seat {owner}"
                )
        elif read := self._grammar.out_of_turn.get(word.text.lower()):
            self._happened(read(self, word, label, seat))
        else:
            self._act(word, label, seat)

    def _fact(self, word: Word) -> Fact[StateT] | None:
        return self._grammar.facts.get(word.text.lower()) or self._grammar.facts.get(word.text[:1])

    def _deal(self, number: Word, label: Word | None) -> None:
        if label is not None:
            raise label.wrong("a deal begins with its number alone", self._grammar.deals.rule)
        if self.replay.state.phase != "deal":
            self.refuse(number)
        self._report()
        self._happened(self._grammar.deals.read(number, self.replay, self.lexer))

    def _act(self, word: Word, label: Word | None, seat: Seat | None) -> None:
        turn = self.replay.turn
        if turn is None:
            self.refuse(label or word)
        phase = self._phase
        if label is not None and seat != turn:
            raise label.wrong(f"{self.wanted()}, not seat {seat}", phase.rule)
        said = phase.read(self, word)
        if said is None:
            listed, rule = (f", one of {self._cards.listed}", self._cards.rule) if phase.is_card else ("", phase.rule)
            raise word.wrong(f"{word} does not fit: {self.wanted()}{listed}", rule)
        self._happened(self.act(turn, word, said))
        if said.follows is not None:
            self._since.compare_result(said.follows, self._grammar.result_of, phase.rule)

    @property
    def _cards(self) -> CardCodes:
        return self._grammar.deals.cards

    @property
    def _phase(self) -> PhaseGrammar[StateT]:
        return self._grammar.phases[self.replay.state.phase]

    def _happened(self, events: Sequence[object]) -> None:
        self._since.happened(events)
        for event in events:
            self._story = self._grammar.story(self.state, event) or self._story

    def _report(self) -> None:
        if self._story:
            self.replay.report(self._story)
            self._story = ""

    def refuse(self, word: Word) -> NoReturn:
        """Reject a deal in the middle of a deal, and an action between deals."""
        if self.replay.state.phase == "over":
            raise word.wrong(f"the {self._grammar.game} is over: only its result can follow")
        if self.replay.state.phase == "deal":
            number, rule = self._grammar.deals.next_number(self.state), self._grammar.deals.rule
            raise word.wrong(f"the next deal must come here, beginning with {number}. and the dealer", rule)
        raise word.wrong(f"the {self._grammar.deal} is not over: {self.wanted()}", self._phase.rule)

    def _culprit(self, word: Word, said: Said, seat: Seat, refused: IllegalAction) -> Word:
        """Return the word at fault: the first card that the seat lacks, has named, or may not name, else the last."""
        about = refused.said.parameters.get("card") if isinstance(refused.said, msg.Message) else None
        named: set[Card] = set()
        for each in said.cards:
            card = each.text.upper()
            if card in named or not self.can_name(seat, each) or about == msg.Card(card):
                return each
            named.add(card)
        return said.cards[-1] if said.cards else word
