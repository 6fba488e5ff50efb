"""How mails leave: through an SMTP server, or into a folder where a developer can read them.

Nothing here is logged or reported with an address: what a mail server replies often repeats it.
"""

import re
import smtplib
import socket
import ssl
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from email.message import EmailMessage
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from service.common import wall_clock

Send = Callable[[EmailMessage], None]
"""Sends a mail; raises ``Postponed`` or ``Undeliverable``."""

MOST_IN_FOLDER = 500
"""How many mails a folder keeps; the newest displace the oldest."""

_SECONDS = 15
"""How long the mail server has for a mail: less than the lease of a destination, or another courier would send it."""
_PORTS = {"smtp": 587, "smtps": 465}


class Postponed(Exception):
    """The mail could not be sent now; it can be tried again. The message says why, without the address."""


class Undeliverable(Exception):
    """The mail server rejects the address for good. The message says why, without the address."""


def sender(url: str) -> Send:
    """Return what sends mails to where a setting points: ``smtp://``, ``smtps://`` or ``file://``."""
    parts = urlsplit(url)
    return partial(_write, Path(unquote(parts.path))) if parts.scheme == "file" else partial(_submit, parts)


def _write(folder: Path, mail: EmailMessage) -> None:
    """Write a mail into a folder, whole or not at all; the same mail again has the same name, but for the time."""
    name = f"{wall_clock.now().replace(':', '-')}-{sha256(mail['Message-ID'].encode()).hexdigest()[:8]}.eml"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished = (folder / name).with_suffix(".part")
        unfinished.write_bytes(mail.as_bytes())
        unfinished.rename(folder / name)
        for old in sorted(folder.glob("*.eml"))[:-MOST_IN_FOLDER]:
            old.unlink(missing_ok=True)
    except OSError as error:
        raise Postponed(f"the folder for mails cannot be written ({error.strerror})") from error


def _submit(place: SplitResult, mail: EmailMessage) -> None:
    try:
        with closing(_connection(place)) as server:
            if place.username:
                server.login(unquote(place.username), unquote(place.password or ""))
            server.send_message(mail)
            with suppress(smtplib.SMTPException, OSError):  # the mail has been accepted, and must not be sent again
                server.quit()
    except smtplib.SMTPRecipientsRefused as error:
        raise _refused(error.recipients) from None
    except smtplib.SMTPResponseException as error:
        raise Postponed(f"the mail server rejected {_STEPS.get(type(error), 'the mail')} ({_code(error)})") from None
    except smtplib.SMTPNotSupportedError as error:
        raise Postponed(f"the mail server cannot do what the settings ask for: {error}") from None
    except (smtplib.SMTPException, OSError) as error:
        raise Postponed(f"the mail server cannot be reached ({type(error).__name__})") from None


_STEPS = {
    smtplib.SMTPAuthenticationError: "the user or the password",
    smtplib.SMTPSenderRefused: "the sender",
    smtplib.SMTPConnectError: "the connection",
}


class _Timed(smtplib.SMTP):
    """A connection that must have done its work at a point in time; a time limit of a socket holds for each step."""

    def __init__(self, end: float, host: str, port: int, name: str, **how: Any) -> None:
        self._end = end
        super().__init__(host, port, name, timeout=_SECONDS, **how)

    def getreply(self) -> tuple[int, bytes]:
        """Read a reply, in the time that is left."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        if self.sock is not None:
            self.sock.settimeout(left)
        return super().getreply()


class _TimedWithTls(_Timed, smtplib.SMTP_SSL):
    """The same with TLS from the beginning."""


def _connection(place: SplitResult) -> smtplib.SMTP:
    host, port, asked = place.hostname or "", place.port or _PORTS[place.scheme], parse_qs(place.query)
    context = ssl.create_default_context(cafile=asked.get("ca_certs", [None])[0])
    end, name = time.monotonic() + _SECONDS, socket.gethostname()
    if place.scheme == "smtps":
        return _TimedWithTls(end, host, port, name, context=context)
    server = _Timed(end, host, port, name)
    try:
        if asked.get("starttls") != ["no"]:
            server.starttls(context=context)
    except BaseException:
        server.close()
        raise
    return server


def _refused(recipients: Mapping[str, tuple[int, bytes]]) -> Postponed | Undeliverable:
    """Determine whether a recipient is refused for good, or only now.

    A refusal for a policy (5.7) is about the sender: its address may be on a list, or it may not relay.
    """
    ((code, words),) = recipients.values()
    shown = _shown(code, words)
    if code >= 500 and not re.search(r"\b5\.7\.", shown):
        return Undeliverable(f"the mail server rejects this address ({shown})")
    return Postponed(f"the mail server does not accept the address now ({shown})")


def _code(error: smtplib.SMTPResponseException) -> str:
    words = error.smtp_error
    return _shown(error.smtp_code, words if isinstance(words, bytes) else words.encode())


def _shown(code: int, words: bytes) -> str:
    """Return the codes of a reply, without its words."""
    enhanced = re.match(rb"[245]\.\d{1,3}\.\d{1,3}\b", words)
    return f"{code} {enhanced[0].decode()}" if enhanced else str(code)
