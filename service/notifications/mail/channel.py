"""Serve mail destinations: one mail for several notices, after a pause for more of them, and not in quiet hours."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from domain.game.durations import MINUTE, instant, moment
from service.inbox.notice_log import MOST_KEPT, NoticeLog, place
from service.inbox.notices import Notice
from service.notifications.content.news import News, words_for
from service.notifications.delivery.destinations import Destination, Destinations, pause_of_destination
from service.notifications.mail.letters import Letter, mail_of
from service.notifications.mail.mail_destination import MailDestination, MailDestinations
from service.notifications.mail.smtp import Postponed, Send, Undeliverable
from service.notifications.mail.writer import About, Writer

_log = logging.getLogger("plateau.mail")

_URGENT_MS = MINUTE
"""The longest wait for further news of a notice that a deadline is near."""


@dataclass(frozen=True, slots=True)
class Post:
    """How mails are sent, by whom, and the clock in ms."""

    send: Send
    sender: str
    now: Callable[[], int]


@dataclass(eq=False)
class MailChannel:
    _mail_destinations: MailDestinations
    _destinations: Destinations
    _notices: NoticeLog
    _news: News
    _writer: Writer
    _post: Post

    def deliver(self, destination: Destination) -> int | None:
        """Send the mail that is due, if one is; return when the next one is, in ms."""
        found = self._mail_destinations.find(destination.player)
        if found is None or found.status == "rejected":
            return None
        if self._post.now() < found.not_before:
            return found.not_before
        if found.asking is not None:
            return self._ask(destination.player, found)
        return self._tell(destination, found) if found.status == "confirmed" else None

    def _ask(self, player: str, found: MailDestination) -> int | None:
        words = words_for(self._news.players.profiles.find(player).language)
        again = self._send(player, found, self._writer.asking(player, found, words))
        if again is None:
            self._change(player, found, MailDestination.done)
        return again

    def _tell(self, destination: Destination, found: MailDestination) -> int | None:
        """Tell the news, unless the mail waits for further ones or for the end of the quiet hours."""
        cursor = self._destinations.cursor(destination)
        waiting = self._notices.read(destination.player, cursor, MOST_KEPT) if cursor is not None else []
        if cursor is None or not waiting:
            return None
        due = self._due(destination.player, found, [each for each in waiting if each.kind in found.choices.types])
        if due is not None:
            return due
        last = self._last(destination.player, found, waiting)
        batch = [each for each in waiting if place(each.cursor) <= place(last)]
        letter = self._letter(destination.player, found, batch, last)
        again = self._send(destination.player, found, letter) if letter else None
        if again is not None:
            return again
        self._destinations.advance(destination, cursor, last)
        self._change(destination.player, found, MailDestination.done)
        return self._post.now() if len(batch) < len(waiting) else None

    def _due(self, player: str, found: MailDestination, wanted: Sequence[Notice]) -> int | None:
        """Return when a mail with these notices is due, in ms; None for now, also if there is nothing to send."""
        if not wanted:
            return None
        now = self._post.now()
        waits = {"deadline_near": min(found.every, _URGENT_MS)}
        ready = min(instant(each.at) + waits.get(each.kind, found.every) for each in wanted)
        if found.batch is None and now < ready:
            return ready
        return found.choices.quiet_until(now, self._news.players.profiles.find(player).time_zone)

    def _last(self, player: str, found: MailDestination, waiting: Sequence[Notice]) -> str:
        """Return the last notice of the mail. It is recorded first, so that a mail sent again is the same mail."""
        if found.batch is not None and place(waiting[0].cursor) <= place(found.batch):
            return found.batch
        last = waiting[-1].cursor
        self._change(player, found, lambda before: replace(before, batch=last))
        return last

    def _letter(self, player: str, found: MailDestination, batch: Sequence[Notice], last: str) -> Letter | None:
        news = self._news.of(player, [each for each in batch if each.kind in found.choices.types])
        if not news:
            return None
        profile = self._news.players.profiles.find(player)
        names, words = self._news.names(news), words_for(profile.language)
        about = About(player, f"{found.id} {last}", names, self._news.players.people, words, profile.time_zone)
        return self._writer.telling(about, found, news)

    def _send(self, player: str, found: MailDestination, letter: Letter) -> int | None:
        """Send a mail; return when to try again, None if it was sent, or never will be."""
        now = self._post.now()
        try:
            self._post.send(mail_of(letter, self._post.sender, found.address, moment(now)))
        except Undeliverable as error:
            reason = str(error)
            self._change(player, found, lambda before: replace(before.done(), status="rejected", reason=reason))
        except Postponed as error:
            attempts, since = found.attempts + 1, found.failing_since or now
            pause = pause_of_destination(attempts, now - since)
            _log.warning("a mail to %s was not sent, attempt %d: %s", player, attempts, error)
            if pause is not None:
                again = now + pause
                self._change(
                    player, found, lambda it: replace(it, attempts=attempts, failing_since=since, not_before=again)
                )
                return again
        return None

    def _change(
        self, player: str, found: MailDestination, change: Callable[[MailDestination], MailDestination]
    ) -> None:
        """Change a destination, unless its player has already changed the address or asked for another confirmation."""

        def same(before: MailDestination | None) -> MailDestination | None:
            is_same = before is not None and (before.id, before.asking) == (found.id, found.asking)
            return change(before) if before is not None and is_same else before

        self._mail_destinations.change(player, same)
