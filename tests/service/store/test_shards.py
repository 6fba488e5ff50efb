"""A number of shards that grows while games continue, as processes see it that know of it, and that do not yet."""

import json
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import redis
from click.testing import CliRunner

from service.accounts.players import Key
from service.cli.main import main
from service.store import keys
from service.store.change_feed import DISPATCHERS, ChangeFeed
from service.store.event_store import EventStore, StoreUnavailable
from service.store.game_lists import GameLists, Part
from service.store.shards import Shards
from service.store.waiting import waiting
from tests.support.games import ADA, body, play_on, sandbox, spec
from tests.support.server import PATIENCE, RealServer, fetch, posted, running_service, wait_until
from tests.support.stores import KINDS, empty_store
from tests.support.wiring import Games

FEW, MANY = 2, 32


client = pytest.fixture(params=KINDS)(empty_store)


class Process(Games):
    """What one process does, with what it knows of the shards."""

    def __init__(self, client: redis.Redis) -> None:
        store = EventStore(client, FEW)
        store.all_shards = self.shards = Shards(client, FEW)
        self.shards.begin()
        super().__init__(store)
        self.lists = GameLists(store)

    def begin(self, key: str) -> str:
        """Create a public game with an idempotency key; return its id."""
        return str(body(self.create(ADA, spec([True, False]), Key(key, "fingerprint"))[1])["id"])


def places(client: redis.Redis, game_id: str) -> list[int]:
    """List the shards in which a game has a log."""
    wanted = [keys.GameKeys(game_id, keys.Shard(number)).events for number in range(MANY)]
    return [number for number, key in enumerate(wanted) if client.exists(key)]


def listed(process: Process) -> set[str]:
    page = process.lists.public(["open", "active", "finished"], ["le-plateau"], Part(limit=1000))
    return {game.member.split(" ")[-1] for game in page.games}


def test_games_stay_where_they_began_and_new_ones_are_divided_among_more(client: redis.Redis) -> None:
    process = Process(client)
    old = [process.begin(f"old {number}") for number in range(10)]
    process.shards.grow(MANY)
    new = [process.begin(f"new {number}") for number in range(20)]
    assert process.shards.numbers == (FEW, MANY)
    assert all(places(client, game) == [keys.shard_of(game, FEW)] for game in old)
    assert all(places(client, game) == [keys.shard_of(game, MANY)] for game in new)
    assert len({keys.shard_of(game, MANY) for game in new}) > FEW
    for each in (process, Process(client)):
        assert listed(each) == {*old, *new}
        assert [each.show(game, None).id for game in (*old, *new)] == [*old, *new]


def test_games_from_before_and_after_are_played_on(client: redis.Redis) -> None:
    process, rng = Process(client), random.Random(1)
    games = [sandbox(process)]
    process.shards.grow(MANY)
    games += [sandbox(process) for _ in range(3)]
    for game in games * 2:
        assert play_on(process, game, rng).status == 201
    assert all(len(places(client, game)) == 1 for game in games)


def test_a_process_that_does_not_know_yet_begins_no_game_where_games_began_before(client: redis.Redis) -> None:
    late, knowing = Process(client), Process(client)
    repeated = late.begin("before")
    knowing.shards.grow(MANY)
    made = [late.begin(f"after {number}") for number in range(10)]
    assert all(places(client, game) == [keys.shard_of(game, MANY)] for game in made)
    assert late.begin("before") == knowing.begin("before") == repeated
    assert [knowing.begin(f"after {number}") for number in range(10)] == made


def test_a_process_that_does_not_know_yet_finds_a_new_game(
    client: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.store.event_store._MISSED_SECONDS", 0)
    late, knowing = Process(client), Process(client)
    knowing.shards.grow(MANY)
    made = [knowing.begin(f"new {number}") for number in range(5)]
    assert [late.show(game, None).id for game in made] == made


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 6))])
def test_of_a_keyed_game_there_is_one_no_matter_who_creates_it_while_the_number_grows(
    client: redis.Redis, seed: int
) -> None:
    wanted = [f"key {number}" for number in range(12)]
    growing, *processes = (Process(client) for _ in range(4))

    def create(process: Process) -> list[str]:
        order = random.Random(seed).sample(wanted, len(wanted))
        return [made for _, made in sorted((key, _created(process, key)) for key in order)]

    with ThreadPoolExecutor(len(processes)) as threads:
        creating = [threads.submit(create, each) for each in processes]
        growing.shards.grow(MANY)
        made = [each.result(PATIENCE) for each in creating]
    assert made[0] == made[1] == made[2]
    assert all(len(places(client, game)) == 1 for game in made[0])


