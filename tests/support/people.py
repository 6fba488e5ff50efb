"""The API's callers in the tests, and their tables. Every response is checked against the contract."""

import json
import random
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

import orjson
import redis
from flask import Flask
from werkzeug.test import TestResponse

from domain.game.aggregate import Game
from domain.game.durations import instant, moment
from service.accounts.limits import LIMITS, Amounts
from service.accounts.players import GUEST_SCOPES, Players
from service.api import create_app
from service.api.http.endpoint import Services
from service.common import wall_clock
from service.config.settings import Settings
from service.games.projections import representations
from service.store import keys
from service.store.event_store import Append, EventStore
from service.store.game_index import Listing, member_of
from service.store.redis.connections import connect
from service.transparency.key_ring import KeyRing, Receipts
from tests.support.contract import Contract
from tests.support.random_games import Step, log_of, played
from tests.support.sampling import seeds
from tests.support.server import PATIENCE
from tests.support.wiring import wired

ME = {"player": "me"}
OPEN = {"open": True}
Action = dict[str, Any]


class Person:
    """A caller: with a token, or without one."""

    def __init__(self, app: Flask, contract: Contract, token: str | None = None, player: str | None = None) -> None:
        self.token = token
        self.id = player
        self._app = app
        self._client = app.test_client()
        self._contract = contract

    def holding(self, token: str) -> "Person":
        """The same player with another token."""
        return Person(self._app, self._contract, token, self.id)

    def get(self, path: str, **headers: str) -> TestResponse:
        """GET; headers as keywords, with underscores for hyphens."""
        return self.ask("GET", path, headers=headers)

    def post(self, path: str, body: Any = None, **headers: str) -> TestResponse:
        """POST a body as JSON, or none."""
        return self.ask("POST", path, body, headers=headers)

    def put(self, path: str, body: Any, **headers: str) -> TestResponse:
        """PUT a body as JSON; headers as keywords, with underscores for hyphens."""
        return self.ask("PUT", path, body, headers=headers)

    def patch(self, path: str, body: Any) -> TestResponse:
        """PATCH with a body as JSON."""
        return self.ask("PATCH", path, body)

    def delete(self, path: str) -> TestResponse:
        """DELETE."""
        return self.ask("DELETE", path)

    def ask(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None, **raw: Any
    ) -> TestResponse:
        """Send any request; ``body`` is any JSON value, or bytes that are sent unchanged."""
        sent = {name.replace("_", "-"): value for name, value in (headers or {}).items()}
        if self.token is not None:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        if body is not None:
            raw["data"] = body if isinstance(body, bytes) else json.dumps(body)
            raw.setdefault("content_type", "application/json")
        answer = self._client.open(path, method=method, headers=sent, **raw)
        self._contract.check(answer, raw.get("data", b""))
        return answer


