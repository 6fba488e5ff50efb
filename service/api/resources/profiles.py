"""What players show of themselves: their public page, and their own account."""

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict, cast

from flask import Blueprint, Response

from domain.sentences.message import Message
from service.accounts.players import Player
from service.accounts.profiles import CHANGED, PARTS, Profile
from service.api.http.endpoint import Operation
from service.api.http.parameters import IF_NONE_MATCH
from service.api.http.request import body, caller, query, services
from service.api.http.response import answer, hashed
from service.api.resources import bodies
from service.common.errors import Fault, Malformed, no_such_player
from service.games.access import check_owns_account

blueprint = Blueprint("profiles", __name__)

_PLAYER_CHANGE = bodies.PlayerChangeSchema()


class PlayerData(TypedDict):
    """What every player has; a bot also has its ``operator``: who runs it."""

    id: str
    name: str
    kind: str
    created_at: str
    operator: NotRequired[str]


class PlayerResource(PlayerData):
    """The public data of a player, with those parts of the profile that the player shows; ``seen`` is a day in UTC."""

    language: NotRequired[str]
    time_zone: NotRequired[str]
    seen: NotRequired[str]


class ShownParts(TypedDict):
    """What others see of a player: three parts of the profile, and the list of the player's public games."""

    language: bool
    time_zone: bool
    seen: bool
    games: bool


class Me(PlayerData):
    """Your account; ``seen`` is the day of your last request in UTC, kept only while you show it."""

    language: str | None
    time_zone: str | None
    seen: str | None
    shows: ShownParts


@blueprint.get("/v1/players/<player_id>")
@Operation(
    "players",
    "A player's public page",
    {200: PlayerResource},
    (429,),
    parameters=(IF_NONE_MATCH,),
    description=(
        "Shows the name and the kind, of a bot also who runs it, and those parts of the profile that the player has "
        "decided to show: by default none. A player who has deleted their account is 404, although logs still have the "
        "id."
    ),
)
def show_player(player_id: str) -> Response:
    """Show a player; needs no token."""
    query()
    player, profile = _found(player_id), services().players.profiles.find(player_id)
    kept = {"language": profile.language, "time_zone": profile.time_zone, "seen": profile.seen}
    shown = {part: value for part, value in kept.items() if value and part in profile.shows}
    return hashed(answer({**player_data(player), **shown}))


@blueprint.get("/v1/me")
@Operation(
    "players",
    "Who the token belongs to",
    {200: Me},
    (404,),
    "required",
    (IF_NONE_MATCH,),
    description=(
        "Use it to check that a stored token is still valid (401 if it is not), and to find your own id, "
        "by which you know your seats in games."
    ),
)
def show_me() -> Response:
    """Show the caller."""
    me = caller()
    query()
    return hashed(answer(account_of(me.player)))


@blueprint.patch("/v1/me")
@Operation(
    "players",
    "Change your name or profile",
    {200: Me},
    (403, 404, 429),
    "required",
    body=_PLAYER_CHANGE,
    description=(
        "Changes the fields that are sent, and leaves the others. `shows` decides what others see beside the name: "
        "nothing, unless you say so. What others see can change a few times a day (429), so that nobody talks by it "
        "where the rules do not allow that. The token needs all the scopes that a guest has (403)."
    ),
)
def change_me() -> Response:
    """Change the caller's name or profile."""
    me = caller()
    player = _found(me.player)
    check_owns_account(me)
    query()
    wanted, players = body(_PLAYER_CHANGE), services().players
    if "operator" in wanted and player.kind != "bot":
        raise Malformed([Fault("/operator", "not-a-bot", Message("fault.not-a-bot"))])
    fields: dict[str, str | None] = {name: wanted[name] for name in CHANGED if name in wanted}
    shows = wanted.get("shows", {})
    if _is_seen(player, players.profiles.find(me.player), wanted):
        services().limiter.count("renames", me.player)
    if "name" in wanted:
        players.rename(me.player, wanted["name"])
    players.profiles.change(me.player, fields, shows)
    return answer(account_of(me.player))


def _is_seen(player: Player, profile: Profile, wanted: Mapping[str, Any]) -> bool:
    """Return whether others see a change: of the name, the operator, a part that is shown, or what is shown."""
    before = {"name": player.name, "operator": player.operator}
    before |= {
        part: value
        for part, value in (("language", profile.language), ("time_zone", profile.time_zone))
        if part in profile.shows
    }
    shows = {part: part in profile.shows for part in wanted.get("shows", {})}
    return shows != wanted.get("shows", {}) or any(wanted.get(name, value) != value for name, value in before.items())


def player_data(player: Player) -> PlayerData:
    """Show what every player has."""
    data: PlayerData = {"id": player.id, "name": player.name, "kind": player.kind, "created_at": player.created_at}
    return data if player.operator is None else {**data, "operator": player.operator}


def account_of(player_id: str) -> Me:
    """Show an account to its owner."""
    player, profile = _found(player_id), services().players.profiles.find(player_id)
    return {
        **player_data(player),
        "language": profile.language,
        "time_zone": profile.time_zone,
        "seen": profile.seen,
        "shows": cast("ShownParts", {part: part in profile.shows for part in PARTS}),
    }


def _found(player_id: str) -> Player:
    player = services().players.find(player_id)
    if player is None:
        raise no_such_player()
    return player
