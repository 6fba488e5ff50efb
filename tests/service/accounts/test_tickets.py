"""Tickets: facts that come back unchanged, for their purpose, from those who hold the secret, for a while."""

import string
from base64 import urlsafe_b64decode, urlsafe_b64encode

from hypothesis import given
from hypothesis import strategies as st

from service.accounts.tickets import LONGEST, Tickets

SECRET = bytes(range(32))
NOW = 1_800_000_000_000
FACTS = ("gm_0123456789abcdef0123", "pl_0123456789abcdef", "11")


def tickets(secret: bytes = SECRET, now: int = NOW) -> Tickets:
    return Tickets(lambda: secret, lambda: now, {"board": 300, "stream": 60})


TICKET, UNTIL = tickets().issue("board", *FACTS)


def test_the_facts_come_back_until_the_ticket_expires() -> None:
    assert UNTIL == NOW + 300_000
    assert tickets().read("board", TICKET) == [*FACTS]
    assert tickets(now=UNTIL - 1).read("board", TICKET) == [*FACTS]
    assert tickets(now=UNTIL).read("board", TICKET) is None


def test_a_ticket_fits_into_an_address() -> None:
    assert set(TICKET) <= {*string.ascii_letters, *string.digits, "-", "_"}
    assert len(TICKET) <= LONGEST // 2


def test_another_store_does_not_accept_it() -> None:
    assert tickets(bytes(32)).read("board", TICKET) is None


def test_it_serves_its_purpose_only() -> None:
    assert tickets().read("stream", TICKET) is None  # type: ignore[arg-type]


def test_no_byte_of_it_can_be_changed() -> None:
    signed = urlsafe_b64decode(TICKET + "=" * (-len(TICKET) % 4))
    for place in range(len(signed)):
        changed = bytearray(signed)
        changed[place] ^= 1
        assert tickets().read("board", urlsafe_b64encode(changed).decode().rstrip("=")) is None, place


@given(st.text(max_size=200))
def test_no_text_but_a_ticket_is_accepted(text: str) -> None:
    assert tickets().read("board", text) is None
