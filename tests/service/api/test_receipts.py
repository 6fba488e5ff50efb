"""Receipts: what the server has signed of a game, it cannot deny, and nobody else can make one."""

from dataclasses import replace

import pytest

from service.store.codec import Head
from service.transparency.key_ring import receipt_in
from tests.support.live import NDJSON, SSE, frames_in
from tests.support.people import ME, OPEN
from tests.support.transparency import judged, receipt_of

KEYS = "/.well-known/plateau-keys.json"


def public_keys(person):
    return {key["key_id"]: key["public_key"] for key in person.get(KEYS).json["keys"]}


def heads(person, game):
    """The hash of every version, from the log."""
    return {each["version"]: each["hash"] for each in person.get(f"{game}/events?limit=1000").json["events"]}


@pytest.fixture
def duel(ada, bob):
    """The receipts of all that led to a game of Plateau and to its end, and its path."""
    made = ada.post("/v1/games", {"ruleset": "plateau", "seats": [ME, OPEN]})
    game = f"/v1/games/{made.json['id']}"
    answers = [made, bob.post(f"{game}/seats", {})]
    first = ada.get(f"{game}/legal-actions?limit=1").json["actions"][0]
    answers += [ada.post(f"{game}/actions", first), ada.post(f"{game}/proposals", {"kind": "pause"})]
    proposal = answers[-1].json["events"][0]["data"]["proposal"]
    answers += [bob.post(f"{game}/proposals/{proposal}/votes", {"accept": False})]
    second = bob.get(f"{game}/legal-actions?limit=1").json["actions"][0]
    answers += [bob.post(f"{game}/actions?with=view", second)]
    return [receipt_of(each) for each in [*answers, bob.post(f"{game}/resign", {"confirm": True})]], game


def test_every_write_to_a_game_returns_a_receipt_for_the_version_that_it_led_to(duel, stranger):
    receipts, game = duel
    hashes, keys = heads(stranger, game), public_keys(stranger)
    assert len(receipts) == 7
    assert [each.version for each in receipts] == sorted({each.version for each in receipts})
    assert receipts[-1].version == len(hashes)
    for each in receipts:
        assert each.hash == hashes[each.version]
        assert each.is_signed_by(keys)
        assert judged(stranger, each) == (True, "matches")


def test_other_ways_to_write_return_receipts_too(ada, bob):
    game = f"/v1/games/{ada.post('/v1/games', {'ruleset': 'plute', 'seats': [ME] + [OPEN] * 5}).json['id']}"
    link = ada.post(f"{game}/invitations", {"link": True}).json["url"]
    answers = [ada.put(f"{game}/seats/3", {"bot": "random"}), bob.post(f"{link}/seat"), bob.delete(f"{game}/seats/1")]
    assert [receipt_of(each).version for each in [*answers, ada.delete(game)]] == [3, 4, 5, 6]
    over = f"/v1/games/{ada.post('/v1/games', {'ruleset': 'plateau', 'seats': [ME] * 2, 'sandbox': True}).json['id']}"
    fork = ada.post(f"{over}/forks", {})
    assert receipt_of(fork).game == fork.json["id"]
    assert ada.post(f"{over}/resign", {"confirm": True}).status_code == 201
    again = ada.post(f"{over}/rematch")
    assert receipt_of(again).game == again.json["game"]["id"]


def test_a_repeated_request_gets_the_same_receipt(sandbox, ada):
    action = ada.get(f"{sandbox.path}/legal-actions").json["actions"][0]
    first = ada.post(f"{sandbox.path}/actions", action, Idempotency_Key="once")
    assert receipt_of(first).version == first.json["version"]
    following = ada.get(f"{sandbox.path}/legal-actions").json["actions"][0]
    assert ada.post(f"{sandbox.path}/actions", following).status_code == 201
    sandbox.server.forget_games()
    again = ada.post(f"{sandbox.path}/actions", action, Idempotency_Key="once")
    assert again.data == first.data
    assert again.headers["Plateau-Receipt"] == first.headers["Plateau-Receipt"]


