"""Mails say what happened since the reader's last move, and nothing that is hidden."""

import random
from html import escape

import pytest

from domain.game.durations import HOUR
from service.inbox.notice import Notice
from service.notifications.content import news
from tests.service.api.mail.mail_reader import tables, text
from tests.support.other_worlds import ALL_MOMENTS, empty, in_another_world, moments


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
