"""Names: which look alike, and who is found by one, through renamings, deletions and crashes in between."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from itertools import count

import pytest
import redis
from hypothesis import given
from hypothesis import strategies as st

from service.accounts.names.namesakes import Namesakes, skeletons
from service.accounts.players import Players
from service.store import keys
from service.store.event_store import StoreUnavailable
from tests.support.stores import KINDS, empty_store

client = pytest.fixture(params=KINDS)(empty_store)

ALIKE = [
    ("Ada", "Ada"),
    ("Ada", "Аdа"),  # Cyrillic А and а
    ("Ada", "АԀА"),  # Cyrillic А and Ԁ
    ("Ada", "ADA"),
    ("Ada", "Ａｄａ"),
    ("Ada", "𝐀𝐝𝐚"),
    ("ALI", "AlI"),
    ("Bill", "BiII"),
    ("BILL", "BlLL"),
    ("mary", "rnary"),
    ("Mary", "Rnary"),
    ("Zoé", "ZOE"),
    ("Zoé", "Zoe\u0301"),
    ("O'Brien", "O’Brien"),
    ("Вера", "вера"),
    ("Νίκος", "ΝΙΚΟΣ"),
    ("Straße", "STRASSE"),
    ("Player-1", "Player−l"),
    ("می\u200cخواهم", "میخواهم"),
    ("क्\u200dष", "क्ष"),
]
APART = [
    ("Ada", "Ida"),
    ("Ali", "All"),
    ("Vera", "Nera"),
    ("Anna", "Ana"),
    ("क", "कि"),
    ("김민준", "김민서"),
    ("👩", "👨"),
]


@pytest.mark.parametrize(
    ("one", "other", "alike"), [*((*pair, True) for pair in ALIKE), *((*pair, False) for pair in APART)]
)
def test_names_have_a_skeleton_in_common_if_they_look_alike(one: str, other: str, alike: bool) -> None:
    assert bool(skeletons(one) & skeletons(other)) == alike


@given(st.text(min_size=1, max_size=40))
def test_every_text_has_one_or_two_skeletons(name: str) -> None:
    assert 1 <= len(skeletons(name)) <= 2
    assert skeletons(name) & skeletons(name.casefold())


def test_the_table_is_unicodes_with_its_license() -> None:
    text = files("service.accounts.names").joinpath("lookalikes.txt").read_text("utf-8")
    rows = [line for line in text.splitlines() if not line.startswith("#")]
    assert len(rows) == 6565, "confusables.txt 17.0.0 states this total"
    assert all(re.fullmatch(r"[0-9A-F]{4,6};[0-9A-F]{4,6}( [0-9A-F]{4,6})*", row) for row in rows)
    assert "UNICODE LICENSE V3" in text
    assert "version 17.0.0" in text


@pytest.fixture
def players(client: redis.Redis) -> Iterator[Players]:
    seconds = count()
    players = Players(client, lambda: f"2026-01-01T00:00:{next(seconds) % 60:02}.000Z")
    yield players
    players.close()


def ids(players: Players, name: str) -> list[str]:
    return [player.id for player in players.named(name)]


def entries(client: redis.Redis) -> list[bytes]:
    return list(client.scan_iter("plateau:named:*"))


def test_people_are_found_by_names_that_look_alike_oldest_first(players: Players) -> None:
    first, second, third = (players.create(name)[0] for name in ("Ada", "Аda", "ada"))
    players.create("Ida")
    assert players.named("Ada") == players.named("ÀDA") == [first, second, third]
    assert players.named("Grace") == []


def test_the_number_of_people_found_is_bounded(players: Players) -> None:
    everyone = [players.create("Ada")[0].id for _ in range(30)]
    assert ids(players, "Ada") == everyone[:20]
    assert [player.id for player in players.named("Ada", most=2)] == everyone[:2]


def test_a_renamed_player_is_found_by_the_new_name_and_a_deleted_one_not(players: Players, client: redis.Redis) -> None:
    ada, _ = players.create("Ada")
    before = len(entries(client))
    for name in ("Grace", "GRACE"):
        assert players.rename(ada.id, name)
        assert (ids(players, "Ada"), ids(players, "Grace")) == ([], [ada.id])
        assert len(entries(client)) == before
    assert not players.rename("pl_nobody", "Grace")
    assert ids(players, "Grace") == [ada.id]
    players.delete(ada.id)
    assert ids(players, "Grace") == []
    assert entries(client) == []


def test_nobody_is_found_by_an_entry_that_a_crash_left_behind(players: Players, client: redis.Redis) -> None:
    ada, _ = players.create("Ada")
    kept = {key: client.zrange(key, 0, -1, withscores=True) for key in entries(client)}
    players.rename(ada.id, "Grace")
    for key, members in kept.items():
        client.zadd(key, {**dict(members), "pl_gone": 1})
    assert ids(players, "Ada") == []
    assert [key for key in kept if client.exists(key)] == [], "reading has removed them"
    assert ids(players, "Grace") == [ada.id]


def fail(*_: object) -> None:
    raise StoreUnavailable("the store went away")


def test_a_player_who_lives_through_a_failed_deletion_is_found(
    players: Players, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, _ = players.create("Ada")
    with monkeypatch.context() as failing:
        failing.setattr(players._changes, "announce", fail)
        with pytest.raises(StoreUnavailable):
            players.delete(ada.id)
    assert ids(players, "Ada") == [ada.id]
    with monkeypatch.context() as failing:
        failing.setattr(Namesakes, "settle", fail)
        players.delete(ada.id)
    assert ids(players, "Ada") == []


def test_a_new_name_counts_though_the_old_one_stays_in_the_index(
    players: Players, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, _ = players.create("Ada")
    with monkeypatch.context() as failing:
        failing.setattr(Namesakes, "settle", fail)
        assert players.rename(ada.id, "Grace")
    assert ids(players, "Ada") == []
    assert ids(players, "Grace") == [ada.id]


def test_each_atomic_step_writes_keys_of_one_hash_tag(players: Players, monkeypatch: pytest.MonkeyPatch) -> None:
    execute, steps = redis.client.Pipeline.execute, []

    def record(pipe: redis.client.Pipeline, raise_on_error: bool = True) -> list[object]:
        if pipe.transaction:
            steps.append({key for args, _ in pipe.command_stack for key in keys_of(args)})
        return execute(pipe, raise_on_error)

    def keys_of(args: tuple[str, ...]) -> tuple[str, ...]:
        command, *rest = args
        if command in ("EVALSHA", "EVAL"):
            return tuple(rest[2 : 2 + int(rest[1])])
        return () if command == "PUBLISH" else tuple(rest if command == "DEL" else rest[:1])

    monkeypatch.setattr(redis.client.Pipeline, "execute", record)
    ada, _ = players.create("Ada")
    players.rename(ada.id, "Grace")
    players.revoke(ada.id, players.tokens(ada.id)[0][0].id)
    players.delete(ada.id)
    assert len(steps) == 3
    for written in steps:
        assert {key.partition("}")[0] for key in written} == {f"{{{ada.id}"}


def test_the_index_holds_no_name(players: Players, client: redis.Redis) -> None:
    players.create("Lovelace")
    assert entries(client)
    for key in entries(client):
        assert b"lovelace" not in key.lower()
        assert b"lovelace" not in repr(client.zrange(key, 0, -1)).lower().encode()


def test_names_changed_at_once_leave_one_by_which_the_player_is_found(players: Players, client: redis.Redis) -> None:
    ada, _ = players.create("Ada")
    names = ["Grace", "Hedy", "Emmy"]
    with ThreadPoolExecutor(3) as threads:
        assert all(threads.map(lambda name: players.rename(ada.id, name), names * 5))
    now = players.find(ada.id)
    assert now is not None
    assert [name for name in ("Ada", *names) if ids(players, name)] == [now.name]
    players.delete(ada.id)
    assert entries(client) == []
    assert not client.exists(keys.player(ada.id))
