"""Hearts in text, one line a hand, written and read (rules.md, text).

The seats choose the cards that they pass in any order, so these words always name their seat.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from domain.log.record import Shown
from domain.notation.deal_reader import DealReader, Grammar, PhaseGrammar, Said
from domain.notation.deal_writer import Line, Writers, cards_of, write_deals
from domain.notation.deals import CardCodes, Deals, Place, hand_of
from domain.notation.facts import Fact, happened, trick_number
from domain.notation.lexer import Word
from domain.notation.notation import Notation
from domain.serialization import Plain
from domain.table import Seat
from hearts import dealing, passing, play, scoring
from hearts import nouns as ev
from hearts.deck import CODES, PACK, PASSED, TRICKS, Card, in_pack_order
from hearts.state import State

_PASS, _SCORE, _MOON = "pass", "score", "moon"


# -- written ------------------------------------------------------------------------------------------------------


def _write(_options: ev.Options, events: Sequence[Shown]) -> Iterator[str]:
    return write_deals(events, "hand_dealt", _WRITERS, _disclosed)


def _disclosed(hand: Sequence[Shown]) -> Iterator[Shown]:
    """Put hands of which all is played into a deal whose cards were not passed."""
    deal, *rest = hand
    shown: dict[Seat, list[Card]] = {}
    for event in rest:
        if event["type"] == "card_played" and deal["data"]["direction"] == "none":
            shown.setdefault(event["seat"], []).append(event["data"]["card"])
    played_out = {seat: {"cards": in_pack_order(cards)} for seat, cards in shown.items() if len(cards) == TRICKS}
    hands = [played_out.get(dealt["seat"], {}) | dealt for dealt in deal["data"]["hands"]]
    yield {**deal, "data": deal["data"] | {"hands": hands}}
    yield from rest


def _dealt(line: Line, data: Plain) -> None:
    line.begin(data["hand_number"], data["dealer"])
    for hand in data["hands"]:
        line.cards(hand["seat"], hand)
    line.bar()


def _scored(line: Line, data: Plain) -> None:
    line.part(_SCORE, *data["taken"], *_moon(data["shooter"]))


def _moon(shooter: Seat | None) -> tuple[str, ...]:
    return () if shooter is None else (_MOON, str(shooter))


_WRITERS: Writers = {
    "hand_dealt": lambda line, _, data: _dealt(line, data),
    "cards_chosen": lambda line, seat, data: line.say(f"{seat}:{_PASS}", *cards_of(data)),
    "cards_passed": lambda line, _, __: line.bar(),
    "card_played": lambda line, seat, data: line.play(seat, data["card"]),
    "trick_taken": lambda line, _, data: line.end_trick(data),
    "hand_scored": lambda line, _, data: _scored(line, data),
}


# -- read ---------------------------------------------------------------------------------------------------------

_Reader: TypeAlias = DealReader[State]


def _places(deal: ev.HandDealt) -> dict[Card, Place]:
    return {card: hand_of(hand.seat) for hand in deal.hands for card in hand.cards}


def _filled(deal: ev.HandDealt, placed: Mapping[Place, Sequence[Card]]) -> ev.HandDealt:
    hands = (replace(hand, cards=in_pack_order(placed[hand_of(hand.seat)])) for hand in deal.hands)
    return replace(deal, hands=tuple(hands))


def _deal_it(_state: State, _deal: ev.HandDealt) -> Sequence[ev.Event]:
    """Return nothing: who holds the two of clubs is settled once the true cards are dealt."""
    return ()


_DEALS: Deals[State, ev.HandDealt] = Deals(
    rule=dealing.RULE,
    cards=CardCodes(PACK, CODES, dealing.RULE),
    next_number=lambda state: state.hand.number + 1,
    places=_places,
    filled=_filled,
    after_deal=_deal_it,
)


def _pass(reader: _Reader, word: Word, label: Word | None, seat: Seat | None) -> Sequence[object]:
    """Read which cards a seat passes."""
    if not reader.replay.to_act:
        reader.refuse(label or word)
    if reader.state.phase != "pass":
        raise word.wrong(f"the cards of this hand are passed: {reader.wanted()}", passing.RULE)
    if seat is None:
        raise word.wrong("who passes cards must be named, such as 0:pass", passing.RULE)
    cards, words = reader.take_cards(PASSED)
    if seat not in reader.replay.to_act:
        raise (label or word).wrong(f"seat {seat} has chosen already", passing.RULE)
    return reader.act(seat, word, Said(ev.Pass(cards), words))


def _never(_reader: _Reader, _word: Word) -> None:
    """Read no other action while cards are passed."""


def _play(_reader: _Reader, word: Word) -> Said | None:
    card, winner = word.cut("=")
    return Said(ev.Play(card.text.upper()), follows=winner) if card.text.upper() in PACK else None


def _story(state: State, event: object) -> str:
    """Return a sentence on a hand that is over, for the event that ends it."""
    if not isinstance(event, ev.HandScored):
        return ""
    moon = f" (seat {event.shooter} shot the moon)" if event.shooter is not None else ""
    return f"hand {event.hand_number}: points {' '.join(map(str, event.taken))}{moon}, scores {_listed(state)}"


def _listed(state: State) -> str:
    return " ".join(map(str, state.totals))


_FACTS: Mapping[str, Fact[State]] = {
    "#": trick_number(play.RULE),
    _SCORE: happened(ev.HandScored, scoring.RULE, in_order=lambda hand: (*hand.taken, *_moon(hand.shooter))),
}

_GRAMMAR: Grammar[State] = Grammar(
    game="game",
    deal="hand",
    deals=_DEALS,
    phases={
        "pass": PhaseGrammar(_never, "pass three cards", passing.RULE),
        "play": PhaseGrammar(_play, "play a card", play.RULE, is_card=True),
    },
    facts=_FACTS,
    cards_of=lambda state, seat: state.table.held[seat],
    story=_story,
    out_of_turn={_PASS: _pass},
)

NOTATION: Notation[ev.Options, State] = Notation(_write, _GRAMMAR.read)
