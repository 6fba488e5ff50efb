"""Webhooks and their deliveries."""

from base64 import urlsafe_b64decode
from collections.abc import Callable
from typing import Literal, TypedDict, cast, get_args

from flask import Blueprint, Response

from domain.game.durations import moment
from service.accounts.players import Caller
from service.api.http.endpoint import Operation
from service.api.http.parameters import IDEMPOTENCY_KEY, IF_NONE_MATCH, LIMIT, cursor
from service.api.http.request import body, caller, idempotency_key, query, services
from service.api.http.response import answer, hashed, no_content, page_of, roomed
from service.api.http.response_headers import ROOM
from service.api.resources import bodies
from service.games.access import check_scope
from service.inbox.notices import Kind
from service.input.fields import Invalid
from service.notifications.delivery.http_sending import Problem
from service.notifications.webhook.deliveries import Attempt, Delivery, Status
from service.notifications.webhook.webhook import Ended, Webhook


class WebhookResource(TypedDict):
    """A webhook without its secrets. ``types`` null means all.

    Until ``old_secret_until``, messages have two signatures.
    """

    id: str
    url: str
    types: list[Kind] | None
    created_at: str
    enabled: bool
    disabled_because: Ended | None
    disabled_at: str | None
    old_secret_until: str | None


class WebhookWithSecret(WebhookResource):
    """A webhook with its new secret, which is shown only once."""

    secret: str


class WebhookList(TypedDict):
    """Your webhooks, oldest first."""

    items: list[WebhookResource]
    next_cursor: str | None


class DeliveryAttempt(TypedDict):
    """An attempt: the status and the first bytes of the response, or the problem if there was none."""

    at: str
    milliseconds: int
    status: int | None
    problem: Problem | None
    response: str


DeliveryType = Literal[Kind, "test"]


class DeliveryResource(TypedDict):
    """A delivery: its number in the webhook, the id that all attempts carry, and the latest of these, oldest first."""

    number: int
    id: str
    type: DeliveryType
    at: str
    status: Status
    attempts: list[DeliveryAttempt]
    next_attempt_at: str | None


class DeliveryList(TypedDict):
    """A page of the latest deliveries, newest first."""

    items: list[DeliveryResource]
    next_cursor: str | None


def webhook_resource(webhook: Webhook, now: int) -> WebhookResource:
    """Show a webhook, at a time in ms."""
    is_rotating = len(webhook.active_secrets(now)) > 1
    return {
        "id": webhook.id,
        "url": webhook.url,
        "types": None if webhook.types is None else cast("list[Kind]", list(webhook.types)),
        "created_at": moment(webhook.created_at),
        "enabled": webhook.disabled is None,
        "disabled_because": webhook.disabled,
        "disabled_at": moment(webhook.disabled_at) if webhook.disabled else None,
        "old_secret_until": moment(webhook.old_until) if is_rotating else None,
    }


def with_secret(webhook: Webhook, now: int) -> WebhookWithSecret:
    return {**webhook_resource(webhook, now), "secret": webhook.secret}


def delivery_resource(delivery: Delivery) -> DeliveryResource:
    message = delivery.message
    return {
        "number": delivery.number,
        "id": message.id,
        "type": cast("DeliveryType", message.type),
        "at": message.at,
        "status": delivery.status,
        "attempts": [_attempt(each) for each in message.attempts],
        "next_attempt_at": None if delivery.next is None else moment(delivery.next),
    }


def _attempt(attempt: Attempt) -> DeliveryAttempt:
    return {
        "at": moment(attempt.at),
        "milliseconds": attempt.took,
        "status": attempt.status,
        "problem": cast("Problem | None", attempt.problem),
        "response": attempt.said,
    }


blueprint = Blueprint("webhooks", __name__)

_NEW, _CHANGE, _NOTHING = bodies.NewWebhookSchema(), bodies.WebhookChangeSchema(), bodies.NothingSchema()


def _read_number(text: str) -> int:
    try:
        return int(urlsafe_b64decode(text.encode("ascii")).decode("ascii"))
    except ValueError as error:
        raise Invalid("cursor") from error


_DELIVERIES_CURSOR = cursor(_read_number)


@blueprint.post("/v1/webhooks")
@Operation("notices", {201: WebhookWithSecret}, "required", (IDEMPOTENCY_KEY,), problems=(404, 422), body=_NEW)
def create_webhook() -> Response:
    """Create a webhook.

    From now on, your notices are sent to this address, signed after Standard Webhooks. The response shows the secret
    only this once. The address must be https and public; the address behind its name is checked for each connection. A
    player can have a limited number of webhooks (429).
    """
    me = _tender()
    query()
    wanted = body(_NEW)
    made = services().webhooks.create(me.player, wanted["url"], _types(wanted["types"]), idempotency_key())
    return answer(_shown_once(made), 201)


@blueprint.get("/v1/webhooks")
@Operation("notices", {200: WebhookList}, "required", (IF_NONE_MATCH,))
def list_webhooks() -> Response:
    """Your webhooks.

    Lists all of them on one page, oldest first, without their secrets.
    """
    me = _tender()
    query()
    return page_of([_shown(each) for each in services().webhooks.of_player(me.player)], None)


