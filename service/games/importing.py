"""Importing finished games of other servers, from their bundles: only what verifies whole, and under the id it has.

The log is stored as it was written there, so everything that was sealed, signed and logged of it stays true. What this
server signs of it says what it shows, and nothing about who played.
"""

import re
from typing import Literal

from domain.audit import structure
from domain.audit.bundle import Bundle
from domain.audit.signed import Trust
from domain.audit.verifying import NOTHING, verify
from service.games.commit import listing_of
from service.store.event_store import Append, Appended, Conflict, EventStore

_ID = re.compile(r"gm_[A-Za-z0-9_-]{1,64}", re.ASCII)
"""An id goes into keys and addresses; those of this server have 20 hex digits."""


class NotImported(Exception):
    """A game was not imported, and nothing was written; the message says why."""


def checked(bundle: Bundle, trust: Trust) -> Append:
    """Verify a bundle of a finished game, and return what adds it to a store; raise ``NotImported``."""
    if not structure.is_over(bundle.events):
        raise NotImported("the game is not over")
    if not _ID.fullmatch(str(bundle.header["game_id"])):
        raise NotImported("its id is not one of a game, such as gm_0123456789abcdef0123")
    report = verify(bundle, NOTHING, trust)
    if report.fault is not None:
        raise NotImported(f"it does not verify: {report.fault}")
    if report.played is None:
        raise NotImported(f"it cannot be verified here: {report.unchecked[0]}")
    game = report.played.game
    return Append(game.id, 0, report.played.records, head="", listing=listing_of(None, game))


def add(store: EventStore, game: Append) -> Literal["imported", "known"]:
    """Add a game that was checked to a store, unless it is there; raise ``NotImported`` if another log has its id."""
    match store.append(game):
        case Appended():
            return "imported"
        case Conflict(_, missing) if [each.hash for each in missing] == [each.hash for each in game.records]:
            return "known"
    raise NotImported("another game has its id here, or it has gone on otherwise")
