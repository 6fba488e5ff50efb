"""Mails as players get them: from a real mail server, with notices of real games and a clock that the test sets."""

import random
from collections.abc import Iterator
from html import escape
from typing import Any

import fakeredis
import pytest

from domain.game.durations import DAY, HOUR, MINUTE, SECOND, instant, moment
from service.accounts.invitations import Invitations
from service.games.repository import GameRepository
from service.mail.channel import MailChannel, Post
from service.mail.outlet import MailOutlets, outlet_of
from service.mail.sending import sender
from service.mail.writer import Writer
from service.messages import news
from service.messages.news import News
from service.notices.notice import Notice
from service.notices.notice_log import NoticeLog
from service.outlets.outbox import Outbox
from service.outlets.outlets import Outlets
from tests.service.api.api_client import OPEN, Server
from tests.service.api.test_non_interference import empty, in_another_world, moments
from tests.service.mail.mail_server import MailServer, mail_server

SITE = "https://play.example"


class Clock:
    """A time that the test sets."""

    def __init__(self) -> None:
        self.ms = instant("2026-11-22T10:00:00.000Z")

    def __call__(self) -> str:
        return moment(self.ms)

    def now(self) -> int:
        return self.ms


class Mails:
    """The mails of a service: its channel, and the players who get them."""

    def __init__(self, service: Server, clock: Clock, server: MailServer) -> None:
        self.service, self.clock, self.server = service, clock, server
        self.outlets, self.notices = Outlets(service.redis), NoticeLog(service.redis)
        post = Post(sender(server.url), "Plateau <plateau@play.example>", clock.now)
        writer = Writer(service.mailing.links)
        self.channel = MailChannel(MailOutlets(service.redis), self.outlets, self.notices, self.finder(), writer, post)

    def finder(self) -> News:
        """What finds out what is news, as a courier that has just started has it."""
        return News(
            GameRepository(self.service.store), Invitations(self.service.redis), self.service.players, self.clock.now
        )

    def serve(self, person: Any) -> int | None:
        """Serve a player's outlet, and return in how many ms it is due again."""
        again = self.channel.deliver(outlet_of(person.id))
        return None if again is None else again - self.clock.ms

    def reader(self, name: str, **choices: Any) -> Any:
        """A player with a confirmed address."""
        person = self.service.newcomer(name)
        assert person.put("/v1/me/mail", {"address": f"{name.lower()}@example.org", **choices}).status_code == 200
        assert self.serve(person) is None
        confirm = self.server.mails[-1].get_body(("plain",)).get_content().split(f"{SITE}/v1/mail/confirm/")[1]
        assert person.post(f"/v1/mail/confirm/{confirm.split()[0]}").status_code == 200
        self.server.raw.clear()
        return person

    def note_turn(self, table: Any, kind: str = "your_turn") -> Any:
        """Note that it is somebody's turn in a game; return who it is."""
        seat = table.to_act
        view = table.view(seat)
        data = {"seat": seat, "decision_id": view["decision"]["id"], "deadline": view["decision"]["deadline"]}
        person = table.people[seat]
        self.notices.add([Notice(kind, person.id, table.id, view["version"], self.clock(), data)])
        return person

    def status(self, person: Any) -> str:
        """The status of a player's address."""
        return person.get("/v1/me/mail").json["status"]


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


def tables(mails: Mails, ada: Any, bob: Any, number: int) -> list[Any]:
    """Begin games of Plateau between two; it is the turn of Ada, the first."""
    return [mails.service.table([ada, bob], ruleset="plateau", seats=[OPEN, OPEN]) for _ in range(number)]


def text(mail: Any, kind: str = "plain") -> str:
    content: str = mail.get_body((kind,)).get_content()
    return content.replace("\r\n", "\n")


def test_the_first_mail_asks_for_confirmation_and_has_nothing_that_the_player_wrote(mails) -> None:
    eve = mails.service.newcomer("Buy at evil.example")
    eve.put("/v1/me/mail", {"address": "ada@example.org"})
    assert mails.serve(eve) is None
    (mail,) = mails.server.mails
    assert mails.server.envelopes == [("plateau@play.example", ["ada@example.org"])]
    assert mail["Subject"] == "Confirm your mail address"
    assert f"{SITE}/v1/mail/confirm/" in text(mail)
    assert "evil" not in mails.server.raw[0].decode() + text(mail) + text(mail, "html")
    assert mails.serve(eve) is None
    assert len(mails.server.raw) == 1


