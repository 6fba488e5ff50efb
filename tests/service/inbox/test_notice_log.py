"""The log of a player's notices: each once, in order, bounded, and gone with the player."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import redis

from service.accounts.players import Players
from service.common import wall_clock
from service.inbox import notice_log
from service.inbox.notice_log import KEPT_MS, START, NoticeLog
from service.inbox.notices import Kind, Notice
from service.store import keys
from tests.support.server import wait_until
from tests.support.stores import KINDS, empty_store, everything

client = pytest.fixture(params=KINDS)(empty_store)

AT = "2026-01-01T12:00:00.000Z"


@pytest.fixture
def players(client: redis.Redis) -> Iterator[Players]:
    players = Players(client, wall_clock.now)
    yield players
    players.close()


@pytest.fixture
def ada(players: Players) -> str:
    return players.create("Ada")[0].id


@pytest.fixture
def log(client: redis.Redis) -> NoticeLog:
    return NoticeLog(client)


def turn(player: str, version: int, kind: Kind = "your_turn", game: str = "gm_1", **data: str) -> Notice:
    return Notice(kind, player, game, version, AT, data)


def versions(log: NoticeLog, player: str, after: str = START) -> list[int]:
    return [each.version for each in log.read(player, after, 10_000)]


def test_a_notice_is_read_as_it_was_added(log: NoticeLog, ada: str) -> None:
    log.add([turn(ada, 7, deadline=AT)])
    (found,) = log.read(ada, START, 10)
    assert found == Notice("your_turn", ada, "gm_1", 7, AT, {"deadline": AT}, found.cursor)
    assert found.cursor == log.latest(ada) != START


def test_notices_are_read_in_order_from_any_cursor_up_to_a_limit(log: NoticeLog, ada: str) -> None:
    assert log.latest(ada) == START
    log.add([turn(ada, 1), turn(ada, 2)])
    log.add([turn(ada, 3)])
    found = log.read(ada, START, 10)
    assert [each.version for each in found] == [1, 2, 3]
    assert log.read(ada, START, 2) == found[:2]
    assert [log.read(ada, each.cursor, 10) for each in found] == [found[1:], found[2:], []]


def test_what_is_added_again_is_there_once(log: NoticeLog, ada: str) -> None:
    log.add([turn(ada, 1), turn(ada, 1)])
    log.add([turn(ada, 1), turn(ada, 2)])
    assert versions(log, ada) == [1, 2]


def test_what_differs_in_game_version_kind_or_invitation_is_another_notice(log: NoticeLog, ada: str) -> None:
    different = [
        turn(ada, 1),
        turn(ada, 2),
        turn(ada, 1, game="gm_2"),
        turn(ada, 1, "deadline_near"),
        turn(ada, 1, "invited", invitation="in_1"),
        turn(ada, 1, "invited", invitation="in_2"),
    ]
    log.add([*different, *different])
    assert len(versions(log, ada)) == len(different)


def test_each_plan_dropped_for_a_decision_is_a_notice_and_the_turn_is_one(log: NoticeLog, ada: str) -> None:
    for entry in ("1-0", "2-0", "1-0"):
        log.add(replace(turn(ada, 1, kind), entry=entry) for kind in ("plan_dropped", "your_turn"))
    assert [each.kind for each in log.read(ada, START, 10)] == ["plan_dropped", "your_turn", "plan_dropped"]


def test_of_many_who_add_the_same_at_once_one_does(log: NoticeLog, ada: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: log.add([turn(ada, version) for version in range(20)]), range(40)))
    assert sorted(versions(log, ada)) == [*range(20)]


def test_the_newest_displace_the_oldest(
    log: NoticeLog, ada: str, client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notice_log, "MOST_KEPT", 5)
    for version in range(12):
        log.add([turn(ada, version)])
    assert versions(log, ada) == [7, 8, 9, 10, 11]
    assert client.zcard(keys.notices_known(ada)) == 5
    log.add([turn(ada, version) for version in range(7, 12)])
    assert versions(log, ada) == [7, 8, 9, 10, 11]


def test_a_log_expires_when_nothing_is_added_for_long(log: NoticeLog, ada: str, client: redis.Redis) -> None:
    log.add([turn(ada, 1)])
    for key in (keys.notices(ada), keys.notices_known(ada)):
        assert KEPT_MS - 10_000 < client.pttl(key) <= KEPT_MS
    client.pexpire(keys.notices(ada), 1000)
    log.add([turn(ada, 2)])
    assert client.pttl(keys.notices(ada)) > 1000


def test_cursors_continue_after_a_log_has_expired(log: NoticeLog, ada: str, client: redis.Redis) -> None:
    log.add([turn(ada, 1)])
    before = log.latest(ada)
    for key in (keys.notices(ada), keys.notices_known(ada)):
        client.pexpire(key, 1)
    wait_until(lambda: not client.exists(keys.notices(ada), keys.notices_known(ada)), "the log to expire")
    log.add([turn(ada, 2)])
    assert versions(log, ada, before) == [2]


def test_deletion_of_the_player_leaves_nothing_and_nothing_comes_back(
    log: NoticeLog, players: Players, client: redis.Redis
) -> None:
    before = everything(client)
    ada = players.create("Ada")[0].id
    log.add([turn(ada, 1)])
    assert len(everything(client)) > len(before) + 3
    players.delete(ada)
    log.add([turn(ada, 2)])
    assert everything(client) == before
    assert log.read(ada, START, 10) == []


def test_anyone_who_follows_a_player_is_woken_by_what_is_new_alone(
    log: NoticeLog, ada: str, client: redis.Redis
) -> None:
    with client.pubsub(ignore_subscribe_messages=True) as subscription:
        subscription.subscribe(keys.topic(ada))
        subscription.get_message(timeout=1)
        log.add([turn(ada, 1), turn(ada, 2)])
        log.add([turn(ada, 1)])
        log.add([turn("pl_nobody", 1)])
        log.add([turn(ada, 3)])
        heard = [subscription.get_message(timeout=1) for _ in range(2)]
        cursors = [each.cursor for each in log.read(ada, START, 10)[1:]]
        assert [each and each["data"].decode() for each in heard] == cursors
        assert subscription.get_message(timeout=0.1) is None
