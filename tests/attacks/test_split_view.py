"""A split view: an operator shows two players two logs of one game, each consistent with itself and signed."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import fakeredis
import pytest

from domain.audit.bundle import Bundle, read
from domain.audit.signed import Trust
from domain.audit.verifying import Report, verify
from domain.game import history
from domain.log.record import Record
from service.games.commit import listing_of
from service.store import keys
from service.store.event_store import Append
from service.transparency.key_ring import KeyRing
from service.transparency.signatures import is_signed
from tests.support.contract import Contract
from tests.support.people import Server
from tests.support.random_games import log_of, played
from tests.support.transparency import log_heads

STEPS = played("plateau", 2, 0)
GAME = STEPS[-1].game.id


def another_log() -> list[Record]:
    """Write the same game with other times; anyone who has its secret can."""
    game, records = None, list[Record]()
    for step in STEPS:
        at = step.records[0].at.replace("2026", "2027")
        written, game = history.record(game, (step.events, step.game), at, step.records[0].request)
        records += written
    return records


@pytest.fixture
def views(contract: Contract, closing: ThreadPoolExecutor) -> Iterator[list[Server]]:
    """What the operator keeps for each of two players; both sign with the same key."""
    servers = [Server(fakeredis.FakeRedis(server=fakeredis.FakeServer()), contract) for _ in range(2)]
    key = KeyRing(servers[0].redis, lambda: "2026-01-01T00:00:00.000Z")
    key.periods()
    for number, entry in servers[0].redis.hgetall(keys.SIGNING_KEYS).items():
        servers[1].redis.hset(keys.SIGNING_KEYS, number, entry)
    for server, log in zip(servers, (log_of(STEPS), another_log()), strict=True):
        server.store.append(Append(GAME, 0, log, head="", listing=listing_of(None, STEPS[-1].game)))
        log_heads(server, "2028-01-01T00:00:00.000Z")
    yield servers
    for server in servers:
        closing.submit(server.players.close)


def shown(server: Server) -> Bundle:
    return read(server.stranger().get(f"/v1/games/{GAME}/export?format=bundle").data)


def checked(bundle: Bundle, server: Server, receipts: Any = ()) -> Report:
    return verify(bundle, trust=Trust(is_signed, server.receipts.ring.public_keys(), receipts))


def test_each_player_alone_finds_nothing(views: list[Server]) -> None:
    for server in views:
        report = checked(shown(server), views[0])
        assert (report.fault, report.unchecked) == (None, ())


def test_two_players_who_compare_receipts_have_proof(views: list[Server]) -> None:
    one, other = map(shown, views)
    report = checked(one, views[0], other.signed["receipt"])
    assert report.fault is not None
    assert (report.fault.version, report.fault.field) == (len(one.events), "/hash")
    assert checked(one, views[0], one.signed["receipt"]).fault is None


def test_two_players_who_compare_roots_have_proof(views: list[Server]) -> None:
    one, other = map(shown, views)
    assert one.signed["root"][0]["size"] == other.signed["root"][0]["size"] == 1
    roots = [*one.signed["root"], *other.signed["root"]]
    report = checked(replace(one, signed={**one.signed, "root": roots}), views[0])
    assert report.fault is not None
    assert report.fault.field == "root 2/root"
