"""Two releases on one store: one goes on where the other stopped, in both orders, and both run side by side.

The wheels of both are built, and each runs as it would for an operator: web processes, a dispatcher, a
courier, workers.
"""

import os
import random
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from zlib import crc32

import orjson
import pytest
import redis

from service.store import keys
from service.store.codec import record_of
from tests.servers import ROOT, RealServer, wait_until
from tests.upgrades.player import Player, Refused, TooLate
from tests.upgrades.record import SEATS, begin, serving
from tests.upgrades.releases import PREVIOUS, Installed, install, install_release

pytestmark = pytest.mark.long

PLAN = {"type": "open", "square": "d4", "pieces": [{"piece": "A", "up": "r"}, {"piece": "TW", "up": "o"}]}


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The release before this one."""
    return install_release(PREVIOUS, tmp_path_factory.mktemp("old"))


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """This release."""
    return install(ROOT, tmp_path_factory.mktemp("new"))


@pytest.fixture(params=["old first", "new first"])
def both(request: pytest.FixtureRequest, old: Installed, new: Installed) -> tuple[Installed, Installed]:
    """Both releases in the order in which they run."""
    return (old, new) if request.param == "old first" else (new, old)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RealServer]:
    """A server for both."""
    server = RealServer.start("valkey", tmp_path / "store")
    yield server
    server.stop()


@pytest.fixture
def client(store: RealServer) -> Iterator[redis.Redis]:
    """What the test itself looks into the store with."""
    with redis.Redis.from_url(store.url) as client:
        yield client


@dataclass(slots=True)
class Ledger:
    """What was acknowledged to players: the hash of each event, by game and version."""

    dice: random.Random = field(default_factory=lambda: random.Random(1))
    events: dict[tuple[str, int], str] = field(default_factory=dict)

    def act(self, game: str, players: Mapping[int, Player], key: str = "") -> tuple[int, Any, Any]:
        """Act for the first seat that can, and note what was acknowledged; return seat, request and response."""
        anyone = next(iter(players.values()))
        done: list[tuple[int, Any, Any]] = []

        def acted() -> bool:
            for seat in sorted(players.keys() & set(anyone.view(game)["to_act"])):
                with suppress(TooLate):  # a bot was first
                    done.append((seat, *players[seat].act(game, seat, self.dice, key)))
                    return True
            return False

        wait_until(acted, f"the turn of a player in {game}")
        (answer,) = done
        self.events |= {(game, event["version"]): event["hash"] for event in answer[2]["events"]}
        return answer

    def check(self, client: redis.Redis) -> None:
        """Check the logs: what was acknowledged is there, versions have no gaps, and no request is there twice."""
        for game in {game for game, _ in self.events}:
            entries = log_of(client, game)
            assert [entry_id for entry_id, _ in entries] == [b"%d-0" % each for each in range(1, len(entries) + 1)]
            records = [record_of(game, entry_id, fields) for entry_id, fields in entries]
            found = {(game, record.version): record.hash for record in records}
            assert {each: of for each, of in self.events.items() if each[0] == game}.items() <= found.items()
            requests = [record.request for record in records]
            begun = [each for each, before in zip(requests, ["", *requests], strict=False) if each != before]
            assert len(begun) == len(set(begun))


def log_of(client: redis.Redis, game: str) -> list[tuple[bytes, dict[bytes, bytes]]]:
    """Read the log of a game, byte for byte."""
    return client.xrange(name_of_log(client, game))


def name_of_log(client: redis.Redis, game: str) -> str:
    """Return the key of the log of a game."""
    (name,) = client.scan_iter(f"*:game:{game}:events", count=100_000)
    return name.decode()


def is_read_by_previous(client: redis.Redis, game: str) -> bool:
    """Return whether the release before this one knows the form of every entry of a log."""
    try:
        entries = [orjson.loads(fields[b"e"]) for _, fields in log_of(client, game)]
    except ValueError:
        return False
    return all(entry.get("form", 1) <= PREVIOUS.form for entry in entries)


def refuses(service: str, client: redis.Redis, game: str, players: Mapping[int, Player]) -> None:
    """Check that a service refuses a game that it cannot read, whatever it is asked, and leaves its log as it is."""
    before = log_of(client, game)
    for seat, player in players.items():
        here = player.at(service)
        for ask in (here.view, here.events, partial(here.send, seat=seat, action={"type": "pass"})):
            with pytest.raises(Refused, match="log-damaged"):
                ask(game)
    assert log_of(client, game) == before


def verify_all(release: Installed, url: str, client: redis.Redis | None = None) -> None:
    """Run ``plateau verify --all`` of a release.

    With a client, it is the release before this one, which finds fault with every game that it cannot read.
    """
    done = run(release, url, "verify", "--all")
    games = {key.split(b":")[2].decode() for key in client.scan_iter("*:game:*:events")} if client else set()
    unread = {game for game in games if client and not is_read_by_previous(client, game)}
    assert done.returncode == (1 if unread else 0), done.stdout + done.stderr
    assert all(game in done.stdout + done.stderr for game in unread)


def run(release: Installed, url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of a release."""
    env = os.environ | {"PYTHONPATH": str(release.site), "REDIS_URL": url}
    command = release.command(*arguments)
    return subprocess.run(command, cwd=release.site, env=env, capture_output=True, text=True, check=False)