@blueprint.get("/v1/webhooks/<webhook_id>")
@Operation("notices", {200: WebhookResource}, "required", (IF_NONE_MATCH,))
def show_webhook(webhook_id: str) -> Response:
    """A webhook.

    Shows whether it is enabled. The service disables it when the receiver responds with 410 (`gone`), or when a message
    has used up its attempts and none has succeeded for a day (`failing`).
    """
    me = _tender()
    query()
    return hashed(answer(_shown(services().webhooks.find(me.player, webhook_id))))


@blueprint.patch("/v1/webhooks/<webhook_id>")
@Operation("notices", {200: WebhookResource}, "required", body=_CHANGE)
def change_webhook(webhook_id: str) -> Response:
    """Change a webhook, or enable it again.

    Changes the fields that are sent. If you disable it, pending deliveries are dropped. If you enable it again, it gets
    new notices from then on; deliveries in its log can be repeated.
    """
    me = _tender()
    tending = services().webhooks
    webhook = tending.find(me.player, webhook_id)
    query()
    wanted = body(_CHANGE)
    if "types" in wanted:
        webhook = tending.change_types(me.player, webhook_id, _types(wanted["types"]))
    if "enabled" in wanted:
        webhook = (tending.enable if wanted["enabled"] else tending.disable)(me.player, webhook_id)
    return answer(_shown(webhook))


@blueprint.delete("/v1/webhooks/<webhook_id>")
@Operation("notices", {204: None}, "required")
def delete_webhook(webhook_id: str) -> Response:
    """Delete a webhook.

    Deletes it with its secrets and its log; a delivery in progress can still arrive.
    """
    me = _tender()
    query()
    services().webhooks.delete(me.player, webhook_id)
    return no_content()


@blueprint.post("/v1/webhooks/<webhook_id>/secret")
@Operation("notices", {201: WebhookWithSecret}, "required", (IDEMPOTENCY_KEY,), body=_NOTHING)
def rotate_webhook_secret(webhook_id: str) -> Response:
    """Rotate the secret.

    Creates a new secret, and shows it only this once. For a day, messages carry signatures by the old and the new
    secret, so that the receiver can switch at any time; a secret that is older than these is void at once.
    """
    me = _tender()
    services().webhooks.find(me.player, webhook_id)
    query()
    body(_NOTHING)
    return answer(_shown_once(services().webhooks.rotate(me.player, webhook_id, idempotency_key())), 201)


@blueprint.get("/v1/webhooks/<webhook_id>/deliveries")
@Operation("notices", {200: DeliveryList}, "required", (_DELIVERIES_CURSOR, LIMIT, IF_NONE_MATCH))
def list_webhook_deliveries(webhook_id: str) -> Response:
    """The deliveries of a webhook.

    Lists the latest 100, newest first, each with its attempts. A message is tried nine times within a day: at once, and
    after pauses of 5 seconds, 1, 5 and 30 minutes, and 2, 4, 8 and 9 hours.
    """
    me = _tender()
    wanted = query()
    found, last = services().webhooks.deliveries(me.player, webhook_id, wanted[_DELIVERIES_CURSOR], wanted[LIMIT])
    return page_of([delivery_resource(each) for each in found], None if last is None else str(last))


_IF_LOST = "read the deliveries of the webhook: they have it if it was sent."


@blueprint.post("/v1/webhooks/<webhook_id>/deliveries/<int:number>/redeliver")
@Operation(
    "notices",
    {200: DeliveryResource},
    "required",
    problems=(409,),
    body=_NOTHING,
    headers={200: ROOM},
    if_lost=_IF_LOST,
)
def redeliver(webhook_id: str, number: int) -> Response:
    """Repeat a delivery.

    Sends the message again at once, with the same id and as many attempts as a new one. The webhook must be enabled
    (409). The number of tests and repetitions in an hour is limited (429).
    """
    return _sent(webhook_id, lambda player: services().webhooks.repeat(player, webhook_id, number))


@blueprint.post("/v1/webhooks/<webhook_id>/test")
@Operation(
    "notices",
    {201: DeliveryResource},
    "required",
    problems=(409,),
    body=_NOTHING,
    headers={201: ROOM},
    if_lost=_IF_LOST,
)
def try_webhook(webhook_id: str) -> Response:
    """Test a webhook.

    Sends a message of the type `test`, regardless of the webhook's `types`; the log of deliveries shows the result. The
    webhook must be enabled (409). The number in an hour is limited (429).
    """
    return _sent(webhook_id, lambda player: services().webhooks.test(player, webhook_id), 201)


def _sent(webhook_id: str, send: Callable[[str], Delivery], status: int = 200) -> Response:
    """Send a delivery, which counts against the limit on requests to webhooks."""
    me = _tender()
    services().webhooks.find(me.player, webhook_id)
    query()
    body(_NOTHING)
    services().limiter.count("webhook-requests", me.player)
    shown = answer(delivery_resource(send(me.player)), status)
    return roomed(shown, services().limiter.room("webhook-requests", me.player))


def _tender() -> Caller:
    me = caller()
    check_scope(me, "webhooks")
    return me


def _types(wanted: list[str] | None) -> tuple[str, ...] | None:
    """Return the types in the order in which they are documented, each once."""
    return None if wanted is None else tuple(each for each in get_args(Kind) if each in wanted)


def _shown(webhook: Webhook) -> WebhookResource:
    return webhook_resource(webhook, services().webhooks.now())


def _shown_once(webhook: Webhook) -> WebhookWithSecret:
    return with_secret(webhook, services().webhooks.now())
