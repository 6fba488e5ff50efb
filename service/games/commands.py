"""Commands: the changes that a request can make to a game, as complete values.

The API and the workers submit the same values. A command checks its caller (``admit``), decides its events
(``decide``), names the limits that it counts against (``toll``) and shows the result to its sender (``shown``). The
desk decides it again if the cached game was outdated, so a command holds only what was requested, and nothing derived
from a game.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, TypedDict, TypeVar

from domain.errors import wrong_moment
from domain.events import Clock, Opening, OperatorAct, SetDeal, Visibility
from domain.game import aggregate, opening, operating, proposals, seating, timeouts
from domain.game.aggregate import Decided, Game, Status
from domain.game.forks import Position
from domain.game.timeouts import ENDLESS
from domain.log.bot_moves import BotMove
from domain.log.record import Record
from domain.ruleset import AnyRuleset
from domain.sentences.message import Number, Text, seat_number
from domain.serialization import Plain
from domain.table import Seat
from service.accounts.limits import FREE, PLACES, Toll
from service.accounts.players import GUEST_SCOPES, Caller, Key
from service.common.errors import WORDS, HeadChanged, HeadRequired, Stale, Unprocessable, check_reached, refusal
from service.games.access import (
    check_bot_plays,
    check_created,
    check_may_play,
    check_opens_all,
    check_operates,
    no_such_seat,
    playing_seat,
    seat_to_hand_over,
    seats_of,
)
from service.games.projections import representations
from service.games.projections.resources import ActionAnswer, GameAtVersion
from service.store.event_store import Carried

SeatT = TypeVar("SeatT")


def bot_caller(seat: Seat) -> Caller:
    return Caller("", frozenset(GUEST_SCOPES), seat=seat)


class Answered(Protocol):
    """A request that gets a response with a ``STATUS``; with a key, it is carried out only once."""

    STATUS: ClassVar[int]

    @property
    def caller(self) -> Caller: ...

    @property
    def key(self) -> Key | None: ...


class Command(Answered, Protocol[SeatT]):
    """A change of a game, for a seat that its caller holds, or (None) for no seat yet."""

    def admit(self, game: Game, /) -> SeatT:
        """Check that the caller can request this of the game; return the seat that it is for."""

    def decide(self, game: Game, seat: SeatT, /) -> Decided:
        """Return the events; raise a refusal if the moment or the rules forbid them."""

    def toll(self, game: Game, /) -> Toll:
        """Return the limits that the command counts against once the rules accept it."""

    def shown(self, game: Game, records: Sequence[Record], /, seat: SeatT) -> object:
        """Return the response as plain data; ``game`` is the game afterwards."""


@dataclass(frozen=True, slots=True)
class Brought:
    """What a player brings to a seat: a seed for the draws, and the head of the log that they have seen.

    ``head`` is the hash of the last event, 64 hex digits. It binds the seed to the seating that the player saw, so that
    no one can change the seating once the seed is known. A seed that was sent must not be used again, even if it was
    rejected. Instead of a seed, a player can bring the commitment to one, in hex, and open it later.
    """

    client_seed: str | None = None
    head: str | None = None
    seed_commitment: str | None = None

    def check(self, game: Game) -> None:
        """Reject a seed that is bound to no head, and any head but that of the game."""
        if self.head is None and (self.client_seed, self.seed_commitment) != (None, None):
            raise HeadRequired("head-required", refusal("head-required"))
        if self.head not in (None, game.head):
            raise HeadChanged("head-changed", refusal("head-changed"))


NOTHING = Brought()


@dataclass(frozen=True, slots=True, kw_only=True)
class Create:
    """Create a game: the players who sit down, by seat, None for an open one, and which seats get bots."""

    STATUS: ClassVar = 201
    caller: Caller
    ruleset: AnyRuleset
    options: Mapping[str, Plain]
    sitters: tuple[str | None, ...]
    visibility: Visibility
    sandbox: bool
    bots: tuple[tuple[Seat, str], ...] = ()
    clock: Clock | None = None
    bot_pace: str | None = None
    opening: Opening | None = None
    key: Key | None = None
    rematch_of: str | None = None
    """The game of which this one is the rematch; it determines the id of the new game."""
    deal: tuple[SetDeal, bytes] | None = field(default=None, repr=False)
    """The deal of a deal set that the game plays, and its secret."""
    id: str | None = None
    """The id of the game, if it is determined."""
    begins: Callable[[], Position] | None = None
    """For a fork: returns the position at which it begins, if it can."""

    def toll(self, game: Game) -> Toll:
        by_address = [("new-games-from-address", self.caller.address)] if self.caller.address else []
        if len(self.bots) == len(self.sitters):
            by_address += _of_bots(self.caller)
        runs = game.clock is not None or any(sitter and sitter.bot for sitter in game.sitters)
        takes = zip(
            PLACES, (game.status == "open", runs and not game.is_over, self.caller.player in self.sitters), strict=True
        )
        return Toll([("new-games", game.creator), *by_address], [place for place, is_taken in takes if is_taken])

    def shown(self, game: Game, _records: Sequence[Record], patience: timeouts.Patience) -> GameAtVersion:
        return representations.game_at_version(game, patience)


@dataclass(frozen=True, kw_only=True)
class _OfSeat:
    """A command of a seat: the requested seat (None: the caller's own), and the expected version of the game."""

    STATUS: ClassVar = 201
    caller: Caller
    seat: Seat | None = None
    expected: int | None = None
    key: Key | None = None

    def admit(self, game: Game) -> Seat:
        return playing_seat(game, self.caller, self.seat)

    def toll(self, _game: Game) -> Toll:
        """Apply no rate limit: an action must take one round trip, and other commands are rare."""
        return FREE

    def shown(self, game: Game, records: Sequence[Record], seat: Seat) -> ActionAnswer:
        return representations.action_answer(game, seat, records, viewer=seat)


@dataclass(frozen=True, kw_only=True)
class Act(_OfSeat):
    """Carry out an action of the ruleset, optionally for one pending decision only.

    The plan of a player or a bot can have chosen it. ``by_plan`` returns the change of that plan, which the same append
    writes, so that no step is played twice or lost.
    """

    action: Any
    decision: str | None = None
    by_plan: Callable[[Sequence[Record]], Carried] | None = None
    by_bot: BotMove | None = None

    def decide(self, game: Game, seat: Seat) -> Decided:
        self.check_moment(game, seat)
        if self.by_bot is None and game.bidder is not None:
            raise wrong_moment("bots-bid", WORDS)
        return aggregate.act(game, seat, self.action)

    def check_moment(self, game: Game, seat: Seat) -> None:
        aggregate.check_active(game)
        _check_current(game, self.expected)
        if self.decision is not None:
            check_decision(game, seat, self.decision)


@dataclass(frozen=True, kw_only=True)
class Propose(_OfSeat):
    kind: str
    duration: str | None = None
    to_version: int | None = None

    def decide(self, game: Game, seat: Seat) -> Decided:
        proposals.check_running(game)
        _check_current(game, self.expected)
        known = proposals.kinds(game.ruleset)
        if self.kind not in known:
            what = {"game": Text(game.ruleset.id), "kind": Text(self.kind), "known": Text(", ".join(known))}
            raise Unprocessable("unsupported", refusal("unsupported.kind", **what))
        return proposals.propose(game, seat, self.kind, self.duration, self.to_version)

    def toll(self, game: Game) -> Toll:
        return Toll(rates=[("proposals", f"{self.caller.player} {game.id}")])


@dataclass(frozen=True, kw_only=True)
class Vote(_OfSeat):
    proposal: str
    accept: bool

    def decide(self, game: Game, seat: Seat) -> Decided:
        proposals.check_running(game)
        _check_current(game, self.expected)
        return proposals.vote(game, seat, self.proposal, accept=self.accept)


@dataclass(frozen=True, kw_only=True)
class Resign(_OfSeat):
    def decide(self, game: Game, seat: Seat) -> Decided:
        aggregate.check_active(game)
        _check_current(game, self.expected)
        return aggregate.resign(game, seat)


@dataclass(frozen=True, kw_only=True)
class ClaimTimeout(_OfSeat):
    """Claim, at a time in ms since 1970, that the time of another seat is up."""

    now: int

    def decide(self, game: Game, seat: Seat) -> Decided:
        aggregate.check_active(game)
        _check_current(game, self.expected)
        return timeouts.claim(game, seat, self.now)


@dataclass(frozen=True, kw_only=True)
class Join:
    """Take a seat (None: the first open one), optionally with a seed for the draws; ``now`` is in ms since 1970."""

    STATUS: ClassVar = 201
    caller: Caller
    now: int
    seat: Seat | None = None
    brought: Brought = NOTHING
    key: Key | None = None

    def admit(self, game: Game) -> None:
        check_may_play(game, self.caller)
        check_opens_all(self.caller)
        self.check_seat(game)

    def check_seat(self, game: Game) -> None:
        if self.seat is not None and self.seat >= len(game.sitters):
            raise no_such_seat("/seat", self.seat, game)

    def decide(self, game: Game, _seat: None) -> Decided:
        player, brought = self.caller.player, self.brought
        seating.check_can_join(game, player)
        brought.check(game)
        return seating.join(
            game,
            player,
            self.chosen(game),
            brought.client_seed,
            brought.head,
            seed_commitment=brought.seed_commitment,
            now=self.now,
        )

    def chosen(self, _game: Game) -> Seat | None:
        return self.seat

    def toll(self, game: Game) -> Toll:
        """Count the player's seats, and joins by player and address: joining and leaving repeatedly grows a log."""
        address = self.caller.address
        by_address = [("joins-from-address", f"{address} {game.id}")] if address else []
        return Toll([("joins", f"{self.caller.player} {game.id}"), *by_address], ["seats"])

    def shown(self, game: Game, records: Sequence[Record], seat: None) -> ActionAnswer:  # noqa: ARG002 - none before it
        taken = next(record.seat for record in records if record.seat is not None)
        return representations.action_answer(game, taken, records, viewer=taken)


@dataclass(frozen=True, kw_only=True)
class OpenSeed(_OfSeat):
    """Open the seed that the player of a seat (None: the first of theirs whose seed is awaited) committed to."""

    client_seed: str

    def admit(self, game: Game) -> Seat:
        awaited = next((seat for seat in game.unopened if seat in seats_of(game, self.caller)), None)
        return playing_seat(game, self.caller, awaited if self.seat is None else self.seat)

    def decide(self, game: Game, seat: Seat) -> Decided:
        return opening.open_seed(game, seat, self.client_seed)


@dataclass(frozen=True, kw_only=True)
class Leave(_OfSeat):
    def decide(self, game: Game, seat: Seat) -> Decided:
        return seating.leave(game, self.caller.player, seat)


@dataclass(frozen=True, kw_only=True)
class PutBot:
    """Put a bot on a seat: the creator on an open one, a player on their own; ``now`` is in ms since 1970."""

    STATUS: ClassVar = 200
    caller: Caller
    now: int
    seat: Seat
    bot: str
    key: None = None

    def admit(self, game: Game) -> Seat:
        return seat_to_hand_over(game, self.caller, self.seat)

    def decide(self, game: Game, seat: Seat) -> Decided:
        decided = seating.put_bot(game, self.caller.player, seat, self.bot, now=self.now)
        check_bot_plays(self.bot, game.ruleset)
        return decided

    def toll(self, game: Game) -> Toll:
        others = [sitter for seat, sitter in enumerate(game.sitters) if seat != self.seat]
        alone = all(sitter and sitter.bot for sitter in others)
        return Toll(_of_bots(self.caller) if alone else (), ["running-games"])

    def shown(self, game: Game, records: Sequence[Record], seat: Seat) -> ActionAnswer:
        return representations.action_answer(game, seat, records, viewer=None)


@dataclass(frozen=True, kw_only=True)
class Cancel:
    STATUS: ClassVar = 200
    caller: Caller
    key: None = None

    def admit(self, game: Game) -> None:
        check_created(game, self.caller)

    def decide(self, game: Game, _seat: None) -> Decided:
        return seating.abort(game, "cancelled")

    def toll(self, _game: Game) -> Toll:
        """Apply no rate limit: a game is cancelled only once."""
        return FREE

    def shown(self, game: Game, _records: Sequence[Record], seat: None) -> GameAtVersion:  # noqa: ARG002 - no seat's
        return representations.game_at_version(game, ENDLESS)


@dataclass(frozen=True, kw_only=True)
class Decline(Cancel):
    """End a rematch because one of its players, whose open invitation has been checked, declines it."""

    def admit(self, game: Game) -> None:
        """Admit the invited player."""

    def decide(self, game: Game, _seat: None) -> Decided:
        return seating.abort(game, "declined")


def _of_bots(caller: Caller) -> list[tuple[str, str]]:
    """Return the limit of a game that only bots play: its log grows without a request of a player."""
    return [("bot-games-from-address", caller.address)] if caller.address else []


def check_decision(game: Game, seat: Seat, decision: str, code: str = "decision-closed") -> None:
    """Reject an outdated decision, with a code of its own; proposals and votes do not outdate it."""
    if seat in game.pending and game.decision_id(seat) == decision:
        return
    opened_at = int(decision[1:].split("_", maxsplit=1)[0])
    check_reached(game, opened_at)
    raise Stale(code, refusal(code, decision=Text(decision), seat=seat_number(seat)), opened_at)


def _check_current(game: Game, expected: int | None) -> None:
    if expected is not None and expected != game.version:
        check_reached(game, expected)
        said = refusal("stale-version", version=Number(game.version), expected=Number(expected))
        raise Stale("stale-version", said, expected)


# -- the commands of operators ------------------------------------------------------------------------------------
#
# They end a game or replace a player in it, for a reason that becomes part of the log.


class ActDone(TypedDict):
    """The act of an operator, and the version and the status of the game after it."""

    game_id: str
    act: OperatorAct
    version: int
    status: Status


@dataclass(frozen=True, kw_only=True)
class EndGame:
    STATUS: ClassVar = 201
    ACT: ClassVar[OperatorAct] = "abort"
    caller: Caller
    reason: str
    key: Key | None = None

    def admit(self, game: Game) -> None:
        check_operates(game, self.caller)

    def decide(self, game: Game, _seat: None) -> Decided:
        return operating.abort(game, self.reason)

    def toll(self, _game: Game) -> Toll:
        return FREE

    def shown(self, game: Game, _records: Sequence[Record], seat: None) -> ActDone:  # noqa: ARG002 - no seat's
        return {"game_id": game.id, "act": self.ACT, "version": game.version, "status": game.status}


@dataclass(frozen=True, kw_only=True)
class Replace(EndGame):
    ACT: ClassVar[OperatorAct] = "replace"
    seat: Seat
    bot: str

    def decide(self, game: Game, _seat: None) -> Decided:
        decided = operating.replace(game, self.seat, self.bot, self.reason)
        check_bot_plays(self.bot, game.ruleset)
        return decided
