"""A service that sends mails, and players who get them."""

from collections.abc import Iterator
from typing import Any

import fakeredis
import pytest

from tests.service.api.mail.mail_reader import Clock, Mails
from tests.support.mail_server import mail_server
from tests.support.people import Server


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def mails(closing, contract, clock) -> Iterator[Mails]:
    service = Server(fakeredis.FakeRedis(server=fakeredis.FakeServer()), contract, now=clock)
    with mail_server() as server:
        yield Mails(service, clock, server)
    closing.submit(service.players.close)


@pytest.fixture
def ada(mails: Mails) -> Any:
    return mails.reader("Ada", interval="PT10M")


@pytest.fixture
def bob(mails: Mails) -> Any:
    return mails.service.newcomer("Bob <b>&amp;")
