"""Plute in text: reading its actions (docs/notation.md)."""

import re
from collections.abc import Sequence
from typing import TypeAlias

from domain.notation.deal_reader import DealReader, Grammar, PhaseGrammar, Said
from domain.notation.lexer import Word
from domain.plute import bidding, naming, play, stopping
from domain.plute import events as ev
from domain.plute.actions import Bid, Claim, Pass, Play
from domain.plute.deck import PACK, TRUMP_SUITS, TrumpSuit
from domain.plute.notation.deal import DEALS
from domain.plute.notation.facts import FACTS
from domain.plute.notation.writer import CLAIM, PASS
from domain.plute.state import State, of_team
from domain.table import Seat

_Reader: TypeAlias = DealReader[State]


def _bid(_reader: _Reader, word: Word) -> Said | None:
    text = word.text.lower()
    if text == PASS:
        return Said(Pass())
    return Said(Bid(int(text))) if re.fullmatch("[0-9]", text) else None


def _play(_reader: _Reader, word: Word) -> Said | None:
    head, winner = word.cut("=")
    card, declared = head.cut(".")
    if card.text.upper() not in PACK:
        return None
    return Said(Play(card.text.upper(), _suit(declared) if declared else None), follows=winner)


def _suit(declared: Word) -> TrumpSuit:
    suit = next((suit for suit in TRUMP_SUITS if suit == declared.text.upper()), None)
    if suit is None:
        raise declared.wrong(f"a suit must stand here: {' '.join(TRUMP_SUITS)}", naming.RULE)
    return suit


def _claim(reader: _Reader, word: Word, label: Word | None, seat: Seat | None) -> Sequence[object]:
    """Read a claim, which any seat can make."""
    if not reader.replay.to_act:
        reader.refuse(label or word)
    if reader.state.phase != "play":
        raise word.wrong(f"no seat can claim during the bidding: {reader.wanted()}", bidding.RULE)
    if seat is None:
        raise word.wrong("a claim must name its seat, such as 0:claim", stopping.RULE)
    return reader.act(seat, word, Said(Claim()))


def _story(state: State, event: object) -> str:
    """Return a sentence on how a hand ended, for the event that ends it."""
    if not isinstance(event, ev.BidMadeGood | ev.TeamSet):
        return ""
    result = state.results[-1]
    contract, tally = result.contract, of_team(state.tallies, result.contract.team)
    done = "makes it" if result.made else "is set"
    plute = f", and {result.plute} takes all nine tricks: a Plute" if result.plute else ""
    return (
        f"hand {result.hand_number}: seat {contract.bidder} bids {contract.points} for {contract.team}, "
        f"which wins {event.points} and {done} (made {tally.made}, set {tally.set}){plute}"
    )


GRAMMAR: Grammar[State] = Grammar(
    game="game",
    deal="hand",
    deals=DEALS,
    phases={
        "bid": PhaseGrammar(_bid, "bid (4 to 7) or pass", bidding.RULE),
        "play": PhaseGrammar(_play, "play a card", play.RULE, is_card=True),
    },
    facts=FACTS,
    cards_of=lambda state, seat: state.table.held[seat],
    story=_story,
    out_of_turn={CLAIM: _claim},
)
