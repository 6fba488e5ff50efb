"""Positions of Plute, built by hand: ``builders.state(...)`` and what an action makes of it.

Cards are written as one string ("KH X1"), hands as one such string a seat, tricks as "seat:card seat:card".
"""

import random

from domain.chance import Chance
from domain.plute import RULESET as plute
from domain.plute import events as ev
from domain.plute.deck import PACK, TrickCard, in_pack_order
from domain.plute.state import Hand, Spoken, State, Table, Tallies, Tally, team_of
from domain.serialization import changed
from tests.domain.moves import SECRET, Moves, of_kind

CHANCE = Chance(SECRET, "gm_given", (None,) * 6)
MOVES = Moves(plute, CHANCE)
played, act, refusal, to_act, legal = MOVES.played, MOVES.act, MOVES.refusal, MOVES.to_act, MOVES.legal


def state(phase, *, dealer=5, held=(), bidder=0, bid=4, trump="S", tally=((0, 0), (0, 0)), options=None, **parts):
    """Return a state; ``tally`` is (made, set) of even and odd, ``tricks`` are finished ones as (winner, cards)."""
    hands = tuple(in_pack_order(cards.split()) for cards in (*held, *[""] * (6 - len(held))))
    bids = tuple(Spoken(*spoken) for spoken in parts.pop("bids", ()))
    tricks = tuple(
        ev.TrickWon(number, winner, team_of(winner), trick(cards))
        for number, (winner, cards) in enumerate(parts.pop("tricks", ()), 1)
    )
    playing = phase != "bid"
    return State(
        options=plute.options.complete(options or {}, 6),
        phase=phase,
        hand=Hand(1, dealer, hands, bids, ev.ContractWon(bidder, team_of(bidder), bid) if playing else None),
        table=Table(
            held=hands,
            trump=trump if playing else None,
            jokers=tuple(parts.pop("jokers", "").split()),
            trick=trick(parts.pop("trick", "")),
            tricks=tricks,
            **parts,
        ),
        tallies=Tallies(*(Tally(*numbers) for numbers in tally)),
    )


def trick(text):
    """Read played cards: "0:KH 1:X1"."""
    return tuple(TrickCard(int(seat), card) for seat, _, card in (word.partition(":") for word in text.split()))


def about_to_end(winners, *, deuce=0, kept="", **parts):
    """Return a hand of spades before its last card: the first eight tricks as won by ``winners``, the ninth theirs too.

    All point cards lie in the first eight tricks, those of ``kept`` in the first one; seat ``deuce`` played the two.
    """
    last = {seat: f"{3 + seat}H" for seat in range(6)} | {winners[8]: "3S"}
    rest = [card for card in PACK if card not in last.values() and card not in kept.split()]
    random.Random(8).shuffle(rest)
    cards = [*kept.split(), *rest]
    piles = [cards[index : index + 6] for index in range(0, 48, 6)]
    tricks = []
    for winner, pile in zip(winners[:8], piles, strict=True):
        if "2S" in pile:
            turn = (pile.index("2S") - deuce) % 6
            pile = pile[turn:] + pile[:turn]  # noqa: PLW2901 - the same pile, turned until the seat fits
        tricks.append((winner, " ".join(f"{seat}:{card}" for seat, card in enumerate(pile))))
    on_table = " ".join(f"{seat}:{last[seat]}" for seat in range(5))
    held = ["", "", "", "", "", last[5]]
    return state("play", trick=on_table, tricks=tricks, held=held, jokers="X1 X2", **parts)


def first(events, kind):
    """Return the only event of a kind."""
    (event,) = of_kind(events, kind)
    return event


def replaced_hand(state, seat, cards):
    """Return a seat another hand."""
    held = tuple(in_pack_order(cards.split()) if at == seat else hand for at, hand in enumerate(state.table.held))
    return changed(state, table=changed(state.table, held=held))
