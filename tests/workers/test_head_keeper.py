"""The head keeper logs the head of every game that has changed exactly once, wherever it is killed."""

import random
from itertools import count

import pytest
import redis

from domain.game.durations import DAY, HOUR
from domain.log import merkle
from domain.log.heads import head_leaf
from service.store import keys
from service.store.codec import Head
from service.transparency import transparency_log as head_log
from service.transparency import transparency_log as unlogged_games
from service.transparency.key_ring import KeyRing
from service.transparency.transparency_log import TransparencyLog, Unlogged
from tests.support.games import play_on, sandbox
from workers.log_worker import LogWorker


def leaf_of(head):
    return head_leaf(head.game, head.version, head.hash)


class Killed(Exception):
    """The process ends here."""


class Logged:
    """A store with games, and a keeper of their heads."""

    def __init__(self, house):
        self.house, self.client = house, house.client
        self.ring = KeyRing(house.client, house.now)
        self.log, self.unlogged = TransparencyLog(house.client), Unlogged(house.client, 16)

    def keeper(self, most=500):
        return LogWorker(self.log, self.unlogged, self.ring.sign, self.house.now, 3600, most)

    def games(self, many):
        return [sandbox(self.house.games) for _ in range(many)]

    def play(self, game_id):
        play_on(self.house.games, game_id, random.Random(game_id))

    def head(self, game_id):
        last = self.house.store.read(game_id)[-1]
        return Head(game_id, last.version, last.hash, last.at)

    def leaf(self, game_id):
        return leaf_of(self.head(game_id))

    def waiting(self):
        return {*self.unlogged.games()}

    def leaves(self):
        """Return the leaves of the latest root, which must be theirs and signed."""
        root = self.log.latest()
        leaves = self.log.leaves(0, root.size)
        assert merkle.Frontier().grown(leaves)[0].root().hex() == root.root
        assert root.is_signed(self.ring.public_keys())
        return leaves

    def ordered(self, game_ids):
        """Return the leaves of games in the order of the log: by shard, and by id."""
        heads = [self.head(each) for each in game_ids]
        return [leaf_of(each) for each in sorted(heads, key=lambda it: (keys.shard_of(it.game, 16), it.game))]


@pytest.fixture
def logged(house):
    return Logged(house)


def test_games_that_changed_are_logged_once_an_hour(logged, house):
    first, second, third = logged.games(3)
    assert logged.keeper().keep() == 3
    assert logged.leaves() == logged.ordered([first, second, third])
    logged.play(second)
    house.ms += HOUR - 1
    assert logged.keeper().keep() == 0
    house.ms += 1
    before = logged.leaves()
    assert logged.keeper().keep() == 1
    assert logged.leaves() == [*before, logged.leaf(second)]
    assert logged.waiting() == set()
    house.ms += HOUR
    assert logged.keeper().keep() == 0
    assert logged.log.latest().size == 4


def test_the_log_knows_which_leaves_are_those_of_a_game(logged, house):
    (game,) = logged.games(1)
    logged.keeper().keep()
    before = logged.head(game)
    logged.play(game)
    house.ms += HOUR
    logged.keeper().keep()
    now = logged.head(game)
    assert logged.log.logged(game, now.version) == (now.version, 1)
    assert logged.log.logged(game, now.version - 1) == (before.version, 0)
    assert logged.log.logged(game, before.version - 1) is None
    assert [logged.log.first_with(index).size for index in (0, 1)] == [1, 2]
    assert logged.log.first_with(2) is None
    assert logged.log.root(1).size == 1
    assert logged.log.root(3) is None


def test_games_that_another_release_has_written_to_are_logged_the_next_day(logged, house):
    old, _ = logged.games(2)
    logged.keeper().keep()
    before = logged.leaves()
    logged.play(old)
    (late,) = logged.games(1)
    for shard in house.store.all_shards:
        logged.client.delete(shard.unlogged)
    house.ms += DAY
    assert logged.keeper().keep() == 2
    assert logged.leaves() == before + logged.ordered([old, late])
    logged.unlogged.add_all()
    assert logged.waiting() == set(), "what is logged is not looked at again"


