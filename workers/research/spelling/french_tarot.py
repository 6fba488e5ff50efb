"""The actions of French Tarot in words. A poignée is spelled with its size first."""

from collections.abc import Callable, Mapping
from typing import Any, get_args

from domain.cardplay.cards import EXCUSE, SUITS, TAROT_PACK, TRUMPS
from domain.french_tarot.actions import (
    Action,
    AnnounceMisere,
    AnnouncePetitChelem,
    AnnounceSlam,
    Bid,
    Call,
    ContractName,
    Discard,
    Misere,
    NoSlam,
    Pass,
    Play,
    ShowPoignee,
)
from domain.french_tarot.deck import COURT_RANKS, SHAPES
from domain.table import Seat

_SIZES = sorted({size for shape in SHAPES.values() for size in shape.poignees})

NAMES: tuple[str, ...] = (
    *("pass", "no slam", "slam", "petit chelem"),
    *(f"bid {contract}" for contract in get_args(ContractName)),
    *(f"misere {kind}" for kind in get_args(Misere)),
    *(f"call {rank}{suit}" for rank in COURT_RANKS for suit in SUITS),
    *(f"poignee {size}" for size in _SIZES),
    *(f"show {card}" for card in (*TRUMPS, EXCUSE)),
    *(f"{what} {card}" for what in ("discard", "play") for card in TAROT_PACK),
)


_SPELLINGS: Mapping[type, Callable[[Any], tuple[str, ...]]] = {
    Play: lambda action: (f"play {action.card}",),
    Pass: lambda _: ("pass",),
    Bid: lambda action: (f"bid {action.contract}",),
    Call: lambda action: (f"call {action.card}",),
    Discard: lambda action: tuple([f"discard {card}" for card in action.cards]),
    AnnounceSlam: lambda _: ("slam",),
    AnnouncePetitChelem: lambda _: ("petit chelem",),
    NoSlam: lambda _: ("no slam",),
    ShowPoignee: lambda action: (f"poignee {len(action.cards)}", *[f"show {card}" for card in action.cards]),
    AnnounceMisere: lambda action: (f"misere {action.kind}",),
}


def spell(action: Action, _seat: Seat, _seats: int) -> tuple[str, ...]:
    return _SPELLINGS[type(action)](action)
