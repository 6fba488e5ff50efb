"""Record games of a store: the entries of their logs as the service wrote them, and what its interface showed.

    make recording

Run it once for each format of the store, when a release first writes it. A recording stands for data that exist, so it
is never made again. It is a gzipped JSON file beside this module, named after its format.
"""

import gzip
import json
import random
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import redis

from domain.log import chain
from tests.recorded.player import Player, Refused, play
from tests.support.server import RealServer, running_service, wait_until

FILE = Path(__file__).with_name("format-1.json.gz")

SEATS = {"le-plateau": 3, "plateau": 2, "french-tarot": 4, "plute": 6}
"""The games, each with a number of players."""

_SHORT = {
    "le-plateau": (2, {"hands": 2}),
    "plateau": (2, {"max_plies": 6}),
    "french-tarot": (3, {"deals": 1}),
    "plute": (6, {"win_at": 1, "lose_at": 1}),
}
"""The shortest games, each with a number of players and options."""

_CLOCK = {"per_move": "PT1H", "bank": "PT10M", "increment": "PT5S", "on_timeout": "bot", "bot": "random"}
_ACTIONS, _MOST_ACTIONS = 10, 600


@dataclass(frozen=True, slots=True)
class Recorded:
    """A game as the service left it: who plays which seat, the entries of its log, and what each viewer was shown.

    ``shown`` are digests of the events, ``views`` the views, both by viewer: 'nobody', or a seat. Bytes of entries that
    are no text are written as surrogates.
    """

    ruleset: str
    game: str
    players: dict[str, str]
    entries: list[str]
    shown: dict[str, list[str]]
    views: dict[str, Any]

    def stored(self) -> Iterator[tuple[bytes, bytes]]:
        """Return the entries of the log as the stream has them: ids, and bytes."""
        for version, entry in enumerate(self.entries, 1):
            yield b"%d-0" % version, entry.encode(errors="surrogateescape")


def recording() -> list[Recorded]:
    """Read what was recorded."""
    return [Recorded(**each) for each in json.loads(gzip.decompress(FILE.read_bytes()))]


def digest(event: Any) -> str:
    """Return a short digest of an event as it is shown: enough to see that any part of it has changed."""
    return sha256(chain.canonical(event)).hexdigest()[:8]


def begin(ruleset: str, ada: Player, bob: Player, **wanted: Any) -> tuple[str, dict[int, Player]]:
    """Begin a game of Ada and Bob with a clock, and with bots on the other seats; return its id and who plays where."""
    rest = [{"bot": "random"}] * (SEATS[ruleset] - 2)
    body = {"ruleset": ruleset, "seats": [{"player": "me"}, {"open": True}, *rest], "clock": _CLOCK, **wanted}
    made = ada.ask("POST", "/v1/games", body)
    seen = {"If-Match": f'"{made["head"]}"'} if "head" in made else {}
    bob.ask("POST", f"/v1/games/{made['id']}/seats", {"seat": 1, "client_seed": "a seed of Bob's"}, seen)
    return made["id"], {0: ada, 1: bob}


def _agree(game: str, ada: Player, bob: Player) -> None:
    """Have a proposal declined, and two accepted, as they can be recorded."""
    for kind, accept in (("pause", False), ("pause", True), ("resume", True)):
        made = ada.ask("POST", f"/v1/games/{game}/proposals", {"kind": kind})
        proposal = made["events"][0]["data"]["proposal"]
        bob.ask("POST", f"/v1/games/{game}/proposals/{proposal}/votes", {"accept": accept})


def _eventful(ada: Player, bob: Player) -> str:
    """Play a game with what else happens at tables."""
    clock = {"per_move": "PT5S", "on_timeout": "bot", "bot": "random"}
    seats = [{"player": "me"}, {"open": True}, {"open": True}]
    body = {"ruleset": "le-plateau", "seats": seats, "clock": clock, "options": {"first_dealer": 2}}
    game = ada.ask("POST", "/v1/games", body)["id"]
    bob.ask("POST", f"/v1/games/{game}/seats", {"seat": 1})
    bob.ask("DELETE", f"/v1/games/{game}/seats/1")
    bob.ask("POST", f"/v1/games/{game}/seats", {"seat": 1})
    ada.ask("PUT", f"/v1/games/{game}/seats/2", {"bot": "random"})
    before = ada.view(game)["version"]
    ada.act(game, 0, random.Random(3))
    wait_until(lambda: "turn_timed_out" in {each["type"] for each in ada.events(game)}, "Bob's turn to time out")
    for kind, more in (("take_back", {"to_version": before}), ("abort", {})):
        with suppress(Refused):
            made = ada.ask("POST", f"/v1/games/{game}/proposals", {"kind": kind, **more})
            proposal = made["events"][0]["data"]["proposal"]
            bob.ask("POST", f"/v1/games/{game}/proposals/{proposal}/votes", {"accept": True})
    return game


def _play_all(url: str) -> Iterator[tuple[str, str, dict[int, Player]]]:
    """Play an eventful game, and two of each ruleset: one that continues, and one to its end; return who sees what."""
    ada, bob, dice = Player(url, "Ada"), Player(url, "Bob"), random.Random(1)
    yield "le-plateau", _eventful(ada, bob), {0: ada, 1: bob}
    for ruleset, (seats, options) in _SHORT.items():
        game, table = begin(ruleset, ada, bob)
        play(game, table, dice, _ACTIONS // 2)
        _agree(game, ada, bob)
        play(game, table, dice, _ACTIONS - _ACTIONS // 2)
        yield ruleset, game, table
        body = {"ruleset": ruleset, "options": options, "sandbox": True, "seats": [{"player": "me"}] * seats}
        game, alone = ada.ask("POST", "/v1/games", body)["id"], dict.fromkeys(range(seats), ada)
        assert play(game, alone, dice, _MOST_ACTIONS) < _MOST_ACTIONS
        yield ruleset, game, {0: ada}


def _record(client: redis.Redis, ruleset: str, game: str, table: dict[int, Player]) -> Recorded:
    """Read everything of one version of a game: until no bot has moved during the reading."""
    (log,) = client.scan_iter(f"*:game:{game}:events", count=100_000)
    nobody = next(iter(table.values())).as_nobody()
    viewers = {"nobody": (nobody, None)} | {str(seat): (player, seat) for seat, player in table.items()}
    while True:
        entries = client.xrange(log)
        recorded = Recorded(
            ruleset,
            game,
            {str(seat): player.id for seat, player in table.items()},
            [fields[b"e"].decode(errors="surrogateescape") for _, fields in entries],
            {name: [digest(event) for event in player.events(game, seat)] for name, (player, seat) in viewers.items()},
            {name: player.view(game, seat) for name, (player, seat) in viewers.items()},
        )
        if client.xlen(log) == len(entries):
            return recorded


def main() -> None:
    """Play games on a store of its own, and record them."""
    with tempfile.TemporaryDirectory() as name:
        server = RealServer.start("valkey", Path(name) / "store")
        settings = {"REDIS_URL": server.url, "PLATEAU_WORKERS": "1"}
        try:
            with redis.Redis.from_url(server.url) as client, running_service(Path(name), settings) as service:
                games = [asdict(_record(client, *played)) for played in _play_all(service.url)]
        finally:
            server.stop()
    FILE.write_bytes(gzip.compress(json.dumps(games, separators=(",", ":"), sort_keys=True).encode(), mtime=0))
    print(f"{sum(len(game['entries']) for game in games)} events, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
