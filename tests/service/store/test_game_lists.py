"""Long lists of games in filtered pages: each game once and in order, at a bounded cost for each page.

The games in which a player is to act, in pages: each once, in order, however many of them have the same deadline.
The public data of archived games is kept compressed, and comes back as it was.
"""

import random
import re
import zlib
from collections.abc import Callable, Iterator
from hashlib import sha256

import orjson
import pytest
import redis

from domain.registry import RULESETS
from service.games.projections.representations import game_resource
from service.store import game_index, keys
from service.store.event_store import EventStore
from service.store.game_index import NO_DEADLINE, compressed_summary, plain_summary
from service.store.game_lists import MOST_SCANNED, GameLists, Page, Part
from tests.support.random_games import played
from tests.support.server import ROOT
from tests.support.stores import KINDS, empty_store

GAMES = 3000
RARE = 997
"""Every so many games, one has what a rare filter asks for."""


client = pytest.fixture(params=KINDS)(empty_store)


@pytest.fixture
def members(client: redis.Redis) -> list[str]:
    """Put many public games of one player into the lists, some of them at the same time; return them oldest first."""
    rng = random.Random(1)
    made, pipe = [], client.pipeline(transaction=False)
    for number in range(GAMES):
        game = f"gm_{rng.getrandbits(80):020x}"
        member = f"2026-01-01T00:{number // 120:02}:{number // 2 % 60:02}.000Z {game}"
        shard = keys.Shard(keys.shard_of(game, 16))
        pipe.zadd(shard.lobby(("open", "active")[number % 2], "plateau"), {member: 0})
        pipe.zadd(shard.games_of("pl_ada"), {member: 0})
        pipe.hset(shard.summaries, game, b"rare" if number % RARE == 0 else b"odd" if number % 3 else b"even")
        made.append(member)
    pipe.execute()
    return sorted(made)


def pages(read: Callable[[Part], Page], limit: int, keep: Callable[[bytes], bool] | None) -> Iterator[list[str]]:
    after = None
    while True:
        page = read(Part(after, limit, keep))
        yield [game.member for game in page.games]
        after = page.last
        if after is None:
            return


@pytest.mark.sampled
@pytest.mark.parametrize(("kind", "limit"), [(None, 100), (b"even", 100), (b"rare", 100), (b"rare", 1), (b"none", 100)])
def test_the_pages_have_every_game_that_passes_once_and_in_order(
    client: redis.Redis, members: list[str], kind: bytes | None, limit: int
) -> None:
    lists = GameLists(EventStore(client))
    keep = None if kind is None else lambda kept: kept == kind
    store = EventStore(client)
    summaries = dict(zip(members, store.summaries(member.split(" ")[1] for member in members), strict=True))
    wanted = [member for member in members if kind in (None, summaries[member])]
    lobby = ("open", "active"), ("plateau",)
    for read, expected in (
        (lambda part: lists.public(*lobby, part), wanted[::-1]),
        (lambda part: lists.public(*lobby, part, newest_first=False), wanted),
        (lambda part: lists.of_player("pl_ada", part), wanted[::-1]),
    ):
        found = list(pages(read, limit, keep))
        assert [member for page in found for member in page] == expected
        assert all(len(page) <= limit for page in found)
        if kind is None:
            assert all(len(page) == limit for page in found[:-1])
        assert len(found) <= len(expected) / limit + GAMES / 90 + 1


def test_a_request_looks_at_a_bounded_number_of_games(client: redis.Redis, members: list[str]) -> None:
    seen = []
    page = GameLists(EventStore(client)).of_player("pl_ada", Part(None, 100, lambda kept: bool(seen.append(kept))))
    assert page.games == []
    assert page.last is not None
    assert 100 <= len(seen) <= MOST_SCANNED


PLAYER = "pl_ada"


def put_turns(client: redis.Redis, number: int) -> list[tuple[int, str]]:
    """Make it the player's turn in many games: most without a deadline, some with the same one."""
    rng = random.Random(number)
    turns = []
    for _ in range(number):
        game, until = f"gm_{rng.getrandbits(80):020x}", rng.choice([NO_DEADLINE, NO_DEADLINE, 1000, 2000, 3000])
        shard = keys.Shard(keys.shard_of(game, 16))
        client.zadd(shard.turns_of(PLAYER), {game: until})
        client.hset(shard.summaries, game, f'{{"id":"{game}"}}')
        turns.append((until, game))
    return sorted(turns)


