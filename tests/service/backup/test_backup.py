"""Back up a store, destroy it, and restore it: on each engine that this machine has."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import redis

from domain.game.durations import instant
from domain.game.timeouts import ENDLESS
from domain.registry import RULESETS
from service.accounts.players import GUEST_SCOPES, Caller, Key, Players
from service.backup import manifest as manifests
from service.backup.families import role_of
from service.backup.game_copying import Counts
from service.backup.parts import BackupError, Folder
from service.backup.restoring import Restorer, check
from service.common import wall_clock
from service.inbox.notice_log import START, NoticeLog
from service.inbox.notices import Notice
from service.store import keys
from service.store.event_store import EventStore
from service.store.game_lists import GameLists, Part
from service.store.redis.redis_server import StoreMisconfigured
from service.transparency.key_ring import KeyRing
from service.transparency.transparency_log import TransparencyLog, Unlogged
from tests.support.backups import SHARDS, back_up, copier_of, lasting, move_on, played_store, restore
from tests.support.games import ADA, BOB, order, sandbox, spec, wish
from tests.support.keys_in_use import keys_in_use
from tests.support.server import PROGRAMS, wait_until
from tests.support.stores import ON_CLUSTER, empty_store
from tests.support.wiring import games_on, notifier_on
from workers.log_worker import LogWorker

client = pytest.fixture(params=[*PROGRAMS, ON_CLUSTER])(empty_store)


def log_heads(client: redis.Redis) -> None:
    ring = KeyRing(client, wall_clock.now)
    ring.periods()
    LogWorker(TransparencyLog(client), Unlogged(client, SHARDS), ring.sign, wall_clock.now, 0).keep()


def test_every_key_of_the_service_has_a_role_in_backups_and_others_have_none() -> None:
    some = [
        key.replace("{x}", "{pl_x}").replace("nodes:x", "nodes:7").replace("cosigned:x", "cosigned:7")
        for key in keys_in_use()
    ]
    assert [key for key in some if role_of(key) is None] == []
    assert role_of("somebody:else") is None


def test_a_store_that_was_destroyed_comes_back_as_it_was(client: redis.Redis, tmp_path: Path) -> None:
    games, made = played_store(client)
    players = Players(client, wall_clock.now)
    _, token = players.create("Ada")
    log_heads(client)
    move_on(games, made[0], 3, prefix="later")
    before = lasting(client)

    manifest, counts = back_up(client, tmp_path)
    assert (manifest.games, counts.players, manifest.damaged) == (len(made), 1, {})
    client.flushall()
    restored = restore(client, tmp_path)
    assert (restored.games, restored.events) == (manifest.games, manifest.events)
    after = lasting(client)
    assert after.keys() == before.keys()
    assert {key for key in before if before[key] != after[key]} == set()

    assert players.named("Ada")
    assert token
    move_on(games_on(client), made[0], 5, prefix="afterwards")


def test_a_store_can_be_restored_with_another_number_of_shards(client: redis.Redis, tmp_path: Path) -> None:
    _, made = played_store(client)
    before = {game_id: EventStore(client, SHARDS).read(game_id) for game_id in made}
    mine = {each.member for each in GameLists(EventStore(client, SHARDS)).of_player(ADA.player, Part()).games}
    back_up(client, tmp_path)
    client.flushall()
    restore(client, tmp_path, shards=5)
    store = EventStore(client, 5)
    store.check(allow_unsafe=True)
    assert {game_id: store.read(game_id) for game_id in made} == before
    assert {each.member for each in GameLists(store).of_player(ADA.player, Part()).games} == mine


def test_a_backup_while_the_shards_grow_has_the_games_in_new_ones(client: redis.Redis, tmp_path: Path) -> None:
    games, made = played_store(client, games=2)
    pipe = client.pipeline(transaction=False)
    for number in range(3000):  # so many keys are found in several steps, and later games are found in the last ones
        pipe.set(f"others:{number}", 1)
    pipe.execute()

    def grow(counts: Counts) -> None:
        if counts.games == 1:
            games.repository.store.all_shards.grow(64)
            made.extend(sandbox(games) for _ in range(40))

    folder = Folder(tmp_path)
    with folder.held():
        manifest, _ = copier_of(client, folder, grow).copy()
    known = check(folder, manifest)
    assert {*made[:2]} < known.keys() <= {*made}
    new = {game_id: EventStore(client).read(game_id)[-1] for game_id in known}
    client.flushall()
    assert restore(client, tmp_path).games == len(known)
    assert {game_id: EventStore(client).read(game_id)[-1] for game_id in known} == new


def test_a_backup_made_while_games_continue_has_every_action_acknowledged_before_it(
    client: redis.Redis, tmp_path: Path
) -> None:
    played_store(client, games=1)
    acknowledged: list[tuple[str, str, str]] = []
    stop = threading.Event()

    def play() -> None:
        """Play one game after the other; the first action ever is to create one."""
        games, number = games_on(client), 0
        while not stop.is_set():
            game_id = sandbox(games)
            while not stop.is_set() and games.show(game_id, None).pending:
                move_on(games, game_id, 1, seed=number, prefix=f"n{number}-")
                acknowledged.append((wall_clock.now(), game_id, f"n{number}-0"))
                number += 1

    with ThreadPoolExecutor(4) as threads:
        playing = [threads.submit(play) for _ in range(4)]
        try:
            wait_until(lambda: len(acknowledged) > 20, "the first moves")
            back_ups = [back_up(client, tmp_path)[0] for _ in range(3)]
        finally:
            stop.set()
    assert [each.result() for each in playing] == [None] * 4

    for manifest in back_ups:
        client.flushall()
        restored = restore(client, tmp_path, manifest.name)
        games, store = games_on(client), EventStore(client, SHARDS)
        owed = [(game, key) for at, game, key in acknowledged if instant(at) < instant(manifest.as_of)]
        assert owed
        before = restored.events
        for game_id, key in owed:  # a repetition is answered from the past: the action is there, with its response
            games.act(game_id, ADA, order({"type": "pass"}, key=Key(key, key)))
        assert back_up(client, tmp_path / "again")[0].events == before
        for game_id in {game_id for game_id, _ in owed}:
            log = store.read(game_id)
            answers = [*client.scan_iter(store.all_shards.keys_of(game_id).answer("*"), count=1000)]
            assert len(answers) == len({each.request for each in log} - {log[0].request})
            if games.show(game_id, None).pending:
                move_on(games, game_id, 1, prefix="afterwards")


def test_an_answer_to_an_action_that_the_copied_log_lacks_is_not_copied(client: redis.Redis, tmp_path: Path) -> None:
    games, made = played_store(client, games=2, moves=3)
    copied, folder = 0, Folder(tmp_path)
    before = lasting(client)

    def act_late(_: object) -> None:
        """Act in every game after each copy, so in one that is copied, and at first in one that is not yet."""
        nonlocal copied
        copied += 1
        for game_id in made:
            move_on(games, game_id, 1, prefix=f"late{copied}-")

    with folder.held():
        manifest, _ = copier_of(client, folder, act_late).copy()
    client.flushall()
    restore(client, tmp_path)
    answers = [key for key in lasting(client) if b":answer:" in key]
    assert manifest.events == sum(len(EventStore(client, SHARDS).read(game_id)) for game_id in made)
    assert len(answers) == len([key for key in before if b":answer:" in key]) + 1
    assert {key for key in before if b":answer:" in key} < {*answers}


def answers_in(client: redis.Redis) -> dict[bytes, tuple[bytes | None, int]]:
    """Read each answer that is kept, and when it expires, in ms since 1970."""
    return {key: (client.get(key), client.pexpiretime(key)) for key in client.scan_iter("*:answer:*")}


def test_answers_come_back_with_what_is_left_of_their_lifetimes(client: redis.Redis, tmp_path: Path) -> None:
    games, made = played_store(client, games=2, moves=4)
    first, second, *_ = answers_in(client)
    client.pexpire(first, 5_000_000)
    before = answers_in(client)
    back_up(client, tmp_path)
    client.pexpire(second, 1)
    wait_until(lambda: not client.exists(second), "the answer to expire")
    move_on(games, made[0], 1, prefix="more")
    later = answers_in(client)
    back_up(client, tmp_path)
    for name, kept in zip(manifests.manifests(Folder(tmp_path)), (before, later), strict=True):
        client.flushall()
        restore(client, tmp_path, name)
        assert answers_in(client) == kept


def test_an_answer_whose_time_has_passed_since_the_backup_does_not_come_back(
    client: redis.Redis, tmp_path: Path
) -> None:
    played_store(client, games=1, moves=3)
    hasty, *others = answers_in(client)
    client.pexpire(hasty, 2_000)
    manifest, _ = back_up(client, tmp_path)
    assert [part.lines for part in manifest.of_kind("answers")] == [3]
    wait_until(lambda: not client.exists(hasty), "the answer to expire")
    client.flushall()
    restore(client, tmp_path)
    assert {*answers_in(client)} == {*others}


def test_what_is_no_answer_of_the_service_is_named_and_not_copied(client: redis.Redis, tmp_path: Path) -> None:
    _, (game_id,) = played_store(client, games=1, moves=2)
    game = EventStore(client, SHARDS).all_shards.keys_of(game_id)
    strange = {game.answer("a"): b"", game.answer("b"): b"fingerprint 200 {}", game.answer("c"): b"\xff x y"}
    for key, value in strange.items():
        client.set(key, value)
    folder = Folder(tmp_path)
    with folder.held():
        copier = copier_of(client, folder)
        copier.copy()
    assert {*copier.unknown} == {*strange}
    client.flushall()
    restore(client, tmp_path)
    assert len(answers_in(client)) == 2


def test_a_further_backup_copies_only_what_is_new_and_each_can_be_restored(client: redis.Redis, tmp_path: Path) -> None:
    games, made = played_store(client)
    first, counts = back_up(client, tmp_path)
    assert counts.new_events == counts.events
    move_on(games, made[0], 4, prefix="more")
    new = sandbox(games)
    before = lasting(client)
    second, counts = back_up(client, tmp_path)
    assert second.games == first.games + 1
    assert counts.new_events == second.events - first.events
    assert 0 < counts.new_events < first.events
    assert back_up(client, tmp_path)[1].new_events == 0
    assert back_up(client, tmp_path, whole=True)[1].new_events == second.events

    for name in manifests.manifests(Folder(tmp_path))[1:]:
        client.flushall()
        restore(client, tmp_path, name)
        assert lasting(client) == before
    client.flushall()
    restore(client, tmp_path, first.name)
    assert client.exists(EventStore(client, SHARDS).all_shards.keys_of(new).events) == 0
    assert games_on(client).show(made[0], None).version < games.repository.cached(made[0]).version


def test_a_store_that_was_restored_to_an_earlier_state_is_backed_up_as_it_continues(
    client: redis.Redis, tmp_path: Path
) -> None:
    games, made = played_store(client, games=2)
    first, _ = back_up(client, tmp_path)
    move_on(games, made[0], 6, seed=5, prefix="lost")
    back_up(client, tmp_path)
    client.flushall()
    restore(client, tmp_path, first.name)
    move_on(games_on(client), made[0], 8, seed=6, prefix="other")
    before = lasting(client)
    back_up(client, tmp_path)
    client.flushall()
    restore(client, tmp_path)
    assert lasting(client) == before


def test_old_backups_go_with_their_files_unless_a_later_one_needs_them(client: redis.Redis, tmp_path: Path) -> None:
    games, made = played_store(client, games=2)
    names = []
    for number in range(3):
        move_on(games, made[0], 1, prefix=f"m{number}-")
        names.append(back_up(client, tmp_path)[0].name)
    before = lasting(client)
    folder = Folder(tmp_path)
    assert manifests.prune(folder, 1) == names[:2]
    left = {path.name for path in tmp_path.iterdir()}
    assert f"{names[0]}.logs.jsonl.gz" in left
    assert [name for name in left if name.startswith(names[0])] == [f"{names[0]}.logs.jsonl.gz"]
    client.flushall()
    restore(client, tmp_path)
    assert lasting(client) == before


def test_only_the_owner_can_read_a_backup(client: redis.Redis, tmp_path: Path) -> None:
    played_store(client, games=1)
    back_up(client, tmp_path / "new")
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    files = [path for path in (tmp_path / "new").iterdir() if path.name != "backup.lock"]
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    assert len(files) == 8


def test_what_is_about_persons_is_in_files_that_later_backups_do_not_need(client: redis.Redis, tmp_path: Path) -> None:
    played_store(client, games=1)
    Players(client, wall_clock.now).create("Zenobia")
    first, _ = back_up(client, tmp_path)
    second, _ = back_up(client, tmp_path)
    shared = {part.kind for part in first.parts if part in second.parts}
    assert shared == {"logs"}


TORN: dict[str, Callable[[bytes], bytes]] = {
    "torn": lambda data: data[: len(data) // 2],
    "emptied": lambda _: b"",
    "flipped": lambda data: data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1 :],
    "longer": lambda data: data + b"x",
}


@pytest.mark.parametrize("damage", TORN.values(), ids=TORN)
def test_a_damaged_file_is_named_and_nothing_is_written(
    client: redis.Redis, tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    played_store(client, games=2)
    log_heads(client)
    back_up(client, tmp_path)
    client.flushall()
    for path in sorted(tmp_path.glob("2*")):
        sound = path.read_bytes()
        path.write_bytes(damage(sound))
        with pytest.raises(BackupError, match=path.name):
            restore(client, tmp_path)
        path.write_bytes(sound)
    assert client.dbsize() == 0
    (people,) = tmp_path.glob("*.people.*")
    (logs,) = tmp_path.glob("*.logs.*")
    people.unlink()
    logs.write_bytes(b"")
    with pytest.raises(BackupError) as found:
        restore(client, tmp_path)
    assert people.name in str(found.value)
    assert logs.name in str(found.value)
    assert client.dbsize() == 0


def test_a_damaged_backup_is_not_continued_but_begun_anew(client: redis.Redis, tmp_path: Path) -> None:
    played_store(client, games=1)
    back_up(client, tmp_path)
    (logs,) = tmp_path.glob("*.logs.*")
    logs.write_bytes(logs.read_bytes()[:-3])
    with pytest.raises(BackupError, match=f"--whole.*{logs.name}"):
        back_up(client, tmp_path)
    newest, _ = back_up(client, tmp_path, whole=True)
    check(Folder(tmp_path), newest)


def test_a_folder_has_backups_of_one_store_alone(client: redis.Redis, tmp_path: Path) -> None:
    played_store(client, games=1)
    back_up(client, tmp_path)
    client.flushall()
    with pytest.raises(BackupError, match="no service has been started"):
        back_up(client, tmp_path)
    played_store(client, games=1)
    with pytest.raises(BackupError, match="backups of another store"):
        back_up(client, tmp_path)


def test_a_store_that_is_not_empty_is_left_alone(client: redis.Redis, tmp_path: Path) -> None:
    played_store(client, games=1)
    back_up(client, tmp_path)
    before = lasting(client)
    with pytest.raises(BackupError, match="not empty"):
        restore(client, tmp_path)
    assert lasting(client) == before


class Interrupted(BaseException):
    """Stands for a signal."""


def interrupt(_: object) -> None:
    raise Interrupted


def test_an_interrupted_backup_leaves_the_folder_as_it_was(client: redis.Redis, tmp_path: Path) -> None:
    games, made = played_store(client, games=2)
    back_up(client, tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    move_on(games, made[0], 2, prefix="more")
    folder = Folder(tmp_path)
    with pytest.raises(Interrupted), folder.held():
        copier_of(client, folder, interrupt).copy()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    (tmp_path / "20260101T000000.000Z.people.jsonl.gz.partial").write_bytes(b"of a killed one")
    back_up(client, tmp_path)
    assert not [*tmp_path.glob("*.partial")]


def test_two_backups_into_one_folder_do_not_run_at_once(client: redis.Redis, tmp_path: Path) -> None:
    played_store(client, games=1)
    with Folder(tmp_path).held(), pytest.raises(BackupError, match="is running"):
        back_up(client, tmp_path)


def test_no_service_starts_on_a_store_whose_restoration_was_interrupted(client: redis.Redis, tmp_path: Path) -> None:
    played_store(client, games=1)
    manifest, _ = back_up(client, tmp_path)
    client.flushall()
    with pytest.raises(Interrupted):
        Restorer(client, SHARDS, ENDLESS, interrupt).restore(Folder(tmp_path), manifest)
    with pytest.raises(StoreMisconfigured, match="has not ended"):
        EventStore(client, SHARDS).check(allow_unsafe=True)
    with pytest.raises(BackupError, match="interrupted"):
        restore(client, tmp_path)
    with pytest.raises(BackupError, match="has not ended"):
        back_up(client, tmp_path / "other")
    client.flushall()
    restore(client, tmp_path)
    EventStore(client, SHARDS).check(allow_unsafe=True)


@pytest.mark.parametrize("how", ["changed", "lost"])
def test_a_log_that_is_damaged_in_the_store_is_named_and_copied_as_it_is(
    client: redis.Redis, tmp_path: Path, how: str
) -> None:
    _, made = played_store(client, games=3)
    name = EventStore(client, SHARDS).all_shards.keys_of(made[1]).events
    entries = client.xrange(name)
    client.delete(name)
    for entry_id, fields in entries:
        if entry_id != b"5-0":
            client.xadd(name, fields, id=entry_id)
        elif how == "changed":
            client.xadd(name, {"e": fields[b"e"][:-1] + bytes([fields[b"e"][-1] ^ 1])}, id=entry_id)
    before = client.xrange(name)
    manifest, _ = back_up(client, tmp_path)
    assert list(manifest.damaged) == [made[1]]
    client.flushall()
    restored = restore(client, tmp_path)
    assert (restored.games, list(restored.damaged)) == (2, [made[1]])
    assert client.xrange(name) == before


def test_the_time_since_the_backup_counts_as_downtime(client: redis.Redis, tmp_path: Path) -> None:
    played_store(client, games=1)
    client.set(keys.HEARTBEAT, "1700000000000")
    back_up(client, tmp_path)
    client.flushall()
    restore(client, tmp_path)
    assert client.get(keys.HEARTBEAT) == b"1700000000000"


def test_a_notice_of_what_the_backup_lacks_is_heard_again_when_it_happens_again(
    client: redis.Redis, tmp_path: Path
) -> None:
    _, (game_id,) = played_store(client, games=1)
    ada, _ = Players(client, wall_clock.now).create("Ada")
    last = games_on(client).show(game_id, None).version
    past, future = (Notice("your_turn", ada.id, game_id, version, wall_clock.now(), {}) for version in (last, last + 1))
    NoticeLog(client).add([past, future])
    back_up(client, tmp_path)
    client.flushall()
    restore(client, tmp_path)
    log = NoticeLog(client)
    assert [each.version for each in log.read(ada.id, START, 10)] == [last]
    log.add([past, future])
    assert [each.version for each in log.read(ada.id, START, 10)] == [last, last + 1]


def test_news_under_way_reaches_its_player_after_a_restoration(client: redis.Redis, tmp_path: Path) -> None:
    played_store(client, games=1)
    ada, _ = Players(client, wall_clock.now).create("Ada")
    caller = Caller(ada.id, frozenset(GUEST_SCOPES))
    game_id, _ = games_on(client).create(caller, spec([True, False], sandbox=False, ruleset="plateau"))
    games_on(client).join(game_id, BOB, wish())
    back_up(client, tmp_path)
    client.flushall()
    restore(client, tmp_path, shards=SHARDS)
    notifier_on(client).pass_on(1)
    heard = {(each.game_id, each.kind) for each in NoticeLog(client).read(ada.id, START, 10)}
    assert (game_id, "game_started") in heard


def test_the_signatures_of_witnesses_come_back_up_to_the_root_that_was_copied(
    client: redis.Redis, tmp_path: Path
) -> None:
    played_store(client, games=2)
    log_heads(client)
    latest = TransparencyLog(client).latest()
    assert latest is not None
    for size in (latest.size, latest.size + 1):  # of the later one, the root is not there
        client.zadd(keys.HEAD_COSIGNED, {str(size): size})
        client.hset(keys.head_cosignatures(size), "witness", "signature")
    back_up(client, tmp_path)
    client.flushall()
    restore(client, tmp_path)
    assert client.hgetall(keys.head_cosignatures(latest.size)) == {b"witness": b"signature"}
    assert client.zrange(keys.HEAD_COSIGNED, 0, -1) == [str(latest.size).encode()]
    assert not client.exists(keys.head_cosignatures(latest.size + 1))


def test_a_backup_of_a_later_format_is_refused(
    client: redis.Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played_store(client, games=1)
    with monkeypatch.context() as later:
        later.setattr(manifests, "FORMAT", "plateau-backup/3")
        back_up(client, tmp_path)
    client.flushall()
    with pytest.raises(BackupError, match=r"has the format plateau-backup/3.*reads plateau-backup/1"):
        restore(client, tmp_path)


def test_a_backup_whose_rules_are_not_installed_is_refused_unwritten(
    client: redis.Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played_store(client, games=1)
    back_up(client, tmp_path)
    client.flushall()
    monkeypatch.delitem(RULESETS, "le-plateau")
    with pytest.raises(BackupError, match="rulesets that are not installed: le-plateau"):
        restore(client, tmp_path)
    assert client.dbsize() == 0


def test_keys_of_others_are_named_and_not_copied(client: redis.Redis, tmp_path: Path) -> None:
    played_store(client, games=1)
    client.set("cache:of:others", "1")
    folder = Folder(tmp_path)
    with folder.held():
        copier = copier_of(client, folder)
        copier.copy()
    assert copier.unknown == ["cache:of:others"]
    client.flushall()
    restore(client, tmp_path)
    assert not client.exists("cache:of:others")
