"""Le Plateau in text, read: a deal, an action to decide, or a fact to compare with the rules (docs/notation.md)."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, cast

from domain.cards import TAROT_PACK
from domain.le_plateau import agreements, bidding, exchange, partners, play
from domain.le_plateau import events as ev
from domain.le_plateau.actions import (
    Abdicate,
    Action,
    Announce,
    Bid,
    ChooseTalon,
    Exchange,
    Gift,
    Give,
    Keep,
    Pass,
    Play,
    RaiseObjective,
)
from domain.le_plateau.board import OBJECTIVES, Objective
from domain.le_plateau.notation_deal import RULE as DEAL_RULE
from domain.le_plateau.notation_deal import read_deal
from domain.le_plateau.notation_facts import Facts, is_fact
from domain.le_plateau.notation_writer import STOP
from domain.le_plateau.state import State, deal_of
from domain.notation_deals import card_of, seat_of
from domain.replay import Replay
from domain.ruleset import IllegalAction, Seat
from domain.words import Word, Words

_NUMBER = re.compile("[0-9]{1,4}[.]")
_BID = re.compile(rf"({'|'.join(OBJECTIVES)})([.]x)?[.](solo|duo|trio)")


def read(replay: Replay, words: Words) -> None:
    """Read a game as far as its words go, and play it again."""
    reader = _Reader(replay, words)
    while words.more:
        reader.step()
    reader.tell()


@dataclass(frozen=True, slots=True)
class _Said:
    """An action as it was read, the words that name its parts, and what is said to follow from it."""

    action: Action
    parts: Sequence[Word] = ()
    follows: Word | None = None


class _Reader:
    """Reads entry after entry: a word with what belongs to it, perhaps behind the label of a seat."""

    def __init__(self, replay: Replay, words: Words) -> None:
        self._replay = replay
        self._words = words
        self._facts = Facts(words)
        self._untold = ""

    @property
    def _state(self) -> State:
        return cast("State", self._replay.state)

    def step(self) -> None:
        """Read one deal, one fact or one action."""
        label = self._words.take() if self._words.next.is_label else None
        seat = None if label is None else seat_of(label, self._replay.seats)
        word = self._words.take()
        if _NUMBER.fullmatch(word.text):
            self._deal(word, label)
        elif word.text == STOP:
            self._stop(word, label)
        elif is_fact(word):
            whose = self._facts.check(word, self._state)
            if label is not None and seat != whose:
                raise label.wrong("this is nobody's: leave the seat out" if whose is None else f"it is seat {whose}'s")
        else:
            self._act(word, label, seat)

    def tell(self) -> None:
        """Tell how the last hand ended, if that has not been told."""
        if self._untold:
            self._replay.tell(self._untold)
            self._untold = ""

    def _deal(self, number: Word, label: Word | None) -> None:
        if label is not None:
            raise label.wrong("a deal begins with its number alone", DEAL_RULE)
        if self._state.phase != "deal":
            self._refuse(number)
        self.tell()
        self._facts.happened(read_deal(number, self._replay, self._words))

    def _stop(self, word: Word, label: Word | None) -> None:
        """Read that the players agreed to stop after this hand."""
        if label is not None:
            raise label.wrong("all agree to stop: leave the seat out", agreements.RULE)
        if not self._replay.to_act or not agreements.proposals(self._state, 0):
            raise word.wrong("there is no hand now after which the players could agree to stop", agreements.RULE)
        self._facts.happened(self._replay.record(agreements.agree(self._state, "stop_after_hand")))

    def _act(self, word: Word, label: Word | None, seat: Seat | None) -> None:
        if not self._replay.to_act:
            self._refuse(label or word)
        phase, actor = _PHASES[self._state.phase], self._replay.to_act[0]
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
        self._facts.happened(events)
        if said.follows is not None:
            self._facts.check_follows(said.follows, phase.rule)
        if any(isinstance(event, ev.HandScored) for event in events):
            self._untold = _story(self._state)

    def _refuse(self, word: Word) -> NoReturn:
        """Refuse a deal in the middle of a hand, and an action between hands."""
        if self._state.phase == "over":
            raise word.wrong("the game is over: only its result can follow")
        if self._state.phase == "deal":
            number = self._state.hand.deal_number + 1
            raise word.wrong(f"the next deal belongs here, beginning with {number}. and the dealer", DEAL_RULE)
        phase = _PHASES[self._state.phase]
        raise word.wrong(f"the hand is not over: seat {self._replay.to_act[0]} is to {phase.wanted}", phase.rule)

    def _culprit(self, word: Word, said: _Said, actor: Seat) -> Word:
        """Give the word at fault: of several cards the first that is not held, or is named before."""
        named: set[str] = set()
        for each in said.parts:
            card = each.text.upper()
            if card not in self._state.table.held[actor] or card in named:
                return each
            named.add(card)
        return said.parts[-1] if said.parts else word

    # -- the action of each phase; None for a word that is none ---------------------------------------------------

    def bid(self, word: Word) -> _Said | None:
        """Read a bid, or a pass."""
        if word.text.lower() == "pass":
            return _Said(Pass())
        head, follows = word.cut("=")
        found = _BID.fullmatch(head.text.lower())
        if found is None:
            return None
        objective, exchange_part, team = found.groups()
        no_exchange = False if deal_of(self._state).exchange else None
        exchanges = True if exchange_part else no_exchange
        return _Said(Bid(exchanges, cast("Objective", objective), cast("Any", team)), (), follows)

    def pick(self, word: Word) -> _Said | None:
        """Read the choice of a group of the talon."""
        if word.text.lower() != "pick":
            return None
        group = self._words.take()
        if group.text not in ("0", "1"):
            raise group.wrong(f"{group} is no group of the talon: pick 0, the first three cards, or 1", exchange.RULE)
        return _Said(ChooseTalon(int(group.text)))

    def lay(self, word: Word) -> _Said | None:
        """Read a discard of as many cards as were taken."""
        if word.text.lower() != "lay":
            return None
        cards = [self._words.take() for _ in self._state.hand.taken]
        return _Said(Exchange(tuple(card_of(card, TAROT_PACK, exchange.RULE) for card in cards)), cards)

    def give(self, word: Word) -> _Said | None:
        """Read two gifts."""
        if word.text.lower() != "give":
            return None
        receivers = {str(seat): seat for seat in range(self._replay.seats) if seat not in self._replay.to_act}
        gifts: list[Gift] = []
        cards: list[Word] = []
        for _ in range(2):
            card, to = self._words.take().cut(">")
            code = card_of(card, TAROT_PACK, exchange.RULE)
            if to is None or to.text not in receivers:
                message = "two cards go to two other players, such as RS>1 2D>4"
                raise (card if to is None else to).wrong(message, exchange.RULE)
            gifts.append(Gift(receivers.pop(to.text), code))
            cards.append(card)
        return _Said(Give(tuple(gifts)), cards)

    def call(self, word: Word) -> _Said | None:
        """Read an announcement."""
        if word.text.lower() != "call":
            return None
        card, follows = self._words.take().cut("=")
        return _Said(Announce(card_of(card, TAROT_PACK, partners.RULE)), (card,), follows)

    def raise_or_keep(self, word: Word) -> _Said | None:
        """Read a raise, or what is said instead."""
        match word.text.lower():
            case "keep":
                return _Said(Keep())
            case "abdicate":
                return _Said(Abdicate())
            case "raise":
                return self._raise()
            case _:
                return None

    def _raise(self) -> _Said:
        word, follows = self._words.take().cut("=")
        objective = next((each for each in OBJECTIVES if each == word.text.lower()), None)
        if objective is None:
            raise word.wrong(f"{word} is no objective: they are {' '.join(OBJECTIVES)}", partners.RULE)
        return _Said(RaiseObjective(objective), (word,), follows)

    def play(self, word: Word) -> _Said | None:
        """Read a card played."""
        card, follows = word.cut("=")
        return _Said(Play(card.text.upper()), (card,), follows) if card.text.upper() in TAROT_PACK else None


def _story(state: State) -> str:
    """Tell in a sentence how the last hand ended."""
    result = state.results[-1]
    contract, scores = result["contract"], " ".join(f"{score:+}" for score in result["scores"])
    if contract is None:
        return f"deal {result['deal_number']}: all passed"
    friends = "".join(f" with seat {seat}" for seat in contract["partners"])
    makes = "makes" if result["by"] == "declarer" else "does not make"
    return (
        f"deal {result['deal_number']}: seat {contract['declarer']}{friends} {makes} {contract['objective']}, "
        f"value {result['value']}: {scores}"
    )


@dataclass(frozen=True, slots=True)
class _Phase:
    """How the action of a phase is read, what its seat is to do, and the section of its rules."""

    read: Callable[[_Reader, Word], _Said | None]
    wanted: str
    rule: str


_PHASES: Mapping[str, _Phase] = {
    "bid": _Phase(_Reader.bid, "bid (such as y.x.duo) or pass", bidding.RULE),
    "choose_talon": _Phase(_Reader.pick, "pick a group of the talon (pick 0 or pick 1)", exchange.RULE),
    "exchange": _Phase(_Reader.lay, "lay aside as many cards as it took (such as lay 1S 2S 3S)", exchange.RULE),
    "give": _Phase(_Reader.give, "give two cards (such as give RS>1 2D>4)", exchange.RULE),
    "announce": _Phase(_Reader.call, "call a card (such as call RS)", partners.RULE),
    "raise": _Phase(_Reader.raise_or_keep, "keep or raise the objective (such as raise fork)", partners.RULE),
    "play": _Phase(_Reader.play, "play a card", play.RULE),
}
