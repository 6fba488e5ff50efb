"""Mails leave through a real mail server, or into a folder; what a server refuses is told apart."""

import logging
from collections.abc import Iterator
from email import message_from_bytes
from email.policy import SMTP
from pathlib import Path

import pytest

from service.notifications.mail import smtp as sending
from service.notifications.mail.letters import Letter, mail_of
from service.notifications.mail.smtp import Postponed, Undeliverable, sender
from tests.support.commands import plateau
from tests.support.mail_server import Certificates, MailServer, knows_ada, mail_server

NOW = "2026-11-22T10:00:00.000Z"
LINK = "https://play.example/v1/mail/unsubscribe/" + "a" * 300


def mail(to="ada@example.org", sense="test", subject="It is your turn"):
    """Return a mail with a link that is longer than a line."""
    letter = Letter(sense, subject, "Grüße\n", "<p>Grüße</p>", {"List-Unsubscribe": f"<{LINK}>"})
    return mail_of(letter, "Plateau games <plateau@play.example>", to, NOW)


@pytest.fixture
def server() -> Iterator[MailServer]:
    with mail_server() as server:
        yield server


def test_a_mail_arrives_as_it_was_written(server) -> None:
    sender(server.url)(mail())
    (got,) = server.mails
    assert server.envelopes == [("plateau@play.example", ["ada@example.org"])]
    assert [got[name] for name in ("From", "To", "Subject", "Date", "Auto-Submitted")] == [
        "Plateau games <plateau@play.example>", "ada@example.org", "It is your turn",
        "Sun, 22 Nov 2026 10:00:00 +0000", "auto-generated",
    ]  # fmt: skip
    assert got.get_body(("plain",)).get_content().strip() == "Grüße"
    assert got.get_body(("html",)).get_content().strip() == "<p>Grüße</p>"
    assert f"List-Unsubscribe: <{LINK}>\r\n".encode() in server.raw[0], "in one piece"


def test_a_server_that_is_slow_at_every_step_has_a_limited_time_in_all(server, monkeypatch) -> None:
    """Otherwise the lease of the destination ends during the sending, and another courier sends the mail again."""
    monkeypatch.setattr(sending, "_SECONDS", 0.6)
    server.pause = 0.4
    with pytest.raises(Postponed, match="cannot be reached"):
        sender(server.url)(mail())
    server.pause = 0.1
    sender(server.url)(mail())


def test_the_same_sense_to_the_same_address_has_the_same_id(server) -> None:
    first, again = mail(), mail()
    assert first["Message-ID"] == again["Message-ID"]
    assert len({mail()["Message-ID"], mail(sense="other")["Message-ID"], mail("bob@example.org")["Message-ID"]}) == 3


@pytest.mark.parametrize("text", ["Turn\r\nBcc: eve@example.org", "Turn\nX: y", "Turn\rX"])
def test_nothing_breaks_out_of_a_header(text) -> None:
    with pytest.raises(ValueError, match=r"newline|linefeed"):
        mail(subject=text)


@pytest.mark.parametrize(
    ("reply", "kind", "shown"),
    [
        ("550 5.1.1 <ada@example.org>: no such user", Undeliverable, "550 5.1.1"),
        ("551 ada@example.org has moved", Undeliverable, "551"),
        ("554 5.7.1 ada@example.org: your address is on a list", Postponed, "554 5.7.1"),
        ("450 4.2.1 ada@example.org: try again", Postponed, "450 4.2.1"),
    ],
)
def test_a_refused_recipient_is_refused_for_good_or_for_now_and_never_named(server, reply, kind, shown) -> None:
    server.replies["ada"] = reply
    with pytest.raises(kind) as refusal:
        sender(server.url)(mail())
    assert str(refusal.value).endswith(f"({shown})")
    assert "ada" not in str(refusal.value)
    assert server.raw == []


def test_a_refused_mail_is_tried_again_because_the_address_is_not_at_fault(server) -> None:
    server.replies["data"] = "554 5.6.0 not this"
    with pytest.raises(Postponed, match=r"rejected the mail \(554 5\.6\.0\)"):
        sender(server.url)(mail())


def test_a_mail_that_was_accepted_counts_whatever_the_server_says_afterwards(server) -> None:
    server.replies["quit"] = "421 4.3.2 going down"
    sender(server.url)(mail())
    assert len(server.raw) == 1


def test_a_server_that_is_away_is_tried_again() -> None:
    with mail_server() as server:
        url = server.url
    with pytest.raises(Postponed, match="cannot be reached"):
        sender(url)(mail())


