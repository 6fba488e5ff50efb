"""Players and tokens."""

from typing import TypedDict

from flask import Blueprint, Response

from service.accounts.players import Player, Token
from service.api import bodies
from service.api.operation import Operation
from service.api.parameters import IF_NONE_MATCH, LIMIT, TOKENS_CURSOR
from service.api.request import address, body, caller, query, services
from service.api.response import answer, hashed, no_content, page_of, roomed
from service.api.response_headers import ROOM
from service.errors import Forbidden, NotFound
from service.games.access import check_opens_all, check_owns_account

blueprint = Blueprint("accounts", __name__)

_NEW_PLAYER, _PLAYER_CHANGE, _NEW_TOKEN = bodies.NewPlayerSchema(), bodies.PlayerChangeSchema(), bodies.NewTokenSchema()


class PlayerResource(TypedDict):
    """The public data of a player."""

    id: str
    name: str
    kind: str
    created_at: str


class NewPlayerAnswer(PlayerResource):
    """A new player, and the token, which is shown only once."""

    token: str


class TokenResource(TypedDict):
    """A token, without the secret; a seat token opens only one seat of one game, others have null for both."""

    id: str
    scopes: list[str]
    label: str
    created_at: str
    game_id: str | None
    seat: int | None


class NewTokenAnswer(TokenResource):
    """A new token, shown only once."""

    token: str


class TokenList(TypedDict):
    """A page of a player's tokens, oldest first."""

    items: list[TokenResource]
    next_cursor: str | None


@blueprint.post("/v1/players")
@Operation(
    "players", "Make a guest player and a token", {201: NewPlayerAnswer}, (429,), body=_NEW_PLAYER, headers={201: ROOM}
)
def create_player() -> Response:
    """Create a guest; the token is shown only once."""
    query()
    name = body(_NEW_PLAYER)["name"]
    services().limiter.count("new-players", address())
    player, token = services().players.create(name)
    return roomed(answer({**_player(player), "token": token}, 201), services().limiter.room("new-players", address()))


@blueprint.get("/v1/players/<player_id>")
@Operation("players", "A player's public name and kind", {200: PlayerResource}, (429,), parameters=(IF_NONE_MATCH,))
def show_player(player_id: str) -> Response:
    """Show a player; needs no token."""
    query()
    return hashed(answer(_player(_found(player_id))))


@blueprint.get("/v1/me")
@Operation("players", "Who the token belongs to", {200: PlayerResource}, (404,), "required", (IF_NONE_MATCH,))
def show_me() -> Response:
    """Show the caller."""
    me = caller()
    query()
    return hashed(answer(_player(_found(me.player))))


@blueprint.patch("/v1/me")
@Operation("players", "Change your name", {200: PlayerResource}, (403, 404), "required", body=_PLAYER_CHANGE)
def change_me() -> Response:
    """Rename the caller."""
    me = caller()
    player = _found(me.player)
    check_owns_account(me)
    query()
    services().players.rename(player.id, body(_PLAYER_CHANGE)["name"])
    return answer(_player(_found(player.id)))


@blueprint.delete("/v1/me")
@Operation("players", "Delete your name and tokens", {204: None}, (403,), "required")
def delete_me() -> Response:
    """Delete the caller; their games keep the opaque id."""
    me = caller()
    check_owns_account(me)
    query()
    services().players.delete(me.player)
    return no_content()


@blueprint.get("/v1/me/tokens")
@Operation("players", "Your tokens", {200: TokenList}, (), "required", (TOKENS_CURSOR, LIMIT, IF_NONE_MATCH))
def list_tokens() -> Response:
    """List the caller's tokens, oldest first."""
    me = caller()
    wanted = query()
    tokens, last = services().players.tokens(me.player, wanted[TOKENS_CURSOR], wanted[LIMIT])
    return page_of([token_resource(token) for token in tokens], last)


@blueprint.post("/v1/me/tokens")
@Operation("players", "Make another token", {201: NewTokenAnswer}, (403, 404), "required", body=_NEW_TOKEN)
def create_token() -> Response:
    """Create a token with no more scopes than the one used; it is shown only once."""
    me = caller()
    query()
    wanted = body(_NEW_TOKEN)
    missing = sorted(set(wanted["scopes"]) - me.scopes)
    if missing:
        raise Forbidden("scope-missing", f"the token used does not have {', '.join(missing)} itself")
    made = services().players.create_token(me.player, wanted["scopes"], wanted["label"])
    if made is None:
        raise _no_such_player()
    token, secret = made
    return answer(new_token(token, secret), 201)


@blueprint.delete("/v1/me/tokens/<token_id>")
@Operation("players", "Revoke a token", {204: None}, (403,), "required")
def revoke_token(token_id: str) -> Response:
    """Revoke one of the caller's tokens; it is rejected everywhere within a second."""
    me = caller(anywhere=True)
    query()
    if token_id != me.token:
        check_opens_all(me)
        check_owns_account(me)
    if not services().players.revoke(me.player, token_id):
        raise NotFound("no-such-token", "you have no such token")
    return no_content()


def _found(player_id: str) -> Player:
    player = services().players.find(player_id)
    if player is None:
        raise _no_such_player()
    return player


def _no_such_player() -> NotFound:
    return NotFound("no-such-player", "there is no such player")


def _player(player: Player) -> PlayerResource:
    return {"id": player.id, "name": player.name, "kind": player.kind, "created_at": player.created_at}


def token_resource(token: Token) -> TokenResource:
    """Show a token to its owner."""
    return {
        "id": token.id,
        "scopes": list(token.scopes),
        "label": token.label,
        "created_at": token.created_at,
        "game_id": token.game,
        "seat": token.seat,
    }


def new_token(token: Token, secret: str) -> NewTokenAnswer:
    """Show a new token, this once with the token itself."""
    return {**token_resource(token), "token": secret}
