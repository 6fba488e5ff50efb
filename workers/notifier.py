"""The notifier moves notices from the feeds of the appends into the inboxes of the players, exactly once each.

It acknowledges an entry once the notices are in the inboxes, and the destinations of these players are due. If it is
killed before, another notifier does both again, and the inboxes recognize the notices that they have.
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
        self._destinations = destinations
        self._due_destinations = due_destinations

    def handle(self, changes: Sequence[Change]) -> None:
        """Add the notices to the inboxes of their players, schedule reminders, and make the players' destinations due.

        Notices are added in the order of their times, across games.
        """
        notices = sorted((notice for change in changes for notice in _notices(change)), key=attrgetter("at"))
        news = [notice for notice in notices if notice.is_news]
        self._log.add(news)
        self._reminders.schedule(notices)
        self._due_destinations.make_due(self._destinations.of(dict.fromkeys(notice.player for notice in news)))


def _notices(change: Change) -> list[Notice]:
    """Read an entry; one that cannot be read is skipped, so that it does not block the others."""
    try:
        return read(change)
    except (ValueError, TypeError, IndexError):
        _log.exception("the notices of %s at version %d cannot be read", change.game_id, change.version)
        return []
