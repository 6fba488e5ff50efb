"""The notifier writes each notice into the log of its player exactly once, wherever it is killed."""

from itertools import count

import pytest

from domain.game import history
from service.accounts.players import GUEST_SCOPES, Caller
from service.games.commands import Act, Join
from service.inbox.notice_log import START, NoticeLog
from service.inbox.notices import occasions
from service.notifications.delivery.destinations import Destination, Destinations
from service.notifications.delivery.due_destinations import DueDestinations
from service.store import keys
from service.store.change_feed import DISPATCHERS, NOTIFIERS, ChangeFeed
from service.store.waiting import Lag, waiting
from tests.support.games import spec
from tests.support.server import wait_until
from tests.support.wiring import notifier_on
from tests.workers.places import Dying, Killed, three_players


@pytest.fixture
def players(client):
    """Three players."""
    return three_players(client)


@pytest.fixture
def notifier(client):
    """A notifier."""
    return notifier_on(client)


@pytest.fixture
def log(client):
    """The logs of the players."""
    return NoticeLog(client)


def begin(house, players):
    """Start a game of these players."""
    game_id = house.games.create(players[0], spec((True, *[False] * (len(players) - 1)), sandbox=False))[0]
    for each in players[1:]:
        house.games.join(game_id, each, lambda caller: Join(now=0, caller=caller))
    return game_id


def play(house, game_id, moves):
    """Let the players act, each for themselves."""
    for _ in range(moves):
        game = house.games.current(game_id)
        seat = min(game.pending)
        caller = Caller(game.sitters[seat].player, frozenset(GUEST_SCOPES))
        house.games.do(game_id, Act(caller=caller, action=game.ruleset.legal_actions(game.state, seat)[0]))


def wanted(house, game_ids, player):
    """Return what a player should hear of, by the logs of the games alone, as a set."""
    found = set()
    for game_id in game_ids:
        records, before = house.store.read(game_id), None
        for record in records:
            if record is records[-1] or records[record.version].request != record.request:
                after = history.fold(records[: record.version])
                by = _actor(before, record, records)
                found |= {each.name for each in occasions(before, after, by) if each.player == player and each.is_news}
                before = after
    return found


def _actor(before, last, records):
    """Return the player whose request ended with a record: the one that the first event of the request names."""
    first = next(each for each in records if each.request == last.request)
    if first.type in ("game_created", "seat_taken"):
        return first.data.get("creator") or first.data["player"]
    return before.sitters[first.seat].player


def give_destinations(client, players):
    """Give each player a destination, which wants all notices from now on."""
    for each in players:
        Destinations.add(client, Destination(each.player, "webhook", "wh_1"), START)


def taken(client):
    """Take the destinations that are due, as a courier does; return whose they are."""
    due_destinations = DueDestinations(client)
    found = due_destinations.take(100)
    assert all(due_destinations.settle(each, None) for each in found)
    return {each.destination.player for each in found}


def heard(log, player):
    """Return what a player has heard of."""
    return [each.name for each in log.read(player, START, 10_000)]


def check(house, log, players, game_ids):
    """Check that each player has heard of everything once."""
    for each in players:
        names = heard(log, each.player)
        assert sorted(names) == sorted(wanted(house, game_ids, each.player))
        assert names


def test_what_happens_in_a_game_reaches_its_players_once(house, players, notifier, log):
    game_id = begin(house, players)
    play(house, game_id, 6)
    assert notifier.pass_on(1) > 3
    check(house, log, players, [game_id])
    assert notifier.pass_on(1) == 0


