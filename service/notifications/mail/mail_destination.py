"""The mail destination of a player, as it is stored: where mails go, and whether that address is the player's.

Each change sees the whole destination and is one atomic step. Nothing is written for a player who does not
exist, so that no data of a deleted player comes back. The address is personal data: nothing here is ever logged.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast

import orjson
import redis
from email_validator import EmailNotValidError, validate_email

from service.inbox.notice_log import START
from service.notifications.content.choices import Choices, choices_of
from service.notifications.delivery.destinations import Destination, Destinations
from service.store import keys
from service.store.scripts import update

Status = Literal["unconfirmed", "confirmed", "rejected"]


def checked(text: str) -> str:
    """Return an address in the form to send to; raise ``ValueError`` with what is wrong with it."""
    try:
        found = validate_email(text, allow_smtputf8=False, check_deliverability=False, strict=True)
    except EmailNotValidError as error:
        raise ValueError(f"not a mail address: {error}") from error
    return found.ascii_email or found.normalized


def mailbox(address: str) -> str:
    """Return what addresses of one mailbox usually share: limits count it, so that ``ada+1@…`` is no way around."""
    name, _, domain = address.rpartition("@")
    return f"{name.partition('+')[0]}@{domain}".lower()


@dataclass(frozen=True, slots=True)
class MailDestination:
    """A player's mail address, and the mails being sent.

    ``id`` is in the links of the mails; a new address has a new one, so that old links do nothing. ``every`` is how
    long a mail waits for further news, in ms. ``reason`` says why the mail server rejected the address.
    """

    address: str
    choices: Choices
    every: int
    status: Status = "unconfirmed"
    id: str = field(default_factory=lambda: secrets.token_hex(6))
    reason: str | None = None
    asking: str | None = field(default_factory=lambda: secrets.token_hex(6))
    """What distinguishes the mail that asks for confirmation and is yet to be sent; None once it is."""
    batch: str | None = None
    """The cursor of the last notice of the mail that is being sent: it stays the same mail until it is done."""
    attempts: int = 0
    """How often the mail that is being sent has failed."""
    failing_since: int = 0
    """When it failed first, in ms; 0 if it has not."""
    not_before: int = 0
    """When to try again, in ms."""

    def asked_again(self) -> "MailDestination":
        return replace(self, asking=secrets.token_hex(6), attempts=0, failing_since=0, not_before=0)

    def done(self) -> "MailDestination":
        """Return the destination after the mail that was being sent."""
        return replace(self, asking=None, batch=None, attempts=0, failing_since=0, not_before=0)


Change = Callable[[MailDestination | None], MailDestination | None]
"""Returns the destination after a change, None for none; what it raises leaves everything as it was."""


@dataclass(eq=False)
class MailDestinations:
    """The mail destinations of all players in one Redis. Notices make those that are confirmed due."""

    _redis: redis.Redis

    def find(self, player: str) -> MailDestination | None:
        return _read(self._redis.get(keys.mail(player)))

    def change(self, player: str, change: Change, cursor: str = START) -> MailDestination | None:
        """Change the mail destination of a player, and return it as it is now; None if there is none or no player.

        One that becomes confirmed wants the notices after ``cursor``. ``change`` is called again if another process was
        faster.
        """

        def decide(pipe: Any) -> MailDestination | None:
            if not pipe.exists(keys.player(player)):
                return None
            before = _read(pipe.get(keys.mail(player)))
            after = change(before)
            if after != before:
                pipe.multi()
                _write(pipe, player, before, after, cursor)
            return after

        return update(self._redis, (keys.mail(player), keys.player(player)), decide)


def destination_of(player: str) -> Destination:
    return Destination(player, "mail")


def _write(pipe: Any, player: str, before: MailDestination | None, after: MailDestination | None, cursor: str) -> None:
    if after is None:
        pipe.delete(keys.mail(player))
    else:
        pipe.set(keys.mail(player), orjson.dumps(after))
    was, is_now = (each is not None and each.status == "confirmed" for each in (before, after))
    if is_now and not was:
        Destinations.add(pipe, destination_of(player), cursor)
    elif was and not is_now:
        Destinations.remove(pipe, destination_of(player))


def _read(kept: Any) -> MailDestination | None:
    if kept is None:
        return None
    fields = orjson.loads(cast("bytes", kept))
    return MailDestination(**{**fields, "choices": choices_of(fields["choices"])})
