"""The events that every game has, whatever its ruleset: seats, proposals, timeouts, pauses, the end."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from domain import field_types as ft
from domain.field_types import Omittable, secret
from domain.serialization import Plain
from domain.table import Outcome, Seat

Visibility = Literal["public", "unlisted", "private"]
Closing = Literal["agreed", "declined", "lapsed"]
LapseReason = Literal["disclosed", "taken_back"]
AtTimeout = Literal["bot", "resign", "wait"]
AbortReason = Literal[
    "cancelled", "expired", "abandoned", "declined", "agreed", "operator", "unopened", "idle", "closed", "endless"
]
Unopened = Literal["start", "abort"]
OperatorAct = Literal["abort", "replace"]
Knowledge = Literal["own", "full"]


@dataclass(frozen=True, slots=True)
class Clock:
    """How long players have to move, as ISO 8601 durations, and what happens at a timeout.

    ``per_move`` is free for each decision; time beyond it is taken from the seat's ``bank``, to which ``increment`` is
    added after each decision. At a timeout, the ``bot`` named decides (``bot``), the seat loses (``resign``), or the
    game waits until an opponent claims the timeout (``wait``).
    """

    per_move: str | None
    bank: str | None
    increment: str | None
    on_timeout: AtTimeout
    bot: str


@dataclass(frozen=True, slots=True)
class ForkedFrom:
    """The origin of a fork: a version of a game, with the knowledge of a seat (null: a spectator), or of everything
    (``full``).

    Its log repeats ``events`` of that game after the start; what its maker did not know of them is drawn.
    """

    game_id: str
    version: int
    seat: Seat | None
    knowledge: Knowledge
    events: int


@dataclass(frozen=True, slots=True)
class Opening:
    """How long players have to open the seeds that they committed to, as an ISO 8601 duration.

    If one is not opened ``within`` that time, the game starts without it (``start``), or ends (``abort``).
    """

    within: str
    unopened: Unopened


@dataclass(frozen=True, slots=True)
class SetDeal:
    """The deal of a deal set that a game plays, by its number from 1 on; the set closes at a time.

    A player is not ``ranked`` whose account is younger than the set, nor is a program: they play as guests. In the
    ``auction``, the bot of this name bids for every seat.
    """

    set: str
    number: int
    closes: str
    ranked: bool
    auction: Annotated[str | None, Omittable()] = None


@dataclass(frozen=True, slots=True)
class GameCreated:
    """A game was created; the commitment binds the server to the secret of every draw.

    A rematch names the game after which the same players meet again, a fork the position where it begins. ``bot_pace``
    is how long a bot waits before it moves while a player is at the table, and ``opening`` how seeds are opened,
    if the table chose that. Where each deal has a secret of its own, ``deal_anchor`` is the anchor of their chain.
    A game that plays the ``deal`` of a set takes its draws from there: the anchor is the SHA-256 of ``deal_secret``.
    That is public once the set has closed, and so is the ``mask`` under which the table plays the deal, '' for none.
    """

    ruleset: str
    rules_version: int
    options: Mapping[str, Plain]
    seats: int
    visibility: Visibility
    sandbox: bool
    creator: str
    commitment: str
    secret: str = secret()
    clock: Clock | None = None
    rematch_of: Annotated[str | None, Omittable()] = None
    forked_from: Annotated[ForkedFrom | None, Omittable()] = None
    bot_pace: Annotated[str | None, Omittable()] = None
    opening: Annotated[Opening | None, Omittable()] = None
    deal_anchor: Annotated[str | None, Omittable()] = None
    deal: Annotated[SetDeal | None, Omittable()] = None
    deal_secret: Annotated[str | None, Omittable()] = ft.secret(default=None)
    mask: Annotated[str | None, Omittable()] = ft.secret(default=None)


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A player took a seat, optionally with a seed for the draws, or with a commitment to a seed.

    ``joined_after`` is the hash of the last event that the player had seen, if they named it: the one just before this.
    """

    seat: Seat
    player: str
    client_seed: str | None
    joined_after: Annotated[str | None, Omittable()] = None
    seed_commitment: Annotated[str | None, Omittable()] = None


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A player left a seat before the start."""

    seat: Seat
    player: str


@dataclass(frozen=True, slots=True)
class BotSeated:
    """A bot took an open seat, or took over from the player who held it."""

    seat: Seat
    bot: str


@dataclass(frozen=True, slots=True)
class SeedsAwaited:
    """Every seat is taken: the players of these seats open the seeds that they committed to, until a point in time."""

    seats: tuple[Seat, ...]
    until: str


@dataclass(frozen=True, slots=True)
class SeedOpened:
    """A player opened the seed that they committed to."""

    seat: Seat
    client_seed: str


@dataclass(frozen=True, slots=True)
class SeedsClosed:
    """Seeds can no longer be opened; the draws do not use those of the ``missing`` seats."""

    missing: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class GameStarted:
    """Every seat is taken; the players by seat, null for a bot."""

    players: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class SecretRevealed:
    """A deal is over, and the next one follows: the secret of the deal (hex) opens it and proves how it was dealt."""

    deal: int
    secret: str


@dataclass(frozen=True, slots=True)
class GameFinished:
    """The game is over; the secret opens every seal and lets anyone recompute every draw."""

    outcome: Outcome
    secret: str


@dataclass(frozen=True, slots=True)
class GameAborted:
    """A game ended without a result; the secret opens the commitment and every seal.

    Before the start, its creator cancelled it, nobody took its open seats, all its players left, an invited player
    declined, or a seed was not opened; after it, all players agreed. At any time, the operator of the service ended it
    (``operator``), the set of its deal closed, or its log had no room for more events (``endless``).
    """

    reason: AbortReason
    secret: str


@dataclass(frozen=True, slots=True)
class OperatorActed:
    """The operator of the service intervened, for a reason in the operator's words; the next events are the result."""

    act: OperatorAct
    reason: str