def test_times_of_roots_do_not_go_back_with_a_clock_and_logging_continues(logged, house):
    logged.games(1)
    house.ms += DAY
    logged.keeper().keep()
    at = logged.log.latest().at
    house.ms -= DAY
    logged.games(1)
    assert logged.keeper().keep() == 1
    assert logged.log.latest().at == at
    house.ms += HOUR
    logged.games(1)
    assert logged.keeper().keep() == 1
    assert logged.log.latest().at == at


def test_games_and_heads_are_read_in_bounded_steps(logged, monkeypatch):
    (game,) = logged.games(1)
    for gone in (f"gm_gone{number}" for number in range(300)):
        logged.client.zadd(logged.house.store.shard(gone).unlogged, {gone: 1})
    steps, real = [], Unlogged.heads

    def heads(unlogged, games):
        steps.append(len(games))
        return real(unlogged, games)

    monkeypatch.setattr(Unlogged, "heads", heads)
    monkeypatch.setattr(unlogged_games, "_PAGE", 20)
    assert logged.keeper(most=50).keep() == 1
    assert max(steps) == 50
    assert sum(steps) >= 301
    assert logged.leaves() == [logged.leaf(game)]
    assert logged.waiting() == set()


def test_steps_and_chunks_divide_the_tree_and_leave_it_the_same(logged, house, monkeypatch):
    monkeypatch.setattr(head_log, "CHUNK", 3)
    games = logged.games(5)
    assert logged.keeper(most=2).keep() == 5
    assert logged.leaves() == logged.ordered(games)
    logged.play(games[3])
    house.ms += HOUR
    logged.keeper(most=2).keep()
    assert logged.leaves()[5:] == [logged.leaf(games[3])]


def test_a_keeper_that_is_killed_loses_and_doubles_nothing(logged, house, monkeypatch):
    wanted, killed = [], True
    for step in count():
        if not killed:
            break
        wanted += logged.ordered(logged.games(2))
        killed = _killed_at(step, logged, monkeypatch)
        logged.keeper().keep()  # the next beat, not the next hour
        assert sorted(logged.leaves()) == sorted(wanted)
        assert logged.waiting() == set()
        house.ms += HOUR
    assert step > 8, "the keeper asks the store so often"


def _killed_at(step, logged, monkeypatch):
    """Kill a keeper when it asks the store for the so manieth time; return False if it was done before."""
    trips = count()

    def killing(real):
        def ask(*args, **given):
            if next(trips) == step:
                raise Killed
            return real(*args, **given)

        return ask

    with monkeypatch.context() as dying:
        for name in ("execute_command", "pipeline"):
            dying.setattr(redis.Redis, name, killing(getattr(redis.Redis, name)))
        try:
            logged.keeper(most=1).keep()
        except Killed:
            return True
    return False


def test_of_two_keepers_one_appends(logged, monkeypatch):
    games = logged.games(2)
    slow, real = logged.keeper(), TransparencyLog.append

    def overtaken(log, *args):
        monkeypatch.setattr(TransparencyLog, "append", real)
        logged.keeper().keep()
        return real(log, *args)

    monkeypatch.setattr(TransparencyLog, "append", overtaken)
    assert slow.keep() == 0
    assert logged.leaves() == logged.ordered(games)


def test_a_game_that_continues_is_logged_the_next_time(logged, house, monkeypatch):
    (game,) = logged.games(1)
    before, real = logged.head(game), TransparencyLog.append

    def while_playing(log, *args):
        logged.play(game)
        return real(log, *args)

    monkeypatch.setattr(TransparencyLog, "append", while_playing)
    logged.keeper().keep()
    monkeypatch.undo()
    assert logged.leaves() == [leaf_of(before)]
    assert logged.waiting() == {game}
    house.ms += HOUR
    logged.keeper().keep()
    assert logged.leaves() == [leaf_of(before), logged.leaf(game)]


def test_a_damaged_log_does_not_hold_up_the_others(logged):
    good, bad = logged.games(2)
    events = keys.GameKeys(bad, logged.house.store.shard(bad)).events
    logged.client.xadd(events, {"e": "torn"}, id=f"{logged.head(bad).version + 1}-0")
    assert logged.keeper().keep() == 1
    assert logged.leaves() == [logged.leaf(good)]
    assert logged.waiting() == set()