class Server:
    """The service in this process, on a Redis of its own."""

    def __init__(
        self,
        client: redis.Redis,
        contract: Contract | None = None,
        now: Callable[[], str] = wall_clock.now,
        limits: Amounts | None = None,
        trusted_proxies: int = 0,
    ) -> None:
        """Keep no limits but those given, by bucket, and those on what an account can have."""
        self.redis = client
        self._now = now
        self._types: dict[bytes, bytes] = {}
        self._limits = limits or {}
        self._settings = Settings(
            public_url="https://play.example",
            smtp_url="smtp://127.0.0.1:25",
            mail_from="plateau@play.example",
            trusted_proxies=trusted_proxies,
            own_limits=limits,
        )
        self.offers_mails = True
        self.store = EventStore(client)
        self.players = Players(client, now, self._settings.limits["tokens"])
        self.receipts = Receipts(KeyRing(client, now))
        self.app = create_app(self._services())
        self.contract = contract or Contract(self.app)

    def keep_limits(self, **amounts: int) -> None:
        """Keep these limits from now on; underscores for hyphens."""
        self._limits = {bucket.replace("_", "-"): most for bucket, most in amounts.items()}
        self.forget_games()

    def forget_games(self) -> None:
        """Start with an empty cache of games, as another process has it."""
        self.app.extensions["plateau"] = self._services()

    @property
    def services(self) -> Services:
        """What the view functions use."""
        services: Services = self.app.extensions["plateau"]
        return services

    def _services(self) -> Services:
        services = wired(self.store, self.players, self._settings, self._now, self._limits, self.receipts)
        return replace(services, public_url=None, **({} if self.offers_mails else {"mailing": None}))

    def stranger(self, token: str | None = None) -> Person:
        """A caller without a token, or with an invented one."""
        return Person(self.app, self.contract, token)

    def newcomer(self, name: str) -> Person:
        """A new player."""
        made = self.stranger().post("/v1/players", {"name": name}).json
        return Person(self.app, self.contract, made["token"], made["id"])

    def bot_of_somebody(self, name: str) -> Person:
        """A new player that is a program, which somebody runs."""
        made = self.stranger().post("/v1/players", {"name": name, "operator": "somebody"}).json
        return Person(self.app, self.contract, made["token"], made["id"])

    def known(self, player: str, scopes: Sequence[str] = GUEST_SCOPES) -> Person:
        """A player by id, with a token that depends on the id and the scopes alone."""
        token = f"plt_{player.removeprefix('pl_')}_{'-'.join(scopes)}"
        record = {"scopes": scopes, "label": "test", "created_at": "2026-01-01T00:00:00.000Z"}
        self.redis.hset(keys.tokens(player), sha256(token.encode()).hexdigest(), orjson.dumps(record))
        return Person(self.app, self.contract, token, player)

    def table(self, people: Sequence[Person], creator: Person | None = None, **wish: Any) -> "Table":
        """Let players create a game and take its seats; it is a sandbox if one of them takes several."""
        wish = {"ruleset": "le-plateau", "seats": [OPEN] * len(people), **wish}
        wish["sandbox"] = len(set(people)) < len(people)
        game = (creator or people[0]).post("/v1/games", wish).json
        for seat, person in enumerate(people):
            assert person.post(f"/v1/games/{game['id']}/seats", {"seat": seat}).status_code == 201
        return Table(game["id"], list(people), self)

    def table_of_log(self, steps: Sequence[Step]) -> "Table":
        """Put a game into the store by its log, with the players on its seats, who have accounts without a name."""
        game = steps[-1].game
        for sitter in game.sitters:
            if sitter and sitter.player:
                account = {"name": "", "kind": "person", "created_at": "2026-01-01T00:00:00.000Z"}
                self.redis.hset(keys.player(sitter.player), mapping=account)
        self.store.append(Append(game.id, 0, log_of(steps), head="", listing=_listing(game)))
        return Table(game.id, [self.known(sitter.player) for sitter in game.sitters if sitter], self)

    def contents(self) -> dict[bytes, Any]:
        """Everything that Redis holds of games and players."""
        found = sorted(self.redis.scan_iter(match="{*", count=10_000))
        for key in found:
            if key not in self._types:
                self._types[key] = self.redis.type(key)
        pipe = self.redis.pipeline(transaction=False)
        read: Mapping[bytes, Callable[[bytes], Any]] = {
            b"string": pipe.get,
            b"hash": pipe.hgetall,
            b"stream": pipe.xrange,
            b"zset": lambda key: pipe.zrange(key, 0, -1, withscores=True),
            b"list": lambda key: pipe.lrange(key, 0, -1),
        }
        for key in found:
            read[self._types[key]](key)
        return dict(zip(found, pipe.execute(), strict=True))


def _listing(game: Game) -> Listing:
    return Listing(
        summary=orjson.dumps(representations.game_resource(game)),
        member=member_of(game.created_at, game.id),
        ruleset=game.ruleset.id,
        left=game.status,
        entered=game.status,
    )


@dataclass
class Table:
    """A game, and who sits where."""

    id: str
    people: list[Person]
    server: Server = field(repr=False)

    @property
    def path(self) -> str:
        """Where the game is."""
        return f"/v1/games/{self.id}"

    @property
    def seats(self) -> range:
        """The seats."""
        return range(len(self.people))

    def view(self, seat: int | None = None, at: int | None = None) -> dict[str, Any]:
        """The view of a seat, or of a spectator, now or at a version."""
        viewer = "spectator" if seat is None else seat
        person = self.people[0 if seat is None else seat]
        answer = person.get(f"{self.path}/view?as={viewer}" + (f"&at={at}" if at else ""))
        assert answer.status_code == 200
        seen: dict[str, Any] = answer.json
        return seen

    @property
    def version(self) -> int:
        """The version it is at."""
        version: int = self.view()["version"]
        return version

    @property
    def to_act(self) -> int:
        """The lowest seat to act."""
        seat: int = self.view()["to_act"][0]
        return seat

    @property
    def idle(self) -> int:
        """A seat that is not to act."""
        return next(seat for seat in self.seats if seat not in self.view()["to_act"])

    def legal(self, seat: int) -> list[Action]:
        """The legal actions of a seat, of more than 2,000 the first."""
        actions: list[Action] = self.people[seat].get(f"{self.path}/legal-actions?as={seat}").json["actions"]
        return actions

    def act(self, seat: int, action: Any, query: str = "", **headers: str) -> TestResponse:
        """Post an action on behalf of a seat."""
        return self.people[seat].post(f"{self.path}/actions?as={seat}{query}", action, **headers)

    def events(self, seat: int | None = None) -> list[dict[str, Any]]:
        """The whole log as a seat, or a spectator, is allowed to see it."""
        viewer = "spectator" if seat is None else seat
        person = self.people[0 if seat is None else seat]
        page = person.get(f"{self.path}/events?limit=1000&as={viewer}").json
        assert page["next"] is None
        seen: list[dict[str, Any]] = page["events"]
        return seen

    def play(self, rng: random.Random, until: Callable[[dict[str, Any]], bool] = lambda _view: False) -> None:
        """Play at random until the spectator's view pleases, or to the end."""
        while (view := self.view())["to_act"] and not until(view):
            seat = view["to_act"][0]
            assert self.act(seat, some_action(rng, self.legal(seat))).status_code == 201


