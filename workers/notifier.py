"""The notifier moves notices from the feeds of the appends into the logs of the players, exactly once each.

It acknowledges an entry once the notices are in the logs, and what delivers them to these players is due. If it is
killed before, another notifier does both again, and the logs recognize the notices that they have.
"""

import logging
from collections.abc import Sequence
from operator import attrgetter

from service.inbox.notice_log import NoticeLog
from service.inbox.notices import Notice, Reminders, read
from service.notifications.delivery.destinations import Destinations
from service.notifications.delivery.due_destinations import DueDestinations
from service.store.change_feed import Change, ChangeFeed
from workers.following import Follower

_log = logging.getLogger("plateau.worker")


class Notifier(Follower):
    def __init__(
        self,
        feed: ChangeFeed,
        log: NoticeLog,
        reminders: Reminders,
        destinations: Destinations,
        due_destinations: DueDestinations,
        rest_seconds: float = 0.0,
    ) -> None:
        super().__init__(feed, rest_seconds)
        self._log = log
        self._reminders = reminders
        self._outlets = destinations
        self._outbox = due_destinations

    def handle(self, changes: Sequence[Change]) -> None:
        """Add the notices to the logs of their players, schedule reminders, and make their destinations due.

        What happened first in any game comes first.
        """
        notices = sorted((each for change in changes for each in _notices(change)), key=attrgetter("at"))
        news = [each for each in notices if each.is_news]
        self._log.add(news)
        self._reminders.schedule(notices)
        self._outbox.make_due(self._outlets.of(dict.fromkeys(each.player for each in news)))


def _notices(change: Change) -> list[Notice]:
    """Read an entry; one that cannot be read must not hold up the others, nor what else this process does."""
    try:
        return read(change)
    except (ValueError, TypeError, IndexError):
        _log.exception("the notices of %s at version %d cannot be read", change.game_id, change.version)
        return []
