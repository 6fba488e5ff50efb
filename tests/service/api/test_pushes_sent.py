"""Push messages as browsers get them: from a local push service, decrypted with the keys of the browser."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import fakeredis
import pytest

from domain.game.durations import DAY, HOUR, MINUTE
from service.games.invitations.invitation_store import Invitations
from service.games.repository import GameRepository
from service.inbox.notice_log import NoticeLog
from service.inbox.notices import Notice
from service.notifications.content.news import News
from service.notifications.delivery.destinations import Destinations
from service.notifications.delivery.outside_addresses import Rules
from service.notifications.push.channel import Post, PushChannel
from service.notifications.push.subscriptions import Subscriptions, destination_of
from tests.service.api.mail.mail_reader import Clock
from tests.support.people import OPEN, Server
from tests.support.push import Browser, PushService, push_service, stated

PATH = "/v1/me/push-subscriptions"


class Pushes:
    """The push messages of a service."""

    def __init__(self, service: Server, clock: Clock, receiver: PushService, rules: Rules) -> None:
        self.service, self.clock, self.receiver = service, clock, receiver
        self.destinations, self.notices = Destinations(service.redis), NoticeLog(service.redis)
        service.services.pushing.rules = rules
        news = News(GameRepository(service.store), Invitations(service.redis), service.players, clock.now)
        post = Post(rules, service.services.pushing.vapid, "https://play.example", clock.now)
        self.channel = PushChannel(Subscriptions(service.redis, 10), self.destinations, self.notices, news, post)

    def subscribe(self, person: Any, browser: Browser, name: str = "browser", **choices: Any) -> str:
        """Subscribe a browser; return the id of the subscription."""
        made = person.post(PATH, {**browser.subscription(self.receiver.endpoint(name)), **choices})
        assert made.status_code == 201, made.json
        subscription: str = made.json["id"]
        return subscription

    def serve(self, person: Any, subscription: str) -> int | None:
        """Serve a subscription, and return in how many ms it is due again."""
        again = self.channel.deliver(destination_of(person.id, subscription))
        return None if again is None else again - self.clock.ms

    def note_turn(self, table: Any, kind: str = "your_turn") -> None:
        """Note that it is somebody's turn in a game."""
        seat = table.to_act
        decision = table.view(seat)["decision"]
        data = {"seat": seat, "decision_id": decision["id"], "deadline": decision["deadline"]}
        self.notices.add([Notice(kind, table.people[seat].id, table.id, table.version, self.clock(), data)])


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def pushes(closing, contract, clock) -> Iterator[Pushes]:
    service = Server(fakeredis.FakeRedis(server=fakeredis.FakeServer()), contract, now=clock)
    with push_service() as receiver:
        yield Pushes(service, clock, receiver, Rules(anywhere=True))
    closing.submit(service.players.close)


@pytest.fixture
def ada(pushes: Pushes) -> Any:
    return pushes.service.newcomer("Ada")


@pytest.fixture
def bob(pushes: Pushes) -> Any:
    return pushes.service.newcomer("Bob")


def tables(pushes: Pushes, ada: Any, bob: Any, number: int) -> list[Any]:
    """Begin games of Plateau between two; it is the turn of Ada, the first."""
    return [pushes.service.table([ada, bob], ruleset="plateau", seats=[OPEN, OPEN]) for _ in range(number)]


def test_a_browser_learns_of_a_turn_and_the_push_service_of_nothing(pushes, ada, bob) -> None:
    browser = Browser()
    subscription = pushes.subscribe(ada, browser)
    (table,) = tables(pushes, ada, bob, 1)
    pushes.note_turn(table)
    assert pushes.serve(ada, subscription) is None
    ((path, headers, body),) = pushes.receiver.got
    assert path == "/push/browser"
    assert json.loads(browser.decrypted(body)) == {
        "type": "your_turn",
        "game_id": table.id,
        "title": "Plateau with Bob",
        "body": "It is your turn, until 2026-11-25 10:00 (UTC).",
        "url": f"https://play.example/#/game/{table.id}",
    }
    assert table.id.encode() not in body
    assert (headers["content-encoding"], headers["ttl"], headers["urgency"]) == ("aes128gcm", "86400", "normal")
    assert table.id not in str(headers)
    claims, key = stated(headers["authorization"])
    assert claims["aud"] == f"http://127.0.0.1:{pushes.receiver.port}"
    assert key == ada.get("/v1/push-key").json["public_key"]
    assert pushes.serve(ada, subscription) is None
    assert len(pushes.receiver.got) == 1


