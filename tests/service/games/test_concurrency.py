"""Writers at one version: one wins, the others write nothing and get a conflict; a stale cache catches up at once."""

import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
import redis

from domain.game import history
from domain.game.aggregate import Game
from domain.log.record import Record
from service.accounts.players import Caller
from service.common.errors import AtVersion
from service.games.commands import Cancel
from service.store.event_store import Append, Appended, Conflict, EventStore
from service.store.redis.connections import connect
from tests.support.games import ADA, RAW_HEAD, body, choose, order, play_on, record, requests_of, sandbox, spec, wish
from tests.support.proxies import Proxy
from tests.support.sampling import part
from tests.support.wiring import Games, games_on

WRITERS, ROUNDS = 16, part(1_000)


@pytest.fixture
def client(valkey_url: str) -> Iterator[redis.Redis]:
    with connect(valkey_url) as client:
        client.flushall()
        yield client


@pytest.fixture
def proxy(valkey_url: str, client: redis.Redis) -> Iterator[Proxy]:
    """A proxy that counts the commands, in front of the empty server."""
    proxy = Proxy(valkey_url)
    yield proxy
    proxy.close()


def log(client: redis.Redis, game_id: str) -> list[Record]:
    return EventStore(client).read(game_id)


def both(*asks: Callable[[], Any]) -> list[Any]:
    """Send the commands at the same moment, each from a thread; return the responses or the refusals."""
    start = threading.Barrier(len(asks))

    def ask(question: Callable[[], Any]) -> Any:
        start.wait()
        try:
            return question()
        except AtVersion as refusal:
            return refusal

    with ThreadPoolExecutor(len(asks)) as threads:
        return list(threads.map(ask, asks))


def test_of_many_writers_at_one_version_exactly_one_wins_each_round(client: redis.Redis) -> None:
    store = EventStore(client)
    start = threading.Barrier(WRITERS)
    won: list[list[str]] = [[] for _ in range(ROUNDS)]
    told: list[list[str]] = [[] for _ in range(ROUNDS)]

    def write(writer: int) -> None:
        for number in range(ROUNDS):
            mine = f"w{writer}"
            start.wait()
            match store.append(Append("gm_raw", number, [record(number + 1, mine)], RAW_HEAD)):
                case Appended(version):
                    assert version == number + 1
                    won[number].append(mine)
                case Conflict(_, missing):
                    told[number].append(missing[0].request)

    with ThreadPoolExecutor(WRITERS) as threads:
        for done in [threads.submit(write, writer) for writer in range(WRITERS)]:
            done.result()
    assert [len(winners) for winners in won] == [1] * ROUNDS
    assert told == [winners * (WRITERS - 1) for winners in won]
    entries = log(client, "gm_raw")
    assert [entry.version for entry in entries] == list(range(1, ROUNDS + 1))
    assert [[entry.request] for entry in entries] == won
    assert len({entry.request for entry in entries}) > 1


def race(client: redis.Redis, contend: Callable[[Game, Games, Games, random.Random], int]) -> tuple[str, int]:
    """Play a whole sandbox by two processes that race for every action; return the game and how many were accepted."""
    one, other = games_on(client), games_on(client)
    rng = random.Random(7)
    game_id = sandbox(one)
    accepted = 0
    while not (game := one.look(game_id, ADA, None, None)[0]).is_over:
        accepted += contend(game, one, other, rng)
        cold, _ = games_on(client).look(game_id, ADA, None, None)
        assert one.look(game_id, ADA, None, None)[0] == other.look(game_id, ADA, None, None)[0] == cold
        assert cold == history.fold(log(client, game_id))
    return game_id, accepted


def code_for_the_loser(game: Game) -> str:
    """Return the code for the second writer: that the game is over is reported first."""
    return "game-not-active" if game.is_over else "stale-version"


def test_of_two_processes_at_one_version_one_wins_and_the_other_wrote_nothing(client: redis.Redis) -> None:
    def contend(game: Game, one: Games, other: Games, rng: random.Random) -> int:
        asks = []
        for games in (one, other):
            seat, action = choose(game, rng)
            wanted = order(action, seat=seat, version=game.version)
            asks.append(lambda games=games, wanted=wanted: games.act(game.id, ADA, wanted))
        answers = both(*asks)
        refusals = [answer for answer in answers if isinstance(answer, AtVersion)]
        assert len(refusals) == 1
        assert refusals[0].refusal.code == code_for_the_loser(one.show(game.id, None))
        (winner,) = (body(answer) for answer in answers if answer not in refusals)
        assert refusals[0].version == winner["version"]
        written = log(client, game.id)[game.version :]
        assert [record.hash for record in written] == [event["hash"] for event in winner["events"]]
        return 1

    game_id, accepted = race(client, contend)
    assert len(requests_of(log(client, game_id))) == 1 + accepted


def test_without_a_version_the_second_is_judged_on_what_the_first_made_of_the_game(client: redis.Redis) -> None:
    def contend(game: Game, one: Games, other: Games, rng: random.Random) -> int:
        asks = []
        for games in (one, other):
            seat, action = choose(game, rng)
            wanted = order(action, seat=seat)
            asks.append(lambda games=games, wanted=wanted: games.act(game.id, ADA, wanted))
        accepted = [body(answer) for answer in both(*asks) if not isinstance(answer, AtVersion)]
        assert accepted
        accepted.sort(key=lambda answer: answer["version"])
        written = log(client, game.id)[game.version :]
        told = [event["hash"] for answer in accepted for event in answer["events"]]
        assert [record.hash for record in written] == told
        return len(accepted)

    game_id, accepted = race(client, contend)
    assert len(requests_of(log(client, game_id))) == 1 + accepted


