"""Mails as `plateau serve` sends them: every process for itself, over real sockets."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.mail_server import MailServer, mail_server
from tests.support.server import PATIENCE, RunningService, running_service, wait_until


@pytest.fixture
def server() -> Iterator[MailServer]:
    with mail_server() as server:
        yield server


@pytest.fixture
def mailing(tmp_path: Path, server: MailServer) -> Iterator[RunningService]:
    env = {
        "PLATEAU_SMTP_URL": server.url,
        "PLATEAU_MAIL_FROM": "Plateau <plateau@play.example>",
        "PLATEAU_PUBLIC_URL": "https://play.example",
        "PLATEAU_WORKERS": "1",
    }
    with running_service(tmp_path, env) as service:
        yield service


def guest(service: RunningService, name: str) -> httpx.Client:
    token = httpx.post(f"{service.url}/v1/players", json={"name": name}).json()["token"]
    return httpx.Client(base_url=service.url, headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE)


def confirmed(service: RunningService, server: MailServer, reader: httpx.Client, **choices: Any) -> None:
    """Set up mails for a player, and press the button of the page that the mail links to."""
    assert reader.put("/v1/me/mail", json={"address": "ada@example.org", **choices}).status_code == 200
    wait_until(lambda: server.raw, "the mail that asks for confirmation")
    (mail,) = server.mails
    link = re.search(r"https://play\.example(/v1/mail/confirm/\S+)", mail.get_body(("plain",)).get_content())
    assert link is not None
    assert httpx.get(f"{service.url}{link[1]}").status_code == 200
    assert reader.get("/v1/me/mail").json()["status"] == "unconfirmed"
    assert httpx.post(f"{service.url}{link[1]}", data={"": ""}).status_code == 200
    assert reader.get("/v1/me/mail").json()["status"] == "confirmed"


@pytest.mark.long
def test_the_courier_sends_the_mail_that_asks_for_confirmation(mailing, server) -> None:
    with guest(mailing, "Ada") as ada:
        confirmed(mailing, server, ada)
    assert "ada@" not in mailing.errors


def mail_in_a_folder(service: RunningService, address: str) -> None:
    """Have a mail that asks for confirmation written to the data folder, and look at its link."""
    with guest(service, "Ada") as ada:
        assert ada.put("/v1/me/mail", json={"address": address}).status_code == 200

    def written() -> list[str]:
        return [text for each in (service.data / "mails").glob("*.eml") if address in (text := each.read_text())]

    wait_until(written, "the mail that asks for confirmation")
    assert f"{service.url}/v1/mail/confirm/" in written()[0]


def test_without_a_mail_server_mails_are_written_into_a_folder(service: RunningService) -> None:
    mail_in_a_folder(service, "folder@example.org")


@pytest.mark.long
def test_in_memory_mails_are_written_into_a_folder_too(tmp_path: Path) -> None:
    with running_service(tmp_path, {"PLATEAU_WORKERS": "1"}, "--memory") as service:
        mail_in_a_folder(service, "ada@example.org")


@pytest.mark.long
def test_a_turn_reaches_the_mailbox(mailing, server) -> None:
    with guest(mailing, "Ada") as ada, guest(mailing, "Bob") as bob:
        confirmed(mailing, server, ada, interval="PT1M")
        open_seats = {"ruleset": "plateau", "seats": [{"open": True}] * 2}
        game = bob.post("/v1/games", json=open_seats).json()["id"]
        for person in (ada, bob):
            assert person.post(f"/v1/games/{game}/seats", json={}).status_code == 201
        wait_until(lambda: len(server.raw) == 2, "the mail about the turn", 60 + PATIENCE)
    mail = server.mails[-1]
    assert mail["Subject"] == "It is your turn in Plateau"
    assert "Plateau with Bob" in mail.get_body(("plain",)).get_content()
