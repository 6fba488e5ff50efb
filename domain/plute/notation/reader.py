"""Plute in text, read: a deal, an action to decide, or a fact to compare with the rules (docs/notation.md)."""

import re
from typing import NoReturn, cast

from domain.errors import IllegalAction
from domain.notation.deals import seat_of
from domain.notation.lexer import Word, Words
from domain.notation.replay import Replay
from domain.plute import bidding, naming, play, stopping
from domain.plute.actions import Action, Bid, Claim, Pass, Play
from domain.plute.deck import PACK, TRUMP_SUITS, TrumpSuit
from domain.plute.notation.deal import RULE as DEAL_RULE
from domain.plute.notation.deal import read_deal
from domain.plute.notation.facts import Facts, is_fact
from domain.plute.notation.writer import CLAIM, PASS
from domain.plute.state import State, of_team
from domain.table import Seat

_NUMBER = re.compile("[0-9]{1,4}[.]")
_WANTED = {"bid": "bid (4 to 7) or pass", "play": "play a card"}
_RULES = {"bid": bidding.RULE, "play": play.RULE}


def read(replay: Replay, words: Words) -> None:
    """Read a game as far as its words go, and play it again."""
    reader = _Reader(replay, words)
    while words.more:
        reader.step()
    reader.tell()


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
        if label is None and _NUMBER.fullmatch(word.text):
            self._deal(word)
        elif label is None and is_fact(word):
            self._facts.check(word, self._state)
        else:
            self._act(word, label, seat)

    def tell(self) -> None:
        """Tell how the last hand ended, if that has not been told."""
        if self._untold:
            self._replay.tell(self._untold)
            self._untold = ""

    def _deal(self, number: Word) -> None:
        if self._state.phase != "deal":
            self._refuse(number)
        self.tell()
        read_deal(number, self._replay, self._words)
        self._facts.happened(())

    def _act(self, word: Word, label: Word | None, seat: Seat | None) -> None:
        """Have an action decided; that of a seat not named is the one's whose turn it is."""
        if not self._replay.to_act:
            self._refuse(label or word)
        turn = self._turn()
        action, winner = self._action(word, seat)
        if seat not in (None, turn) and not isinstance(action, Claim):
            raise (label or word).wrong(f"seat {turn} is to {_WANTED[self._state.phase]}, not seat {seat}", self._rule)
        actor = turn if seat is None else seat
        try:
            events = self._replay.act(actor, action)
        except IllegalAction as refused:
            raise word.wrong(f"seat {actor}: {refused.message}", refused.rule) from refused
        self._facts.happened(events)
        if winner is not None:
            self._facts.check_winner(winner)
        if self._state.phase in ("deal", "over"):
            self._untold = _story(self._state)

    @property
    def _rule(self) -> str:
        return _RULES[self._state.phase]

    def _turn(self) -> Seat:
        """Say whose turn it is: between tricks that is the leader's, whoever else may claim."""
        turn = play.turn(self._state) if self._state.phase == "play" else None
        return self._replay.to_act[0] if turn is None else turn

    def _action(self, word: Word, seat: Seat | None) -> tuple[Action, Word | None]:
        """Read an action, and who is said to win the trick by it."""
        text = word.text.lower()
        if text == CLAIM:
            return self._claim(word, seat), None
        if self._state.phase == "bid" and text == PASS:
            return Pass(), None
        if self._state.phase == "bid" and re.fullmatch("[0-9]", text):
            return Bid(int(text)), None
        card, winner = word.cut("=")
        card, declared = card.cut(".")
        if self._state.phase != "play" or card.text.upper() not in PACK:
            raise word.wrong(f"{word} does not fit: seat {self._turn()} is to {_WANTED[self._state.phase]}", self._rule)
        return Play(card.text.upper(), None if declared is None else self._suit(declared)), winner

    def _claim(self, word: Word, seat: Seat | None) -> Claim:
        if self._state.phase != "play":
            raise word.wrong(f"nothing can be claimed: seat {self._turn()} is to {_WANTED['bid']}", self._rule)
        if seat is None:
            raise word.wrong("say which seat claims, such as 0:claim", stopping.RULE)
        return Claim()

    def _suit(self, declared: Word) -> TrumpSuit:
        suit = next((suit for suit in TRUMP_SUITS if suit == declared.text.upper()), None)
        if suit is None:
            raise declared.wrong(f"a suit must stand here: {' '.join(TRUMP_SUITS)}", naming.RULE)
        return suit

    def _refuse(self, word: Word) -> NoReturn:
        """Refuse a deal in the middle of a hand, and an action between hands."""
        if self._state.phase == "over":
            raise word.wrong("the game is over: only its result can follow")
        if self._state.phase == "deal":
            number = self._state.hand.number + 1
            raise word.wrong(f"the next deal belongs here, beginning with {number}. and the dealer", DEAL_RULE)
        message = f"the hand is not over: seat {self._turn()} is to {_WANTED[self._state.phase]}"
        raise word.wrong(message, self._rule)


def _story(state: State) -> str:
    """Tell in a sentence how the last hand ended."""
    result = state.results[-1]
    contract, points = result.contract, result.points[0].points
    tally = of_team(state.tallies, contract.team)
    done = "makes it" if result.made else "is set"
    plute = f", and {result.plute} takes all nine tricks: a Plute" if result.plute else ""
    return (
        f"hand {result.hand_number}: seat {contract.bidder} bids {contract.points} for {contract.team}, "
        f"which wins {len(points)} and {done} (made {tally.made}, set {tally.set}){plute}"
    )
