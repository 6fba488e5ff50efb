"""What clients receive, as types: games, views, events, and answers to actions. The interface is described by them."""

from typing import Any, Literal, NotRequired, TypedDict

from domain.events import AtTimeout, Visibility
from domain.game.aggregate import Status


class OutcomeResource(TypedDict):
    """How a game ended: why, who won (ties share), and the final scores by seat."""

    reason: str
    winners: list[int]
    scores: list[int]


class SeatResource(TypedDict):
    """A seat, and who holds it; both null while it is open."""

    seat: int
    player: str | None
    bot: str | None


class ClockResource(TypedDict):
    """How long the seats may think, as ISO 8601 durations, and what becomes of a turn that takes longer."""

    per_move: str | None
    bank: str | None
    increment: str | None
    on_timeout: AtTimeout
    bot: str


class SeatDeadline(TypedDict):
    """Until when a seat may think."""

    seat: int
    at: str


class TimesResource(TypedDict):
    """Where the clocks stood after the last event: deadlines, banks by seat, and when a pause is over."""

    deadlines: list[SeatDeadline]
    banks: list[str] | None
    resumes: str | None


class GameInView(TypedDict):
    """The game that a view is of, as it was at the view's version."""

    id: str
    ruleset: str
    rules_version: int
    status: Status
    options: dict[str, Any]
    seats: list[SeatResource]
    clock: ClockResource | None
    outcome: OutcomeResource | None


class GameResource(GameInView):
    """The public data of a game."""

    visibility: Visibility
    sandbox: bool
    creator: str
    created_at: str


class GameAtVersion(GameResource):
    """A game, the version of its log, and its clocks."""

    version: int
    times: TimesResource


class Viewer(TypedDict):
    """Who a view is for; a null seat is a spectator."""

    seat: int | None


class Decision(TypedDict):
    """The viewer's pending decision."""

    id: str
    deadline: str | None


class ListedActions(TypedDict):
    """The viewer's legal actions: how many, and each of them while there are at most 200, else their JSON Schema."""

    count: int
    actions: list[dict[str, Any]] | None
    schema: NotRequired[dict[str, Any]]


class ProposalResource(TypedDict):
    """An open proposal, and the seats that accept it so far; it is carried once every player does."""

    id: str
    kind: str
    seat: int
    accepted: list[int]
    duration: str | None


class ViewResource(TypedDict):
    """What one viewer may know of a game, at one version; ``state`` is the ruleset's, null before the start."""

    game: GameInView
    version: int
    viewer: Viewer
    state: dict[str, Any] | None
    to_act: list[int]
    proposals: list[ProposalResource]
    times: TimesResource
    decision: NotRequired[Decision]
    legal_actions: NotRequired[ListedActions]


class EventResource(TypedDict):
    """One event of a log, as one viewer may see it."""

    game_id: str
    version: int
    type: str
    at: str
    seat: int | None
    data: dict[str, Any]
    sealed: dict[str, str]
    salts: dict[str, str]
    hash: str


class ActionAnswer(TypedDict):
    """What came of an action: the events that it caused, as the seat may see them now."""

    game_id: str
    version: int
    seat: int
    status: Status
    to_act: list[int]
    events: list[EventResource]


class EventPage(TypedDict):
    """Events in order; ``next`` is the version to go on after, null at the end of the log."""

    events: list[EventResource]
    next: int | None


class LegalActions(TypedDict):
    """A page of the legal actions of a seat now, with the number of all of them and their JSON Schema."""

    game_id: str
    version: int
    seat: int
    decision: Decision | None
    count: int
    actions: list[dict[str, Any]]
    schema: dict[str, Any]
    next_cursor: str | None


class DryRun(TypedDict):
    """The action would be accepted."""

    legal: Literal[True]
