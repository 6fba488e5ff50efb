"""All that the service keeps of a player, in one answer."""

from collections.abc import Iterator, Sequence
from typing import TypedDict, cast

import orjson
from flask import Blueprint, Response

from service.accounts.players import Caller
from service.api.http.endpoint import Operation
from service.api.http.parameters import GAMES_CURSOR, IF_NONE_MATCH
from service.api.http.request import caller, preferred_language, query, services
from service.api.http.response import answer, encoded_cursor, hashed, linked
from service.api.resources.invitations import MyInvitation, my_invitations
from service.api.resources.mail import Mail, mail_resource
from service.api.resources.players import TokenResource, token_resource
from service.api.resources.profiles import Me, account_of
from service.api.resources.push import PushSubscription, subscription_resource
from service.api.resources.webhook_resources import (
    DeliveryResource,
    WebhookResource,
    delivery_resource,
    webhook_resource,
)
from service.common.errors import NotFound
from service.games.access import check_owns_account
from service.games.finding import Filter
from service.games.invitations.invitation_store import MOST_LISTED
from service.games.phrases import PhraseAtTable
from service.games.projections.resources import PlanResource
from service.inbox.notice_log import MOST_KEPT, START
from service.inbox.resources import NoticeResource, shown
from service.notifications.webhook.deliveries import MOST_KEPT as MOST_DELIVERIES
from service.store.game_index import IndexedGame, game_of

blueprint = Blueprint("my_data", __name__)

_GAMES_OF_A_PAGE = 500


class KeptWebhook(WebhookResource):
    """A webhook, and its latest deliveries, newest first."""

    deliveries: list[DeliveryResource]


class KeptGame(TypedDict):
    """A game that you created or play in, and your seats in it; its log is at `GET /v1/games/{id}/export`."""

    game_id: str
    is_creator: bool
    seats: list[int]


class MyData(TypedDict):
    """A page of all that the service keeps of you, but secrets, of which it keeps hashes or which sign what it sends.

    ``mail`` is null if you get no mails. ``games`` are those of the page, newest first, ``plans`` and ``phrases`` what
    you left there; each page has all of the rest.
    """

    account: Me
    tokens: list[TokenResource]
    mail: Mail | None
    push_subscriptions: list[PushSubscription]
    webhooks: list[KeptWebhook]
    events: list[NoticeResource]
    invitations: list[MyInvitation]
    games: list[KeptGame]
    plans: list[PlanResource]
    phrases: list[PhraseAtTable]
    next_cursor: str | None


@blueprint.get("/v1/me/export")
@Operation(
    "players",
    "All that is kept of you",
    {200: MyData},
    (403, 404),
    "required",
    (GAMES_CURSOR, IF_NONE_MATCH),
    description=(
        "One document with your account, tokens, addresses, webhooks, events, open invitations, and your games with "
        "your plans and phrases: 500 games on a page; follow `next_cursor` until it is null. What you did in a game is "
        "in its log, which has no more of you than the opaque id and the seeds that you sent; the invitations that you "
        "made are listed with the game. The token needs all the scopes that a guest has (403)."
    ),
)
def export_me() -> Response:
    """Show all that is kept of the caller."""
    me = caller()
    check_owns_account(me)
    known = services()
    page = known.reader.games_of(me, Filter(), query()[GAMES_CURSOR], _GAMES_OF_A_PAGE, to_act=False)
    games = [game_of(each.member) for each in page.games]
    cursor = None if page.last is None else encoded_cursor(page.last)
    data: MyData = {
        "account": account_of(me.player),
        "tokens": [token_resource(each) for each in known.players.tokens(me.player, limit=None)[0]],
        "mail": _mail(me.player),
        "push_subscriptions": [subscription_resource(each) for each in known.pushing.of(me.player)],
        "webhooks": _webhooks(me.player),
        "events": shown(known.notices.read(me.player, START, MOST_KEPT), known.players.names),
        "invitations": cast("list[MyInvitation]", my_invitations(known.inviting.of_player(me, None, MOST_LISTED)[0])),
        "games": list(_shown_games(me, page.games)),
        "plans": [
            {"game_id": game_id, "seat": seat, "steps": [*plan.steps], "forced": plan.forced}
            for game_id, seat, plan in known.planning.of_player(me.player, games)
        ],
        "phrases": known.talking.said_by(me.player, games, preferred_language()),
        "next_cursor": cursor,
    }
    return linked(hashed(answer(data)), cursor)


def _mail(player: str) -> Mail | None:
    mailing = services().mailing
    try:
        return None if mailing is None else mail_resource(mailing.find(player))
    except NotFound:
        return None


def _webhooks(player: str) -> list[KeptWebhook]:
    tending, now = services().webhooks, services().desk.now()
    return [
        {
            **webhook_resource(webhook, now),
            "deliveries": [
                delivery_resource(each) for each in tending.deliveries(player, webhook.id, None, MOST_DELIVERIES)[0]
            ],
        }
        for webhook in tending.of_player(player)
    ]


def _shown_games(me: Caller, games: Sequence[IndexedGame]) -> Iterator[KeptGame]:
    for each in games:
        game = orjson.loads(each.summary)
        mine = [seat["seat"] for seat in game["seats"] if seat["player"] == me.player]
        yield {"game_id": game_of(each.member), "is_creator": game["creator"] == me.player, "seats": mine}
