"""Reading the text of a game of cards, deal by deal: what the readers of Le Plateau and French Tarot share.

A game says how its deals, its facts and the action of each phase are read; what is wrong is found here.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

from domain.errors import IllegalAction
from domain.notation.deals import seat_of
from domain.notation.lexer import Word, Words
from domain.notation.replay import Replay
from domain.table import Seat

_NUMBER = re.compile("[0-9]{1,4}[.]")


@dataclass(frozen=True, slots=True)
class Said:
    """An action as it was read, the words that name its cards, and what is said to follow from it."""

    action: Any
    cards: Sequence[Word] = ()
    follows: Word | None = None


@dataclass(frozen=True, slots=True)
class Phase:
    """How the action of a phase is read (None for another word), what is wanted, and the section of its rules."""

    read: Callable[[Any, Word], Said | None]
    wanted: str
    rule: str


class Facts(Protocol):
    """What has happened, to be compared with what a text says of it."""

    def happened(self, events: Sequence[Any]) -> None:
        """Note what an action, or a deal, has brought about."""

    def check(self, word: Word, state: Any) -> Seat | None:
        """Compare a fact; answer whose it is."""

    def check_follows(self, said: Word, rule: str) -> None:
        """Compare what is said to follow from an action."""


class DealReader(ABC):
    """Reads entry after entry: a word with what belongs to it, perhaps behind the label of a seat."""

    GAME: str
    """What ends with the result."""
    DEAL: str
    """What ends before the next deal."""
    DEAL_RULE: str

    def __init__(self, replay: Replay, words: Words, facts: Facts) -> None:
        self._replay = replay
        self._words = words
        self._facts = facts
        self._untold = ""

    # -- what a game says ------------------------------------------------------------------------------------------

    @abstractmethod
    def phases(self) -> Mapping[str, Phase]:
        """Give the phases in which a seat acts."""

    @abstractmethod
    def is_fact(self, word: Word) -> bool:
        """Say whether a word begins a fact."""

    @abstractmethod
    def read_deal(self, number: Word) -> Sequence[Any]:
        """Read a deal, and answer its events."""

    @abstractmethod
    def next_number(self) -> int:
        """Give the number of the next deal."""

    @abstractmethod
    def cards_of(self, seat: Seat) -> Sequence[str]:
        """List the cards that a seat may name."""

    @abstractmethod
    def story(self, event: Any) -> str:
        """Tell in a sentence how a deal ended, if an event says so, else nothing."""

    def agreement(self, _word: Word, _label: Word | None) -> Sequence[Any] | None:
        """Read what all agree on, and answer what came of it; None for another word."""
        return None

    # -- reading ---------------------------------------------------------------------------------------------------

    def read(self) -> None:
        """Read a game as far as its words go, and play it again."""
        while self._words.more:
            self._step()
        self._tell()

    def _step(self) -> None:
        """Read one deal, one fact or one action."""
        label = self._words.take() if self._words.next.is_label else None
        seat = None if label is None else seat_of(label, self._replay.seats)
        word = self._words.take()
        if _NUMBER.fullmatch(word.text):
            self._deal(word, label)
        elif (events := self.agreement(word, label)) is not None:
            self._happened(events)
        elif self.is_fact(word):
            whose = self._facts.check(word, self._replay.state)
            if label is not None and seat != whose:
                raise label.wrong("this is nobody's: leave the seat out" if whose is None else f"it is seat {whose}'s")
        else:
            self._act(word, label, seat)

    def _tell(self) -> None:
        """Tell how the last deal ended, if that has not been told."""
        if self._untold:
            self._replay.tell(self._untold)
            self._untold = ""

    def _deal(self, number: Word, label: Word | None) -> None:
        if label is not None:
            raise label.wrong("a deal begins with its number alone", self.DEAL_RULE)
        if self._replay.state.phase != "deal":
            self._refuse(number)
        self._tell()
        self._happened(self.read_deal(number))

    def _act(self, word: Word, label: Word | None, seat: Seat | None) -> None:
        if not self._replay.to_act:
            self._refuse(label or word)
        phase, actor = self._phase, self._replay.to_act[0]
        if label is not None and seat != actor:
            raise label.wrong(f"seat {actor} is to {phase.wanted}, not seat {seat}", phase.rule)
        said = phase.read(self, word)
        if said is None:
            raise word.wrong(f"{word} does not fit: seat {actor} is to {phase.wanted}", phase.rule)
        try:
            events = self._replay.act(actor, said.action)
        except IllegalAction as refused:
            fault = self._culprit(word, said, actor)
            raise fault.wrong(f"seat {actor}: {refused.message}", refused.rule) from refused
        self._happened(events)
        if said.follows is not None:
            self._facts.check_follows(said.follows, phase.rule)

    @property
    def _phase(self) -> Phase:
        return self.phases()[self._replay.state.phase]

    def _happened(self, events: Sequence[Any]) -> None:
        self._facts.happened(events)
        self._untold = next(filter(None, map(self.story, events)), self._untold)

    def _refuse(self, word: Word) -> NoReturn:
        """Refuse a deal in the middle of a deal, and an action between deals."""
        phase = self._replay.state.phase
        if phase == "over":
            raise word.wrong(f"the {self.GAME} is over: only its result can follow")
        if phase == "deal":
            message = f"the next deal belongs here, beginning with {self.next_number()}. and the dealer"
            raise word.wrong(message, self.DEAL_RULE)
        message = f"the {self.DEAL} is not over: seat {self._replay.to_act[0]} is to {self._phase.wanted}"
        raise word.wrong(message, self._phase.rule)

    def _culprit(self, word: Word, said: Said, actor: Seat) -> Word:
        """Give the word at fault: of several cards the first that is not the seat's, or is named before."""
        named: set[str] = set()
        for each in said.cards:
            card = each.text.upper()
            if card not in self.cards_of(actor) or card in named:
                return each
            named.add(card)
        return said.cards[-1] if said.cards else word
