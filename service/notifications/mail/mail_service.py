"""What players can do about their mails: set them up, confirm the address, change or end them."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from service.common.errors import NotFound, no_such_player, refusal
from service.inbox.notice_log import NoticeLog
from service.notifications.content.choices import Choices
from service.notifications.delivery.due_destinations import DueDestinations
from service.notifications.mail.mail_destination import MailDestination, MailDestinations, destination_of
from service.notifications.mail.writer import Holder, MailLinks


@dataclass(eq=False)
class MailService:
    """The mails of all players: their destinations, and the courier's work that follows from changes to them."""

    _destinations: MailDestinations
    _outbox: DueDestinations
    _notices: NoticeLog
    links: MailLinks

    def find(self, player: str) -> MailDestination:
        found = self._destinations.find(player)
        if found is None:
            raise NotFound("no-mail", refusal("no-mail"))
        return found

    def set_up(
        self, player: str, address: str, choices: Choices, every: int, count: Callable[[], object]
    ) -> MailDestination:
        """Set where the mails of a player go, which they get and how often; ask for confirmation unless it is there.

        ``count`` counts a mail that asks for confirmation, and raises if there have been too many.
        """
        found = self._destinations.find(player)
        is_known = found is not None and found.address == address and found.status == "confirmed"
        if not is_known:
            count()

        def change(before: MailDestination | None) -> MailDestination:
            if before is None or before.address != address or before.status == "rejected":
                return MailDestination(address, choices, every)
            changed = replace(before, choices=choices, every=every)
            return changed if is_known else changed.asked_again()

        after = self._destinations.change(player, change)
        if after is None:
            raise no_such_player()
        self._outbox.make_due([destination_of(player)])
        return after

    def end(self, player: str) -> None:
        self._destinations.change(player, lambda _: None)

    def to_confirm(self, ticket: str) -> MailDestination:
        """Return the destination whose address a link confirms; reject a link that has expired or is not valid."""
        player, destination = self._holder(self.links.confirming(ticket))
        return self._named(player, destination)

    def confirm(self, ticket: str) -> None:
        """Confirm an address; from now on, its player gets mails. Confirming it again changes nothing."""
        player, destination = self._holder(self.links.confirming(ticket))

        def change(before: MailDestination | None) -> MailDestination | None:
            if before is None or before.id != destination or before.status != "unconfirmed":
                return before
            return replace(before.done(), status="confirmed")

        self._named(player, destination)
        self._destinations.change(player, change, self._notices.latest(player))

    def unsubscribe(self, ticket: str) -> None:
        """Forget an address that a link is for; a link that was used already changes nothing."""
        player, destination = self._holder(self.links.unsubscribing(ticket))
        self._destinations.change(player, lambda before: None if before is None or before.id == destination else before)

    def check_unsubscribing(self, ticket: str) -> None:
        """Reject a link that does not end any mails."""
        self._holder(self.links.unsubscribing(ticket))

    def _named(self, player: str, destination: str) -> MailDestination:
        found = self._destinations.find(player)
        if found is None or found.id != destination:
            raise _no_such_link()
        return found

    def _holder(self, holder: Holder | None) -> Holder:
        if holder is None:
            raise _no_such_link()
        return holder


def _no_such_link() -> NotFound:
    return NotFound("no-such-link", refusal("no-such-link.mail"))