def head_of(person: Person, path: str) -> str:
    """Return the head of a game, as If-Match takes it; the path is that of the game, of its seats, or of a link."""
    return f'"{person.get(path.removesuffix("/seats")).json["head"]}"'


def some_action(rng: random.Random, actions: Sequence[Action]) -> Action:
    """Choose a kind of action first, then one of that kind, so that rare kinds occur often enough."""
    kind = rng.choice(sorted({action["type"] for action in actions}))
    return rng.choice([action for action in actions if action["type"] == kind])


def moments(ruleset_id: str, seats: int) -> list[Sequence[Step]]:
    """For each type of action, the steps of some game up to a moment when a seat is about to choose it."""
    found: dict[str, Sequence[Step]] = {}
    for seed in seeds(6):
        steps = played(ruleset_id, seats, seed)
        for index, step in enumerate(steps):
            if step.action is not None:
                found.setdefault(type(step.action).__name__, steps[:index])
    return list(found.values())


def moment_before(kind: str, seats: int, ruleset_id: str = "le-plateau", *, seed: int = 0) -> Sequence[Step]:
    """Return the steps of a game up to a moment when a seat is about to choose a type of action."""
    return next(
        steps
        for each in range(seed, 100)
        for steps in [played(ruleset_id, seats, each)]
        for steps in [steps[:index] for index, step in enumerate(steps) if type(step.action).__name__ == kind]
    )


@contextmanager
def limited(redis_url: str, limits: Mapping[str, int] | None = None, trusted_proxies: int = 0) -> Iterator[Server]:
    """Run the service in this process on a server of its own, with these limits and no others."""
    with connect(redis_url) as client:
        server = Server(client, limits=limits, trusted_proxies=trusted_proxies)
        yield server
        server.players.close()


def assert_limited(answer: TestResponse, bucket: str) -> None:
    """Fail unless an answer says which limit is reached, and when to try again."""
    assert (answer.status_code, answer.json["code"], answer.json["bucket"]) == (429, "limit-reached", bucket), answer
    wait = int(answer.headers["Retry-After"])
    seconds = LIMITS[bucket].seconds
    assert 1 <= wait <= (seconds or 60)
    if seconds is None:
        assert "RateLimit" not in answer.headers
    else:
        assert answer.headers["RateLimit"] == f'"{bucket}";r=0;t={wait}'
        assert answer.headers["RateLimit-Policy"].endswith(f";w={seconds}")


class Client:
    """Someone who plays over HTTP."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.token = self.ask("POST", "/v1/players", {"name": "Ada"})[1]["token"]

    def ask(self, method: str, path: str, body: object = None, **more: str) -> tuple[int, Any]:
        """Return status and body of an answer; ``more`` are headers, with underscores for hyphens."""
        headers = {"Content-Type": "application/json"} | {name.replace("_", "-"): text for name, text in more.items()}
        if hasattr(self, "token"):
            headers["Authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, _data(answer.read())
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.code, _data(refusal.read())

    def begin(self, seats: list[Any], **more: Any) -> str:
        """Create a game."""
        status, game = self.ask("POST", "/v1/games", {"ruleset": "le-plateau", "seats": seats, **more})
        assert status == 201
        return str(game["id"])


def _data(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        return raw


NEW_GAME = {"ruleset": "le-plateau", "seats": [ME, ME], "sandbox": True}


def token_of(person, *scopes):
    """Make the player another token with these scopes; return the token and who holds it."""
    made = person.post("/v1/me/tokens", {"scopes": list(scopes), "label": "other"})
    assert made.status_code == 201
    return made.json, person.holding(made.json["token"])


def seat_token_of(person, path, seat, **body):
    """Make a token for a seat; return it as it was answered, and who holds it."""
    made = person.post(f"{path}/seats/{seat}/tokens", body)
    assert made.status_code == 201, made.json
    return made.json, person.holding(made.json["token"])


def refused(answer, status, code):
    assert (answer.status_code, answer.json["code"]) == (status, code)


START = instant("2026-01-01T12:00:00.000Z")


class Time:
    """The time that the service goes by, set by the test."""

    def __init__(self):
        self.ms = START

    def __call__(self):
        return moment(self.ms)
