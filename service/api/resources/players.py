"""Players, their tokens and profiles."""

from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict, cast

from flask import Blueprint, Response

from domain.sentences.message import Message, Text, message
from service.accounts.players import Player, PlayerKind, Scope, Token
from service.accounts.profiles import CHANGED, PARTS, Portrait, Profile
from service.api.http.endpoint import Operation
from service.api.http.parameters import CONFIRM, IF_NONE_MATCH, LIMIT, TOKENS_CURSOR
from service.api.http.request import address, body, caller, query, services
from service.api.http.response import answer, hashed, no_content, page_of, roomed
from service.api.http.response_headers import ROOM
from service.api.resources import bodies
from service.common.errors import Fault, Malformed, NotFound, no_such_player, refusal
from service.games.access import check_opens_all, check_owns_account

blueprint = Blueprint("players", __name__)

_PLAYER_CHANGE = bodies.PlayerChangeSchema()


class PlayerData(TypedDict):
    """What every player has; a bot also has its ``operator``: who runs it. ``portrait`` is null until one is chosen."""

    id: str
    name: str
    portrait: Portrait | None
    kind: PlayerKind
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
@Operation("players", {200: PlayerResource}, parameters=(IF_NONE_MATCH,))
def show_player(player_id: str) -> Response:
    """A player's public page.

    Shows the name and the kind, for a bot also its operator, and those parts of the profile that the player shows: by
    default none. A player who has deleted their account is 404, although logs still have the id.
    """
    query()
    player, profile = _found(player_id), services().players.profiles.find(player_id)
    kept = {"language": profile.language, "time_zone": profile.time_zone, "seen": profile.seen}
    shown = {part: value for part, value in kept.items() if value and part in profile.shows}
    return hashed(answer({**player_data(player), **shown}))


@blueprint.get("/v1/me")
@Operation("players", {200: Me}, "required", (IF_NONE_MATCH,), problems=(404,))
def show_me() -> Response:
    """The player of the token.

    Use it to check that a stored token is still valid (401 if it is not), and to find your own id, which identifies
    your seats in games.
    """
    me = caller()
    query()
    return hashed(answer(account_of(me.player)))


@blueprint.patch("/v1/me")
@Operation("players", {200: Me}, "required", problems=(404,), body=_PLAYER_CHANGE)
def change_me() -> Response:
    """Change your name, portrait or profile.

    Changes the fields that are sent, and leaves the others. `shows` selects the parts that others see in addition to
    the name: by default none. What others see can change only a few times a day (429), so that it cannot replace talk
    that the rules forbid. The token needs all the scopes that a guest has (403).
    """
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
    if "portrait" in wanted:
        players.choose_portrait(me.player, wanted["portrait"])
    players.profiles.change(me.player, fields, shows)
    return answer(account_of(me.player))


def _is_seen(player: Player, profile: Profile, wanted: Mapping[str, Any]) -> bool:
    """Return whether others see a change: of name, portrait, operator, a part that is shown, or what is shown."""
    before = {"name": player.name, "portrait": cast("Portrait | None", player.portrait), "operator": player.operator}
    before |= {
        part: value
        for part, value in (("language", profile.language), ("time_zone", profile.time_zone))
        if part in profile.shows
    }
    shows = {part: part in profile.shows for part in wanted.get("shows", {})}
    return shows != wanted.get("shows", {}) or any(wanted.get(name, value) != value for name, value in before.items())


def player_data(player: Player) -> PlayerData:
    data: PlayerData = {
        "id": player.id,
        "name": player.name,
        "portrait": cast("Portrait | None", player.portrait),
        "kind": player.kind,
        "created_at": player.created_at,
    }
    return data if player.operator is None else {**data, "operator": player.operator}


def account_of(player_id: str) -> Me:
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


_NEW_PLAYER, _NEW_TOKEN = bodies.NewPlayerSchema(), bodies.NewTokenSchema()


class NewPlayerAnswer(PlayerData):
    """A new player, and the token, which is shown only once."""

    token: str


class TokenResource(TypedDict):
    """A token, without the secret; a seat token opens only one seat of one game, others have null for both.

    `made_by` is the id of the token that created it, null for the first one; it is revoked with that one.
    """

    id: str
    scopes: list[Scope]
    label: str
    created_at: str
    game_id: str | None
    seat: int | None
    made_by: str | None


class NewTokenAnswer(TokenResource):
    """A new token, shown only once."""

    token: str


