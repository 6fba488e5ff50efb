"""A service of its own for each scenario, whose time and draws are fixed, and the callers of that service."""

import json
import random
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import shake_128
from itertools import count
from typing import Any
from unittest import mock

import fakeredis
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask import Flask
from werkzeug.test import TestResponse

from service.accounts.players import Scope
from service.api.http.response_headers import HEADERS
from service.api.openapi import examples
from service.common import wall_clock
from service.config.settings import Settings
from service.deal_sets.keeping import Keeper
from service.games.advice.question_store import ANALYSIS, HINT, QuestionStore, job_of
from service.games.repository import GameRepository
from service.runtime import wiring
from service.store.event_store import EventStore
from service.store.heartbeat import StoreClock
from service.transparency.key_ring import KeyRing
from service.transparency.transparency_log import TransparencyLog, Unlogged
from workers.adviser import Adviser
from workers.log_worker import LogWorker
from workers.policy_process import PolicyProcess
from workers.processes import notifier_on

_BEGINNING = datetime(2026, 1, 1, 12, tzinfo=UTC)
_LONGEST_TEXT = 500
_PATIENCE = 600.0
_HOUR_SECONDS = 3600
_SITE, _NOWHERE = "https://play.example", "file:///nowhere"
_KEPT_HEADERS = ("Content-Type", *HEADERS)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request to an operation and its response, as the example shows them, and the whole body of the response."""

    operation: str
    request: Mapping[str, Any]
    response: Mapping[str, Any]
    json: Any = field(repr=False)

    def only(self, *keys: str) -> "Exchange":
        """Show only these members of a document that has this very example in it, and not its ETag."""
        headers = {name: value for name, value in self.response["headers"].items() if name != "ETag"}
        body = self.response["body"]
        kept = {key: body[key] for key in keys} if keys else body
        return Exchange(self.operation, self.request, {**self.response, "headers": headers, "body": kept}, self.json)


class Caller:
    """A client that sends requests, with a token or without one."""

    def __init__(self, world: "World", player: str = "", token: str = "") -> None:
        self.id = player
        self.token = token
        self._world = world

    @property
    def sent(self) -> dict[str, str]:
        """Return the headers of a request."""
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def get(self, path: str, **headers: str) -> Exchange:
        """Send a GET; headers as keywords, with underscores for hyphens."""
        return self.ask("GET", path, None, headers)

    def post(self, path: str, body: Any, **headers: str) -> Exchange:
        """Send a POST with a body."""
        return self.ask("POST", path, body, headers)

    def put(self, path: str, body: Any, **headers: str) -> Exchange:
        """Send a PUT with a body."""
        return self.ask("PUT", path, body, headers)

    def patch(self, path: str, body: Any, **headers: str) -> Exchange:
        """Send a PATCH with a body."""
        return self.ask("PATCH", path, body, headers)

    def delete(self, path: str, **headers: str) -> Exchange:
        """Send a DELETE."""
        return self.ask("DELETE", path, None, headers)

    def ask(self, method: str, path: str, body: Any, headers: Mapping[str, str]) -> Exchange:
        """Send a request; raise ``RuntimeError`` if it is rejected, for an example shows what works."""
        sent = self.sent
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        request = {"method": method, "path": path, "headers": sent}
        if body is not None:
            sent["Content-Type"] = "application/json"
            request["body"] = body
        answer = self._world.send(request)
        if answer.status_code >= 400:
            raise RuntimeError(f"{method} {path} was rejected: {answer.text}")
        operation = self._world.operation_of(method, path)
        return Exchange(operation, request, _response(answer), answer.json if answer.is_json else None)


class World:
    """A service without other users. Ids, secrets and times depend on the requests alone; each takes a second."""

    def __init__(self) -> None:
        self._time = _BEGINNING
        self._secrets, self._numbers = count(1), count(1)
        settings = Settings(memory=True, smtp_url=_NOWHERE, public_url=_SITE)
        with self._fixed():
            store = fakeredis.FakeRedis()
            with mock.patch.object(wiring, "_memory", return_value=store):
                self.app: Flask = wiring.wire(settings)
        self._store = EventStore(store, settings.shards)
        self._notifier = notifier_on(store, settings, "recorder")
        self.anyone = Caller(self)

    def guest(self, name: str) -> Caller:
        """Create a guest."""
        made = self.anyone.post("/v1/players", {"name": name}).json
        return Caller(self, made["id"], made["token"])

    def operator(self, name: str, scope: Scope = "admin") -> Caller:
        """Create a player, and give them a token of operators, or of directors of tournaments, as the host does."""
        player = self.guest(name)
        with self._fixed():
            made = self.app.extensions["plateau"].players.create_token(player.id, (scope,), "operator")
        return Caller(self, player.id, made[1])

    def two(self, **wish: Any) -> "tuple[Caller, Caller, str]":
        """Let Ada and Bob begin a game of Plateau, in which Ada is the first to act; return also its path."""
        ada, bob = self.guest("Ada"), self.guest("Bob")
        wish = {"ruleset": "plateau", "seats": [{"player": "me"}, {"open": True}], **wish}
        game = f"/v1/games/{ada.post('/v1/games', wish).json['id']}"
        bob.post(f"{game}/seats", {})
        return ada, bob, game

    def link_in_mail(self, reader: Caller, kind: str) -> str:
        """Return the path of a link in a mail to a player: ``confirm`` or ``unsubscribe``."""
        mailing = self.app.extensions["plateau"].mailing
        make = {"confirm": mailing.links.to_confirm, "unsubscribe": mailing.links.to_unsubscribe}[kind]
        with self._fixed():
            link: str = make(reader.id, mailing.find(reader.id).id)
        return link.removeprefix(_SITE)

    def pass_notices_on(self) -> None:
        """Do what a notifier does: write the notices into the logs of the players."""
        with self._fixed():
            self._notifier.feed.join()
            self._notifier.pass_on(1)

    def log_heads(self) -> None:
        """Do what the head keeper does."""
        with self._fixed():
            ring = KeyRing(self._store.client, self._now, [Ed25519PrivateKey.from_private_bytes(bytes(32))])
            log, unlogged = (
                TransparencyLog(self._store.client),
                Unlogged(self._store.client, len(self._store.all_shards)),
            )
            LogWorker(log, unlogged, ring.sign, self._now, _HOUR_SECONDS).keep()

    def keep_sets(self) -> str:
        """Do what the keeper of daily sets does; return the path of today's set of Plute."""
        schedule = Settings().daily
        if schedule is None:
            raise RuntimeError("there are no daily sets")
        with self._fixed():
            keeper = Keeper(self._store, TransparencyLog(self._store.client), self._now, schedule, _HOUR_SECONDS)
            keeper.keep()
            self.wait(hours=2)
            self.log_heads()
            keeper.keep()
        return f"/v1/daily/plute/{self._time:%Y-%m-%d}"

    def answer(self, game: str, asked: Mapping[str, Any] | None = None) -> None:
        """Do what a worker does that is asked about a game, however long that takes; first ask, if there is a request.

        That request is not answered yet, so it is no example.
        """
        if asked is not None:
            self.send(asked)
        process = PolicyProcess(_PATIENCE)
        try:
            with self._fixed():
                adviser = Adviser(GameRepository(self._store), QuestionStore(self._store), process)
                for kind in (HINT, ANALYSIS):
                    while adviser.answer(job_of(kind, game.rpartition("/")[2])):
                        pass
        finally:
            process.stop()

    def wait(self, **durations: float) -> None:
        """Let time pass: ``days=1``, ``hours=2``."""
        self._time += timedelta(**durations)

    def send(self, request: Mapping[str, Any]) -> TestResponse:
        """Send a request a second after the last one."""
        self.wait(seconds=1)
        body = json.dumps(request["body"]) if "body" in request else None
        with self._fixed():
            return self.app.test_client().open(
                request["path"], method=request["method"], headers=request["headers"], data=body
            )

    def operation_of(self, method: str, path: str) -> str:
        """Return the operation that a request belongs to."""
        endpoint, _ = self.app.url_map.bind("").match(path.partition("?")[0], method)
        return str(endpoint).rpartition(".")[2]

    def close(self) -> None:
        """Stop what the service runs."""
        self.app.extensions["plateau"].players.close()

    @contextmanager
    def _fixed(self) -> Iterator[None]:
        """Take time and draws from this world."""
        with (
            mock.patch.object(wall_clock, "now", self._now),
            mock.patch.object(StoreClock, "now_ms", self._now_ms),
            mock.patch.object(StoreClock, "hear"),
            mock.patch.object(time, "time", self._seconds),
            mock.patch.object(Ed25519PrivateKey, "generate", _key),
            mock.patch.object(secrets, "token_bytes", self._drawn),
            mock.patch.object(random, "getrandbits", self._number),
            mock.patch.object(examples, "recorded", dict),  # earlier ones play no part
        ):
            yield

    def _seconds(self) -> float:
        return self._time.timestamp()

    def _now_ms(self) -> int:
        return round(1000 * self._seconds())

    def _now(self) -> str:
        return self._time.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def _drawn(self, size: int | None = None) -> bytes:
        """Draw bytes, on which the module's hexadecimal and URL-safe texts rest, too."""
        return shake_128(b"secret %d" % next(self._secrets)).digest(size or 32)

    def _number(self, bits: int) -> int:
        return int.from_bytes(shake_128(b"number %d" % next(self._numbers)).digest(16)) >> (128 - bits)


def _key() -> Ed25519PrivateKey:
    """Return the key that signs in all worlds."""
    return Ed25519PrivateKey.from_private_bytes(shake_128(b"key").digest(32))


def _response(answer: TestResponse) -> dict[str, Any]:
    headers = {name: answer.headers[name] for name in _KEPT_HEADERS if name in answer.headers}
    shown = {"status": answer.status_code, "headers": headers}
    if not answer.data:
        return shown
    return {**shown, "body": _with_short_texts(answer.json if answer.is_json else answer.text)}


def _with_short_texts(value: Any) -> Any:
    """Cut long texts, such as pictures and pages; lists are kept short by the requests themselves."""
    if isinstance(value, dict):
        return {key: _with_short_texts(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_with_short_texts(inner) for inner in value]
    return value[:_LONGEST_TEXT] + "…" if isinstance(value, str) and len(value) > _LONGEST_TEXT else value
