"""What players do with their webhooks: make, change and delete them, look at deliveries, and have some made again."""

import secrets
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256

from domain.errors import WrongMoment, wrong_moment
from domain.game.durations import moment
from domain.sentences.message import Text
from service.accounts.players import Key
from service.common.errors import WORDS, Fault, Malformed, NotFound, refusal
from service.notifications.delivery.due_destinations import DueDestinations
from service.notifications.delivery.outside_addresses import BadUrl, Rules
from service.notifications.webhook.channel import trial_of
from service.notifications.webhook.deliveries import Deliveries, Delivery
from service.notifications.webhook.webhook import Webhook
from service.notifications.webhook.webhook_store import Webhooks

Types = tuple[str, ...] | None


class WebhookService:
    def __init__(
        self,
        webhooks: Webhooks,
        deliveries: Deliveries,
        due_destinations: DueDestinations,
        rules: Rules,
        now: Callable[[], int],
    ) -> None:
        self._deliveries = deliveries
        self._outbox = due_destinations
        self._rules = rules
        self.now = now
        self._webhooks = webhooks
        self.of_player, self.find, self.delete = webhooks.of_player, webhooks.find, webhooks.delete

    def create(self, player: str, url: str, types: Types, key: Key | None = None) -> Webhook:
        """Make a webhook, with a key only once; raise ``Malformed`` if it cannot be at this address."""
        try:
            self._rules.check_url(url)
        except BadUrl as error:
            raise Malformed([Fault("/url", "invalid-url", f"url: {error}")]) from error
        return self._webhooks.create(player, url, types, key)

    def change_types(self, player: str, webhook_id: str, types: Types) -> Webhook:
        return self._webhooks.change(player, webhook_id, lambda webhook: replace(webhook, types=types))

    def enable(self, player: str, webhook_id: str) -> Webhook:
        return self._webhooks.change(player, webhook_id, Webhook.enabled)

    def disable(self, player: str, webhook_id: str) -> Webhook:
        webhook = self._webhooks.find(player, webhook_id)
        self._webhooks.disable(webhook, "player")
        return self._webhooks.find(player, webhook_id)

    def rotate(self, player: str, webhook_id: str, key: Key | None = None) -> Webhook:
        """Give a webhook a new secret, with a key only once in a row; the present one stays valid for a day."""
        name = "" if key is None else sha256(key.name.encode()).hexdigest()
        return self._webhooks.change(player, webhook_id, lambda webhook: webhook.rotated(self.now(), name))

    def deliveries(
        self, player: str, webhook_id: str, before: int | None, limit: int
    ) -> tuple[list[Delivery], int | None]:
        """List the latest deliveries, newest first; also return the number to continue before, None at the end."""
        webhook = self._webhooks.find(player, webhook_id)
        found = self._deliveries.page(webhook, before, limit + 1)
        return found[:limit], found[limit - 1].number if len(found) > limit else None

    def repeat(self, player: str, webhook_id: str, number: int) -> Delivery:
        """Make a delivery once more; raise ``NotFound`` if it is not kept, ``WrongMoment`` if nothing is sent."""
        webhook = self._webhooks.find(player, webhook_id)
        done = self._deliveries.make_pending(webhook, number, self.now())
        if done == "disabled":
            raise _is_disabled()
        found = self._deliveries.find(webhook, number)
        if done == "unknown" or found is None:
            raise NotFound("no-such-delivery", refusal("no-such-delivery"))
        self._outbox.make_due([webhook.destination])
        return found

    def test(self, player: str, webhook_id: str) -> Delivery:
        """Send a message that only shows that deliveries arrive; raise ``WrongMoment`` if the webhook is disabled."""
        webhook, now = self._webhooks.find(player, webhook_id), self.now()
        message = trial_of(webhook, f"msg_{secrets.token_hex(12)}", moment(now))
        number = self._deliveries.take_in(webhook, [message], now, ("", ""))
        if number is None:
            raise _is_disabled()
        self._outbox.make_due([webhook.destination])
        return Delivery(number, message, now)


def _is_disabled() -> WrongMoment:
    return wrong_moment("webhook-disabled", WORDS, change=Text('{"enabled": true}'))
