"""Invitations to players and by links, as pictures too; what invited players see; and taking a seat by link."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any, TypedDict

import orjson
import segno
from flask import Blueprint, Response

from domain.game.durations import moment
from domain.sentences.message import message
from service.api.http.endpoint import Operation
from service.api.http.parameters import IDEMPOTENCY_KEY, IF_MATCH_HEAD, IF_NONE_MATCH, INVITATIONS_CURSOR, LIMIT
from service.api.http.request import address, body, caller, current, maybe_caller, query, reject_key, services, write_to
from service.api.http.response import answer, hashed, kept_to_oneself, no_content, page_of, picture, receipted, roomed
from service.api.http.response_headers import RECEIPT, ROOM
from service.api.resources import bodies
from service.common.errors import Fault, Malformed
from service.games.access import check_opens_all, check_scope
from service.games.commands import Brought
from service.games.invitations.invitation_store import Invitation, Kind
from service.games.invitations.inviting import NewInvitation, Standing
from service.games.projections import representations
from service.games.projections.naming import named_list, nameplates, put_names
from service.games.projections.resources import GameResource

blueprint = Blueprint("invitations", __name__)

_NEW_INVITATION, _TAKE_BY_LINK = bodies.NewInvitationSchema(), bodies.TakeByLinkSchema()


class InvitationResource(TypedDict):
    """An invitation to a game, to one of its seats or (null) to any, from a player (``by``).

    ``player`` is the invited player, or the one who took a seat by the link, or null. Names are null for players who
    deleted them.
    """

    id: str
    game_id: str
    kind: Kind
    seat: int | None
    player: str | None
    player_name: str | None
    by: str
    by_name: str | None
    created_at: str
    expires_at: str
    status: Standing


class NewInvitationAnswer(InvitationResource):
    """A new invitation, and for a link its secret and its address, which are shown only once."""

    secret: str | None
    url: str | None


class InvitationList(TypedDict):
    """The latest invitations to a game, oldest first."""

    items: list[InvitationResource]
    next_cursor: str | None


class MyInvitation(TypedDict):
    """An open invitation to you, and the public data of its game."""

    id: str
    seat: int | None
    by: str
    by_name: str | None
    created_at: str
    expires_at: str
    game: GameResource


class MyInvitations(TypedDict):
    """A page of your open invitations, newest first; it can be short, or empty, even if more follow."""

    items: list[MyInvitation]
    next_cursor: str | None


class InvitationPreview(TypedDict):
    """The target of a link: the game, the seat or (null) any, and the inviting player, by id and name.

    ``head`` is the hash of the last event of the game's log.
    """

    game: GameResource
    head: str
    seat: int | None
    by: str
    by_name: str | None
    expires_at: str


class SeatAnswer(TypedDict):
    """The seat that was taken, and for a new guest their token, which is shown only once."""

    game_id: str
    seat: int
    player: str
    token: str | None


@blueprint.post("/v1/games/<game_id>/invitations")
@Operation(
    "games",
    {201: NewInvitationAnswer},
    "required",
    (IDEMPOTENCY_KEY,),
    problems=(409,),
    body=_NEW_INVITATION,
    headers={201: ROOM},
    if_lost="for a player, send the request again with the same `Idempotency-Key`; for a link, revoke it and create "
    "another.",
)
def invite(game_id: str) -> Response:
    """Invite a player, or create a link to a seat.

    The creator and the players of an open game can invite. Each invitation is for one seat, once, until it expires or
    the game starts. The secret of a link is shown only here and stored hashed, so a link takes no `Idempotency-Key`
    (400). A name that several players have, or that only looks like a player's, is rejected with the `candidates`
    (409).
    """
    inviting = services().inviting
    sent = write_to(game_id, _NEW_INVITATION, inviting.check_may_invite)
    wanted = _wanted(sent.body)
    if wanted.player is None and wanted.name is None:
        reject_key()
    made, secret = inviting.invite(game_id, sent.caller, wanted, sent.key)
    url = None if secret is None else f"/v1/invitations/{secret}"
    (resource,) = _shown([(made, "open")])
    shown: NewInvitationAnswer = {**resource, "secret": secret, "url": url}
    return roomed(answer(shown, 201), services().limiter.room("invitations", sent.caller.player))


def _wanted(posted: dict[str, Any]) -> NewInvitation:
    return NewInvitation(
        player=posted.get("player"), name=posted.get("name"), seat=posted.get("seat"), lasts=posted["expires_in"]
    )


@blueprint.get("/v1/games/<game_id>/invitations")
@Operation("games", {200: InvitationList}, "required", (IF_NONE_MATCH,))
def list_invitations(game_id: str) -> Response:
    """The invitations to a game.

    Shows the creator and the players all invitations, with their makers and states. They are on one page, at most
    fifty. Secrets of links are not shown again.
    """
    me = caller()
    query()
    inviting, game = services().inviting, services().reader.show(game_id, me)
    return page_of(_shown([(each, inviting.standing(each, game)) for each in inviting.of_game(game, me)]), None)


@blueprint.delete("/v1/games/<game_id>/invitations/<invitation_id>")
@Operation("games", {204: None}, "required", problems=(409,), headers={204: RECEIPT})
def end_invitation(game_id: str, invitation_id: str) -> Response:
    """Decline an invitation, or revoke it.

    The invited player declines; the maker of the invitation or of the game revokes it. An invitation that has ended
    cannot be changed (409).
    """
    inviting = services().inviting
    sent = write_to(game_id, admit=inviting.check_may_see)
    return receipted(no_content(), inviting.close(sent.game, sent.caller, invitation_id))


@blueprint.get("/v1/me/invitations")
@Operation("games", {200: MyInvitations}, "required", (INVITATIONS_CURSOR, LIMIT, IF_NONE_MATCH))
def list_my_invitations() -> Response:
    """Your open invitations.

    Lists the invitations of other players, newest first. To accept, take a seat of the game; to decline, use DELETE. A
    page can be short, or empty, even if there are more pages (`next_cursor`).
    """
    me = caller()
    wanted = query()
    found, last = services().inviting.of_player(me, wanted[INVITATIONS_CURSOR], wanted[LIMIT])
    return page_of(my_invitations(found), last)


def my_invitations(found: Sequence[tuple[Invitation, GameResource]]) -> list[dict[str, Any]]:
    games = named_list([orjson.dumps(game) for _, game in found], services().players.people)
    names = services().players.names({each.by for each, _ in found})
    return [_mine(each, game, names) for (each, _), game in zip(found, games, strict=True)]


@blueprint.get("/v1/invitations/<secret>")
@Operation("games", {200: InvitationPreview}, parameters=(IF_NONE_MATCH,))
def show_invitation(secret: str) -> Response:
    """The target of a link.

    Shows the public data of the game and the inviting player to anyone who has the secret of an open link. The response
    is the same 404 whether a link never existed, was used or revoked, or has expired.
    """
    query()
    game, invitation = services().inviting.by_link(secret)
    data = representations.game_resource(game)
    put_names(data, nameplates(game, services().players.people))
    shown: InvitationPreview = {
        "game": data,
        "head": game.head,
        "seat": invitation.seat,
        "by": invitation.by,
        "by_name": services().players.names([invitation.by]).get(invitation.by),
        "expires_at": moment(invitation.expires_at),
    }
    return kept_to_oneself(hashed(answer(shown)))


@blueprint.post("/v1/invitations/<secret>/seat")
@Operation(
    "games",
    {201: SeatAnswer},
    "optional",
    (IF_MATCH_HEAD,),
    problems=(403, 409, 412, 428),
    body=_TAKE_BY_LINK,
    headers={201: RECEIPT},
    repeats=True,
    if_lost="send the request again with the same token. A guest has lost the seat: to be safe, create a player first.",
)
def take_seat_by_link(secret: str) -> Response:
    """Take a seat by link.

    With a token, seats its player; the request can be repeated safely. Without one, creates a guest with that `name`,
    whose `token` is shown only here. If several use one link, one gets the seat. A `client_seed` or `seed_commitment`
    needs `If-Match` with the `head` that the link shows (428); if it has changed (412), choose a fresh seed.
    """
    me = maybe_caller(anywhere=True)
    link = services().inviting.by_link(secret, me)
    if me is not None:
        check_opens_all(me)
        check_scope(me, "games:play")
    query()
    wanted, joining = body(_TAKE_BY_LINK), services().joining
    brought = Brought(wanted.get("client_seed"), current().header(IF_MATCH_HEAD), wanted.get("seed_commitment"))
    if me is not None:
        taken = joining.join_by_link(link, me, brought)
    else:
        reject_key()
        _check_has_id(brought)
        taken = joining.join_as_guest(link, _name(wanted), brought, address())
    shown: SeatAnswer = {"game_id": taken.game, "seat": taken.seat, "player": taken.player, "token": taken.token}
    return receipted(answer(shown, 201), taken.head)


def _check_has_id(brought: Brought) -> None:
    """Reject a commitment without a token: it covers the player's id, which does not exist yet."""
    if brought.seed_commitment is not None:
        raise Malformed([Fault("/seed_commitment", "needs-token", message("fault.commitment-needs-token"))])


