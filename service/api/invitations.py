"""Invitations: to players and by links, to one game; a player's own; and taking a seat by link."""

from typing import Any, TypedDict

from flask import Blueprint, Response

from domain.game.durations import moment
from service.accounts.invitations import Invitation, Kind
from service.api import bodies
from service.api.operation import Operation
from service.api.parameters import IF_NONE_MATCH, INVITATIONS_CURSOR, LIMIT
from service.api.request import address, body, caller, maybe_caller, query, services, write_to
from service.api.response import answer, hashed, no_content, page_of, roomed
from service.api.response_headers import ROOM
from service.errors import Fault, Malformed
from service.games import representations
from service.games.access import check_scope
from service.games.inviting import NewInvitation, Standing
from service.games.resources import GameResource

blueprint = Blueprint("invitations", __name__)

_NEW_INVITATION, _TAKE_BY_LINK = bodies.NewInvitationSchema(), bodies.TakeByLinkSchema()


class InvitationResource(TypedDict):
    """An invitation to a game, to one of its seats or (null) to any.

    ``player`` is who was invited, or took a seat by the link, or null.
    """

    id: str
    game_id: str
    kind: Kind
    seat: int | None
    player: str | None
    by: str
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
    created_at: str
    expires_at: str
    game: GameResource


class MyInvitations(TypedDict):
    """A page of your open invitations, newest first; it can be short, or empty, although more follow."""

    items: list[MyInvitation]
    next_cursor: str | None


class InvitationPreview(TypedDict):
    """What a link leads to: the game, the seat, or (null) any, and who invites, by id and name."""

    game: GameResource
    seat: int | None
    by: str
    by_name: str | None
    expires_at: str


class SeatAnswer(TypedDict):
    """The seat that was taken, and for a player without an account a seat token, which is shown only once."""

    game_id: str
    seat: int
    player: str
    token: str | None


@blueprint.post("/v1/games/<game_id>/invitations")
@Operation(
    "games",
    "Invite a player, or make a link that opens a seat",
    {201: NewInvitationAnswer},
    (403, 409),
    "required",
    body=_NEW_INVITATION,
    headers={201: ROOM},
    description=(
        "The creator and the players of an open game can invite. Each invitation is good for one seat, once, until it "
        "expires or the game starts. The secret of a link is shown only here and stored hashed."
    ),
)
def invite(game_id: str) -> Response:
    """Invite to an open game; the secret of a link is shown only once."""
    inviting = services().inviting
    sent = write_to(game_id, _NEW_INVITATION, inviting.check_may_invite)
    made, secret = inviting.invite(game_id, sent.caller, _wanted(sent.body))
    url = None if secret is None else f"/v1/invitations/{secret}"
    shown: NewInvitationAnswer = {**_shown(made, "open"), "secret": secret, "url": url}
    return roomed(answer(shown, 201), services().limiter.room("invitations", sent.caller.player))


def _wanted(posted: dict[str, Any]) -> NewInvitation:
    return NewInvitation(player=posted.get("player"), seat=posted.get("seat"), lasts=posted["expires"])


@blueprint.get("/v1/games/<game_id>/invitations")
@Operation(
    "games",
    "The invitations to a game",
    {200: InvitationList},
    (),
    "required",
    (IF_NONE_MATCH,),
    description=(
        "Shows the creator and the players who is invited, by whom, and what became of it. All of them, at most fifty, "
        "are on one page. Secrets of links are not shown again."
    ),
)
def list_invitations(game_id: str) -> Response:
    """List the invitations to a game, open or ended, to those who have a part in it."""
    me = caller()
    query()
    inviting, game = services().inviting, services().reader.show(game_id, me)
    return page_of([_shown(each, inviting.standing(each, game)) for each in inviting.of_game(game, me)], None)


