"""How a mail is put together: headers that nothing can break out of, plain text, and the same as HTML.

The HTML loads nothing, and nothing in it can run.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from hashlib import sha256
from html import escape
from typing import NamedTuple

_POLICY = SMTP.clone(max_line_length=900)
"""Lines are not folded, because folding encodes long links beyond recognition; 998 characters are allowed."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail, but for its sender and recipient.

    ``sense`` names what the mail says: a mail with the same sense to the same address has the same Message-ID, so that
    one that is sent twice is shown once.
    """

    sense: str
    subject: str
    text: str
    html: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


def mail_of(letter: Letter, sender: str, to: str, now: str) -> EmailMessage:
    """Address a letter from ``sender``, as the setting writes it; ``to`` is a checked address."""
    name, address = parseaddr(sender)
    mail = EmailMessage(policy=_POLICY)
    mail["From"] = Address(display_name=name, addr_spec=address)
    mail["To"] = Address(addr_spec=to)
    mail["Subject"] = letter.subject
    mail["Date"] = format_datetime(datetime.fromisoformat(now))
    identity = sha256(f"{to}\n{letter.sense}".encode()).hexdigest()[:32]
    mail["Message-ID"] = f"<{identity}@{address.rpartition('@')[2]}>"
    mail["Auto-Submitted"] = "auto-generated"
    for header, value in letter.headers.items():
        mail[header] = value
    mail.set_content(letter.text)
    if letter.html is not None:
        mail.add_alternative(letter.html, subtype="html")
    return mail


class Block(NamedTuple):
    """A part of a mail, as text and as HTML."""

    text: str
    html: str


def heading(words: str) -> Block:
    return Block(f"{words}\n{'-' * len(words)}", f"<h3>{escape(words)}</h3>")


def paragraph(words: str) -> Block:
    return Block(words, f"<p>{escape(words)}</p>")


def items(sentences: Sequence[str]) -> Block:
    listed = "".join(f"<li>{escape(each)}</li>" for each in sentences)
    return Block("\n".join(f"- {each}" for each in sentences), f"<ul>{listed}</ul>")


def link(words: str, address: str) -> Block:
    return Block(f"{words}:\n{address}", f'<p><a href="{escape(address)}">{escape(words)}</a></p>')