def test_an_unconfirmed_address_gets_nothing_else(mails, ada, bob) -> None:
    bob.put("/v1/me/mail", {"address": "bob@example.org"})
    mails.serve(bob)
    mails.server.raw.clear()
    mails.note_turn(mails.service.table([bob, ada], ruleset="plateau"))
    mails.clock.ms += DAY
    assert mails.serve(bob) is None
    assert mails.server.raw == []


def test_asking_again_sends_another_mail(mails, bob) -> None:
    for _ in range(2):
        bob.put("/v1/me/mail", {"address": "bob@example.org"})
        mails.serve(bob)
    assert len({mail["Message-ID"] for mail in mails.server.mails}) == 2


def test_a_mail_waits_for_more_news_and_has_all_of_it(mails, ada, bob) -> None:
    first, second = tables(mails, ada, bob, 2)
    assert mails.note_turn(first) == ada
    assert mails.serve(ada) == 10 * MINUTE
    mails.clock.ms += 9 * MINUTE
    mails.note_turn(second)
    assert mails.serve(ada) == MINUTE
    mails.clock.ms += MINUTE
    assert mails.serve(ada) is None
    (mail,) = mails.server.mails
    assert mail["Subject"] == "It is your turn in 2 games"
    for table in (first, second):
        assert f"{SITE}/v1/games/{table.id}/board.svg" in text(mail)
    assert text(mail).count("It is your turn, until 2026-11-25 10:00 (UTC).") == 2
    mails.clock.ms += HOUR
    assert mails.serve(ada) is None
    assert len(mails.server.raw) == 1


def test_names_cannot_break_out_of_a_mail(mails, ada, bob) -> None:
    mails.note_turn(*tables(mails, ada, bob, 1))
    mails.clock.ms += HOUR
    mails.serve(ada)
    (mail,) = mails.server.mails
    assert "Plateau with Bob <b>&amp;\n" in text(mail)
    assert "Plateau with Bob &lt;b&gt;&amp;amp;" in text(mail, "html")
    assert "src=" not in text(mail, "html")


def test_a_mail_tells_what_happened_since_the_last_move(mails, ada, bob) -> None:
    (table,) = tables(mails, ada, bob, 1)
    table.play(random.Random(1), lambda view: view["version"] > 60 and view["to_act"] == [0])
    page = ada.get(f"{table.path}/events?lang=en&as=0&since=my-last-move&limit=1000").json["events"]
    told = [event["sentence"]["text"] for event in page]
    assert told
    mails.note_turn(table)
    mails.clock.ms += HOUR
    mails.serve(ada)
    (mail,) = mails.server.mails
    assert "Since your last move:\n\n" + "\n".join(f"- {each}" for each in told) + "\n\n" in text(mail)
    assert f"<li>{escape(told[-1])}</li></ul>" in text(mail, "html")


def test_of_a_long_story_a_mail_tells_the_latest(mails, ada, bob, monkeypatch) -> None:
    (table,) = tables(mails, ada, bob, 1)
    table.play(random.Random(1), lambda view: view["version"] > 60 and view["to_act"] == [0])
    page = ada.get(f"{table.path}/events?lang=en&as=0&since=my-last-move&limit=1000").json["events"]
    monkeypatch.setattr(news, "MOST_TOLD", 1)
    mails.note_turn(table)
    mails.clock.ms += HOUR
    mails.serve(ada)
    many = f"{len(page) - 1} earlier events" if len(page) > 2 else "one earlier event"
    assert f"Since your last move, {many} and then:\n\n- {page[-1]['sentence']['text']}\n\n" in text(
        mails.server.mails[0]
    )


