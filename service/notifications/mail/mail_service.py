"""What players can do about their mails: set them up, confirm the address, change or end them."""

from collections.abc import Callable
from dataclasses import replace

from service.common.errors import NotFound, no_such_player, refusal
from service.inbox.notice_log import NoticeLog
from service.notifications.content.choices import Choices
from service.notifications.delivery.due_destinations import Outbox
from service.notifications.mail.links import Holder, MailLinks
from service.notifications.mail.mail_destination import MailOutlet, MailOutlets, outlet_of


class Mailing:
    """The mails of all players: the outlets themselves, and the courier's work that follows from changes to them."""

    def __init__(self, outlets: MailOutlets, outbox: Outbox, notices: NoticeLog, links: MailLinks) -> None:
        self._outlets = outlets
        self._outbox = outbox
        self._notices = notices
        self.links = links

    def find(self, player: str) -> MailOutlet:
        """Return the mail outlet of a player; reject a player without one."""
        found = self._outlets.find(player)
        if found is None:
            raise NotFound("no-mail", refusal("no-mail"))
        return found

    def set_up(
        self, player: str, address: str, choices: Choices, every: int, count: Callable[[], object]
    ) -> MailOutlet:
        """Set where the mails of a player go, which they get and how often; ask for confirmation unless it is there.

        ``count`` counts a mail that asks for confirmation, and raises if there have been too many.
        """
        found = self._outlets.find(player)
        is_known = found is not None and found.address == address and found.status == "confirmed"
        if not is_known:
            count()

        def change(before: MailOutlet | None) -> MailOutlet:
            if before is None or before.address != address or before.status == "rejected":
                return MailOutlet(address, choices, every)
            changed = replace(before, choices=choices, every=every)
            return changed if is_known else changed.asked_again()

        after = self._outlets.change(player, change)
        if after is None:
            raise no_such_player()
        self._outbox.make_due([outlet_of(player)])
        return after

    def end(self, player: str) -> None:
        """Forget the address of a player, and send no more mails."""
        self._outlets.change(player, lambda _: None)

    def to_confirm(self, ticket: str) -> MailOutlet:
        """Return the outlet whose address a link confirms; reject a link that has expired or is not valid."""
        player, outlet = self._holder(self.links.confirming(ticket))
        return self._named(player, outlet)

    def confirm(self, ticket: str) -> None:
        """Confirm an address; from now on, its player gets mails. Confirming it again changes nothing."""
        player, outlet = self._holder(self.links.confirming(ticket))

        def change(before: MailOutlet | None) -> MailOutlet | None:
            if before is None or before.id != outlet or before.status != "unconfirmed":
                return before
            return replace(before.done(), status="confirmed")

        self._named(player, outlet)
        self._outlets.change(player, change, self._notices.latest(player))

    def unsubscribe(self, ticket: str) -> None:
        """Forget an address that a link is for; a link that was used already changes nothing."""
        player, outlet = self._holder(self.links.unsubscribing(ticket))
        self._outlets.change(player, lambda before: None if before is None or before.id == outlet else before)

    def check_unsubscribing(self, ticket: str) -> None:
        """Reject a link that does not end any mails."""
        self._holder(self.links.unsubscribing(ticket))

    def _named(self, player: str, outlet: str) -> MailOutlet:
        found = self._outlets.find(player)
        if found is None or found.id != outlet:
            raise _no_such_link()
        return found

    def _holder(self, holder: Holder | None) -> Holder:
        if holder is None:
            raise _no_such_link()
        return holder


def _no_such_link() -> NotFound:
    return NotFound("no-such-link", refusal("no-such-link.mail"))
