"""Webhooks and their deliveries, as their players see them."""

from typing import TypedDict, cast

from domain.game.durations import moment
from service.inbox.notice import Kind
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


class DeliveryResource(TypedDict):
    """A delivery: its number in the webhook, the id that all attempts carry, and the latest of these, oldest first."""

    number: int
    id: str
    type: str
    timestamp: str
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
    """Show a webhook with its secret."""
    return {**webhook_resource(webhook, now), "secret": webhook.secret}


def delivery_resource(delivery: Delivery) -> DeliveryResource:
    """Show a delivery."""
    message = delivery.message
    return {
        "number": delivery.number,
        "id": message.id,
        "type": message.type,
        "timestamp": message.at,
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
