"""Le Plateau in text, read: a deal, an action to decide, or a fact to compare with the rules (docs/notation.md)."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from domain.cardplay.cards import TAROT_PACK
from domain.le_plateau import agreements, bidding, partners, play, talon_exchange
from domain.le_plateau import events as ev
from domain.le_plateau.actions import (
    Abdicate,
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
from domain.le_plateau.notation.deal import RULE as DEAL_RULE
from domain.le_plateau.notation.deal import read_deal
from domain.le_plateau.notation.facts import Facts, is_fact
from domain.le_plateau.notation.writer import STOP
from domain.le_plateau.state import State, deal_of
from domain.notation.deal_reader import DealReader, Phase, Said
from domain.notation.deals import card_of
from domain.notation.lexer import Word, Words
from domain.notation.replay import Replay
from domain.table import Seat

_BID = re.compile(rf"({'|'.join(OBJECTIVES)})([.]x)?[.](solo|duo|trio)")


def read(replay: Replay, words: Words) -> None:
    """Read a game as far as its words go, and play it again."""
    _Reader(replay, words, Facts(words)).read()


class _Reader(DealReader):
    GAME, DEAL, DEAL_RULE = "game", "hand", DEAL_RULE

    @property
    def _state(self) -> State:
        return cast("State", self._replay.state)

    def phases(self) -> Mapping[str, Phase]:
        return _PHASES

    def is_fact(self, word: Word) -> bool:
        return is_fact(word)

    def read_deal(self, number: Word) -> Sequence[Any]:
        return read_deal(number, self._replay, self._words)

    def next_number(self) -> int:
        return self._state.hand.deal_number + 1

    def cards_of(self, seat: Seat) -> Sequence[str]:
        return self._state.table.held[seat]

    def story(self, event: Any) -> str:
        return _story(self._state) if isinstance(event, ev.HandScored) else ""

    def agreement(self, word: Word, label: Word | None) -> Sequence[Any] | None:
        """Read that the players agreed to stop after this hand."""
        if word.text != STOP:
            return None
        if label is not None:
            raise label.wrong("all agree to stop: leave the seat out", agreements.RULE)
        if not self._replay.to_act or not agreements.offers(self._state, 0):
            raise word.wrong("there is no hand now after which the players could agree to stop", agreements.RULE)
        return self._replay.record(agreements.agree(self._state, "stop_after_hand"))

    # -- the action of each phase; None for a word that is none ---------------------------------------------------

    def bid(self, word: Word) -> Said | None:
        """Read a bid, or a pass."""
        if word.text.lower() == "pass":
            return Said(Pass())
        head, follows = word.cut("=")
        found = _BID.fullmatch(head.text.lower())
        if found is None:
            return None
        objective, exchange_part, team = found.groups()
        no_exchange = False if deal_of(self._state).exchange else None
        exchanges = True if exchange_part else no_exchange
        return Said(Bid(exchanges, cast("Objective", objective), cast("Any", team)), (), follows)

    def pick(self, word: Word) -> Said | None:
        """Read the choice of a group of the talon."""
        if word.text.lower() != "pick":
            return None
        group = self._words.take()
        if group.text not in ("0", "1"):
            raise group.wrong(
                f"{group} is no group of the talon: pick 0, the first three cards, or 1", talon_exchange.RULE
            )
        return Said(ChooseTalon(int(group.text)))

    def lay(self, word: Word) -> Said | None:
        """Read a discard of as many cards as were taken."""
        if word.text.lower() != "lay":
            return None
        cards = [self._words.take() for _ in self._state.hand.taken]
        return Said(Exchange(tuple(card_of(card, TAROT_PACK, talon_exchange.RULE) for card in cards)), cards)

    def give(self, word: Word) -> Said | None:
        """Read two gifts."""
        if word.text.lower() != "give":
            return None
        receivers = {str(seat): seat for seat in range(self._replay.seats) if seat not in self._replay.to_act}
        gifts: list[Gift] = []
        cards: list[Word] = []
        for _ in range(2):
            card, to = self._words.take().cut(">")
            code = card_of(card, TAROT_PACK, talon_exchange.RULE)
            if to is None or to.text not in receivers:
                message = "two cards go to two other players, such as RS>1 2D>4"
                raise (card if to is None else to).wrong(message, talon_exchange.RULE)
            gifts.append(Gift(receivers.pop(to.text), code))
            cards.append(card)
        return Said(Give(tuple(gifts)), cards)

    def call(self, word: Word) -> Said | None:
        """Read an announcement."""
        if word.text.lower() != "call":
            return None
        card, follows = self._words.take().cut("=")
        return Said(Announce(card_of(card, TAROT_PACK, partners.RULE)), (card,), follows)

    def raise_or_keep(self, word: Word) -> Said | None:
        """Read a raise, or what is said instead."""
        match word.text.lower():
            case "keep":
                return Said(Keep())
            case "abdicate":
                return Said(Abdicate())
            case "raise":
                return self._raise()
            case _:
                return None

    def _raise(self) -> Said:
        word, follows = self._words.take().cut("=")
        objective = next((each for each in OBJECTIVES if each == word.text.lower()), None)
        if objective is None:
            raise word.wrong(f"{word} is no objective: they are {' '.join(OBJECTIVES)}", partners.RULE)
        return Said(RaiseObjective(objective), (word,), follows)

    def play(self, word: Word) -> Said | None:
        """Read a card played."""
        card, follows = word.cut("=")
        return Said(Play(card.text.upper()), (card,), follows) if card.text.upper() in TAROT_PACK else None


def _story(state: State) -> str:
    """Tell in a sentence how the last hand ended."""
    result = state.results[-1]
    contract, scores = result.contract, " ".join(f"{score:+}" for score in result.scores)
    if contract is None:
        return f"deal {result.deal_number}: all passed"
    friends = "".join(f" with seat {seat}" for seat in contract.partners)
    makes = "makes" if result.by == "declarer" else "does not make"
    return (
        f"deal {result.deal_number}: seat {contract.declarer}{friends} {makes} {contract.objective}, "
        f"value {result.value}: {scores}"
    )


_PHASES: Mapping[str, Phase] = {
    "bid": Phase(_Reader.bid, "bid (such as y.x.duo) or pass", bidding.RULE),
    "choose_talon": Phase(_Reader.pick, "pick a group of the talon (pick 0 or pick 1)", talon_exchange.RULE),
    "exchange": Phase(_Reader.lay, "lay aside as many cards as it took (such as lay 1S 2S 3S)", talon_exchange.RULE),
    "give": Phase(_Reader.give, "give two cards (such as give RS>1 2D>4)", talon_exchange.RULE),
    "announce": Phase(_Reader.call, "call a card (such as call RS)", partners.RULE),
    "raise": Phase(_Reader.raise_or_keep, "keep or raise the objective (such as raise fork)", partners.RULE),
    "play": Phase(_Reader.play, "play a card", play.RULE),
}
