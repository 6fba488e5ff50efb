"""What can be asked of a game: take a seat, leave it, act; each read, checked and decided in the contract's order."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, cast

from domain import game as lifecycle
from domain import proposals
from domain.events import Visibility
from domain.game import Game, Step
from domain.log import Record
from domain.plain import Plain
from domain.ruleset import Ruleset, Seat
from service import resources
from service.access import check_may_play, held_seat
from service.players import Caller
from service.refusals import Fault, Malformed, Stale, Unprocessable


@dataclass(frozen=True, slots=True)
class GameSpec:
    """What a creator asks for: by seat, whether the creator sits there or it is open; and what
    is asked for that does not exist yet.
    """

    ruleset: Ruleset
    options: Mapping[str, Plain]
    mine: tuple[bool, ...]
    visibility: Visibility
    sandbox: bool
    unsupported: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Key:
    """An idempotency key of a caller, and the fingerprint of the request that it stands for."""

    name: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class SeatWish:
    """A seat asked for (None: the first open one), and a seed for the draws."""

    seat: Seat | None
    client_seed: str | None
    key: Key | None


@dataclass(frozen=True, slots=True)
class Order:
    """An action as asked for: how to read it (and the decision it names) by the ruleset, for which seat and version."""

    read: Callable[[Ruleset], tuple[Any, str | None]]
    seat: Seat | None
    version: int | None
    key: Key | None


class Prepared(Protocol):
    """A request that has been read, and may be decided."""

    @property
    def key(self) -> Key | None:
        """Give the idempotency key it came with."""


class Write(Protocol):
    """A write in its two stages, which may be run again when the cache was behind."""

    @property
    def caller(self) -> Caller:
        """Say who asks."""

    def prepare(self, game: Game) -> Any:
        """Check what comes before the idempotency look-up: that the caller may, then the form of the request."""

    def decide(self, game: Game, prepared: Any) -> Step:
        """Decide; refusals come from here when the moment, or the rules, are against it."""

    def answer(self, game: Game, prepared: Any, records: Sequence[Record]) -> Any:
        """Show what came of it, as plain data."""


@dataclass(frozen=True, slots=True)
class Join:
    """Take a seat."""

    caller: Caller
    read: Callable[[], SeatWish]

    def prepare(self, game: Game) -> SeatWish:
        """Check that the caller may, then read what they ask."""
        check_may_play(game, self.caller)
        wish = self.read()
        if wish.seat is not None and wish.seat >= len(game.sitters):
            raise Malformed([Fault("/seat", "no-such-seat", f"seat: there is no seat {wish.seat} in this game")])
        return wish

    def decide(self, game: Game, wish: SeatWish) -> Step:
        """Decide by the game."""
        return lifecycle.join(game, self.caller.player, wish.seat, wish.client_seed)

    def answer(self, game: Game, _wish: SeatWish, records: Sequence[Record]) -> resources.ActionAnswer:
        """Show the events to the seat concerned."""
        return resources.action_answer(game, cast("int", records[0].seat), records)


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave a seat."""

    caller: Caller
    wish: SeatWish
    check_form: Callable[[], object]

    def prepare(self, game: Game) -> SeatWish:
        """Check that the caller may, then the form of what they ask."""
        check_may_play(game, self.caller)
        held_seat(game, self.caller, self.wish.seat)
        self.check_form()
        return self.wish

    def decide(self, game: Game, wish: SeatWish) -> Step:
        """Decide by the game."""
        return lifecycle.leave(game, self.caller.player, cast("Seat", wish.seat))

    def answer(self, game: Game, wish: SeatWish, records: Sequence[Record]) -> resources.ActionAnswer:
        """Show the events to the seat concerned."""
        return resources.action_answer(game, cast("Seat", wish.seat), records)


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
        return lifecycle.act(game, ready.seat, ready.action)

    def answer(self, game: Game, ready: Ready, records: Sequence[Record]) -> resources.ActionAnswer:
        """Show the events to the seat concerned."""
        return resources.action_answer(game, ready.seat, records)


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

    caller: Caller
    read: Callable[[], Petition]

    def prepare(self, game: Game) -> Petition:
        """Check that the caller may, then read what they ask."""
        check_may_play(game, self.caller)
        held_seat(game, self.caller, None)
        petition = self.read()
        return replace(petition, seat=held_seat(game, self.caller, petition.seat))

    def answer(self, game: Game, petition: Petition, records: Sequence[Record]) -> resources.ActionAnswer:
        """Show the events to the seat concerned."""
        return resources.action_answer(game, cast("Seat", petition.seat), records)


class Propose(_OfSeat):
    """Propose something to all seats; ``what`` is its kind."""

    def decide(self, game: Game, petition: Petition) -> Step:
        """Decide by the game."""
        check_version(game, petition.version)
        if petition.what not in game.ruleset.PROPOSALS:
            known = ", ".join(game.ruleset.PROPOSALS) or "nothing yet"
            message = f"kind: {game.ruleset.ID} knows no {petition.what}; its players can agree on {known}"
            raise Unprocessable("unsupported", message)
        return proposals.propose(game, cast("Seat", petition.seat), petition.what)


class Vote(_OfSeat):
    """Answer a proposal; ``what`` is its id, and whether the seat accepts."""

    def decide(self, game: Game, petition: Petition) -> Step:
        """Decide by the game."""
        check_version(game, petition.version)
        proposal, accept = petition.what
        return proposals.vote(game, cast("Seat", petition.seat), proposal, accept=accept)


class Resign(_OfSeat):
    """Give up."""

    def decide(self, game: Game, petition: Petition) -> Step:
        """Decide by the game."""
        check_version(game, petition.version)
        return lifecycle.resign(game, cast("Seat", petition.seat))


def check_moment(game: Game, ready: Ready) -> None:
    """Refuse a game that does not run, then a version or a decision that has passed."""
    check_version(game, ready.order.version)
    seat, decision = ready.seat, ready.decision
    if decision is not None and (seat not in game.pending or game.decision_id(seat) != decision):
        message = f"decision {decision} is not pending for seat {seat}; read on and decide again"
        raise Stale("decision-closed", message, min(int(decision[1:].split("_")[0]), game.version))


def check_version(game: Game, version: int | None) -> None:
    """Refuse a game that does not run, then a version that has passed."""
    lifecycle.check_active(game)
    if version is not None and version != game.version:
        message = f"the game is at version {game.version}, not {version}; read on and decide again"
        raise Stale("stale-version", message, min(version, game.version))
