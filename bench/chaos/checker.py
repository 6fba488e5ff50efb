"""Compares what clients were told of a game with its log: losses, duplicates, early timeouts. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from domain.game import history
from domain.game.durations import instant
from domain.log import chain
from domain.log.record import Record, visible

_NO_DECISION = frozenset({"time_credited"})
"""Events after which the same decision is still pending."""

_UNREADABLE = (LookupError, TypeError, ValueError, AttributeError)
"""What folding raises for malformed events."""

Place = tuple[int, str]
"""A version, and the hash of the log there."""


@dataclass
class Notes:
    """What the clients of one game were told.

    ``acknowledged`` has the events of each accepted request, ``seen`` the versions that views have shown. ``is_alone``
    means that one client made every request, and repeated each until it was answered. ``move_ms`` is the time for a
    move at a table where no player moves.
    """

    game_id: str
    acknowledged: list[list[Place]] = field(default_factory=list)
    seen: set[Place] = field(default_factory=set)
    is_alone: bool = False
    move_ms: int | None = None


@dataclass
class Findings:
    """The faults of one log, each a line.

    ``lost`` was acknowledged, ``gone`` was shown, and neither is in the log; a fail-over may cause them if it does not
    promise more. ``wrong`` is never allowed.
    """

    lost: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def check(notes: Notes, log: Sequence[Record]) -> Findings:
    """Compare what was told of a game with its log."""
    found = Findings()
    there = {(record.version, record.hash) for record in log}
    for answer in notes.acknowledged:
        if not there.issuperset(answer):
            found.lost.append(f"{notes.game_id}: acknowledged, and not in the log: versions {_span(answer)}")
    for version, hash_ in sorted(notes.seen - there):
        found.gone.append(f"{notes.game_id}: shown, and not in the log: version {version} {hash_[:8]}")
    found.wrong += _doubled(notes, log)
    found.wrong += _broken(log)
    if notes.move_ms is not None:
        found.wrong += _mistimed(log, notes.move_ms)
    return found


def _span(answer: Sequence[Place]) -> str:
    return f"{answer[0][0]} to {answer[-1][0]}"


def _requests(log: Sequence[Record]) -> list[str]:
    """List the requests of a log, each run of events once."""
    return [each.request for i, each in enumerate(log) if i == 0 or log[i - 1].request != each.request]


def _doubled(notes: Notes, log: Sequence[Record]) -> Iterator[str]:
    requests = _requests(log)
    if len(requests) != len(set(requests)):
        yield f"{notes.game_id}: a request is in the log twice"
    versions = [version for answer in notes.acknowledged for version, _ in answer]
    if len(versions) != len(set(versions)) and not _went_back(notes, log):
        yield f"{notes.game_id}: two requests were told the same version"
    acted = len(requests) - 1
    if notes.is_alone and acted > len(notes.acknowledged):
        yield f"{notes.game_id}: {acted} requests are in the log, but {len(notes.acknowledged)} were accepted"


def _went_back(notes: Notes, log: Sequence[Record]) -> bool:
    there = {(record.version, record.hash) for record in log}
    return any(not there.issuperset(answer) for answer in notes.acknowledged)


def _broken(log: Sequence[Record]) -> Iterator[str]:
    """Check versions and chain; the log of an existing game has at least one event."""
    if [record.version for record in log] != list(range(1, len(log) + 1)):
        yield f"{log[0].game_id}: versions have gaps"
        return
    if not log:
        return
    try:
        game = history.fold(log)
        events = [visible(each, game.secrets, None, everything=True) for each in log]
        if chain.verify(events) != game.head:
            yield f"{log[0].game_id}: the chain ends elsewhere than the game"
    except chain.BrokenChain as error:
        yield f"{log[0].game_id}: {error}"
    except _UNREADABLE as error:
        yield f"{log[0].game_id}: the log folds to no game: {error!r}"


def _mistimed(log: Sequence[Record], move_ms: int) -> Iterator[str]:
    """Check that each turn times out once, and not before the time for it has passed."""
    last: Record | None = None
    for record in log:
        if record.type == "turn_timed_out" and last is not None:
            if record.request == last.request:
                yield f"{record.game_id}: one request times out twice at version {record.version}"
            elif instant(record.at) - instant(last.at) < move_ms:
                yield f"{record.game_id}: the turn at version {record.version} timed out early"
        if record.type not in _NO_DECISION:
            last = record
