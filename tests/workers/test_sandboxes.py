"""Sandboxes in which nothing happens end, and go with all that is kept of them, by a clock of the test."""

import random
from pathlib import Path

import pytest

from domain.game.durations import DAY, instant
from domain.game.timeouts import Patience
from service.accounts.players import Key
from service.common.errors import NotFound, Unprocessable
from service.doctor.games import GameChecks
from service.games.forking import Fork, Forking
from service.games.projections.representations import game_at_version
from service.games.store_audit import StoreAudit
from service.store.archive.buckets import Folder
from service.store.archiving import Archive
from service.store.event_store import EventStore, StoreUnavailable
from service.transparency.key_ring import KeyRing
from service.transparency.transparency_log import TransparencyLog, Unlogged
from tests.support.backups import back_up, restore
from tests.support.games import ADA, play_on, spec
from tests.support.stores import everything
from tests.workers.places import START, deadline
from workers.archiver import Archiver
from workers.log_worker import LogWorker

MONTH = 30 * DAY


@pytest.fixture
def tidy(house):
    """Let the house end sandboxes after a month, and remove them after another one."""
    house.patience = Patience(open_game=14 * DAY, empty_game=DAY, idle_game=365 * DAY, sandbox=MONTH)
    house.games, house.worker = house.process()
    return house


@pytest.fixture
def alone(tidy):
    """A sandbox in which some moves were made."""
    game_id = tidy.begin("me", "me", clock=None)
    for number in range(12):
        play_on(tidy.games, game_id, random.Random(number))
    return game_id


def pass_by(house, game_id, ms):
    """Let time pass, and let the worker handle what is due of a game, as the sweeper calls it."""
    house.ms += ms
    house.client.zadd(house.store.shard(game_id).deadlines, {game_id: 1}, xx=True)
    house.worker.handle(game_id, None)


def forked(house, game_id, **more):
    forking = Forking(house.games.desk, house.games.repository, lambda *_: False)
    return forking.fork(house.games.repository.fresh(game_id), Fork(caller=ADA, **more))[0]


def ended(house, game_id):
    pass_by(house, game_id, MONTH)
    assert house.game(game_id).aborted_because == "idle"


def is_there(house, game_id):
    return bool(house.client.exists(house.store.all_shards.keys_of(game_id).events))


def left_of(house, game_id):
    """List the keys that a game is in, or has."""
    found = everything(house.client).items()
    return sorted(key.decode() for key, value in found if game_id in f"{key!r} {value!r}")


def test_a_sandbox_ends_after_its_time_and_goes_after_as_long_again(tidy, alone):
    assert instant(game_at_version(tidy.game(alone), tidy.patience)["expires_at"]) == START + MONTH
    pass_by(tidy, alone, MONTH - 1)
    assert tidy.game(alone).status == "active"
    pass_by(tidy, alone, 1)
    game = tidy.game(alone)
    assert (game.status, game.aborted_because) == ("aborted", "idle")
    assert StoreAudit(tidy.store).check(alone).fault is None
    assert deadline(tidy, alone) == {"deadlines": 2 * MONTH}
    assert instant(game_at_version(game, tidy.patience)["expires_at"]) == START + 2 * MONTH
    pass_by(tidy, alone, MONTH - 1)
    assert is_there(tidy, alone)
    pass_by(tidy, alone, 1)
    with pytest.raises(NotFound):
        tidy.game(alone)
    assert tidy.counted("idle_games_ended") == tidy.counted("sandboxes_removed") == 1


def test_every_move_keeps_a_sandbox_for_its_time(tidy, alone):
    for _ in range(3):
        pass_by(tidy, alone, MONTH - 1)
        assert tidy.game(alone).status == "active"
        play_on(tidy.games, alone, random.Random(1))


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_nothing_is_left_of_a_sandbox_but_that_there_was_one(tidy, visibility):
    before = everything(tidy.client)
    wanted = spec([True, True], more={"visibility": visibility})
    game_id, _ = tidy.games.create(ADA, wanted, Key("key", "fingerprint"))
    play_on(tidy.games, game_id, random.Random(1), Key("another", "fingerprint"))
    game = tidy.store.all_shards.keys_of(game_id)
    ring = KeyRing(tidy.client, tidy.now)
    LogWorker(TransparencyLog(tidy.client), Unlogged(tidy.client, 16), ring.sign, tidy.now, 3600).keep()
    ended(tidy, game_id)
    for key in (game.questions, game.hints, game.analysis, game.invitations):
        tidy.client.hset(key, "0", "something")
    tidy.client.rpush(game.phrases, '{"player": "pl_ada"}')
    pass_by(tidy, game_id, MONTH)
    answers = {name for name in left_of(tidy, game_id) if ":answer:" in name}
    assert len(answers) == 2, "they expire by themselves"
    assert set(left_of(tidy, game_id)) - answers == {game.shard.gone, game.shard.changes}
    assert before == {}
    assert tidy.client.zscore(game.shard.gone, game_id) > START


def test_an_id_does_not_begin_again_after_its_game_has_gone(tidy):
    wanted, key = spec([True, True]), Key("key", "fingerprint")
    game_id, _ = tidy.games.create(ADA, wanted, key)
    ended(tidy, game_id)
    pass_by(tidy, game_id, MONTH)
    for name in tidy.client.scan_iter(match="*:answer:*"):
        tidy.client.delete(name)
    with pytest.raises(Unprocessable) as refused:
        tidy.process()[0].create(ADA, wanted, key)
    assert refused.value.code == "key-reused"
    assert not is_there(tidy, game_id)


