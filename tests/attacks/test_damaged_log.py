"""Damaged logs: a byte changed on the disk, an entry lost, duplicated, or from another game."""

import random
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import fakeredis
import pytest
import redis

from service.games.repository import GameRepository
from service.store.codec import entry_of, record_of
from service.store.event_store import EventStore, LogDamaged
from tests.support.games import ADA, play_on, sandbox
from tests.support.people import Client
from tests.support.random_games import log_of, played
from tests.support.sampling import GAMES
from tests.support.server import PATIENCE, RunningService, running_service, wait_until
from tests.support.stores import change_on_the_disk, damage, entries_of, flipped
from tests.support.wiring import Games, games_on

GAME_ID = played("le-plateau", 3, 1)[0].game.id
OTHER_ID = played("le-plateau", 3, 2)[0].game.id
LOG = log_of(played("le-plateau", 3, 1))[:14]

Entry = tuple[bytes, list[bytes]]


class Shelf:
    """Stands for a Redis that answers with the entries it was given, whatever is in them."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries

    def ask(self, *_: object) -> list[Sequence[Entry]]:
        """Give all entries."""
        return [self._entries]


def known(*entries: bytes) -> GameRepository:
    """A process that finds these entries in the log, under the versions from 1 on."""
    store = EventStore(fakeredis.FakeRedis(server=fakeredis.FakeServer()))
    store._connection = Shelf([(b"%d-0" % number, [b"e", entry]) for number, entry in enumerate(entries, 1)])
    return GameRepository(store)


SOUND = [entry_of(each) for each in LOG]


def places_in(entry: bytes, rng: random.Random) -> range:
    """Return the places of all bytes, or of one in four."""
    step = 1 if GAMES >= 1 else 4
    return range(rng.randrange(step), len(entry), step)


def test_the_log_used_here_hides_cards_and_is_sound() -> None:
    assert any(record.hidden for record in LOG[1:])
    assert known(*SOUND).fresh(GAME_ID).head == LOG[-1].hash


@pytest.mark.sampled
@pytest.mark.parametrize("number", range(len(LOG)))
def test_a_bit_changed_anywhere_in_an_entry_is_found_and_the_version_named(number: int) -> None:
    rng = random.Random(number)
    for at in places_in(SOUND[number], rng):
        entries = [*SOUND]
        entries[number] = flipped(SOUND[number], at, rng.randrange(8))
        with pytest.raises(LogDamaged) as found:
            known(*entries).fresh(GAME_ID)
        assert (found.value.game_id, found.value.version) == (GAME_ID, number + 1)


REWRITTEN: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "two events changed places": lambda log: [*log[:6], log[7], log[6], *log[8:]],
    "an event is doubled": lambda log: [*log[:7], log[6], *log[7:]],
    "an event is missing, the rest closed up": lambda log: [*log[:6], *log[7:]],
    "the first event is missing": lambda log: log[1:],
    "an event is another game's": lambda log: [*log[:6], other(6), *log[7:]],
    "the log is another game's": lambda log: [other(number) for number in range(len(log))],
    "an entry is empty": lambda log: [*log[:6], b"", *log[7:]],
    "an entry is no object": lambda log: [*log[:6], b"[1]", *log[7:]],
    "an entry lacks a field": lambda log: [*log[:6], with_body(log[6], b'["passed"]'), *log[7:]],
    "an entry has another form": lambda log: [*log[:6], b"\x03" + log[6][1:], *log[7:]],
    "hidden parts are gone": lambda log: [hiding_nothing(each) for each in log],
}


def with_body(entry: bytes, body: bytes) -> bytes:
    """Return an entry with another body, and a checksum that matches it."""
    written = entry[5:51] + zlib.compress(body, wbits=-13)
    return entry[:1] + zlib.crc32(written).to_bytes(4) + written


def other(number: int) -> bytes:
    return entry_of(log_of(played("le-plateau", 3, 2))[number])


def hiding_nothing(entry: bytes) -> bytes:
    record = record_of(GAME_ID, b"1-0", {b"e": entry})
    return entry_of(replace(record, hidden={}, sealed={})) if record.type != "game_created" else entry


@pytest.mark.parametrize("rewrite", REWRITTEN.values(), ids=REWRITTEN)
def test_a_log_that_was_rewritten_is_refused(rewrite: Callable[[list[bytes]], list[bytes]]) -> None:
    with pytest.raises(LogDamaged, match=f"the log of {GAME_ID} is damaged at version "):
        known(*rewrite(SOUND)).fresh(GAME_ID)


# -- a process that knew the game before --------------------------------------------------------------------------


@pytest.fixture
def client() -> redis.Redis:
    return fakeredis.FakeRedis(server=fakeredis.FakeServer())


@pytest.fixture
def warm(client: redis.Redis) -> tuple[Games, str, int]:
    """A process that knows a game, whose log was damaged at a version; the game and that version."""
    games, rng = games_on(client), random.Random(1)
    game_id = sandbox(games, seats=3)
    while games.show(game_id, None).version < 40:
        play_on(games, game_id, rng)
    return games, game_id, 30


def test_what_a_process_reads_of_the_past_is_checked_too(client: redis.Redis, warm: tuple[Games, str, int]) -> None:
    games, game_id, at = warm
    now = games.show(game_id, None)
    damage(client, game_id, at)
    for question in (
        lambda: games.events(game_id, None, None, 0, 1000),
        lambda: games.events(game_id, None, None, at - 1, 1),
        lambda: games.look(game_id, ADA, None, at),
        lambda: games.export(game_id, ADA, None),
    ):
        with pytest.raises(LogDamaged) as found:
            question()
        assert found.value.version == at
    assert games.show(game_id, None) == now
    assert games.events(game_id, None, None, at + 1, 1000)["events"]
    assert games.look(game_id, ADA, None, at - 2)[0].version == at - 2


def test_what_is_appended_elsewhere_is_checked_before_it_is_taken_over(client: redis.Redis) -> None:
    here, there, rng = games_on(client), games_on(client), random.Random(1)
    game_id = sandbox(here, seats=3)
    before = here.show(game_id, None)
    play_on(there, game_id, rng)
    after = there.show(game_id, None)
    damage(client, game_id, after.version)
    with pytest.raises(LogDamaged):
        here.show(game_id, None)
    assert here.repository.cached(game_id) == before


# -- the whole service --------------------------------------------------------------------------------------------


@pytest.fixture
def service(tmp_path: Path) -> Iterator[RunningService]:
    with running_service(tmp_path, {"PLATEAU_WORKERS": "1", "PLATEAU_BOT_SECONDS": "1"}) as service:
        yield service


def progress(client: Client, game_id: str) -> float:
    """Return the version of a game, without end once it is over."""
    game = client.ask("GET", f"/v1/games/{game_id}")[1]
    return float("inf") if game["status"] == "finished" else game["version"]


@pytest.mark.long
def test_a_byte_changed_on_the_disk_stops_one_game_and_nothing_else(service: RunningService, tmp_path: Path) -> None:
    ada = Client(service.url)
    me, bot = {"player": "me"}, {"bot": "random"}
    mine = [ada.begin([me] * 3, sandbox=True) for _ in range(2)]
    bots = [ada.begin([bot] * 3, options={"hands": 30}) for _ in range(2)]
    for game_id in bots:
        wait_until(lambda game_id=game_id: len(entries_of(tmp_path / "data", game_id)) > 30, "the bots")
    damaged = {game_id: entries_of(tmp_path / "data", game_id) for game_id in (mine[0], bots[0])}
    assert service.stop() == 0
    for game_id, entries in damaged.items():
        change_on_the_disk(tmp_path / "data", game_id, entries[4])
    service.start()

    for path in ("", "/view", "/events", "/events?after=2", "/legal-actions", "/board.svg", "/export?format=text"):
        status, problem = ada.ask("GET", f"/v1/games/{mine[0]}{path}")
        assert (status, problem["code"]) == (503, "log-damaged"), path
        assert problem["type"] == "/v1/problems/log-damaged"
    status, problem = ada.ask("POST", f"/v1/games/{mine[0]}/actions", {"type": "pass"})
    assert (status, problem["code"]) == (503, "log-damaged")
    assert f"the log of {mine[0]} is damaged at version 5" in service.errors
    assert ada.ask("GET", "/v1/problems/log-damaged")[0] == 200

    assert ada.ask("POST", f"/v1/games/{mine[1]}/actions", {"type": "pass"})[0] == 201
    assert ada.ask("GET", "/readyz")[0] == 200
    for path in ("/v1/games?limit=10", "/v1/me/games", "/v1/me/games?to_act=true"):
        status, page = ada.ask("GET", path)
        assert (status, bool(page["items"])) == (200, True)

    wait_until(lambda: f"the log of {bots[0]} is damaged" in service.errors, "a worker to come upon it")
    at = progress(ada, bots[1])
    wait_until(lambda: progress(ada, bots[1]) >= at + 60, "the other game to continue", 2 * PATIENCE)
    assert "starting it again" not in service.errors
    assert service.errors.count(f"the log of {bots[0]} is damaged") < 20