class TokenList(TypedDict):
    """A page of a player's tokens, oldest first."""

    items: list[TokenResource]
    next_cursor: str | None


@blueprint.post("/v1/players")
@Operation(
    "players",
    {201: NewPlayerAnswer},
    body=_NEW_PLAYER,
    headers={201: ROOM},
    if_lost="create another player: the first has no other token, so no one can act for it.",
)
def create_player() -> Response:
    """Create a guest player and a token.

    Anyone can become a guest: there is no password, and the token is the only proof of who the player is. The response
    shows it once, so store it; the server keeps only a hash. A program that plays must send `operator`: its account is
    permanently that of a bot, which everyone can see. An address can create a limited number of players in an hour
    (429).
    """
    query()
    wanted = body(_NEW_PLAYER)
    services().limiter.count("new-players", address())
    player, token = services().players.create(wanted["name"], wanted["operator"], wanted["portrait"])
    return roomed(
        answer({**player_data(player), "token": token}, 201), services().limiter.room("new-players", address())
    )


@blueprint.delete("/v1/me")
@Operation("players", {204: None}, "required", (CONFIRM,))
def delete_me() -> Response:
    """Delete your account, and its data outside games.

    Deletes your name, profile, addresses, webhooks, notices, plans, phrases, invitations, and all your tokens,
    including the one that you send; this cannot be undone. You leave open games; in others your seat resigns, if the
    clock says so and that ends the game; otherwise a bot takes over. Your id stays in the logs of games, with the seeds
    that you sent, in responses kept for repeated requests, and in the log of operators. The token needs all the scopes
    that a guest has (403), and `confirm` must be your own id (400).
    """
    me = caller()
    check_owns_account(me)
    if query()[CONFIRM] != me.player:
        raise Malformed([Fault("?confirm", "not-confirmed", message("fault.not-confirmed", id=Text(me.player)))])
    services().departing.depart(me)  # first: the request cannot be repeated once the account is gone
    services().players.delete(me.player)
    services().departing.depart(me)  # from what was joined, written and said in between
    return no_content()


@blueprint.get("/v1/me/tokens")
@Operation("players", {200: TokenList}, "required", (TOKENS_CURSOR, LIMIT, IF_NONE_MATCH))
def list_tokens() -> Response:
    """Your tokens.

    Lists them oldest first, without the secrets, which are shown only at their creation. Use it to find the id of a
    token that you want to revoke.
    """
    me = caller()
    wanted = query()
    tokens, last = services().players.tokens(me.player, wanted[TOKENS_CURSOR], wanted[LIMIT])
    return page_of([token_resource(token) for token in tokens], last)


IF_LOST = "list your tokens, revoke the one that you do not know, and create another."


@blueprint.post("/v1/me/tokens")
@Operation("players", {201: NewTokenAnswer}, "required", problems=(404,), body=_NEW_TOKEN, if_lost=IF_LOST)
def create_token() -> Response:
    """Create another token.

    Use it for another device, or for a program that needs fewer rights. The token that you send needs all the scopes
    that a guest has (403). When it is revoked, the new one is revoked, too. The response shows it once; a player can
    have a limited number of tokens (429).
    """
    me = caller()
    query()
    check_owns_account(me)
    wanted = body(_NEW_TOKEN)
    made = services().players.create_token(me.player, wanted["scopes"], wanted["label"], made_by=me.token)
    if made is None:
        raise no_such_player()
    token, secret = made
    return answer(new_token(token, secret), 201)


@blueprint.delete("/v1/me/tokens/<token_id>")
@Operation("players", {204: None}, "required")
def revoke_token(token_id: str) -> Response:
    """Revoke a token.

    Within a second, all processes reject the token, all tokens that were created with it, and with those. A token can
    always revoke itself; to revoke another one, it needs all the scopes that a guest has (403).
    """
    me = caller(anywhere=True)
    query()
    if token_id != me.token:
        check_opens_all(me)
        check_owns_account(me)
    if not services().players.revoke(me.player, token_id):
        raise NotFound("no-such-token", refusal("no-such-token"))
    return no_content()


def token_resource(token: Token) -> TokenResource:
    return {
        "id": token.id,
        "scopes": cast("list[Scope]", list(token.scopes)),
        "label": token.label,
        "created_at": token.created_at,
        "game_id": token.game,
        "seat": token.seat,
        "made_by": token.made_by,
    }


def new_token(token: Token, secret: str) -> NewTokenAnswer:
    return {**token_resource(token), "token": secret}
