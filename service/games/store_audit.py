"""The audit of all games of a store: it verifies each log, and compares it with the log of heads."""

from domain.audit.faults import Fault
from domain.audit.stored import verify_stored
from domain.audit.verifying import Report
from domain.log.heads import head_leaf
from service.store.codec import canonical
from service.store.event_store import EventStore, NotServed
from service.transparency.transparency_log import TransparencyLog

_ANY_VERSION = 2**53 - 1


class StoreAudit:
    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._heads = TransparencyLog(store.client)

    def check(self, game_id: str) -> Report:
        logged = self._heads.logged(game_id, _ANY_VERSION)  # read first, because the log can grow in between
        try:
            records = self._store.read(game_id)
        except NotServed as lost:
            return _wrong(game_id, Fault(lost.version, "", "the log as it was written", str(lost)))
        if not records:
            return self._without_log(game_id)
        report = verify_stored(records, canonical)
        if report.fault is not None or logged is None:
            return report
        version, index = logged
        if version > len(records):
            return _wrong(game_id, Fault(version, "/version", "an event, since its head is logged", "nothing"))
        (leaf,) = self._heads.leaves(index, index + 1)
        if leaf != head_leaf(game_id, version, records[version - 1].hash):
            found = records[version - 1].hash
            return _wrong(game_id, Fault(version, "/hash", "the hash that is in the log of heads", found))
        return report

    def _without_log(self, game_id: str) -> Report:
        """Judge a game that has no log: it may have been removed since it was listed."""
        if self._store.removal.is_gone(game_id):
            return Report(game_id, 0, None, ())
        return _wrong(game_id, Fault(1, "/type", "a log, since lists have the game", "nothing"))


def _wrong(game_id: str, fault: Fault) -> Report:
    return Report(game_id, 0, fault, ())
