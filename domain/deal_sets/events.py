"""The events of a deal set: it is created, sealed, perhaps corrected, and closed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from domain.field_types import Omittable, secret
from domain.serialization import Plain


@dataclass(frozen=True, slots=True)
class SetCreated:
    """A deal set was announced; the commitment binds the server to the secret that all its deals follow from.

    A game of each deal has these ``options`` and ``seats``; the ``bot`` of this version holds all seats but the
    player's. ``date`` is the day of which it is the daily set. Deals are opened from ``opens`` on, until it ``closes``.
    That of a round of a ``tournament`` is named by the day on which it opens, and can close earlier. If the ``auction``
    is given, the bot of this name bids for every seat at all tables.
    """

    ruleset: str
    rules_version: int
    options: Mapping[str, Plain]
    seats: int
    deals: int
    date: str
    bot: str
    bot_version: int
    opens: str
    closes: str
    commitment: str
    secret: str = secret()
    tournament: Annotated[str | None, Omittable()] = None
    auction: Annotated[str | None, Omittable()] = None


@dataclass(frozen=True, slots=True)
class SetSealed:
    """The deals are fixed: by the secret, and by the first signed root of the log of heads that is over this set.

    So the server cannot have known the ``root`` (hex) of the tree of this ``size`` when it chose the secret. ``deals``
    are the SHA-256 of the secret of each deal, in hex.
    """

    size: int
    root: str
    deals: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DealVoided:
    """A deal does not count, for a reason in the operator's words."""

    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class SetClosed:
    """The time is over: the secret opens every deal; ``results`` is the SHA-256 of the results in canonical form."""

    secret: str
    results: str


SET_CLOSED = "set_closed"
"""The type of the last event of a set, with which its games become public."""

EVENTS: Mapping[str, type] = {
    "set_created": SetCreated,
    "set_sealed": SetSealed,
    "deal_voided": DealVoided,
    SET_CLOSED: SetClosed,
}
