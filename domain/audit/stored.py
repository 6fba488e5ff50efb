"""The audit of a log as a store keeps it: with the secret of the game, so also during the game.

A stored log says more than a bundle: who may see each hidden part, which its chain does not cover. What a bundle claims
beside its events, such as draws, is not there.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from domain.audit import structure
from domain.audit.faults import Wrong, compare, value
from domain.audit.replaying import replayed
from domain.audit.verifying import Report
from domain.game.durations import instant
from domain.log import chain, record
from domain.log.record import Record, visible
from domain.log.secrets import REVEALED, Secrets, in_first_event
from domain.registry import RULESETS
from domain.serialization import Plain


def verify_stored(records: Sequence[Record], write: Callable[[Plain], bytes] = chain.canonical) -> Report:
    """Check everything in a log of at least one event: its chain, its seals, its times, and every event by the rules.

    ``write`` can be any faster writer of the canonical form, if it is exact.
    """
    unchecked: list[str] = []
    fault = None
    try:
        unchecked += _checked(records, write)
    except Wrong as wrong:
        fault = wrong.fault
    return Report(records[0].game_id, len(records), fault, tuple(unchecked))


def _checked(records: Sequence[Record], write: Callable[[Plain], bytes]) -> Iterator[str]:
    secrets = _secrets_in(records[0])
    try:
        record.verify(records, chain.GENESIS, secrets, write)
    except chain.BrokenChain as broken:
        raise Wrong(broken.version, broken.field, "the log as it was written", str(broken)) from broken
    _check_order(records)
    name, version = (records[0].data[part] for part in ("ruleset", "rules_version"))
    ruleset = RULESETS.get(name)
    if ruleset is None or ruleset.version != version:
        yield f"version {value(version)} of the rules of {value(name)} is not installed: legality was not checked"
        return
    for each in records:
        secrets = secrets.after(each.version) if each.type == REVEALED else secrets
    events = [visible(each, secrets, None, everything=True) for each in records]
    replayed(events, secrets, partial(_compare_viewers, records))


def _secrets_in(first: Record) -> Secrets:
    try:
        return in_first_event(first.game_id, first.whole_data())
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise Wrong(1, "/data/secret", "64 hex digits", "something else") from error


def _check_order(records: Sequence[Record]) -> None:
    """Check that times never decrease, and that nothing follows the end."""
    last = 0
    for each in records:
        now = instant(each.at)
        if now < last:
            raise Wrong(each.version, "/at", "no earlier time than that of the event before", value(each.at))
        last = now
    for each in records[:-1]:
        if each.type in structure.ENDS:
            raise Wrong(each.version + 1, "/type", f"no event after {each.type}", value(records[each.version].type))


def _compare_viewers(stored: Sequence[Record], again: Sequence[Record]) -> None:
    """Compare who may see the hidden parts: the one thing in a record that its hash does not cover."""
    for each in again:
        known = stored[each.version - 1].hidden
        for pointer, part in each.hidden.items():
            compare(each.version, f"/hidden{pointer}/to", [*part.to], [*known[pointer].to])
