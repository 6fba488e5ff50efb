"""What the API shows: a game, a view, the result of an action, a page of events, as plain data.

Whatever a viewer receives passes through one of two functions: the ruleset's ``project`` for a view,
``domain.log.record.visible`` for an event. ``resources`` has the types. ``naming`` fills in the names of players, which
neither logs nor lists contain.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from domain.game import take_backs, timeouts
from domain.game.aggregate import Game
from domain.game.durations import lasting, moment
from domain.game.parts import Sitter
from domain.game.time_control import speed_of
from domain.game.timeouts import Patience
from domain.log.record import Record, visible
from domain.pictures.shown import Shown
from domain.ruleset import AnyRuleset
from domain.sequences import spanning
from domain.serialization import Plain, to_plain
from domain.table import EVERYTHING, Seat, Viewer
from domain.texts import document
from service.accounts.players import BOTS
from service.common import observability
from service.games.projections import legal_schema
from service.games.projections.naming import named_seats
from service.games.projections.resources import (
    ActionAnswer,
    Decision,
    EventPage,
    GameAtVersion,
    GameInView,
    GameResource,
    LegalActions,
    ListedActions,
    RematchResource,
    SeatResource,
    TimesResource,
    ViewResource,
)
from service.games.projections.scenes import SceneResource, scene_resource
from service.games.projections.scenes import Viewer as ViewerResource
from service.games.repository import count_read

MOST_LISTED = 200
"""The most legal actions that a view lists, with an exact schema; of more, it has their number and a schema."""

MOST_IN_PAGE = 2000
"""The most legal actions on a page."""

_EVENTS_OF_A_SCENE, _EVENTS_OF_A_SHEET = 16, 32
"""Drawing a scene takes as long as reading so many events, and one more for every so many in the log, for its sheet."""


def game_resource(game: Game) -> GameResource:
    return {
        **_game_in_view(game),
        "speed": speed_of(game.clock),
        "visibility": game.visibility,
        "creator": game.creator,
        "creator_name": None,
        "creator_tag": None,
        "created_at": game.created_at,
        "rematch_of": game.rematch_of,
    }


def game_at_version(game: Game, patience: Patience, rematch: RematchResource | None = None) -> GameAtVersion:
    """Show a game with its version and its rematch; ``patience`` determines when it expires."""
    expires = timeouts.expires(game, patience)
    return {
        **game_resource(game),
        "version": game.version,
        "head": game.head,
        "expires_at": None if expires is None else moment(expires),
        "aborted_because": game.aborted_because,
        "bot_pace": game.bot_pace,
        "opening": to_plain(game.opening),
        "rematch": rematch,
        "forked_from": to_plain(game.forked_from),
        "waiting_for": [*game.waiting_for],
        "times": _times(game),
    }


def _game_in_view(game: Game) -> GameInView:
    shown: GameInView = {
        "id": game.id,
        "ruleset": game.ruleset.id,
        "rules_version": game.rules_version,
        "status": game.status,
        "sandbox": game.sandbox,
        "options": to_plain(game.options),
        "seats": [_seat(seat, sitter) for seat, sitter in enumerate(game.sitters)],
        "clock": to_plain(game.clock),
        "outcome": to_plain(game.outcome),
    }
    if game.awaited is not None:
        shown["seeds_awaited"] = {"seats": [*game.unopened], "until": moment(game.awaited.until)}
    return shown


def _seat(seat: Seat, sitter: Sitter | None) -> SeatResource:
    player, bot = (sitter.player, sitter.bot) if sitter else (None, None)
    shown: SeatResource = {"seat": seat, "player": player, "bot": bot, "name": None, "tag": None, "portrait": None}
    if player is not None and player.startswith(BOTS):
        shown["account"] = "bot"
    return shown


def _times(game: Game) -> TimesResource:
    resumes = game.times.resumes
    return {
        "deadlines": [{"seat": seat, "at": moment(at)} for seat, at in sorted(game.deadlines.items())],
        "banks": [lasting(bank) for bank in game.times.banks] if game.times.banks else None,
        "resumes": None if resumes is None else moment(resumes),
    }


def view(game: Game, viewer: Seat | None, *, everything: bool = False, most: int = MOST_LISTED) -> ViewResource:
    """Show a game from a seat, or to a spectator (None); ``everything`` opens all that is hidden, once it is over.

    Up to ``most`` legal actions are listed.
    """
    shown: ViewResource = {
        "ruleset": game.ruleset.id,
        "game": _game_in_view(game),
        "version": game.version,
        "viewer": _viewer(viewer, everything=everything),
        "state": state(game, viewer, everything=everything),
        "to_act": sorted(game.pending),
        "waiting_for": [*game.waiting_for],
        "proposals": to_plain(game.proposals),
        "times": _times(game),
    }
    if viewer is not None and len(game.positions) > 1 and (versions := take_backs.versions(game)):
        shown["take_back"] = {"versions": versions, "own": take_backs.own_version(game, viewer)}
    if viewer is not None and game.decides(viewer):
        shown["decision"] = decision(game, viewer)
        shown["legal_actions"] = _listed(game.ruleset, game.ruleset.legal_actions(game.state, viewer), most)
    return shown


def state(game: Game, viewer: Seat | None, *, everything: bool = False) -> Any:
    eyes: Viewer = EVERYTHING if everything else viewer
    return None if game.state is None else _projected(game.ruleset, game.state, eyes)


def _projected(ruleset: AnyRuleset, state: Any, eyes: Viewer) -> Any:
    with observability.span("project", ruleset=ruleset.id):
        return ruleset.project(state, eyes)


def _viewer(viewer: Seat | None, *, everything: bool) -> ViewerResource:
    return {"seat": viewer, "knowledge": "full"} if everything else {"seat": viewer}


def _listed(ruleset: AnyRuleset, actions: Sequence[Any], most: int) -> ListedActions:
    if len(actions) > most:
        return {"count": len(actions), "actions": None, "schema": _schema(ruleset, actions)}
    return {"count": len(actions), "actions": _actions_data(ruleset, actions)}


def legal_actions(game: Game, seat: Seat, actions: Sequence[Any], page: range, cursor: str | None) -> LegalActions:
    """Show some of a seat's legal actions, by their numbers; ``cursor`` leads to the next page, None after the last."""
    return {
        "ruleset": game.ruleset.id,
        "game_id": game.id,
        "version": game.version,
        "seat": seat,
        "decision": decision(game, seat) if game.decides(seat) else None,
        "count": len(actions),
        "actions": _actions_data(game.ruleset, actions[page.start : page.stop]),
        "schema": _schema(game.ruleset, actions),
        "next_cursor": cursor,
    }


