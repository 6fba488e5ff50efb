"""Importing finished games of other servers, from bundles that verify completely; a game keeps its id.

The log is stored unchanged, so its seals, signatures and entries in logs of heads stay valid. The signatures of this
server vouch for the content of the log, not for who played.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from domain.audit import structure
from domain.audit.bundle import Bundle
from domain.audit.faults import value
from domain.audit.signed import Trust
from domain.audit.verifying import NOTHING, verify
from domain.events import EVENTS
from domain.game.durations import instant
from domain.log.record import Shown
from domain.serialization import Plain
from service.accounts import players
from service.games.commit import listing_of
from service.store.event_store import Append, Appended, Conflict, EventStore

_GAME = re.compile(r"gm_[A-Za-z0-9_-]{1,64}"), "the id of a game, such as gm_0123456789abcdef0123"
"""Ids go into keys and addresses; those of games of this server have 20 hex digits."""
_PLAYER = re.compile(players.ID_FORM), "the id of a player, such as pl_0123456789abcdef"
_BOT = re.compile("[a-z][a-z0-9.-]{0,80}"), "the name of a bot"
_OTHER = re.compile("[^\x00-\x1f\x7f]{0,200}"), "a text of at most 200 characters, without control characters"
"""Texts of players and operators in a log; the longest that this server accepts is an operator's reason."""
_FORMS = {
    "creator": _PLAYER,
    "player": _PLAYER,
    "players": _PLAYER,
    "game_id": _GAME,
    "rematch_of": _GAME,
    "bot": _BOT,
    "name": _BOT,
}
"""The form of each value with one of these names in a log, outside of the ruleset's own data."""


class NotImported(Exception):
    """A game was not imported, and nothing was written; the message says why."""


def checked(bundle: Bundle, trust: Trust) -> Append:
    """Verify a bundle of a finished game, and return the append that adds it to a store; raise ``NotImported``.

    With trusted keys, receipts or witnesses, a game is imported only if these have signed all of it.
    """
    if not structure.is_over(bundle.events):
        raise NotImported("the game is not over")
    if not _GAME[0].fullmatch(str(bundle.header["game_id"])):
        raise NotImported(f"it does not have {_GAME[1]}")
    report = verify(bundle, NOTHING, trust)
    if report.fault is not None:
        raise NotImported(f"it does not verify: {report.fault}")
    if report.unsigned:
        raise NotImported(f"not all of it is signed as you ask: {report.unsigned[0]}")
    if report.played is None:
        raise NotImported(f"it cannot be verified here: {report.unchecked[0]}")
    _check_texts(bundle.events)
    game = report.played.game
    finished = instant(game.at)
    return Append(game.id, 0, report.played.records, head="", listing=listing_of(None, game), finished=finished)


def add(store: EventStore, game: Append) -> Literal["imported", "known"]:
    """Add a checked game to a store, unless it is there; raise ``NotImported`` if another log has its id."""
    match store.append(game):
        case Appended():
            return "imported"
        case Conflict(_, missing) if [each.hash for each in missing] == [each.hash for each in game.records]:
            return "known"
    raise NotImported("another game has its id here, or its log continued differently")


def _check_texts(events: Sequence[Shown]) -> None:
    """Reject texts that this server would not have accepted; the ruleset has checked its own events and the options."""
    for event in events:
        told = {name: part for name, part in event["data"].items() if name != "options"}
        said = {"data": told if event["type"] in EVENTS else {}, "bot": event.get("bot", {})}
        for at, name, text in _texts("", "", said):
            form, words = _FORMS.get(name, _OTHER)
            if not form.fullmatch(text):
                raise NotImported(f"version {event['version']}, {at}: expected {words}, found {value(text)}")


def _texts(at: str, name: str, part: Plain) -> Iterator[tuple[str, str, str]]:
    if isinstance(part, str):
        yield at, name, part
    elif isinstance(part, Mapping):
        for key, inner in part.items():
            yield from _texts(f"{at}/{key}", key, inner)
    elif isinstance(part, list):
        for index, inner in enumerate(part):
            yield from _texts(f"{at}/{index}", name, inner)
