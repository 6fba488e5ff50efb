"""What players can do about push messages: subscribe a browser, list their subscriptions, end one."""

from collections.abc import Callable
from dataclasses import dataclass

from service.common.errors import NotFound, no_such_player, refusal
from service.inbox.notice_log import NoticeLog
from service.notifications.content.choices import Choices
from service.notifications.delivery.outside_addresses import Rules
from service.notifications.push.encryption import Vapid
from service.notifications.push.subscriptions import Subscription, Subscriptions, id_of


@dataclass(eq=False)
class PushService:
    """The push subscriptions of all players; ``rules`` say where push services can be, ``now`` returns the time."""

    _subscriptions: Subscriptions
    vapid: Vapid
    _notices: NoticeLog
    rules: Rules
    _now: Callable[[], str]

    def subscribe(self, player: str, endpoint: str, keys: tuple[str, str], choices: Choices) -> Subscription:
        """Subscribe a browser, which wants notices from now on; one that is known gets the new keys and choices."""
        p256dh, auth = keys
        made = Subscription(id_of(endpoint), endpoint, p256dh, auth, choices, self._now())
        if not self._subscriptions.add(player, made, self._notices.latest(player)):
            raise no_such_player()
        return made

    def of(self, player: str) -> list[Subscription]:
        return self._subscriptions.of(player)

    def end(self, player: str, subscription_id: str) -> None:
        if not self._subscriptions.remove(player, subscription_id):
            raise NotFound("no-such-subscription", refusal("no-such-subscription"))
