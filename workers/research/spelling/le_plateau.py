"""The actions of Le Plateau in words. Seats are counted from the acting one: ``receiver 1`` is the next one."""

from collections.abc import Callable, Mapping
from typing import Any, get_args

from domain.cardplay.cards import TAROT_PACK
from domain.le_plateau.actions import (
    Abdicate,
    Action,
    Announce,
    Bid,
    ChooseTalon,
    Exchange,
    Give,
    Keep,
    Pass,
    Play,
    RaiseObjective,
    TeamSize,
)
from domain.le_plateau.board import OBJECTIVES
from domain.table import Seat

_EXCHANGES = {True: "with exchange", False: "without exchange", None: "plain"}

NAMES: tuple[str, ...] = (
    *("pass", "keep", "abdicate"),
    *(
        f"bid {team} {objective} {how}"
        for team in get_args(TeamSize)
        for objective in OBJECTIVES
        for how in _EXCHANGES.values()
    ),
    *(f"raise {objective}" for objective in OBJECTIVES),
    *("talon 0", "talon 1"),
    *(f"receiver {step}" for step in range(1, 6)),
    *(f"{what} {card}" for what in ("announce", "discard", "give", "play") for card in TAROT_PACK),
)


_SPELLINGS: Mapping[type, Callable[[Any], tuple[str, ...]]] = {
    Play: lambda action: (f"play {action.card}",),
    Pass: lambda _: ("pass",),
    Keep: lambda _: ("keep",),
    Abdicate: lambda _: ("abdicate",),
    Bid: lambda action: (f"bid {action.team} {action.objective} {_EXCHANGES[action.exchange]}",),
    RaiseObjective: lambda action: (f"raise {action.objective}",),
    ChooseTalon: lambda action: (f"talon {action.group}",),
    Announce: lambda action: (f"announce {action.card}",),
    Exchange: lambda action: tuple([f"discard {card}" for card in action.discard]),
}


def spell(action: Action, seat: Seat, seats: int) -> tuple[str, ...]:
    if isinstance(action, Give):
        receivers = [f"receiver {(gift.seat - seat) % seats}" for gift in action.gifts]
        return (*receivers, *[f"give {gift.card}" for gift in action.gifts])
    return _SPELLINGS[type(action)](action)