@blueprint.delete("/v1/games/<game_id>/invitations/<invitation_id>")
@Operation(
    "games",
    "Decline an invitation, or revoke it",
    {204: None},
    (409,),
    "required",
    description=(
        "The invited player declines; whoever made the invitation, or created the game, revokes it. An invitation that "
        "has ended stays as it is (409)."
    ),
)
def end_invitation(game_id: str, invitation_id: str) -> Response:
    """Decline an invitation to yourself, or revoke one that you made, or of a game that you created."""
    inviting = services().inviting
    sent = write_to(game_id, admit=inviting.check_may_see)
    inviting.close(sent.game, sent.caller, invitation_id)
    return no_content()


@blueprint.get("/v1/me/invitations")
@Operation(
    "games",
    "Your open invitations",
    {200: MyInvitations},
    (),
    "required",
    (INVITATIONS_CURSOR, LIMIT, IF_NONE_MATCH),
    description=(
        "Lists what players have invited you to, newest first. Accept with a request to take a seat of the game, and "
        "decline with DELETE. A page can be short, or empty, although `next_cursor` leads on."
    ),
)
def list_my_invitations() -> Response:
    """List the caller's open invitations, newest first."""
    me = caller()
    wanted = query()
    found, last = services().inviting.of_player(me, wanted[INVITATIONS_CURSOR], wanted[LIMIT])
    return page_of([_mine(*each) for each in found], last)


@blueprint.get("/v1/invitations/<secret>")
@Operation(
    "games",
    "What a link leads to",
    {200: InvitationPreview},
    (429,),
    parameters=(IF_NONE_MATCH,),
    description=(
        "Shows the public data of the game to anyone who has the secret of an open link, and who invites them. The "
        "response is the same 404 whether a link never existed, was used or revoked, or has expired."
    ),
)
def show_invitation(secret: str) -> Response:
    """Show an open link to whoever has it; needs no token."""
    query()
    game, invitation = services().inviting.by_link(secret)
    by = services().players.find(invitation.by)
    shown: InvitationPreview = {
        "game": representations.game_resource(game),
        "seat": invitation.seat,
        "by": invitation.by,
        "by_name": by.name if by else None,
        "expires_at": moment(invitation.expires_at),
    }
    return hashed(answer(shown))


@blueprint.post("/v1/invitations/<secret>/seat")
@Operation(
    "games",
    "Take a seat by link",
    {201: SeatAnswer},
    (403, 409),
    "optional",
    body=_TAKE_BY_LINK,
    description=(
        "With a token, seats its player; the request can be repeated safely. Without one, makes a guest of that "
        "`name`, whose `token` opens only this seat and is shown only here. Of several who take one link, one gets "
        "the seat."
    ),
)
def take_seat_by_link(secret: str) -> Response:
    """Take the seat that a link opens; without a token, as a new guest, who gets a token for this seat alone."""
    me = maybe_caller()
    link = services().inviting.by_link(secret, me)
    if me is not None:
        check_scope(me, "games:play")
    query()
    wanted, joining = body(_TAKE_BY_LINK), services().joining
    seed = wanted.get("client_seed")
    if me is not None:
        taken = joining.join_by_link(link, me, seed, address())
    else:
        taken = joining.join_as_guest(link, _name(wanted), seed, address())
    shown: SeatAnswer = {"game_id": taken.game, "seat": taken.seat, "player": taken.player, "token": taken.token}
    return answer(shown, 201)


def _name(wanted: dict[str, Any]) -> str:
    """Return the name of a new guest; reject a body without one."""
    if "name" not in wanted:
        raise Malformed([Fault("/name", "required", "name: without a token, the body must have a name to show")])
    name: str = wanted["name"]
    return name


def _shown(invitation: Invitation, status: Standing) -> InvitationResource:
    return {
        "id": invitation.id,
        "game_id": invitation.game,
        "kind": invitation.kind,
        "seat": invitation.seat,
        "player": invitation.player or invitation.taker,
        "by": invitation.by,
        "created_at": moment(invitation.created_at),
        "expires_at": moment(invitation.expires_at),
        "status": status,
    }


def _mine(invitation: Invitation, game: GameResource) -> MyInvitation:
    return {
        "id": invitation.id,
        "seat": invitation.seat,
        "by": invitation.by,
        "created_at": moment(invitation.created_at),
        "expires_at": moment(invitation.expires_at),
        "game": game,
    }