@pytest.mark.parametrize(("ruleset", "seats"), [("le-plateau", 3), ("french-tarot", 4), ("plateau", 2), ("plute", 6)])
def test_a_mail_says_nothing_that_is_hidden_from_a_spectator(mails, clock, ruleset, seats) -> None:
    rng, heard, others = random.Random(2), 0, 0
    for steps in moments(ruleset, seats, rng):
        game = steps[-1].game
        sampled = game.ruleset.sample(game.options, None, game.ruleset.project(game.state, None), rng)
        others += sampled != game.state
        seat = min(game.pending)
        player = game.sitters[seat].player
        turn = Notice(
            "your_turn", player, game.id, game.version, clock(), {"seat": seat, "decision_id": game.decision_id(seat)}
        )
        stories = []
        for world in (steps, in_another_world(ruleset, steps, sampled)):
            empty(mails.service)
            mails.service.table_of_log(world)
            (found,) = mails.finder().of(player, [turn])
            stories.append(found.story(mails.service.players.names, "en"))
        assert stories[0] == stories[1]
        heard += bool(stories[0][0])
    assert heard
    assert others


def test_a_turn_that_was_played_is_no_news(mails, ada, bob) -> None:
    played, pending = tables(mails, ada, bob, 2)
    for table in (played, pending):
        mails.note_turn(table)
    played.act(0, played.legal(0)[0])
    mails.clock.ms += HOUR
    mails.serve(ada)
    (mail,) = mails.server.mails
    assert mail["Subject"] == "It is your turn in Plateau"
    assert pending.id in text(mail)
    assert played.id not in text(mail)


def test_without_news_there_is_no_mail(mails, ada, bob) -> None:
    (table,) = tables(mails, ada, bob, 1)
    mails.note_turn(table)
    table.act(0, table.legal(0)[0])
    mails.clock.ms += HOUR
    assert mails.serve(ada) is None
    assert mails.server.raw == []
    assert mails.outlets.cursor(outlet_of(ada.id)) == mails.notices.latest(ada.id)


def test_only_the_notices_that_were_chosen_are_sent(mails, bob) -> None:
    ada = mails.reader("Ada", notices=["game_ended"])
    (table,) = tables(mails, ada, bob, 1)
    mails.note_turn(table)
    mails.clock.ms += DAY
    assert mails.serve(ada) is None
    assert mails.server.raw == []
    mails.notices.add([Notice("game_ended", ada.id, table.id, 9, mails.clock(), {})])
    mails.clock.ms += HOUR
    mails.serve(ada)
    assert [mail["Subject"] for mail in mails.server.mails] == ["News of a game of Plateau"]
    assert "The game is over." in text(mails.server.mails[0])


def test_a_deadline_waits_a_minute_and_stands_for_the_turn_as_well(mails, ada, bob) -> None:
    (table,) = tables(mails, ada, bob, 1)
    mails.note_turn(table)
    mails.note_turn(table, "deadline_near")
    assert mails.serve(ada) == MINUTE
    mails.clock.ms += MINUTE
    mails.serve(ada)
    (mail,) = mails.server.mails
    assert mail["Subject"] == "Your time runs out in Plateau"
    assert "Your time runs out at 2026-11-25 10:00 (UTC)." in text(mail)
    assert "It is your turn" not in text(mail)


def test_nothing_is_sent_in_quiet_hours_and_times_are_those_of_the_players_clock(mails, bob) -> None:
    ada = mails.reader("Ada", quiet_hours={"start": "22:00", "end": "07:00"})
    ada.patch("/v1/me", {"time_zone": "Asia/Tokyo"})
    (table,) = tables(mails, ada, bob, 1)
    mails.clock.ms += 4 * HOUR  # 23:00 in Tokyo
    mails.note_turn(table)
    mails.clock.ms += HOUR
    assert mails.serve(ada) == 7 * HOUR
    assert mails.server.raw == []
    mails.clock.ms += 7 * HOUR
    mails.serve(ada)
    assert "It is your turn, until 2026-11-25 19:00 (Asia/Tokyo)." in text(mails.server.mails[0])


def test_one_click_in_the_header_ends_the_mails(mails, ada, bob) -> None:
    mails.note_turn(*tables(mails, ada, bob, 1))
    mails.clock.ms += HOUR
    mails.serve(ada)
    (mail,) = mails.server.mails
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = str(mail["List-Unsubscribe"]).strip("<>")
    assert link in text(mail)
    stranger = mails.service.stranger()
    body, kind = mail["List-Unsubscribe-Post"].encode(), "application/x-www-form-urlencoded"
    assert stranger.ask("POST", link.removeprefix(SITE), body, content_type=kind).status_code == 200
    mails.note_turn(*tables(mails, ada, bob, 1))
    mails.clock.ms += HOUR
    assert mails.serve(ada) is None
    assert len(mails.server.raw) == 1