def _name(wanted: dict[str, Any]) -> str:
    if "name" not in wanted:
        raise Malformed([Fault("/name", "required", message("fault.name-required"))])
    name: str = wanted["name"]
    return name


def _shown(invitations: Sequence[tuple[Invitation, Standing]]) -> list[InvitationResource]:
    whose = {each.id: each.player or each.taker for each, _ in invitations}
    names = services().players.names({*filter(None, whose.values()), *(each.by for each, _ in invitations)})
    return [
        {
            "id": each.id,
            "game_id": each.game,
            "kind": each.kind,
            "seat": each.seat,
            "player": whose[each.id],
            "player_name": names.get(whose[each.id] or ""),
            "by": each.by,
            "by_name": names.get(each.by),
            "created_at": moment(each.created_at),
            "expires_at": moment(each.expires_at),
            "status": status,
        }
        for each, status in invitations
    ]


def _mine(invitation: Invitation, game: bytes, names: Mapping[str, str]) -> dict[str, Any]:
    return {
        "id": invitation.id,
        "seat": invitation.seat,
        "by": invitation.by,
        "by_name": names.get(invitation.by),
        "created_at": moment(invitation.created_at),
        "expires_at": moment(invitation.expires_at),
        "game": orjson.Fragment(game),
    }


_LONGEST_HOST = 261
"""The longest name that a host can have, and a port."""


