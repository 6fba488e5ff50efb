"""Push messages to the caller's browsers: the key to subscribe with, and the subscriptions."""

from typing import TypedDict

from flask import Blueprint, Response

from service.api.http.endpoint import Operation
from service.api.http.parameters import IF_NONE_MATCH
from service.api.http.request import body, caller, query, services
from service.api.http.response import answer, hashed, no_content
from service.api.resources.destination_bodies import NewPushSubscriptionSchema, choices_in
from service.api.resources.mail import QuietHoursResource, quiet_hours_resource
from service.common.errors import Fault, Malformed
from service.games.access import check_owns_account
from service.inbox.notices import Kind
from service.notifications.delivery.outside_addresses import BadUrl
from service.notifications.push.subscriptions import Subscription

blueprint = Blueprint("push", __name__)

_NEW = NewPushSubscriptionSchema()


class PushKey(TypedDict):
    """The public key of this service (VAPID), in base64url: the ``applicationServerKey`` to subscribe with."""

    public_key: str


class PushSubscription(TypedDict):
    """A browser of yours that gets push messages, and what they carry."""

    id: str
    endpoint: str
    types: list[Kind]
    quiet_hours: QuietHoursResource | None
    created_at: str


class PushSubscriptionList(TypedDict):
    """All your push subscriptions, oldest first; ``next_cursor`` is always null."""

    items: list[PushSubscription]
    next_cursor: str | None


@blueprint.get("/v1/push-key")
@Operation("notices", {200: PushKey}, parameters=(IF_NONE_MATCH,))
def show_push_key() -> Response:
    """The key for push subscriptions.

    A browser needs it for `pushManager.subscribe`, as `applicationServerKey`. It stays the same for the life of the
    store; if it changes, browsers must subscribe again.
    """
    query()
    return hashed(answer({"public_key": services().pushing.vapid.public_key()}))


@blueprint.get("/v1/me/push-subscriptions")
@Operation("notices", {200: PushSubscriptionList}, "required", (IF_NONE_MATCH,))
def list_push_subscriptions() -> Response:
    """Your push subscriptions.

    Lists the browsers that get push messages, without their keys. A browser that its push service no longer knows is
    removed. The token needs all the scopes that a guest has (403).
    """
    me = caller()
    check_owns_account(me)
    query()
    items = [subscription_resource(each) for each in services().pushing.of(me.player)]
    return hashed(answer({"items": items, "next_cursor": None}))


@blueprint.post("/v1/me/push-subscriptions")
@Operation("notices", {201: PushSubscription}, "required", problems=(404,), body=_NEW, repeats=True)
def subscribe_push() -> Response:
    """Subscribe a browser to push messages.

    Send the browser's `PushSubscription` as JSON. Messages are encrypted to its keys, and carry the notices that still
    matter when they are sent. To change the choices, send the same endpoint again. A player can have a limited number
    of subscriptions (429).
    """
    me = caller()
    check_owns_account(me)
    query()
    wanted, pushing = body(_NEW), services().pushing
    try:
        pushing.rules.check_url(wanted["endpoint"])
    except BadUrl as error:
        raise Malformed([Fault("/endpoint", "invalid-url", f"endpoint: {error}")]) from error
    keys = wanted["keys"]
    made = pushing.subscribe(me.player, wanted["endpoint"], (keys["p256dh"], keys["auth"]), choices_in(wanted))
    return answer(subscription_resource(made), 201)


@blueprint.delete("/v1/me/push-subscriptions/<subscription_id>")
@Operation("notices", {204: None}, "required")
def end_push_subscription(subscription_id: str) -> Response:
    """End a push subscription.

    The browser gets no more messages. Let its page call `unsubscribe()` as well.
    """
    me = caller()
    check_owns_account(me)
    query()
    services().pushing.end(me.player, subscription_id)
    return no_content()


def subscription_resource(subscription: Subscription) -> PushSubscription:
    return {
        "id": subscription.id,
        "endpoint": subscription.endpoint,
        "types": [*subscription.choices.types],
        "quiet_hours": quiet_hours_resource(subscription.choices.quiet),
        "created_at": subscription.created_at,
    }