def test_a_finished_sandbox_goes_and_other_games_stay(tidy):
    finished, game = (
        tidy.begin("me", "me", clock=None, ruleset="plateau", max_plies=8),
        tidy.begin("me", None, clock=None),
    )
    rng = random.Random(3)
    while not tidy.game(finished).is_over:
        play_on(tidy.games, finished, rng)
    assert deadline(tidy, finished) == {"deadlines": MONTH}
    assert tidy.client.zscore(tidy.store.shard(finished).finished, finished) is None, "it does not go to the archive"
    pass_by(tidy, finished, MONTH)
    assert not is_there(tidy, finished)
    pass_by(tidy, game, MONTH)
    tidy.worker.handle(game, None)
    assert tidy.game(game).aborted_because == "expired"
    assert is_there(tidy, game)


def test_an_open_sandbox_ends_too_where_open_games_do_not(house):
    house.patience = Patience(sandbox=MONTH)
    house.games, house.worker = house.process()
    game_id, _ = house.games.create(ADA, spec([True, False]))
    pass_by(house, game_id, MONTH)
    assert house.game(game_id).aborted_because == "expired"
    pass_by(house, game_id, MONTH)
    assert not is_there(house, game_id)


def test_a_sandbox_stays_while_forks_share_its_log_and_a_day_longer(tidy, alone):
    fork = forked(tidy, alone)
    log = tidy.store.read(fork)
    play_on(tidy.games, alone, random.Random(1))
    ended(tidy, alone)
    pass_by(tidy, alone, MONTH)
    assert is_there(tidy, alone)
    assert deadline(tidy, alone)["deadlines"] > 0, "it is looked at again in a day, by the clock of the store"
    assert tidy.process()[0].repository.fresh(fork).version == len(log)
    ended(tidy, fork)
    pass_by(tidy, fork, MONTH)
    assert not is_there(tidy, fork)
    noted = tidy.store.all_shards.keys_of(alone).forks
    pass_by(tidy, alone, DAY)
    assert tidy.client.zcard(noted) == 1, "it could still begin"
    tidy.client.zincrby(noted, -2 * DAY, fork)
    pass_by(tidy, alone, DAY)
    assert is_there(tidy, alone), "a backup that runs can have the fork"
    pass_by(tidy, alone, DAY)
    assert not is_there(tidy, alone)
    assert left_of(tidy, alone) == [tidy.store.shard(alone).gone, tidy.store.shard(alone).changes][::-1]


def test_a_fork_of_a_game_that_is_removed_at_this_moment_does_not_begin(tidy, alone):
    ended(tidy, alone)
    forking = Forking(tidy.games.desk, tidy.games.repository, lambda *_: False)
    game, position = tidy.game(alone), forking._position
    forking._position = lambda *args: (position(*args), pass_by(tidy, alone, MONTH))[0]
    with pytest.raises(StoreUnavailable, match="was removed at this moment"):
        forking.fork(game, Fork(caller=ADA, at=game.version - 1))
    assert not list(tidy.client.scan_iter(match="*:events"))


def test_forks_and_sandboxes_that_go_are_not_archived(tidy, alone, tmp_path):
    place = Folder(tmp_path)
    game_id = tidy.begin("me", "me", clock=None, ruleset="plateau", max_plies=8)
    rng = random.Random(3)
    while not tidy.game(game_id).is_over:
        play_on(tidy.games, game_id, rng)
    for each in (alone, game_id):
        tidy.client.zadd(tidy.store.shard(each).finished, {each: 1})
    archiver = Archiver(tidy.store, Archive(tidy.store, place), lambda: tidy.ms + 2 * MONTH, MONTH, tidy.patience)
    assert (archiver.round(), archiver.failures) == (0, 0)
    assert is_there(tidy, game_id)


def test_a_backup_knows_what_was_removed_and_does_not_bring_it_back(tidy, alone, tmp_path: Path):
    tidy.store.begin()
    tidy.store.naming_secret()
    fork, stays = forked(tidy, alone), tidy.begin("me", "me", clock=None)
    back_up(tidy.client, tmp_path)
    for each in (alone, fork):
        ended(tidy, each)
    pass_by(tidy, fork, MONTH)
    tidy.client.delete(tidy.store.all_shards.keys_of(alone).forks)
    pass_by(tidy, alone, MONTH)
    back_up(tidy.client, tmp_path)
    tidy.client.flushall()
    assert restore(tidy.client, tmp_path, patience=tidy.patience).games == 1
    assert [is_there(tidy, each) for each in (alone, fork, stays)] == [False, False, True]
    assert [tidy.process()[0].repository.store.removal.is_gone(each) for each in (alone, fork, stays)] == [
        True,
        True,
        False,
    ]


def test_a_game_that_is_removed_while_all_are_verified_is_no_fault(tidy, alone):
    ended(tidy, alone)
    pass_by(tidy, alone, MONTH)
    assert StoreAudit(tidy.store).check(alone).fault is None
    assert StoreAudit(tidy.store).check("gm_never").fault is not None


def test_the_doctor_finds_nothing_wrong_with_forks_and_with_what_has_ended_or_gone(tidy, alone):
    fork, other = forked(tidy, alone), tidy.begin("me", "me", clock=None)
    for game_id in (alone, other):
        ended(tidy, game_id)
    pass_by(tidy, other, MONTH)
    checks = GameChecks(tidy.store, tidy.patience)
    assert list(checks.check()) == []
    assert checks.games == 2
    tidy.client.delete(tidy.store.all_shards.keys_of(alone).events)
    of_a_new_process = GameChecks(EventStore(tidy.client), tidy.patience)
    problems = [each.problem for each in of_a_new_process.check() if each.check == "chains"]
    assert len(problems) == 1
    assert fork in problems[0]
    assert alone in problems[0]
