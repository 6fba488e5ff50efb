"""The games in which a player is to act, in pages: each once, in order, however many of them have the same deadline."""

import random
from collections.abc import Iterator

import pytest
import redis

from service.store import keys
from service.store.event_store import EventStore
from service.store.game_index import NO_DEADLINE
from service.store.game_lists import GameLists, Part
from tests.support.stores import KINDS, empty_store

PLAYER = "pl_ada"


client = pytest.fixture(params=KINDS)(empty_store)


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


def pages(store: EventStore, limit: int) -> Iterator[list[str]]:
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
    found = list(pages(EventStore(client), limit))
    assert [game for page in found for game in page] == [game for _, game in turns]
    assert all(len(page) == limit for page in found[:-1])


def test_a_turn_that_is_over_when_the_next_page_is_read_loses_and_doubles_no_other(client: redis.Redis) -> None:
    turns = [game for _, game in put_turns(client, 60)]
    found = []
    for page in pages(EventStore(client), 7):
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
