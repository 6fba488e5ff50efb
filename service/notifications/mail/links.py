"""The links in mails: signed, so that they need no login, and good for one thing each."""

from collections.abc import Callable, Sequence

from service.accounts.tickets import Tickets

_CONFIRM_SECONDS = 2 * 24 * 3600
_UNSUBSCRIBE_SECONDS = 400 * 24 * 3600

Holder = tuple[str, str]
"""The player and the id of the mail destination that a link is for."""


class MailLinks:
    """The links in mails of one service.

    ``secret`` returns the secret of the store, ``now`` the time in ms; ``site`` is the address of the service.
    """

    def __init__(self, secret: Callable[[], bytes], now: Callable[[], int], site: str) -> None:
        self.site = site
        self._tickets = Tickets(secret, now, {"mail": _CONFIRM_SECONDS, "unsubscribe": _UNSUBSCRIBE_SECONDS})

    def to_confirm(self, player: str, destination: str) -> str:
        return f"{self.site}/v1/mail/confirm/{self._tickets.issue('mail', player, destination)[0]}"

    def to_unsubscribe(self, player: str, destination: str) -> str:
        """Return the address of the page on which a player ends all mails; a POST to it ends them at once."""
        return f"{self.site}/v1/mail/unsubscribe/{self._tickets.issue('unsubscribe', player, destination)[0]}"

    def confirming(self, ticket: str) -> Holder | None:
        return _holder(self._tickets.read("mail", ticket))

    def unsubscribing(self, ticket: str) -> Holder | None:
        return _holder(self._tickets.read("unsubscribe", ticket))


def _holder(facts: Sequence[str] | None) -> Holder | None:
    return None if facts is None else (facts[0], facts[1])
