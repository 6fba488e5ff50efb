"""All that the service keeps of a player, in one answer."""

from collections.abc import Iterator
from typing import TypedDict, cast

import orjson
from flask import Blueprint, Response

from service.accounts.players import Caller
from service.api.invitations import MyInvitation, my_invitations
from service.api.mail import Mail, mail_resource
from service.api.operation import Operation
from service.api.parameters import IF_NONE_MATCH
from service.api.players import TokenResource, token_resource
from service.api.profiles import Me, account_of
from service.api.push import PushSubscription, subscription_resource
from service.api.request import caller, preferred_language, query, services
from service.api.response import answer, hashed
from service.api.webhook_resources import DeliveryResource, WebhookResource, delivery_resource, webhook_resource
from service.errors import NotFound
from service.games.access import check_owns_account
from service.games.phrases import PhraseAtTable
from service.games.resources import PlanResource
from service.notices.notice_log import MOST_KEPT, START
from service.notices.resources import NoticeResource, shown
from service.store.game_index import game_of

blueprint = Blueprint("my_data", __name__)

_ALL = 1000
"""More than there can be of what is kept in bounds."""


class KeptWebhook(WebhookResource):
    """A webhook, and its latest deliveries, newest first."""

    deliveries: list[DeliveryResource]


class KeptGame(TypedDict):
    """A game that you created or play in, and your seats in it; its log is at `GET /v1/games/{id}/export`."""

    game_id: str
    is_creator: bool
    seats: list[int]


class MyData(TypedDict):
    """All that the service keeps of you, but secrets, of which it keeps hashes or which sign what it sends you.

    ``mail`` is null if you get no mails.
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


@blueprint.get("/v1/me/export")
@Operation(
    "players",
    "All that is kept of you",
    {200: MyData},
    (403, 404),
    "required",
    (IF_NONE_MATCH,),
    description=(
        "One document with your account, tokens, addresses, webhooks, events, invitations, plans and phrases, and the "
        "ids of your games. Logs have no more of you than the opaque id, and the seeds that you sent. The token needs "
        "all the scopes that a guest has (403)."
    ),
)
def export_me() -> Response:
    """Show all that is kept of the caller."""
    me = caller()
    check_owns_account(me)
    query()
    known = services()
    data: MyData = {
        "account": account_of(me.player),
        "tokens": [token_resource(each) for each in known.players.tokens(me.player, limit=_ALL)[0]],
        "mail": _mail(me.player),
        "push_subscriptions": [subscription_resource(each) for each in known.pushing.of(me.player)],
        "webhooks": _webhooks(me.player),
        "events": shown(known.notices.read(me.player, START, MOST_KEPT), known.players.names),
        "invitations": cast("list[MyInvitation]", my_invitations(known.inviting.of_player(me, None, _ALL)[0])),
        "games": list(_games(me)),
        "plans": [
            {"game_id": game_id, "seat": seat, "steps": [*plan.steps], "forced": plan.forced}
            for game_id, seat, plan in known.planning.of_player(me.player)
        ],
        "phrases": known.talking.said_by(me.player, preferred_language()),
    }
    return hashed(answer(data))


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
            "deliveries": [delivery_resource(each) for each in tending.deliveries(player, webhook.id, None, _ALL)[0]],
        }
        for webhook in tending.of_player(player)
    ]


def _games(me: Caller) -> Iterator[KeptGame]:
    for each in services().reader.all_games_of(me):
        game = orjson.loads(each.summary)
        mine = [seat["seat"] for seat in game["seats"] if seat["player"] == me.player]
        yield {"game_id": game_of(each.member), "is_creator": game["creator"] == me.player, "seats": mine}