def test_whatever_shows_a_game_comes_with_the_same_receipt_for_its_version(table, ada, stranger):
    shown = [table.path, *(f"{table.path}/{each}" for each in ("view", "scene", "board.svg", "events"))]
    shown += [f"{table.path}/export?format={each}" for each in ("text", "audit")]
    receipts = {person.get(path).headers["Plateau-Receipt"] for path in shown for person in (ada, stranger)}
    (receipt,) = map(receipt_in, receipts)
    assert receipt.hash == heads(stranger, table.path)[receipt.version]
    past = receipt_of(stranger.get(f"{table.path}/view?at=2"))
    assert (past.version, past.hash) == (2, heads(stranger, table.path)[2])


@pytest.mark.parametrize(
    "change",
    [{"version": 2}, {"hash": "0" * 64}, {"at": "2026-01-01T00:00:00.000Z"}, {"signature": "0" * 128},
     {"key_id": "0" * 16}],
)  # fmt: skip
def test_a_forged_receipt_is_not_signed(table, ada, change):
    receipt = receipt_of(ada.get(table.path))
    assert judged(ada, replace(receipt, **change)) == (False, "unknown")


def test_a_receipt_proves_a_rewritten_log(table, ada, bob):
    """An operator puts another log in the place of the one that was signed, or cuts it."""
    server, kept = table.server, receipt_of(ada.get(table.path))
    rewritten = server.receipts.of(Head(kept.game, kept.version, "f" * 64, kept.at))
    assert judged(bob, receipt_in(rewritten)) == (True, "contradicts")
    longer = server.receipts.of(Head(kept.game, kept.version + 1, "f" * 64, kept.at))
    assert judged(bob, receipt_in(longer)) == (True, "contradicts")
    assert kept.contradicts(receipt_in(rewritten))
    assert not kept.contradicts(kept)
    assert not kept.contradicts(receipt_in(longer))
    assert not kept.contradicts(replace(kept, game="gm_other", hash="f" * 64))


def test_a_private_game_is_unknown_to_anyone_who_may_not_see_it(server, ada, bob, stranger):
    wish = {"ruleset": "plateau", "seats": [ME, OPEN], "visibility": "private"}
    receipt = receipt_of(ada.post("/v1/games", wish))
    absent = receipt_in(server.receipts.of(Head("gm_absent", 1, "f" * 64, receipt.at)))
    assert judged(ada, receipt) == (True, "matches")
    for person in (bob, stranger):
        assert judged(person, receipt) == judged(person, absent) == (True, "unknown")


def test_a_receipt_stays_valid_when_another_key_signs(table, ada):
    before = receipt_of(ada.get(table.path))
    table.server.receipts.ring.rotate()
    after = receipt_of(ada.get(table.path))
    assert before.key_id != after.key_id
    assert judged(ada, before) == judged(ada, after) == (True, "matches")
    assert not before.contradicts(after)
    old, new = ada.get(KEYS).json["keys"]
    assert (old["key_id"], old["until"], new["until"]) == (before.key_id, new["from"], None)


def test_refusals_and_streams_carry_no_receipt(table, ada, bob):
    assert "Plateau-Receipt" not in bob.post(f"{table.path}/seats", {}).headers
    assert "Plateau-Receipt" not in ada.get(f"{table.path}/events", Accept=NDJSON).headers


@pytest.mark.parametrize("form", [SSE, NDJSON])
def test_a_stream_brings_the_receipt_after_the_events_if_asked(duel, bob, form):
    receipts, game = duel
    answer = bob.get(f"{game}/events?receipts=true&after=2", Accept=form)
    *events, receipt, end = frames_in(form, answer.data)
    assert {frame.name for frame in events} == {"event"}
    assert (receipt.name, end.name) == ("receipt", "end")
    assert receipt_in(receipt.data) == receipts[-1]
