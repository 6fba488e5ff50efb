"""Positions of French Tarot, built by hand: ``builders.state(...)`` and what an action makes of it.

Cards are written as one string ("RH T3 EX"), hands as one such string a seat.
"""

from dataclasses import replace

from domain.cardplay.cards import TAROT_PACK, in_deck_order
from domain.chance import Chance
from domain.french_tarot import RULESET as french_tarot
from domain.french_tarot import events as ev
from domain.french_tarot.bidding import MULTIPLIER
from domain.french_tarot.state import Called, Deal, Spoken, State, Table
from tests.domain.moves import SECRET, Moves, of_kind, trick

CHANCE = Chance(SECRET, "gm_given", ("seed", None))
MOVES = Moves(french_tarot, CHANCE)
played, act, acts = MOVES.played, MOVES.act, MOVES.acts
refusal, to_act, legal = MOVES.refusal, MOVES.to_act, MOVES.legal


def state(seats, phase, *, dealer=None, held=(), contract=None, taker=0, options=None, scores=None, **parts):
    """Return a state; ``parts`` are fields of the deal or the table, card lists as strings.

    By default ``players`` are all seats from the one after the dealer (seat 0), and ``dealt`` is what is held. A called
    card is hidden, unless ``partner`` is given (None: the taker plays alone).
    """
    dealer = seats - 1 if dealer is None else dealer
    hands = tuple(in_deck_order(cards.split()) for cards in held) or ((),) * seats
    players = parts.pop("players", tuple((dealer + 1 + turn) % seats for turn in range(seats)))
    table = Table(hands, trick(parts.pop("trick", "")), parts.pop("tricks", ()))
    dealt = tuple(in_deck_order(cards.split()) for cards in parts.pop("dealt", ())) or hands
    if parts.get("called"):
        parts["called"] = Called(parts["called"], "partner" in parts, parts.pop("partner", None))
    written = {
        name: tuple(value.split()) if isinstance(value, str) and name != "slam" else value
        for name, value in parts.items()
    }
    agreed = ev.ContractWon(taker, contract, MULTIPLIER[contract]) if contract else None
    return State(
        options=french_tarot.options.complete(options or {}, seats),
        seats=seats,
        phase=phase,
        deal=Deal(1, dealer, players, dealt, contract=agreed, **written),
        table=table,
        scores=scores or (0,) * seats,
    )


def dealt(hands, chien, *, dealer=None, **options):
    """Return a state at the beginning of the bidding; the cards given are all that were dealt."""
    seats = len(hands)
    dealer = seats - 1 if dealer is None else dealer
    given = tuple(ev.DealtHand(seat, len(cards), in_deck_order(cards)) for seat, cards in enumerate(hands))
    players = tuple((dealer + 1 + turn) % seats for turn in range(seats))
    event = ev.CardsDealt(1, dealer, players, given, ev.DealtChien(len(chien), in_deck_order(chien)))
    return played(french_tarot.setup(french_tarot.options.complete(options, seats), seats), event, ev.PhaseBegan("bid"))


def tricks(*texts):
    """Read tricks with their winners: "0:RH 1:T3 > 1"."""
    found = []
    for number, text in enumerate(texts, start=1):
        cards, _, winner = text.partition(">")
        found.append(ev.TrickWon(number, int(winner), trick(cards)))
    return tuple(found)


__all__ = ["TAROT_PACK", "Spoken", "ev", "of_kind", "replace"]
