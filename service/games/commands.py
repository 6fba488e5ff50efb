"""What a request does to a game: finished values that the desk decides, commits and answers.

The API and the workers submit the same values. A command says who it is for (``admit``), what follows (``decide``),
which limits it counts against (``toll``) and what its sender sees of it (``shown``). ``desk`` runs it again on a newer
game when the cached one was behind, so a command holds what was asked for, and nothing that was worked out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from domain.events import Clock, Visibility
from domain.game import aggregate, proposals, seating, timeouts
from domain.game.aggregate import Game, Step
from domain.log.record import Record
from domain.ruleset import AnyRuleset
from domain.serialization import Plain
from domain.table import Seat
from service.accounts.limits import FREE, PLACES, Toll
from service.accounts.players import GUEST_SCOPES, Caller
from service.errors import Fault, Malformed, Stale, Unprocessable
from service.games import representations
from service.games.access import check_may_play, playing_seat, seat_to_hand_over
from service.games.resources import ActionAnswer, GameAtVersion


def bot_caller(seat: Seat) -> Caller:
    """Return the caller that plays a seat on behalf of a bot."""
    return Caller("", frozenset(GUEST_SCOPES), seat=seat)


@dataclass(frozen=True, slots=True)
class Key:
    """An idempotency key of a caller, and the fingerprint of the request that it stands for."""

    name: str
    fingerprint: str


class Answered(Protocol):
    """A request that gets an answer, of a ``STATUS``, under a key once and for all."""

    STATUS: ClassVar[int]

    @property
    def caller(self) -> Caller:
        """Return who asks."""

    @property
    def key(self) -> Key | None:
        """Return the idempotency key, if there is one."""

    def shown(self, game: Game, seat: Any, records: Sequence[Record], /) -> Any:
        """Return the answer, as plain data: ``game`` is the game afterwards."""


class Command(Answered, Protocol):
    """A change of a game."""

    def admit(self, game: Game, /) -> Any:
        """Check that the caller can ask this of the game; return the seat that it is for, if there is one yet."""

    def decide(self, game: Game, seat: Any, /) -> Step:
        """Return what follows; raise what the moment or the rules have against it."""

    def toll(self, game: Game, /) -> Toll:
        """Return the limits that it counts against, once it is decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Create:
    """Set up a game: by seat, whether the creator sits there or it is open, and which seats bots take."""

    STATUS: ClassVar = 201
    caller: Caller
    ruleset: AnyRuleset
    options: Mapping[str, Plain]
    mine: tuple[bool, ...]
    visibility: Visibility
    sandbox: bool
    bots: tuple[tuple[Seat, str], ...] = ()
    clock: Clock | None = None
    key: Key | None = None
    address: str = ""
    """Where the request came from; "" where no limit counts it."""

    def toll(self, game: Game) -> Toll:
        """Count new games by player and address, and games at once."""
        by_address = [("new-games-from-address", self.address)] if self.address else []
        runs = game.clock is not None or any(sitter and sitter.bot for sitter in game.sitters)
        takes = {"open-games": game.status == "open", "running-games": runs and not game.is_over}
        return Toll([("new-games", game.creator), *by_address], [place for place in PLACES if takes[place]])

    def shown(self, game: Game, _seat: None, _records: Sequence[Record]) -> GameAtVersion:
        """Show the game."""
        return representations.game_at_version(game)


@dataclass(frozen=True, kw_only=True)
class _OfSeat:
    """A command of a seat: the seat asked for (None: the caller's own), and the version that it was decided on."""

    STATUS: ClassVar = 201
    caller: Caller
    seat: Seat | None = None
    expected: int | None = None
    key: Key | None = None

    def admit(self, game: Game) -> Seat:
        """Return the caller's seat."""
        return playing_seat(game, self.caller, self.seat)

    def toll(self, _game: Game) -> Toll:
        """Count against nothing: an action waits for one round trip only, and the others are rare."""
        return FREE

    def shown(self, game: Game, seat: Seat, records: Sequence[Record]) -> ActionAnswer:
        """Show the events to the seat."""
        return representations.action_answer(game, seat, records, viewer=seat)


@dataclass(frozen=True, kw_only=True)
class Act(_OfSeat):
    """Carry out an action of the ruleset, perhaps for one pending decision only."""

    action: Any
    decision: str | None = None

    def decide(self, game: Game, seat: Seat) -> Step:
        """Decide by the rules."""
        self.check_moment(game, seat)
        return aggregate.act(game, seat, self.action)

    def check_moment(self, game: Game, seat: Seat) -> None:
        """Reject a game that does not run, then a version or a decision that has passed."""
        aggregate.check_active(game)
        _check_current(game, self.expected)
        if self.decision is not None:
            check_decision(game, seat, self.decision)


@dataclass(frozen=True, kw_only=True)
class Propose(_OfSeat):
    """Propose something to all seats; ``duration`` is that of a pause."""

    kind: str
    duration: str | None = None

    def decide(self, game: Game, seat: Seat) -> Step:
        """Decide by what the players can agree on."""
        proposals.check_running(game)
        _check_current(game, self.expected)
        known = proposals.kinds(game.ruleset)
        if self.kind not in known:
            message = (
                f"kind: {game.ruleset.id} does not support {self.kind}; its players can agree on {', '.join(known)}"
            )
            raise Unprocessable("unsupported", message)
        return proposals.propose(game, seat, self.kind, self.duration)

    def toll(self, game: Game) -> Toll:
        """Count proposals; a limited number of votes goes with each."""
        return Toll(rates=[("proposals", f"{self.caller.player} {game.id}")])