@dataclass(frozen=True, slots=True)
class ProposalMade:
    """A seat proposed something that every seat must accept; it accepts itself by proposing.

    ``duration`` is the length of a pause, ``to_version`` the version that a take-back returns to.
    """

    seat: Seat
    proposal: str
    kind: str
    duration: str | None = None
    to_version: Annotated[int | None, Omittable()] = None


OF_EVERY_GAME: Mapping[str, str] = {
    "pause": "Stop the game, and all clocks, for a duration (a vacation), two weeks if none is given.",
    "resume": "Continue before the pause is over.",
    "abort": "End the game now, without a result.",
}
"""The kinds of proposals that every game has, each with a sentence."""

TAKE_BACK = "take_back"
OF_OPEN_EVENTS: Mapping[str, str] = {
    TAKE_BACK: "Go back to an earlier version, if nothing hidden has been disclosed since then.",
}
"""The kinds of proposals that a game has if its ruleset declares open events, each with a sentence."""


@dataclass(frozen=True, slots=True)
class VoteCast:
    """A seat voted on a proposal."""

    seat: Seat
    proposal: str
    accept: bool


@dataclass(frozen=True, slots=True)
class ProposalClosed:
    """A proposal was closed: every seat accepted it, one declined, or the game moved on.

    ``reason`` is why a take-back is no longer possible, or that a take-back changed the position of any other proposal.
    """

    proposal: str
    result: Closing
    reason: Annotated[LapseReason | None, Omittable()] = None


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Every seat agreed to go back: the game continues from the position that it had at ``to_version``.

    What happened in between stays in the log, without effect on the position. Seats, pauses and votes stay as they are.
    """

    to_version: int


@dataclass(frozen=True, slots=True)
class TurnTimedOut:
    """A seat's time was up: a bot decided for it, it lost the game, or it resigned; the next events are the result.

    It resigns where the rules have no loss on time of their own, and in games of earlier releases.
    """

    seat: Seat
    by: Literal["bot", "loss", "resign"]
    bot: str | None


@dataclass(frozen=True, slots=True)
class TimeoutClaimed:
    """A seat claimed that another seat's time was up."""

    seat: Seat
    late: Seat


@dataclass(frozen=True, slots=True)
class TimeCredited:
    """The service was down: clocks get the time of the downtime back."""

    from_: str
    until: str


@dataclass(frozen=True, slots=True)
class GamePaused:
    """All clocks stop, for a duration, or until the seats agree to resume."""

    duration: str


@dataclass(frozen=True, slots=True)
class GameResumed:
    """The game was resumed: the pause was over, or the seats agreed."""

    reason: Literal["over", "agreed"]


EVENTS: Mapping[str, type] = {
    "game_created": GameCreated,
    "seat_taken": SeatTaken,
    "seat_left": SeatLeft,
    "bot_seated": BotSeated,
    "seeds_awaited": SeedsAwaited,
    "seed_opened": SeedOpened,
    "seeds_closed": SeedsClosed,
    "game_started": GameStarted,
    "proposal_made": ProposalMade,
    "vote_cast": VoteCast,
    "proposal_closed": ProposalClosed,
    "taken_back": TakenBack,
    "turn_timed_out": TurnTimedOut,
    "timeout_claimed": TimeoutClaimed,
    "time_credited": TimeCredited,
    "game_paused": GamePaused,
    "game_resumed": GameResumed,
    "operator_acted": OperatorActed,
    "secret_revealed": SecretRevealed,
    "game_finished": GameFinished,
    "game_aborted": GameAborted,
}