def turn_pages(store: EventStore, limit: int) -> Iterator[list[str]]:
    """Read on to the end, from the last member of each page."""
    page = GameLists(store).turns_of(PLAYER, Part(None, limit))
    while page.games:
        yield [each.member.split(" ")[1] for each in page.games]
        if page.last is None:
            break
        page = GameLists(store).turns_of(PLAYER, Part(page.last, limit))


@pytest.mark.parametrize(("number", "limit"), [(0, 5), (1, 5), (40, 7), (300, 100)])
def test_every_turn_is_on_one_page_and_the_most_urgent_on_the_first(
    client: redis.Redis, number: int, limit: int
) -> None:
    turns = put_turns(client, number)
    found = list(turn_pages(EventStore(client), limit))
    assert [game for page in found for game in page] == [game for _, game in turns]
    assert all(len(page) == limit for page in found[:-1])


def test_a_turn_that_is_over_when_the_next_page_is_read_loses_and_doubles_no_other(client: redis.Redis) -> None:
    turns = [game for _, game in put_turns(client, 60)]
    found = []
    for page in turn_pages(EventStore(client), 7):
        found += page
        client.zrem(keys.Shard(keys.shard_of(page[-1], 16)).turns_of(PLAYER), page[-1])
    assert found == turns


def test_a_page_reads_no_more_than_it_may_show_from_each_shard(
    client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_turns(client, 400)
    lists = GameLists(EventStore(client, 16))
    read = []
    script = lists._turns
    monkeypatch.setattr(
        lists, "_turns", lambda **asked: read.append(script(**{**asked, "client": client})) or script(**asked)
    )
    page = lists.turns_of(PLAYER, Part(None, 5))
    lists.turns_of(PLAYER, Part(page.last, 5))
    assert all(len(turns) <= 2 * (5 + 1) for turns in read)
    assert len(read) == 32


TABLES = [(name, seats) for name, ruleset in RULESETS.items() for seats in ruleset.seats]
STORED = bytes.fromhex("0143a46d43aca37498a9b81600")
DICTIONARY = "3a34fc8beb612735c4442410e2b457709917d9fc31735296f5593bf88b77f77a"
"""Stored data depends on it, so it is never another one."""


def summary_of(ruleset: str, seats: int) -> bytes:
    """Return the public data of a game that is over; its ids are as long as those of real ones."""
    data = orjson.dumps(game_resource(played(ruleset, seats, 0)[-1].game))
    data = re.sub(rb"gm_[^\"]+", b"gm_0123456789abcdef0123", data)
    return re.sub(rb"pl_[^\"]+", lambda it: b"pl_" + sha256(it[0]).hexdigest()[:16].encode(), data)


@pytest.mark.parametrize(("ruleset", "seats"), TABLES)
def test_what_is_kept_is_less_than_a_quarter_of_the_data_and_reads_back_to_it(ruleset: str, seats: int) -> None:
    data = summary_of(ruleset, seats)
    kept = compressed_summary(data)
    assert plain_summary(kept) == plain_summary(data) == data
    assert len(kept) < len(data) / 4


def test_data_that_is_like_no_other_reads_back_too() -> None:
    for data in (b"", b"{}", bytes(range(32, 256)) * 100):
        assert plain_summary(compressed_summary(data)) == data


def test_a_stored_summary_is_read_for_ever() -> None:
    """Written by the first release that compressed them."""
    assert sha256((ROOT / "service/store/summaries.dictionary").read_bytes()).hexdigest() == DICTIONARY
    assert plain_summary(STORED) == b'{"id":"gm_1","ruleset":"plute","status":"finished"}'


def test_data_that_was_changed_is_not_taken_for_another() -> None:
    with pytest.raises(zlib.error):
        plain_summary(bytes((game_index.FORM,)) + b"\xff\xff\xff")