@dataclass(frozen=True, kw_only=True)
class Vote(_OfSeat):
    """Answer a proposal."""

    proposal: str
    accept: bool

    def decide(self, game: Game, seat: Seat) -> Step:
        """Decide by the proposal."""
        proposals.check_running(game)
        _check_current(game, self.expected)
        return proposals.vote(game, seat, self.proposal, accept=self.accept)


@dataclass(frozen=True, kw_only=True)
class Resign(_OfSeat):
    """Resign the seat."""

    def decide(self, game: Game, seat: Seat) -> Step:
        """Decide by the rules."""
        aggregate.check_active(game)
        _check_current(game, self.expected)
        return aggregate.resign(game, seat)


@dataclass(frozen=True, kw_only=True)
class ClaimTimeout(_OfSeat):
    """Claim, at a time in ms since 1970, that the time of another seat is up."""

    now: int

    def decide(self, game: Game, seat: Seat) -> Step:
        """Decide by the clocks."""
        aggregate.check_active(game)
        _check_current(game, self.expected)
        return timeouts.claim(game, seat, self.now)


@dataclass(frozen=True, kw_only=True)
class Join:
    """Take a seat (None: the first open one), perhaps with a seed for the draws.

    ``address`` is where the request came from, "" where no limit counts it.
    """

    STATUS: ClassVar = 201
    caller: Caller
    seat: Seat | None = None
    client_seed: str | None = None
    address: str = ""
    key: Key | None = None

    def admit(self, game: Game) -> None:
        """Check that the caller can play, and that there is such a seat."""
        check_may_play(game, self.caller)
        if self.seat is not None and self.seat >= len(game.sitters):
            raise Malformed([Fault("/seat", "no-such-seat", f"seat: there is no seat {self.seat} in this game")])

    def decide(self, game: Game, _seat: None) -> Step:
        """Decide by who sits where."""
        return seating.join(game, self.caller.player, self.seat, self.client_seed)

    def toll(self, game: Game) -> Toll:
        """Count joins by player and address: a player can join and leave repeatedly, and each time the log grows."""
        by_address = [("joins-from-address", f"{self.address} {game.id}")] if self.address else []
        return Toll(rates=[("joins", f"{self.caller.player} {game.id}"), *by_address])

    def shown(self, game: Game, _seat: None, records: Sequence[Record]) -> ActionAnswer:
        """Show the events to the seat that was taken."""
        seat = next(record.seat for record in records if record.seat is not None)
        return representations.action_answer(game, seat, records, viewer=seat)


@dataclass(frozen=True, kw_only=True)
class Leave(_OfSeat):
    """Leave a seat before the start."""

    def decide(self, game: Game, seat: Seat) -> Step:
        """Decide by who sits where."""
        return seating.leave(game, self.caller.player, seat)


@dataclass(frozen=True, kw_only=True)
class PutBot:
    """Put a bot on a seat: on an open one as the creator, on their own as the player who holds it."""

    STATUS: ClassVar = 200
    caller: Caller
    seat: Seat
    bot: str
    key: None = None

    def admit(self, game: Game) -> Seat:
        """Check that the seat is the caller's to give."""
        return seat_to_hand_over(game, self.caller, self.seat)

    def decide(self, game: Game, seat: Seat) -> Step:
        """Decide by who sits where."""
        return seating.put_bot(game, self.caller.player, seat, self.bot)

    def toll(self, _game: Game) -> Toll:
        """Count the game among those that run without a player of this account."""
        return Toll(places=["running-games"])

    def shown(self, game: Game, seat: Seat, records: Sequence[Record]) -> ActionAnswer:
        """Show the events as a spectator sees them: the player has left the seat."""
        return representations.action_answer(game, seat, records, viewer=None)


def check_decision(game: Game, seat: Seat, decision: str, code: str = "decision-closed") -> None:
    """Reject a decision that has passed, under a code of its own; it stays pending while others propose and vote."""
    if seat in game.pending and game.decision_id(seat) == decision:
        return
    raise Stale(code, _PASSED[code].format(decision=decision, seat=seat), _opened_at(game, decision))


_PASSED = {
    "decision-closed": "decision {decision} is not pending for seat {seat}; read on and decide again",
    "stale-cursor": "the cursor is of decision {decision}, which is not pending for seat {seat}; start without a "
    "cursor",
}


def _opened_at(game: Game, decision: str) -> int:
    """Return the version at which a decision came up, by its name, but no later one than now."""
    return min(int(decision[1:].split("_", maxsplit=1)[0]), game.version)


def _check_current(game: Game, expected: int | None) -> None:
    if expected is not None and expected != game.version:
        message = f"the game is at version {game.version}, not {expected}; read on and decide again"
        raise Stale("stale-version", message, min(expected, game.version))
