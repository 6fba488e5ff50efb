"""How couriers serve webhooks: notices become messages, and each message is sent until it is accepted, for a day."""

import logging
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

import orjson

from service.common.observability import METRICS
from service.common.version import VERSION
from service.inbox.notice_log import NoticeLog
from service.inbox.notices import Notice
from service.notifications.delivery.destinations import Destination, pause_after
from service.notifications.delivery.http_sending import ATTEMPT_SECONDS, Outcome, Sender
from service.notifications.delivery.outside_addresses import BadUrl, Rules
from service.notifications.webhook.deliveries import Attempt, Deliveries, Message, Standing
from service.notifications.webhook.webhook import Ended, Webhook, headers_of
from service.notifications.webhook.webhook_store import Webhooks

_log = logging.getLogger("plateau.worker")

MOST_PENDING = 50
"""While so many deliveries are pending, further notices wait in the log of the player."""

MOST_ATTEMPTS_SHOWN = 20
TEST = "test"
"""The type of a message that a player sends to test a webhook."""

_TURN_SECONDS = 2.0
_MOST_IN_TURN = 20
_GONE = 410


@dataclass(eq=False)
class WebhookChannel:
    _webhooks: Webhooks
    _deliveries: Deliveries
    _notices: NoticeLog
    _rules: Rules
    _now: Callable[[], int]
    attempt_seconds: float = field(default=ATTEMPT_SECONDS, init=False)

    def deliver(self, destination: Destination) -> int | None:
        standing = self._deliveries.standing(destination)
        if standing is None:
            return None
        webhook, now = standing.webhook, self._now()
        room = min(MOST_PENDING - len(standing.pending), _MOST_IN_TURN)
        notices = self._notices.read(webhook.player, standing.cursor, room) if room > 0 else []
        fresh = self._take_in(standing, notices, now)
        if fresh is None:
            return 0
        due = self._deliveries.messages(webhook, [number for number, at in standing.pending.items() if at <= now])
        if not self._send(webhook, due | fresh):
            return None
        return self._again(destination, may_have_more=len(notices) >= room)

    def _take_in(self, standing: Standing, notices: Sequence[Notice], now: int) -> dict[int, Message] | None:
        """Make messages of notices; return None if another courier did so, or the webhook has changed."""
        if not notices:
            return {}
        webhook = standing.webhook
        fresh = [message_of(webhook, each) for each in notices if webhook.wants(each.kind)]
        last = self._deliveries.take_in(webhook, fresh, now, (standing.cursor, notices[-1].cursor))
        return None if last is None else dict(enumerate(fresh, last - len(fresh) + 1))

    def _again(self, destination: Destination, *, may_have_more: bool) -> int | None:
        standing = self._deliveries.standing(destination)
        if standing is None:
            return None
        if may_have_more and len(standing.pending) < MOST_PENDING:
            return 0
        return min(standing.pending.values(), default=None)

    def _send(self, webhook: Webhook, due: Mapping[int, Message]) -> bool:
        """Send messages, those first that failed least; return False if the webhook has ended.

        A receiver that does not respond ends the turn, so that it holds the thread for one attempt only.
        """
        try:
            url = self._rules.check_url(webhook.url)
        except BadUrl:  # it was allowed when the webhook was made
            self._end(webhook, "not-allowed")
            return False
        end, goes_on, results = time.monotonic() + _TURN_SECONDS, True, Counter[str]()
        queue = sorted(due.items(), key=lambda each: (each[1].failed, each[0]))
        with Sender(url, self._rules, self.attempt_seconds) as sender:
            for number, message in queue[:_MOST_IN_TURN]:
                outcome, goes_on = self._attempt(webhook, number, message, sender)
                results[outcome.problem or f"{(outcome.status or 0) // 100}xx"] += 1
                if not goes_on or outcome.status is None or time.monotonic() > end:
                    break
        for result, times in results.items():
            METRICS.count("webhook_attempts", result, times)
        return goes_on

    def _attempt(self, webhook: Webhook, number: int, message: Message, sender: Sender) -> tuple[Outcome, bool]:
        """Send a message, record the result, and return it; also return whether the webhook continues."""
        began, body = self._now(), message.body.encode()
        headers = {
            "Content-Type": "application/json",
            "User-Agent": f"Plateau/{VERSION}",
            **headers_of(webhook, message.id, body, began),
        }
        outcome = sender.send(headers, body)
        tried, after = _tried(message, outcome, began, self._now())
        accepted_at = self._deliveries.record(webhook, number, tried, after)
        is_gone = outcome.status == _GONE
        is_failing = after is None and not outcome.is_success and (accepted_at or 0) < tried.since
        if is_gone or is_failing:
            self._end(webhook, "gone" if is_gone else "failing")
        return outcome, not (is_gone or is_failing)

    def _end(self, webhook: Webhook, because: Ended) -> None:
        if not self._webhooks.disable(webhook, because):
            return
        METRICS.count("webhooks_disabled", because)
        _log.info("webhook %s of %s is disabled: %s", webhook.id, webhook.player, because)


def message_of(webhook: Webhook, notice: Notice) -> Message:
    """Write a notice as a message; its id is always the same, so that a receiver can tell a repetition."""
    digest = sha256(f"{webhook.id} {notice.cursor}".encode()).hexdigest()
    body = {"type": notice.kind, "timestamp": notice.at, "data": content(notice)}
    return Message(f"msg_{digest[:24]}", notice.kind, notice.at, orjson.dumps(body).decode())


def content(notice: Notice) -> Mapping[str, object]:
    return {"game_id": notice.game_id, "version": notice.version, **notice.data}


def trial_of(webhook: Webhook, message_id: str, at: str) -> Message:
    """Write a message that only shows that deliveries arrive."""
    body = {"type": TEST, "timestamp": at, "data": {"webhook_id": webhook.id}}
    return Message(message_id, TEST, at, orjson.dumps(body).decode())


def _tried(message: Message, outcome: Outcome, began: int, now: int) -> tuple[Message, int | None]:
    """Add an attempt to a message; also return when the next one follows, None if the series has ended."""
    said = outcome.said.decode("utf-8", "replace")
    attempt = Attempt(began, now - began, outcome.status, outcome.problem, said)
    failed, since = (0, began) if message.has_ended or not message.failed else (message.failed, message.since)
    failed += not outcome.is_success
    pause = None if outcome.is_success else pause_after(failed)
    tried = replace(
        message,
        attempts=(*message.attempts, attempt)[-MOST_ATTEMPTS_SHOWN:],
        failed=failed,
        since=since,
        has_ended=pause is None,
        accepted=outcome.is_success,
    )
    return tried, None if pause is None else now + pause
