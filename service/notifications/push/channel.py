"""How push subscriptions are served: a message for each game with news, or one for many, and none in quiet hours."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import takewhile

import orjson

from domain.game.durations import DAY, instant
from domain.sentences.catalogue import Catalogue
from service.inbox.notice_log import MOST_KEPT, NoticeLog
from service.inbox.notices import Kind, Notice
from service.notifications.content.news import GameNews, News, address_of, words_for
from service.notifications.delivery.destinations import Destination, Destinations, pause_of_destination
from service.notifications.delivery.http_sending import Outcome, Sender
from service.notifications.delivery.outside_addresses import BadUrl, Rules
from service.notifications.push.encryption import Vapid, encrypted, from_base64url, to_base64url
from service.notifications.push.subscriptions import Subscription, Subscriptions

MOST_MESSAGES = 3
"""News of more games than this is one message."""

_LONGEST_TITLE = 200
_ATTEMPT_SECONDS = 5.0
_GONE = (404, 410)
_DAY_SECONDS = 86_400
_URGENCY: Mapping[Kind, str] = {"deadline_near": "high", "game_started": "low", "game_ended": "low"}


@dataclass(frozen=True, slots=True)
class Message:
    """A push message: what the browser shows, and what the push service needs to know.

    A message replaces an earlier one with the same ``topic`` that the browser has not fetched yet.
    """

    content: Mapping[str, object]
    topic: str
    urgency: str
    seconds: int
    """For how long the push service keeps it for a browser that is away."""
    mark: str
    """Distinguishes it from messages about other notices."""


@dataclass(eq=False)
class PushChannel:
    _subscriptions: Subscriptions
    _destinations: Destinations
    _notices: NoticeLog
    _news: News
    _post: "Post"

    def deliver(self, destination: Destination) -> int | None:
        found = self._subscriptions.find(destination.player, destination.id)
        cursor = self._destinations.cursor(destination)
        if found is None or cursor is None:
            return None
        now = self._post.now()
        if now < found.not_before:
            return found.not_before
        waiting = self._notices.read(destination.player, cursor, MOST_KEPT)
        wanted = [each for each in waiting if each.kind in found.choices.types]
        profile = self._news.players.profiles.find(destination.player)
        quiet = found.choices.quiet_until(now, profile.time_zone) if wanted else None
        if quiet is not None or not waiting:
            return quiet
        news = self._news.of(destination.player, wanted)
        messages = self._messages(news, words_for(profile.language), profile.time_zone)
        done, again = self._send(destination, found, messages, waiting)
        if done is not None:
            self._destinations.advance(destination, cursor, done)
        return again

    def _messages(self, news: Sequence[GameNews], words: Catalogue, zone: str | None) -> list[Message]:
        if len(news) > MOST_MESSAGES:
            title = words.say("subject.news", count=len(news), ruleset="")
            content = {"title": title, "url": self._post.site}
            return [Message(content, _topic("all"), "normal", _DAY_SECONDS, _mark(news))]
        names = self._news.names(news)
        return [self._message(each, names, words, zone) for each in news]

    def _message(self, news: GameNews, names: Mapping[str, str], words: Catalogue, zone: str | None) -> Message:
        content = {
            "type": news.kind,
            "game_id": news.game.id,
            "title": news.title(words, names)[:_LONGEST_TITLE],
            "body": " ".join(news.sentences(words, names, zone)),
            "url": address_of(news.game, self._post.site),
        }
        deadline = news.notices[0].data.get("deadline")
        left = (instant(deadline) - self._post.now()) // 1000 if isinstance(deadline, str) else _DAY_SECONDS
        urgency = _URGENCY.get(news.kind, "normal")
        return Message(content, _topic(news.game.id), urgency, max(60, min(left, _DAY_SECONDS)), _mark([news]))

    def _send(
        self, destination: Destination, found: Subscription, messages: Sequence[Message], waiting: Sequence[Notice]
    ) -> tuple[str | None, int | None]:
        """Send messages to a subscription; return the notice up to which all is done, and when to try again.

        When it tries again, it leaves out the messages that the push service has accepted, and once it has failed for a
        day, the news of more than a day ago.
        """
        last = waiting[-1].cursor
        left = [each for each in messages if each.mark not in found.sent]
        accepted, outcome = self._post.send(found, left)
        if outcome is not None and outcome.status in _GONE:
            self._subscriptions.remove(destination.player, destination.id)
            return last, None
        is_sent = outcome is None or outcome.is_success
        now = self._post.now()
        since = found.failing_since or now
        old: list[Notice] = []
        if not is_sent and now - since >= DAY:
            old = list(takewhile(lambda each: instant(each.at) <= now - DAY, waiting))
            since = since if len(old) == len(waiting) else instant(waiting[len(old)].at)
        pause = None if is_sent else pause_of_destination(found.attempts + 1, now - since)
        if pause is None:
            if found.attempts:
                self._subscriptions.tried(
                    destination.player, replace(found, attempts=0, failing_since=0, not_before=0, sent=())
                )
            return last, None
        again = now + pause
        sent = (*found.sent, *(each.mark for each in left[:accepted]))
        tried = replace(found, attempts=found.attempts + 1, failing_since=since, not_before=again, sent=sent)
        self._subscriptions.tried(destination.player, tried)
        return old[-1].cursor if old else None, again


@dataclass(frozen=True, slots=True)
class Post:
    """How messages are sent: to which addresses, signed by which key, with links to which site, and the clock in ms."""

    rules: Rules
    vapid: Vapid
    site: str
    now: Callable[[], int]

    def send(self, found: Subscription, messages: Sequence[Message]) -> tuple[int, Outcome | None]:
        """Send messages until one fails; return how many were accepted, and the result of the last one, if any."""
        try:
            url = self.rules.check_url(found.endpoint)
        except BadUrl:  # it was allowed when the browser subscribed
            return 0, Outcome(410)
        accepted, outcome = 0, None
        with Sender(url, self.rules, _ATTEMPT_SECONDS) as sender:
            for message in messages:
                body = encrypted(
                    orjson.dumps(message.content), from_base64url(found.p256dh), from_base64url(found.auth)
                )
                headers = {
                    "Authorization": self.vapid.authorization(f"{url.scheme}://{url.netloc}", self.now()),
                    "Content-Encoding": "aes128gcm",
                    "Content-Type": "application/octet-stream",
                    "TTL": str(message.seconds),
                    "Topic": message.topic,
                    "Urgency": message.urgency,
                }
                outcome = sender.send(headers, body)
                if not outcome.is_success:
                    break
                accepted += 1
        return accepted, outcome


def _mark(news: Sequence[GameNews]) -> str:
    names = " ".join(notice.name for each in news for notice in each.notices)
    return to_base64url(sha256(names.encode()).digest()[:12])


def _topic(subject: str) -> str:
    return to_base64url(sha256(subject.encode()).digest()[:18])
