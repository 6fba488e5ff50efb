"""Mails as players get them: from a real mail server, with notices of real games and a clock that the test sets.

Mails say what happened since the reader's last move, and nothing that is hidden.
"""

import random
from html import escape

import pytest

from domain.game.durations import DAY, HOUR, MINUTE
from service.inbox.notices import Notice
from service.notifications.content import news
from service.notifications.delivery.due_destinations import DueDestinations
from service.notifications.mail.mail_destination import destination_of
from service.store import keys
from tests.service.api.mail.mail_reader import SITE, tables, text
from tests.support.other_worlds import ALL_MOMENTS, empty, in_another_world, moments


def test_the_first_mail_asks_for_confirmation_and_has_no_text_of_the_player(mails) -> None:
    eve = mails.service.newcomer("Buy at evil")
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
        assert f"{SITE}/#/game/{table.id}\n" in text(mail)
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


def test_a_deadline_waits_a_minute_and_stands_for_the_turn_as_well(mails, ada, bob) -> None:
    (table,) = tables(mails, ada, bob, 1)
    mails.note_turn(table)
    mails.note_turn(table, "deadline_near")
    assert mails.serve(ada) == MINUTE
    mails.clock.ms += MINUTE
    mails.serve(ada)
    (mail,) = mails.server.mails
    assert mail["Subject"] == "Your time is running out in Plateau"
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


def test_a_time_zone_that_this_machine_does_not_know_any_more_counts_as_utc(mails, ada, bob) -> None:
    mails.service.redis.hset(keys.player(ada.id), "time_zone", "Europe/Atlantis")
    mails.note_turn(*tables(mails, ada, bob, 1))
    mails.clock.ms += HOUR
    mails.serve(ada)
    assert "It is your turn, until 2026-11-25 10:00 (UTC)." in text(mails.server.mails[0])


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


def test_setting_up_mails_makes_the_courier_send_at_once(mails, bob) -> None:
    bob.put("/v1/me/mail", {"address": "bob@example.org"})
    assert [taken.destination for taken in DueDestinations(mails.service.redis).take(10)] == [destination_of(bob.id)]


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
    for steps in moments(ruleset, seats, rng, ALL_MOMENTS):
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
