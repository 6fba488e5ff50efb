"""The actions of Plute in words; each action is one word."""

from domain.plute.actions import Action, Bid, Claim, Pass, Play
from domain.plute.deck import JOKERS, PACK, TRUMP_SUITS, same_colour
from domain.table import Seat

NAMES: tuple[str, ...] = (
    *("pass", "claim"),
    *(f"bid {points}" for points in range(4, 8)),
    *(f"play {card}" for card in PACK),
    *(f"play {joker} as {suit}" for joker in JOKERS for suit in TRUMP_SUITS),
    *(f"play J{suit} as {same_colour(suit)}" for suit in TRUMP_SUITS),
)


def spell(action: Action, _seat: Seat, _seats: int) -> tuple[str, ...]:
    match action:
        case Play(card, None):
            return (f"play {card}",)
        case Play(card, trump):
            return (f"play {card} as {trump}",)
        case Pass():
            return ("pass",)
        case Claim():
            return ("claim",)
        case Bid(points):
            return (f"bid {points}",)