@contextmanager
def dispatching(release: Installed, url: str) -> Iterator[None]:
    """Run ``plateau dispatch`` of a release, without any worker."""
    env = os.environ | {"PYTHONPATH": str(release.site), "REDIS_URL": url}
    process = subprocess.Popen(release.command("dispatch"), cwd=release.site, env=env, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


@pytest.fixture
def receiver() -> Iterator["Receiver"]:
    """A receiver of webhooks."""
    receiver = Receiver()
    yield receiver
    receiver.close()


class Receiver:
    """Receives webhooks; it refuses all of them until it is ``open``."""

    def __init__(self) -> None:
        self.is_open = False
        self.ids: list[str] = []
        self.refused: set[str] = set()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                name = self.headers["webhook-id"]
                if outer.is_open:
                    outer.ids.append(name)
                else:
                    outer.refused.add(name)
                self.send_response(204 if outer.is_open else 503)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """Receive no more."""
        self._server.shutdown()
        self._server.server_close()


@dataclass(slots=True)
class Left:
    """What a release left behind: players, running games, keyed requests with their responses, and work undone."""

    ada: Player
    bob: Player
    games: list[str]
    kept: dict[str, tuple[int, Any, Any]]
    planned: str
    lobby: str
    link: str
    reader: Player
    waiting: dict[str, int] = field(default_factory=dict)

    def at(self, url: str) -> "Left":
        """Return the same with the players at another process."""
        ada, bob, reader = (player.at(url) for player in (self.ada, self.bob, self.reader))
        return replace(self, ada=ada, bob=bob, reader=reader)


def test_the_other_release_goes_on_with_everything(
    both: tuple[Installed, Installed],
    old: Installed,
    store: RealServer,
    client: redis.Redis,
    receiver: Receiver,
    tmp_path: Path,
) -> None:
    first, second = both
    ledger, env = Ledger(), {"PLATEAU_ALLOW_UNSAFE_WEBHOOKS": "1"}
    with serving(first, tmp_path / "first", store.url, **env) as service:
        left = leave(service.url, ledger, receiver.url)
        wait_until(lambda: receiver.refused, "a webhook that is refused")
    for where in ("feed", "line"):
        game, length = begin_without_workers(first, store, left.ada, tmp_path, where)
        left.waiting[game] = length
    before = {game: log_of(client, game) for game in left.games}
    receiver.is_open = True
    with serving(second, tmp_path / "second", store.url, **env) as service:
        left = left.at(service.url)
        for game in (*left.games, *left.waiting, left.planned, left.lobby):
            if second is old and not is_read_by_previous(client, game):
                refuses(service.url, client, game, {0: left.ada})
            else:
                goes_on(game, left, ledger, client)
        wait_until(lambda: receiver.refused <= {*receiver.ids}, "the refused webhooks")
        assert len(receiver.ids) == len({*receiver.ids})
    assert all(log_of(client, game)[: len(log)] == log for game, log in before.items())
    ledger.check(client)
    for release in both:
        verify_all(release, store.url, client if release is old else None)


def leave(url: str, ledger: Ledger, receiver: str) -> Left:
    """Begin a game of each ruleset, and leave a plan, an invitation, a token and a webhook that is not delivered."""
    ada, bob = Player(url, "Ada"), Player(url, "Bob")
    bob.ask("POST", "/v1/webhooks", {"url": receiver, "types": ["your_turn"]})
    games, kept = [], {}
    for ruleset in SEATS:
        game, table = begin(ruleset, ada, bob)
        ledger.act(game, table)
        kept[game] = ledger.act(game, table, key=f"key {game}")
        games.append(game)
    planned, _ = begin("plateau", ada, bob)
    bob.ask("PUT", f"/v1/games/{planned}/plan", {"steps": [{"action": PLAN}], "forced": False})
    body = {"ruleset": "plateau", "seats": [{"player": "me"}, {"open": True}]}
    lobby = ada.ask("POST", "/v1/games", body)["id"]
    link = ada.ask("POST", f"/v1/games/{lobby}/invitations", {"link": True, "seat": 1})["url"].rpartition("/")[2]
    token = ada.ask("POST", "/v1/me/tokens", {"scopes": ["games:read"], "label": "reader"})["token"]
    return Left(ada, bob, games, kept, planned, lobby, link, ada.holding(token))


def goes_on(game: str, left: Left, ledger: Ledger, client: redis.Redis) -> None:
    """Go on with a game as the first release would have."""
    if game in left.waiting:
        wait_until(lambda: len(log_of(client, game)) > left.waiting[game], f"the work that waited in {game}")
    elif game == left.planned:
        assert left.bob.ask("GET", f"/v1/games/{game}/plan")["steps"][0]["action"] == PLAN
        assert left.reader.view(game)["game"]["id"] == game
        with pytest.raises(Refused, match="403"):
            left.reader.send(game, 0, PLAN)
        left.ada.send(game, 0, PLAN | {"square": "a1"})
        wait_until(lambda: left.ada.view(game)["to_act"] == [0], "the plan to be carried out")
    elif game == left.lobby:
        guest = Player(left.ada.url, "Cleo")
        guest.ask("POST", f"/v1/invitations/{left.link}/seat", {})
        assert guest.view(game)["game"]["status"] == "active"
    else:
        table = {0: left.ada, 1: left.bob}
        seat, action, response = left.kept[game]
        assert table[seat].send(game, seat, action, f"key {game}") == response
        with pytest.raises(Refused, match="key-reused"):
            table[seat].send(game, seat, action | {"decision_id": "d1_0"}, f"key {game}")
        for _ in range(4):
            ledger.act(game, table)


def begin_without_workers(
    release: Installed, store: RealServer, ada: Player, folder: Path, where: str
) -> tuple[str, int]:
    """Begin a game, and leave work for a bot in the change feed, or in the fair queue; return it and its length."""
    client = redis.Redis.from_url(store.url)
    with client, serving(release, folder / where, store.url, PLATEAU_WORKERS="0") as service:
        body = {"ruleset": "plateau", "seats": [{"player": "me"}, {"bot": "random"}], "bot_pace": 0}
        here = ada.at(service.url)
        game = here.ask("POST", "/v1/games", body)["id"]
        here.act(game, 0, random.Random(2))
        if where == "line":
            with dispatching(release, store.url):
                wait_until(lambda: client.hexists(keys.WAITING_GAMES, game), "the game in the queue")
        return game, len(log_of(client, game))


def test_both_releases_run_side_by_side(
    old: Installed, new: Installed, store: RealServer, client: redis.Redis, tmp_path: Path
) -> None:
    ledger = Ledger()
    with (
        serving(old, tmp_path / "old", store.url) as before,
        serving(new, tmp_path / "new", store.url) as after,
    ):
        ada, bob = Player(before.url, "Ada"), Player(after.url, "Bob")
        tables = [{0: ada.at(url), 1: bob.at(url)} for url in (before.url, after.url)]
        played = []
        for number, ruleset in enumerate(SEATS):
            at_first = tables[number % 2]
            game, _ = begin(ruleset, at_first[0], at_first[1])
            played.append(game)
            for turn in range(12):
                mixed = tables if is_read_by_previous(client, game) else [tables[1]] * 2
                one, other = mixed if turn % 2 else mixed[::-1]
                seat, action, response = ledger.act(game, one, key=f"turn {turn}")
                if is_read_by_previous(client, game):
                    assert other[seat].send(game, seat, action, f"turn {turn}") == response
        for game in played:
            if is_read_by_previous(client, game):
                quiet = partial(is_quiet, client, game, tables)
                wait_until(quiet, "the same log at both")
            else:
                refuses(before.url, client, game, tables[1])
    ledger.check(client)
    verify_all(new, store.url)
    verify_all(old, store.url, client)


def is_quiet(client: redis.Redis, game: str, tables: list[dict[int, Player]]) -> bool:
    """Return whether both releases show the same log to everybody, while no bot goes on."""
    length = len(log_of(client, game))
    shown = [[player.events(game) for player in table.values()] for table in tables]
    return shown[0] == shown[1] and len(log_of(client, game)) == length


def test_the_release_before_refuses_games_of_a_later_form_and_leaves_their_logs_whole(
    old: Installed, store: RealServer, client: redis.Redis, tmp_path: Path
) -> None:
    ledger = Ledger()
    with serving(old, tmp_path / "old", store.url) as service:
        ada, bob = Player(service.url, "Ada"), Player(service.url, "Bob")
        later, table = begin("plateau", ada, bob)
        other, _ = begin("plateau", ada, bob)
        number, (_, fields) = len(log_of(client, later)) + 1, log_of(client, later)[-1]
        client.xadd(name_of_log(client, later), {"e": of_later_form(fields[b"e"])}, id=f"{number}-0")
        refuses(service.url, client, later, table)
        ledger.act(other, table)
    ledger.check(client)
    assert len(log_of(client, later)) == number


def of_later_form(entry: bytes) -> bytes:
    """Write an entry as a release will that nobody knows yet."""
    written, _, _ = entry.rpartition(b',"crc":')
    later = written + b',"form":9'
    return b'%b,"crc":%d}' % (later, crc32(later + b"}"))
