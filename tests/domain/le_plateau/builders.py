"""Positions of Le Plateau, built by hand: ``builders.state(...)`` and what an action makes of it.

Cards are written as one string ("RH T3 EX"), hands as one such string a seat.
"""

from dataclasses import replace

from domain.cardplay.cards import in_deck_order
from domain.chance import Chance
from domain.le_plateau import RULESET as le_plateau
from domain.le_plateau import events as ev
from domain.le_plateau.actions import Bid
from domain.le_plateau.bidding import value_of
from domain.le_plateau.dealt import DealtPile
from domain.le_plateau.state import Announced, Contract, Hand, Pile, Raised, State, Table
from tests.domain.le_plateau.reference_rules import printed_board
from tests.domain.moves import SECRET, Moves, of_kind, trick

CHANCE = Chance(SECRET, "gm_given", ("seed", None))
MOVES = Moves(le_plateau, CHANCE)
played, act, acts = MOVES.played, MOVES.act, MOVES.acts
refusal, to_act, legal = MOVES.refusal, MOVES.to_act, MOVES.legal


def contract(seats, declarer=0, objective="bridge", team="solo", *, exchange=False, partners=(), exchanger=None):
    """Return a contract at its value; ``exchange`` is None where bids have no such part."""
    if exchange and exchanger is None:
        exchanger = declarer
    value = value_of(seats, exchange, objective, team)
    return Contract(declarer, tuple(partners), exchanger, bool(exchange), objective, team, value)


def bid(text):
    """Read a bid: "y.x.duo", or "y.duo" without exchange."""
    objective, *exchange, team = text.split(".")
    return Bid(bool(exchange), objective, team)


def state(seats, phase, *, dealer=None, held=(), piles=(), contract=None, options=None, scores=None, **parts):
    """Return a state; ``parts`` are fields of the hand or the table, card lists as strings."""
    dealer = seats - 1 if dealer is None else dealer
    hands = tuple(in_deck_order(cards.split()) for cards in held) or ((),) * seats
    heaps = tuple(tuple(DealtPile(*pile.split("/")) for pile in of_seat.split()) for of_seat in piles)
    lying = tuple(tuple(Pile(pile.top, pile.under) for pile in of_seat) for of_seat in heaps)
    of_table = {
        "trick": trick(parts.pop("trick", "")),
        "tricks": tuple(ev.TrickWon(n + 1, 0, ()) for n in range(parts.pop("tricks", 0))),
        "declarer_spaces": frozenset(parts.pop("mine", "").split()),
        "opposing_spaces": frozenset(parts.pop("theirs", "").split()),
    }
    of_hand = {name: tuple(value.split()) if isinstance(value, str) else value for name, value in parts.items()}
    options = le_plateau.options.complete(options or {}, seats)
    return State(
        options=options,
        seats=seats,
        phase=phase,
        hand=Hand(1, 1, dealer, printed_board(seats, options.deck), hands, heaps, contract=contract, **of_hand),
        table=Table(hands, lying, **of_table),
        scores=scores or (0,) * seats,
    )


__all__ = ["Announced", "Raised", "ev", "of_kind", "replace"]