def test_a_mail_that_is_sent_again_after_a_crash_is_the_same_mail(mails, ada, bob, monkeypatch) -> None:
    first, second, third = tables(mails, ada, bob, 3)
    mails.note_turn(first)
    mails.note_turn(second)
    mails.clock.ms += HOUR
    with monkeypatch.context() as crashing:
        crashing.setattr(Outlets, "advance", lambda *_: 1 / 0)
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
        crashing.setattr(MailOutlets, "change", lambda *_: 1 / 0 if mails.server.raw else MailOutlets.find)
        with pytest.raises(ZeroDivisionError):
            mails.serve(ada)
    assert mails.serve(ada) is None
    assert len(mails.server.raw) == 1
    mails.note_turn(second)
    mails.clock.ms += HOUR
    mails.serve(ada)
    assert second.id in text(mails.server.mails[1])


def test_a_mail_that_cannot_be_sent_now_is_tried_again_less_and_less_often(mails, ada, bob) -> None:
    mails.server.replies["ada"] = "451 4.3.0 try later"
    mails.note_turn(*tables(mails, ada, bob, 1))
    mails.clock.ms += HOUR
    began, waits = mails.clock.ms, []
    while (wait := mails.serve(ada)) is not None:
        waits.append(wait)
        assert mails.serve(ada) == wait  # whatever makes the outlet due in between
        mails.clock.ms += wait
    assert waits == sorted(waits)
    assert len(waits) == 8
    assert waits[0] < 6 * SECOND
    assert DAY * 0.9 < mails.clock.ms - began < DAY * 1.1
    assert mails.status(ada) == "confirmed"
    mails.server.replies.clear()
    mails.note_turn(*tables(mails, ada, bob, 1))
    mails.clock.ms += HOUR
    assert mails.serve(ada) is None
    assert len(mails.server.raw) == 1


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


def test_an_address_that_the_server_rejects_gets_no_more_mails_and_its_player_sees_why(mails, ada, bob) -> None:
    mails.server.replies["ada"] = "550 5.1.1 ada@example.org is no user here"
    mails.note_turn(*tables(mails, ada, bob, 1))
    mails.clock.ms += HOUR
    assert mails.serve(ada) is None
    shown = ada.get("/v1/me/mail").json
    assert (shown["status"], shown["reason"]) == ("rejected", "the mail server rejects this address (550 5.1.1)")
    assert mails.outlets.of([ada.id]) == []
    mails.server.replies.clear()
    assert mails.serve(ada) is None
    assert mails.server.raw == []
    assert ada.put("/v1/me/mail", {"address": "ada@example.org"}).json["status"] == "unconfirmed"
    mails.serve(ada)
    assert [mail["Subject"] for mail in mails.server.mails] == ["Confirm your mail address"]


def test_setting_up_mails_makes_the_courier_send_at_once(mails, bob) -> None:
    bob.put("/v1/me/mail", {"address": "bob@example.org"})
    assert [taken.outlet for taken in Outbox(mails.service.redis).take(10)] == [outlet_of(bob.id)]


def test_a_deleted_player_gets_no_mail(mails, ada, bob) -> None:
    mails.note_turn(*tables(mails, ada, bob, 1))
    mails.clock.ms += HOUR
    ada.delete("/v1/me")
    assert mails.serve(ada) is None
    assert mails.server.raw == []


def test_the_games_of_a_mail_that_cannot_be_read_are_left_out(mails, ada, bob) -> None:
    damaged, sound = tables(mails, ada, bob, 2)
    mails.note_turn(damaged)
    mails.note_turn(sound)
    (log,) = mails.service.redis.scan_iter(match=f"*{damaged.id}:events")
    mails.service.redis.xtrim(log, maxlen=1, approximate=False)
    mails.clock.ms += HOUR
    mails.serve(ada)
    assert damaged.id not in text(mails.server.mails[0])
    assert sound.id in text(mails.server.mails[0])