def _created(process: Process, key: str) -> str:
    while True:
        try:
            return process.begin(key)
        except StoreUnavailable:
            continue


def test_growth_that_was_interrupted_refuses_new_games_alone_and_can_be_done_again(client: redis.Redis) -> None:
    process = Process(client)
    game = sandbox(process)
    for shard in process.shards:
        client.set(shard.division, MANY)
    with pytest.raises(StoreUnavailable, match="the number of shards is being raised"):
        process.begin("new")
    assert play_on(process, game, random.Random(1)).status == 201
    process.shards.grow(MANY)
    assert process.begin("new")


def test_the_number_cannot_shrink_and_the_first_one_is_that_of_the_store(client: redis.Redis) -> None:
    shards = Process(client).shards
    for number in (1, FEW, 1025):
        with pytest.raises(ValueError, match=f"there are {FEW} shards; there can be more, up to 1024, but not fewer"):
            shards.grow(number)
    assert Shards(client, 7).numbers == (FEW,)


def test_a_reader_of_the_feeds_reads_those_of_new_shards_once_it_joins_again(client: redis.Redis) -> None:
    process = Process(client)
    feed = ChangeFeed(client, FEW, DISPATCHERS, "reader")
    feed.join()
    process.shards.grow(MANY)
    made = {process.begin(f"new {number}") for number in range(10)}
    feed.join()
    heard = {change.game_id for _ in range(3) for change in feed.read(1)}
    assert heard == made
    assert waiting(client, FEW, 0).feeds["changes"].lag.unread == 0


def test_plateau_shards_shows_and_raises_the_number(valkey_url: str) -> None:
    with redis.Redis.from_url(valkey_url) as client:
        client.flushall()
    env = {"REDIS_URL": valkey_url, "PLATEAU_ALLOW_UNSAFE_REDIS": "1", "PLATEAU_SHARDS": "4"}
    from service.cli.store import games_here  # noqa: PLC0415 - it remembers the store of a process

    said = []
    for arguments in (["shards"], ["shards", "16"], ["shards", "8"]):
        games_here.cache_clear()
        said.append(CliRunner().invoke(main, arguments, env=env))
    games_here.cache_clear()
    assert [(each.exit_code, each.output) for each in said[:2]] == [(0, "shards: 4\n"), (0, "shards: 4, then 16\n")]
    assert said[2].exit_code == 2
    assert "there are 16 shards; there can be more" in said[2].output


@pytest.mark.long
def test_all_processes_of_a_running_service_learn_of_more_shards(tmp_path: Path) -> None:
    server = RealServer.start("valkey", tmp_path / "server", tcp=True)
    env = {"REDIS_URL": server.url, "PLATEAU_WORKERS": "1", "PLATEAU_WEB_PROCESSES": "2", "PLATEAU_SHARDS": str(FEW)}
    with running_service(tmp_path, env) as service, redis.Redis.from_url(server.url) as client:
        token = posted(service.url, "/v1/players", {"name": "Ada"}, "")["token"]

        def begin() -> str:
            bots = {"ruleset": "plateau", "seats": [{"bot": "random"}] * 2}
            return str(posted(service.url, "/v1/games", bots, token)["id"])

        old = begin()
        Shards(client, FEW).grow(MANY)
        new = [begin() for _ in range(10)]
        assert places(client, old) == [keys.shard_of(old, FEW)]
        assert all(places(client, game) == [keys.shard_of(game, MANY)] for game in new)

        def is_played(game: str) -> bool:
            return int(json.loads(fetch(f"{service.url}/v1/games/{game}")[1]).get("version", 0)) > 10

        wait_until(lambda: all(map(is_played, (old, *new))), "the bots to play in all games")
        everywhere = json.loads(fetch(f"{service.url}/v1/games?ruleset=plateau&limit=100")[1])["items"]
        assert {game["id"] for game in everywhere} >= {old, *new}
    server.stop()