@blueprint.get("/v1/invitations/<secret>/qr.svg")
@Operation("games", {200: "image/svg+xml"}, parameters=(IF_NONE_MATCH,))
def draw_invitation(secret: str) -> Response:
    """A link as a picture, for the camera of a phone.

    Draws the web client's address of an open link as a QR code. It begins with the public URL of the service if the
    operator has set one, otherwise with the address of the request.
    """
    query()
    services().inviting.by_link(secret)
    return kept_to_oneself(hashed(picture(_drawn(f"{_site()}/#/join/{secret}"))))


def _site() -> str:
    """Return where players reach the service; the page that shows the picture came from the host of its request."""
    asked = current()
    if services().public_url is None and not 0 < len(asked.host) <= _LONGEST_HOST:
        raise Malformed([Fault("Host", "invalid-header", f"Host must have 1 to {_LONGEST_HOST} characters")])
    return services().public_url or f"{asked.scheme}://{asked.host}"


def _drawn(address: str) -> str:
    """Draw an address as an SVG: black on white also in the dark, with the quiet zone that cameras need."""
    out = BytesIO()
    code = segno.make_qr(address)
    code.save(out, kind="svg", xmldecl=False, omitsize=True, border=4, dark="#000", light="#fff", nl=False)
    return out.getvalue().decode()
