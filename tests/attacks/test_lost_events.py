"""A fail-over to a replica that lacks an acknowledged event: it is lost, and each holder of a trace of it can tell."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from service.store.redis.connections import connect
from tests.support.clusters import Pair, ask
from tests.support.people import ME, Person, Server, Table
from tests.support.transparency import Monitor, judged, log_heads, receipt_of

WENT_BACK = (412, "game-went-back")


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    pair = Pair("valkey", tmp_path)
    yield pair
    pair.close()


@pytest.fixture
def server(pair: Pair) -> Iterator[Server]:
    with connect(pair.url) as client:
        server = Server(client)
        yield server
        server.players.close()


@pytest.fixture
def table(server: Server) -> Table:
    ada = server.newcomer("Ada")
    made = ada.post("/v1/games", {"ruleset": "plateau", "sandbox": True, "seats": [ME, ME]})
    return Table(made.json["id"], [ada, ada], server)


def test_what_a_fail_over_has_lost_is_told_and_found_by_receipts_and_monitors(
    pair: Pair, server: Server, table: Table, tmp_path: Path
) -> None:
    monitor, ada = Monitor(server, tmp_path), table.people[0]
    pair.catch_up()
    there = table.version
    ask(pair.new.url, "REPLICAOF", "NO", "ONE")  # from here on, nothing reaches it
    answer = moved(table, ada, 0)
    receipt, held = receipt_of(answer), answer.json["version"]
    assert judged(ada, receipt) == (True, "matches")
    log_heads(server)
    assert monitor.look()[0] == 0

    pair.old.kill()
    pair.take_over()

    assert table.version == there < held
    for path in (f"view?at={held}", f"events?after={held}", f"events?after={held}&wait=30"):
        refused = ada.get(f"{table.path}/{path}")
        assert (refused.status_code, refused.json["code"]) == WENT_BACK
        assert refused.json["game_version"] == there
    late = ada.post(f"{table.path}/actions", table.legal(table.to_act)[0], If_Match=f'"{held}"')
    assert (late.status_code, late.json["code"]) == WENT_BACK
    assert judged(ada, receipt) == (True, "contradicts")
    while table.version < held:
        moved(table, ada, -1)
    assert receipt.contradicts(receipt_of(ada.get(f"{table.path}/view?at={held}")))
    assert judged(ada, receipt) == (True, "contradicts")
    log_heads(server)
    caught, said = monitor.look()
    assert caught == 4, said
    monitor.web.shutdown()


def moved(table: Table, person: Person, which: int):
    """Carry out one of the legal actions, and return the response."""
    seat = table.to_act
    answer = person.post(f"{table.path}/actions?as={seat}", table.legal(seat)[which])
    assert answer.status_code == 201, answer.json
    return answer
