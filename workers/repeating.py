"""Repeating the moves of bots in a finished game: the same view, seed and playouts must give the same move.

The log is that of an export (``format=audit``). It is verified first, so the repeated moves are those that were made.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from domain.errors import Rejected
from domain.game import aggregate, history
from domain.game.aggregate import Game
from domain.game.bot_seeds import is_seed_of
from domain.log import chain
from domain.log.bot_moves import BotMove
from domain.log.record import Record
from domain.log.redaction import merged, seen_by, split
from domain.registry import RULESETS
from domain.serialization import Plain, from_plain
from service.bots import BOTS
from service.games.projections.representations import action_data
from workers import choosing
from workers.choosing import IllegalAnswer
from workers.policy_process import PolicyFailed, PolicyProcess


class NotRepeatable(Exception):
    """The moves cannot be repeated here; the message has the reason."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """A repeated move: the event with which it begins, the bot, its choice now, the difference, '' if there is none.

    If the bot is not installed in this version (``is_known``), it chose nothing.
    """

    version: int
    seat: int
    by: BotMove
    action: Mapping[str, Plain] | None
    fault: str
    is_known: bool = True


def repeated(audit: Mapping[str, Any], process: PolicyProcess, version: int | None = None) -> Iterator[Repeated]:
    """Repeat the moves of all bots, or the move that begins with the event of a version."""
    events = _verified(audit)
    game: Game | None = None
    moves = [event for event in events if "bot" in event and version in (None, event["version"])]
    if version is not None and not moves:
        raise NotRepeatable(f"no move of a bot begins with the event of version {version}")
    for event in moves:
        before = event["version"] - 1
        # Folded as one request: the clocks in between are not restored, and no bot reads them.
        records = [_record(earlier) for earlier in events[game.version if game else 0 : before]]
        game = history.fold(records, game)
        _check_rules(game)
        yield _repeated(game, events[before:], process)


def records_of(audit: Mapping[str, Any]) -> list[Record]:
    """Return the log of a finished game as records, with everything visible; raise ``NotRepeatable``."""
    events = _verified(audit)
    game = history.fold([_record(events[0])])
    _check_rules(game)
    return [_record(event) for event in events]


def _check_rules(game: Game) -> None:
    if game.rules_version != game.ruleset.version:
        raise NotRepeatable(f"the game follows version {game.rules_version} of the rules, which is not here")


def _verified(audit: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    try:
        events: Sequence[Mapping[str, Any]] = audit["events"]
        head = chain.verify(events)
        created, is_whole = events[0]["data"], head == audit["head"]
        ruleset_id = events[0]["data"]["ruleset"]
    except chain.BrokenChain as error:
        raise NotRepeatable(f"the log does not verify: {error}") from error
    except (LookupError, TypeError) as error:
        raise NotRepeatable("this is not the log of a game, as an export in the format audit has it") from error
    if not is_whole:
        raise NotRepeatable("the log does not verify: its end is missing")
    if "deal" in created and "deal_secret" not in created:
        raise NotRepeatable("the deal set of the game has not closed; the secret of its deal is sealed until then")
    if "secret" not in created:
        raise NotRepeatable("the game is not over; what led to the moves of its bots is sealed until then")
    if ruleset_id not in RULESETS:
        raise NotRepeatable(f"the ruleset {ruleset_id} of the game is not installed here; install its package")
    return events


def _record(event: Mapping[str, Any]) -> Record:
    """Return an event with everything visible, as a record to fold."""
    parts = ("game_id", "version", "type", "at", "seat", "data", "sealed", "hash")
    return Record(**{part: event[part] for part in parts}, hidden={}, request="")


def _repeated(game: Game, following: Sequence[Mapping[str, Any]], process: PolicyProcess) -> Repeated:
    first = following[0]
    seat, by = first["seat"], from_plain(BotMove, first["bot"])
    if by.name not in BOTS or BOTS[by.name].version != by.version:
        return Repeated(first["version"], seat, by, None, f"{by.name} {by.version} is not here", is_known=False)
    if by.playouts != BOTS[by.name].playouts:
        fault = f"{by.name} {by.version} has {BOTS[by.name].playouts} playouts at most, not {by.playouts}"
        return Repeated(first["version"], seat, by, None, fault)
    if not is_seed_of(game, seat, by):
        return Repeated(first["version"], seat, by, None, "its seed does not follow from the secret of the game")
    try:
        action = choosing.chosen_again(game, seat, by, process)
        decided = aggregate.decide(game, seat, action)
    except (IllegalAnswer, PolicyFailed, Rejected) as failure:
        return Repeated(first["version"], seat, by, None, f"it fails now ({failure})")
    then = following[first["type"] == "turn_timed_out" :]
    is_same = [*_shown(game, decided)] == [(event["type"], event["data"]) for event in then[: len(decided)]]
    fault = "" if is_same else f"the log has {then[0]['type']} {then[0]['data']}"
    return Repeated(first["version"], seat, by, action_data(game.ruleset, action), fault)


def _shown(game: Game, events: Sequence[object]) -> Iterator[tuple[str, Plain]]:
    """Return events in the form of a log after the end."""
    for name, event in history.named(game.ruleset, events):
        data, hidden = split(event)
        yield name, merged(data, seen_by(hidden, None, everything=True))