def test_a_mail_is_encrypted_unless_the_setting_says_no(server, tmp_path) -> None:
    server.options = ""
    with pytest.raises(Postponed, match="STARTTLS"):
        sender(server.url)(mail())
    assert server.raw == []
    certificates = Certificates(tmp_path)
    with mail_server(tls_context=certificates.server, require_starttls=True) as encrypted:
        encrypted.options = f"?ca_certs={certificates.authority}"
        sender(encrypted.url)(mail())
        assert len(encrypted.raw) == 1
        encrypted.options = ""
        with pytest.raises(Postponed, match="SSLCertVerificationError"):
            sender(encrypted.url)(mail())
        assert len(encrypted.raw) == 1


@pytest.mark.filterwarnings("ignore:Requiring AUTH")  # aiosmtpd does not know that all of it is encrypted
def test_a_server_can_want_encryption_from_the_start_and_a_password(tmp_path) -> None:
    certificates = Certificates(tmp_path)
    with mail_server(
        auth_require_tls=False,
        ssl_context=certificates.server,
        authenticator=knows_ada,
        auth_required=True,
    ) as server:
        place = f"localhost:{server.port}?ca_certs={certificates.authority}"
        sender(f"smtps://ada:p%40ss%2Fword@{place}")(mail())
        assert len(server.raw) == 1
        with pytest.raises(Postponed, match=r"the user or the password \(535 5\.7\.8\)"):
            sender(f"smtps://ada:wrong@{place}")(mail())


def test_a_folder_gets_each_mail_as_a_file_and_keeps_the_newest(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(sending, "MOST_IN_FOLDER", 3)
    folder = tmp_path / "a folder" / "mails"
    for number in range(5):
        sender(folder.as_uri())(mail(sense=str(number)))
    files = sorted(folder.iterdir())
    assert len(files) == 3
    assert folder.stat().st_mode & 0o077 == 0
    last = message_from_bytes(files[-1].read_bytes(), policy=SMTP)
    assert last["Message-ID"] == mail(sense="4")["Message-ID"]


def test_a_folder_that_cannot_be_written_is_tried_again(tmp_path) -> None:
    (tmp_path / "mails").write_text("a file")
    with pytest.raises(Postponed, match="cannot be written"):
        sender((tmp_path / "mails").as_uri())(mail())


def run(address, url, **more):
    """Run the command with the settings in the environment."""
    own = {"PLATEAU_MAIL_FROM": "plateau@play.example", "PLATEAU_PUBLIC_URL": "https://play.example"}
    return plateau("mail-test", address, PLATEAU_SMTP_URL=url, **own | more)


def test_the_command_sends_a_test_mail(server) -> None:
    done = run("ada@example.org", server.url)
    assert done.exit_code == 0
    assert done.output == f"The mail to ada@example.org was handed over to smtp://localhost:{server.port}.\n"
    assert "mail settings of https://play.example" in server.mails[0].get_content()


def test_the_command_says_why_a_mail_cannot_be_sent(server, caplog: pytest.LogCaptureFixture) -> None:
    server.replies["ada"] = "550 5.1.1 no such user"
    caplog.set_level(logging.DEBUG)
    refused = run("ada@example.org", server.url)
    assert (refused.exit_code, refused.output) == (1, "plateau: the mail server rejects this address (550 5.1.1)\n")
    assert run("ada", server.url).exit_code == 2
    assert run("ada@example.org", "").output.startswith("plateau: PLATEAU_SMTP_URL is not set")
    ours = [record.getMessage() for record in caplog.records if record.name != "mail.log"]  # that is aiosmtpd's
    assert not any("ada@" in each for each in ours)


@pytest.mark.parametrize("missing", ["PLATEAU_MAIL_FROM", "PLATEAU_PUBLIC_URL"])
def test_a_mail_server_needs_a_sender_and_links(server, missing) -> None:
    done = run("ada@example.org", server.url, **{missing: ""})
    assert (done.exit_code, done.output) == (2, f"plateau: With PLATEAU_SMTP_URL, {missing} must be set too.\n")


def test_the_folder_is_where_the_embedded_default_writes(tmp_path: Path) -> None:
    done = run("ada@example.org", (tmp_path / "mails").as_uri(), PLATEAU_MAIL_FROM="", PLATEAU_PUBLIC_URL="")
    assert done.exit_code == 0
    assert len([*(tmp_path / "mails").iterdir()]) == 1
