"""A mail that could not be sent, or not be noted as sent: it comes again, the same, for a day."""

import pytest

from domain.game.durations import HOUR, MINUTE
from service.notifications.delivery.destinations import Destinations
from service.notifications.mail.mail_destination import MailDestinations
from tests.service.api.mail.mail_reader import tables, text


def test_a_mail_that_is_sent_again_after_a_crash_is_the_same_mail(mails, ada, bob, monkeypatch) -> None:
    first, second, third = tables(mails, ada, bob, 3)
    mails.note_turn(first)
    mails.note_turn(second)
    mails.clock.ms += HOUR
    with monkeypatch.context() as crashing:
        crashing.setattr(Destinations, "advance", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            mails.serve(ada)
    mails.note_turn(third)
    assert mails.serve(ada) == 0
    assert mails.serve(ada) == 10 * MINUTE
    once, again = mails.server.mails
    assert once["Message-ID"] == again["Message-ID"]
    assert text(once) == text(again)
    mails.clock.ms += 10 * MINUTE
    mails.serve(ada)
    assert mails.server.mails[2]["Message-ID"] != once["Message-ID"]
    assert third.id in text(mails.server.mails[2])
    assert first.id not in text(mails.server.mails[2])


def test_a_crash_after_the_cursor_moved_on_repeats_nothing(mails, ada, bob, monkeypatch) -> None:
    first, second = tables(mails, ada, bob, 2)
    mails.note_turn(first)
    mails.clock.ms += HOUR
    with monkeypatch.context() as crashing:
        crashing.setattr(MailDestinations, "change", lambda *_: 1 / 0 if mails.server.raw else MailDestinations.find)
        with pytest.raises(ZeroDivisionError):
            mails.serve(ada)
    assert mails.serve(ada) is None
    assert len(mails.server.raw) == 1
    mails.note_turn(second)
    mails.clock.ms += HOUR
    mails.serve(ada)
    assert second.id in text(mails.server.mails[1])


def test_a_mail_that_was_put_off_is_sent_without_what_has_passed(mails, ada, bob) -> None:
    first, second = tables(mails, ada, bob, 2)
    mails.server.replies["ada"] = "451 4.3.0 try later"
    mails.note_turn(first)
    mails.note_turn(second)
    mails.clock.ms += HOUR
    wait = mails.serve(ada)
    first.act(0, first.legal(0)[0])
    mails.server.replies.clear()
    mails.clock.ms += wait
    assert mails.serve(ada) is None
    assert first.id not in text(mails.server.mails[0])
    assert second.id in text(mails.server.mails[0])


def test_an_address_that_the_server_rejects_gets_no_more_mails(mails, ada, bob) -> None:
    mails.server.replies["ada"] = "550 5.1.1 ada@example.org is no user here"
    mails.note_turn(*tables(mails, ada, bob, 1))
    mails.clock.ms += HOUR
    assert mails.serve(ada) is None
    shown = ada.get("/v1/me/mail").json
    assert (shown["status"], shown["reason"]) == ("rejected", "the mail server rejects this address (550 5.1.1)")
    assert mails.destinations.of([ada.id]) == []
    mails.server.replies.clear()
    assert mails.serve(ada) is None
    assert mails.server.raw == []
    assert ada.put("/v1/me/mail", {"address": "ada@example.org"}).json["status"] == "unconfirmed"
    mails.serve(ada)
    assert [mail["Subject"] for mail in mails.server.mails] == ["Confirm your mail address"]
