"""The audit of a store: each log by the rules, and against what the log of heads says that it was."""

import fakeredis
import pytest

from domain.game import history
from service.common import wall_clock
from service.games.store_audit import StoreAudit
from service.store.event_store import Append, EventStore
from service.transparency.key_ring import KeyRing
from service.transparency.transparency_log import TransparencyLog, Unlogged
from tests.support.random_games import log_of, played
from workers.log_worker import LogWorker

STEPS = played("plateau", 2, 0)
LOG = log_of(STEPS)
GAME = LOG[0].game_id


@pytest.fixture
def store():
    return EventStore(fakeredis.FakeRedis(server=fakeredis.FakeServer()))


def put(store, records):
    """Put a log in place of the one that is there."""
    for key in store.client.scan_iter(f"*{GAME}:events"):
        store.client.delete(key)
    store.append(Append(GAME, 0, records, head=""))


def log_heads(store):
    client = store.client
    sign = KeyRing(client, wall_clock.now).sign
    assert LogWorker(TransparencyLog(client), Unlogged(client, 16), sign, wall_clock.now, 3600).keep() == 1


def test_a_log_that_continues_after_it_was_logged_is_sound(store):
    for records in (log_of(STEPS[:20]), LOG):
        put(store, records)
        if records is not LOG:
            log_heads(store)
        report = StoreAudit(store).check(GAME)
        assert (report.fault, report.unchecked, report.version) == (None, (), len(records))


def test_a_log_that_lost_its_end_is_noticed_by_the_log_of_heads_alone(store):
    put(store, LOG)
    log_heads(store)
    put(store, log_of(STEPS[:-2]))
    fault = StoreAudit(store).check(GAME).fault
    assert (fault.version, fault.field) == (len(LOG), "/version")


def test_a_log_that_was_written_otherwise_is_noticed_by_the_log_of_heads_alone(store):
    put(store, LOG)
    log_heads(store)
    game, records = None, []
    for step in STEPS:
        written, game = history.record(game, (step.events, step.game), step.records[0].at.replace("2026", "2027"), "r")
        records += written
    put(store, records)
    fault = StoreAudit(store).check(GAME).fault
    assert (fault.version, fault.field, fault.found) == (len(LOG), "/hash", records[-1].hash)


def test_a_log_that_is_gone_is_named(store):
    put(store, LOG)
    log_heads(store)
    store.client.delete(*store.client.scan_iter(f"*{GAME}:events"))
    assert StoreAudit(store).check(GAME).fault.found == "nothing"


def test_a_damaged_entry_is_named(store):
    put(store, LOG)
    (key,) = store.client.scan_iter(f"*{GAME}:events")
    store.client.xdel(key, "7-0")
    assert StoreAudit(store).check(GAME).fault.version == 7
