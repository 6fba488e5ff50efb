"""What the caller has: games, notices, and all their data."""

from collections.abc import Iterator, Sequence
from typing import TypedDict, cast

import orjson
from flask import Blueprint, Response

from domain.game.durations import moment
from service.accounts.players import Caller
from service.api.http.endpoint import Operation
from service.api.http.live import STREAMED, TICKET, follower, rests, resumed_after, streamed, wanted_form
from service.api.http.parameters import (
    AFTER_NOTICE,
    EVENTS_LIMIT,
    GAME_STATUS,
    GAMES_CURSOR,
    IF_NONE_MATCH,
    LAST_EVENT_ID,
    LIMIT,
    NOTICE_TYPES,
    RULESET,
    SPEED,
    TO_ACT,
    WAIT,
)
from service.api.http.request import caller, preferred_language, query, services
from service.api.http.response import answer, encoded_cursor, hashed, linked, page_of
from service.api.resources.invitations import MyInvitation, my_invitations
from service.api.resources.mail import Mail, mail_resource
from service.api.resources.players import Me, TokenResource, account_of, token_resource
from service.api.resources.push import PushSubscription, subscription_resource
from service.api.resources.webhooks import DeliveryResource, WebhookResource, delivery_resource, webhook_resource
from service.common.errors import NotFound
from service.games.access import check_owns_account, check_scope
from service.games.invitations.invitation_store import MOST_LISTED
from service.games.phrases import PhraseAtTable
from service.games.plans.plan import PlanResource
from service.games.projections.naming import named_list
from service.games.projections.resources import GameResource
from service.games.reading import Filter
from service.inbox.notice_log import MOST_KEPT, START
from service.inbox.resources import NoticePage, NoticeResource, shown
from service.notifications.webhook.deliveries import MOST_KEPT as MOST_DELIVERIES
from service.store.game_index import IndexedGame, game_of
from service.streams.notices import NoticeSource

blueprint = Blueprint("me", __name__)


class MyGame(GameResource):
    """A game that you created or play in, whether it is your turn, and the deadline of that turn.

    It is also your turn when your seed is awaited.
    """

    your_turn: bool
    deadline: str | None


class MyGames(TypedDict):
    """A page of your games."""

    items: list[MyGame]
    next_cursor: str | None


@blueprint.get("/v1/me/games")
@Operation(
    "games", {200: MyGames}, "required", (GAME_STATUS, RULESET, SPEED, TO_ACT, GAMES_CURSOR, LIMIT, IF_NONE_MATCH)
)
def list_my_games() -> Response:
    """Your games, newest first; with to_act those in which it is your turn, the most urgent first.

    Lists the games that you created or play in, private ones too, each with `your_turn` and your `deadline`. Use
    `to_act=true` to find the games that wait for you. A filtered page can have fewer games than `limit`, even none:
    follow `next_cursor` until it is null.
    """
    me = caller()
    wanted = query()
    filtered = Filter(wanted[GAME_STATUS], wanted[RULESET], wanted[SPEED])
    page = services().reader.games_of(me, filtered, wanted[GAMES_CURSOR], wanted[LIMIT], to_act=wanted[TO_ACT])
    games = named_list((each.summary for each in page.games), services().players.people)
    return page_of([_with_turn(game, each) for game, each in zip(games, page.games, strict=True)], page.last)


def _with_turn(game: bytes, listed: IndexedGame) -> orjson.Fragment:
    """Add the caller's turn to a game, which is written as JSON."""
    until = None if listed.until is None else moment(listed.until)
    turn = orjson.dumps({"your_turn": listed.is_to_act, "deadline": until})
    return orjson.Fragment(b"%b,%b" % (game[:-1], turn[1:]))


@blueprint.get("/v1/me/events")
@Operation(
    "notices",
    {200: (NoticePage, *STREAMED)},
    "required",
    (AFTER_NOTICE, NOTICE_TYPES, EVENTS_LIMIT, WAIT, TICKET, LAST_EVENT_ID, IF_NONE_MATCH),
)
def list_my_events() -> Response:
    """The notices of your games, oldest first.

    Lists invitations, starts and ends of games, your turns, their deadlines, and proposals of others, in all your games
    except sandboxes. The latest 1,000 events are kept, for 90 days after the last one. To follow, repeat the request
    with `after` set to the `id` of your last event, and with `wait`. With `Accept: text/event-stream` or
    `application/x-ndjson`, one response carries all events, including future ones; a stream ticket can then replace the
    token.
    """
    me = (follower() if wanted_form() else None) or caller()
    check_scope(me, "games:read")
    wanted, form, log, players = query(), wanted_form(), services().notices, services().players
    after, limit, types = wanted[AFTER_NOTICE] or START, wanted[EVENTS_LIMIT], wanted[NOTICE_TYPES]
    source = NoticeSource(log, players, me, types)
    if form is not None:
        return streamed(source, resumed_after(after, AFTER_NOTICE.field), form)
    found = log.read(me.player, after, limit + 1, types)
    if wanted[WAIT] and not found and rests(source, after, wanted[WAIT]):
        return Response()
    page = found[:limit]
    body: NoticePage = {"events": shown(page, players.names), "next": page[-1].cursor if len(found) > limit else None}
    return hashed(answer(body))


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
    """A page of all that the service keeps about you, except secrets (hashes of tokens, and keys that sign messages).

    ``mail`` is null if you get no mails. ``games`` are those of the page, newest first, ``plans`` and ``phrases`` are
    yours in these games; each page has all other data.
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
@Operation("players", {200: MyData}, "required", (GAMES_CURSOR, IF_NONE_MATCH), problems=(404,))
def export_me() -> Response:
    """Everything that is kept about you.

    One document with your account, tokens, addresses, webhooks, events, open invitations, and your games with your
    plans and phrases: 500 games on a page; follow `next_cursor` until it is null. Your actions are in the logs of
    games, which have only your opaque id and the seeds that you sent; the invitations that you made are listed with the
    game. The token needs all the scopes that a guest has (403).
    """
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