def test_messages_of_one_game_replace_each_other_and_those_of_others_do_not(pushes, ada, bob) -> None:
    subscription = pushes.subscribe(ada, Browser())
    first, second = tables(pushes, ada, bob, 2)
    pushes.note_turn(first)
    pushes.serve(ada, subscription)
    pushes.note_turn(first, "deadline_near")
    pushes.note_turn(second)
    pushes.serve(ada, subscription)
    topics = [headers["topic"] for _, headers, _ in pushes.receiver.got]
    assert len(topics) == 3
    assert topics[0] == topics[1] != topics[2]
    assert all(len(topic) <= 32 for topic in topics)
    assert pushes.receiver.got[1][1]["urgency"] == "high"


def test_a_message_is_not_kept_longer_than_the_turn_lasts(pushes, ada, bob) -> None:
    subscription = pushes.subscribe(ada, Browser())
    pushes.note_turn(*tables(pushes, ada, bob, 1))
    pushes.clock.ms += 3 * DAY - 2 * HOUR
    pushes.serve(ada, subscription)
    assert pushes.receiver.got[0][1]["ttl"] == "7200"


def test_news_of_many_games_is_one_message(pushes, ada, bob) -> None:
    browser = Browser()
    subscription = pushes.subscribe(ada, browser)
    for table in tables(pushes, ada, bob, 4):
        pushes.note_turn(table)
    pushes.serve(ada, subscription)
    ((_, _, body),) = pushes.receiver.got
    assert json.loads(browser.decrypted(body)) == {"title": "Updates on 4 games", "url": "https://play.example"}


def test_news_of_the_last_day_is_kept_when_older_news_is_dropped(pushes, ada, bob) -> None:
    browser = Browser()
    subscription = pushes.subscribe(ada, browser)
    old, new = tables(pushes, ada, bob, 2)
    pushes.receiver.status = 503
    pushes.note_turn(old)
    began = pushes.clock.ms
    while pushes.clock.ms < began + DAY:
        if pushes.clock.ms > began + 20 * HOUR and new is not None:
            pushes.note_turn(new)
            new, kept = None, new.id
        pushes.clock.ms += pushes.serve(ada, subscription)
    assert pushes.serve(ada, subscription) is not None
    pushes.receiver.status, before = 201, len(pushes.receiver.got)
    pushes.clock.ms += 16 * MINUTE
    assert pushes.serve(ada, subscription) is None
    got = [json.loads(browser.decrypted(body))["game_id"] for _, _, body in pushes.receiver.got[before:]]
    assert got == [kept]


def test_what_was_accepted_is_not_sent_again_with_what_was_not(pushes, ada, bob) -> None:
    browser = Browser()
    subscription = pushes.subscribe(ada, browser)
    games = tables(pushes, ada, bob, 3)
    for table in games:
        pushes.note_turn(table)
    pushes.receiver.next = [201, 503, 201, 503]
    for _ in range(2):
        pushes.clock.ms += pushes.serve(ada, subscription) or 0
    pushes.note_turn(games[0], "deadline_near")
    assert pushes.serve(ada, subscription) is None
    got = [json.loads(browser.decrypted(body)) for _, _, body in pushes.receiver.got]
    first, second, third = (table.id for table in games)
    tried = [(first, "your_turn"), *[(second, "your_turn")] * 2, *[(third, "your_turn")] * 2]
    assert sorted((each["game_id"], each["type"]) for each in got) == sorted([*tried, (first, "deadline_near")])
    assert pushes.service.services.pushing.of(ada.id)[0].sent == ()


def test_an_address_that_leads_inside_gets_nothing(pushes, ada, bob) -> None:
    by_number = pushes.subscribe(ada, Browser())
    endpoint = f"https://localhost:{pushes.receiver.port}/push/x"
    by_name = ada.post(PATH, Browser().subscription(endpoint)).json["id"]
    pushes.channel._post = replace(pushes.channel._post, rules=Rules())
    pushes.note_turn(*tables(pushes, ada, bob, 1))
    assert pushes.serve(ada, by_number) is None
    assert [each["id"] for each in ada.get(PATH).json["items"]] == [by_name]
    assert pushes.serve(ada, by_name) is not None
    assert pushes.receiver.got == []
