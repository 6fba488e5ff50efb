"""What can be asked of a game: act, propose, vote, resign; each read, checked and decided in the contract's order.

``seat_commands`` has what concerns seats, ``late_commands`` what the service does by itself.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol, cast

from domain.game import aggregate, proposals, timeouts
from domain.game.aggregate import Game, Step
from domain.game.durations import instant
from domain.game.events import Clock, Visibility
from domain.log.record import Record
from domain.ruleset import AnyRuleset
from domain.serialization import Plain
from domain.table import Seat
from service.accounts.limits import FREE, PLACES, Toll
from service.accounts.players import Caller
from service.errors import Stale, Unprocessable
from service.games import representations
from service.games.access import check_may_play, held_seat


@dataclass(frozen=True, slots=True)
class GameSpec:
    """What a creator asks for: by seat, whether the creator sits there or it is open, and which seats bots take."""

    ruleset: AnyRuleset
    options: Mapping[str, Plain]
    mine: tuple[bool, ...]
    visibility: Visibility
    sandbox: bool
    bots: tuple[tuple[Seat, str], ...] = ()
    clock: Clock | None = None


def toll_of_game(game: Game, address: str) -> Toll:
    """Say what limits a new game counts against; ``address`` is where the wish for it came from, '' for nowhere."""
    rates = [("new-games", game.creator)] + ([("new-games-from-address", address)] if address else [])
    runs = game.clock is not None or any(sitter and sitter.bot for sitter in game.sitters)
    takes = {"open-games": game.status == "open", "running-games": runs and not game.is_over}
    return Toll(rates, [place for place in PLACES if takes[place]])


@dataclass(frozen=True, slots=True)
class Key:
    """An idempotency key of a caller, and the fingerprint of the request that it stands for."""

    name: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Order:
    """An action as asked for: how to read it (and the decision it names) by the ruleset, for which seat and version."""

    read: Callable[[AnyRuleset], tuple[Any, str | None]]
    seat: Seat | None
    version: int | None
    key: Key | None


class Prepared(Protocol):
    """A request that has been read, and may be decided."""

    @property
    def key(self) -> Key | None:
        """Give the idempotency key it came with."""


class Write(Protocol):
    """A write in its two stages, which may be run again when the cache was behind; ``STATUS`` is that of its answer."""

    STATUS: ClassVar[int]

    @property
    def caller(self) -> Caller:
        """Say who asks."""

    def prepare(self, game: Game) -> Any:
        """Check what comes before the idempotency look-up: that the caller may, then the form of the request."""

    def decide(self, game: Game, prepared: Any) -> Step:
        """Decide; refusals come from here when the moment, or the rules, are against it."""

    def toll(self, game: Game, prepared: Any) -> Toll:
        """Say what limits it counts against, once it is decided."""

    def answer(self, game: Game, prepared: Any, records: Sequence[Record]) -> Any:
        """Show what came of it, as plain data."""


@dataclass(frozen=True, slots=True)
class Ready:
    """An action that has been read, and the seat that asks for it."""

    order: Order
    seat: Seat
    action: Any
    decision: str | None

    @property
    def key(self) -> Key | None:
        """Give the idempotency key it came with."""
        return self.order.key


@dataclass(frozen=True, slots=True)
class Act:
    """Carry out an action."""

    STATUS: ClassVar = 201
    caller: Caller
    read: Callable[[], Order]

    def prepare(self, game: Game) -> Ready:
        """Check that the caller may, then read what they ask."""
        check_may_play(game, self.caller)
        seat = held_seat(game, self.caller, None)
        order = self.read()
        if order.seat is not None:
            seat = held_seat(game, self.caller, order.seat)
        return Ready(order, seat, *order.read(game.ruleset))

    def decide(self, game: Game, ready: Ready) -> Step:
        """Decide by the game."""
        check_moment(game, ready)
        return aggregate.act(game, ready.seat, ready.action)

    def toll(self, _game: Game, _ready: Ready) -> Toll:
        """Cost nothing: an action waits for one round trip only."""
        return FREE

    def answer(self, game: Game, ready: Ready, records: Sequence[Record]) -> representations.ActionAnswer:
        """Show the events to the seat concerned."""
        return shown(game, ready.seat, records)


@dataclass(frozen=True, slots=True)
class Petition:
    """A request of a seat beside its actions, as it came: which seat, for which version, and what."""

    what: Any
    seat: Seat | None
    version: int | None
    key: Key | None


@dataclass(frozen=True, slots=True)
class _OfSeat:
    """A write of a seat at any time: a proposal, a vote, a resignation."""

    STATUS: ClassVar = 201
    caller: Caller
    read: Callable[[], Petition]

    def prepare(self, game: Game) -> Petition:
        """Check that the caller may, then read what they ask."""
        check_may_play(game, self.caller)
        held_seat(game, self.caller, None)
        petition = self.read()
        return replace(petition, seat=held_seat(game, self.caller, petition.seat))

    def toll(self, _game: Game, _petition: Petition) -> Toll:
        """Cost nothing: what a seat may do so seldom needs no limit of its own."""
        return FREE

    def answer(self, game: Game, petition: Petition, records: Sequence[Record]) -> representations.ActionAnswer:
        """Show the events to the seat concerned."""
        return shown(game, cast("Seat", petition.seat), records)


class Propose(_OfSeat):
    """Propose something to all seats; ``what`` is its kind, and the duration of a pause."""

    def decide(self, game: Game, petition: Petition) -> Step:
        """Decide by the game."""
        _check_running(game, petition.version)
        kind, length = petition.what
        known = proposals.known(game.ruleset)
        if kind not in known:
            message = f"kind: {game.ruleset.id} knows no {kind}; its players can agree on {', '.join(known)}"
            raise Unprocessable("unsupported", message)
        return proposals.propose(game, cast("Seat", petition.seat), kind, length)

    def toll(self, game: Game, _petition: Petition) -> Toll:
        """Count proposals; so many votes go with each, and no more."""
        return Toll(rates=[("proposals", f"{self.caller.player} {game.id}")])


class Vote(_OfSeat):
    """Answer a proposal; ``what`` is its id, and whether the seat accepts."""

    def decide(self, game: Game, petition: Petition) -> Step:
        """Decide by the game."""
        _check_running(game, petition.version)
        proposal, accept = petition.what
        return proposals.vote(game, cast("Seat", petition.seat), proposal, accept=accept)


class Resign(_OfSeat):
    """Give up."""

    def decide(self, game: Game, petition: Petition) -> Step:
        """Decide by the game."""
        check_version(game, petition.version)
        return aggregate.resign(game, cast("Seat", petition.seat))


@dataclass(frozen=True, slots=True)
class Claim(_OfSeat):
    """Claim that the time of another seat is up, at the time that ``now`` gives."""

    now: Callable[[], str]

    def decide(self, game: Game, petition: Petition) -> Step:
        """Decide by the game."""
        check_version(game, petition.version)
        return timeouts.claim(game, cast("Seat", petition.seat), instant(self.now()))


def shown(game: Game, seat: Seat, records: Sequence[Record]) -> representations.ActionAnswer:
    """Show events to the seat that they concern first."""
    return representations.action_answer(game, seat, records, viewer=seat)


def check_moment(game: Game, ready: Ready) -> None:
    """Refuse a game that does not run, then a version or a decision that has passed."""
    check_version(game, ready.order.version)
    if ready.decision is not None:
        check_decision(game, ready.seat, ready.decision)


def check_decision(game: Game, seat: Seat, decision: str) -> None:
    """Refuse a decision that has passed; it stays pending while others propose and vote."""
    if not _is_pending(game, seat, decision):
        message = f"decision {decision} is not pending for seat {seat}; read on and decide again"
        raise Stale("decision-closed", message, _came_up(game, decision))


def check_cursor(game: Game, seat: Seat, decision: str) -> None:
    """Refuse to go on with the legal actions of another decision than the one that is pending."""
    if not _is_pending(game, seat, decision):
        message = f"the cursor is of decision {decision}, which is not pending for seat {seat}; start without a cursor"
        raise Stale("stale-cursor", message, _came_up(game, decision))


def _is_pending(game: Game, seat: Seat, decision: str) -> bool:
    return seat in game.pending and game.decision_id(seat) == decision


def _came_up(game: Game, decision: str) -> int:
    """Give the version at which a decision came up, by its name; no later one than now."""
    return min(int(decision[1:].split("_", maxsplit=1)[0]), game.version)


def check_version(game: Game, version: int | None) -> None:
    """Refuse a game that does not run, then a version that has passed."""
    aggregate.check_active(game)
    _check_current(game, version)


def _check_running(game: Game, version: int | None) -> None:
    """Refuse a game that does not run and is not paused either, then a version that has passed."""
    proposals.check_running(game)
    _check_current(game, version)


def _check_current(game: Game, version: int | None) -> None:
    if version is not None and version != game.version:
        message = f"the game is at version {game.version}, not {version}; read on and decide again"
        raise Stale("stale-version", message, min(version, game.version))