def _schema(ruleset: AnyRuleset, actions: Sequence[Any]) -> dict[str, Any]:
    """Describe legal actions: exactly while a view lists them, otherwise by a few that cover all fields and values."""
    if len(actions) <= MOST_LISTED:
        return legal_schema.exact(_actions_data(ruleset, actions))
    return legal_schema.necessary(_actions_data(ruleset, spanning(actions)), ruleset.actions)


def drawn(
    game: Game,
    viewer: Seat | None,
    names: Mapping[str, str] = MappingProxyType({}),
    *,
    everything: bool = False,
) -> str:
    """Draw what a view shows of the table, as SVG; before the start, the table as it will be set up.

    ``names`` are those of players by their ids and of bots by ``bot_at``, short enough for a line.
    """
    state, shown = _to_be_shown(game, viewer, names, everything=everything)
    return game.ruleset.presentation.svg(state, shown)


def scene(
    game: Game,
    viewer: Seat | None,
    lang: str,
    names: Mapping[str, str] = MappingProxyType({}),
    *,
    everything: bool = False,
) -> SceneResource:
    state, shown = _to_be_shown(game, viewer, names, everything=everything)
    seen = game.ruleset.presentation.scene(state, replace(shown, language=lang))
    return scene_resource(seen, game.id, game.version, _viewer(viewer, everything=everything), lang)


def _to_be_shown(
    game: Game, viewer: Seat | None, names: Mapping[str, str], *, everything: bool
) -> tuple[object, Shown]:
    count_read(_EVENTS_OF_A_SCENE + game.version // _EVENTS_OF_A_SHEET)
    eyes: Viewer = EVERYTHING if everything else viewer
    state = game.ruleset.setup(game.options, len(game.sitters)) if game.state is None else game.state
    legal = game.ruleset.legal_actions(state, viewer) if viewer is not None and game.decides(viewer) else ()
    seated = {seat: names[key] for seat, key in named_seats(game.sitters).items() if key in names}
    return _projected(game.ruleset, state, eyes), Shown(seated, viewer, tuple(spanning(legal)))


def decision(game: Game, seat: Seat) -> Decision:
    until = game.deadlines.get(seat)
    return {"id": game.decision_id(seat), "deadline": None if until is None else moment(until)}


def action_data(ruleset: AnyRuleset, action: Any) -> dict[str, Plain]:
    """Write an action as a client posts it."""
    return _actions_data(ruleset, [action])[0]


def _actions_data(ruleset: AnyRuleset, actions: Iterable[Any]) -> list[dict[str, Plain]]:
    names = {cls: name for name, cls in ruleset.actions.items()}
    listed = [*actions]
    return [{"type": names[type(action)], **data} for action, data in zip(listed, to_plain(listed), strict=True)]


def action_answer(game: Game, seat: Seat, records: Iterable[Record], viewer: Seat | None) -> ActionAnswer:
    """Show the result of a seat's action to a viewer: the seat that acted, or a spectator."""
    return {
        "ruleset": game.ruleset.id,
        "game_id": game.id,
        "version": game.version,
        "seat": seat,
        "status": game.status,
        "to_act": sorted(game.pending),
        "waiting_for": [*game.waiting_for],
        "events": events(game, viewer, records),
    }


def events(game: Game, viewer: Seat | None, records: Iterable[Record]) -> list[Any]:
    """Show records of a game to a viewer: their own secrets only, and everything once the game is over."""
    return [visible(record, game.secrets, viewer, everything=game.is_over) for record in records]


def opened_events(game: Game, viewer: Seat | None, records: Iterable[Record]) -> list[Any]:
    """Show records of a game to a viewer who verifies it: the deals that are over are open, too."""
    everything = game.is_over
    return [visible(each, game.secrets, viewer, everything=everything, finished_deals=True) for each in records]


def text(game: Game, viewer: Seat | None, records: Iterable[Record]) -> str:
    """Write a game as text, with what a viewer is allowed to see of its log, and everything once the game is over."""
    return document.write(events(game, viewer, records))


def event_page(game: Game, viewer: Seat | None, records: Sequence[Record]) -> EventPage:
    last = records[-1].version if records else game.version
    following = last if last < game.version else None
    return {"ruleset": game.ruleset.id, "events": events(game, viewer, records), "next": following}
