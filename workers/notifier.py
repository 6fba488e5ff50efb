"""The notifier moves notices from the feeds of the appends into the logs of the players, exactly once each.

It acknowledges an entry once the notices are in the logs. If it is killed before, another notifier adds them again,
and the logs recognize those that they have.
"""

from collections.abc import Sequence

from service.notices.entries import read
from service.notices.notice_log import NoticeLog
from service.store.change_feed import Change, ChangeFeed
from workers.following import Follower


class Notifier(Follower):
    """Write what players should hear of into their logs."""

    def __init__(self, feed: ChangeFeed, log: NoticeLog) -> None:
        super().__init__(feed)
        self._log = log

    def handle(self, changes: Sequence[Change]) -> None:
        """Add the notices to the logs of their players."""
        self._log.add(each for change in changes for each in read(change))
