"""A mail server that a test starts; it keeps what it gets."""

import asyncio
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from typing import Any, cast

import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope

from tests.support.processes import free_port


@dataclass
class MailServer:
    """What the server got, and what it replies to a recipient: by the name before the @, else it accepts.

    ``pause`` is how many seconds it thinks about a recipient, and about a mail.
    """

    replies: dict[str, str] = field(default_factory=dict)
    raw: list[bytes] = field(default_factory=list)
    envelopes: list[tuple[str, list[str]]] = field(default_factory=list)
    port: int = 0
    options: str = "?starttls=no"
    pause: float = 0.0

    @property
    def url(self) -> str:
        """The address, as the setting has it."""
        return f"smtp://localhost:{self.port}{self.options}"

    @property
    def mails(self) -> list[EmailMessage]:
        """The mails, parsed."""
        return [cast("EmailMessage", message_from_bytes(each, policy=SMTP)) for each in self.raw]

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Envelope, address: str, _options: Any) -> str:  # noqa: N802 - aiosmtpd's
        """Accept a recipient, or reply as the test wants."""
        await asyncio.sleep(self.pause)
        reply = self.replies.get(address.partition("@")[0], "250 2.1.5 OK")
        if reply.startswith("250"):
            envelope.rcpt_tos.append(address)
        return reply

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's
        """Keep a mail."""
        await asyncio.sleep(self.pause)
        if "data" in self.replies:
            return self.replies["data"]
        self.raw.append(cast("bytes", envelope.original_content))
        self.envelopes.append((str(envelope.mail_from), [str(each) for each in envelope.rcpt_tos]))
        return "250 2.0.0 OK"

    async def handle_QUIT(self, _server: Any, _session: Any, _envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's
        """Say goodbye, or what the test wants."""
        return self.replies.get("quit", "221 2.0.0 Bye")


class Certificates:
    """A certificate for localhost, and the authority that made it."""

    def __init__(self, folder: Path) -> None:
        authority = trustme.CA()
        self.authority = folder / "ca.pem"
        authority.cert_pem.write_to_path(self.authority)
        self.server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("localhost").configure_cert(self.server)


@contextmanager
def mail_server(**wanted: Any) -> Iterator[MailServer]:
    """Run a server on a free port; the keywords are those of aiosmtpd."""
    server = MailServer(port=free_port())
    controller = Controller(server, hostname="localhost", port=server.port, **wanted)
    controller.start()
    try:
        yield server
    finally:
        controller.stop()


def knows_ada(_server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
    """Know one user and her password, which has characters that an address must encode."""
    return AuthResult(success=(data.login, data.password) == (b"ada", b"p@ss/word"), handled=False)