def test_many_threads_of_one_process_share_a_game_without_a_gap(client: redis.Redis) -> None:
    games = games_on(client)
    game_id = sandbox(games, seats=4)
    accepted, codes = [], []

    def play(seed: int) -> None:
        rng = random.Random(seed)
        while not (game := games.look(game_id, ADA, None, None)[0]).is_over:
            seat, action = choose(game, rng)
            try:
                accepted.append(games.act(game_id, ADA, order(action, seat=seat, version=game.version)))
            except AtVersion as refusal:
                codes.append(refusal.refusal.code)

    with ThreadPoolExecutor(4) as threads:
        for done in [threads.submit(play, seed) for seed in range(4)]:
            done.result()
    entries = log(client, game_id)
    assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
    assert len(requests_of(entries)) == 1 + len(accepted)
    assert codes
    assert set(codes) <= {"stale-version", "game-not-active"}
    assert games.show(game_id, None) == history.fold(entries)


def test_two_who_want_the_last_seat_are_not_both_seated(client: redis.Redis) -> None:
    bob, cleo = (Caller(f"pl_{name}", ADA.scopes) for name in ("bob", "cleo"))
    for _ in range(20):
        one, other = games_on(client), games_on(client)
        game_id = one.create(ADA, spec([True, False], sandbox=False), None)[0]
        other.show(game_id, None)
        answers = both(partial(one.join, game_id, bob, wish()), partial(other.join, game_id, cleo, wish(1)))
        (refusal,) = (answer for answer in answers if isinstance(answer, AtVersion))
        assert refusal.refusal.code == "game-not-open"
        seated = cleo if answers[0] is refusal else bob
        assert [sitter.player for sitter in one.show(game_id, None).sitters] == ["pl_ada", seated.player]


def test_a_game_is_cancelled_or_joined_by_its_last_player_and_never_both(client: redis.Redis) -> None:
    bob = Caller("pl_bob", ADA.scopes)
    for _ in range(20):
        one, other = games_on(client), games_on(client)
        game_id = one.create(ADA, spec([True, False], sandbox=False), None)[0]
        other.show(game_id, None)
        cancel = partial(one.do, game_id, Cancel(caller=ADA))
        answers = both(cancel, partial(other.join, game_id, bob, wish()))
        (refusal,) = (answer for answer in answers if isinstance(answer, AtVersion))
        assert refusal.refusal.code == "game-not-open"
        status = one.show(game_id, None).status
        assert status == ("active" if answers[0] is refusal else "aborted")
        assert (log(client, game_id)[-1].type == "game_aborted") == (status == "aborted")


# -- trips --------------------------------------------------------------------------------------------------------


def test_an_action_on_a_warm_cache_is_one_trip(proxy: Proxy) -> None:
    with connect(proxy.url) as client:
        games = games_on(client)
        game_id = sandbox(games)
        game, _ = games.look(game_id, ADA, None, None)
        seat, action = choose(game, random.Random(0))
        with proxy.counted() as commands:
            games.act(game_id, ADA, order(action, seat=seat))
        assert commands == ["EVALSHA"]


def test_a_cache_behind_is_caught_up_in_one_more_trip(proxy: Proxy) -> None:
    with connect(proxy.url) as client:
        ahead, behind = games_on(client), games_on(client)
        sandbox(behind)  # so that its connection stands
        seen = set()
        for seed in range(30):
            rng = random.Random(seed)
            game_id = sandbox(ahead, seats=3)
            behind.show(game_id, None)
            for _ in range(1 + seed % 3):
                play_on(ahead, game_id, rng)
            game = ahead.show(game_id, None)
            seat, action = choose(game, rng)
            with proxy.counted() as commands:
                assert behind.act(game_id, ADA, order(action, seat=seat)).status == 201
            seen.add(tuple(commands))
            after = history.fold(log(client, game_id))
            with proxy.counted() as commands:
                assert behind.show(game_id, None) == after
            assert commands == ["XRANGE"]
    accepted_at_first, refused_at_first = ("EVALSHA", "EVALSHA"), ("GET", "XRANGE", "EVALSHA")
    assert seen == {accepted_at_first, refused_at_first}


def test_a_refusal_costs_one_trip_that_reads_the_rest_of_the_log(proxy: Proxy) -> None:
    with connect(proxy.url) as client:
        games = games_on(client)
        game_id = sandbox(games)
        game, _ = games.look(game_id, ADA, None, None)
        seat, action = choose(game, random.Random(0))
        with proxy.counted() as commands, pytest.raises(AtVersion):
            games.act(game_id, ADA, order(action, seat=1 - seat))
        assert commands == ["GET", "XRANGE"]


def test_reading_a_known_game_is_one_trip_for_what_is_new(proxy: Proxy) -> None:
    with connect(proxy.url) as client:
        games = games_on(client)
        game_id = sandbox(games)
        games.show(game_id, None)
        with proxy.counted() as commands:
            games.show(game_id, None)
        assert commands == ["XRANGE"]
