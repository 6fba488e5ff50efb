"""What clients receive, as types: games, views, events, and answers to actions. The interface is described by them."""

from typing import Any, Literal, NotRequired, TypedDict

from domain.events import AbortReason, AtTimeout, Knowledge, Unopened, Visibility
from domain.game.aggregate import Status
from domain.game.time_control import Speed
from domain.log.bot_moves import BotMove
from service.games.phrases import SaidPhrase
from service.games.projections.scenes import SceneResource, Viewer


class OutcomeResource(TypedDict):
    """How a game ended: why, who won (ties share), and the final scores by seat."""

    reason: str
    winners: list[int]
    scores: list[int]


class SeatResource(TypedDict):
    """A seat, and who holds it: a player or a bot; both null while it is open.

    ``name`` is the player's name now, null if they have deleted it; a bot's name and ``portrait`` are those that were
    drawn for this game. A player's portrait is null until they choose one. ``tag`` is a short mark of the player where
    another name at this table looks alike, else null. ``account`` is there if the player is a program that an operator
    runs; its public page says who.
    """

    seat: int
    player: str | None
    bot: str | None
    name: str | None
    tag: str | None
    portrait: str | None
    account: NotRequired[Literal["bot"]]


class ClockResource(TypedDict):
    """How long players have to move, as ISO 8601 durations, and what happens at a timeout."""

    per_move: str | None
    bank: str | None
    increment: str | None
    on_timeout: AtTimeout
    bot: str


class SeatDeadline(TypedDict):
    """A seat's deadline."""

    seat: int
    at: str


class TimesResource(TypedDict):
    """The clocks after the last event: deadlines, banks by seat, and when a pause ends."""

    deadlines: list[SeatDeadline]
    banks: list[str] | None
    resumes: str | None


class OpeningResource(TypedDict):
    """How long players have to open the seeds that they committed to, and what happens if one is missing."""

    within: str
    unopened: Unopened


class SeedsAwaitedResource(TypedDict):
    """The seats whose players have yet to open the seeds that they committed to, and until when."""

    seats: list[int]
    until: str


class GameInView(TypedDict):
    """The game that a view shows, as it was at the view's version.

    ``seeds_awaited`` is there between the last seat and the start, if players have committed to seeds.
    """

    id: str
    ruleset: str
    rules_version: int
    status: Status
    sandbox: bool
    options: dict[str, Any]
    seats: list[SeatResource]
    clock: ClockResource | None
    outcome: OutcomeResource | None
    seeds_awaited: NotRequired[SeedsAwaitedResource]


class GameResource(GameInView):
    """The public data of a game; ``creator_name`` is null if the creator has deleted their name.

    ``creator_tag`` tells the creator from players of the game whose names look alike, as ``tag`` does for seats.
    ``speed`` follows from the time that the clock gives for a turn: up to ten minutes (live), up to a day (daily) or
    more (slow). ``rematch_of`` is the game of which it is the rematch, null if it is none: its open seats are those of
    who played there.
    """

    speed: Speed
    visibility: Visibility
    creator: str
    creator_name: str | None
    creator_tag: str | None
    created_at: str
    rematch_of: str | None


class RematchResource(TypedDict):
    """The rematch of a finished game, and the old seats whose players have joined it."""

    game_id: str
    accepted: list[int]


class ForkedFromResource(TypedDict):
    """The origin of a fork: a version of a game, with the knowledge of a seat (null: a spectator), or of everything
    (``full``).

    Its log repeats ``events`` of that game after the start; what its maker did not know of them is drawn.
    """

    game_id: str
    version: int
    seat: int | None
    knowledge: Knowledge
    events: int


class GameAtVersion(GameResource):
    """A game, the version of its log, the seats that it waits for, and its clocks.

    ``head`` is the hash of the log's last event: who brings a seed to a seat names it.
    ``rematch`` is the one of this game, null if there is none.
    ``forked_from`` is null unless it is a fork. ``bot_pace`` is how long a bot waits before it moves while a
    player is at the table, and ``opening`` how seeds are opened; null if the table did not choose.
    ``expires_at`` is when an open game ends if its seats do not change until then, or a game in play if nothing happens
    in it, or when a sandbox that is over is removed; null for never. ``aborted_because`` is null unless the game ended
    without a result.
    """

    version: int
    head: str
    expires_at: str | None
    aborted_because: AbortReason | None
    bot_pace: str | None
    opening: OpeningResource | None
    rematch: RematchResource | None
    forked_from: ForkedFromResource | None
    waiting_for: list[int]
    times: TimesResource


