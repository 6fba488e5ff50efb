"""What the API shows: a game, a view, the result of an action, a page of events, as plain data.

Everything shown to a viewer passes through one of two functions: the ruleset's ``project`` for a view,
``domain.log.record.visible`` for an event. The types describe what clients receive.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NotRequired, TypedDict

from domain.game.aggregate import Game, Status
from domain.game.durations import lasting, moment
from domain.game.events import AtTimeout, Visibility
from domain.log.record import Record, visible
from domain.notation import document
from domain.ruleset import AnyRuleset
from domain.sequences import spanning
from domain.serialization import Plain, to_plain
from domain.table import Seat
from service.games import legal_schema

MOST_LISTED = 200
"""The most legal actions that a view lists, with an exact schema; of more, it has the number and a schema."""

MOST_IN_PAGE = 2000
"""The most legal actions on a page."""


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


class GameInView(TypedDict):
    """The game that a view shows, as it was at the view's version."""

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
    """An open proposal, and the seats that have accepted it; it is carried once every player has."""

    id: str
    kind: str
    seat: int
    accepted: list[int]
    duration: str | None


class ViewResource(TypedDict):
    """What one viewer is allowed to see of a game at one version; ``state`` is the ruleset's, null before the start."""

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
    """One event of a log, as one viewer is allowed to see it."""

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
    """The result of an action: the events that it caused, as the seat can see them now."""

    game_id: str
    version: int
    seat: int
    status: Status
    to_act: list[int]
    events: list[EventResource]


class EventPage(TypedDict):
    """Events in order; ``next`` is the version to continue after, null at the end of the log."""

    events: list[EventResource]
    next: int | None


class LegalActions(TypedDict):
    """A page of the current legal actions of a seat, with the number of all of them and their JSON Schema."""

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


def game_resource(game: Game) -> GameResource:
    """Show a game to anyone who is allowed to see it."""
    return {
        **_game_in_view(game),
        "visibility": game.visibility,
        "sandbox": game.sandbox,
        "creator": game.creator,
        "created_at": game.created_at,
    }


def game_at_version(game: Game) -> GameAtVersion:
    """Show a game with its version."""
    return {**game_resource(game), "version": game.version, "times": _times(game)}


def _game_in_view(game: Game) -> GameInView:
    return {
        "id": game.id,
        "ruleset": game.ruleset.id,
        "rules_version": game.rules_version,
        "status": game.status,
        "options": to_plain(game.options),
        "seats": [
            {"seat": seat, "player": sitter.player if sitter else None, "bot": sitter.bot if sitter else None}
            for seat, sitter in enumerate(game.sitters)
        ],
        "clock": to_plain(game.clock),
        "outcome": to_plain(game.outcome),
    }


def _times(game: Game) -> TimesResource:
    resumes = game.times.resumes
    return {
        "deadlines": [{"seat": seat, "at": moment(at)} for seat, at in sorted(game.deadlines.items())],
        "banks": [lasting(bank) for bank in game.times.banks] if game.times.banks else None,
        "resumes": None if resumes is None else moment(resumes),
    }


def view(game: Game, viewer: Seat | None) -> ViewResource:
    """Show a game from a seat, or to a spectator (None)."""
    shown: ViewResource = {
        "game": _game_in_view(game),
        "version": game.version,
        "viewer": {"seat": viewer},
        "state": None if game.state is None else game.ruleset.project(game.state, viewer),
        "to_act": sorted(game.pending),
        "proposals": to_plain(game.proposals),
        "times": _times(game),
    }
    if viewer is not None and viewer in game.pending:
        shown["decision"] = decision(game, viewer)
        shown["legal_actions"] = _listed(game.ruleset, game.ruleset.legal_actions(game.state, viewer))
    return shown


def _listed(ruleset: AnyRuleset, actions: Sequence[Any]) -> ListedActions:
    if len(actions) > MOST_LISTED:
        return {"count": len(actions), "actions": None, "schema": _schema(ruleset, actions)}
    return {"count": len(actions), "actions": [action_data(ruleset, action) for action in actions]}


def legal_actions(game: Game, seat: Seat, actions: Sequence[Any], page: range, cursor: str | None) -> LegalActions:
    """Show some of a seat's legal actions, by their numbers; ``cursor`` leads to the next page, None after the last."""
    return {
        "game_id": game.id,
        "version": game.version,
        "seat": seat,
        "decision": decision(game, seat) if seat in game.pending else None,
        "count": len(actions),
        "actions": [action_data(game.ruleset, action) for action in actions[page.start : page.stop]],
        "schema": _schema(game.ruleset, actions),
        "next_cursor": cursor,
    }


def _schema(ruleset: AnyRuleset, actions: Sequence[Any]) -> dict[str, Any]:
    """Describe legal actions: exactly while a view lists them, otherwise by a few that cover all fields and values."""
    if len(actions) <= MOST_LISTED:
        return legal_schema.exact([action_data(ruleset, action) for action in actions])
    return legal_schema.necessary([action_data(ruleset, action) for action in spanning(actions)])


def drawn(game: Game, viewer: Seat | None) -> str:
    """Draw what a view shows of the table, as SVG; before the start, the table as it will be set up."""
    state = game.ruleset.setup(game.options, len(game.sitters)) if game.state is None else game.state
    return game.ruleset.presentation.svg(game.ruleset.project(state, viewer))


def decision(game: Game, seat: Seat) -> Decision:
    """Show the pending decision of a seat."""
    until = game.deadlines.get(seat)
    return {"id": game.decision_id(seat), "deadline": None if until is None else moment(until)}


def action_data(ruleset: AnyRuleset, action: Any) -> dict[str, Plain]:
    """Write an action as a client posts it."""
    name = next(name for name, cls in ruleset.actions.items() if cls is type(action))
    return {"type": name, **to_plain(action)}


def action_answer(game: Game, seat: Seat, records: Iterable[Record], viewer: Seat | None) -> ActionAnswer:
    """Show the result of a seat's action to a viewer: the seat that acted, or a spectator."""
    return {
        "game_id": game.id,
        "version": game.version,
        "seat": seat,
        "status": game.status,
        "to_act": sorted(game.pending),
        "events": events(game, viewer, records),
    }


def events(game: Game, viewer: Seat | None, records: Iterable[Record]) -> list[Any]:
    """Show records of a game to a viewer: their own secrets only, and everything once the game is over."""
    return [visible(record, game.secret, viewer, everything=game.is_over) for record in records]


def text(game: Game, viewer: Seat | None, records: Iterable[Record]) -> str:
    """Write a game as text, with what a viewer is allowed to see of its log, and everything once the game is over."""
    return document.write(events(game, viewer, records))


def event_page(game: Game, viewer: Seat | None, records: Sequence[Record]) -> EventPage:
    """Show a page of a log."""
    last = records[-1].version if records else game.version
    return {"events": events(game, viewer, records), "next": last if last < game.version else None}