def test_a_notifier_can_be_killed_at_any_step(house, players, client, notifier, log, monkeypatch):
    monkeypatch.setattr("workers.following._ABANDONED_MS", 0)
    give_destinations(client, players)
    games = [begin(house, players), begin(house, players[1:])]
    killed = 0
    for at in count():
        before = {each.player: log.latest(each.player) for each in players}
        for game_id in games:
            play(house, game_id, 2)
        with monkeypatch.context() as dying:
            Dying(dying, at, client)
            try:
                notifier.pass_on(1)
                break
            except Killed:
                killed += 1
        second = notifier_on(client, "second")
        second.take_over()
        while second.pass_on(1):
            pass
        assert taken(client) == {player for player, latest in before.items() if log.latest(player) > latest}
    check(house, log, players, games)
    assert killed >= 12, "read, halves of three pipelines, destinations made due"
    assert waiting(client, 16, 0).feeds["notices"].lag == Lag(0, 0)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'["2026-01-01T12:00:00.000Z",[7]]'])
def test_an_entry_that_cannot_be_read_holds_up_nothing(house, players, notifier, log, caplog, content):
    house.client.xadd(house.store.all_shards[0].notices, {"g": "gm_odd", "v": "7", "n": content})
    game_id = begin(house, players)
    notifier.pass_on(1)
    check(house, log, players, [game_id])
    assert "the notices of gm_odd at version 7 cannot be read" in caplog.text
    assert notifier.feed.reread() == []


def test_two_notifiers_share_the_work(house, players, client, notifier, log):
    game_id = begin(house, players)
    both = [notifier, notifier_on(client, "second")]
    for first, second in (both, both[::-1]) * 2:  # on a cluster, one that waits can have what the other one looks for
        play(house, game_id, 2)
        assert first.pass_on(1) + second.pass_on(1) > 0
    check(house, log, players, [game_id])


def test_what_happened_before_there_was_a_notifier_is_not_missed(house, players, client, log):
    game_id = begin(house, players)
    play(house, game_id, 3)
    notifier_on(client, "late").pass_on(1)
    check(house, log, players, [game_id])


def test_games_of_bots_and_sandboxes_leave_nothing_to_write(house, players, client, notifier, log):
    house.begin("random", "random", "random")
    house.begin("me", "me")
    assert notifier.pass_on(1) == 0


def test_the_feed_of_notices_is_cut_when_they_are_written(house, players, client, notifier, log):
    game_id = begin(house, players)
    play(house, game_id, 3)
    stream = house.store.shard(game_id).notices
    for number in range(400):
        client.xadd(stream, {"g": f"gm_{number}", "v": "1", "n": b'["2026-01-01T12:00:00.000Z",[]]'})
    notifier.take_over()
    assert client.xlen(stream) > 400
    while notifier.pass_on(1):
        pass
    notifier.take_over()
    assert client.xlen(stream) < 200, "cut by whole blocks"
    check(house, log, players, [game_id])


def test_a_feed_of_notices_and_the_feed_of_changes_are_read_apart(house, players, client):
    begin(house, players)
    feed = ChangeFeed(client, 16, NOTIFIERS, "first")
    feed.join()
    changes = ChangeFeed(client, 16, DISPATCHERS, "first")
    changes.join()
    assert [each.notices for each in changes.read(1)] == [b"", b"", b""]
    assert [bool(each.notices) for each in feed.read(1)] == [True]


@pytest.mark.long
def test_a_real_notifier_that_is_killed_loses_and_doubles_nothing(place):
    players, log = three_players(place.client), NoticeLog(place.client)
    ChangeFeed(place.client, 16, NOTIFIERS, "test").join()
    notifier = place.hand("dispatch")
    games = [begin(place, players) for _ in range(8)]
    for _ in range(4):
        written = place.client.xlen(keys.notices(players[0].player))
        for game_id in games:
            play(place, game_id, 3)
        wait_until(lambda before=written: place.client.xlen(keys.notices(players[0].player)) > before, "a notice")
        notifier.kill()
        notifier.start()
    wait_until(lambda: waiting(place.client, 16, 0).feeds["notices"].lag == Lag(0, 0), "the notices to be written")
    check(place, log, players, games)
    assert notifier.errors == ""