class Decision(TypedDict):
    """The viewer's pending decision."""

    id: str
    deadline: str | None


class ListedActions(TypedDict):
    """The viewer's legal actions: how many, each while there are at most 200, in words in a language; else a schema."""

    count: int
    actions: list[dict[str, Any]] | None
    says: NotRequired[list[str]]
    schema: NotRequired[dict[str, Any]]


class ProposalResource(TypedDict):
    """An open proposal, and the seats that have accepted it; it is carried once every player has."""

    id: str
    kind: str
    seat: int
    accepted: list[int]
    duration: str | None
    to_version: NotRequired[int]


class TakeBack(TypedDict):
    """The versions that the viewer can propose to go back to; ``own`` is the one before the seat's last action."""

    versions: list[int]
    own: int | None


class ViewResource(TypedDict):
    """What one viewer is allowed to see of a game at one version; ``state`` is the ruleset's, null before the start.

    ``to_act`` lists the seats that can act, and ``waiting_for`` those of them whose clocks run. ``take_back`` is there
    while a seat can propose one, and ``scene`` if it was requested. ``planned`` is there, and true, if it is your
    turn and your plan plays it.
    """

    ruleset: str
    game: GameInView
    version: int
    viewer: Viewer
    state: dict[str, Any] | None
    to_act: list[int]
    waiting_for: list[int]
    proposals: list[ProposalResource]
    times: TimesResource
    take_back: NotRequired[TakeBack]
    decision: NotRequired[Decision]
    legal_actions: NotRequired[ListedActions]
    planned: NotRequired[bool]
    scene: NotRequired[SceneResource]


class MessageResource(TypedDict):
    """A message in no particular language: ``id`` determines the possible ``params``."""

    id: str
    params: dict[str, "SentenceParameterResource"]


class SentenceParameterResource(TypedDict):
    """A parameter of a sentence: its kind, and its value by that name, but ``items`` of a list, ``number`` of a score.

    A seat comes with who held it at that version. Seats and players come with their name and their tag, as the
    ``seats`` of a game show them.
    """

    kind: Literal["seat", "player", "number", "score", "card", "text", "list", "message"]
    seat: NotRequired[int]
    player: NotRequired[str | None]
    bot: NotRequired[str | None]
    name: NotRequired[str | None]
    tag: NotRequired[str | None]
    number: NotRequired[int]
    card: NotRequired[str]
    text: NotRequired[str]
    items: NotRequired[list["SentenceParameterResource"]]
    message: NotRequired[MessageResource]


class SentenceResource(MessageResource):
    """A sentence about an event: ``text`` in words, with current names; the rest for clients with their own words."""

    text: str


class ReasonResource(MessageResource):
    """Why an action is good: ``text`` in words, the rest for clients with their own words."""

    text: str


class EventResource(TypedDict):
    """One event of a log, as one viewer is allowed to see it; with a sentence if a language was requested.

    The first event of what a bot did, in its own seat or for a late player, has that ``bot``.
    """

    game_id: str
    version: int
    type: str
    at: str
    seat: int | None
    data: dict[str, Any]
    sealed: dict[str, str]
    salts: dict[str, str]
    hash: str
    bot: NotRequired[BotMove]
    sentence: NotRequired[SentenceResource]


class ActionAnswer(TypedDict):
    """The result of an action: the events that it caused, as the seat can see them now.

    ``view`` is there only if it was requested: the game as the seat sees it by then, at this version or a later one.
    """

    ruleset: str
    game_id: str
    version: int
    seat: int
    status: Status
    to_act: list[int]
    waiting_for: list[int]
    events: list[EventResource]
    view: NotRequired[ViewResource]


class EventPage(TypedDict):
    """Events in order; ``next`` is the version to continue after, null at the end of the log.

    ``view`` is there only if it was requested, and only at the end of the log; ``phrases``, only if requested.
    """

    ruleset: str
    events: list[EventResource]
    next: int | None
    view: NotRequired[ViewResource]
    phrases: NotRequired[list[SaidPhrase]]


class LegalActions(TypedDict):
    """A page of the legal actions of a seat now (in words too in a language), with the number and schema of all."""

    ruleset: str
    game_id: str
    version: int
    seat: int
    decision: Decision | None
    count: int
    actions: list[dict[str, Any]]
    says: NotRequired[list[str]]
    schema: dict[str, Any]
    next_cursor: str | None


class DryRun(TypedDict):
    """The action would be accepted."""

    legal: Literal[True]
