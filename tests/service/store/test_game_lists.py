"""Long lists of games in filtered pages: each game once and in order, at a bounded cost for each page."""

import random
from collections.abc import Callable, Iterator

import pytest
import redis

from service.store import keys
from service.store.event_store import EventStore
from service.store.game_lists import MOST_SCANNED, GameLists, Page, Part
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
